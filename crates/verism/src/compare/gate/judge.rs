//! Checks one rule against a comparison.

use super::finding::{Finding, Outcome};
use super::named_pairs::NamedPairs;
use super::rule::{Bound, Relation, Rule, Statistic, split_statistic};
use super::view::{LedgerLine, Name, PairLine, SummaryLine, View};
use crate::compare::choose::facts::{Registry, SuiteFacts};
use crate::compare::error::{ambiguous, unknown};
use crate::compare::show::p_text;
use crate::error::{Defect, Error, Result};
use crate::score::ledger::not_asked;
use crate::stats::adjust::is_below;
use crate::stats::margin::Margin;

/// The one metric that a name means.
pub(super) fn named(view: &View, name: &str) -> Result<Option<Name>> {
    let mut hits: Vec<&Name> = view.ledger.iter().map(|line| &line.name).filter(|n| n.is_called(name)).collect();
    hits.sort();
    hits.dedup();
    if hits.len() > 1 {
        let listed: Vec<String> = hits.iter().map(|n| n.full()).collect();
        return Err(ambiguous("rule", name, &listed));
    }
    Ok(hits.first().map(|n| (*n).clone()))
}

/// The same, or an error with the metrics there are.
pub(super) fn need_named(view: &View, name: &str) -> Result<Name> {
    named(view, name)?.ok_or_else(|| {
        let mut known: Vec<String> = view.ledger.iter().map(|line| line.name.full()).collect();
        known.dedup();
        unknown("rule", "metric", name, &known)
    })
}

/// A reason in words.
fn in_words(reason: &str) -> String {
    match reason {
        "n_lt_2" => "fewer than 2 units".to_string(),
        "no_values" => "no values".to_string(),
        "no_pairs" => "no pair with values on both sides".to_string(),
        "zero_variance" => "nothing varies, and the range of the metric is not known: option range says it".to_string(),
        "identical" => {
            "all values are the same, and the range of the metric is not known: option range says it".to_string()
        }
        other => other.replace('_', " "),
    }
}

/// A rule, what it is held against, and the comparisons that all rules name.
pub(super) struct Gate<'a> {
    pub(super) rule: &'a Rule,
    pub(super) view: &'a View,
    pub(super) pairs: &'a NamedPairs,
}

