//! Suite `clinical`: is a generated medical answer true to the patient, safe, and usable?
//!
//! `record` reads a line; `pack` is the rules, as data; `text` and `extract` find what an answer says; `truth` is the
//! patient's record; `metrics` has a file for each formula; `judge` puts a turn together, `gather` writes rows and `tables`.

#[cfg(test)]
mod accuracy;
mod chat;
mod demo;
mod extract;
mod facts;
mod gather;
mod instant;
mod judge;
#[cfg(test)]
mod linear;
mod metrics;
mod options;
mod pack;
mod record;
mod replies;
mod setup;
mod tables;
mod text;
mod truth;
mod words;

use std::path::Path;

use rustc_hash::FxHashMap;

use self::gather::Gathering;
use self::record::{Entry, Turn};
use self::setup::Setup;
use super::SuiteFacts;
use super::numbered::Numbered;
use super::records::{Found, Gather, Id, Key, Need, NoFiles, Opening, RecordSuite, Source, base_name, json_lines};
use crate::error::{Defect, Result};
use crate::input::Input;
use crate::input::chat::Conversation;
use crate::input::value::Json;
use crate::score::json;
use crate::score::output::Output;

/// Id of the suite.
const ID: &str = "clinical";
/// Version of its specification.
const SPEC_VERSION: &str = "1";

/// The suite.
#[derive(Debug)]
pub(crate) struct Clinical;

/// Which turns were read, by their ids as numbers, and whether the first of them was an event.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    names: Numbered,
    turns: FxHashMap<([u32; 4], u64), bool>,
}

impl Seen {
    /// Whether a turn may stand beside those before it: once, but for events among events.
    fn admits(&mut self, turn: &Turn) -> bool {
        let key = &turn.key;
        let ids = [&key.experiment, &key.run, &key.case, &key.dialogue].map(|name| self.names.number(name));
        let event = turn.event.is_some();
        match self.turns.get(&(ids, key.turn)) {
            Some(first) => *first && event,
            None => self.turns.insert((ids, key.turn), event).is_none(),
        }
    }
}

impl RecordSuite for Clinical {
    type Setup = Setup;
    type Entry = Entry;
    type Admission = Seen;
    type File = NoFiles;

    fn facts(&self) -> &'static SuiteFacts {
        &facts::FACTS
    }

    fn open(&self, opening: &Opening<'_>) -> Result<Setup> {
        let setup = Setup::open(opening.options)?;
        if let Some(files) = opening.carried.and_then(|carried| serde_json::from_str(carried).ok()) {
            setup.files.get_or_init(|| files);
        }
        Ok(setup)
    }

    /// Every error and warning of the pack.
    fn check_options(&self, opening: &Opening<'_>) -> Vec<Defect> {
        let Ok(params) = options::Params::read(opening.options) else { return vec![] };
        match setup::load_pack(params.pack.as_deref()) {
            Ok(loaded) => loaded.warnings,
            Err(errors) => errors,
        }
    }

    fn signature(&self, setup: &Setup) -> String {
        setup.params.signature()
    }

    fn options(&self, setup: &Setup) -> String {
        setup.params.report().to_string()
    }

    /// The names of the sources, for warnings that are written when shares are joined.
    fn carried(&self, setup: &Setup) -> String {
        json::text(&setup.files.get())
    }

    fn sources(&self, _: &Setup, inputs: Vec<Input>) -> Vec<Source<NoFiles>> {
        let missing = |path: &Path| {
            let name = base_name(path);
            record::bad("input", "an existing file", None).file(&name).value(&name)
        };
        json_lines(inputs, &[".jsonl"], &missing)
    }

    fn note_sources(&self, setup: &Setup, names: &[String]) {
        setup.files.get_or_init(|| names.to_vec());
    }

    fn conversation<'a>(&self, conversation: Conversation<'a>) -> Vec<Json<'a>> {
        chat::records(conversation)
    }

    /// A record has its answer; one that has only messages is a chat.
    fn is_native(&self, record: &Json<'_>, _: bool) -> bool {
        record.entry("answer").is_some()
    }

    fn ids(&self) -> &'static [Id] {
        &chat::IDS
    }

    fn needs(&self) -> &'static [Need] {
        &chat::NEEDS
    }

    fn read(&self, setup: &Setup, record: &Json<'_>) -> std::result::Result<Entry, Defect> {
        record::read(record, &setup.engine.pack)
    }

    /// Events may stand twice; the rest is told apart in `admit`.
    fn key(&self, _: &Entry) -> Option<Key> {
        None
    }

    fn admit(&self, _: &Setup, seen: &mut Seen, _: u64, entry: &mut Entry) -> std::result::Result<(), Defect> {
        match entry {
            Entry::Turn(turn) if !seen.admits(turn) => {
                let expected = "one record per experiment, run, case, dialogue and turn";
                let hint = "give each repetition its own `run`, or each conversation its own `dialogue`";
                let defect = Defect::new("duplicate_id", expected).field("turn").value(turn.key.turn.to_string());
                Err(defect.hint(hint))
            }
            _ => Ok(()),
        }
    }

    /// Scripts come first, then turns by experiment, run, case, dialogue and number.
    fn sort_key(&self, entry: &Entry, key: &mut Vec<u8>) -> bool {
        match entry {
            Entry::Script { patient, .. } => {
                key.push(0);
                key.extend_from_slice(patient.as_bytes());
            }
            Entry::Turn(turn) => {
                key.push(1);
                let ids = &turn.key;
                for id in [&ids.experiment, &ids.run, &ids.case, &ids.dialogue] {
                    // A zero inside an id sorts behind the end of one.
                    for byte in id.bytes() {
                        key.push(byte);
                        if byte == 0 {
                            key.push(0xff);
                        }
                    }
                    key.extend_from_slice(&[0, 0]);
                }
                key.extend_from_slice(&ids.turn.to_be_bytes());
            }
        }
        true
    }

    fn gather<'a>(&'a self, setup: &'a Setup, output: &'a mut Output) -> Result<Box<dyn Gather<Entry> + 'a>> {
        Ok(Box::new(Gathering::new(setup, output)?))
    }

    fn tell(&self, found: &Found<'_>, lines: &mut Vec<String>) {
        words::tell(found, lines);
    }

    fn units(&self) -> &'static str {
        "units are turns (`dialogue#turn`) and dialogues; answers.jsonl lists the turns"
    }

    fn write_demo(&self, folder: &Path) -> Result<()> {
        demo::write(folder)
    }
}
