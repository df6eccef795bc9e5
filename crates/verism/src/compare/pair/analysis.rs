//! Which test counts, and the interval that belongs to it.

use super::run_tables::RunTables;
use super::samples::{Primary, Samples};
use crate::compare::options::{Interval, Options, TestChoice, Weight};
use crate::compare::pair::result::Tests;
use crate::stats::constant::{is_binary, is_constant};
use crate::stats::describe::Factor;
use crate::stats::fisher::fisher;
use crate::stats::hodges_lehmann::HodgesLehmann;
use crate::stats::inference::{Ends, Inference, Mean};
use crate::stats::mass_bound::Equal;
use crate::stats::moments::mean_of;
use crate::stats::newcombe::PairCounts;
use crate::stats::numeric::student::t_two_sided;
use crate::stats::reason::Reason;
use crate::stats::sign_flip::signflip;
use crate::stats::skew::{OF_MEANS, SkewedT, correction, is_skewed, third_cumulant};
use crate::stats::studentised::{has_divisions, studentised};
use crate::stats::typical_values::{of_permutations, of_sign_flips};

/// What is known beside the samples.
pub(crate) struct Known<'a> {
    /// Smallest and largest possible value.
    pub range: (Option<f64>, Option<f64>),
    /// Shifts that whole runs share.
    pub runs: Option<&'a RunTables>,
    /// The options in force.
    pub options: &'a Options,
}

impl Known<'_> {
    /// The range, where both ends are known.
    pub(crate) fn bounds(&self) -> Option<(f64, f64)> {
        self.range.0.zip(self.range.1)
    }

    /// Whether values that are all 0 and 1 can be nothing else, as far as is known.
    fn may_be_shares(&self) -> bool {
        matches!(self.range, (None, None)) || self.range == (Some(0.0), Some(1.0))
    }
}

/// Why the test was taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TestBasis {
    /// It is the usual one, or was asked for.
    Usual,
    /// All values are 0 or 1.
    Shares,
    /// Nothing varies.
    NoSpread,
    /// One side does not vary.
    OneConstant,
    /// One side does not vary where rows or units stand in clusters, so that nothing tells the error of its mean.
    ConstantInClusters,
    /// The values are skewed.
    Skew(f64),
    /// One side has very few units, and fewer than the other.
    FewOnOneSide,
}

impl TestBasis {
    /// The skewness that chose the test.
    pub(crate) fn skewness(self) -> Option<f64> {
        match self {
            TestBasis::Skew(skewness) => Some(skewness),
            _ => None,
        }
    }
}

/// The test that counts, with standard error and degrees of freedom of the difference.
pub(crate) struct Analysis {
    pub inference: Inference,
    pub se: Option<f64>,
    pub df: Option<f64>,
    pub basis: TestBasis,
    /// Shifts of whole runs stand in the error.
    pub with_runs: bool,
}

impl Samples {
    /// Chooses the test and gives what it says.
    pub(crate) fn analyse(&self, tests: &mut Tests, primary: &Primary, known: &Known) -> Analysis {
        let options = known.options;
        let result = &primary.result;
        let with = |inference, basis| Analysis { inference, se: result.se, df: result.df, basis, with_runs: false };
        if options.weight == Weight::Unit
            && let Some(asked) = self.asked(tests, options)
        {
            return with(asked, TestBasis::Usual);
        }
        let auto = options.test == TestChoice::Auto;
        let alone = options.weight == Weight::Unit && tests.cluster_t.is_none();
        if alone
            && auto
            && known.may_be_shares()
            && result.diff.is_some()
            && result.reason != Some(Reason::FewerThanTwo)
            && let Some(shares) = self.shares(tests)
        {
            return with(shares, TestBasis::Shares);
        }
        if matches!(result.reason, Some(Reason::ZeroVariance | Reason::Identical)) {
            return with(self.without_spread(tests, primary, known), TestBasis::NoSpread);
        }
        let (Some(diff), Some(se), Some(df), Some(_)) = (result.diff, result.se, result.df, result.t) else {
            return with(primary.inference(Ends::None), TestBasis::Usual);
        };
        if auto && self.matched.is_none() && (is_constant(&self.x) || is_constant(&self.y)) {
            return match alone {
                true => with(self.one_constant(tests, known), TestBasis::OneConstant),
                false => with(primary.inference(Ends::None), TestBasis::ConstantInClusters),
            };
        }
        let widened = known.runs.and_then(|runs| runs.widened(se, df));
        let with_runs = widened.is_some();
        let (se, df) = widened.unwrap_or((se, df));
        let may_change = alone && auto && options.ci == Interval::Plain(Factor::T);
        let skewed = may_change.then(|| self.skewed([diff, se, df], known)).flatten();
        let few = may_change.then(|| self.few_on_one_side([diff, se, df], tests, known)).flatten();
        let (mut inference, basis) = match (skewed, few) {
            (Some((inference, skewness)), _) => (inference, TestBasis::Skew(skewness)),
            (None, Some(inference)) => (inference, TestBasis::FewOnOneSide),
            (None, None) => {
                let ends = Ends::T { diff, se, df, factor: options.ci.factor() };
                let plain = match with_runs {
                    true => Inference::of(primary.name, diff / se, t_two_sided(diff / se, df), ends),
                    false => primary.inference(ends),
                };
                (plain, TestBasis::Usual)
            }
        };
        if with_runs {
            inference.name = runs_name(inference.name);
        }
        Analysis { inference, se: Some(se), df: Some(df), basis, with_runs }
    }

