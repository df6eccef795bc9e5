//! Gathers judged dialogues in the order of their keys: rows go out at once, what tables need is kept.

use std::collections::{BTreeMap, BTreeSet};

use super::experiments::{self, Experiment};
use super::lines::{self, Lines};
use super::outcome::{BASELINES, Outcome, Tally};
use super::result::labels_part;
use crate::error::{Defect, Result};
use crate::input::Watch;
use crate::score::json;
use crate::score::ledger::{Account, Ledger};
use crate::score::output::{LineFile, Output};
use crate::score::table::{Cell, Dialect};
use crate::suites::recommender::facts::{DIALOGUE_METRICS, LIMITS};
use crate::suites::recommender::labels::labelled::{Labelled, Range, attach};
use crate::suites::recommender::labels::validity::{Agreement, TURN_METRICS, agreements};
use crate::suites::recommender::options::Params;
use crate::suites::recommender::record::dialogue::{Notes, Rater};
use crate::suites::recommender::setup::Setup;
use crate::suites::records::{Dropped, Finished, Gather, SourceLine};

/// Takes what was judged.
pub(crate) struct Gathering<'a> {
    setup: &'a Setup,
    output: &'a mut Output,
    results: LineFile,
    experiments: Vec<Experiment>,
    baselines: Vec<Experiment>,
    /// Dialogues whose labels are asked for.
    kept: Vec<Labelled>,
    /// Their lines of results before and after the labels, until these are known.
    waiting: Vec<(Vec<u8>, Vec<u8>)>,
    buffers: Vec<Lines>,
    accounts: Vec<Account>,
    tally: Tally,
    notes: Notes,
    dialogues: u64,
    turns: u64,
}

