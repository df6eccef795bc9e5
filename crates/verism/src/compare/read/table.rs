//! Score tables from text: CSV with a header, or JSON lines.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher;

use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::audits::Caution;
use super::wide::{Wide, WideRead, read_wide};
use crate::compare::read::bad_row::BadRow;
use crate::compare::read::block::{Block, Header};
use crate::compare::read::names::{Id, Interner, Names};
use crate::compare::read::row::{AGGREGATES, Row};
use crate::input::Watch;
use crate::score::manifest::InputFacts;

/// How many bytes of a table are read by one task.
const BLOCK_BYTES: usize = 1 << 20;

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format<'a> {
    /// Comma-separated values with a header (RFC 4180).
    Csv,
    /// One JSON object per line.
    JsonLines,
    /// Comma-separated values with a column for each metric.
    Wide(&'a Wide),
}

/// A table that grows file by file.
#[derive(Default)]
pub(crate) struct Reader<'a> {
    watch: Option<&'a dyn Watch>,
    /// The column of what stands together, where one was asked for.
    cluster: Option<&'a str>,
    interner: Interner,
    rows: Vec<Row>,
    /// File and line of each row.
    places: Vec<(u32, u64)>,
    /// Hashes of the rows' keys, in order.
    marks: Vec<u64>,
    files: Vec<String>,
    problems: Vec<BadRow>,
    remarks: Vec<String>,
}

/// A complete table: rows whose ids sort like their text, and what was rejected.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// The texts of all ids.
    pub names: Names,
    /// The rows, in the order of the files.
    pub rows: Vec<Row>,
    /// What could not be used.
    pub rejected: Vec<BadRow>,
    /// The files, if the table was read from files.
    pub inputs: Vec<InputFacts>,
    /// Experiments whose logs were found wanting when they were scored.
    pub cautions: Vec<Caution>,
    /// What people should know about how the table was read.
    pub remarks: Vec<String>,
}

impl Table {
    /// Gives the table of a CSV text.
    pub(crate) fn of_csv(text: &str) -> Table {
        let mut reader = Reader::default();
        reader.add("t", text, Format::Csv, None);
        reader.finish()
    }
}

