//! Suite `guest`: how true to life is a simulated guest?
//!
//! The way of a conversation: `sources` finds files, `run` reads them, `record` (or `original` for CSV logs) makes a
//! `dialogue` of a record, `judge` scores it (a file for each formula), `collect` writes its rows and keeps what the
//! tables need.

mod archetype;
mod assignment;
mod audits;
mod bal;
mod bands;
mod bvs;
mod collect;
mod convert;
mod crrs;
mod dei;
mod demo;
mod dialogue;
mod drift;
mod evidence;
mod exit;
mod facts;
mod group_audits;
mod interactions;
mod judge;
mod ms;
mod names;
mod options;
mod ora;
mod order;
mod original;
mod original_attributes;
mod original_states;
mod original_table;
mod outcome;
mod pas;
mod persona;
mod python_repr;
mod record;
mod run;
mod sensitivity;
mod share;
mod som;
mod sources;
mod split;
mod sta;
mod tables;
mod tool_cells;
mod tools;
mod trace;
mod vocabulary;
mod why;
mod why_words;

pub(super) use self::convert::CSV;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use self::collect::{Collector, Gathered, Seen};
use self::options::Params;
use self::outcome::metrics;
use self::run::{Place, Record, Setup, Sink, nothing, run};
use self::share::ShareWriter;
use self::sources::{Source, base_name, sources};
use super::{Explanation, Job, Report, Suite, SuiteFacts};
use crate::error::{Defect, Error, Result};
use crate::input::Input;
use crate::input::value::Json;
use crate::score::json;
use crate::score::ledger::Account;
use crate::score::manifest::InputFacts;
use crate::score::output::Output;

/// Id of the suite.
const ID: &str = "guest";
/// Version of its specification.
const SPEC_VERSION: &str = "1";

/// The suite.
#[derive(Debug)]
pub struct Guest;

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

/// The first input, by which a run without any conversation is named.
fn first_path(inputs: &[Input]) -> Option<PathBuf> {
    inputs.first().map(|input| match input {
        Input::Path(path) => path.clone(),
        Input::Stream(name, _) => PathBuf::from(name),
    })
}

/// The names of sources, as messages show them.
fn names_of(sources: &[Source]) -> Vec<String> {
    let name = |source: &Source| match source {
        Source::File(path) => base_name(path),
        Source::Stream(name, _) => name.clone(),
        Source::Log(log) => base_name(&log.path),
        Source::Read(facts) => facts.path.clone(),
        Source::Fault(defect) => defect.file.clone().unwrap_or_default(),
    };
    sources.iter().map(name).collect()
}

impl Suite for Guest {
    fn facts(&self) -> &'static SuiteFacts {
        &facts::FACTS
    }

    fn score(&self, job: Job<'_>, output: &mut Output) -> Result<Report> {
        let params = Params::read(&job.options)?;
        let first = first_path(&job.inputs);
        let sources = sources(job.inputs, &params);
        let setup = Setup { params: &params, shard: job.shard, watch: job.watch };
        let files = names_of(&sources);
        if job.shard.is_none() {
            let mut collector = Collector::new(&params, job.lenient, files, output)?;
            let inputs = run(&setup, sources, &mut collector)?;
            return conclude(collector, inputs, first.as_deref());
        }
        let mut share = ShareWriter::new(&params, job.lenient, files, output)?;
        let inputs = run(&setup, sources, &mut share)?;
        let count = share.count;
        share.finish()?;
        Ok(Report {
            signature: params.signature(),
            options: params.report().to_string(),
            inputs,
            counts: BTreeMap::from([("records".into(), count)]),
            ledger: "[]".into(),
            warnings: vec![],
            summary: vec!["one share: join it with the others by `verism merge DIR... -o DIR`".into()],
        })
    }

    fn validate(&self, job: Job<'_>) -> Result<Vec<Defect>> {
        let params = Params::read(&job.options)?;
        let first = first_path(&job.inputs);
        let sources = sources(job.inputs, &params);
        let mut defects = Defects { files: names_of(&sources), seen: Seen::default(), found: vec![], good: 0 };
        run(&Setup { params: &params, shard: None, watch: job.watch }, sources, &mut defects)?;
        if defects.good == 0 && defects.found.is_empty() {
            return Err(nothing(first.as_deref()).into());
        }
        Ok(defects.found)
    }

    fn merge(&self, folders: &[&Path], output: &mut Output) -> Result<Report> {
        share::merge(folders, output)
    }

    fn why(&self, folder: &Path, unit: &str, metric: Option<&str>, in_full: bool) -> Result<Explanation> {
        why::why(folder, unit, metric, in_full)
    }

    fn write_demo(&self, folder: &Path) -> Result<()> {
        demo::write(folder)
    }
}

