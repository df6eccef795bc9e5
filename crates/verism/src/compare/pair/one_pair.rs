//! One metric, two experiments: every number that the comparison shows.

use std::rc::Rc;

use super::analysis::{Ground, Known};
use super::missing::Coverage;
use super::result::{Pair, PairInterval};
use super::run_tables::{RunTables, run_shifts};
use crate::compare::choose::facts::Registry;
use crate::compare::choose::metrics::MetricKey;
use crate::compare::choose::per_metric::PerMetric;
use crate::compare::design::experiment_rows::ExperimentRows;
use crate::compare::design::matched::{matched_rows, parts_differ, rows_of_same_parts};
use crate::compare::design::pairing::Design;
use crate::compare::design::unit::{Unit, cases_of, units};
use crate::compare::options::words::{WEIGHTS, word};
use crate::compare::options::{DesignChoice, Interval, Matching, Options, Weight};
use crate::compare::pair::samples::Samples;
use crate::compare::pair::why::{Story, why};
use crate::compare::read::names::{Id, Names};
use crate::compare::read::row::Row;
use crate::stats::bootstrap::Job;
use crate::stats::constant::largest;
use crate::stats::describe::sd;
use crate::stats::inference::Ends;
use crate::stats::moments::{mean, mean_of, unit_of};
use crate::stats::numeric::wide::Wide;
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

/// What is to be done once every pair is known: draws, and whatever depends on the size of the family.
pub(crate) struct Rest {
    /// The bootstrap of the interval.
    pub job: Option<Job>,
    /// The interval at any level.
    pub ends: Ends,
    /// There was a t test to plan by.
    pub tested: bool,
    /// Degrees of freedom by which effects are planned: those of the test, to a tenth (downwards) where run shifts made them, which
    /// are an estimate themselves.
    pub planning_df: Option<f64>,
    /// The standard deviation by which a number of units is planned.
    pub planning_sd: Option<f64>,
    /// Smallest effect of interest.
    pub sesoi: f64,
    /// The largest value compared.
    pub scale: f64,
}

/// One side of a pair.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a> {
    /// The experiment.
    pub experiment: Id,
    /// Its rows at the level of the metric.
    pub own: &'a ExperimentRows,
}

