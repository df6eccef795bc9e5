//! One metric, two experiments: every number that the comparison shows.

use std::rc::Rc;

use super::result::{Pair, PairInterval};
use crate::compare::choose::facts::Registry;
use crate::compare::choose::metrics::MetricKey;
use crate::compare::choose::per_metric::PerMetric;
use crate::compare::design::experiment_rows::ExperimentRows;
use crate::compare::design::matched::matched_rows;
use crate::compare::design::pairing::Design;
use crate::compare::design::unit::{Unit, cases_of, units};
use crate::compare::options::words::{WEIGHTS, word};
use crate::compare::options::{Interval, Matching, Options, Weight};
use crate::compare::pair::samples::Samples;
use crate::compare::pair::why::{Story, why};
use crate::compare::read::names::{Id, Names};
use crate::compare::read::row::Row;
use crate::stats::bootstrap::Job;
use crate::stats::describe::sd;
use crate::stats::equivalence::tost_of;
use crate::stats::moments::{mean, unit_of};
use crate::stats::numeric::wide::Wide;
use crate::stats::power::mde_of_error;
use crate::stats::reason::Reason;
use crate::stats::t_test::TResult;
use crate::stats::verdict::{Magnitude, Verdict};

/// What every pair of a metric has in common.
pub(crate) struct Context<'a> {
    /// The metric.
    pub key: MetricKey,
    /// The level of the rows.
    pub level: &'a str,
    /// The units that its rows allow.
    pub allowed: &'a [Unit],
    /// The texts of ids.
    pub names: &'a Names,
    /// What suites say about their metrics.
    pub registry: &'a Registry,
    /// Options of single metrics.
    pub per_metric: &'a PerMetric,
    /// The options in force.
    pub options: &'a Options,
}

/// One side of a pair.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a> {
    /// The experiment.
    pub experiment: Id,
    /// Its rows at the level of the metric.
    pub own: &'a ExperimentRows,
}

