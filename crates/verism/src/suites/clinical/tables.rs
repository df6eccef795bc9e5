//! Means by experiment, turn and patient, and the profile of rules.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::judge::{COUNT, Judged};
use super::metrics::csp::{active, rule};
use super::metrics::{METRICS, band, bands_of};
use super::record::{TurnKey, push_sortable};
use super::setup::Setup;
use crate::error::Result;
use crate::score::measure::EMPTY_DENOMINATOR;
use crate::score::output::Output;
use crate::score::row::Row;
use crate::score::table::{Cell, Dialect};
use crate::suites::records::{Sorter, SourceLine};

/// A compensated sum that grows, as `stats::sum::neumaier` adds.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    fn add(&mut self, x: f64) {
        let next = self.sum + x;
        self.lost += if self.sum.abs() >= x.abs() { (self.sum - next) + x } else { (x - next) + self.sum };
        self.sum = next;
    }

    fn value(self) -> f64 {
        if self.lost != 0.0 && self.lost.is_finite() { self.sum + self.lost } else { self.sum }
    }
}

/// What is known of a metric in a group.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    sum: Sum,
    /// Values, defined or not, and those defined.
    total: u32,
    n: u32,
    /// Scored turns, and those that rest on nothing.
    scored: u32,
    vacuous: u32,
}

impl Mean {
    fn add(&mut self, value: Option<f64>) {
        self.total += 1;
        if let Some(value) = value {
            self.n += 1;
            self.sum.add(value);
        }
    }

    fn turn(&mut self, value: Option<f64>, n: u64) {
        if value.is_some() {
            self.scored += 1;
            self.vacuous += u32::from(n == 0);
        }
    }

    fn mean(&self) -> Option<f64> {
        (self.n > 0).then(|| self.sum.value() / f64::from(self.n))
    }
}

/// The means of all metrics.
type Means = Box<[Mean; COUNT]>;

fn means() -> Means {
    Box::new([Mean::default(); COUNT])
}

/// What a dialogue adds to the row of its patient. Those of a patient are brought together on disk, so that memory does not
/// grow with the patients.
#[derive(Debug, Serialize, Deserialize)]
struct Part {
    experiment: String,
    case: String,
    /// For each metric the dialogue's value, its scored turns and those of them that rest on nothing.
    metrics: Vec<(Option<f64>, u32, u32)>,
    /// Whether CSP was defined at some turn, and the rules that applied at some, bit by bit.
    judged: bool,
    applied: Vec<u64>,
}

impl Part {
    /// A part of the same patient that adds nothing.
    fn empty(&self) -> Part {
        let (experiment, case) = (self.experiment.clone(), self.case.clone());
        Part { experiment, case, metrics: vec![], judged: false, applied: vec![0; self.applied.len()] }
    }

    /// Adds what a later dialogue of the patient holds.
    fn join(&mut self, other: &Part) {
        self.judged |= other.judged;
        for (bits, more) in self.applied.iter_mut().zip(&other.applied) {
            *bits |= more;
        }
    }
}

/// Counts of a rule: turns where it applies, turns where it is violated.
#[derive(Clone, Copy, Debug, Default)]
struct RuleCount {
    applicable: u64,
    violated: u64,
}

/// What is known of an experiment.
#[derive(Debug)]
struct Experiment {
    means: Means,
    turns: BTreeMap<u64, Means>,
    /// Patients with a turn at which CSP is defined, and those to whom any rule, then each by its place, applies.
    patients: u64,
    applies_to: Vec<u64>,
    /// Turns at which CSP is defined.
    judged_turns: u64,
    /// Any rule, then each by its place.
    rules: Vec<RuleCount>,
}

impl Experiment {
    /// Counts a patient for the profile of rules.
    fn patient(&mut self, part: &Part) {
        if !part.judged {
            return;
        }
        self.patients += 1;
        self.applies_to[0] += u64::from(part.applied.iter().any(|bits| *bits != 0));
        for (rule, count) in self.applies_to[1..].iter_mut().enumerate() {
            *count += part.applied[rule / 64] >> (rule % 64) & 1;
        }
    }
}