impl<'a> Gathering<'a> {
    pub(crate) fn new(setup: &'a Setup, output: &'a mut Output) -> Result<Gathering<'a>> {
        Ok(Gathering {
            setup,
            results: output.list("results")?,
            output,
            experiments: vec![],
            baselines: if setup.params.baselines { BASELINES.map(Experiment::new).into() } else { vec![] },
            kept: vec![],
            waiting: vec![],
            buffers: vec![],
            accounts: vec![Account::default(); DIALOGUE_METRICS.len()],
            tally: Tally::default(),
            notes: Notes::new(),
            dialogues: 0,
            turns: 0,
        })
    }

    fn params(&self) -> &'a Params {
        &self.setup.params
    }

    fn keep(&mut self, outcome: Outcome, lines: &Lines) -> Result<()> {
        self.output.score_lines(&lines.rows)?;
        let summary = &outcome.summary;
        if self.experiments.last().is_none_or(|last| last.name != outcome.key.experiment) {
            self.experiments.push(Experiment::new(&outcome.key.experiment));
        }
        self.experiments.last_mut().expect("there is one now").add(summary);
        self.baselines.iter_mut().zip(&outcome.baselines).for_each(|(baseline, summary)| baseline.add(summary));
        self.accounts.iter_mut().zip(&summary.values).for_each(|(account, value)| account.book(value));
        self.tally.add(&outcome.tally);
        for (name, count) in outcome.notes {
            *self.notes.entry(name).or_default() += count;
        }
        self.dialogues += 1;
        self.turns += summary.n_turns;
        let one = Labelled {
            key: outcome.key,
            turns: summary.n_turns,
            values: summary.values.iter().map(|value| value.as_ref().ok().copied()).collect(),
            turn_values: if self.setup.labels.is_some() { outcome.scores.turn_values() } else { vec![] },
            labels: outcome.labels.into_iter().map(|(who, what, values)| ((who, what), values)).collect(),
            turn_labels: BTreeMap::new(),
        };
        match self.setup.labels {
            None => self.write_result(&one, &lines.head, &lines.tail)?,
            Some(_) => self.waiting.push((lines.head.clone(), lines.tail.clone())),
        }
        if self.setup.labels.is_some() || self.params().correlate {
            self.kept.push(one);
        }
        Ok(())
    }

    fn range(&self) -> Range {
        Range { least: self.params().judge_min, most: self.params().judge_max }
    }

    /// Writes the line of a dialogue whose labels are known.
    fn write_result(&mut self, one: &Labelled, head: &[u8], tail: &[u8]) -> Result<()> {
        let range = self.range();
        let [human, judge] = [Rater::Human, Rater::Judge].map(|of| {
            let mine = range.means(&one.labels).filter(|(rater, _, _)| *rater == of);
            mine.map(|(_, aspect, mean)| (aspect, mean)).collect::<BTreeMap<_, _>>()
        });
        let out_of_range = one.out_of_range(range);
        if out_of_range > 0 {
            *self.notes.entry("judge_out_of_range".into()).or_default() += out_of_range;
        }
        self.results.write(head)?;
        self.results.write(&labels_part(&judge, &human, out_of_range))?;
        self.results.write(tail)
    }

    /// Gives the labels of the file to their dialogues and writes the lines that waited for them. A bad label stops the
    /// job, or in lenient mode is listed.
    fn attach_labels(&mut self, lenient: bool) -> Result<Vec<Defect>> {
        let Some((file, rows)) = &self.setup.labels else { return Ok(vec![]) };
        let mut listed = vec![];
        let mut errors = self.output.list("label_errors")?;
        for defect in attach(rows, &mut self.kept, lenient, &mut self.notes) {
            let defect = Defect { file: Some(file.clone()), ..defect };
            if !lenient {
                return Err(defect.into());
            }
            errors.write(format!("{}\n", json::text(&defect)).as_bytes())?;
            listed.push(defect);
        }
        let kept = std::mem::take(&mut self.kept);
        for (one, (head, tail)) in kept.iter().zip(std::mem::take(&mut self.waiting)) {
            self.write_result(one, &head, &tail)?;
        }
        self.kept = kept;
        errors.finish()?;
        Ok(listed)
    }

    /// Every metric beside every label.
    fn correlate(&mut self) -> Result<()> {
        let (params, range) = (self.params(), self.range());
        let mut pairs = vec![];
        self.kept.iter().for_each(|one| one.push_pairs(&params.metrics, range, &mut pairs));
        let names: BTreeSet<&str> = self.experiments.iter().map(|experiment| experiment.name.as_str()).collect();
        let found = agreements(&pairs, &params.metrics, &names, params.resamples, params.seed);
        write_agreements(&found, self.output)
    }

    /// What became of every unit, by level and metric in the order of the rows.
    fn ledger(&self) -> String {
        let Tally { turns, segments, shifts, .. } = self.tally;
        let account = |total: u64, undefined: &[(&str, u64)], silent: u64| {
            let undefined: BTreeMap<String, u64> = undefined
                .iter()
                .filter(|(_, count)| *count > 0)
                .map(|(why, count)| (why.to_string(), *count))
                .collect();
            let mut account =
                Account { total, scored: total - undefined.values().sum::<u64>(), undefined, ..Account::default() };
            account.exclude_many("no_reply", silent);
            account
        };
        let mut ledger = Ledger::default();
        let tally = &self.tally;
        for metric in TURN_METRICS {
            let empty = if metric == "i" { 0 } else { tally.empty_turns };
            ledger.add(metric, "turn", account(turns, &[("empty_union", empty)], tally.silent_turns));
        }
        for metric in ["cc", "cr", "tas"] {
            ledger.add(metric, "segment", account(segments, &[("empty_union", tally.empty_segments)], 0));
        }
        let delays = [("censored", tally.censored), ("not_recovered", tally.not_recovered)];
        let leaks: Vec<(&str, u64)> = tally.no_leakage.iter().map(|(why, count)| (why.as_str(), *count)).collect();
        ledger.add("recovered", "shift", account(shifts, &[], tally.silent_shifts));
        ledger.add("recovery_delay", "shift", account(shifts, &delays, tally.silent_shifts));
        ledger.add("leakage", "shift", account(shifts, &leaks, tally.silent_shifts));
        for (metric, account) in DIALOGUE_METRICS.iter().zip(&self.accounts) {
            ledger.add(metric, "dialogue", account.clone());
        }
        ledger.to_json()
    }

    /// A few lines for people: the headline metrics by experiment, and what they must not be read as.
    fn summary(&self) -> Vec<String> {
        const SHOWN: usize = 12;
        const COLUMNS: [(&str, &str); 6] = [
            ("TAS expr.", "tas_expressed"),
            ("TAS", "tas"),
            ("recovery", "recovery_rate"),
            ("focus item", "focus_item"),
            ("leakage", "leakage"),
            ("fidelity", "fidelity"),
        ];
        let names = self.experiments.iter().map(|experiment| experiment.name.chars().count());
        let width = names.max().unwrap_or(0).max(10);
        let heads: Vec<String> = COLUMNS.iter().map(|(title, _)| format!("{title:>10}")).collect();
        let mut lines = vec![format!("{:width$} {}", "experiment", heads.join(" "))];
        for experiment in self.experiments.iter().take(SHOWN) {
            let value = |(_, metric): &(&str, &str)| {
                experiment.mean(metric).map_or_else(|| format!("{:>10}", "–"), |mean| format!("{mean:>10.4}"))
            };
            let values: Vec<String> = COLUMNS.iter().map(value).collect();
            lines.push(format!("{:width$} {}", experiment.name, values.join(" ")));
        }
        if self.experiments.len() > SHOWN {
            lines.push(format!("… and {} more: tables/experiments.csv", self.experiments.len() - SHOWN));
        }
        lines.push(format!("limits: {}", LIMITS.join("; ")));
        lines
    }
}

