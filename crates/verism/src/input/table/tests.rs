use proptest::prelude::*;

use super::super::csv::tests::SCANNED;
use super::super::parquet::written::{Write, write_group, write_texts};
use super::*;

/// A watcher with limits of its own.
struct Narrow(Limits);

impl Watch for Narrow {
    fn limits(&self) -> Limits {
        self.0
    }
}

fn narrow(record_bytes: usize, fields: usize) -> Narrow {
    Narrow(Limits { record_bytes, fields })
}

/// Lines of records with their first cell, and lines of defects with their codes.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    records: Vec<(u64, String)>,
    defects: Vec<(u64, String)>,
}

impl Sink for Seen {
    fn record(&mut self, line: u64, cells: &[Option<&str>]) {
        self.records.push((line, cells[0].unwrap_or_default().to_string()));
    }

    fn defect(&mut self, line: u64, defect: Defect) {
        self.defects.push((line, defect.code.to_string()));
    }
}

/// Reads everything; lines count from 1.
fn read(table: Table<'_>) -> (Seen, Option<Defect>) {
    let mut all = Seen::default();
    let ended = table.read(&["a".to_string()], &Seen::default, &mut |seen: Seen, before| {
        let at = |(line, what): (u64, String)| (before + line + 1, what);
        all.records.extend(seen.records.into_iter().map(at));
        all.defects.extend(seen.defects.into_iter().map(at));
        ControlFlow::Continue(())
    });
    (all, ended.defect)
}

fn csv(text: &str, watch: &dyn Watch) -> (Seen, Option<Defect>) {
    read(Table::text(Box::new(text.as_bytes()), Some(Kind::Csv), watch))
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(work)
}

#[test]
fn a_record_beyond_the_limit_is_a_defect_and_the_next_one_is_read() {
    let long = 3 * BLOCK;
    let field = "x\n".repeat(long / 2);
    let text = format!("a,b\n1,2\n2,\"{field}\"\n3,{}\n4,5\n", "y".repeat(long));
    let lines = long as u64 / 2;
    for threads in [1, 3] {
        let (seen, defect) = on_threads(threads, || csv(&text, &narrow(BLOCK, 100)));
        assert_eq!(defect, None);
        assert_eq!(seen.records, [(2, "1".to_string()), (lines + 5, "4".to_string())]);
        assert_eq!(seen.defects, [(3, "too_large".to_string()), (lines + 4, "too_large".to_string())]);
    }
    let (whole, _) = csv(&text, &narrow(8 * BLOCK, 100));
    assert_eq!((whole.records.len(), whole.defects.len()), (4, 0));
}

#[test]
fn a_quote_that_stays_open_is_told_as_such_however_long_the_file() {
    let text = format!("a,b\n1,2\n2,\"{}", "x\n".repeat(2 * BLOCK));
    for limit in [BLOCK, 16 * BLOCK] {
        let (seen, defect) = csv(&text, &narrow(limit, 100));
        let defect = defect.expect("a defect of the file");
        assert_eq!((defect.code.as_ref(), defect.line), ("unterminated_quote", Some(3)));
        assert_eq!(seen.records.len(), 1);
    }
}

#[test]
fn a_stray_quote_does_not_make_the_work_quadratic() {
    let text = format!("a,b\n1,2\n2,\"{}", "x,y\n".repeat(3 * BLOCK));
    let scanned = on_threads(1, || {
        SCANNED.set(0);
        csv(&text, &narrow(1 << 30, 100));
        SCANNED.get()
    });
    // The buffer doubles while the record is not finished: 1 + 1/2 + 1/4 + …, and once more for its end.
    assert!(scanned <= 4 * text.len(), "{scanned} bytes looked at of {}", text.len());
}

#[test]
fn bad_bytes_beyond_the_limit_belong_to_the_record_that_is_passed_over() {
    let mut bytes = format!("a,b\n1,{}", "y".repeat(2 * BLOCK)).into_bytes();
    bytes.extend(b"\xff\n2,3\n");
    for threads in [1, 4] {
        let table = || read(Table::text(Box::new(bytes.as_slice()), Some(Kind::Csv), &Narrow(narrow(BLOCK, 9).0)));
        let (seen, defect) = on_threads(threads, table);
        assert_eq!((defect, seen.defects), (None, vec![(2, "too_large".to_string())]));
        assert_eq!(seen.records, [(3, "2".to_string())]);
    }
}

