//! The readers of logs, each with inputs for it and what must hold whatever it is given.

use std::cell::RefCell;
use std::io::{Seek, Write};
use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};

use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use verism::Defect;
use verism::input::lines::{Lines, read_lines};
use verism::input::value::Json;
use verism::input::{Kind, Limits, Sink, Table, Watch};

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
    let mut column = group.next_column().expect("memory takes everything").expect("a column");
    column.typed::<T>().write_batch(&values, Some(&levels), None).expect("memory takes everything");
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

/// Limits so small that inputs of a few hundred bytes meet them.
struct Narrow(Limits);

impl Watch for Narrow {
    fn limits(&self) -> Limits {
        self.0
    }
}

/// What a reader handed on: lines, cells and codes.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    records: Vec<(u64, Vec<Option<String>>)>,
    defects: Vec<(u64, String)>,
}

impl Sink for Seen {
    fn record(&mut self, line: u64, cells: &[Option<&str>]) {
        self.records.push((line, cells.iter().map(|cell| cell.map(String::from)).collect()));
    }

    fn defect(&mut self, line: u64, defect: Defect) {
        self.defects.push((line, defect.code.into_owned()));
    }
}

fn read_table(table: Table<'_>) -> (Seen, Option<String>, Option<u64>) {
    let mut all = Seen::default();
    let wanted = ["a", "b", "c"].map(String::from);
    let ended = table.read(&wanted, &Seen::default, &mut |seen: Seen, before| {
        all.records.extend(seen.records.into_iter().map(|(line, cells)| (before + line, cells)));
        all.defects.extend(seen.defects.into_iter().map(|(line, code)| (before + line, code)));
        ControlFlow::Continue(())
    });
    (all, ended.defect.map(|defect| defect.code.into_owned()), ended.hash.map(|(bytes, _)| bytes))
}

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
    seen.records.windows(2).all(|pair| pair[0].0 < pair[1].0)
        && seen.defects.windows(2).all(|pair| pair[0].0 <= pair[1].0)
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
        if whole.2 != Some(bytes.len() as u64) {
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
            let mut found: Vec<(u64, Vec<u8>)> = vec![];
            let work = |lines: Lines<'_>| lines.iter().map(<[u8]>::to_vec).collect::<Vec<_>>();
            let mut take = |lines: Vec<Vec<u8>>, before: u64| {
                found.extend(lines.into_iter().zip(before..).map(|(line, number)| {
                    let kept = line.len().min(longest + 1);
                    (number, line[..kept].to_vec())
                }));
                ControlFlow::Continue(())
            };
            let ended = read_lines(reader, &watch, &work, &mut take);
            (found, ended.ok().map(|(bytes, _)| bytes))
        };
        let (whole, trickled) = (read(Box::new(bytes)), read(Box::new(Trickle(bytes))));
        if whole != trickled {
            return Err(format!("other pieces, other lines: {whole:?} {trickled:?}"));
        }
        if whole.1 != Some(bytes.len() as u64) {
            return Err("bytes were lost".into());
        }
    }
    Ok(())
}

thread_local! {
    /// One file for all inputs: making one takes longer than reading it.
    static FILE: RefCell<tempfile::NamedTempFile> = RefCell::new(tempfile::NamedTempFile::new().expect("a temporary file"));
}

fn parquet(bytes: &[u8]) -> Result<(), String> {
    FILE.with_borrow_mut(|file| {
        let put = |file: &mut std::fs::File| {
            file.set_len(0)?;
            file.rewind()?;
            file.write_all(bytes)
        };
        put(file.as_file_mut()).map_err(|error| error.to_string())?;
        let watch = Narrow(Limits { record_bytes: 1 << 20, fields: 1000 });
        let read = || read_table(Table::open(file.path(), Kind::Parquet, &watch));
        let (first, again) = (read(), read());
        if first != again { Err("two readings differ".into()) } else { Ok(()) }
    })
}