impl<'a> Reader<'a> {
    /// Gives a reader that tells of its progress and stops when told to; what it read by then is of no use.
    pub(crate) fn watched(watch: &'a dyn Watch) -> Reader<'a> {
        Reader { watch: Some(watch), ..Reader::default() }
    }

    /// Also reads a column of what stands together.
    pub(crate) fn clustered(self, column: Option<&'a str>) -> Reader<'a> {
        Reader { cluster: column, ..self }
    }

    /// Takes ids that rows have anyway as what stands together; tells whether any row has such an id, or the column asked for.
    pub(crate) fn gather_clusters(&mut self, column: &str) -> bool {
        for row in &mut self.rows {
            match column {
                "case" => row.cluster = row.case,
                "run" => row.cluster = row.run,
                "dialogue" => row.cluster = row.dialogue,
                _ => {}
            }
        }
        self.rows.iter().any(|row| row.cluster.is_given())
    }

    /// Lets every unit stand by itself.
    pub(crate) fn forget_clusters(&mut self) {
        for row in &mut self.rows {
            row.cluster = Id::NONE;
        }
    }

    /// Adds the rows of a file. With a label its experiments are renamed: to the label if there is one, else `label/name`;
    /// gives the new names by the old ones.
    pub(crate) fn add(&mut self, path: &str, text: &str, format: Format<'_>, label: Option<&str>) -> Renamed {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut blocks = match format {
            Format::JsonLines => self.read(&pieces(text), |part| Block::of_lines(part, self.cluster)),
            Format::Wide(wide) => vec![self.read_wide(text, wide)],
            Format::Csv => match Header::of(text, self.cluster) {
                Ok((header, end, lines)) => {
                    let below = Block { lines, ..Block::default() };
                    // A quoted field may hold line ends: only without quotes every line end is one of a record.
                    let records = &text[end..];
                    let quoted = memchr::memchr(b'"', records.as_bytes()).is_some();
                    let parts = if quoted { vec![records] } else { pieces(records) };
                    let blocks = self.read(&parts, |part| Block::of_csv(part, &header));
                    std::iter::once(below).chain(blocks).collect()
                }
                Err(broken) => vec![Block { broken, ..Block::default() }],
            },
        };
        let mut above = 1;
        for block in &mut blocks {
            let ids: Vec<Id> = block.interner.texts().map(|text| self.interner.id(text)).collect();
            for (line, row) in &mut block.rows {
                *line += above;
                row.each_id(|id| *id = ids[id.place()]);
            }
            for bad in block.broken.iter_mut().chain(&mut block.wrong) {
                bad.line += above;
                bad.path = path.to_string();
            }
            above += block.lines;
        }
        let renamed = label.map(|label| self.rename(&mut blocks, label)).unwrap_or_default();
        self.problems.extend(blocks.iter_mut().flat_map(|block| std::mem::take(&mut block.broken)));
        self.problems.extend(blocks.iter_mut().flat_map(|block| std::mem::take(&mut block.wrong)));
        self.keep_unique(path, blocks);
        renamed
    }

    fn read_wide(&mut self, text: &str, wide: &Wide) -> Block {
        let WideRead { block, metrics, passed_over } = read_wide(text, wide);
        if !metrics.is_empty() {
            let without = match passed_over[..] {
                [] => String::new(),
                _ => format!("; columns without a number were passed over: {}", passed_over.join(", ")),
            };
            self.remarks.push(format!("metrics of the wide table: {}{without}", metrics.join(", ")));
        }
        block
    }

    /// Adds what people should know.
    pub(crate) fn remark(&mut self, text: String) {
        self.remarks.push(text);
    }

    /// Gives the experiments of rows that are tested.
    pub(crate) fn experiments(&self) -> BTreeSet<&str> {
        let aggregate = |row: &Row| AGGREGATES.contains(&self.interner.text(row.level));
        let mut ids: Vec<Id> = self.rows.iter().filter(|row| !aggregate(row)).map(|row| row.experiment).collect();
        ids.dedup();
        ids.into_iter().map(|id| self.interner.text(id)).collect()
    }

    /// Reads the parts of a text side by side.
    fn read(&self, parts: &[&str], of: impl Fn(&str) -> Block + Sync) -> Vec<Block> {
        let watch = self.watch;
        let one = |part: &&str| {
            if watch.is_some_and(Watch::stop) {
                return Block::default();
            }
            let block = of(part);
            if let Some(watch) = watch {
                watch.advance(part.len() as u64);
            }
            block
        };
        parts.par_iter().map(one).collect()
    }

    fn rename(&mut self, blocks: &mut [Block], label: &str) -> Renamed {
        let mut renamed: FxHashMap<Id, Id> = FxHashMap::default();
        renamed.extend(blocks.iter().flat_map(|block| &block.rows).map(|(_, row)| (row.experiment, Id::NONE)));
        let single = renamed.len() == 1;
        for (old, new) in &mut renamed {
            let name = if single { label.to_string() } else { format!("{label}/{}", self.interner.text(*old)) };
            *new = self.interner.id(&name);
        }
        for (_, row) in blocks.iter_mut().flat_map(|block| &mut block.rows) {
            row.experiment = renamed[&row.experiment];
        }
        let text = |id: &Id| self.interner.text(*id).to_string();
        let names = renamed.iter().map(|(old, new)| (text(old), text(new))).collect();
        Renamed { names, prefixed: !single }
    }

    /// Keeps the rows of a file, but for those that repeat an earlier row.
    fn keep_unique(&mut self, path: &str, blocks: Vec<Block>) {
        let number = self.files.len() as u32;
        self.files.push(path.to_string());
        let rows = || blocks.iter().flat_map(|block| &block.rows);
        let count = blocks.iter().map(|block| block.rows.len()).sum();
        self.marks.reserve(count);
        self.rows.reserve(count);
        self.places.reserve(count);
        self.marks.extend(rows().map(|(_, row)| FxBuildHasher.hash_one(row.key())));
        self.marks.par_sort_unstable();
        // Rows whose marks all differ do not repeat; only where two agree every key is looked at.
        let repeated = self.marks.windows(2).any(|pair| pair[0] == pair[1]);
        let mut seen: FxHashMap<[Id; 8], usize> = FxHashMap::default();
        if repeated {
            seen.extend(self.rows.iter().enumerate().map(|(at, row)| (row.key(), at)));
        }
        for (line, row) in rows() {
            if repeated && let Some(first) = seen.insert(row.key(), self.rows.len()) {
                seen.insert(row.key(), first);
                let (file, at) = self.places[first];
                let expected = format!("a unique row; it repeats {} line {at}", file_name(&self.files[file as usize]));
                let hint = match file == number {
                    true => {
                        "repetitions of the same case need a column run (or dialogue, or turn) that tells them apart"
                            .into()
                    }
                    false => name_apart(
                        &self.files[file as usize],
                        path,
                        rows().any(|(_, r)| r.experiment != row.experiment),
                    ),
                };
                let bad = BadRow { path: path.to_string(), hint: Some(hint), ..BadRow::at(*line, "record", expected) };
                self.problems.push(BadRow { found: Some(self.key_text(row)), ..bad });
                continue;
            }
            self.rows.push(*row);
            self.places.push((number, *line));
        }
    }

    /// The ids of a row, for people.
    fn key_text(&self, row: &Row) -> String {
        let Row { metric, experiment, run, case, dialogue, turn, .. } = *row;
        let ids = [
            ("metric", metric),
            ("experiment", experiment),
            ("run", run),
            ("case", case),
            ("dialogue", dialogue),
            ("turn", turn),
        ];
        let given = ids.into_iter().filter(|(_, id)| id.is_given());
        given.map(|(name, id)| format!("{name} {}", self.interner.text(id))).collect::<Vec<_>>().join(", ")
    }

    /// Compares experiments named `a/b/…` along part k: the other parts go in front of the case id, and cases of the same other
    /// parts stand together.
    ///
    /// Aggregates over such experiments have names of their own and are never tested: without that part they stay.
    pub(crate) fn along_factor(&mut self, k: usize) -> Result<(), String> {
        let aggregates = AGGREGATES.map(|level| self.interner.id(level));
        let mut parts_of: FxHashMap<(Id, Id), [Id; 3]> = FxHashMap::default();
        let own = self.cluster.is_none();
        for row in &mut self.rows {
            let key = (row.experiment, row.case);
            if let Some([experiment, case, others]) = parts_of.get(&key).copied() {
                (row.experiment, row.case) = (experiment, case);
                row.cluster = if own { others } else { row.cluster };
                continue;
            }
            let experiment = self.interner.text(row.experiment).to_string();
            let mut parts: Vec<&str> = experiment.split('/').collect();
            if parts.len() < k && aggregates.contains(&row.level) {
                continue;
            }
            if parts.len() < k {
                return Err(format!("a part that every experiment's name has; {experiment:?} has no part {k}"));
            }
            let chosen = parts.remove(k - 1);
            let others = self.interner.id(&parts.join("/"));
            let case = self.interner.text(row.case).to_string();
            if !case.is_empty() {
                parts.push(&case);
            }
            (row.experiment, row.case) = (self.interner.id(chosen), self.interner.id(&parts.join("/")));
            row.cluster = if own { others } else { row.cluster };
            parts_of.insert(key, [row.experiment, row.case, others]);
        }
        Ok(())
    }

    /// Gives the first problem, if any.
    pub(crate) fn first_problem(&self) -> Option<&BadRow> {
        self.problems.first()
    }

    /// Gives the complete table.
    pub(crate) fn finish(self) -> Table {
        let (names, place) = self.interner.finish();
        let mut rows = self.rows;
        for row in &mut rows {
            row.each_id(|id| *id = place(*id));
        }
        Table { names, rows, rejected: self.problems, remarks: self.remarks, ..Table::default() }
    }
}

/// How the experiments of an input were renamed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Renamed {
    /// The new names by the old ones; names that are not here stay.
    pub(crate) names: BTreeMap<String, String>,
    /// The label stands in front of the names, as a further part.
    pub(crate) prefixed: bool,
}

