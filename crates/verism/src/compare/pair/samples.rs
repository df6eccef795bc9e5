//! The samples of a pair and the tests on them.

use crate::compare::design::pairing::Design;
use crate::compare::design::unit::{Units, clustered_rows};
use crate::compare::options::{Options, TestChoice, Weight};
use crate::compare::pair::one_pair::Context;
use crate::compare::pair::result::{Effects, PairedEffects, Tests};
use crate::compare::read::row::Row;
use crate::stats::bootstrap::Job;
use crate::stats::cluster::{ClusterDiff, Clusters, cluster_diff};
use crate::stats::constant::is_binary;
use crate::stats::differences::Differences;
use crate::stats::effect::{effect, effect_paired};
use crate::stats::mann_whitney::mannwhitney;
use crate::stats::moments::{Moments, unit_of};
use crate::stats::numeric::wide::Wide;
use crate::stats::permutation::{First, Permutation, permutation};
use crate::stats::power::required_n;
use crate::stats::reason::Reason;
use crate::stats::sign_flip::{mcnemar, signflip};
use crate::stats::t_test::{TResult, paired_t, student, welch};
use crate::stats::wilcoxon::{Exact, wilcoxon};

/// The samples that a pair's tests take: all units, matched units, and rows in their clusters.
pub(crate) struct Samples {
    /// Experiment and baseline, all units.
    x: Vec<f64>,
    y: Vec<f64>,
    /// Experiment and baseline, matched units; for pairs only.
    pub matched: Option<(Vec<f64>, Vec<f64>)>,
    /// Rows with the names of their units; for weight `row` only.
    rows: Option<[(Vec<f64>, Vec<String>); 2]>,
    /// The experiment's name sorts before the baseline's.
    experiment_first: bool,
}

/// The primary comparison of means.
pub(crate) struct Primary {
    pub name: &'static str,
    pub result: TResult,
}