/// Parts that are read back at a time.
const PARTS_AT_ONCE: usize = 256;

/// Tables under construction.
#[derive(Debug)]
pub(super) struct Tables {
    experiments: BTreeMap<String, Experiment>,
    rules: usize,
    /// The dialogue at hand: its means, whether CSP was defined at some turn, and the rules that applied.
    dialogue: Means,
    judged: bool,
    applied: Vec<u64>,
    /// Dialogues that have ended, by experiment and patient.
    parts: Sorter,
    count: u64,
}

impl Tables {
    /// Tables that put aside in `folder` what memory should not hold.
    pub(super) fn new(setup: &Setup, folder: PathBuf) -> Tables {
        let pack = &setup.engine.pack;
        let rules = pack.rules.len() + pack.requirements.len();
        Tables {
            experiments: BTreeMap::new(),
            rules,
            dialogue: means(),
            judged: false,
            applied: vec![0; rules / 64 + 1],
            parts: Sorter::new(folder),
            count: 0,
        }
    }

    pub(super) fn turn(&mut self, key: &TurnKey, judged: &Judged) {
        let rules = self.rules;
        if !self.experiments.contains_key(&key.experiment) {
            let new = Experiment {
                means: means(),
                turns: BTreeMap::new(),
                patients: 0,
                applies_to: vec![0; rules + 1],
                judged_turns: 0,
                rules: vec![RuleCount::default(); rules + 1],
            };
            self.experiments.insert(key.experiment.clone(), new);
        }
        let Some(experiment) = self.experiments.get_mut(&key.experiment) else { return };
        let by_turn = experiment.turns.entry(key.turn).or_insert_with(means);
        for place in 0..COUNT {
            let (value, n) = (judged.values[place].as_ref().ok().copied(), judged.n[place]);
            self.dialogue[place].add(value);
            by_turn[place].add(value);
            for mean in [&mut experiment.means[place], &mut by_turn[place], &mut self.dialogue[place]] {
                mean.turn(value, n);
            }
        }
        let Some((applicable, violated)) = &judged.rules else { return };
        self.judged = true;
        experiment.judged_turns += 1;
        experiment.rules[0].applicable += u64::from(!applicable.is_empty());
        experiment.rules[0].violated += u64::from(!violated.is_empty());
        for &rule in applicable {
            self.applied[rule / 64] |= 1 << (rule % 64);
            experiment.rules[rule + 1].applicable += 1;
        }
        for &rule in violated {
            experiment.rules[rule + 1].violated += 1;
        }
    }

    /// The rows of a dialogue that has ended.
    pub(super) fn end_dialogue(&mut self, setup: &Setup, key: &TurnKey) -> Result<Vec<u8>> {
        let mut row = Row {
            suite: super::ID,
            metric: "",
            experiment: &key.experiment,
            extra: &[],
            run: Some(&key.run),
            case: Some(&key.case),
            dialogue: Some(&key.dialogue),
            turn: None,
            level: "dialogue",
            unit: &key.dialogue,
            value: Ok(0.0),
            n: None,
            band: None,
            evidence: "{}",
        };
        let (unit, mut lines) = (row.of_unit(), vec![]);
        let Some(experiment) = self.experiments.get_mut(&key.experiment) else { return Ok(lines) };
        let mut metrics = Vec::with_capacity(COUNT);
        for (place, metric) in METRICS.iter().enumerate() {
            let mean = std::mem::take(&mut self.dialogue[place]);
            let value = mean.mean();
            row.metric = metric;
            row.value = value.ok_or(EMPTY_DENOMINATOR);
            row.n = Some(mean.n.into());
            row.band = value.and_then(|value| band(&setup.engine, bands_of(metric)?, value));
            row.push_line_of(&unit, &mut lines, |out| out.extend_from_slice(b"{}"));
            experiment.means[place].add(value);
            metrics.push((value, mean.scored, mean.vacuous));
        }
        let part = Part {
            experiment: key.experiment.clone(),
            case: key.case.clone(),
            metrics,
            judged: std::mem::take(&mut self.judged),
            applied: self.applied.clone(),
        };
        self.applied.fill(0);
        let mut by = vec![];
        push_sortable(&mut by, &key.experiment);
        push_sortable(&mut by, &key.case);
        self.count += 1;
        self.parts.add(&by, SourceLine { source: 0, line: self.count, part: 0 }, &part)?;
        Ok(lines)
    }

