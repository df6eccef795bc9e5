//! Cluster bootstrap by agent: how far would rates and entropies move with other agents?

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::names;
use super::study::{Scored, Study};
use crate::error::Result;
use crate::score::output::Output;
use crate::score::table::{Cell, Dialect};
use crate::score::{Measure, Undefined};
use crate::stats::describe::sd;
use crate::stats::quantile::quantile_type6;
use crate::stats::random::resample_indices;
use crate::suites::adaptation::judge::tally::RowTally;
use crate::suites::adaptation::measures::h_norm::{EHE, H_NORM};
use crate::suites::adaptation::measures::r_h::R_H;
use crate::suites::adaptation::measures::r_r::R_R;
use crate::suites::adaptation::measures::rates::Rates;

/// Smallest share of resamples that must be defined.
const LEAST_USED: f64 = 0.9;
/// Relative range below which resamples do not differ.
const SAME: f64 = 1e-12;

/// What is estimated and how sure it is.
#[derive(Debug, Default)]
struct Interval {
    se: Option<f64>,
    bounds: Option<(f64, f64)>,
    used: u64,
    reason: Option<String>,
}

pub(super) fn write(study: &Study<'_>, output: &mut Output) -> Result<()> {
    let columns = names(&[
        "model",
        "group",
        "run",
        "versus",
        "n_agents",
        "metric",
        "estimate",
        "se",
        "lo",
        "hi",
        "resamples",
        "used",
        "reason",
    ]);
    let mut table = output.table("adaptation_bootstrap", columns, Dialect::Plain)?;
    let metrics = metric_ids(study);
    let mut rows = |scored: &Scored<'_>,
                    versus: Option<&str>,
                    agents: &[&str],
                    known: bool,
                    statistic: &Statistic<'_>| {
        for (metric, (estimate, interval)) in metrics.iter().zip(intervals(study, agents, statistic)) {
            let mut row: Vec<Cell<'_>> = scored.id.iter().map(|id| id.as_str().into()).collect();
            row.extend([Cell::from(versus), known.then_some(agents.len() as u64).into(), metric.as_str().into()]);
            row.extend([Cell::from(estimate), interval.se.into()]);
            row.extend([Cell::from(interval.bounds.map(|b| b.0)), interval.bounds.map(|b| b.1).into()]);
            row.extend([Cell::from(study.params.bootstrap), interval.used.into(), interval.reason.as_deref().into()]);
            table.row(&row)?;
        }
        Result::Ok(())
    };
    let known = |scored: &Scored<'_>| scored.filled.exit_gap().is_none();
    for scored in &study.scored {
        let clusters = clusters(scored);
        let agents: Vec<&str> = clusters.keys().map(String::as_str).collect();
        rows(scored, None, &agents, known(scored), &|sample| values(study, scored, &clusters, sample))?;
    }
    for scored in study.scored.iter().filter(|scored| scored.id[1] != study.params.baseline) {
        let Some(base) = study.get(&study.baseline_of(scored.id)) else { continue };
        let (mine, theirs) = (clusters(scored), clusters(base));
        let union: BTreeSet<&str> = mine.keys().chain(theirs.keys()).map(String::as_str).collect();
        let agents: Vec<&str> = union.into_iter().collect();
        let difference = |sample: &[&str]| {
            let (x, y) = (values(study, scored, &mine, sample), values(study, base, &theirs, sample));
            x.into_iter().zip(y).map(|(x, y)| subtract(x, y)).collect()
        };
        rows(scored, Some(&study.params.baseline), &agents, known(scored) && known(base), &difference)?;
    }
    table.finish()
}

/// The measures of a sample of agents.
type Statistic<'s> = dyn Fn(&[&str]) -> Vec<Measure> + Sync + 's;

fn metric_ids(study: &Study<'_>) -> Vec<String> {
    let id = |measure, scheme| study.catalogue.run(measure, scheme).id.clone();
    let entropies = study.pack.table_schemes().flat_map(|(i, _)| [id(&H_NORM, i), id(&EHE, i)]);
    [id(&R_H, 0), id(&R_R, 0)].into_iter().chain(entropies).collect()
}

/// The agents with an active row, in byte order.
fn clusters(scored: &Scored<'_>) -> BTreeMap<String, RowTally> {
    scored.cell.tally.open().agents.into_iter().filter(|(_, core)| core.active > 0).collect()
}