    /// A rank or randomisation test that was asked for.
    fn asked(&self, tests: &Tests, options: &Options) -> Option<Inference> {
        let d = self.differences();
        let both = !self.x.is_empty() && !self.y.is_empty();
        match options.test {
            TestChoice::Wilcoxon => {
                let (t, d) = (tests.wilcoxon.as_ref()?, d?);
                let ends =
                    if d.values.len() < 2 { Ends::None } else { Ends::Ranks(HodgesLehmann::of_differences(&d.values)) };
                Some(t.inference(ends))
            }
            TestChoice::SignFlip => {
                let (t, d) = (tests.signflip.as_ref()?, d?);
                let ends = match d.values.len() {
                    0 | 1 => Ends::None,
                    _ => Ends::Typical(of_sign_flips(&d.values, options.resamples, options.seed)),
                };
                Some(t.inference(ends))
            }
            TestChoice::Permutation => {
                let t = tests.permutation.as_ref()?;
                let ends = if both { Ends::Typical(self.typical(options)) } else { Ends::None };
                Some(t.inference(ends))
            }
            TestChoice::MannWhitney => {
                let ends = if both { Ends::Ranks(HodgesLehmann::between(&self.x, &self.y)) } else { Ends::None };
                Some(tests.mannwhitney.inference(ends))
            }
            _ => None,
        }
    }

    fn typical(&self, options: &Options) -> crate::stats::typical_values::TypicalValues {
        of_permutations(&self.x, &self.y, options.resamples, options.seed, self.first())
    }

    /// Values that are all 0 or 1: Fisher's test, McNemar's for pairs, with Newcombe's intervals.
    fn shares(&self, tests: &mut Tests) -> Option<Inference> {
        if let Some((x, y)) = &self.matched {
            return Some(tests.mcnemar.as_ref()?.inference(Ends::PairedShares(PairCounts::of(x, y))));
        }
        if !is_binary(self.x.iter().chain(&self.y)) {
            return None;
        }
        let ones = |values: &[f64]| values.iter().filter(|v| **v == 1.0).count() as u64;
        let counts = [ones(&self.x), self.x.len() as u64, ones(&self.y), self.y.len() as u64];
        let t = tests.fisher.insert(fisher(counts[0], counts[1], counts[2], counts[3]));
        Some(t.inference(Ends::Shares(counts)))
    }

    /// Nothing varies: an exact test, and a bound where the range is known.
    fn without_spread(&self, tests: &mut Tests, primary: &Primary, known: &Known) -> Inference {
        let options = known.options;
        if options.weight == Weight::Row || tests.cluster_t.is_some() {
            return primary.inference(Ends::None);
        }
        match self.differences() {
            Some(d) => {
                let equal = known.bounds().zip(mean_of(&d.values)).and_then(|((a, b), mean)| {
                    let value = if primary.result.reason == Some(Reason::Identical) { 0.0 } else { mean };
                    Equal::of(value, d.values.len(), (a - b, b - a))
                });
                let t = tests.signflip.insert(signflip(d, options.resamples, options.seed));
                t.inference(equal.map_or(Ends::None, Ends::Equal))
            }
            None => {
                let part =
                    |values: &[f64]| Some(Mean::Equal(Equal::of(mean_of(values)?, values.len(), known.bounds()?)?));
                let ends = part(&self.x).zip(part(&self.y)).map_or(Ends::None, |(x, y)| Ends::Apart(x, y));
                self.permuted(tests, options, ends)
            }
        }
    }

    fn permuted(&self, tests: &mut Tests, options: &Options, ends: Ends) -> Inference {
        tests.permutation.insert(self.permutation(options)).inference(ends)
    }

    /// One side does not vary, so that it has no variance to go by: labels are exchanged.
    fn one_constant(&self, tests: &mut Tests, known: &Known) -> Inference {
        let part = |values: &[f64]| {
            let mean = mean_of(values)?;
            if is_constant(values) {
                return Some(Mean::Equal(Equal::of(mean, values.len(), known.bounds()?)?));
            }
            let n = values.len() as f64;
            let se = crate::stats::describe::sd(values, 1)? / n.sqrt();
            Some(Mean::T { mean, se, df: n - 1.0 })
        };
        let ends = match part(&self.x).zip(part(&self.y)) {
            Some((x, y)) => Ends::Apart(x, y),
            None => Ends::Typical(self.typical(known.options)),
        };
        self.permuted(tests, known.options, ends)
    }

