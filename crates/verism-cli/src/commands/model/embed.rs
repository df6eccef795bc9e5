//! `verism model embed`.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use serde_json::json;
use verism::input::{Input, Watch};
use verism::score::file_stage::FileStage;
use verism::suites::Options;
use verism::{Defect, Error, Result};
use verism_embed::Embedder;

use super::read::{files, read};
use super::record::Record;
use crate::args::{Common, EmbedFile};
use crate::embedding::{open, told};
use crate::inputs::{expand, read_by};
use crate::terminal::Terminal;

/// Records that are embedded together, the bytes of text that they may have, and texts whose vectors are remembered (about
/// 100 MB).
const TOGETHER: usize = 4096;
const TOGETHER_BYTES: usize = 16 << 20;
const REMEMBERED: usize = 1 << 16;

/// Dropped records that are named one by one.
const SHOWN: usize = 10;

pub(crate) fn run(what: &EmbedFile, common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    let shown = what.output.display().to_string();
    check_output(&what.output, what.force)?;
    terminal.heed_interrupts();
    let mut inputs = vec![];
    for text in &what.inputs {
        match text.as_str() {
            "-" => inputs.push(Input::Stream("-".into(), Box::new(terminal.standard_input()?))),
            text => {
                for path in expand(text)? {
                    inputs.extend(files(Input::Path(path))?);
                }
            }
        }
    }
    let read_paths = read_by(&inputs, &Options::default(), None);
    let missing = || Defect::new("not_found", "a folder with a model").field("embed");
    let model = open(what.model.as_deref().unwrap_or("auto"))?.ok_or_else(missing)?;
    let file = FileStage::beside(&what.output, &read_paths)?;
    let mut work =
        Work { embedder: model.0, known: HashMap::new(), waiting: vec![], bytes: 0, records: 0, file, terminal, shown };
    let mut dropped = vec![];
    for input in inputs {
        read(input, terminal, &mut |found| match found {
            Ok(record) => work.take(record),
            Err(defect) if what.lenient => {
                dropped.push(defect);
                Ok(())
            }
            Err(defect) => Err(defect.into()),
        })?;
    }
    work.flush()?;
    let Work { embedder, records, file, shown, .. } = work;
    if records == 0 {
        let defect = Defect::new("empty_input", "a record or more").file(&what.inputs[0]);
        return Err(Error::NothingLeft { defect: Box::new(defect), dropped });
    }
    terminal.stopped_is_an_error()?;
    file.put_in_place().map_err(Error::write(&shown))?;
    terminal.done();
    for defect in dropped.iter().take(SHOWN) {
        terminal.warn(&format!("left out: {defect}"));
    }
    if dropped.len() > SHOWN {
        terminal.warn(&format!("… and {} more", dropped.len() - SHOWN));
    }
    if common.json {
        let report = json!({"records": records, "sha256": embedder.sha256(), "dimension": embedder.dimension(), "errors": dropped});
        terminal.print(&format!("{report:#}\n"))?;
    }
    let records = if records == 1 { "1 record".into() } else { format!("{records} records") };
    terminal.say(&format!("{records} written to {shown}; next: verism score humor {shown} -o scores"));
    Ok(ExitCode::SUCCESS)
}

/// Refuses a place that `score` would not read, and one where a file stands that nobody said to replace.
fn check_output(place: &Path, force: bool) -> Result<()> {
    let refused = |expected: &str, hint: &str| {
        Err(Defect::new("bad_output", expected).file(place.display().to_string()).hint(hint).into())
    };
    if place.as_os_str() == "-" {
        return refused("a file", "vectors are not written to standard output: -o FILE.jsonl");
    }
    if !place.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("jsonl")) {
        return refused("a name that ends in .jsonl", "the result is JSON lines, which score reads: -o FILE.jsonl");
    }
    if place.is_file() && !force {
        return refused("a place where no file stands", "name another place, or replace that file with --force");
    }
    Ok(())
}

/// Records on their way from the input to the file.
struct Work<'a> {
    embedder: Embedder,
    known: HashMap<String, Vec<f32>>,
    waiting: Vec<Record>,
    bytes: usize,
    records: u64,
    file: FileStage,
    terminal: &'a Terminal,
    shown: String,
}

impl Work<'_> {
    fn take(&mut self, record: Record) -> Result<()> {
        self.bytes += record.texts().map(str::len).sum::<usize>();
        self.waiting.push(record);
        if self.waiting.len() == TOGETHER || self.bytes > TOGETHER_BYTES { self.flush() } else { Ok(()) }
    }

    /// Embeds and writes what is waiting.
    fn flush(&mut self) -> Result<()> {
        if self.known.len() > REMEMBERED {
            self.known.clear();
        }
        let texts = self.waiting.iter().flat_map(Record::texts);
        let new: Vec<&str> = texts.filter(|text| !self.known.contains_key(*text)).collect();
        let vectors = self.embedder.embed_watched(&new, &|_| !self.terminal.stop()).map_err(told)?;
        self.known.extend(new.into_iter().map(String::from).zip(vectors));
        for record in self.waiting.drain(..) {
            let line = record.with_vectors(|text| self.known.get(text).map_or(&[], Vec::as_slice));
            writeln!(self.file, "{line}").map_err(Error::write(&self.shown))?;
            self.records += 1;
        }
        self.bytes = 0;
        Ok(())
    }
}
