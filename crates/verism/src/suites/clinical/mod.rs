//! Suite `clinical`: is a generated medical answer true to the patient, safe, and usable?
//!
//! `record` reads a line; `pack` is the rules, as data; `text` and `extract` find what an answer says; `truth` is the
//! patient's record; `metrics` has a file for each formula; `judge` puts a turn together, `rows` writes it down, `gather`
//! orders turns and makes `tables`.

#[cfg(test)]
mod accuracy;
mod chat;
mod demo;
mod extract;
mod facts;
mod gather;
mod instant;
mod judge;
mod judging;
#[cfg(test)]
mod linear;
mod metrics;
mod options;
mod pack;
mod record;
mod replies;
mod rows;
mod setup;
mod tables;
mod tell;
mod text;
mod truth;

use std::path::Path;

use rustc_hash::FxHashMap;

use self::gather::Gathering;
pub use self::judging::Judging;
use self::record::{Entry, Turn};
use self::setup::Setup;
use super::SuiteFacts;
use super::records::{AskedUnit, Gather, Id, Key, Need, NoFiles, Opening, RecordSuite, Source, base_name, json_lines};
use crate::error::{Defect, Result};
use crate::input::Input;
use crate::input::chat::Conversation;
use crate::input::value::Json;
use crate::score::json;
use crate::score::output::Output;
use crate::text::numbered::Numbered;

/// Id of the suite.
const ID: &str = "clinical";
/// Version of its specification.
const SPEC_VERSION: &str = "1";

/// The suite.
#[derive(Debug)]
pub(crate) struct Clinical;

/// Which turns were read, and whether the first of each was an event.
#[derive(Debug, Default)]
pub(crate) struct SeenTurns {
    names: Numbered,
    /// By experiment, run, case and dialogue as numbers: the turns below 64, bit by bit, and those that began as events.
    dialogues: FxHashMap<[u32; 4], (u64, u64)>,
    /// All further turns.
    far: FxHashMap<([u32; 4], u64), bool>,
}

impl SeenTurns {
    /// Whether a turn may stand beside those before it: once, but for events among events.
    fn admits(&mut self, turn: &Turn) -> bool {
        let key = &turn.key;
        let ids = [&key.experiment, &key.run, &key.case, &key.dialogue].map(|name| self.names.number(name));
        let event = turn.event.is_some();
        if key.turn >= 64 {
            return match self.far.get(&(ids, key.turn)) {
                Some(first) => *first && event,
                None => self.far.insert((ids, key.turn), event).is_none(),
            };
        }
        let (turns, events) = self.dialogues.entry(ids).or_default();
        let bit = 1 << key.turn;
        if *turns & bit != 0 {
            return *events & bit != 0 && event;
        }
        *turns |= bit;
        *events |= if event { bit } else { 0 };
        true
    }
}

impl RecordSuite for Clinical {
    type Setup = Setup;
    type Entry = Entry;
    type Admission = SeenTurns;
    type File = NoFiles;

    fn facts(&self) -> &'static SuiteFacts {
        &facts::FACTS
    }

    fn open(&self, opening: &Opening<'_>) -> Result<Setup> {
        let setup = Setup::open(opening.options, opening.watch.limits())?;
        if let Some(files) = opening.carried.and_then(|carried| serde_json::from_str(carried).ok()) {
            setup.files.get_or_init(|| files);
        }
        Ok(setup)
    }

    /// Every error and warning of the pack.
    fn check_options(&self, opening: &Opening<'_>) -> Vec<Defect> {
        let Ok(params) = options::Params::read(opening.options) else { return vec![] };
        match setup::load_pack(params.pack.as_deref(), opening.watch.limits()) {
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

    /// The names of the sources, for warnings that are written when shards are joined.
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

    fn admit(&self, _: &Setup, seen: &mut SeenTurns, _: u64, entry: &mut Entry) -> std::result::Result<(), Defect> {
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

    /// A type of turn that the pack does not know.
    fn warning(&self, setup: &Setup, entry: &Entry) -> Option<Defect> {
        match entry {
            Entry::Turn(turn) => setup.unknown_type(turn.turn_type.as_deref()?),
            Entry::Script { .. } => None,
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
                    record::push_sortable(key, id);
                }
                key.extend_from_slice(&ids.turn.to_be_bytes());
            }
        }
        true
    }

    fn gather<'a>(&'a self, setup: &'a Setup, output: &'a mut Output) -> Result<Box<dyn Gather<Entry> + 'a>> {
        Ok(Box::new(Gathering::new(setup, output)?))
    }

    fn tell(&self, found: &AskedUnit<'_>, lines: &mut Vec<String>) {
        tell::tell(found, lines);
    }

    fn units(&self) -> &'static str {
        "units are turns (`dialogue#turn`) and dialogues; answers.jsonl lists the turns"
    }

    fn write_demo(&self, folder: &Path) -> Result<()> {
        demo::write(folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Unwatched;
    use crate::suites::{Job, Options};

    #[test]
    fn a_turn_stands_once_but_for_events_among_events() {
        let pack = pack::load_built_in().pack;
        let mut seen = SeenTurns::default();
        let mut admits = |line: &str| {
            let json = Json::parse(line).expect("JSON");
            match record::read(&json, &pack).expect("a record") {
                Entry::Turn(turn) => seen.admits(&turn),
                Entry::Script { .. } => false,
            }
        };
        let native = |turn: u32| format!(r#"{{"case":"a","turn":{turn},"answer":"x"}}"#);
        let event = |turn: u32| format!(r#"{{"patient_id":"a","turn_id":{turn},"answer":"x"}}"#);
        // On both sides of the turns that are kept as bits.
        for turn in [1, 63, 64, 1000] {
            let found = [native(turn), native(turn), event(turn)].map(|line| admits(&line));
            assert_eq!(found, [true, false, false], "{turn}");
            let later = turn + 1000;
            let found = [event(later), event(later), native(later)].map(|line| admits(&line));
            assert_eq!(found, [true, true, false], "{later}");
        }
        assert_eq!([event(5), event(5), native(5)].map(|line| admits(&line)), [true, true, false]);
    }

    #[test]
    fn validate_lists_types_of_turns_that_the_pack_does_not_know() {
        let log = concat!(
            r#"{"case":"a","turn":1,"turn_type":"exercise","answer":"x"}"#,
            "\n",
            r#"{"case":"a","turn":2,"turn_type":"dance","answer":"x"}"#
        );
        let input = Input::Stream("log.jsonl".into(), Box::new(log.as_bytes()));
        let mut found = vec![];
        let job = Job::new(vec![input], Options::default(), &Unwatched);
        crate::suites::validate(&Clinical, job, &mut |defect| {
            found.push((defect.code.to_string(), defect.file.clone(), defect.line, defect.value.clone()));
            assert!(defect.is_warning());
            Ok(())
        })
        .expect("a log without errors");
        let expected = ("unknown_turn_type".to_string(), Some("log.jsonl".into()), Some(2), Some("dance".into()));
        assert_eq!(found, [expected]);
    }
}