impl Gate<'_> {
    fn bad(&self, expected: String) -> Error {
        Defect::new("bad_rule", expected).field("rule").value(&self.rule.text).into()
    }

    fn finding(&self, experiment: Option<String>, value: Option<f64>, outcome: Outcome) -> Finding {
        let rule = self.rule.text.clone();
        Finding {
            rule,
            experiment,
            value,
            interval: None,
            n: None,
            outcome,
            verdict: None,
            p: None,
            p_adj: None,
            why: None,
        }
    }

    pub(super) fn metric(&self, name: &str, experiment: Option<&str>, bound: Bound) -> Result<Vec<Finding>> {
        // A metric may itself be called `mean`: the whole name comes first.
        let (metric, statistic) = match named(self.view, name)? {
            Some(metric) => (metric, Statistic::Interval),
            None => {
                let (short, statistic) = split_statistic(name);
                (need_named(self.view, short)?, statistic)
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
            let why = match (outcome, interval) {
                (Outcome::Pass, _) => None,
                (_, None) => {
                    let reason = summary.and_then(|s| s.reason.as_deref()).unwrap_or("no_values");
                    Some(format!("the mean has no interval ({})", in_words(reason)))
                }
                (Outcome::Fail, _) => Some(format!("no value in the interval is {bound}")),
                (Outcome::Inconclusive, _) => {
                    Some(format!("the interval holds values that are {bound} and values that are not"))
                }
            };
            return Finding { interval, n: summary.map(|s| s.n_units), why, ..finding };
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
        self.point(at, value, n, bound)
    }

    pub(super) fn coverage(&self, bound: Bound) -> Finding {
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
        self.point(None, value, Some(of), bound)
    }

    /// A number held against a bound: it passes or fails.
    fn point(&self, at: Option<String>, value: Option<f64>, n: Option<u64>, bound: Bound) -> Finding {
        let outcome = if value.is_some_and(|x| bound.holds(x)) { Outcome::Pass } else { Outcome::Fail };
        let why = match (outcome, value) {
            (Outcome::Pass, _) => None,
            (_, None) => Some("there is no value".to_string()),
            (_, Some(value)) => Some(format!("{value} is not {bound}")),
        };
        Finding { n, why, ..self.finding(at, value, outcome) }
    }

    pub(super) fn against(&self, name: &str, experiment: &str, relation: Relation, baseline: &str) -> Result<Finding> {
        let metric = need_named(self.view, name)?;
        let wanted = PairLine::between(metric, experiment, baseline);
        let pair = self.pairs.find(&wanted).ok_or_else(|| self.bad("a comparison that was made".to_string()))?;
        let (outcome, why) = match relation {
            Relation::BetterThan => match pair.verdict.as_str() {
                "better" => (Outcome::Pass, None),
                "worse" => (Outcome::Fail, Some(format!("the verdict is worse, {}", self.p_words(&pair)))),
                _ => (Outcome::Inconclusive, Some(self.why_open(&pair))),
            },
            Relation::NoWorseThan => self.no_worse(&pair)?,
        };
        let finding = self.finding(Some(format!("{experiment} v {baseline}")), pair.diff, outcome);
        Ok(Finding {
            interval: pair.interval(),
            n: Some(pair.n()),
            verdict: Some(pair.verdict.clone()),
            p: pair.p,
            p_adj: pair.p_adj,
            why,
            ..finding
        })
    }

    /// p and what became of it, for people.
    fn p_words(&self, pair: &PairLine) -> String {
        let shown = |p: Option<f64>, log10: Option<f64>| if log10.is_none() { "none".into() } else { p_text(p) };
        let (p, p_adj) = (shown(pair.p, pair.log10_p), shown(pair.p_adj, pair.log10_p_adj));
        let n = pair.n();
        match self.pairs.tests {
            0 | 1 => format!("p = {p}, n = {n}"),
            tests => format!("p = {p}, corrected for the {tests} comparisons of the rules p_adj = {p_adj}, n = {n}"),
        }
    }

    /// Why a comparison is neither better nor worse.
    fn why_open(&self, pair: &PairLine) -> String {
        let alpha = self.view.alpha();
        let mut parts = vec![];
        match (pair.verdict.as_str(), pair.interval(), pair.log10_p) {
            ("higher" | "lower", ..) => {
                let name = pair.name.full();
                let verdict = &pair.verdict;
                return format!(
                    "it is {verdict}, but neither is better; --option direction.{name}=higher|lower says which is"
                );
            }
            (_, _, None) => {
                let reason = pair.reason.as_deref().unwrap_or("no_values");
                return format!(
                    "the verdict is inconclusive: there is no test ({}), n = {}",
                    in_words(reason),
                    pair.n()
                );
            }
            (_, Some((lo, hi)), _) if lo <= 0.0 && hi >= 0.0 => parts.push("the interval holds 0".to_string()),
            _ => {}
        }
        if pair.could_turn() {
            parts.push("values that one side lacks could turn it round".to_string());
        }
        if pair.interval().is_none() {
            parts.push(format!(
                "the difference has no interval ({})",
                in_words(pair.reason.as_deref().unwrap_or("no_values"))
            ));
        }
        let p_adj = pair.p_adj.unwrap_or(0.0);
        if !is_below(p_adj, alpha) {
            parts.push(format!("p_adj is not below {alpha}"));
        }
        format!("the verdict is inconclusive: {} ({})", parts.join(" and "), self.p_words(pair))
    }

    /// In the better direction: pass if the bad end is above -δ, fail if the whole interval is below it.
    fn no_worse(&self, pair: &PairLine) -> Result<(Outcome, Option<String>)> {
        let sesoi = self.view.sesoi(&pair.name);
        if sesoi <= 0.0 {
            let option = format!("sesoi.{}", pair.name.full());
            return Err(self.bad(format!("the option sesoi (or {option}) above 0 beside no_worse_than")));
        }
        let (bad, good) = match (pair.direction.as_str(), pair.interval()) {
            (_, None) => {
                let reason = pair.reason.as_deref().unwrap_or("no_values");
                return Ok((
                    Outcome::Inconclusive,
                    Some(format!("the difference has no interval ({})", in_words(reason))),
                ));
            }
            ("higher", Some((lo, hi))) => (lo, hi),
            ("lower", Some((lo, hi))) => (-hi, -lo),
            _ => return Err(self.bad(format!("a metric with a better direction; {} has none", pair.name.full()))),
        };
        let n = pair.n();
        let margin = Margin::of(-sesoi, pair.scale());
        let (worst, best) = match (pair.direction.as_str(), pair.widened()) {
            ("lower", Some((lo, hi))) => (-hi, -lo),
            (_, widened) => widened.unwrap_or((bad, good)),
        };
        Ok(match (margin.is_below(bad), margin.is_above(good)) {
            (true, _) if !margin.is_below(worst) => (
                Outcome::Inconclusive,
                Some(format!("values that one side lacks could make it worse by more than {sesoi}, n = {n}")),
            ),
            (_, true) if !margin.is_above(best) => (
                Outcome::Inconclusive,
                Some(format!("values that one side lacks could make it less than {sesoi} worse, n = {n}")),
            ),
            (true, _) => (Outcome::Pass, None),
            (false, true) => {
                (Outcome::Fail, Some(format!("the whole interval is worse by more than {sesoi}, n = {n}")))
            }
            (false, false) => (
                Outcome::Inconclusive,
                Some(format!("the interval holds differences worse by more than {sesoi}, n = {n}")),
            ),
        })
    }
}

/// Scored rows, and those that could have been: rows of other levels, and what was not asked for, do not count.
fn coverage(line: &LedgerLine) -> (u64, u64) {
    let optional_fields =
        line.name.suite.as_deref().and_then(SuiteFacts::of).is_some_and(|facts| facts.optional_fields);
    let asked = line.undefined.iter().filter(|(reason, _)| !not_asked(reason, optional_fields));
    let undefined: u64 = asked.map(|(_, n)| n).sum();
    let without_id: u64 = ["no_case", "no_run"].iter().filter_map(|reason| line.excluded.get(*reason)).sum();
    (line.scored, line.scored + undefined + without_id)
}
