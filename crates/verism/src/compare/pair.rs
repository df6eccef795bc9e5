//! One metric, two experiments: every number that the comparison shows.

use std::rc::Rc;

use serde::Serialize;

use super::choose::{MetricKey, PerMetric};
use super::design::Design;
use super::facts::Registry;
use super::names::{Id, Names};
use super::options::{Interval, Matching, Options, Weight};
use super::own::Own;
use super::row::Row;
use super::samples::Samples;
use super::unit::{Unit, cases_of, matched_rows, units};
use super::why::{Story, why};
use super::words::{WEIGHTS, word};
use crate::stats::bootstrap::{Bootstrap, Job};
use crate::stats::cluster::ClusterDiff;
use crate::stats::describe::sd;
use crate::stats::effect::Effect;
use crate::stats::equivalence::{Tost, tost_of};
use crate::stats::mann_whitney::MannWhitney;
use crate::stats::moments::{mean, unit_of};
use crate::stats::permutation::Permutation;
use crate::stats::power::mde_of_error;
use crate::stats::reason::Reason;
use crate::stats::sign_flip::{McNemar, SignFlip};
use crate::stats::t_test::{PairedT, TResult, TwoSampleT};
use crate::stats::verdict::{Direction, Magnitude, Verdict};
use crate::stats::wide::Wide;
use crate::stats::wilcoxon::Wilcoxon;

/// The interval of a difference.
#[derive(Clone, Debug, Serialize)]
pub struct PairInterval {
    /// Lower end of the interval.
    pub lo: Option<f64>,
    /// Upper end of the interval.
    pub hi: Option<f64>,
    /// How it was computed.
    pub method: &'static str,
    /// How often such intervals hold the truth.
    pub level: f64,
    /// Why something is missing here, or was computed in another way.
    pub reason: Option<Reason>,
}

/// Every test of a pair, by name; those that do not apply are left out.
#[derive(Clone, Debug, Serialize)]
pub struct Tests {
    /// Welch's t.
    pub welch: TwoSampleT,
    /// Student's t with pooled variance.
    pub student: TwoSampleT,
    /// Mann-Whitney.
    pub mannwhitney: MannWhitney,
    /// Paired t.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paired_t: Option<PairedT>,
    /// Wilcoxon signed rank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wilcoxon: Option<Wilcoxon>,
    /// McNemar, for values 0 and 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcnemar: Option<McNemar>,
    /// Cluster-robust t, where rows count alike.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster_t: Option<ClusterDiff>,
    /// Flips of signs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signflip: Option<SignFlip>,
    /// Permutation of labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permutation: Option<Permutation>,
}

/// The standardised differences of pairs.
#[derive(Clone, Debug, Serialize)]
pub struct PairedEffects {
    /// Mean difference over the standard deviation of the differences.
    pub d_z: Option<f64>,
    /// Lower end of its interval.
    pub dz_lo: Option<f64>,
    /// Upper end of its interval.
    pub dz_hi: Option<f64>,
    /// The same without its small-sample bias.
    pub g_z: Option<f64>,
}

/// The standardised differences of a pair.
#[derive(Clone, Debug, Serialize)]
pub struct Effects {
    /// Those of two independent samples.
    #[serde(flatten)]
    pub unpaired: Effect,
    /// Those of pairs, in a paired design.
    #[serde(flatten)]
    pub paired: Option<PairedEffects>,
}

