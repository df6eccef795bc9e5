//! The gate: rules that a comparison passes, fails or leaves open.
//!
//! ```text
//! guest.crrs >= 0.7                 the interval of its mean in every experiment: all of it satisfies: pass, none: fail
//! guest.crrs@exp5 >= 0.7            the same, one experiment
//! guest.crrs.mean >= 0.7            the mean over units alone (also median, min, max, coverage): pass or fail
//! coverage >= 0.95                  of all headline metrics together
//! guest.crrs: exp5 better_than exp1            better: pass, worse: fail; also no_worse_than (needs the option sesoi)
//! ```

mod rule;
mod view;

use std::fmt;

use serde::Serialize;

pub use rule::{Bound, Demand, Relation, Rule, Statistic};
pub use view::View;

use crate::compare::choose::facts::Registry;
use crate::compare::error::{ambiguous, unknown};
use crate::error::{Defect, Error, Result};
use crate::score::ledger::NOT_ASKED;
use rule::split_statistic;
use view::{LedgerLine, Name, PairLine, SummaryLine};

/// Whether a rule holds. Of several, fail beats inconclusive beats pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The rule holds.
    Pass,
    /// The data do not tell.
    Inconclusive,
    /// The rule is broken.
    Fail,
}

impl Outcome {
    /// Gives the exit code.
    pub fn exit_code(self) -> u8 {
        match self {
            Outcome::Pass => 0,
            Outcome::Fail => 1,
            Outcome::Inconclusive => 3,
        }
    }
}

/// A rule held against something.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// The rule as it was written.
    pub rule: String,
    /// The experiment, or `B v A`; none for a rule about all.
    pub experiment: Option<String>,
    /// What was held against the bound; none where there was nothing to hold.
    pub value: Option<f64>,
    /// The interval that was held against it.
    pub interval: Option<(f64, f64)>,
    /// How many units it rests on.
    pub n: Option<u64>,
    /// What came of it.
    pub outcome: Outcome,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let word = match self.outcome {
            Outcome::Pass => "pass",
            Outcome::Inconclusive => "open",
            Outcome::Fail => "FAIL",
        };
        write!(f, "{word}  {}", self.rule)?;
        if let Some(experiment) = &self.experiment {
            write!(f, "  {experiment}")?;
        }
        match (self.interval, self.value) {
            (Some((lo, hi)), Some(value)) => write!(f, "  is {value:.4} [{lo:.4}, {hi:.4}]")?,
            (None, Some(value)) => write!(f, "  is {value:.4}")?,
            _ => write!(f, "  has no value")?,
        }
        self.n.map_or(Ok(()), |n| write!(f, " (n = {n})"))
    }
}

/// Gives the outcome of all findings together.
pub fn overall(findings: &[Finding]) -> Outcome {
    findings.iter().map(|finding| finding.outcome).max().unwrap_or(Outcome::Pass)
}

/// Holds rules against a comparison. A statistic without a value fails, an interval without ends stays open.
pub fn judge(rules: &[Rule], view: &View) -> Result<Vec<Finding>> {
    let mut out = Vec::new();
    for rule in rules {
        let gate = Gate { rule, view };
        match &rule.demand {
            Demand::Coverage(bound) => out.push(gate.coverage(*bound)),
            Demand::Metric { name, experiment, bound } => {
                out.extend(gate.metric(name, experiment.as_deref(), *bound)?)
            }
            Demand::Against { name, experiment, relation, baseline } => {
                out.push(gate.against(name, experiment, *relation, baseline)?);
            }
        }
    }
    Ok(out)
}

struct Gate<'a> {
    rule: &'a Rule,
    view: &'a View,
}

