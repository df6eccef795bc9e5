//! The samples of a pair and the tests on them.

use std::collections::BTreeSet;

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
use crate::stats::inference::{Ends, Inference};
use crate::stats::mann_whitney::mannwhitney;
use crate::stats::moments::{Moments, unit_of};
use crate::stats::numeric::wide::Wide;
use crate::stats::permutation::{First, Permutation, permutation};
use crate::stats::sign_flip::{mcnemar, signflip};
use crate::stats::t_test::{TResult, paired_t, student, welch};
use crate::stats::two_samples::TwoSamples;
use crate::stats::wilcoxon::{Exact, wilcoxon};

/// The samples that a pair's tests take: all units, matched units, and rows in their clusters.
pub(crate) struct Samples {
    /// Experiment and baseline, all units.
    pub x: Vec<f64>,
    pub y: Vec<f64>,
    /// Experiment and baseline, matched units; for pairs only.
    pub matched: Option<(Vec<f64>, Vec<f64>)>,
    /// Their differences.
    differences: Option<Differences>,
    /// Rows with the names of their units, for weight `row`; units with the names of what they stand together with.
    clustered: Option<[(Vec<f64>, Vec<String>); 2]>,
    /// Both sides share clusters.
    crossed: bool,
    /// Rows count alike.
    by_row: bool,
    /// The experiment's name sorts before the baseline's.
    experiment_first: bool,
}

/// The primary comparison of means.
pub(crate) struct Primary {
    pub name: &'static str,
    pub result: TResult,
}

impl Primary {
    /// What the test says, with the interval that belongs to it.
    pub(super) fn inference(&self, ends: Ends) -> Inference {
        self.result.inference(self.name, ends)
    }
}

/// Tells whether a name stands on both sides.
fn share_names(sides: &[(Vec<f64>, Vec<String>); 2]) -> bool {
    let first: BTreeSet<&String> = sides[0].1.iter().collect();
    sides[1].1.iter().any(|name| first.contains(name))
}

