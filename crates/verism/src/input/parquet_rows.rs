//! Rows of a Parquet file as JSON objects, for suites whose tables hold lists and objects.

use std::fs::File;
use std::sync::Arc;

use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use parquet::file::properties::ReaderProperties;
use parquet::file::serialized_reader::SerializedRowGroupReader;
use parquet::schema::types::Type;

use super::pages::largest_page;
use super::parquet::assembly::{Admit, Column};
use super::parquet::{PAGES_PER_RECORD, check_packing, guarded, names, unreadable};
use super::value::Json;
use super::{FIELDS_OF_A_ROW, Limits};
use crate::error::Defect;

/// What the caller holds of a file at the same time, and so what the limits of a record are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// One row after the other.
    Row,
    /// All of them.
    Table,
}

/// Which columns are asked for.
#[derive(Clone, Copy, Debug)]
pub enum Wanted<'w> {
    /// All.
    All,
    /// These.
    Only(&'w [&'w str]),
    /// All but those with values of a kind that is not read, unless they are among these.
    AllBut(&'w [&'w str]),
}

impl Wanted<'_> {
    fn asks_for(self, field: &Type) -> bool {
        match self {
            Wanted::All => true,
            Wanted::Only(names) => names.contains(&field.name()),
            Wanted::AllBut(needed) => needed.contains(&field.name()) || Column::is_readable(field),
        }
    }
}

/// Takes a row, counted from 1, of a table with these columns; an error ends the reading.
pub type TakeRow<'t> = dyn FnMut(u64, Json<'static>) -> Result<(), Defect> + 't;

/// Hands on the rows of a file, of the columns wanted; gives the names of all its columns.
///
/// What is held may not be larger than a record; nor may a page be several times as large, since it is unpacked as a whole.
/// A type that has no JSON form is `unsupported`, whatever is not Parquet `unreadable`.
pub fn parquet_rows(
    file: File,
    wanted: Wanted<'_>,
    held: Held,
    limits: Limits,
    take: &mut TakeRow<'_>,
) -> Result<Vec<String>, Defect> {
    guarded(|| {
        let metadata = ParquetMetaDataReader::new().parse_and_finish(&file).map_err(|_| unreadable())?;
        let columns = names(&metadata);
        if columns.len() > limits.fields {
            return Err(limits.too_wide(columns.len()));
        }
        check_packing(&metadata)?;
        let fields = metadata.file_metadata().schema().get_fields();
        let asked: Vec<&str> = fields.iter().filter(|field| wanted.asks_for(field)).map(|field| field.name()).collect();
        let is_wanted = |name: &str| asked.contains(&name);
        check_pages(&metadata, &file, limits, is_wanted)?;
        let file = Arc::new(file);
        let mut rows = Rows { read: 0, held, room: Room::of(limits) };
        for group in 0..metadata.num_row_groups() {
            rows.hand_on(&metadata, group, file.clone(), is_wanted, take)?;
        }
        Ok(columns)
    })
}

/// Refuses a file with pages of several times the size of a record.
fn check_pages(
    metadata: &ParquetMetaData,
    file: &File,
    limits: Limits,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<(), Defect> {
    let most = PAGES_PER_RECORD * limits.record_bytes as u64;
    for chunk in metadata.row_groups().iter().flat_map(|group| group.columns()) {
        let Some(name) = chunk.column_path().parts().first().filter(|name| is_wanted(name)) else { continue };
        let (start, length) = chunk.byte_range();
        if largest_page(file, start, length).is_ok_and(|largest| largest > most) {
            return Err(limits.too_long().field(name));
        }
    }
    Ok(())
}

/// Rows on their way.
struct Rows {
    read: u64,
    held: Held,
    room: Room,
}

impl Rows {
    /// Hands on the rows of a row group.
    fn hand_on(
        &mut self,
        metadata: &ParquetMetaData,
        group: usize,
        file: Arc<File>,
        is_wanted: impl Fn(&str) -> bool,
        take: &mut TakeRow<'_>,
    ) -> Result<(), Defect> {
        let properties = Arc::new(ReaderProperties::builder().build());
        let index = metadata.page_index_for_row_group(group);
        let reader = SerializedRowGroupReader::new(file, metadata.row_group(group), index, properties);
        let reader = reader.map_err(|_| unreadable())?;
        let mut columns = vec![];
        let mut first = 0;
        for field in metadata.file_metadata().schema().get_fields() {
            let leaves = Column::leaves(field);
            if is_wanted(field.name()) {
                columns.push((field.name(), Column::open(field, first, &reader)?));
            }
            first += leaves;
        }
        for _ in 0..metadata.row_group(group).num_rows() {
            self.read += 1;
            if self.held == Held::Row {
                self.room = Room::of(self.room.limits);
            }
            self.room.values(columns.len().max(FIELDS_OF_A_ROW)).map_err(|defect| defect.line(self.read))?;
            let mut entries = Vec::with_capacity(columns.len());
            for (name, column) in &mut columns {
                let value = column.next(&mut self.room).map_err(|defect| defect.field(*name).line(self.read))?;
                entries.push((name.to_string().into(), value));
            }
            take(self.read, Json::Object(entries))?;
        }
        Ok(())
    }
}

/// How much more may be held.
struct Room {
    bytes: usize,
    values: usize,
    limits: Limits,
}

impl Room {
    fn of(limits: Limits) -> Room {
        Room { bytes: limits.record_bytes, values: limits.fields, limits }
    }

    fn values(&mut self, count: usize) -> Result<(), Defect> {
        self.values = self.values.checked_sub(count).ok_or_else(|| self.limits.too_wide(self.limits.fields + 1))?;
        Ok(())
    }
}

impl Admit for Room {
    fn text(&mut self, bytes: usize) -> Result<(), Defect> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or_else(|| self.limits.too_long())?;
        Ok(())
    }

    fn item(&mut self) -> Result<(), Defect> {
        self.values(1)
    }
}