impl Gate<'_> {
    fn bad(&self, expected: String) -> Error {
        Defect::new("bad_rule", expected).field("rule").value(&self.rule.text).into()
    }

    fn finding(&self, experiment: Option<String>, value: Option<f64>, outcome: Outcome) -> Finding {
        Finding { rule: self.rule.text.clone(), experiment, value, interval: None, n: None, outcome }
    }

    /// The one metric that a name means.
    fn named(&self, name: &str) -> Result<Option<Name>> {
        let mut hits: Vec<&Name> =
            self.view.ledger.iter().map(|line| &line.name).filter(|n| n.is_called(name)).collect();
        hits.sort();
        hits.dedup();
        if hits.len() > 1 {
            let listed: Vec<String> = hits.iter().map(|n| n.full()).collect();
            return Err(ambiguous("rule", name, &listed));
        }
        Ok(hits.first().map(|n| (*n).clone()))
    }

    fn need_named(&self, name: &str) -> Result<Name> {
        self.named(name)?.ok_or_else(|| {
            let mut known: Vec<String> = self.view.ledger.iter().map(|line| line.name.full()).collect();
            known.dedup();
            unknown("rule", "metric", name, &known)
        })
    }

    fn metric(&self, name: &str, experiment: Option<&str>, bound: Bound) -> Result<Vec<Finding>> {
        // A metric may itself be called `mean`: the whole name comes first.
        let (metric, statistic) = match self.named(name)? {
            Some(metric) => (metric, Statistic::Interval),
            None => {
                let (short, statistic) = split_statistic(name);
                (self.need_named(short)?, statistic)
            }
        };
        let lines: Vec<&LedgerLine> = self.view.ledger.iter().filter(|line| line.name == metric).collect();
        let wanted: Vec<&&LedgerLine> =
            lines.iter().filter(|line| experiment.is_none_or(|e| line.experiment == e)).collect();
        if wanted.is_empty() {
            let known: Vec<&str> = lines.iter().map(|line| line.experiment.as_str()).collect();
            return Err(unknown("rule", "experiment", experiment.unwrap_or_default(), &known));
        }
        Ok(wanted.into_iter().map(|line| self.hold(line, statistic, bound)).collect())
    }

    fn hold(&self, line: &LedgerLine, statistic: Statistic, bound: Bound) -> Finding {
        let is_its = |s: &&SummaryLine| s.name == line.name && s.experiment == line.experiment;
        let summary = self.view.summary.iter().find(is_its);
        let at = Some(line.experiment.clone());
        if statistic == Statistic::Interval {
            let interval = summary.and_then(SummaryLine::interval);
            let outcome = interval.map_or(Outcome::Inconclusive, |(lo, hi)| match (bound.holds(lo), bound.holds(hi)) {
                (true, true) => Outcome::Pass,
                (false, false) => Outcome::Fail,
                _ => Outcome::Inconclusive,
            });
            let finding = self.finding(at, summary.and_then(|s| s.mean), outcome);
            return Finding { interval, n: summary.map(|s| s.n_units), ..finding };
        }
        let (value, n) = match statistic {
            Statistic::Coverage => {
                let (scored, of) = coverage(line);
                ((of > 0).then(|| scored as f64 / of as f64), Some(of))
            }
            _ => {
                let value = summary.and_then(|s| match statistic {
                    Statistic::Median => s.median,
                    Statistic::Min => s.min,
                    Statistic::Max => s.max,
                    _ => s.mean,
                });
                (value, summary.map(|s| s.n_units))
            }
        };
        let outcome = if value.is_some_and(|x| bound.holds(x)) { Outcome::Pass } else { Outcome::Fail };
        Finding { n, ..self.finding(at, value, outcome) }
    }

    fn coverage(&self, bound: Bound) -> Finding {
        let suite_of = |line: &LedgerLine| line.name.suite.clone().unwrap_or_default();
        let suites: Vec<String> = self.view.ledger.iter().map(suite_of).collect();
        let registry = Registry::of(suites.iter().map(String::as_str));
        let is_headline =
            |line: &LedgerLine| registry.metric(&suite_of(line), &line.name.metric).is_some_and(|facts| facts.headline);
        // A suite of which no headline metric is here counts with all it has.
        let counts = |line: &&LedgerLine| {
            let named = self.view.ledger.iter().any(|other| other.name.suite == line.name.suite && is_headline(other));
            is_headline(line) || !named
        };
        let parts = self.view.ledger.iter().filter(counts).map(coverage);
        let counted = parts.fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
        let (scored, of) = self.view.booked.unwrap_or(counted);
        let value = (of > 0).then(|| scored as f64 / of as f64);
        let outcome = if value.is_some_and(|x| bound.holds(x)) { Outcome::Pass } else { Outcome::Fail };
        Finding { n: Some(of), ..self.finding(None, value, outcome) }
    }

    fn against(&self, name: &str, experiment: &str, relation: Relation, baseline: &str) -> Result<Finding> {
        let metric = self.need_named(name)?;
        let mine = || self.view.pairs.iter().filter(|pair| pair.name == metric);
        let found = mine().find_map(|pair| match (pair.experiment.as_str(), pair.baseline.as_str()) {
            (x, b) if (x, b) == (experiment, baseline) => Some(pair.clone()),
            (x, b) if (x, b) == (baseline, experiment) => Some(pair.exchanged()),
            _ => None,
        });
        let pair = found.ok_or_else(|| {
            let known: Vec<String> = mine().map(|pair| format!("{} v {}", pair.experiment, pair.baseline)).collect();
            unknown("rule", "pair", &format!("{experiment} v {baseline}"), &known)
        })?;
        let outcome = match relation {
            Relation::BetterThan => match pair.verdict.as_str() {
                "better" => Outcome::Pass,
                "worse" => Outcome::Fail,
                _ => Outcome::Inconclusive,
            },
            Relation::NoWorseThan => self.no_worse(&pair)?,
        };
        let finding = self.finding(Some(format!("{experiment} v {baseline}")), pair.diff, outcome);
        Ok(Finding { interval: pair.interval(), ..finding })
    }

    /// In the better direction: pass if the bad end is above -δ, fail if the whole interval is below it.
    fn no_worse(&self, pair: &PairLine) -> Result<Outcome> {
        let sesoi = self.view.sesoi(&pair.name);
        if sesoi <= 0.0 {
            let option = format!("sesoi.{}", pair.name.full());
            return Err(self.bad(format!("the option sesoi (or {option}) above 0 beside no_worse_than")));
        }
        let (bad, good) = match (pair.direction.as_str(), pair.interval()) {
            (_, None) => return Ok(Outcome::Inconclusive),
            ("higher", Some((lo, hi))) => (lo, hi),
            ("lower", Some((lo, hi))) => (-hi, -lo),
            _ => return Err(self.bad(format!("a metric with a better direction; {} has none", pair.name.full()))),
        };
        Ok(match (bad > -sesoi, good < -sesoi) {
            (true, _) => Outcome::Pass,
            (false, true) => Outcome::Fail,
            (false, false) => Outcome::Inconclusive,
        })
    }
}

/// Scored rows, and those that could have been: rows of other levels, and what was not asked for, do not count.
fn coverage(line: &LedgerLine) -> (u64, u64) {
    let undefined: u64 =
        line.undefined.iter().filter(|(reason, _)| !NOT_ASKED.contains(&reason.as_str())).map(|(_, n)| n).sum();
    let without_id: u64 = ["no_case", "no_run"].iter().filter_map(|reason| line.excluded.get(*reason)).sum();
    (line.scored, line.scored + undefined + without_id)
}

#[cfg(test)]
mod tests;
