//! Suite `adaptation`: do simulated agents decide feasibly, sensibly and variedly?
//!
//! The way of a log: `read` finds it and turns its records into rows (`row`), in the order of agents and years; `judge`
//! says which rules they break and counts; `measures` are computed from the counts, and `tables` writes them with scores,
//! evidence and ledger. `pack` says what a domain is made of, `published` what the published program does differently.

mod axes;
mod demo;
mod facts;
mod judge;
mod measures;
mod options;
mod pack;
mod published;
mod read;
mod row;
mod shard;
mod tables;
mod why;

use std::collections::BTreeMap;
use std::path::Path;

use sha2::{Digest, Sha256};

use self::judge::run::{Lists, Setup, run};
use self::options::Params;
use self::pack::{FLOOD, Pack};
use self::read::defects::{DefectList, FileDefect};
use self::read::discover::{discover, nothing};
use self::shard::{JobTally, ShardHead};
use self::tables::study::Study;
use self::tables::{ledger, summary};
use super::{Explanation, Job, Joined, Report, Suite, SuiteFacts, TakeDefect, cut_off_warning};
use crate::error::{Defect, Error, Result};
use crate::input::{Limits, Watch, read_whole};
use crate::score::json;
use crate::score::manifest::InputFacts;
use crate::score::output::Output;

/// Id of the suite.
const ID: &str = "adaptation";
/// Version of its specification.
const SPEC_VERSION: &str = "1";

/// Records left out that an error names, should nothing be left.
const NAMED: usize = 10_000;

/// The suite.
#[derive(Debug)]
pub struct Adaptation;

/// The text of a pack that is not built in, and its SHA-256.
struct Custom {
    text: String,
    digest: String,
}

/// Reads the pack that an option names.
fn load_pack(name: &str, limits: Limits) -> Result<(Pack, Option<Custom>)> {
    if name == "flood" {
        return Ok((Pack::parse(FLOOD, "flood.toml")?, None));
    }
    let file = Path::new(name).file_name().map_or(name.into(), |file| file.to_string_lossy().into_owned());
    let bytes = read_whole(Path::new(name), limits, |error| {
        let expected = "a readable pack file or the built-in name flood";
        Defect::new("bad_pack", expected).file(name).value(error.to_string())
    })?;
    limits.check_nodes(&bytes).map_err(|defect| defect.file(&file))?;
    let digest = crate::input::hexadecimal(&Sha256::digest(&bytes));
    let text = String::from_utf8(bytes).map_err(|_| Defect::new("bad_pack", "UTF-8 text").file(&file))?;
    Ok((Pack::parse(&text, &file)?, Some(Custom { text, digest })))
}

/// Options and pack of a job, checked against each other.
fn prepare(job: &Job<'_>) -> Result<(Params, Pack, Option<Custom>)> {
    let params = Params::read(&job.options)?;
    let (pack, custom) = load_pack(&params.pack, job.watch.limits())?;
    if let Some(unknown) = params.formats.values().find(|id| !pack.formats.iter().any(|format| format.id == **id)) {
        let known: Vec<&str> = pack.formats.iter().map(|format| format.id.as_str()).collect();
        return Err(Defect::new("bad_option", known.join("|")).field("formats").value(unknown).into());
    }
    Ok((params, pack, custom))
}

