//! The readers of logs, each with inputs for it and what must hold whatever it is given.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fs::File;
use std::io::{Seek, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use verism::Defect;
use verism::input::lines::{Lines, read_lines};
use verism::input::value::Json;
use verism::input::{Held, Kind, Limits, Sink, Table, Wanted, Watch, parquet_rows};

use crate::damage::{self, Random};

/// A reader under test.
pub struct Reader {
    /// Its name.
    pub name: &'static str,
    /// An input that a number makes.
    pub input: fn(&mut Random) -> Vec<u8>,
    /// Reads an input; what must hold and does not is told.
    pub read: fn(&[u8]) -> Result<(), String>,
}

/// Readers of logs.
pub static READERS: &[Reader] = &[
    Reader { name: "csv", input: |r| damaged(r, damage::csv), read: |bytes| table(bytes, Kind::Csv) },
    Reader { name: "jsonl", input: |r| damaged(r, damage::jsonl), read: |bytes| table(bytes, Kind::Jsonl) },
    Reader { name: "json", input: one_value, read: json },
    Reader { name: "lines", input: |r| damaged(r, damage::jsonl), read: lines },
    Reader { name: "parquet", input: parquet_file, read: parquet },
    Reader { name: "parquet_rows", input: nested_file, read: rows },
];

fn damaged(random: &mut Random, make: fn(&mut Random) -> Vec<u8>) -> Vec<u8> {
    let sound = make(random);
    damage::damage(random, sound)
}

fn one_value(random: &mut Random) -> Vec<u8> {
    let mut out = vec![];
    damage::value(random, 5, &mut out);
    damage::damage(random, out)
}

/// Writes the next column of a row group.
fn column<T: DataType>(group: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>, cells: &[Option<T::T>]) {
    let levels: Vec<i16> = cells.iter().map(|cell| cell.is_some().into()).collect();
    let values: Vec<T::T> = cells.iter().flatten().cloned().collect();
    leveled::<T>(group, &values, &levels, None);
}

/// Writes the next column of a row group: its values, and by levels which cells have one and where lists begin.
fn leveled<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>,
    values: &[T::T],
    defined: &[i16],
    repeated: Option<&[i16]>,
) {
    let mut column = group.next_column().expect("memory takes everything").expect("a column");
    column.typed::<T>().write_batch(values, Some(defined), repeated).expect("memory takes everything");
    column.close().expect("memory takes everything");
}

/// A small Parquet file: texts, numbers and booleans, with or without a dictionary, packed or not.
fn sound_parquet(dictionary: bool, packed: bool) -> Vec<u8> {
    let schema = "message m { optional binary a (STRING); required int64 b; optional boolean c; }";
    let schema = Arc::new(parse_message_type(schema).expect("a schema"));
    let packing = if packed { Compression::ZSTD(ZstdLevel::default()) } else { Compression::UNCOMPRESSED };
    let properties = WriterProperties::builder().set_compression(packing).set_dictionary_enabled(dictionary).build();
    let mut out = vec![];
    let mut writer = SerializedFileWriter::new(&mut out, schema, Arc::new(properties)).expect("a writer");
    let rows =
        [(Some("x"), 1, Some(true)), (None, 2, None), (Some("say \"no\""), 3, Some(false)), (Some("x"), 4, None)];
    for rows in rows.chunks(3) {
        let mut group = writer.next_row_group().expect("a group");
        let texts: Vec<Option<ByteArray>> = rows.iter().map(|(a, ..)| a.map(ByteArray::from)).collect();
        let numbers: Vec<Option<i64>> = rows.iter().map(|(_, b, _)| Some(*b)).collect();
        let truths: Vec<Option<bool>> = rows.iter().map(|(.., c)| *c).collect();
        column::<ByteArrayType>(&mut group, &texts);
        column::<Int64Type>(&mut group, &numbers);
        column::<BoolType>(&mut group, &truths);
        group.close().expect("memory takes everything");
    }
    writer.close().expect("memory takes everything");
    out
}

static SOUND: LazyLock<[Vec<u8>; 3]> =
    LazyLock::new(|| [sound_parquet(true, false), sound_parquet(false, false), sound_parquet(true, true)]);

fn parquet_file(random: &mut Random) -> Vec<u8> {
    let sound = SOUND[random.below(SOUND.len())].clone();
    damage::damage(random, sound)
}

