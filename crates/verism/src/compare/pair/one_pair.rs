//! One metric, two experiments: every number that the comparison shows.

use super::analysis::{Analysis, Known, TestBasis};
use super::flag::Flag;
use super::lined_up::LinedUp;
use super::missing::Coverage;
use super::result::{Effects, Missing, Pair, PairInterval, Tests};
use super::run_tables::{RunTables, run_shifts};
use crate::compare::choose::facts::Registry;
use crate::compare::choose::metrics::MetricKey;
use crate::compare::choose::per_metric::PerMetric;
use crate::compare::design::experiment_rows::ExperimentRows;
use crate::compare::design::unit::Unit;
use crate::compare::options::words::{WEIGHTS, word};
use crate::compare::options::{Interval, Options, Weight};
use crate::compare::pair::samples::Samples;
use crate::compare::pair::why::{ENOUGH_FOR_SKEW, SentenceParts, why};
use crate::compare::read::names::{Id, Names};
use crate::compare::read::row::Row;
use crate::stats::bootstrap::Job;
use crate::stats::constant::largest;
use crate::stats::describe::sd;
use crate::stats::inference::{Ends, Inference};
use crate::stats::moments::{mean, mean_of, unit_of};
use crate::stats::numeric::wide::Wide;
use crate::stats::reason::Reason;
use crate::stats::t_test::TResult;
use crate::stats::two_samples::TwoSamples;
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
pub(crate) struct Pending {
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
pub(crate) fn compare_pair(context: &Context, baseline: Side, experiment: Side) -> Option<(Pair, Pending)> {
    let options = context.options;
    let lined_up = LinedUp::of(context, baseline, experiment)?;
    let samples = lined_up.samples(context);
    let two = TwoSamples::of(&samples.x, &samples.y);
    let (mut tests, effects) = (samples.tests(&two, options), samples.effects(&two, options));
    let primary = samples.primary(&tests, options);
    let range = context.per_metric.range(context.key, context.names, context.registry, options);
    let runs = run_shifts(context, &lined_up.design, [lined_up.baseline.own, lined_up.experiment.own]);
    let known = Known { range, runs: runs.as_ref(), options };
    let analysis = samples.analyse(&mut tests, &primary, &known);
    let compared = Compared { context, lined_up, samples, result: &primary.result, analysis, known };
    let pair = compared.pair(tests, effects);
    let rest = compared.rest(&pair);
    Some((pair, rest))
}

/// Two experiments whose difference has been tested.
struct Compared<'a> {
    context: &'a Context<'a>,
    lined_up: LinedUp<'a>,
    samples: Samples,
    /// The comparison of means.
    result: &'a TResult,
    analysis: Analysis,
    known: Known<'a>,
}

