//! The readers of logs, each with inputs for it and what must hold whatever it is given.

use std::cell::RefCell;
use std::io::{Seek, Write};
use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};

use arrow_array::{ArrayRef, BooleanArray, Int64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
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

/// A small Parquet file: texts, numbers and booleans, with or without a dictionary, packed or not.
fn sound_parquet(dictionary: bool, packed: bool) -> Vec<u8> {
    let a: ArrayRef = Arc::new(StringArray::from(vec![Some("x"), None, Some("say \"no\""), Some("x")]));
    let b: ArrayRef = Arc::new(Int64Array::from(vec![1, 2, 3, 4]));
    let c: ArrayRef = Arc::new(BooleanArray::from(vec![Some(true), None, Some(false), None]));
    let batch = RecordBatch::try_from_iter([("a", a), ("b", b), ("c", c)]).expect("columns of one length");
    let packing = if packed { Compression::ZSTD(ZstdLevel::default()) } else { Compression::UNCOMPRESSED };
    let properties = WriterProperties::builder()
        .set_compression(packing)
        .set_dictionary_enabled(dictionary)
        .set_max_row_group_row_count(Some(3))
        .build();
    let mut out = vec![];
    let mut writer = ArrowWriter::try_new(&mut out, batch.schema(), Some(properties)).expect("a writer");
    writer.write(&batch).expect("memory takes everything");
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