fn borrowed(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

/// The p-value that counts and the test it comes from.
pub(crate) struct Headline {
    pub name: &'static str,
    pub statistic: Option<f64>,
    pub p: Option<f64>,
    pub log10_p: Option<f64>,
}

impl Samples {
    pub(crate) fn of(
        design: &Design,
        [rows_b, rows_x]: [&[Row]; 2],
        [ub, ux]: [&Units; 2],
        experiment_first: bool,
        context: &Context,
    ) -> Samples {
        let names = context.names;
        let clustered = |rows: &[Row]| clustered_rows(rows, design.unit, design.one_each, names);
        Samples {
            x: ux.values.clone(),
            y: ub.values.clone(),
            matched: design.paired.then(|| {
                let (b, x) = ub.shared(ux, names);
                (x, b)
            }),
            rows: (context.options.weight == Weight::Row).then(|| [clustered(rows_x), clustered(rows_b)]),
            experiment_first,
        }
    }

    fn differences(&self) -> Option<Differences> {
        self.matched.as_ref().map(|(x, y)| Differences::of_pairs(x, y))
    }

    fn first(&self) -> First {
        if self.experiment_first { First::X } else { First::Y }
    }

    pub(crate) fn tests(&self, options: &Options) -> Tests {
        let (alpha, factor) = (options.alpha, options.ci.factor());
        let d = self.differences();
        let binary = self.matched.as_ref().filter(|(x, y)| is_binary(x.iter().chain(y)));
        let random = |d: &Differences| signflip(d, options.resamples, options.seed);
        Tests {
            welch: welch(&self.x, &self.y, alpha, factor),
            student: student(&self.x, &self.y, alpha, factor),
            mannwhitney: mannwhitney(&self.x, &self.y, Exact::Auto),
            paired_t: d.as_ref().map(|d| paired_t(d, alpha, factor)),
            wilcoxon: d.as_ref().map(|d| wilcoxon(d, options.zero, Exact::Auto)),
            mcnemar: binary.map(|(x, y)| mcnemar(x, y)),
            cluster_t: self.cluster_test(options),
            signflip: d.as_ref().filter(|_| options.all_tests || options.test == TestChoice::SignFlip).map(random),
            permutation: (options.all_tests || options.test == TestChoice::Permutation)
                .then(|| self.permutation(options)),
        }
    }

    fn permutation(&self, options: &Options) -> Permutation {
        permutation(&self.x, &self.y, options.resamples, options.seed, self.first())
    }

    fn cluster_test(&self, options: &Options) -> Option<ClusterDiff> {
        let [x, y] = self.rows.as_ref()?;
        let (nx, ny) = (borrowed(&x.1), borrowed(&y.1));
        let (cx, cy) = (Clusters::of(&x.0, &nx), Clusters::of(&y.0, &ny));
        let crossed = self.matched.is_some();
        Some(cluster_diff(&cx, &cy, crossed, options.cluster_se, options.alpha, options.ci.factor()))
    }

    /// The t-type test whose standard error, interval and MDE the pair shows.
    pub(crate) fn primary(&self, tests: &Tests, options: &Options) -> Primary {
        let (name, result) = match (&tests.cluster_t, &tests.paired_t) {
            (Some(test), _) => ("cluster_t", &test.result),
            (None, Some(test)) => ("paired_t", &test.result),
            (None, None) if options.test == TestChoice::Student => ("student", &tests.student.result),
            (None, None) => ("welch", &tests.welch.result),
        };
        Primary { name, result: result.clone() }
    }

    /// The test whose p-value counts: the one asked for, else the primary one, else the exact one where nothing varies.
    pub(crate) fn headline(
        &self,
        tests: &mut Tests,
        primary: &Primary,
        options: &Options,
        flags: &mut Vec<&'static str>,
    ) -> Headline {
        let by_unit = options.weight == Weight::Unit;
        let from = |name, statistic, p, log10_p| Headline { name, statistic, p, log10_p };
        match (options.test, &tests.wilcoxon, &tests.signflip, &tests.permutation) {
            (TestChoice::Wilcoxon, Some(t), _, _) if by_unit => return from("wilcoxon", t.w_plus, t.p, t.log10_p),
            (TestChoice::SignFlip, _, Some(t), _) if by_unit => return from("signflip", t.statistic, t.p, t.log10_p),
            (TestChoice::Permutation, _, _, Some(t)) if by_unit => {
                return from("permutation", t.statistic, t.p, t.log10_p);
            }
            (TestChoice::MannWhitney, ..) if by_unit => {
                let t = &tests.mannwhitney;
                return from("mannwhitney", t.u_x, t.p, t.log10_p);
            }
            _ => {}
        }
        let result = &primary.result;
        let without_spread = matches!(result.reason, Some(Reason::ZeroVariance | Reason::Identical));
        if let Some(reason) = result.reason.filter(|_| without_spread && by_unit) {
            flags.push(reason.text());
            return match self.differences() {
                Some(d) => {
                    let t = tests.signflip.insert(signflip(&d, options.resamples, options.seed));
                    from("signflip", t.statistic, t.p, t.log10_p)
                }
                None => {
                    let t = tests.permutation.insert(self.permutation(options));
                    from("permutation", t.statistic, t.p, t.log10_p)
                }
            };
        }
        from(primary.name, result.t, result.p, result.log10_p)
    }

    /// The values that means and SDs cover: rows, matched units, or all units; baseline first.
    pub(crate) fn used(&self) -> (&[f64], &[f64]) {
        match (&self.rows, &self.matched) {
            (Some([x, y]), _) => (&y.0, &x.0),
            (None, Some((x, y))) => (y, x),
            (None, None) => (&self.y, &self.x),
        }
    }

    pub(crate) fn effects(&self, options: &Options) -> Effects {
        let paired = self.differences().map(|d| {
            let e = effect_paired(&d, options.alpha);
            PairedEffects { d_z: e.d_z, dz_lo: e.dz_lo, dz_hi: e.dz_hi, g_z: e.g_z }
        });
        Effects { unpaired: effect(&self.x, &self.y, options.alpha, options.d_sd, options.ddof), paired }
    }

    pub(crate) fn n_required(&self, tests: &Tests, sesoi: f64, options: &Options) -> Option<u64> {
        if options.weight == Weight::Row {
            return None;
        }
        let sd = match &tests.paired_t {
            Some(test) => test.sd?,
            None => {
                let unit = unit_of([&self.x[..], &self.y[..]]);
                let [vx, vy] = [&self.x, &self.y].map(|v| Moments::of(v, unit).variance());
                ((vx + vy) / Wide::from(2.0)).sqrt().round() * unit
            }
        };
        required_n(self.matched.is_some(), sesoi / sd, options.alpha, options.power).n
    }

    /// The bootstrap of the mean difference; stream 0 belongs to the name that sorts first.
    pub(crate) fn job(&self, design: &Design) -> Job {
        let streams = if self.experiment_first { [0, 1] } else { [1, 0] };
        match (&self.rows, self.differences()) {
            (Some([x, y]), _) => {
                let (nx, ny) = (borrowed(&x.1), borrowed(&y.1));
                let (cx, cy) = (Clusters::of(&x.0, &nx), Clusters::of(&y.0, &ny));
                Job::cluster_diff(&cx, &cy, design.paired, if design.paired { [0, 0] } else { streams })
            }
            (None, Some(d)) => Job::paired(&d, 0),
            (None, None) => Job::unpaired(&self.x, &self.y, streams),
        }
    }
}