/// A small file with a list of texts and an object, as the tables of conversations have them.
fn nested_parquet(packed: bool) -> Vec<u8> {
    let schema = "message m {
        optional group l (LIST) { repeated group list { optional binary element (STRING); } }
        optional group o { required int64 n; optional boolean t; } }";
    let schema = Arc::new(parse_message_type(schema).expect("a schema"));
    let packing = if packed { Compression::ZSTD(ZstdLevel::default()) } else { Compression::UNCOMPRESSED };
    let properties = Arc::new(WriterProperties::builder().set_compression(packing).build());
    let mut out = vec![];
    let mut writer = SerializedFileWriter::new(&mut out, schema, properties).expect("a writer");
    let mut group = writer.next_row_group().expect("a group");
    // ["x", null], null, [], ["say \"no\""]
    let texts = [ByteArray::from("x"), ByteArray::from("say \"no\"")];
    leveled::<ByteArrayType>(&mut group, &texts, &[3, 2, 0, 1, 3], Some(&[0, 1, 0, 0, 0]));
    leveled::<Int64Type>(&mut group, &[1, 2, 3], &[1, 0, 1, 1], None);
    leveled::<BoolType>(&mut group, &[true, false], &[2, 0, 1, 2], None);
    group.close().expect("memory takes everything");
    writer.close().expect("memory takes everything");
    out
}

static NESTED: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| [nested_parquet(false), nested_parquet(true)]);

fn nested_file(random: &mut Random) -> Vec<u8> {
    let sound = match random.below(3) {
        0 => &SOUND[random.below(SOUND.len())],
        _ => &NESTED[random.below(NESTED.len())],
    };
    damage::damage(random, sound.clone())
}

/// Limits so small that inputs of a few hundred bytes meet them.
struct Narrow(Limits);

impl Watch for Narrow {
    fn limits(&self) -> Limits {
        self.0
    }
}

/// What a reader handed on: the lines of records, their cells one after the other, lines and codes of defects.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    lines: Vec<u64>,
    /// For each cell the end of its text; none for a column that is not there.
    cells: Vec<Option<usize>>,
    text: String,
    defects: Vec<(u64, Cow<'static, str>)>,
}

impl Sink for Seen {
    fn record(&mut self, line: u64, cells: &[Option<&str>]) {
        self.lines.push(line);
        for cell in cells {
            self.text.push_str(cell.unwrap_or_default());
            self.cells.push(cell.map(|_| self.text.len()));
        }
    }

    fn defect(&mut self, line: u64, defect: Defect) {
        self.defects.push((line, defect.code));
    }
}

impl Seen {
    /// Adds what a later block held, which so many lines come before.
    fn append(&mut self, later: Seen, before: u64) {
        let start = self.text.len();
        self.lines.extend(later.lines.iter().map(|line| before + line));
        self.cells.extend(later.cells.iter().map(|end| end.map(|end| start + end)));
        self.text.push_str(&later.text);
        self.defects.extend(later.defects.into_iter().map(|(line, code)| (before + line, code)));
    }
}

fn read_table(table: Table<'_>) -> (Seen, Option<Cow<'static, str>>, Option<(u64, String)>) {
    let mut all = Seen::default();
    let ended = table.read(&*WANTED, &Seen::default, &mut |seen: Seen, before| {
        all.append(seen, before);
        ControlFlow::Continue(())
    });
    (all, ended.defect.map(|defect| defect.code), ended.hash)
}

/// The columns that are read.
static WANTED: LazyLock<[String; 3]> = LazyLock::new(|| ["a", "b", "c"].map(String::from));

/// Bytes that come one at a time: whatever the pieces, the result is the same.
struct Trickle<'a>(&'a [u8]);

impl std::io::Read for Trickle<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let count = into.len().min(self.0.len()).min(1);
        into[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

fn ascending(seen: &Seen) -> bool {
    seen.lines.is_sorted_by(|one, next| one < next) && seen.defects.is_sorted_by_key(|(line, _)| *line)
}

fn table(bytes: &[u8], kind: Kind) -> Result<(), String> {
    for limits in [Limits::default(), Limits { record_bytes: 40, fields: 4 }] {
        let watch = Narrow(limits);
        let whole = read_table(Table::text(Box::new(bytes), Some(kind), &watch));
        let trickled = read_table(Table::text(Box::new(Trickle(bytes)), Some(kind), &watch));
        if whole != trickled {
            return Err(format!("other pieces, other records: {whole:?} {trickled:?}"));
        }
        if !ascending(&whole.0) {
            return Err("lines out of order".into());
        }
        if whole.2.as_ref().map(|(size, _)| *size) != Some(bytes.len() as u64) {
            return Err(format!("{:?} bytes were hashed of {}", whole.2, bytes.len()));
        }
        if limits == Limits::default() && whole.0.defects.iter().any(|(_, code)| code == "too_large") {
            return Err("a small record is too large".into());
        }
    }
    Ok(())
}

fn json(bytes: &[u8]) -> Result<(), String> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Ok(()) };
    let (strict, forgiving) = (Json::parse(text), Json::parse_cut_off(text));
    match (&strict, &forgiving) {
        (Some(a), Some((b, false))) if a == b => Ok(()),
        (None, Some((_, true))) | (None, None) => Ok(()),
        _ => Err(format!("strict and forgiving readings differ: {text:?}")),
    }
}

