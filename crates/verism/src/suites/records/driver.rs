//! Every record suite is a suite: scoring, validating, merging and explaining are the same for all of them.

use std::path::Path;

use super::intake::Intake;
use super::{Opening, RecordSuite, Source, Supplied, chat, convert, reading, shard, supplied, why};
use crate::error::{Error, Result};
use crate::input::chat::Format;
use crate::input::{Input, Watch};
use crate::score::output::Output;
use crate::suites::{
    Converted, Explanation, Job, Joined, OptionFacts, Report, Suite, SuiteFacts, TakeDefect, TakeLine, cut_off_warning,
};

impl<S: RecordSuite> Suite for S {
    fn facts(&self) -> &'static SuiteFacts {
        RecordSuite::facts(self)
    }

    fn supplied(&self) -> Vec<OptionFacts> {
        self.ids().iter().map(|id| id.facts).collect()
    }

    fn score(&self, mut job: Job<'_>, output: &mut Output) -> Result<Report> {
        let given = job.options.clone();
        let supplied = Supplied::take(&mut job.options, self.ids());
        let setup = open(self, &opening(&job, &supplied))?;
        job.options = given;
        score(self, &setup, &supplied, job, output).map_err(|error| {
            let (list, passed) = self.passed_over(&setup);
            error.after(list, passed)
        })
    }

    fn validate(&self, mut job: Job<'_>, output: &mut Output, found: &mut TakeDefect<'_>) -> Result<Option<String>> {
        let supplied = Supplied::take(&mut job.options, self.ids());
        let mut refused = false;
        for defect in self.check_options(&opening(&job, &supplied)) {
            refused |= !defect.is_warning();
            found(defect)?;
        }
        if refused {
            return Ok(None);
        }
        let setup = open(self, &opening(&job, &supplied))?;
        self.passed_over(&setup).1.iter().cloned().try_for_each(&mut *found)?;
        if job.inputs.is_empty() {
            return Ok(None);
        }
        let first = job.first_path();
        let (sources, files) = all_sources(self, &setup, &mut job);
        let mut intake = Intake::new(self, &setup, true, files, output)?.telling(found);
        let read = reading::read_all(self, &setup, &supplied, sources, None, job.watch, &mut intake)?;
        let ledger = intake.conclude(first.as_deref(), job.watch)?;
        output.note_missing(read.needs.missing());
        Ok(ledger)
    }

    fn convert(&self, format: Option<Format>, job: Job<'_>, take: &mut TakeLine<'_>) -> Result<Converted> {
        convert::convert(self, format, job, take)
    }

    fn merge(&self, joined: &Joined<'_>, watch: &dyn Watch, output: &mut Output) -> Result<Report> {
        shard::merge(self, joined, watch, output)
    }

    fn why(&self, folder: &Path, unit: &str, metric: Option<&str>, in_full: bool) -> Result<Explanation> {
        why::why(self, folder, unit, metric, in_full)
    }

    fn write_demo(&self, folder: &Path) -> Result<()> {
        RecordSuite::write_demo(self, folder)
    }
}

/// Scores with the options in force.
fn score<S: RecordSuite>(
    suite: &S,
    setup: &S::Setup,
    supplied: &Supplied,
    mut job: Job<'_>,
    output: &mut Output,
) -> Result<Report> {
    if let Some(report) = suite.view(setup, &mut job, output) {
        return report;
    }
    let first = job.first_path();
    let (sources, files) = all_sources(suite, setup, &mut job);
    if job.shard.is_some() {
        return shard::write(suite, setup, supplied, &job, sources, first, output);
    }
    let mut intake = Intake::new(suite, setup, job.lenient, files, output)?;
    let read = reading::read_all(suite, setup, supplied, sources, None, job.watch, &mut intake)?;
    let mut report = intake.finish(read.inputs, first.as_deref(), job.watch)?;
    output.note_missing(read.needs.missing());
    report.warnings.extend(cut_off_warning(read.cut_off));
    report.warnings.extend(passed_over_warning(suite, setup));
    Ok(report)
}

/// What to say about rows of files that options name, if some were passed over.
pub(super) fn passed_over_warning<S: RecordSuite>(suite: &S, setup: &S::Setup) -> Option<String> {
    let (list, passed) = suite.passed_over(setup);
    (!passed.is_empty()).then(|| format!("{} row(s) passed over; {list}.jsonl lists them", passed.len()))
}

/// Opens a suite; a mistyped option may have been meant for the frame.
pub(super) fn open<S: RecordSuite>(suite: &S, opening: &Opening<'_>) -> Result<S::Setup> {
    suite.open(opening).map_err(|error| match error {
        Error::Defect(defect) => supplied::meant(suite.ids(), *defect).into(),
        error => error,
    })
}

/// Everything to read and the names of it: what the suite reads itself, then the chat logs.
fn all_sources<S: RecordSuite>(suite: &S, setup: &S::Setup, job: &mut Job<'_>) -> (Vec<Source<S::File>>, Vec<String>) {
    let (others, chats) = chat::split(suite, std::mem::take(&mut job.inputs), job.watch.limits());
    let mut sources = suite.sources(setup, others);
    sources.extend(chats.into_iter().map(Source::Chat));
    let names: Vec<String> = sources.iter().map(Source::name).collect();
    suite.note_sources(setup, &names);
    (sources, names)
}

fn opening<'a>(job: &'a Job<'_>, supplied: &'a Supplied) -> Opening<'a> {
    Opening {
        options: &job.options,
        inputs: job.inputs.iter().map(Input::path).collect(),
        carried: None,
        embed: job.embed.clone(),
        lenient: job.lenient,
        supplied,
        watch: job.watch,
    }
}
