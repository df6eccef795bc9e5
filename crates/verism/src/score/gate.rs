//! Rules that a result passes or fails.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::ledger::Account;
use super::manifest::Manifest;
use crate::error::{Defect, Result};
use crate::stats::summary::Summary;
use crate::suites::{Metric, suite};

/// What is held against the bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Statistic {
    Mean,
    Median,
    Min,
    Max,
    Coverage,
}

const STATISTICS: [(&str, Statistic); 5] = [
    ("mean", Statistic::Mean),
    ("median", Statistic::Median),
    ("min", Statistic::Min),
    ("max", Statistic::Max),
    ("coverage", Statistic::Coverage),
];

/// A comparison with a number.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bound {
    AtLeast(f64),
    AtMost(f64),
    Above(f64),
    Below(f64),
}

impl Bound {
    fn holds(self, x: f64) -> bool {
        match self {
            Bound::AtLeast(bound) => x >= bound,
            Bound::AtMost(bound) => x <= bound,
            Bound::Above(bound) => x > bound,
            Bound::Below(bound) => x < bound,
        }
    }
}

/// What a rule is about.
#[derive(Clone, Debug, PartialEq)]
enum Subject {
    /// Coverage of all headline metrics together.
    Coverage,
    /// A statistic of a metric of a suite, in every experiment or in one.
    Metric { suite: String, metric: String, statistic: Statistic, experiment: Option<String> },
}

/// A rule such as `adaptation.r_h.mean <= 0.05`, `adaptation.r_r.max@gemma/Group_A < 0.1` or `coverage >= 0.95`.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    text: String,
    subject: Subject,
    bound: Bound,
}

impl Rule {
    /// Reads a rule.
    pub fn parse(text: &str) -> std::result::Result<Rule, Defect> {
        let wrong = |expected: &str| {
            let hint = "rules look like 'adaptation.r_h.mean <= 0.05', 'adaptation.r_r.max@gemma/Group_A <= 0.1' or \
                        'coverage >= 0.95'; statistics are mean, median, min, max, coverage";
            Defect::new("bad_rule", expected).field("rule").value(text).hint(hint)
        };
        let signs = [">=", "<=", ">", "<"];
        let found = signs
            .iter()
            .filter_map(|sign| Some((text.rfind(sign)?, *sign)))
            .min_by_key(|(at, sign)| (*at, 2 - sign.len()));
        let (at, sign) = found.ok_or_else(|| wrong("one of >= <= > <"))?;
        let (left, right) = (text[..at].trim(), text[at + sign.len()..].trim());
        let number =
            right.parse::<f64>().ok().filter(|x| x.is_finite()).ok_or_else(|| wrong("a number after the sign"))?;
        let bound = match sign {
            ">=" => Bound::AtLeast(number),
            "<=" => Bound::AtMost(number),
            ">" => Bound::Above(number),
            _ => Bound::Below(number),
        };
        if left == "coverage" {
            return Ok(Rule { text: text.to_string(), subject: Subject::Coverage, bound });
        }
        let (name, experiment) =
            left.split_once('@').map_or((left, None), |(name, experiment)| (name, Some(experiment)));
        let mut parts = name.split('.');
        let (Some(suite), Some(metric)) = (parts.next(), parts.next()) else {
            return Err(wrong("suite.metric.statistic"));
        };
        let statistic = parts.next().and_then(|name| STATISTICS.iter().find(|(known, _)| *known == name));
        let (Some((_, statistic)), None) = (statistic, parts.next()) else {
            return Err(wrong("suite.metric.statistic with one of mean, median, min, max, coverage"));
        };
        let subject = Subject::Metric {
            suite: suite.to_string(),
            metric: metric.to_lowercase(),
            statistic: *statistic,
            experiment: experiment.map(String::from),
        };
        Ok(Rule { text: text.to_string(), subject, bound })
    }
}

/// Whether a rule holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It holds.
    Pass,
    /// It does not.
    Fail,
}

/// A rule held against one experiment.
#[derive(Debug, Serialize)]
pub struct Finding {
    /// The rule as given.
    pub rule: String,
    /// The experiment; none for a rule about all.
    pub experiment: Option<String>,
    /// What was held against the bound; none if there is nothing to hold.
    pub value: Option<f64>,
    /// How many values it rests on.
    pub n: u64,
    /// Whether the rule holds.
    pub verdict: Verdict,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.verdict == Verdict::Pass { "pass" } else { "FAIL" };
        write!(f, "{verdict}  {}", self.rule)?;
        if let Some(experiment) = &self.experiment {
            write!(f, "  {experiment}")?;
        }
        match self.value {
            Some(value) => write!(f, "  is {value:.6} (n = {})", self.n),
            None => write!(f, "  has no value"),
        }
    }
}

/// A score row as far as rules need it.
#[derive(Deserialize)]
struct ScoreLine {
    metric: String,
    experiment: String,
    level: String,
    value: Option<f64>,
    undefined: Option<String>,
}

/// The part of a ledger that has the accounts of metrics.
#[derive(Deserialize)]
struct Accounts {
    metrics: BTreeMap<String, Account>,
}

