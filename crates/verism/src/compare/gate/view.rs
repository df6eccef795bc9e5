//! A comparison as far as the gate needs it: fresh, or read back from `comparison.json`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::rule::{Demand, Rule, split_statistic};
use crate::compare::choose::facts::SuiteFacts;
use crate::compare::comparison::Comparison;
use crate::compare::error::beyond;
use crate::compare::pair::result::Missing;
use crate::compare::read::audits::Caution;
use crate::error::{Defect, Result};
use crate::score::ledger::read_accounts;
use crate::score::manifest::Manifest;

/// A comparison, reduced to what rules are held against.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct View {
    /// The options of the comparison.
    pub(super) signature: String,
    /// What became of the rows.
    pub(super) ledger: Vec<LedgerLine>,
    /// Every metric in every experiment.
    pub(super) summary: Vec<SummaryLine>,
    /// Every metric for every pair.
    pub(super) pairs: Vec<PairLine>,
    /// Experiments whose logs were found wanting when they were scored.
    #[serde(default)]
    pub(super) cautions: Vec<Caution>,
    /// Units of headline metrics that were scored, and those that count, as the folder of the scores booked them.
    #[serde(skip)]
    pub(super) booked: Option<(u64, u64)>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct LedgerLine {
    #[serde(flatten)]
    pub(super) name: Name,
    pub(super) experiment: String,
    pub(super) scored: u64,
    pub(super) undefined: BTreeMap<String, u64>,
    pub(super) excluded: BTreeMap<String, u64>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct SummaryLine {
    #[serde(flatten)]
    pub(super) name: Name,
    pub(super) experiment: String,
    pub(super) n_units: u64,
    pub(super) mean: Option<f64>,
    pub(super) median: Option<f64>,
    pub(super) min: Option<f64>,
    pub(super) max: Option<f64>,
    pub(super) ci_lo: Option<f64>,
    pub(super) ci_hi: Option<f64>,
    pub(super) reason: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct PairLine {
    #[serde(flatten)]
    pub(super) name: Name,
    pub(super) baseline: String,
    pub(super) experiment: String,
    pub(super) diff: Option<f64>,
    pub(super) ci: Ends,
    /// Bounds over values that one side lacks.
    #[serde(default)]
    pub(super) missing: Option<Ends>,
    pub(super) mean_baseline: Option<f64>,
    pub(super) mean_experiment: Option<f64>,
    pub(super) direction: String,
    pub(super) verdict: String,
    pub(super) reason: Option<String>,
    pub(super) p: Option<f64>,
    pub(super) log10_p: Option<f64>,
    pub(super) p_adj: Option<f64>,
    pub(super) log10_p_adj: Option<f64>,
    pub(super) n_baseline: u64,
    pub(super) n_experiment: u64,
    pub(super) n_pairs: Option<u64>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(super) struct Ends {
    pub(super) lo: Option<f64>,
    pub(super) hi: Option<f64>,
}

/// A metric with its suite.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name {
    pub(super) suite: Option<String>,
    pub(super) metric: String,
}

impl Name {
    pub(super) fn full(&self) -> String {
        self.suite.as_ref().map_or_else(|| self.metric.clone(), |suite| format!("{suite}.{}", self.metric))
    }

    pub(super) fn is_called(&self, name: &str) -> bool {
        self.metric.eq_ignore_ascii_case(name) || self.suite.is_some() && self.full().eq_ignore_ascii_case(name)
    }
}

impl Ends {
    fn mirrored(self) -> Ends {
        Ends { lo: self.hi.map(|x| -x), hi: self.lo.map(|x| -x) }
    }
}

impl SummaryLine {
    pub(super) fn interval(&self) -> Option<(f64, f64)> {
        self.ci_lo.zip(self.ci_hi)
    }
}

impl PairLine {
    /// Gives a comparison that has names and nothing else yet.
    pub(super) fn between(name: Name, experiment: &str, baseline: &str) -> PairLine {
        PairLine { name, baseline: baseline.to_string(), experiment: experiment.to_string(), ..PairLine::default() }
    }

    /// Gives the pairs, or the units of the smaller side.
    pub(super) fn n(&self) -> u64 {
        self.n_pairs.unwrap_or(self.n_baseline.min(self.n_experiment))
    }

    pub(super) fn interval(&self) -> Option<(f64, f64)> {
        self.ci.lo.zip(self.ci.hi)
    }

    /// Gives the size of what was compared, beside which noise is judged.
    pub(super) fn scale(&self) -> f64 {
        [self.mean_baseline, self.mean_experiment]
            .into_iter()
            .flatten()
            .fold(0.0, |size: f64, mean| size.max(mean.abs()))
    }

    /// Tells whether values that one side lacks could turn the difference round.
    pub(super) fn could_turn(&self) -> bool {
        let bounds = self.missing.and_then(|m| Some(Missing { lo: m.lo?, hi: m.hi? }));
        match (bounds, self.diff, self.interval()) {
            (Some(missing), Some(diff), Some(interval)) => missing.could_turn(diff, interval),
            _ => false,
        }
    }

    /// Gives the interval with its ends moved by what the missing values allow; the interval itself where none are missing.
    pub(super) fn widened(&self) -> Option<(f64, f64)> {
        let bounds = self.missing.and_then(|m| Some(Missing { lo: m.lo?, hi: m.hi? }));
        match (bounds, self.diff, self.interval()) {
            (Some(missing), Some(diff), Some(interval)) => Some(missing.widened(diff, interval)),
            (_, _, interval) => interval,
        }
    }

    /// Gives the same comparison with the roles exchanged.
    pub(super) fn exchanged(&self) -> PairLine {
        let verdict = match self.verdict.as_str() {
            "better" => "worse",
            "worse" => "better",
            "higher" => "lower",
            "lower" => "higher",
            other => other,
        };
        PairLine {
            baseline: self.experiment.clone(),
            experiment: self.baseline.clone(),
            diff: self.diff.map(|d| -d),
            ci: self.ci.mirrored(),
            missing: self.missing.map(Ends::mirrored),
            mean_baseline: self.mean_experiment,
            mean_experiment: self.mean_baseline,
            verdict: verdict.to_string(),
            n_baseline: self.n_experiment,
            n_experiment: self.n_baseline,
            ..self.clone()
        }
    }
}

impl View {
    /// Gives the view of a fresh comparison.
    pub(super) fn of(comparison: &Comparison) -> Result<View> {
        let json = serde_json::to_string(comparison).map_err(|_| beyond())?;
        View::read(&json)
    }

    /// Reads `comparison.json`.
    pub(super) fn read(json: &str) -> Result<View> {
        let broken = |error: serde_json::Error| {
            Defect::new("not_a_comparison", "a comparison written by verism").value(error.to_string())
        };
        Ok(serde_json::from_str(json).map_err(broken)?)
    }

    /// Whether the metric that a rule names is here.
    pub(super) fn knows(&self, rule: &Rule) -> bool {
        let has = |name: &str| self.ledger.iter().any(|line| line.name.is_called(name));
        match &rule.demand {
            Demand::Coverage(_) => true,
            Demand::Metric { name, .. } => has(name) || has(split_statistic(name).0),
            Demand::Against { name, .. } => has(name),
        }
    }

    /// Adds what the scores' own ledger says of coverage: it also knows what was excluded before there was a row.
    pub(super) fn with_ledger(self, manifest: &Manifest) -> Result<View> {
        let broken = |error: serde_json::Error| {
            Defect::new("not_a_result", "a ledger with accounts of metrics").value(error.to_string())
        };
        let accounts = read_accounts(manifest.ledger.get()).map_err(broken)?;
        let facts = SuiteFacts::of(&manifest.suite).unwrap_or_default();
        let headline = |id: &str| facts.metric(id).is_some_and(|metric| metric.headline);
        let parts = accounts
            .iter()
            .filter(|booked| headline(&booked.metric))
            .map(|booked| booked.account.coverage(facts.optional_fields));
        let booked = parts.fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
        Ok(View { booked: Some(booked), ..self })
    }

    /// Gives the comparison of two experiments on a metric, in whichever order it is here.
    pub(super) fn pair(&self, metric: &Name, experiment: &str, baseline: &str) -> Option<PairLine> {
        let own = self.pairs.iter().filter(|pair| pair.name == *metric);
        own.into_iter().find_map(|pair| match (pair.experiment.as_str(), pair.baseline.as_str()) {
            (x, b) if (x, b) == (experiment, baseline) => Some(pair.clone()),
            (x, b) if (x, b) == (baseline, experiment) => Some(pair.exchanged()),
            _ => None,
        })
    }

    /// Gives the comparisons of a metric, as `B v A`.
    pub(super) fn pair_names(&self, metric: &Name) -> Vec<String> {
        let own = self.pairs.iter().filter(|pair| pair.name == *metric);
        own.map(|pair| format!("{} v {}", pair.experiment, pair.baseline)).collect()
    }

    /// Gives an option's value as the signature has it.
    pub(super) fn option(&self, name: &str) -> Option<&str> {
        self.signature.split('|').filter_map(|part| part.rsplit_once(':')).find(|(key, _)| *key == name).map(|(_, v)| v)
    }

    /// Gives the level of the tests.
    pub(super) fn alpha(&self) -> f64 {
        self.option("alpha").and_then(|alpha| alpha.parse().ok()).unwrap_or(0.05)
    }

    /// Gives the smallest effect of interest of a metric, as the signature names it; 0 where it names none.
    pub(super) fn sesoi(&self, name: &Name) -> f64 {
        let options: Vec<(&str, &str)> = self.signature.split('|').filter_map(|part| part.rsplit_once(':')).collect();
        let value = |key: &str| options.iter().find(|(k, _)| *k == key).and_then(|(_, v)| v.parse().ok());
        let own = value(&format!("sesoi.{}", name.full())).or_else(|| value(&format!("sesoi.{}", name.metric)));
        own.or_else(|| value("sesoi")).unwrap_or(0.0)
    }
}