/// One row of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Pair {
    /// The suite, if the rows name one.
    pub suite: Option<String>,
    /// The metric.
    pub metric: String,
    /// The experiment it is compared with.
    pub baseline: String,
    /// The experiment.
    pub experiment: String,
    /// `paired` or `unpaired`.
    pub design: &'static str,
    /// What is sampled independently.
    pub unit: Unit,
    /// What counts alike: units or rows.
    pub weight: &'static str,
    /// The level of the rows.
    pub level: String,
    /// Units of the baseline with a value.
    pub n_baseline: usize,
    /// Units of the experiment with a value.
    pub n_experiment: usize,
    /// Units that both have, in a paired design.
    pub n_pairs: Option<usize>,
    /// Units that only the baseline has.
    pub unmatched_baseline: Option<usize>,
    /// Units that only the experiment has.
    pub unmatched_experiment: Option<usize>,
    /// Rows of the baseline without a partner, where rows are matched.
    pub unmatched_rows_baseline: Option<usize>,
    /// Rows of the experiment without a partner, where rows are matched.
    pub unmatched_rows_experiment: Option<usize>,
    /// Rows of the baseline without a value.
    pub undefined_baseline: usize,
    /// Rows of the experiment without a value.
    pub undefined_experiment: usize,
    /// Mean of the baseline.
    pub mean_baseline: Option<f64>,
    /// Mean of the experiment.
    pub mean_experiment: Option<f64>,
    /// Standard deviation of the baseline.
    pub sd_baseline: Option<f64>,
    /// Standard deviation of the experiment.
    pub sd_experiment: Option<f64>,
    /// Experiment minus baseline.
    pub diff: Option<f64>,
    /// The difference over the size of the baseline.
    pub rel_change: Option<f64>,
    /// Standard error of the difference.
    pub se: Option<f64>,
    /// Degrees of freedom.
    pub df: Option<f64>,
    /// The test whose p-value counts.
    pub test: &'static str,
    /// Its statistic.
    pub statistic: Option<f64>,
    /// The two-sided p-value; none below 1e-300.
    pub p: Option<f64>,
    /// Its decimal logarithm, also below 1e-300.
    pub log10_p: Option<f64>,
    /// The p-value corrected for the whole family.
    pub p_adj: Option<f64>,
    /// Its decimal logarithm.
    pub log10_p_adj: Option<f64>,
    /// The interval of the difference.
    pub ci: PairInterval,
    /// Every test that applies.
    pub tests: Tests,
    /// Standardised differences.
    pub effects: Effects,
    /// The difference that this comparison would have found with the power asked for.
    pub mde: Option<f64>,
    /// Units that would find the smallest effect of interest.
    pub n_required: Option<u64>,
    /// The test of equivalence, with a smallest effect of interest.
    pub tost: Option<Tost>,
    /// Which way is better.
    pub direction: Direction,
    /// Who says so: `option`, `registry` or `default`.
    pub direction_source: &'static str,
    /// What it comes to.
    pub verdict: Verdict,
    /// Whether it matters.
    pub magnitude: Magnitude,
    /// What a reader should know, by short names.
    pub flags: Vec<&'static str>,
    /// Why there was no test.
    pub reason: Option<Reason>,
    /// Design, unit and test with their reasons, in a sentence.
    pub why: String,
}

impl Pair {
    /// Gives the number of pairs, or of units on each side, for people.
    pub(super) fn size(&self) -> String {
        self.n_pairs.map_or_else(|| format!("{}/{}", self.n_baseline, self.n_experiment), |n| n.to_string())
    }

    /// Takes a bootstrap interval.
    pub fn set_interval(&mut self, interval: &Bootstrap) {
        (self.ci.lo, self.ci.hi) = (interval.lo, interval.hi);
        (self.ci.method, self.ci.reason) = (interval.method, interval.reason);
    }
}

/// What every pair of a metric has in common.
pub struct Context<'a> {
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
pub struct Side<'a> {
    /// The experiment.
    pub experiment: Id,
    /// Its rows at the level of the metric.
    pub own: &'a Own,
}

/// Gives the comparison of two experiments on a metric, and the bootstrap it still needs.
pub fn compare_pair(context: &Context, baseline: Side, experiment: Side) -> Option<(Pair, Option<Job>)> {
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

    let made = |own: &Own, matched: Option<&Vec<Row>>| match matched {
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