impl Suite for Adaptation {
    fn facts(&self) -> &'static SuiteFacts {
        &facts::FACTS
    }

    fn score(&self, job: Job<'_>, output: &mut Output) -> Result<Report> {
        let (params, pack, custom) = prepare(&job)?;
        let found = discover(job.inputs)?;
        let folders = found.folders.clone();
        let folder = output.scratch();
        let mut events = output.list("events")?;
        let mut rows = if params.rows { Some(output.list("rows")?) } else { None };
        let lenient = job.lenient && params.reading.may_be_lenient();
        let setup =
            Setup { pack: &pack, params: &params, lenient, shard: job.shard, watch: job.watch, folder: &folder };
        let lists = Lists { events: &mut events, rows: rows.as_mut() };
        let mut judgement = run(&setup, found, Some(lists))?;
        events.finish()?;
        if let Some(rows) = rows {
            rows.finish()?;
        }
        if !lenient && judgement.defects.len() > 0 {
            let first = judgement.defects.first(1)?;
            return Err(first.into_iter().next().map_or_else(|| nothing().into(), |first| first.into_defect().into()));
        }
        if judgement.is_empty(&params) {
            let dropped = judgement.defects.first(NAMED)?.into_iter().map(FileDefect::into_defect).collect();
            return Err(Error::NothingLeft { defect: Box::new(nothing()), dropped });
        }
        let signature = params.signature(&pack, custom.as_ref().map(|custom| custom.digest.as_str()));
        let mut warnings: Vec<String> = pack
            .unknown_keys
            .iter()
            .map(|key| format!("pack {}: the key {key} means nothing here and was ignored", pack.id))
            .collect();
        warnings.extend(cut_off_warning(judgement.cut_off));
        let report = report(&params, &pack, signature, std::mem::take(&mut judgement.inputs), warnings);
        let (counted, defects) = JobTally::new(job.shard, judgement, folders);
        let pack_text = custom.map(|custom| custom.text);
        if let Some(shard) = job.shard {
            let head = ShardHead { params, pack: pack_text, warnings: report.warnings.clone() };
            return shard::write(shard, &head, &counted, defects, report, output);
        }
        conclude(&params, &pack, pack_text.as_deref(), &counted, defects, report, output)
    }

    fn validate(&self, job: Job<'_>, output: &mut Output, found_one: &mut TakeDefect<'_>) -> Result<Option<String>> {
        let (params, pack, _) = prepare(&job)?;
        let found = discover(job.inputs)?;
        let folders = found.folders.clone();
        let folder = output.scratch();
        let lenient = params.reading.may_be_lenient();
        let setup = Setup { pack: &pack, params: &params, lenient, shard: None, watch: job.watch, folder: &folder };
        let judgement = run(&setup, found, None)?;
        if judgement.defects.len() > 0 {
            return judgement.defects.each(&mut |found| found_one(found.into_defect())).map(|()| None);
        }
        if judgement.is_empty(&params) {
            return Err(nothing().into());
        }
        let report = report(&params, &pack, String::new(), vec![], vec![]);
        let (counted, defects) = JobTally::new(None, judgement, folders);
        conclude(&params, &pack, None, &counted, defects, report, output).map(|report| Some(report.ledger))
    }

    fn merge(&self, joined: &Joined<'_>, _: &dyn Watch, output: &mut Output) -> Result<Report> {
        shard::merge(joined.folders, output)
    }

    fn why(&self, folder: &Path, unit: &str, metric: Option<&str>, _in_full: bool) -> Result<Explanation> {
        why::why(folder, unit, metric)
    }

    fn write_demo(&self, folder: &Path) -> Result<()> {
        demo::write(folder)
    }
}

/// A report of what is known before anything is counted.
fn report(params: &Params, pack: &Pack, signature: String, inputs: Vec<InputFacts>, warnings: Vec<String>) -> Report {
    let (options, ledger) = (params.report(pack).to_string(), "{}".to_string());
    Report { signature, options, inputs, counts: BTreeMap::new(), ledger, warnings, summary: vec![] }
}

/// Makes tables, scores, errors and the report from everything that was counted.
fn conclude(
    params: &Params,
    pack: &Pack,
    pack_text: Option<&str>,
    counted: &JobTally,
    defects: DefectList,
    mut report: Report,
    output: &mut Output,
) -> Result<Report> {
    if let Some(text) = pack_text {
        output.file(why::PACK, text.as_bytes())?;
    }
    let study = Study::new(pack, params, &counted.cells, &counted.folders);
    report.ledger = tables::write(&study, &counted.ignored, output)?;
    let mut errors = output.list("errors")?;
    let (count, mut line) = (defects.len(), vec![]);
    defects.each(&mut |found| {
        line.clear();
        json::push(&mut line, &found.defect);
        line.push(b'\n');
        errors.write(&line)
    })?;
    errors.finish()?;
    report.warnings.extend(warnings(&study));
    for caution in counted.not_understood.cautions(pack) {
        output.caution(caution);
    }
    if count > 0 {
        output.caution(format!("{count} record(s) or file(s) left out; errors.jsonl lists them"));
    }
    report.summary = summary::summary(&study, counted.events);
    report.counts = BTreeMap::from([
        ("cells".to_string(), study.scored.len() as u64),
        ("rows".to_string(), study.scored.iter().map(|scored| scored.rows).sum()),
        ("events".to_string(), counted.events),
        ("errors".to_string(), count),
    ]);
    Ok(report)
}

/// What the user should know about cells that cannot be scored or compared.
fn warnings(study: &Study<'_>) -> Vec<String> {
    let mut warnings = vec![];
    let alone = ledger::without_baseline(study);
    if !alone.is_empty() {
        let some = alone.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
        warnings.push(format!(
            "{} cell(s) have no {} to be compared with ({some}{}); choose another with --option baseline=",
            alone.len(),
            study.params.baseline,
            if alone.len() > 3 { ", …" } else { "" },
        ));
    }
    for (id, cell) in study.cells.iter().filter(|(_, cell)| cell.broken.is_some()) {
        warnings.push(format!("{}: left out ({})", id.join("/"), cell.broken.as_deref().unwrap_or_default()));
    }
    warnings
}