    /// Two or three units against more: Welch's degrees of freedom are then an estimate too bold, so Student's t has to agree.
    fn few_on_one_side(&self, [diff, se, df]: [f64; 3], tests: &Tests, known: &Known) -> Option<Inference> {
        let (few, many) = (self.x.len().min(self.y.len()), self.x.len().max(self.y.len()));
        let student = &tests.student.result;
        if self.matched.is_some() || few >= 4 || few == many {
            return None;
        }
        let pooled = (student.se?, student.df?);
        let (pooled_se, pooled_df) = known.runs.and_then(|runs| runs.widened(pooled.0, pooled.1)).unwrap_or(pooled);
        let tail = t_two_sided(diff / se, df).max(t_two_sided(diff / pooled_se, pooled_df));
        let ends = Ends::Both { diff, errors: [(se, df), (pooled_se, pooled_df)] };
        Some(Inference::of("welch_student", diff / se, tail, ends))
    }

    /// The skew-adjusted t of pairs, or the permutation of Welch's t, where the values are skewed enough; with the skewness.
    fn skewed(&self, [diff, se, df]: [f64; 3], known: &Known) -> Option<(Inference, f64)> {
        let options = known.options;
        if let Some(d) = self.differences() {
            let n = d.values.len();
            let skewness = third_cumulant(&d.values, diff) / (n * n) as f64 / (se * se * se);
            if !skewness.is_finite() || !is_skewed(skewness, n) {
                return None;
            }
            let share = if known.runs.is_some() { OF_MEANS } else { 1.0 };
            let skewed = SkewedT { diff, se, df, skewness: skewness * correction(n) * share };
            let (statistic, tail) = (skewed.transformed(), skewed.two_sided());
            return Some((Inference::of("skew_t", statistic, tail, Ends::Skewed(skewed)), skewness));
        }
        let (own, common) = self.skewness(se)?;
        let few = self.x.len().min(self.y.len());
        if !is_skewed(own.abs().max(common), few) || !has_divisions(self.x.len(), self.y.len()) {
            return None;
        }
        let share = if self.skewed_alike() { 0.5 } else { 1.0 };
        let skewed = SkewedT { diff, se, df, skewness: own * correction(few) * share };
        let permuted = studentised(&self.x, &self.y, options.resamples, options.seed, self.first());
        let tail = permuted.tail(diff / se).max(skewed.hall());
        let inference = Inference::of("permutation_t", diff / se, tail, Ends::Studentised { skewed, permuted });
        Some((inference, own.abs().max(common)))
    }

    /// Whether both samples are skewed the same way, by more than half a standard deviation: then they may be of one shape, for
    /// which the permutation test alone would hold its level, and half of the correction is kept in case they are not.
    fn skewed_alike(&self) -> bool {
        let skewness = |values: &[f64]| {
            let mean = mean_of(values)?;
            let n = values.len() as f64;
            let variance = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / (n - 1.0);
            Some(third_cumulant(values, mean) / libm::pow(variance, 1.5))
        };
        let both = skewness(&self.x).zip(skewness(&self.y));
        both.is_some_and(|(x, y)| x * y > 0.0 && x.abs().min(y.abs()) > 0.5)
    }

    /// Skewness of the difference of two means: from each sample's own third cumulant, and as it would be were both of one shape.
    fn skewness(&self, se: f64) -> Option<(f64, f64)> {
        let (n, m) = (self.x.len() as f64, self.y.len() as f64);
        let (mean_x, mean_y) = (mean_of(&self.x)?, mean_of(&self.y)?);
        let (kx, ky) = (third_cumulant(&self.x, mean_x), third_cumulant(&self.y, mean_y));
        let own = (kx / (n * n) - ky / (m * m)) / (se * se * se);
        let residuals = || self.x.iter().map(|v| v - mean_x).chain(self.y.iter().map(|v| v - mean_y));
        let squares: f64 = residuals().map(|r| r * r).sum::<f64>() / (n + m - 2.0);
        let cubes: f64 = residuals().map(|r| r * r * r).sum::<f64>() / (n + m - 2.0);
        let uneven = (1.0 / (n * n) - 1.0 / (m * m)).abs() / libm::pow(1.0 / n + 1.0 / m, 1.5);
        let common = (cubes / libm::pow(squares, 1.5)).abs() * uneven;
        (own.is_finite() && common.is_finite()).then_some((own, common))
    }
}

fn runs_name(name: &str) -> &'static str {
    match name {
        "paired_t" => "paired_t_runs",
        "skew_t" => "skew_t_runs",
        "permutation_t" => "permutation_t_runs",
        "cluster_t" => "cluster_t_runs",
        "student" => "student_runs",
        "welch_student" => "welch_student_runs",
        _ => "welch_runs",
    }
}