#[test]
fn too_many_fields_are_counted_and_not_kept() {
    let (seen, defect) = csv(&format!("a,b\n1{}\n2,3\n4\n", ",".repeat(50)), &narrow(BLOCK, 20));
    assert_eq!(defect, None);
    assert_eq!(seen.records, [(3, "2".to_string())]);
    assert_eq!(seen.defects, [(2, "too_large".to_string()), (4, "ragged_row".to_string())]);
    let (_, defect) = csv(&format!("a{}\n1,2\n", ",x".repeat(50)), &narrow(BLOCK, 20));
    assert_eq!(defect.map(|defect| (defect.code.into_owned(), defect.line)), Some(("too_large".into(), Some(1))));
    let (_, defect) = csv(&format!("a,{}\n1,2\n", "x".repeat(50_000)), &narrow(10_000, 20));
    assert_eq!(defect.map(|defect| (defect.code.into_owned(), defect.line)), Some(("too_large".into(), Some(1))));
}

#[test]
fn a_header_of_many_columns_is_read_and_a_repeated_one_is_named() {
    let header: String = (0..80_000).map(|i| format!("c{i},")).collect();
    let (seen, defect) = csv(&format!("{header}a\n{}7\n", ",".repeat(80_000)), &Narrow(Limits::default()));
    assert_eq!((seen.records, defect), (vec![(2, "7".to_string())], None));
    let (_, defect) = csv(&format!("b,{header}b\n"), &Narrow(Limits::default()));
    let defect = defect.expect("refused");
    assert_eq!((defect.code.as_ref(), defect.field.as_deref()), ("duplicate_column", Some("b")));
    // A header that ends in commas, as spreadsheets write it.
    let (seen, defect) = csv("a,b,,\n7,8,,\n", &Narrow(Limits::default()));
    assert_eq!((seen.records.len(), defect), (1, None));
}

#[test]
fn a_line_of_json_beyond_the_limit_is_a_defect() {
    let text = format!("{{\"a\":1}}\n{{\"a\":\"{}\"}}\n{{\"a\":2}}\n", "x".repeat(3 * BLOCK));
    for threads in [1, 4] {
        let table = || read(Table::text(Box::new(text.as_bytes()), Some(Kind::Jsonl), &Narrow(narrow(BLOCK, 9).0)));
        let (seen, defect) = on_threads(threads, table);
        assert_eq!((defect, seen.defects), (None, vec![(2, "too_large".to_string())]));
        assert_eq!(seen.records, [(1, "1".to_string()), (3, "2".to_string())]);
    }
}

/// Writes texts as a Parquet file with so many rows in a group.
fn parquet(columns: &[&str], texts: Vec<String>, group: usize) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().expect("a file");
    write_texts(file.reopen().expect("again"), columns, &texts, group, true);
    file
}

#[test]
fn a_repeated_column_of_parquet_is_refused() {
    let file = parquet(&["a", "b", "a"], vec!["1".into()], 10);
    let (_, defect) = read(Table::open(file.path(), Kind::Parquet, &Narrow(Limits::default())));
    let defect = defect.expect("refused");
    assert_eq!((defect.code.as_ref(), defect.field.as_deref()), ("duplicate_column", Some("a")));
}