    pub(super) fn write(&mut self, setup: &Setup, output: &mut Output) -> Result<()> {
        let list = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        let mean = |mean: &Mean, metric: &str| -> [Cell<'_>; 5] {
            let value = mean.mean();
            let share = (mean.scored > 0).then(|| f64::from(mean.vacuous) / f64::from(mean.scored));
            let band = value.and_then(|value| band(&setup.engine, bands_of(metric)?, value));
            [Cell::Int(mean.total.into()), Cell::Int(mean.n.into()), value.into(), band.into(), share.into()]
        };
        let columns = ["metric", "total", "n", "mean", "band", "vacuous"];
        let with = |ids: &[&str]| list(&[ids, &columns[..]].concat());
        let mut table = output.table("experiments", with(&["experiment"]), Dialect::Plain)?;
        for (name, experiment) in &self.experiments {
            for (metric, of) in METRICS.iter().zip(experiment.means.iter()) {
                let mut cells = vec![Cell::Text(name), Cell::Text(metric)];
                cells.extend(mean(of, metric));
                table.row(&cells)?;
            }
        }
        table.finish()?;
        let mut table = output.table("turns", with(&["experiment", "turn"]), Dialect::Plain)?;
        for (name, experiment) in &self.experiments {
            for (turn, means) in &experiment.turns {
                for (metric, of) in METRICS.iter().zip(means.iter()) {
                    let mut cells = vec![Cell::Text(name), Cell::Int((*turn).into()), Cell::Text(metric)];
                    cells.extend(mean(of, metric));
                    table.row(&cells)?;
                }
            }
        }
        table.finish()?;
        let mut table = output.table("patients", with(&["experiment", "case"]), Dialect::Plain)?;
        let mut sorted = std::mem::take(&mut self.parts).finish()?;
        let mut patient: Option<(Part, Means)> = None;
        let mut ended =
            |experiments: &mut BTreeMap<String, Experiment>, patient: Option<(Part, Means)>| -> Result<()> {
                let Some((part, means)) = patient else { return Ok(()) };
                for (metric, of) in METRICS.iter().zip(means.iter()) {
                    let mut cells = vec![Cell::Text(&part.experiment), Cell::Text(&part.case), Cell::Text(metric)];
                    cells.extend(mean(of, metric));
                    table.row(&cells)?;
                }
                if let Some(experiment) = experiments.get_mut(&part.experiment) {
                    experiment.patient(&part);
                }
                Ok(())
            };
        loop {
            let parts = sorted.block::<Part>(PARTS_AT_ONCE)?;
            if parts.is_empty() {
                break;
            }
            for (_, part) in parts {
                let known = |known: &Part| (&known.experiment, &known.case) == (&part.experiment, &part.case);
                if !patient.as_ref().is_some_and(|(of, _)| known(of)) {
                    ended(&mut self.experiments, patient.take())?;
                }
                let (whole, of) = patient.get_or_insert_with(|| (part.empty(), means()));
                whole.join(&part);
                for (mean, (value, scored, vacuous)) in of.iter_mut().zip(&part.metrics) {
                    mean.add(*value);
                    mean.scored += scored;
                    mean.vacuous += vacuous;
                }
            }
        }
        ended(&mut self.experiments, patient)?;
        table.finish()?;
        self.write_rules(setup, output)
    }