/// Gives the comparison of two experiments on a metric, and the bootstrap it still needs.
pub(crate) fn compare_pair(context: &Context, baseline: Side, experiment: Side) -> Option<(Pair, Option<Job>)> {
    let (options, names) = (context.options, context.names);
    let (all_b, all_x) = (&baseline.own.rows[..], &experiment.own.rows[..]);
    let design = Design::of(all_b, all_x, context.allowed, names, options)?;
    let mut flags = Vec::new();
    flags.extend(design.few_shared.then_some("few_shared_units"));
    flags.extend(design.no_shared.then_some("no_shared_units"));
    let undefined = |rows: &[Row]| rows.iter().filter(|row| row.value.is_none()).count();
    let (undefined_b, undefined_x) = (undefined(all_b), undefined(all_x));

    let by_row = match options.matching {
        Matching::Auto => context.registry.rows_match(names.text(context.key.suite)),
        Matching::Unit => false,
        Matching::Row => true,
    };
    let matched = (design.paired && by_row).then(|| matched_rows(all_b, all_x, design.unit));
    let lost = matched.as_ref().map(|m| (m.lost_baseline, m.lost_experiment));
    flags.extend(lost.is_some_and(|l| l != (0, 0)).then_some("unmatched_rows"));
    let rows_b = matched.as_ref().map_or(all_b, |m| &m.baseline);
    let rows_x = matched.as_ref().map_or(all_x, |m| &m.experiment);

    let made = |own: &ExperimentRows, matched: Option<&Vec<Row>>| match matched {
        Some(rows) => Rc::new(units(rows, design.unit, design.one_each, names)),
        None => own.units(design.unit, design.one_each, names),
    };
    let ub = made(baseline.own, matched.as_ref().map(|m| &m.baseline));
    let ux = made(experiment.own, matched.as_ref().map(|m| &m.experiment));
    let experiment_first = experiment.experiment < baseline.experiment;
    let samples = Samples::of(&design, [rows_b, rows_x], [&ub, &ux], experiment_first, context);
    let n_pairs = samples.matched.as_ref().map(|(x, _)| x.len());
    flags.extend(n_pairs.is_some_and(|n| n < ub.len().max(ux.len())).then_some("unmatched_units"));
    let counted = n_pairs.unwrap_or(ub.len().min(ux.len()));
    flags.extend((1..6).contains(&counted).then_some("few_units"));
    let single = cases_of(rows_b).len() == 1 || cases_of(rows_x).len() == 1;
    flags.extend(single.then_some("single_case"));
    let totals = (all_b.len(), all_x.len());
    flags.extend(coverage_differs((undefined_b, totals.0), (undefined_x, totals.1)).then_some("coverage_differs"));

    let mut tests = samples.tests(options);
    let primary = samples.primary(&tests, options);
    flags.extend(
        tests.cluster_t.as_ref().and_then(|t| t.result.df).is_some_and(|df| df < 10.0).then_some("few_clusters"),
    );
    let headline = samples.headline(&mut tests, &primary, options, &mut flags);
    let (used_b, used_x) = samples.used();
    let means = means(used_b, used_x, options.weight);
    let result = &primary.result;
    let tested = result.t.is_some();
    let sesoi = context.per_metric.sesoi(context.key, options);
    let (direction, direction_source) = context.per_metric.direction(context.key, names, context.registry, options);
    let drawable = tested || matches!(result.reason, Some(Reason::ZeroVariance | Reason::Identical));
    let job = matches!(options.ci, Interval::Bootstrap(_)).then(|| samples.job(&design)).filter(|_| drawable);
    let reason = result.reason.filter(|_| !tested);
    let mde = match (result.se, result.df) {
        (Some(se), Some(df)) if tested => mde_of_error(se, df, options.alpha, options.power).raw,
        _ => None,
    };
    let mut pair = Pair {
        suite: context.key.suite_text(names),
        metric: names.text(context.key.metric).to_string(),
        baseline: names.text(baseline.experiment).to_string(),
        experiment: names.text(experiment.experiment).to_string(),
        design: design.word(),
        unit: design.unit,
        weight: word(options.weight, WEIGHTS),
        level: context.level.to_string(),
        n_baseline: ub.len(),
        n_experiment: ux.len(),
        n_pairs,
        unmatched_baseline: n_pairs.map(|n| ub.len() - n),
        unmatched_experiment: n_pairs.map(|n| ux.len() - n),
        unmatched_rows_baseline: lost.map(|l| l.0),
        unmatched_rows_experiment: lost.map(|l| l.1),
        undefined_baseline: undefined_b,
        undefined_experiment: undefined_x,
        mean_baseline: means.baseline,
        mean_experiment: means.experiment,
        sd_baseline: sd(used_b, options.ddof),
        sd_experiment: sd(used_x, options.ddof),
        diff: result.diff,
        rel_change: means.rel_change,
        se: result.se,
        df: result.df,
        test: headline.name,
        statistic: headline.statistic,
        p: headline.p,
        log10_p: headline.log10_p,
        p_adj: None,
        log10_p_adj: None,
        ci: interval(result, options),
        effects: samples.effects(options),
        mde,
        n_required: (sesoi > 0.0 && tested).then(|| samples.n_required(&tests, sesoi, options)).flatten(),
        tost: (sesoi > 0.0 && tested).then(|| tost_of(sesoi, result, options.alpha)),
        tests,
        direction,
        direction_source,
        direction_assumed: direction_source == "default",
        verdict: Verdict::Inconclusive,
        magnitude: Magnitude::NotTested,
        flags,
        reason,
        why: String::new(),
    };
    pair.why = why(&pair, &Story { common_cases: design.common_cases, options });
    Some((pair, job))
}

/// The shares of rows with a value differ by more than 5 points, in whole numbers: |u₁n₂ - u₂n₁| · 20 > n₁n₂.
fn coverage_differs((u1, n1): (usize, usize), (u2, n2): (usize, usize)) -> bool {
    20 * (u1 as i128 * n2 as i128 - u2 as i128 * n1 as i128).abs() > n1 as i128 * n2 as i128
}

struct Means {
    baseline: Option<f64>,
    experiment: Option<f64>,
    rel_change: Option<f64>,
}

/// The means of both sides and (x̄ - ȳ)/|ȳ|, undefined for ȳ = 0.
fn means(baseline: &[f64], experiment: &[f64], weight: Weight) -> Means {
    let unit = unit_of([baseline, experiment]);
    let (b, x) = (mean(baseline, unit), mean(experiment, unit));
    let both = !baseline.is_empty() && !experiment.is_empty();
    let shown =
        |values: &[f64], m: Wide| (!values.is_empty() && (both || weight == Weight::Unit)).then(|| m.round() * unit);
    Means {
        baseline: shown(baseline, b),
        experiment: shown(experiment, x),
        rel_change: (both && b.round() != 0.0).then(|| ((x - b) / b.abs()).round()),
    }
}

/// The plain interval; a bootstrap replaces its ends later.
fn interval(result: &TResult, options: &Options) -> PairInterval {
    let plain = matches!(options.ci, Interval::Plain(_));
    PairInterval {
        lo: result.ci_lo.filter(|_| plain),
        hi: result.ci_hi.filter(|_| plain),
        method: options.ci.name(),
        level: 1.0 - options.alpha,
        reason: result.reason.filter(|_| result.ci_lo.is_none()),
    }
}
