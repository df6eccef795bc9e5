//! Validity: do metrics agree with labels? Spearman's correlation with a bootstrap interval.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::stats::bootstrap::{Correlation, Method, Settings, bootstrap_correlation};
use crate::stats::reason::Reason;
use crate::stats::spearman::spearman;

/// A metric's value beside a label of the same dialogue or turn.
#[derive(Clone, Debug)]
pub(crate) struct Pair<'a> {
    /// `dialogue` or `turn`.
    pub(crate) level: &'static str,
    pub(crate) metric: &'a str,
    /// Who gave the label: `human` or `judge`.
    pub(crate) source: &'static str,
    /// What the label is about.
    pub(crate) aspect: &'a str,
    pub(crate) experiment: &'a str,
    pub(crate) case: &'a str,
    /// The metric's value, if it is defined.
    pub(crate) value: Option<f64>,
    /// The label, if it is in range.
    pub(crate) label: Option<f64>,
}

/// How a metric agrees with a label.
#[derive(Clone, Debug, Serialize)]
pub struct Agreement {
    /// The metric.
    pub metric: String,
    /// Who gave the label: `human` or `judge`.
    pub source: String,
    /// What the label is about.
    pub aspect: String,
    /// `dialogue` or `turn`.
    pub level: &'static str,
    /// `pooled` or `experiment`.
    pub scope: &'static str,
    /// The experiment, if it is one.
    pub experiment: Option<String>,
    /// How many pairs.
    pub n: usize,
    /// Spearman's ρ.
    pub rho: Option<f64>,
    /// Its p-value.
    pub p: Option<f64>,
    /// Lower end of the interval.
    pub ci_lo: Option<f64>,
    /// Upper end of the interval.
    pub ci_hi: Option<f64>,
    /// Why something is missing.
    pub reason: Option<Reason>,
}

/// The levels in their order.
const LEVELS: [&str; 2] = ["dialogue", "turn"];

/// The metrics that turns have.
pub(crate) const TURN_METRICS: [&str; 4] = ["cc", "cr", "i", "tas"];

/// Correlates each metric with each label: at the level of dialogues, then of turns; pooled, then for each experiment if
/// there are several. Pairs stand in the order of dialogues. Where a case has several pairs whole cases are resampled
/// and there is no p-value.
pub(crate) fn agreements(
    pairs: &[Pair<'_>],
    metrics: &[String],
    experiments: &BTreeSet<&str>,
    resamples: u64,
    seed: u64,
) -> Vec<Agreement> {
    let mut groups: BTreeMap<(&str, &str, &str, &str), Vec<&Pair<'_>>> = BTreeMap::new();
    for pair in pairs {
        groups.entry((pair.level, pair.metric, pair.source, pair.aspect)).or_default().push(pair);
    }
    let scopes = || [None].into_iter().chain(experiments.iter().map(Some).filter(|_| experiments.len() > 1));
    let mut out = vec![];
    for level in LEVELS {
        let of_level = pairs.iter().filter(|pair| pair.level == level);
        let names: BTreeSet<(&str, &str)> = of_level.map(|pair| (pair.source, pair.aspect)).collect();
        for metric in metrics.iter().filter(|metric| level == "dialogue" || TURN_METRICS.contains(&metric.as_str())) {
            for (source, aspect) in &names {
                let all = groups.get(&(level, metric.as_str(), source, aspect)).map_or(&[][..], Vec::as_slice);
                for scope in scopes() {
                    let mine: Vec<&Pair<'_>> =
                        all.iter().filter(|pair| scope.is_none_or(|name| pair.experiment == *name)).copied().collect();
                    out.push(Agreement {
                        metric: metric.clone(),
                        source: source.to_string(),
                        aspect: aspect.to_string(),
                        level,
                        scope: if scope.is_none() { "pooled" } else { "experiment" },
                        experiment: scope.map(|name| name.to_string()),
                        ..agreement(&mine, resamples, seed)
                    });
                }
            }
        }
    }
    out
}

/// The agreement of some pairs.
fn agreement(pairs: &[&Pair<'_>], resamples: u64, seed: u64) -> Agreement {
    let whole: Vec<(f64, f64, &str)> =
        pairs.iter().filter_map(|pair| Some((pair.value?, pair.label?, pair.case))).collect();
    let x: Vec<f64> = whole.iter().map(|pair| pair.0).collect();
    let y: Vec<f64> = whole.iter().map(|pair| pair.1).collect();
    let cases: Vec<&str> = whole.iter().map(|pair| pair.2).collect();
    let repeated = cases.iter().collect::<BTreeSet<_>>().len() < cases.len();
    let test = spearman(&x, &y, resamples, seed);
    let mut out = Agreement {
        metric: String::new(),
        source: String::new(),
        aspect: String::new(),
        level: "",
        scope: "",
        experiment: None,
        n: x.len(),
        rho: test.rho,
        p: test.p,
        ci_lo: None,
        ci_hi: None,
        reason: test.reason,
    };
    if out.rho.is_none() {
        return out;
    }
    if repeated {
        (out.p, out.reason) = (None, Some(Reason::RepeatedCases));
    }
    if resamples > 0 {
        let settings = Settings { method: Method::Percentile, resamples, seed, alpha: 0.05 };
        let clusters = repeated.then_some(cases.as_slice());
        let interval = bootstrap_correlation(Correlation::Spearman, &x, &y, clusters, 0, &settings);
        (out.ci_lo, out.ci_hi) = (interval.lo, interval.hi);
        out.reason = out.reason.or(interval.reason);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair<'a>(experiment: &'a str, case: &'a str, value: f64, label: f64) -> Pair<'a> {
        let (level, metric, source, aspect) = ("dialogue", "tas", "human", "fun");
        Pair { level, metric, source, aspect, experiment, case, value: Some(value), label: Some(label) }
    }

    #[test]
    fn cases_that_repeat_are_resampled_whole() {
        let pairs =
            [pair("a", "1", 0.1, 1.0), pair("a", "2", 0.2, 2.0), pair("b", "1", 0.3, 4.0), pair("b", "2", 0.4, 3.0)];
        let found = agreements(&pairs, &["tas".to_string(), "cc".to_string()], &BTreeSet::from(["a", "b"]), 99, 1);
        let told: Vec<(&str, &str, usize)> = found.iter().map(|row| (row.metric.as_str(), row.scope, row.n)).collect();
        let expected = [
            ("tas", "pooled", 4),
            ("tas", "experiment", 2),
            ("tas", "experiment", 2),
            ("cc", "pooled", 0),
            ("cc", "experiment", 0),
            ("cc", "experiment", 0),
        ];
        assert_eq!(told, expected);
        // By hand: ranks 1 2 3 4 against 1 2 4 3, ρ = 1 - 6·2/(4·15) = 0.8.
        assert!((found[0].rho.expect("a value") - 0.8).abs() < 1e-12);
        assert_eq!((found[0].p, found[0].reason), (None, Some(Reason::RepeatedCases)));
        assert_eq!(found[1].reason, Some(Reason::FewerThanThree));
    }
}
