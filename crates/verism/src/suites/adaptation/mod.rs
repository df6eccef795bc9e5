//! Suite `adaptation`: do simulated agents decide feasibly, sensibly and variedly?
//!
//! The way of a log: `discover` finds it, `read` turns its records into facts (`record`, `action`, `construct`),
//! `sorter` puts them in the order of agents and years, `judge` says which rules they break, `tally` counts, and
//! `finish` makes tables, scores and the ledger from the counts.

mod action;
mod axes;
mod bootstrap;
mod cacr;
mod collect;
mod complaints;
mod construct;
mod demo;
mod discover;
mod events;
mod fact;
mod facts;
mod finish;
mod ground;
mod h_norm;
mod judge;
mod kept;
mod ledger;
mod measures;
mod names;
mod not_understood;
mod options;
mod pack;
mod pack_load;
mod r_h;
mod r_r;
mod read;
mod record;
mod run;
mod scores;
mod share;
mod sorter;
mod tables;
mod tables_beyond;
mod tally;
mod v6;
mod v6_read;
mod values;
mod versus;
mod why;
mod workload;

use std::collections::BTreeMap;
use std::path::Path;

use sha2::{Digest, Sha256};

use self::complaints::Complaint;
use self::discover::{discover, nothing};
use self::finish::{Study, finish};
use self::options::Params;
use self::pack::{FLOOD, Pack};
use self::run::{Setup, Sheets, run};
use self::share::Share;
use super::{Explanation, Job, Options, Report, Suite, SuiteFacts, TakeDefect, cut_off_warning};
use crate::error::{Defect, Error, Result};
use crate::input::Watch;
use crate::score::json;
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
fn load_pack(name: &str) -> Result<(Pack, Option<Custom>)> {
    if name == "flood" {
        return Ok((Pack::parse(FLOOD, "flood.toml")?, None));
    }
    let file = Path::new(name).file_name().map_or(name.into(), |file| file.to_string_lossy().into_owned());
    let bytes = std::fs::read(name).map_err(|error| {
        let expected = "a readable pack file or the built-in name flood";
        Defect::new("bad_pack", expected).file(name).value(error.to_string())
    })?;
    let digest = crate::input::hexadecimal(&Sha256::digest(&bytes));
    let text = String::from_utf8(bytes).map_err(|_| Defect::new("bad_pack", "UTF-8 text").file(&file))?;
    Ok((Pack::parse(&text, &file)?, Some(Custom { text, digest })))
}

/// Options and pack of a job, checked against each other.
fn prepare(job: &Job<'_>) -> Result<(Params, Pack, Option<Custom>)> {
    let params = Params::read(&job.options)?;
    let (pack, custom) = load_pack(&params.pack)?;
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
        // The published program is always strict.
        let lenient = job.lenient && !params.v6();
        let setup =
            Setup { pack: &pack, params: &params, lenient, shard: job.shard, watch: job.watch, folder: &folder };
        let sheets = Sheets { events: &mut events, rows: rows.as_mut() };
        let judgement = run(&setup, found, Some(sheets))?;
        events.finish()?;
        if let Some(rows) = rows {
            rows.finish()?;
        }
        if !lenient && judgement.complaints.len() > 0 {
            let first = judgement.complaints.first(1)?;
            return Err(first.into_iter().next().map_or_else(|| nothing().into(), |first| first.into_defect().into()));
        }
        if judgement.is_empty(&params) {
            let dropped = judgement.complaints.first(NAMED)?.into_iter().map(Complaint::into_defect).collect();
            return Err(Error::NothingLeft { defect: Box::new(nothing()), dropped });
        }
        let cut_off = judgement.cut_off;
        let signature = params.signature(&pack, custom.as_ref().map(|custom| custom.digest.as_str()));
        let mut warnings: Vec<String> = pack
            .unknown_keys
            .iter()
            .map(|key| format!("pack {}: the key {key} means nothing here and was ignored", pack.id))
            .collect();
        warnings.extend(cut_off_warning(cut_off));
        let share = Share::new(job.shard, judgement, folders, custom.map(|custom| custom.text));
        if let Some(shard) = job.shard {
            return share.write(shard, output, &params, &pack, signature, warnings);
        }
        conclude(&params, &pack, share, signature, &mut warnings, output)
    }

    fn validate(&self, job: Job<'_>, found_one: &mut TakeDefect<'_>) -> Result<()> {
        let (params, pack, _) = prepare(&job)?;
        let found = discover(job.inputs)?;
        let scratch = std::env::temp_dir();
        let setup = Setup {
            pack: &pack,
            params: &params,
            lenient: !params.v6(),
            shard: None,
            watch: job.watch,
            folder: &scratch,
        };
        let judgement = run(&setup, found, None)?;
        if judgement.complaints.len() == 0 && judgement.is_empty(&params) {
            return Err(nothing().into());
        }
        judgement.complaints.each(&mut |complaint| found_one(complaint.into_defect()))
    }

    fn merge(&self, folders: &[&Path], _: &Options, _: &dyn Watch, output: &mut Output) -> Result<Report> {
        share::merge(folders, output)
    }

    fn why(&self, folder: &Path, unit: &str, metric: Option<&str>, _in_full: bool) -> Result<Explanation> {
        why::why(folder, unit, metric)
    }

    fn write_demo(&self, folder: &Path) -> Result<()> {
        demo::write(folder)
    }
}

/// Makes tables, scores, errors and the report from everything that was counted.
fn conclude(
    params: &Params,
    pack: &Pack,
    share: Share,
    signature: String,
    warnings: &mut Vec<String>,
    output: &mut Output,
) -> Result<Report> {
    if let Some(text) = &share.pack_text {
        output.file(why::PACK, text.as_bytes())?;
    }
    let study = Study::new(pack, params, &share.cells, &share.folders);
    let ledger = finish(&study, &share.ignored, output)?;
    let mut errors = output.list("errors")?;
    let (count, mut line) = (share.complaints.len(), vec![]);
    share.complaints.each(&mut |complaint| {
        line.clear();
        json::push(&mut line, &complaint.defect);
        line.push(b'\n');
        errors.write(&line)
    })?;
    errors.finish()?;
    let lonely = ledger::without_baseline(&study);
    if !lonely.is_empty() {
        let some = lonely.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
        warnings.push(format!(
            "{} cell(s) have no {} to be compared with ({some}{}); choose another with --option baseline=",
            lonely.len(),
            params.baseline,
            if lonely.len() > 3 { ", …" } else { "" },
        ));
    }
    for (id, cell) in share.cells.iter().filter(|(_, cell)| cell.broken.is_some()) {
        warnings.push(format!("{}: left out ({})", id.join("/"), cell.broken.as_deref().unwrap_or_default()));
    }
    let rows = study.scored.iter().map(|scored| scored.rows).sum();
    for caution in share.not_understood.cautions(pack) {
        output.caution(caution);
    }
    if count > 0 {
        output.caution(format!("{count} record(s) or file(s) left out; errors.jsonl lists them"));
    }
    let counts = BTreeMap::from([
        ("cells".to_string(), study.scored.len() as u64),
        ("rows".to_string(), rows),
        ("events".to_string(), share.events),
        ("errors".to_string(), count),
    ]);
    Ok(Report {
        signature,
        options: params.report(pack).to_string(),
        inputs: share.inputs,
        summary: facts::summary(&study, share.events),
        counts,
        ledger,
        warnings: std::mem::take(warnings),
    })
}