    fn write_rules(&self, setup: &Setup, output: &mut Output) -> Result<()> {
        let columns = [
            "experiment",
            "rule",
            "weight",
            "patients",
            "applies_to",
            "rule_coverage",
            "turns",
            "applicable",
            "violated",
            "violation_rate",
            "wilson_low",
            "wilson_high",
        ];
        let columns = columns.iter().map(|name| name.to_string()).collect();
        let mut table = output.table("rules", columns, Dialect::Plain)?;
        for (name, experiment) in self.experiments.iter().filter(|(_, experiment)| experiment.judged_turns > 0) {
            let patients = experiment.patients;
            let any = std::iter::once(None);
            for place in any.chain(active(&setup.engine, &setup.params).map(Some)) {
                let mine = experiment.applies_to[place.map_or(0, |place| place + 1)];
                let count = experiment.rules[place.map_or(0, |place| place + 1)];
                let (id, weight) = match place {
                    None => ("*", Cell::Empty),
                    Some(place) => {
                        let (id, weight) = rule(&setup.engine, place);
                        (id, Cell::Float(weight))
                    }
                };
                let rate = (count.applicable > 0).then(|| count.violated as f64 / count.applicable as f64);
                let interval = wilson(count.violated, count.applicable);
                table.row(&[
                    Cell::Text(name),
                    Cell::Text(id),
                    weight,
                    patients.into(),
                    mine.into(),
                    Cell::Float(mine as f64 / patients as f64),
                    experiment.judged_turns.into(),
                    count.applicable.into(),
                    count.violated.into(),
                    rate.into(),
                    interval.map(|(low, _)| low).into(),
                    interval.map(|(_, high)| high).into(),
                ])?;
            }
        }
        table.finish()
    }

    /// A few lines for people: means of the headline metrics by experiment.
    pub(super) fn summary(&self) -> Vec<String> {
        const SHOWN: usize = 12;
        const HEADLINES: [&str; 6] = ["answered", "sfs", "csp", "cus", "ass", "aggregate"];
        let width = self.experiments.keys().map(|name| name.chars().count()).max().unwrap_or(0).max(10);
        let mut lines = vec![format!("{:width$} {:>7}  answ.   SFS   CSP   CUS   ASS  AGGR.", "experiment", "turns")];
        for (name, experiment) in self.experiments.iter().take(SHOWN) {
            let means = HEADLINES.iter().map(|metric| {
                let place = METRICS.iter().position(|known| known == metric).unwrap_or(0);
                experiment.means[place].mean().map_or_else(|| "    –".into(), |mean| format!("{mean:.3}"))
            });
            let turns = experiment.means[0].scored;
            lines.push(format!("{name:width$} {turns:>7}  {}", means.collect::<Vec<_>>().join(" ")));
        }
        if self.experiments.len() > SHOWN {
            lines.push(format!("… and {} more: tables/experiments.csv", self.experiments.len() - SHOWN));
        }
        lines
    }
}

/// The Wilson interval (95 %) of a share; none of none.
///
/// ```math
/// (p + z²/2n ± z √(p(1 − p)/n + z²/4n²)) / (1 + z²/n)
/// ```
/// Exactly 0 and 1 at the ends. Source: Wilson, Journal of the American Statistical Association 22 (1927).
pub(super) fn wilson(hits: u64, n: u64) -> Option<(f64, f64)> {
    const Z: f64 = 1.959963984540054;
    if n == 0 {
        return None;
    }
    let count = n as f64;
    let p = hits as f64 / count;
    let scale = 1.0 + Z * Z / count;
    let middle = (p + Z * Z / (2.0 * count)) / scale;
    let half = Z * (p * (1.0 - p) / count + Z * Z / (4.0 * count * count)).sqrt() / scale;
    Some((if hits == 0 { 0.0 } else { middle - half }, if hits == n { 1.0 } else { middle + half }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_intervals() {
        // Wilson (1927) by hand for 1 of 2: p = 1/2, z² = 3.8415: half = z √(1/8 + z²/16)/(1 + z²/2) = 0.4055…
        let (low, high) = wilson(1, 2).expect("an interval");
        assert!((low - 0.094_531).abs() < 1e-5 && (high - 0.905_469).abs() < 1e-5);
        assert_eq!(wilson(0, 0), None);
        assert_eq!(wilson(0, 5).map(|(low, _)| low), Some(0.0));
        assert_eq!(wilson(5, 5).map(|(_, high)| high), Some(1.0));
    }

    #[test]
    fn a_growing_sum_is_the_compensated_one() {
        let mut sum = Sum::default();
        [1.0, 1e100, 1.0, -1e100].into_iter().for_each(|x| sum.add(x));
        assert_eq!(sum.value(), 2.0);
    }
}