impl Compared<'_> {
    /// There was a t test.
    fn tested(&self) -> bool {
        self.result.t.is_some()
    }

    /// The interval is to be drawn by a bootstrap.
    fn drawn(&self) -> bool {
        let spread = !matches!(self.result.reason, Some(Reason::ZeroVariance | Reason::Identical));
        // Resampled units know nothing of shifts that whole runs share, and resampled clusters nothing of a side that never varied.
        let enough = !self.analysis.with_runs && self.analysis.basis != TestBasis::ConstantInClusters;
        matches!(self.context.options.ci, Interval::Bootstrap(_)) && self.tested() && spread && enough
    }

    /// What a reader should know, by short names, in the order of the steps that notice it.
    fn flags(&self, tests: &Tests, coverage: &Coverage) -> Vec<Flag> {
        let mut flags = self.lined_up.flags(self.samples.n_pairs());
        flags.extend(coverage.differs().then_some(Flag::CoverageDiffers));
        let cluster_df = tests.cluster_t.as_ref().and_then(|t| t.result.df);
        flags.extend(cluster_df.is_some_and(|df| df < 10.0).then_some(Flag::FewClusters));
        if self.analysis.basis == TestBasis::NoSpread {
            flags.extend(self.result.reason.and_then(Flag::of));
        }
        let shift = self.known.runs.is_some_and(|runs| self.analysis.with_runs && runs.weight == 1.0);
        flags.extend(shift.then_some(Flag::RunShifts));
        let few = self.samples.fewest() < ENOUGH_FOR_SKEW;
        flags.extend((few && self.analysis.basis.skewness().is_some()).then_some(Flag::SkewedFewUnits));
        flags
    }

    /// Bounds of the difference over values that one side lacks beyond the other.
    fn missing(&self, coverage: &Coverage) -> Option<Missing> {
        let bounds = coverage.differs().then(|| self.known.bounds()).flatten()?;
        let [b, x] = &self.lined_up.units;
        Some(coverage.bounds(mean_of(&b.values)?, mean_of(&x.values)?, bounds))
    }

    /// Every number of the pair, except those that depend on the whole family.
    fn pair(&self, tests: Tests, effects: Effects) -> Pair {
        let Context { key, names, registry, options, .. } = *self.context;
        let LinedUp { design, baseline, experiment, units: [ub, ux], .. } = &self.lined_up;
        let (result, inference) = (self.result, &self.analysis.inference);
        let n_pairs = self.samples.n_pairs();
        let lost = self.lined_up.lost_rows();
        let coverage = self.lined_up.coverage(self.context);
        let (used_b, used_x) = self.samples.used();
        let means = means(used_b, used_x, options.weight);
        let (direction, direction_source) = self.context.per_metric.direction(key, names, registry, options);
        let mut pair = Pair {
            suite: key.suite_text(names),
            metric: names.text(key.metric).to_string(),
            baseline: names.text(baseline.experiment).to_string(),
            experiment: names.text(experiment.experiment).to_string(),
            design: design.word(),
            unit: if design.dialogues { Unit::Dialogue } else { design.unit },
            weight: word(options.weight, WEIGHTS),
            level: self.context.level.to_string(),
            n_baseline: ub.len(),
            n_experiment: ux.len(),
            n_pairs,
            unmatched_baseline: n_pairs.map(|n| ub.len() - n),
            unmatched_experiment: n_pairs.map(|n| ux.len() - n),
            unmatched_rows_baseline: lost.map(|l| l.0),
            unmatched_rows_experiment: lost.map(|l| l.1),
            undefined_baseline: undefined(&baseline.own.rows),
            undefined_experiment: undefined(&experiment.own.rows),
            mean_baseline: means.baseline,
            mean_experiment: means.experiment,
            sd_baseline: sd(used_b, options.ddof),
            sd_experiment: sd(used_x, options.ddof),
            diff: result.diff,
            rel_change: means.rel_change,
            se: self.analysis.se,
            df: self.analysis.df,
            test: inference.name,
            statistic: inference.statistic,
            p: inference.p,
            log10_p: inference.log10_p,
            p_adj: None,
            log10_p_adj: None,
            ci: interval(result, inference, self.drawn(), options),
            effects,
            mde: None,
            n_required: None,
            tost: None,
            missing: self.missing(&coverage),
            runs: self.known.runs.map(RunTables::shown),
            skewness: self.analysis.basis.skewness(),
            direction,
            direction_source,
            direction_assumed: direction_source == "default",
            verdict: Verdict::Inconclusive,
            magnitude: Magnitude::NotTested,
            flags: self.flags(&tests, &coverage),
            reason: result.reason.filter(|_| !self.tested()),
            why: String::new(),
            tests,
        };
        pair.why = why(&pair, &self.story());
        pair
    }

    fn story(&self) -> SentenceParts<'_> {
        SentenceParts {
            common_cases: self.lined_up.design.common_cases,
            basis: self.analysis.basis,
            dialogues: self.lined_up.design.dialogues,
            runs: self.known.runs.filter(|_| self.analysis.with_runs),
            options: self.context.options,
        }
    }

    /// What is left to do for the pair.
    fn rest(self, pair: &Pair) -> Pending {
        let (used_b, used_x) = self.samples.used();
        Pending {
            job: self.drawn().then(|| self.samples.job()),
            tested: self.tested(),
            planning_df: match self.analysis.with_runs {
                true => pair.df.map(|df| ((df * 10.0).floor() / 10.0).max(1.0)),
                false => pair.df,
            },
            planning_sd: self.tested().then(|| self.samples.planning_sd(&pair.tests)).flatten(),
            sesoi: self.context.per_metric.sesoi(self.context.key, self.context.options),
            scale: largest(used_b).max(largest(used_x)),
            ends: self.analysis.inference.ends,
        }
    }
}

/// How many rows have no value.
fn undefined(rows: &[Row]) -> usize {
    rows.iter().filter(|row| row.value.is_none()).count()
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
fn interval(result: &TResult, inference: &Inference, drawn: bool, options: &Options) -> PairInterval {
    let ends = &inference.ends;
    // A randomisation test looks at the size of a difference, its shifts at either side: where it does not reject 0, 0 is among them.
    let kept = matches!(ends, Ends::Typical(_)) && inference.p.is_some_and(|p| p >= options.alpha);
    let hold = |(lo, hi): (f64, f64)| if kept { (lo.min(0.0), hi.max(0.0)) } else { (lo, hi) };
    let found = ends.at(options.alpha).filter(|_| !drawn).map(hold);
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
