//! A comparison as far as the gate needs it: fresh, or read back from `comparison.json`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::rule::{Demand, Rule, split_statistic};
use crate::compare::choose::facts::SuiteFacts;
use crate::compare::comparison::Comparison;
use crate::compare::error::beyond;
use crate::error::{Defect, Result};
use crate::score::ledger::Account;
use crate::score::manifest::Manifest;

/// A comparison, reduced to what rules are held against.
#[derive(Clone, Debug, Deserialize)]
pub struct View {
    /// The options of the comparison.
    pub signature: String,
    /// What became of the rows.
    pub ledger: Vec<LedgerLine>,
    /// Every metric in every experiment.
    pub summary: Vec<SummaryLine>,
    /// Every metric for every pair.
    pub pairs: Vec<PairLine>,
    /// Units of headline metrics that were scored, and those that count, as the folder of the scores booked them.
    #[serde(skip)]
    pub booked: Option<(u64, u64)>,
}

/// The part of a ledger that has the accounts of metrics: by id, or as a list, as the suite's specification has it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Accounts {
    ById { metrics: BTreeMap<String, Account> },
    List(Vec<ListedAccount>),
}

#[derive(Deserialize)]
struct ListedAccount {
    metric: String,
    #[serde(flatten)]
    account: Account,
}

impl Accounts {
    fn into_pairs(self) -> Vec<(String, Account)> {
        match self {
            Accounts::ById { metrics } => metrics.into_iter().collect(),
            Accounts::List(list) => list.into_iter().map(|entry| (entry.metric, entry.account)).collect(),
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
pub struct LedgerLine {
    #[serde(flatten)]
    pub name: Name,
    pub experiment: String,
    pub scored: u64,
    pub undefined: BTreeMap<String, u64>,
    pub excluded: BTreeMap<String, u64>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct SummaryLine {
    #[serde(flatten)]
    pub name: Name,
    pub experiment: String,
    pub n_units: u64,
    pub mean: Option<f64>,
    pub median: Option<f64>,
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub ci_lo: Option<f64>,
    pub ci_hi: Option<f64>,
    pub reason: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct PairLine {
    #[serde(flatten)]
    pub name: Name,
    pub baseline: String,
    pub experiment: String,
    pub diff: Option<f64>,
    pub ci: Ends,
    pub direction: String,
    pub verdict: String,
    pub reason: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Ends {
    pub lo: Option<f64>,
    pub hi: Option<f64>,
}

/// A metric with its suite.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    pub suite: Option<String>,
    pub metric: String,
}

impl Name {
    pub fn full(&self) -> String {
        self.suite.as_ref().map_or_else(|| self.metric.clone(), |suite| format!("{suite}.{}", self.metric))
    }

    pub fn is_called(&self, name: &str) -> bool {
        self.metric.eq_ignore_ascii_case(name) || self.suite.is_some() && self.full().eq_ignore_ascii_case(name)
    }
}

/// Without spread the point is the interval.
fn interval(lo: Option<f64>, hi: Option<f64>, point: Option<f64>, reason: Option<&str>) -> Option<(f64, f64)> {
    let constant = matches!(reason, Some("zero_variance" | "identical"));
    lo.zip(hi).or_else(|| point.filter(|_| constant).map(|x| (x, x)))
}

impl SummaryLine {
    pub fn interval(&self) -> Option<(f64, f64)> {
        interval(self.ci_lo, self.ci_hi, self.mean, self.reason.as_deref())
    }
}

impl PairLine {
    pub fn interval(&self) -> Option<(f64, f64)> {
        interval(self.ci.lo, self.ci.hi, self.diff, self.reason.as_deref())
    }

    /// Gives the same comparison with the roles exchanged.
    pub fn exchanged(&self) -> PairLine {
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
            ci: Ends { lo: self.ci.hi.map(|x| -x), hi: self.ci.lo.map(|x| -x) },
            verdict: verdict.to_string(),
            ..self.clone()
        }
    }
}

impl View {
    /// Gives the view of a fresh comparison.
    pub fn of(comparison: &Comparison) -> Result<View> {
        let json = serde_json::to_string(comparison).map_err(|_| beyond())?;
        View::read(&json)
    }

    /// Reads `comparison.json`.
    pub fn read(json: &str) -> Result<View> {
        let broken = |error: serde_json::Error| {
            Defect::new("not_a_comparison", "a comparison written by verism").value(error.to_string())
        };
        Ok(serde_json::from_str(json).map_err(broken)?)
    }

    /// Whether the metric that a rule names is here.
    pub fn knows(&self, rule: &Rule) -> bool {
        let has = |name: &str| self.ledger.iter().any(|line| line.name.is_called(name));
        match &rule.demand {
            Demand::Coverage(_) => true,
            Demand::Metric { name, .. } => has(name) || has(split_statistic(name).0),
            Demand::Against { name, .. } => has(name),
        }
    }

    /// Adds what the scores' own ledger says of coverage: it also knows what was excluded before there was a row.
    pub fn with_ledger(self, manifest: &Manifest) -> Result<View> {
        let broken = |error: serde_json::Error| {
            Defect::new("not_a_result", "a ledger with accounts of metrics").value(error.to_string())
        };
        let accounts: Accounts = serde_json::from_str(manifest.ledger.get()).map_err(broken)?;
        let facts = SuiteFacts::of(&manifest.suite).unwrap_or_default();
        let headline = |id: &str| facts.metric(id).is_some_and(|metric| metric.headline);
        let accounts = accounts.into_pairs();
        let parts = accounts.iter().filter(|(id, _)| headline(id)).map(|(_, account)| account.coverage());
        let booked = parts.fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
        Ok(View { booked: Some(booked), ..self })
    }

    /// Gives the smallest effect of interest of a metric, as the signature names it; 0 where it names none.
    pub fn sesoi(&self, name: &Name) -> f64 {
        let options: Vec<(&str, &str)> = self.signature.split('|').filter_map(|part| part.rsplit_once(':')).collect();
        let value = |key: &str| options.iter().find(|(k, _)| *k == key).and_then(|(_, v)| v.parse().ok());
        let own = value(&format!("sesoi.{}", name.full())).or_else(|| value(&format!("sesoi.{}", name.metric)));
        own.or_else(|| value("sesoi")).unwrap_or(0.0)
    }
}