#[cfg(test)]
mod tests {
    use parquet::data_type::{ByteArrayType, FloatType, Int32Type, Int64Type};

    use super::super::parquet::written::write_group;
    use super::*;

    const SCHEMA: &str = "message m {
        optional binary t (STRING);
        required int64 n;
        optional group l (LIST) { repeated group list { optional binary element (STRING); } }
    }";

    /// Two rows: x, 1, [a, b] and null, 2, [b twenty times, null].
    fn sample() -> File {
        let long = "b".repeat(20);
        let file = tempfile::tempfile().expect("a file");
        write_group(
            file.try_clone().expect("a copy"),
            SCHEMA,
            &[
                &|t| t.typed::<ByteArrayType>().write_batch(&["x".into()], Some(&[1, 0]), None),
                &|n| n.typed::<Int64Type>().write_batch(&[1, 2], None, None),
                &|l| {
                    let texts = ["a".into(), "b".into(), long.as_str().into()];
                    l.typed::<ByteArrayType>().write_batch(&texts, Some(&[3, 3, 3, 2]), Some(&[0, 1, 0, 1]))
                },
            ],
        );
        file
    }

    fn read(file: File, wanted: Wanted<'_>, held: Held, limits: Limits) -> (Vec<String>, Result<Vec<String>, Defect>) {
        let mut rows = vec![];
        let read = parquet_rows(file, wanted, held, limits, &mut |row, json| {
            rows.push(format!("{row} {}", crate::text::json::text(&json)));
            Ok(())
        });
        (rows, read)
    }

    #[test]
    fn rows_are_objects_with_lists() {
        let (rows, columns) = read(sample(), Wanted::All, Held::Row, Limits::default());
        let long = "b".repeat(20);
        let second = format!(r#"2 {{"t":null,"n":2,"l":["{long}",null]}}"#);
        assert_eq!(rows, [r#"1 {"t":"x","n":1,"l":["a","b"]}"#.into(), second]);
        assert_eq!(columns, Ok(["t", "n", "l"].map(String::from).to_vec()));
        assert_eq!(
            read(sample(), Wanted::Only(&["n"]), Held::Row, Limits::default()).0,
            [r#"1 {"n":1}"#, r#"2 {"n":2}"#]
        );
    }

    #[test]
    fn a_row_beyond_the_limits_is_named() {
        let place = |held, record_bytes, fields| {
            let (rows, read) = read(sample(), Wanted::All, held, Limits { record_bytes, fields });
            let defect = read.expect_err("too large");
            (rows.len(), defect.code.into_owned(), defect.line, defect.field)
        };
        let named = |field: &str| Some(field.to_string());
        // Pages of the first column are larger than four records: nothing is unpacked.
        assert_eq!(place(Held::Row, 1, 10), (0, "too_large".into(), None, named("t")));
        // The second row has 20 bytes of text; both have 23, and count for 12 values: four each, and two in each list.
        assert_eq!(place(Held::Row, 19, 10), (1, "too_large".into(), Some(2), named("l")));
        assert_eq!(place(Held::Table, 22, 12), (1, "too_large".into(), Some(2), named("l")));
        assert_eq!(place(Held::Table, 23, 11), (1, "too_large".into(), Some(2), named("l")));
        assert_eq!(read(sample(), Wanted::All, Held::Table, Limits { record_bytes: 23, fields: 12 }).0.len(), 2);
    }

    #[test]
    fn objects_lists_in_lists_and_empty_ones_are_put_together() {
        let schema = "message m {
            optional group o { required int32 a (INTEGER(32, false)); optional float x; }
            optional group l (LIST) { repeated group list { optional group element (LIST) {
                repeated group list { required int64 element; } } } }
            repeated int64 r;
            optional group old (LIST) { repeated group array { required int64 v; } }
        }";
        let file = tempfile::tempfile().expect("a file");
        // By the rules of the format, rows by hand: see below what is written.
        write_group(
            file.try_clone().expect("a copy"),
            schema,
            &[
                &|a| a.typed::<Int32Type>().write_batch(&[-1, 7], Some(&[1, 0, 1]), None),
                &|x| x.typed::<FloatType>().write_batch(&[0.5], Some(&[2, 0, 1]), None),
                // [[1, 2], [], null, [3]], null, []
                &|l| {
                    let column = l.typed::<Int64Type>();
                    column.write_batch(&[1, 2, 3], Some(&[4, 4, 3, 2, 4, 0, 1]), Some(&[0, 2, 1, 1, 1, 0, 0]))
                },
                &|r| r.typed::<Int64Type>().write_batch(&[8, 9], Some(&[0, 1, 1, 0]), Some(&[0, 0, 1, 0])),
                &|v| v.typed::<Int64Type>().write_batch(&[4, 5], Some(&[2, 2, 1, 0]), Some(&[0, 1, 0, 0])),
            ],
        );
        let (rows, _) = read(file, Wanted::All, Held::Row, Limits::default());
        assert_eq!(
            rows,
            [
                r#"1 {"o":{"a":4294967295,"x":0.5},"l":[[1,2],[],null,[3]],"r":[],"old":[{"v":4},{"v":5}]}"#,
                r#"2 {"o":null,"l":null,"r":[8,9],"old":[]}"#,
                r#"3 {"o":{"a":7,"x":null},"l":[],"r":[],"old":null}"#,
            ]
        );
    }

    /// Each place where a leaf has to read on: the first row, and every 1,024 rows.
    #[test]
    fn objects_that_are_not_there_may_stand_anywhere() {
        let schema = "message m { optional group o { required int64 a; optional int64 b; } }";
        for gap in [0_usize, 1, 1023, 1024, 2047, 2048, 2499] {
            let file = tempfile::tempfile().expect("a file");
            let all: Vec<i64> = (0..2500).filter(|i| *i != gap as i64).collect();
            let there = |level: i16| (0..2500).map(|i| if i == gap { 0 } else { level }).collect::<Vec<i16>>();
            write_group(
                file.try_clone().expect("a copy"),
                schema,
                &[&|a| a.typed::<Int64Type>().write_batch(&all, Some(&there(1)), None), &|b| {
                    b.typed::<Int64Type>().write_batch(&all, Some(&there(2)), None)
                }],
            );
            let (rows, told) = read(file, Wanted::All, Held::Row, Limits::default());
            assert!(told.is_ok(), "{gap}: {told:?}");
            let expected = |i: usize| match i == gap {
                true => format!(r#"{} {{"o":null}}"#, i + 1),
                false => format!(r#"{} {{"o":{{"a":{i},"b":{i}}}}}"#, i + 1),
            };
            assert_eq!(rows, (0..2500).map(expected).collect::<Vec<_>>(), "{gap}");
        }
    }

    #[test]
    fn a_value_of_a_kind_that_is_not_read_is_told_with_its_place() {
        let schema = "message m { required int64 a; optional int64 t (TIMESTAMP(NANOS, true)); }";
        let file = || {
            let file = tempfile::tempfile().expect("a file");
            write_group(
                file.try_clone().expect("a copy"),
                schema,
                &[&|a| a.typed::<Int64Type>().write_batch(&[1, 2], None, None), &|t| {
                    t.typed::<Int64Type>().write_batch(&[5], Some(&[0, 1]), None)
                }],
            );
            file
        };
        let (rows, told) = read(file(), Wanted::All, Held::Row, Limits::default());
        let told = told.expect_err("refused");
        assert_eq!((rows.len(), told.code.as_ref(), told.line), (1, "unsupported", Some(2)));
        assert_eq!((told.field.as_deref(), told.value.as_deref()), (Some("t"), Some("Timestamp")));
        for wanted in [Wanted::Only(&["a"]), Wanted::AllBut(&["a"])] {
            assert_eq!(read(file(), wanted, Held::Row, Limits::default()).0, [r#"1 {"a":1}"#, r#"2 {"a":2}"#]);
        }
        assert!(read(file(), Wanted::AllBut(&["t"]), Held::Row, Limits::default()).1.is_err());
    }
}