fn values(
    study: &Study<'_>,
    scored: &Scored<'_>,
    clusters: &BTreeMap<String, RowTally>,
    sample: &[&str],
) -> Vec<Measure> {
    let mut sum = RowTally::new(study.pack, study.params.reading);
    // In a resample the published order of summation follows the draws: the first draw of an agent counts.
    for (draw, core) in sample.iter().filter_map(|agent| clusters.get(*agent)).enumerate() {
        if core.keeps_order() { sum.merge(&drawn(core, draw)) } else { sum.merge(core) }
    }
    let rates = Rates::of(&scored.filled, &sum);
    let mut values = vec![rates.r_h, rates.r_r];
    for (i, _) in study.pack.table_schemes() {
        values.extend([rates.h_norm[i].clone(), rates.ehe[i].clone()]);
    }
    values
}

/// A core whose first appearances stand at the place of a draw, in their own order.
fn drawn(core: &RowTally, draw: usize) -> RowTally {
    let mut core = core.clone();
    for first in [&mut core.first_action, &mut core.first_intent] {
        let order = RowTally::order(first);
        for (place, label) in order.into_iter().enumerate() {
            first[label] = Some((String::new(), draw as i64, place as u32, 0));
        }
    }
    core
}

fn subtract(x: Measure, y: Measure) -> Measure {
    match (x, y) {
        (_, Err(_)) => Err(Undefined::new("undefined_base")),
        (Err(_), _) => Err(Undefined::new("undefined_value")),
        (Ok(x), Ok(y)) => Ok(x - y),
    }
}

/// Estimates with their percentile intervals of 95 %.
fn intervals(study: &Study<'_>, agents: &[&str], statistic: &Statistic<'_>) -> Vec<(Option<f64>, Interval)> {
    let (resamples, seed) = (study.params.bootstrap, study.params.seed as u64);
    let whole = statistic(agents);
    let resample = |b: u64| -> Vec<Measure> {
        let sample: Vec<&str> = resample_indices(seed, b, agents.len()).map(|i| agents[i]).collect();
        statistic(&sample)
    };
    let stars: Vec<Vec<Measure>> =
        if agents.len() > 1 { (0..resamples).into_par_iter().map(resample).collect() } else { vec![] };
    let interval = |(i, estimate): (usize, Measure)| match estimate {
        Err(why) => (None, Interval { reason: Some(why.to_string()), ..Interval::default() }),
        Ok(estimate) => {
            let reached = stars.iter().filter_map(|star| star[i].as_ref().ok().copied()).collect();
            (Some(estimate), spread(estimate, agents.len(), reached, resamples))
        }
    };
    whole.into_iter().enumerate().map(interval).collect()
}

fn spread(estimate: f64, agents: usize, mut reached: Vec<f64>, resamples: u64) -> Interval {
    let because = |reason: &str, used| Interval { used, reason: Some(reason.to_string()), ..Interval::default() };
    if agents < 2 {
        return because(if agents == 1 { "one_cluster" } else { "no_values" }, 0);
    }
    reached.sort_by(f64::total_cmp);
    let used = reached.len() as u64;
    let (Some(&low), Some(&high)) = (reached.first(), reached.last()) else { return because("bootstrap_unstable", 0) };
    if (used as f64) < LEAST_USED * resamples as f64 {
        return because("bootstrap_unstable", used);
    }
    if high - low <= SAME * estimate.abs().max(low.abs()).max(high.abs()) {
        return Interval { se: Some(0.0), ..because("zero_variance", used) };
    }
    let bounds = quantile_type6(&reached, 0.025).zip(quantile_type6(&reached, 0.975));
    Interval { se: sd(&reached, 1), bounds, used, reason: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_refused_with_a_reason() {
        let reason = |interval: Interval| interval.reason.unwrap_or_default();
        assert_eq!(reason(spread(0.5, 1, vec![], 10)), "one_cluster");
        assert_eq!(reason(spread(0.5, 3, vec![0.1; 8], 10)), "bootstrap_unstable");
        assert_eq!(reason(spread(0.5, 3, vec![0.5; 10], 10)), "zero_variance");
        let found = spread(0.5, 3, (1..=39).map(|i| f64::from(i) / 40.0).collect(), 39);
        // Type 6 with B = 39: position 40 · 0.025 = 1 and 40 · 0.975 = 39.
        assert_eq!(found.bounds, Some((0.025, 0.975)));
    }
}