/// Gives the comparison of two experiments on a metric, and what is still to be done for it.
pub(crate) fn compare_pair(context: &Context, baseline: Side, experiment: Side) -> Option<(Pair, Rest)> {
    let (options, names) = (context.options, context.names);
    let (baseline, experiment, design) = laid_out(context, baseline, experiment)?;
    let (all_b, all_x) = (&baseline.own.rows[..], &experiment.own.rows[..]);
    let mut flags = Vec::new();
    flags.extend(design.few_shared.then_some("few_shared_units"));
    flags.extend(design.no_shared.then_some("no_shared_units"));
    let undefined = |rows: &[Row]| rows.iter().filter(|row| row.value.is_none()).count();
    let (undefined_b, undefined_x) = (undefined(all_b), undefined(all_x));

    let (suite, metric) = (names.text(context.key.suite), names.text(context.key.metric));
    let by_row = match options.matching {
        Matching::Auto => context.registry.rows_match(suite),
        Matching::Unit => false,
        Matching::Row => true,
    };
    let by_parts = context.registry.made_of_parts(suite, metric) && parts_differ(all_b, all_x);
    let matched = match (design.paired && by_row, by_parts) {
        (true, _) => Some(matched_rows(all_b, all_x, design.unit, by_parts)),
        (false, true) => Some(rows_of_same_parts(all_b, all_x)),
        (false, false) => None,
    };
    let lost = matched.as_ref().map(|m| (m.lost_baseline, m.lost_experiment));
    flags.extend(lost.is_some_and(|l| l != (0, 0)).then_some("unmatched_rows"));
    flags.extend(by_parts.then_some("parts_differ"));
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
    let coverage = Coverage::of(all_b, all_x, names, context.registry.optional_fields(suite));
    flags.extend(coverage.differs().then_some("coverage_differs"));

    let mut tests = samples.tests(options);
    let primary = samples.primary(&tests, options);
    flags.extend(
        tests.cluster_t.as_ref().and_then(|t| t.result.df).is_some_and(|df| df < 10.0).then_some("few_clusters"),
    );
    let range = context.per_metric.range(context.key, names, context.registry, options);
    let runs = run_shifts(context, &design, [baseline.own, experiment.own]);
    let known = Known { range, runs: runs.as_ref(), options };
    let analysis = samples.analyse(&mut tests, &primary, &known);
    let result = &primary.result;
    if analysis.ground == Ground::NoSpread {
        flags.extend(result.reason.map(|reason| reason.text()));
    }
    let shift = runs.as_ref().is_some_and(|runs| analysis.with_runs && runs.weight == 1.0);
    flags.extend(shift.then_some("run_shifts"));
    let (used_b, used_x) = samples.used();
    let means = means(used_b, used_x, options.weight);
    let tested = result.t.is_some();
    let sesoi = context.per_metric.sesoi(context.key, options);
    let (direction, direction_source) = context.per_metric.direction(context.key, names, context.registry, options);
    let spread = !matches!(result.reason, Some(Reason::ZeroVariance | Reason::Identical));
    let drawn = matches!(options.ci, Interval::Bootstrap(_)) && tested && spread;
    let missing = coverage
        .differs()
        .then(|| known.bounds())
        .flatten()
        .and_then(|bounds| Some(coverage.bounds(mean_of(&ub.values)?, mean_of(&ux.values)?, bounds)));
    let mut pair = Pair {
        suite: context.key.suite_text(names),
        metric: metric.to_string(),
        baseline: names.text(baseline.experiment).to_string(),
        experiment: names.text(experiment.experiment).to_string(),
        design: design.word(),
        unit: if design.dialogues { Unit::Dialogue } else { design.unit },
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
        se: analysis.se,
        df: analysis.df,
        test: analysis.inference.name,
        statistic: analysis.inference.statistic,
        p: analysis.inference.p,
        log10_p: analysis.inference.log10_p,
        p_adj: None,
        log10_p_adj: None,
        ci: interval(result, &analysis.inference.ends, drawn, options),
        effects: samples.effects(options),
        mde: None,
        n_required: None,
        tost: None,
        missing,
        runs: runs.as_ref().map(RunTables::shown),
        skewness: match analysis.ground {
            Ground::Skew(skewness) => Some(skewness),
            _ => None,
        },
        direction,
        direction_source,
        direction_assumed: direction_source == "default",
        verdict: Verdict::Inconclusive,
        magnitude: Magnitude::NotTested,
        flags,
        reason: result.reason.filter(|_| !tested),
        why: String::new(),
        tests,
    };
    let story = Story {
        common_cases: design.common_cases,
        ground: analysis.ground,
        dialogues: design.dialogues,
        runs: runs.as_ref().filter(|_| analysis.with_runs),
        options,
    };
    pair.why = why(&pair, &story);
    let rest = Rest {
        job: drawn.then(|| samples.job()),
        ends: analysis.inference.ends,
        tested,
        planning_df: match analysis.with_runs {
            true => pair.df.map(|df| ((df * 10.0).floor() / 10.0).max(1.0)),
            false => pair.df,
        },
        planning_sd: tested.then(|| samples.planning_sd(&pair.tests)).flatten(),
        sesoi,
        scale: largest(used_b).max(largest(used_x)),
    };
    Some((pair, rest))
}

/// Lays the experiments against each other; where no row has a case, dialogues that both share stand for cases.
fn laid_out<'a>(context: &Context, baseline: Side<'a>, experiment: Side<'a>) -> Option<(Side<'a>, Side<'a>, Design)> {
    let options = context.options;
    let design = |b: &Side, x: &Side, allowed: &[Unit]| Design::of(b.own, x.own, allowed, context.names, options);
    let asked = options.unit.is_some() || options.design == DesignChoice::Unpaired;
    if !asked
        && context.allowed.contains(&Unit::Dialogue)
        && let (Some(b), Some(x)) = (baseline.own.dialogues_as_cases(), experiment.own.dialogues_as_cases())
    {
        let (b, x) = (Side { own: b, ..baseline }, Side { own: x, ..experiment });
        let found = design(&b, &x, context.allowed).filter(|found| found.paired && found.unit == Unit::Case);
        if let Some(found) = found {
            return Some((b, x, Design { dialogues: true, ..found }));
        }
    }
    let found = design(&baseline, &experiment, context.allowed)?;
    Some((baseline, experiment, found))
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

/// The interval of the test that counts; a bootstrap replaces its ends later.
fn interval(result: &TResult, ends: &Ends, drawn: bool, options: &Options) -> PairInterval {
    let found = ends.at(options.alpha).filter(|_| !drawn);
    let exact = matches!(ends, Ends::T { .. }) && result.se.is_some();
    // The ends of a plain t interval are formed in more digits than the general way has.
    let plain = result.ci_lo.zip(result.ci_hi).filter(|_| exact && found.is_some());
    let same_error = matches!(ends, Ends::T { se, .. } if Some(*se) == result.se);
    let shown = plain.filter(|_| same_error).or(found);
    PairInterval {
        lo: shown.map(|(lo, _)| lo),
        hi: shown.map(|(_, hi)| hi),
        method: match ends {
            Ends::None => options.ci.name(),
            _ if drawn => options.ci.name(),
            ends => ends.method(),
        },
        level: 1.0 - options.alpha,
        reason: match (shown, drawn) {
            (None, false) => result.reason.or(Some(Reason::TooFewValues)),
            _ => None,
        },
    }
}