fn borrowed(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
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
        let by_row = context.options.weight == Weight::Row;
        let shared = design.paired.then(|| ub.shared(ux, names));
        let mut clustered = None;
        let mut crossed = design.paired;
        if by_row {
            let of = |rows: &[Row]| clustered_rows(rows, design.unit, design.one_each, names);
            let sides = [of(rows_x), of(rows_b)];
            crossed |= rows_b.iter().any(|row| row.cluster.is_given()) && share_names(&sides);
            clustered = Some(sides);
        } else if ub.clusters.iter().chain(&ux.clusters).any(|cluster| cluster.is_given()) {
            let sides = match &shared {
                Some((b, x, places)) => {
                    let all = ub.cluster_names(names);
                    let own: Vec<String> = places.iter().map(|at| all[*at].clone()).collect();
                    [(x.clone(), own.clone()), (b.clone(), own)]
                }
                None => [(ux.values.clone(), ux.cluster_names(names)), (ub.values.clone(), ub.cluster_names(names))],
            };
            crossed |= share_names(&sides);
            // Where every unit stands alone there is nothing to allow for.
            let gathered = |(values, clusters): &(Vec<f64>, Vec<String>)| {
                clusters.iter().collect::<BTreeSet<_>>().len() < values.len()
            };
            clustered = Some(sides).filter(|sides| sides.iter().any(gathered));
        }
        let matched = shared.map(|(b, x, _)| (x, b));
        Samples {
            x: ux.values.clone(),
            y: ub.values.clone(),
            differences: matched.as_ref().map(|(x, y)| Differences::of_pairs(x, y)),
            matched,
            clustered,
            crossed,
            by_row,
            experiment_first,
        }
    }

    /// How many pairs there are, in a paired design.
    pub(crate) fn n_pairs(&self) -> Option<usize> {
        self.matched.as_ref().map(|(x, _)| x.len())
    }

    /// How many units the smaller side has, or how many pairs there are.
    pub(crate) fn fewest(&self) -> usize {
        self.n_pairs().unwrap_or(self.x.len().min(self.y.len()))
    }

    pub(crate) fn differences(&self) -> Option<&Differences> {
        self.differences.as_ref()
    }

    pub(super) fn first(&self) -> First {
        if self.experiment_first { First::X } else { First::Y }
    }

    /// Gives the tests that every pair has; `two` are all units of both sides.
    pub(crate) fn tests(&self, two: &TwoSamples, options: &Options) -> Tests {
        let (alpha, factor) = (options.alpha, options.ci.factor());
        let d = self.differences();
        let binary = self.matched.as_ref().filter(|(x, y)| is_binary(x.iter().chain(y)));
        let random = |d: &Differences| signflip(d, options.resamples, options.seed);
        Tests {
            welch: welch(two, alpha, factor),
            student: student(two, alpha, factor),
            mannwhitney: mannwhitney(two, Exact::Auto),
            paired_t: d.map(|d| paired_t(d, alpha, factor)),
            wilcoxon: d.map(|d| wilcoxon(d, options.zero, Exact::Auto)),
            mcnemar: binary.map(|(x, y)| mcnemar(x, y)),
            fisher: None,
            cluster_t: self.cluster_test(options),
            signflip: d.filter(|_| options.all_tests || options.test == TestChoice::SignFlip).map(random),
            permutation: (options.all_tests || options.test == TestChoice::Permutation)
                .then(|| self.permutation(options)),
        }
    }

    pub(super) fn permutation(&self, options: &Options) -> Permutation {
        permutation(&self.x, &self.y, options.resamples, options.seed, self.first())
    }

    fn cluster_test(&self, options: &Options) -> Option<ClusterDiff> {
        let [x, y] = self.clustered.as_ref()?;
        let (nx, ny) = (borrowed(&x.1), borrowed(&y.1));
        let (cx, cy) = (Clusters::of(&x.0, &nx), Clusters::of(&y.0, &ny));
        Some(cluster_diff(&cx, &cy, self.crossed, options.cluster_se, options.alpha, options.ci.factor()))
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

    /// The values that means and SDs cover: rows, matched units, or all units; baseline first.
    pub(crate) fn used(&self) -> (&[f64], &[f64]) {
        match (&self.clustered, &self.matched) {
            (Some([x, y]), _) if self.by_row => (&y.0, &x.0),
            (_, Some((x, y))) => (y, x),
            (_, None) => (&self.y, &self.x),
        }
    }

    pub(crate) fn effects(&self, two: &TwoSamples, options: &Options) -> Effects {
        let paired = self.differences().map(|d| {
            let e = effect_paired(d, options.alpha);
            PairedEffects { d_z: e.d_z, dz_lo: e.dz_lo, dz_hi: e.dz_hi, g_z: e.g_z }
        });
        Effects { unpaired: effect(two, options.alpha, options.d_sd, options.ddof), paired }
    }

    /// The standard deviation by which a number of units is planned; none where rows count alike.
    pub(crate) fn planning_sd(&self, tests: &Tests) -> Option<f64> {
        if self.by_row {
            return None;
        }
        Some(match &tests.paired_t {
            Some(test) => test.sd?,
            None => {
                let unit = unit_of([&self.x[..], &self.y[..]]);
                let [vx, vy] = [&self.x, &self.y].map(|v| Moments::of(v, unit).variance());
                ((vx + vy) / Wide::from(2.0)).sqrt().round() * unit
            }
        })
    }

    /// The bootstrap of the mean difference; stream 0 belongs to the name that sorts first.
    pub(crate) fn job(&self) -> Job {
        let streams = if self.experiment_first { [0, 1] } else { [1, 0] };
        match (&self.clustered, self.differences()) {
            (Some([x, y]), _) => {
                let (nx, ny) = (borrowed(&x.1), borrowed(&y.1));
                let (cx, cy) = (Clusters::of(&x.0, &nx), Clusters::of(&y.0, &ny));
                Job::cluster_diff(&cx, &cy, self.crossed, if self.crossed { [0, 0] } else { streams })
            }
            (None, Some(d)) => Job::paired(d, 0),
            (None, None) => Job::unpaired(&self.x, &self.y, streams),
        }
    }
}