/// Holds rules against a result. A rule without anything to hold it against fails.
pub fn judge(folder: &Path, manifest: &Manifest, rules: &[Rule]) -> Result<Vec<Finding>> {
    let metrics = suite(&manifest.suite)?.facts().metrics;
    let lines = read_scores(folder)?;
    let mut findings = vec![];
    for rule in rules {
        match &rule.subject {
            Subject::Coverage => findings.push(coverage(manifest, metrics, rule)?),
            Subject::Metric { suite, metric, statistic, experiment } => {
                if *suite != manifest.suite {
                    return Err(Defect::new("bad_rule", &manifest.suite).field("rule").value(suite).into());
                }
                let level = metrics.iter().find(|known| known.describes(metric)).map(|known| known.level);
                let mine =
                    lines.iter().filter(|line| line.metric == *metric && level.is_none_or(|level| line.level == level));
                let mut by_experiment: BTreeMap<&str, Vec<&ScoreLine>> = BTreeMap::new();
                for line in mine.filter(|line| experiment.as_ref().is_none_or(|wanted| line.experiment == *wanted)) {
                    by_experiment.entry(&line.experiment).or_default().push(line);
                }
                if by_experiment.is_empty() {
                    let what = experiment.as_ref().map_or(metric.clone(), |e| format!("{metric}@{e}"));
                    let hint = "scores.jsonl lists the metrics and experiments of this folder";
                    return Err(Defect::new("unknown_metric", "a metric of this folder")
                        .field("rule")
                        .value(what)
                        .hint(hint)
                        .into());
                }
                for (experiment, lines) in by_experiment {
                    let (value, n) = reduce(*statistic, &lines);
                    let holds = value.is_some_and(|value| rule.bound.holds(value));
                    findings.push(Finding {
                        rule: rule.text.clone(),
                        experiment: Some(experiment.to_string()),
                        value,
                        n,
                        verdict: if holds { Verdict::Pass } else { Verdict::Fail },
                    });
                }
            }
        }
    }
    Ok(findings)
}

fn reduce(statistic: Statistic, lines: &[&ScoreLine]) -> (Option<f64>, u64) {
    let values: Vec<f64> = lines.iter().filter_map(|line| line.value).collect();
    if statistic == Statistic::Coverage {
        let mut account = Account::default();
        for line in lines {
            let reason = line.undefined.clone().unwrap_or_default();
            match line.value {
                Some(value) => account.book(&Ok(value)),
                None => {
                    account.total += 1;
                    *account.undefined.entry(reason).or_default() += 1;
                }
            }
        }
        let (scored, of) = account.coverage();
        return ((of > 0).then(|| scored as f64 / of as f64), of);
    }
    let value = Summary::of(&values).map(|summary| match statistic {
        Statistic::Mean | Statistic::Coverage => summary.mean,
        Statistic::Median => summary.median,
        Statistic::Min => summary.min,
        Statistic::Max => summary.max,
    });
    (value, values.len() as u64)
}

/// Scored units of all headline metrics over those that count.
fn coverage(manifest: &Manifest, metrics: &[Metric], rule: &Rule) -> Result<Finding> {
    let accounts: Accounts = serde_json::from_str(manifest.ledger.get())
        .map_err(|error| Defect::new("not_a_result", "a ledger with accounts of metrics").value(error.to_string()))?;
    // The first entry that describes an id is the one that counts: `h_norm_*_mean` comes before `h_norm_*`.
    let headline = |id: &str| metrics.iter().find(|metric| metric.describes(id)).is_some_and(|metric| metric.headline);
    let sums = accounts.metrics.iter().filter(|(id, _)| headline(id)).map(|(_, account)| account.coverage());
    let (scored, of) = sums.fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
    let value = (of > 0).then(|| scored as f64 / of as f64);
    let holds = value.is_some_and(|value| rule.bound.holds(value));
    let verdict = if holds { Verdict::Pass } else { Verdict::Fail };
    Ok(Finding { rule: rule.text.clone(), experiment: None, value, n: of, verdict })
}

fn read_scores(folder: &Path) -> Result<Vec<ScoreLine>> {
    let path = folder.join("scores.jsonl");
    let broken = |error: String| {
        Defect::new("not_a_result", "score rows written by verism").file(path.display().to_string()).value(error)
    };
    let file = File::open(&path).map_err(|error| broken(error.to_string()))?;
    let mut lines = vec![];
    for line in BufReader::new(file).lines() {
        let line = line.map_err(|error| broken(error.to_string()))?;
        lines.push(serde_json::from_str(&line).map_err(|error| broken(error.to_string()))?);
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read() {
        let rule = Rule::parse("adaptation.R_H.mean@m1/Group_A <= 0.05").expect("a rule");
        assert_eq!(rule.bound, Bound::AtMost(0.05));
        let Subject::Metric { metric, experiment, statistic, .. } = rule.subject else { panic!("a metric") };
        assert_eq!((metric.as_str(), experiment.as_deref(), statistic), ("r_h", Some("m1/Group_A"), Statistic::Mean));
        assert_eq!(Rule::parse("coverage>=0.95").expect("a rule").subject, Subject::Coverage);
    }

    #[test]
    fn what_is_no_rule_is_refused() {
        for text in ["", "r_h", "r_h <= x", "adaptation.r_h.mode <= 1", "adaptation.r_h <= nan", "a.b.mean.x > 1"] {
            assert_eq!(Rule::parse(text).expect_err(text).code, "bad_rule");
        }
    }
}