impl Gather<Box<Outcome>> for Gathering<'_> {
    fn take(&mut self, outcomes: Vec<(SourceLine, Box<Outcome>)>) -> Result<()> {
        let mut buffers = std::mem::take(&mut self.buffers);
        let mut outcomes = outcomes.into_iter();
        while !outcomes.as_slice().is_empty() {
            let some = lines::together(outcomes.as_slice().iter().map(|(_, outcome)| &**outcome));
            let some: Vec<Box<Outcome>> = outcomes.by_ref().take(some).map(|(_, outcome)| outcome).collect();
            lines::write(&some, &self.setup.catalog, &self.setup.params, &mut buffers);
            some.into_iter().zip(&buffers).try_for_each(|(outcome, lines)| self.keep(*outcome, lines))?;
        }
        self.buffers = buffers;
        Ok(())
    }

    fn finish(mut self: Box<Self>, dropped: &Dropped, _watch: &dyn Watch) -> Result<Finished> {
        let params = self.params();
        for account in &mut self.accounts {
            dropped.codes.iter().for_each(|(code, count)| account.exclude_many(code, *count));
        }
        // A job that goes on past bad labels goes on past bad dialogues too.
        let listed = self.attach_labels(dropped.lenient)?;
        experiments::write("experiments", &self.experiments, params, self.output)?;
        experiments::write_curves(&self.experiments, params, self.output)?;
        if params.correlate {
            self.correlate()?;
        }
        if params.baselines {
            experiments::write("baselines", &self.baselines, params, self.output)?;
        }
        let catalog = &self.setup.catalog;
        let facts = serde_json::json!({"items": catalog.items.len(), "notes": catalog.notes});
        self.output.object("catalog", facts.to_string())?;
        self.output.object("notes", json::text(&self.notes))?;
        self.output.object("limits", json::text(&LIMITS))?;
        let ledger = self.ledger();
        let summary = self.summary();
        let low = self.experiments.iter().filter(|experiment| experiment.has_low_coverage());
        let low: Vec<&str> = low.map(|experiment| experiment.name.as_str()).collect();
        let few = || format!("less than half of the turns name a concept: {} (low_coverage)", low.join(", "));
        let warnings = (!low.is_empty()).then(few).into_iter().collect();
        let counts = vec![("dialogues", self.dialogues), ("turns", self.turns)];
        self.results.finish()?;
        Ok(Finished { signature: None, counts, ledger, warnings, listed, summary })
    }
}

fn write_agreements(found: &[Agreement], output: &mut Output) -> Result<()> {
    let columns =
        ["metric", "source", "aspect", "level", "scope", "experiment", "n", "rho", "p", "ci_lo", "ci_hi", "reason"];
    let mut list = output.list("correlations")?;
    let mut table = output.table("correlations", columns.map(String::from).to_vec(), Dialect::Plain)?;
    for row in found {
        list.write(format!("{}\n", json::text(row)).as_bytes())?;
        table.row(&[
            row.metric.as_str().into(),
            row.source.as_str().into(),
            row.aspect.as_str().into(),
            row.level.into(),
            row.scope.into(),
            row.experiment.as_deref().into(),
            Cell::Int(row.n as i128),
            row.rho.into(),
            row.p.into(),
            row.ci_lo.into(),
            row.ci_hi.into(),
            row.reason.map(|reason| reason.text()).into(),
        ])?;
    }
    list.finish()?;
    table.finish()
}