/// What to do about two inputs with the same experiments.
fn name_apart(first: &str, second: &str, several: bool) -> String {
    let folder = |path: &str| {
        let inside = path.strip_suffix("scores.jsonl").or_else(|| path.strip_suffix("scores.csv")).unwrap_or(path);
        let inside = inside.trim_end_matches(['/', '\\']);
        if inside.is_empty() { path.to_string() } else { inside.to_string() }
    };
    let (first, second) = (folder(first), folder(second));
    let names = format!("both inputs hold this experiment: name them, `verism compare before={first} after={second}`");
    match several {
        true => format!("{names}; with --option factor=1 before is compared with after over all experiments"),
        false => names,
    }
}

/// Cuts a text after line ends into parts of about a block each.
fn pieces(mut text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    while text.len() > BLOCK_BYTES {
        let end = memchr::memchr(b'\n', &text.as_bytes()[BLOCK_BYTES..]).map_or(text.len(), |at| BLOCK_BYTES + at + 1);
        let (part, rest) = text.split_at(end);
        parts.push(part);
        text = rest;
    }
    parts.push(text);
    parts
}

/// The last part of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, format: Format) -> Table {
        let mut reader = Reader::default();
        reader.add("t", text, format, None);
        reader.finish()
    }

    #[test]
    fn both_formats_give_the_same_rows() {
        let csv = "metric,experiment,case,value,undefined\nm,a,c1,0.5,\nm,a,2,,not_applicable\n";
        let lines = "{\"metric\":\"m\",\"experiment\":\"a\",\"case\":\"c1\",\"value\":0.5}\n\n\
                     {\"metric\":\"m\",\"experiment\":\"a\",\"case\":2,\"value\":null,\"undefined\":\"not_applicable\",\"evidence\":{}}";
        for (text, format) in [(csv, Format::Csv), (lines, Format::JsonLines)] {
            let table = read(text, format);
            assert!(table.rejected.is_empty());
            assert_eq!(table.rows[0].value, Some(0.5));
            assert_eq!(table.names.text(table.rows[1].reason), "not_applicable");
            assert_eq!(table.names.text(table.rows[1].case), "2");
        }
    }

    #[test]
    fn problems_name_line_and_field() {
        let cases = [
            ("metric,experiment,value\nm,a,0.5\nm,b,mid\n", Format::Csv, (3, "value")),
            ("metric,experiment,value\nm,a,inf\n", Format::Csv, (2, "value")),
            ("metric,experiment\nm,a\n", Format::Csv, (1, "value")),
            ("metric,experiment,value,value\nm,a,0.5,0.9\n", Format::Csv, (1, "value")),
            ("metric,experiment,value\nm,a\n", Format::Csv, (2, "record")),
            ("metric,experiment,value\n,a,1\n", Format::Csv, (2, "metric")),
            ("{\"metric\":\"m\",\"experiment\":\"a\",\"value\":NaN}", Format::JsonLines, (1, "value")),
            ("{\"metric\":\"m\",\"experiment\":\"a\",\"value\":\"0.5\"}", Format::JsonLines, (1, "value")),
            ("{\"metric\":\"m\",\"experiment\":\"a\",\"value\":true}", Format::JsonLines, (1, "value")),
            ("{\"metric\":\"m\",\"experiment\":[],\"value\":1}", Format::JsonLines, (1, "experiment")),
            ("[1]", Format::JsonLines, (1, "record")),
        ];
        for (text, format, (line, field)) in cases {
            let rejected = read(text, format).rejected;
            assert_eq!((rejected[0].line, rejected[0].field.as_str()), (line, field), "{text}");
        }
        assert_eq!(read("", Format::Csv).rejected.len(), 3);
    }

    #[test]
    fn a_repeated_row_names_the_first() {
        let table = read("metric,experiment,value\nm,a,1\nm,a,2\n", Format::Csv);
        assert!(table.rejected[0].expected.contains("t line 2"));
        assert_eq!(table.rows.len(), 1);
    }

    #[test]
    fn a_row_repeated_in_another_file_names_the_first() {
        let mut reader = Reader::default();
        reader.add("x/one", "metric,experiment,value\nm,b,1\nm,a,1\n", Format::Csv, None);
        reader.add("x/two", "metric,experiment,value\nm,c,1\nm,a,2\nm,c,3\n", Format::Csv, None);
        let table = reader.finish();
        let said: Vec<(u64, &str)> = table.rejected.iter().map(|bad| (bad.line, bad.expected.as_str())).collect();
        let unique = "a unique row; it repeats";
        assert_eq!(said, [(3, &*format!("{unique} one line 3")), (4, &*format!("{unique} two line 2"))]);
        assert_eq!(table.rows.len(), 3);
    }

    #[test]
    fn labels_and_factors_rename_experiments() {
        let mut reader = Reader::default();
        reader.add("t", "metric,experiment,case,value\nm,a,c,1\nm,b,c,2\n", Format::Csv, Some("new"));
        reader.along_factor(2).unwrap();
        assert!(reader.along_factor(3).is_err());
        let table = reader.finish();
        let shown: Vec<_> =
            table.rows.iter().map(|r| (table.names.text(r.experiment), table.names.text(r.case))).collect();
        assert_eq!(shown, [("a", "new/c"), ("b", "new/c")]);
    }

    #[test]
    fn aggregates_need_no_factor() {
        let mut reader = Reader::default();
        let rows = "metric,experiment,level,run,value\nm,x/a,run,1,1\nm,a,group,,2\n";
        reader.add("t", &format!("{rows}m,a,run,1,3\n"), Format::Csv, None);
        assert!(reader.along_factor(2).is_err());
        let mut reader = Reader::default();
        reader.add("t", rows.replace("group,,", "experiment,,").as_str(), Format::Csv, None);
        reader.along_factor(2).unwrap();
        let table = reader.finish();
        assert!(table.rows.iter().all(|row| table.names.text(row.experiment) == "a"));
    }

    // Twenty thousand rows are several blocks; the last line is the one at fault, whether or not quotes forbid cutting.
    #[test]
    fn a_long_table_is_read_as_one() {
        for name in ["plain", "\"in quotes\""] {
            let row = |i: usize| format!("{name},a,{},{i}\n", "c".repeat(100) + &i.to_string());
            let body: String = (0..20_000).map(row).collect();
            let table = read(&format!("metric,experiment,case,value\n{body}m,a,c,x\n"), Format::Csv);
            assert!(body.len() > BLOCK_BYTES && table.rows.len() == 20_000);
            assert!((0..).zip(&table.rows).all(|(i, row)| row.value == Some(f64::from(i))));
            assert_eq!((table.rejected.len(), table.rejected[0].line), (1, 20_002));
        }
    }
}
