//! Readers: bytes to records, with the file and the line of everything that is wrong.
//!
//! A [`Table`] is opened, says which columns it has, and then hands its records to sinks. Large files are cut into blocks
//! that are read in parallel, each into a sink of its own; the sinks come back in the order of the file.

mod blocks;
pub mod chat;
pub mod csv;
mod feed;
mod jsonl;
mod limits;
pub mod lines;
mod linked;
mod pages;
mod parquet;
mod parquet_rows;
mod parse;
pub mod paths;
mod skip;
mod table;
pub mod value;
mod whole;

use std::io::Read;
use std::path::PathBuf;

use crate::error::Defect;

pub use feed::hexadecimal;
pub use limits::{FIELDS_OF_A_ROW, Limits};
pub use linked::{is_folder, linked_folders, refuse_special, unreadable_folder};
pub use parquet::is_guarded;
pub use parquet_rows::{Held, TakeRow, Wanted, parquet_rows};
pub(crate) use table::repeated;
pub use table::{Ended, Table};
pub use whole::{read_stream, read_whole};

/// Where bytes come from.
pub enum Input {
    /// A file or a folder.
    Path(PathBuf),
    /// A stream with a name, such as standard input as `-`.
    Stream(String, Box<dyn Read + Send>),
}

impl Input {
    /// The path, or the name of a stream as one.
    pub fn path(&self) -> PathBuf {
        match self {
            Input::Path(path) => path.clone(),
            Input::Stream(name, _) => PathBuf::from(name),
        }
    }
}

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Comma-separated values.
    Csv,
    /// One JSON object per line.
    Jsonl,
    /// Apache Parquet.
    Parquet,
}

impl Kind {
    /// The kind that a file name tells; CSV unless it ends in `.jsonl` or `.parquet`.
    pub fn of(name: &str) -> Kind {
        match name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("jsonl") => Kind::Jsonl,
            Some("parquet") => Kind::Parquet,
            _ => Kind::Csv,
        }
    }
}

/// Takes the records of a block. Lines count from the start of the block, 0 being its first line.
pub trait Sink: Send {
    /// A record: for each wanted column its text, or none if the table or the JSON object has no such column.
    fn record(&mut self, line: u64, cells: &[Option<&str>]);
    /// A record that cannot be read.
    fn defect(&mut self, line: u64, defect: Defect);
    /// The record that comes next holds half of a surrogate pair, which was read as U+FFFD.
    fn cut_off(&mut self, _line: u64) {}
}

/// What a job tells about its progress, how it is told to stop, and how much it may take at a time.
pub trait Watch: Sync {
    /// More bytes will be read.
    fn expect(&self, _bytes: u64) {}
    /// Bytes have been read.
    fn advance(&self, _bytes: u64) {}
    /// All is read; so many things are walked over now, of which [`Watch::advance`] counts some.
    fn walk(&self, _what: &'static str, _things: u64) {}
    /// All is read; something is done now whose end nobody knows.
    fn busy_with(&self, _what: &'static str) {}
    /// Whether to stop as soon as possible.
    fn stop(&self) -> bool {
        false
    }
    /// How large records may be.
    fn limits(&self) -> Limits {
        Limits::default()
    }
}

/// Nobody is watching.
#[derive(Debug)]
pub struct Unwatched;

impl Watch for Unwatched {}