#[test]
fn every_kind_of_parquet_has_its_text() {
    use parquet::data_type::{BoolType, DoubleType, FloatType, Int32Type, Int64Type};
    let one = |schema: &str, write: Write<'_>| {
        let file = tempfile::NamedTempFile::new().expect("a file");
        write_group(file.reopen().expect("again"), &format!("message m {{ optional {schema}; }}"), &[write]);
        let (seen, defect) = read(Table::open(file.path(), Kind::Parquet, &Narrow(Limits::default())));
        (seen.records.into_iter().map(|(_, text)| text).collect::<Vec<_>>(), defect)
    };
    // By the definition of the formats: a null is empty, numbers without a sign use all bits, 0.1 as CPython shows it.
    let levels = Some(&[0, 1][..]);
    let cases: [(&str, Write<'_>, &str); 6] = [
        ("boolean a", &|c| c.typed::<BoolType>().write_batch(&[true], levels, None), "true"),
        ("int32 a", &|c| c.typed::<Int32Type>().write_batch(&[-7], levels, None), "-7"),
        ("int32 a (UINT_32)", &|c| c.typed::<Int32Type>().write_batch(&[-1], levels, None), "4294967295"),
        ("int64 a (UINT_64)", &|c| c.typed::<Int64Type>().write_batch(&[-1], levels, None), "18446744073709551615"),
        ("double a", &|c| c.typed::<DoubleType>().write_batch(&[0.1], levels, None), "0.1"),
        ("float a", &|c| c.typed::<FloatType>().write_batch(&[2.0], levels, None), "2.0"),
    ];
    for (schema, write, text) in cases {
        assert_eq!(one(schema, write), (vec![String::new(), text.to_string()], None), "{schema}");
    }
    let date = one("int32 a (DATE)", &|c| c.typed::<Int32Type>().write_batch(&[1], levels, None));
    let defect = date.1.expect("refused");
    assert_eq!((defect.code.as_ref(), defect.value.as_deref()), ("unsupported", Some("Date")));
}

#[test]
fn a_giant_value_of_parquet_is_a_defect_of_its_row() {
    let text = |i: usize| if i == 3 { "x".repeat(30_000) } else { format!("t{i}") };
    let file = parquet(&["a"], (0..8).map(text).collect(), 4);
    let open = |limit: usize| read(Table::open(file.path(), Kind::Parquet, &narrow(limit, 100)));
    let (seen, defect) = open(20_000);
    assert_eq!((seen.records.len(), seen.defects, defect), (7, vec![(4, "too_large".to_string())], None));
    // Its page is so large that it is not even unpacked: the rows of its group are lost, not those of the next.
    let (seen, defect) = open(5_000);
    assert_eq!(defect, None);
    assert_eq!(seen.records.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [5, 6, 7, 8]);
    assert_eq!(seen.defects.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(open(40_000).0.records.len(), 8);
}

#[test]
fn a_file_that_is_damaged_anywhere_is_a_defect_and_no_panic() {
    let sound =
        std::fs::read(parquet(&["a", "b"], (0..9).map(|i| format!("t{}", i % 3)).collect(), 4).path()).expect("read");
    let file = tempfile::NamedTempFile::new().expect("a file");
    for at in 0..sound.len() {
        let mut damaged = sound.clone();
        damaged[at] ^= 0x55;
        std::fs::write(file.path(), &damaged).expect("written");
        // What it finds is open; that it comes back is not.
        let (seen, _) = read(Table::open(file.path(), Kind::Parquet, &Narrow(Limits::default())));
        assert!(seen.records.len() + seen.defects.len() <= 1 << 20, "byte {at}");
    }
    assert!(!super::super::is_guarded());
}

proptest! {
    /// Whatever the size of the buffer, a record is read if it is short enough and told if it is not.
    #[test]
    fn limits_do_not_depend_on_where_the_bytes_are_cut(
        records in prop::collection::vec(("[a\"\n,]{0,30}", any::<bool>()), 0..12), limit in 8..40_usize,
    ) {
        let quoted = |(text, quote): &(String, bool)| match quote {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text.replace(['"', '\n', ','], "b") + "b",
        };
        let texts: Vec<String> = records.iter().map(|record| format!("{}\n", quoted(record))).collect();
        let all = format!("a\n{}", texts.concat());
        let (seen, defect) = csv(&all, &narrow(limit, 5));
        prop_assert_eq!(defect, None);
        let mut line = 2;
        let (mut records, mut defects) = (vec![], vec![]);
        for text in &texts {
            if text.len() > limit { defects.push(line) } else { records.push(line) }
            line += text.matches('\n').count() as u64;
        }
        prop_assert_eq!(seen.records.iter().map(|(line, _)| *line).collect::<Vec<_>>(), records);
        prop_assert_eq!(seen.defects.iter().map(|(line, _)| *line).collect::<Vec<_>>(), defects);
    }
}
