//! Suite `guest`: how true to life is a simulated guest?
//!
//! `record` makes a conversation of a record (`original` makes records of CSV logs), `judge` scores it by the slice of
//! `measures`, `gather` writes its rows and keeps what `tables` need. The rest is the frame's, `suites::records`.

mod audits;
mod chat;
mod demo;
mod facts;
mod gather;
mod judge;
mod measures;
mod options;
mod original;
mod outcome;
mod record;
mod tables;
mod words;

use std::collections::BTreeMap;
use std::path::Path;

use self::gather::{Gathered, Gathering};
use self::judge::Judge;
use self::measures::asked;
use self::options::Params;
use self::original::sources::{LogFile, Source, sources};
use self::outcome::Outcome;
use self::record::Reader;
use super::records::{AskedUnit, FileReader, Gather, Id, Key, Need, Opening, RecordSuite, Records, base_name};
use super::{Converter, SuiteFacts};
use crate::error::{Defect, Result};
use crate::input::Input;
use crate::input::chat::Conversation;
use crate::input::value::Json;
use crate::score::json;
use crate::score::ledger::{Account, Ledger};
use crate::score::output::Output;

/// Id of the suite.
const ID: &str = "guest";
/// Version of its specification.
const SPEC_VERSION: &str = "1";

/// The suite.
#[derive(Debug)]
pub(crate) struct Guest;

/// CSV logs of the original project with their states and expected attributes.
pub(super) const CSV: Converter = Converter {
    id: "guest-csv",
    suite: Some(ID),
    reads: "CSV logs of the original project, with recorded states and tool calls in Python's notation",
    format: None,
};

/// A defect of a record at a field.
fn bad(field: impl Into<String>, expected: impl Into<String>, value: Option<&Json<'_>>) -> Defect {
    let defect = Defect::new("bad_record", expected).field(field);
    match value {
        None | Some(Json::Null) => defect,
        Some(Json::Text(text)) => defect.value(text.as_ref()),
        Some(value) => defect.value(json::text(value)),
    }
}

/// A defect of an input as a whole.
fn bad_input(field: &str, expected: &str, path: &Path) -> Defect {
    bad(field, expected, None).file(base_name(path))
}

impl RecordSuite for Guest {
    type Setup = Judge;
    type Entry = Box<Outcome>;
    type Admission = ();
    type File = LogFile;

    fn facts(&self) -> &'static SuiteFacts {
        &facts::FACTS
    }

    fn open(&self, opening: &Opening<'_>) -> Result<Judge> {
        let experiment = opening.supplied.get("experiment").map(String::from);
        let params = Params { experiment, ..Params::read(opening.options)? };
        Ok(Judge::new(params).within(opening.watch.limits()))
    }

    fn signature(&self, judge: &Judge) -> String {
        judge.params.signature()
    }

    fn options(&self, judge: &Judge) -> String {
        judge.params.report().to_string()
    }

    fn sources(&self, judge: &Judge, inputs: Vec<Input>) -> Vec<Source> {
        sources(inputs, &judge.params, judge.limits)
    }

    fn read(&self, judge: &Judge, record: &Json<'_>) -> std::result::Result<Box<Outcome>, Defect> {
        let reader = Reader { levels: &judge.params.levels, roles: &judge.params.role_map };
        Ok(Box::new(judge.judge(reader.read(record)?)))
    }

    fn file_records(&self, _: &Judge, log: &LogFile, files: &mut FileReader) -> Records<Json<'static>> {
        vec![(1, original::with_record(log, files))]
    }

    fn conversation<'a>(&self, conversation: Conversation<'a>) -> Vec<Json<'a>> {
        vec![chat::record(conversation)]
    }

    /// Lines in the style of chat logs are native; documents are not.
    fn is_native(&self, _: &Json<'_>, in_document: bool) -> bool {
        !in_document
    }

    fn no_conversion(&self, path: &Path) -> Defect {
        let hint = "JSON lines need no conversion: `verism score guest` reads them; for a CSV log with another ending \
                    say --option format=original_csv";
        bad_input("input", "a CSV log, or a folder with experiments/*/logs/*.csv", path).hint(hint)
    }

    fn ids(&self) -> &'static [Id] {
        &chat::IDS
    }

    fn needs(&self) -> &'static [Need] {
        &chat::NEEDS
    }

    fn reads_cut_off_text(&self) -> bool {
        true
    }

    fn key(&self, outcome: &Box<Outcome>) -> Option<Key> {
        Some(outcome.key.clone())
    }

    fn duplicate(&self, key: &Key) -> Defect {
        let expected = "an id used once per experiment, run and case";
        let hint = "give each conversation its own `dialogue`, or its own `run`";
        Defect::new("duplicate_id", expected).field("dialogue").value(&key.unit).hint(hint)
    }

    fn gather<'a>(&'a self, judge: &'a Judge, output: &'a mut Output) -> Result<Box<dyn Gather<Box<Outcome>> + 'a>> {
        Ok(Box::new(Gathering::new(&judge.params, output)?))
    }

    fn nothing(&self, first: Option<&Path>) -> Defect {
        let expected = "at least one readable conversation";
        let hint = "one JSON object per line, or a tree of the original project; `verism explain guest` describes them";
        let defect = bad_input("input", expected, first.unwrap_or(Path::new("-"))).hint(hint);
        Defect { code: "nothing_to_score".into(), ..defect }
    }

    fn tell(&self, found: &AskedUnit<'_>, lines: &mut Vec<String>) {
        words::tell(found, lines);
    }

    fn units(&self) -> &'static str {
        "units are conversations (`dialogue`) and messages (`dialogue#index`); tables/conversations.csv lists them"
    }

    fn write_demo(&self, folder: &Path) -> Result<()> {
        demo::write(folder)
    }
}

/// What became of every message and every conversation.
fn ledger(gathered: &Gathered<'_>) -> String {
    let turns = &gathered.turns;
    let mut messages = Account {
        total: turns.scored + turns.undefined.values().sum::<u64>(),
        scored: turns.scored,
        undefined: turns.undefined.clone(),
        excluded: BTreeMap::new(),
    };
    messages.exclude_many("exit", turns.exits);
    let mut ledger = Ledger::default();
    ledger.add("ms", "turn", messages);
    for (metric, account) in asked(gathered.params).into_iter().zip(&gathered.accounts) {
        ledger.add(metric, "dialogue", account.clone());
    }
    ledger.to_json()
}

/// A few lines for people: means of the headline metrics by experiment.
fn summary(gathered: &Gathered<'_>) -> Vec<String> {
    const SHOWN: usize = 12;
    let groups = tables::by_experiment(&gathered.kept, &gathered.names);
    let width = groups.keys().map(|name| name.chars().count()).max().unwrap_or(0).max(10);
    let mut lines = vec![format!("{:width$} {:>6}   PAS   BVS   ORA   DEI  CRRS", "experiment", "n")];
    for (name, group) in groups.iter().take(SHOWN) {
        let means = (0..5).map(|metric| {
            let mean = crate::stats::sum::mean(&tables::defined(group, metric));
            mean.map_or_else(|| "    –".into(), |mean| format!("{mean:.3}"))
        });
        lines.push(format!("{name:width$} {:>6} {}", group.len(), means.collect::<Vec<_>>().join(" ")));
    }
    if groups.len() > SHOWN {
        lines.push(format!("… and {} more: tables/experiments.csv", groups.len() - SHOWN));
    }
    let [errors, warnings, notices] = gathered.audits;
    lines.push(format!("audits: {errors} errors, {warnings} warnings, {notices} notices (tables/audits.csv)"));
    lines
}