/// Takes nothing but what is wrong.
struct Defects {
    files: Vec<String>,
    seen: Seen,
    found: Vec<Defect>,
    good: u64,
}

impl Sink for Defects {
    fn take(&mut self, place: Place, record: Record) -> Result<()> {
        match record {
            Err(defect) => self.found.push(defect),
            Ok(outcome) if self.seen.is_new(&outcome.key) => self.good += 1,
            Ok(outcome) => {
                let file = self.files.get(place.source as usize).cloned();
                self.found.push(Seen::duplicate(&outcome.key, file, place.line));
            }
        }
        Ok(())
    }
}

/// Makes tables, ledger and report from everything that was taken.
fn conclude(collector: Collector<'_>, inputs: Vec<InputFacts>, first: Option<&Path>) -> Result<Report> {
    let mut gathered = collector.finish()?;
    if gathered.kept.is_empty() {
        let dropped = std::mem::take(&mut gathered.dropped);
        return Err(Error::NothingLeft { defect: Box::new(nothing(first)), dropped });
    }
    tables::sort(&mut gathered);
    tables::write(&mut gathered)?;
    sensitivity::write(&mut gathered)?;
    interactions::write(&mut gathered)?;
    let [errors, warnings, notices] = gathered.audits;
    let mut said = vec![];
    if !gathered.dropped.is_empty() {
        said.push(format!("{} record(s) left out; errors.jsonl lists them", gathered.dropped.len()));
    }
    if errors > 0 {
        said.push(format!("{errors} audit(s) say that records contradict their own log; see tables/audits.csv"));
    }
    let counts = [
        ("conversations", gathered.kept.len() as u64),
        ("messages", gathered.turns.exits + gathered.turns.scored + gathered.turns.undefined.values().sum::<u64>()),
        ("audits", errors + warnings + notices),
        ("errors", gathered.dropped.len() as u64),
    ];
    Ok(Report {
        signature: gathered.params.signature(),
        options: gathered.params.report().to_string(),
        inputs,
        counts: counts.into_iter().map(|(name, count)| (name.to_string(), count)).collect(),
        ledger: ledger(&gathered),
        warnings: said,
        summary: summary(&gathered),
    })
}

/// What became of every message and every conversation.
fn ledger(gathered: &Gathered<'_>) -> String {
    let turns = &gathered.turns;
    let undefined: u64 = turns.undefined.values().sum();
    let mut excluded = BTreeMap::new();
    if turns.exits > 0 {
        excluded.insert("exit".to_string(), turns.exits);
    }
    let messages = Account {
        total: turns.scored + undefined + turns.exits,
        scored: turns.scored,
        undefined: turns.undefined.clone(),
        excluded,
    };
    let dialogues = metrics(gathered.params.sta == options::Switch::On).iter().zip(&gathered.accounts);
    let entry = |metric: &str, level: &str, account: &Account| {
        let mut entry = serde_json::json!({"metric": metric, "level": level});
        let facts = serde_json::to_value(account).expect("an account has a JSON form");
        if let (Some(entry), serde_json::Value::Object(facts)) = (entry.as_object_mut(), facts) {
            entry.extend(facts);
        }
        entry
    };
    let mut entries = vec![entry("ms", "turn", &messages)];
    entries.extend(dialogues.map(|(metric, account)| entry(metric, "dialogue", account)));
    serde_json::Value::Array(entries).to_string()
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
