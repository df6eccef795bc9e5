//! The end of a comparison: correction for the whole grid, then the verdicts.

use std::collections::BTreeMap;

use crate::compare::options::{Family, Options};
use crate::compare::pair::result::Pair;
use crate::stats::adjust::{adjust, is_below};
use crate::stats::verdict::{Evidence, Verdict, decide};

/// Adjusts the p-values of every family and decides each pair; `sesoi` holds each pair's smallest effect of interest.
pub(crate) fn conclude(pairs: &mut [Pair], sesoi: &[f64], options: &Options) {
    let mut families: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for (i, pair) in pairs.iter().enumerate() {
        let key = match options.family {
            Family::All => (String::new(), String::new()),
            Family::Metric => (pair.suite.clone().unwrap_or_default(), pair.metric.clone()),
            Family::Pair => (pair.baseline.clone(), pair.experiment.clone()),
        };
        families.entry(key).or_default().push(i);
    }
    for members in families.values() {
        let p: Vec<Option<f64>> = members.iter().map(|i| pairs[*i].p).collect();
        let log10_p: Vec<Option<f64>> = members.iter().map(|i| pairs[*i].log10_p).collect();
        let adjusted = adjust(&p, &log10_p, options.adjust);
        for (k, i) in members.iter().enumerate() {
            (pairs[*i].p_adj, pairs[*i].log10_p_adj) = (adjusted.p_adj[k], adjusted.log10_p_adj[k]);
        }
    }
    for (pair, sesoi) in pairs.iter_mut().zip(sesoi) {
        decide_pair(pair, *sesoi, options.alpha);
    }
}

fn decide_pair(pair: &mut Pair, sesoi: f64, alpha: f64) {
    // A p-value below 1e-300 is as small as the decision needs.
    let p_adj = pair.p_adj.or(pair.log10_p_adj.map(|_| 0.0));
    let decision = decide(&Evidence {
        diff: pair.diff,
        interval: pair.ci.lo.zip(pair.ci.hi),
        p_adj,
        sesoi,
        equivalent: pair.tost.as_ref().and_then(|t| t.equivalent),
        direction: pair.direction,
        alpha,
        reason: pair.reason,
    });
    (pair.verdict, pair.magnitude) = (decision.verdict, decision.magnitude);
    let alone = pair.p.map_or(pair.log10_p.is_some(), |p| p < alpha);
    let together = p_adj.is_some_and(|p| is_below(p, alpha));
    if pair.verdict == Verdict::Inconclusive && alone && !together {
        pair.flags.push("lost_to_multiplicity");
    }
}
