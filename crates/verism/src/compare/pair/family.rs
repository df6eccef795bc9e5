//! The end of a comparison: correction for the whole grid, then the verdicts.

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::flag::Flag;
use super::one_pair::Pending;
use crate::compare::options::{Family, Options};
use crate::compare::pair::result::{Pair, PairTost};
use crate::stats::adjust::{Method, adjust, is_below};
use crate::stats::equivalence::{Tost, tost};
use crate::stats::inference::Ends;
use crate::stats::margin::Margin;
use crate::stats::power::{noncentrality_for, required_n};
use crate::stats::verdict::{Evidence, Magnitude, Verdict, decide};

/// Corrects whatever is said of every family and decides each pair; `rest` holds what is still to be done for each.
///
/// p-values, tests of equivalence and tests of relevance are corrected each among themselves. Plans (`mde`, `n_required`) are made
/// for the level at which the smallest of the family's p-values is judged: α/m, or α where nothing is corrected.
pub(crate) fn conclude(pairs: &mut [Pair], rest: &[Pending], options: &Options) {
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
        let planned = match options.adjust {
            Method::None => options.alpha,
            _ => options.alpha / adjusted.m.max(1) as f64,
        };
        let against = |test: fn(&Ends, f64, f64) -> Option<f64>| {
            let p = |i: &usize| {
                (rest[*i].sesoi > 0.0).then(|| test(&rest[*i].ends, rest[*i].sesoi, rest[*i].scale)).flatten()
            };
            let p: Vec<Option<f64>> = members.iter().map(p).collect();
            // A p-value of 0 is one that underflowed.
            let p: Vec<Option<f64>> = p.into_iter().map(|p| p.map(|p| p.max(1e-300))).collect();
            (adjust(&p, &[], options.adjust).p_adj, p)
        };
        let (within_adj, within) = against(Ends::p_within);
        let (beyond_adj, _) = against(Ends::p_beyond);
        let found = noncentralities(members.iter().map(|i| &rest[*i]), planned, options.power);
        for (k, i) in members.iter().enumerate() {
            let (pair, rest) = (&mut pairs[*i], &rest[*i]);
            (pair.p_adj, pair.log10_p_adj) = (adjusted.p_adj[k], adjusted.log10_p_adj[k]);
            plan(pair, rest, planned, &found, options);
            if rest.sesoi > 0.0 && (rest.tested || within[k].is_some()) {
                pair.tost = Some(equivalence(pair, rest, within[k], within_adj[k], options.alpha));
            }
            decide_pair(pair, rest, beyond_adj[k], options.alpha);
        }
    }
}

/// The noncentrality that is found with the power asked for, by degrees of freedom: most pairs of a family share theirs.
fn noncentralities<'a>(members: impl Iterator<Item = &'a Pending>, alpha: f64, power: f64) -> FxHashMap<u64, f64> {
    let mut df: Vec<u64> =
        members.filter(|rest| rest.tested).filter_map(|rest| rest.planning_df).map(f64::to_bits).collect();
    df.sort_unstable();
    df.dedup();
    let of = |bits: u64| {
        (f64::from_bits(bits) >= 1.0).then(|| (bits, noncentrality_for(power, f64::from_bits(bits), alpha)))
    };
    df.into_par_iter().filter_map(of).collect::<Vec<(u64, f64)>>().into_iter().collect()
}

/// What the comparison would have found, and what it would take, at the level of the family.
fn plan(pair: &mut Pair, rest: &Pending, alpha: f64, found: &FxHashMap<u64, f64>, options: &Options) {
    if !rest.tested {
        return;
    }
    if let (Some(se), Some(df)) = (pair.se, rest.planning_df) {
        pair.mde = found.get(&df.to_bits()).map(|ncp| ncp * se);
    }
    if let Some(sd) = rest.planning_sd.filter(|_| rest.sesoi > 0.0) {
        pair.n_required = required_n(pair.n_pairs.is_some(), rest.sesoi / sd, alpha, options.power).n;
    }
}

fn equivalence(pair: &Pair, rest: &Pending, p: Option<f64>, p_adj: Option<f64>, alpha: f64) -> PairTost {
    let mut test = match (&rest.ends, pair.diff) {
        (Ends::T { diff, se, df, .. }, _) => tost(rest.sesoi, *diff, *se, *df, alpha),
        (ends, diff) => Tost::of_ends(diff, p, ends.one_sided(alpha), pair.reason),
    };
    test.equivalent = p_adj.map(|p| is_below(p, alpha));
    PairTost { test, p_adj }
}

fn decide_pair(pair: &mut Pair, rest: &Pending, beyond: Option<f64>, alpha: f64) {
    // A p-value below 1e-300 is as small as the decision needs.
    let p_adj = pair.p_adj.or(pair.log10_p_adj.map(|_| 0.0));
    let zero = Margin::of(0.0, rest.scale);
    let clear = |end: f64| if zero.is_below(end) || zero.is_above(end) { end } else { 0.0 };
    let interval = pair.ci.lo.zip(pair.ci.hi).map(|(lo, hi)| (clear(lo), clear(hi)));
    let decision = decide(&Evidence {
        diff: pair.diff,
        interval,
        p_adj,
        sesoi: rest.sesoi,
        equivalent: pair.tost.as_ref().and_then(|t| t.test.equivalent),
        direction: pair.direction,
        alpha,
        // Without an interval nothing is decided.
        reason: None,
    });
    (pair.verdict, pair.magnitude) = (decision.verdict, decision.magnitude);
    let relevant = beyond.is_some_and(|p| is_below(p, alpha));
    if pair.magnitude == Magnitude::Relevant && !relevant {
        pair.magnitude = Magnitude::Uncertain;
    }
    let alone = pair.p.map_or(pair.log10_p.is_some(), |p| p < alpha);
    let together = p_adj.is_some_and(|p| is_below(p, alpha));
    if pair.verdict == Verdict::Inconclusive && alone && !together {
        pair.flags.push(Flag::LostToMultiplicity);
    }
    let turned = match (pair.missing, pair.diff, interval) {
        (Some(missing), Some(diff), Some(interval)) => missing.could_turn(diff, interval),
        _ => false,
    };
    let widened = match (pair.missing, pair.diff, interval) {
        (Some(missing), Some(diff), Some(interval)) => Some(missing.widened(diff, interval)),
        _ => None,
    };
    let margin = |side: f64| Margin::of(side * rest.sesoi, rest.scale);
    let leaves = widened.is_some_and(|(lo, hi)| !margin(-1.0).is_below(lo) || !margin(1.0).is_above(hi));
    // A test that rejects 0 contradicts an interval, made another way, that lies close around it.
    let contradicted = alone && interval.is_some_and(|(lo, hi)| lo <= 0.0 && hi >= 0.0);
    let shaken = pair.magnitude == Magnitude::Negligible && leaves;
    if pair.magnitude == Magnitude::Negligible && (leaves || contradicted) {
        pair.magnitude = Magnitude::Uncertain;
    }
    let overturned = pair.verdict != Verdict::Inconclusive && turned;
    if overturned {
        pair.verdict = Verdict::Inconclusive;
    }
    if overturned || shaken {
        pair.flags.push(Flag::MissingCouldOverturn);
    }
}