fn lines(bytes: &[u8]) -> Result<(), String> {
    for longest in [usize::MAX - 1, 30] {
        let watch = Narrow(Limits { record_bytes: longest, ..Limits::default() });
        let read = |reader: Box<dyn std::io::Read + Send + '_>| {
            // Number and end of each line, and all of them in one piece.
            let (mut ends, mut text) = (vec![], vec![]);
            let work = |lines: Lines<'_>| {
                let mut text = vec![];
                let mut add = |line: &[u8]| {
                    text.extend_from_slice(&line[..line.len().min(longest + 1)]);
                    text.len()
                };
                let ends: Vec<usize> = lines.iter().map(&mut add).collect();
                (ends, text)
            };
            let mut take = |(found, lines): (Vec<usize>, Vec<u8>), before: u64| {
                let start = text.len();
                ends.extend(found.into_iter().zip(before..).map(|(end, number)| (number, start + end)));
                text.extend(lines);
                ControlFlow::Continue(())
            };
            let ended = read_lines(reader, &watch, &work, &mut take);
            (ends, text, ended.ok())
        };
        let (whole, trickled) = (read(Box::new(bytes)), read(Box::new(Trickle(bytes))));
        if whole != trickled {
            return Err(format!("other pieces, other lines: {whole:?} {trickled:?}"));
        }
        if whole.2.as_ref().map(|(size, _)| *size) != Some(bytes.len() as u64) {
            return Err("bytes were lost".into());
        }
    }
    Ok(())
}

thread_local! {
    /// One file for all inputs: making one takes longer than reading it.
    static FILE: RefCell<tempfile::NamedTempFile> = RefCell::new(tempfile::NamedTempFile::new().expect("a temporary file"));
}

/// Puts bytes into the file and hands it on.
fn in_file(bytes: &[u8], read: impl Fn(&Path) -> Result<(), String>) -> Result<(), String> {
    FILE.with_borrow_mut(|file| {
        let put = |file: &mut File| {
            file.set_len(0)?;
            file.rewind()?;
            file.write_all(bytes)
        };
        put(file.as_file_mut()).map_err(|error| error.to_string())?;
        read(file.path())
    })
}

/// Limits that sound files keep; for every other size of input such that the headers of pages are looked at first.
fn limits_for(bytes: &[u8]) -> Limits {
    Limits { record_bytes: if bytes.len().is_multiple_of(2) { 1 << 20 } else { 10 }, fields: 1000 }
}

fn parquet(bytes: &[u8]) -> Result<(), String> {
    in_file(bytes, |path| {
        let watch = Narrow(limits_for(bytes));
        let read = || read_table(Table::open(path, Kind::Parquet, &watch));
        let (first, again) = (read(), read());
        if first != again { Err("two readings differ".into()) } else { Ok(()) }
    })
}

/// Rows as objects, one after the other and all at once.
fn rows(bytes: &[u8]) -> Result<(), String> {
    in_file(bytes, |path| {
        let read = |held| {
            let mut rows = vec![];
            let file = File::open(path).map_err(|error| error.to_string())?;
            let ended = parquet_rows(file, Wanted::All, held, limits_for(bytes), &mut |row, json| {
                rows.push((row, json));
                Ok(())
            });
            Ok::<_, String>((rows, ended.map_err(|defect| defect.code)))
        };
        let ((single, all_read), (held, held_read)) = (read(Held::Row)?, read(Held::Table)?);
        match all_read == held_read {
            true if single != held => Err("other rows when all are held".into()),
            false if held_read != Err("too_large".into()) => Err(format!("{all_read:?} and {held_read:?}")),
            _ => Ok(()),
        }
    })
}
