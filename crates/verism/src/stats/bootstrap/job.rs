//! What can be resampled as a ratio of sums: means, differences, clusters.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::draws::{Stop, resampled_sums};
use super::interval::{Bootstrap, Method, Settings};
use crate::stats::cluster::Clusters;
use crate::stats::constant::{is_constant, is_constant_on};
use crate::stats::differences::Differences;
use crate::stats::moments::{mean, mean_of, unit_of};
use crate::stats::reason::Reason;
use crate::stats::sum::neumaier;
use crate::stats::wide::Wide;

/// How many columns share one pass over the draws.
const COLUMNS_AT_ONCE: usize = 64;

/// Something to be resampled, prepared; or why it cannot be.
#[derive(Clone, Debug)]
pub enum Job {
    /// Nothing to draw from.
    Undefined {
        /// The estimate, where there is one.
        estimate: Option<f64>,
        /// Why it is not resampled.
        reason: Reason,
    },
    /// One sample of units, or two that are drawn independently.
    Ratios(Vec<Sample>),
}

/// Units that are drawn together; their rows belong to one side of a difference or to both.
#[derive(Clone, Debug)]
pub struct Sample {
    stream: u64,
    units: usize,
    sides: Vec<Side>,
}

/// One mean as a ratio of sums: sign · (centre + Σ deviation / Σ rows), the deviations taken from the centre.
#[derive(Clone, Debug)]
struct Side {
    sign: f64,
    centre: f64,
    deviations: Vec<f64>,
    /// Rows per unit; `None` where every unit is one row.
    rows: Option<Vec<f64>>,
}

impl Side {
    fn of_units(sign: f64, values: &[f64]) -> Side {
        let centre = Centre::of(values);
        let deviations = values.iter().map(|v| centre.deviation(&[*v])).collect();
        Side { sign, centre: centre.value(), deviations, rows: None }
    }

    fn of_clusters(sign: f64, clusters: &Clusters, names: &[&str]) -> Side {
        let centre = Centre::of(&clusters.flat());
        let of = |name: &&str| clusters.rows.get(*name).map_or(&[][..], Vec::as_slice);
        let deviations = names.iter().map(|name| centre.deviation(of(name))).collect();
        let rows = Some(names.iter().map(|name| of(name).len() as f64).collect());
        Side { sign, centre: centre.value(), deviations, rows }
    }

    /// Two sides whose difference is known: it is told once, so that an offset which both share costs no digits.
    fn opposed(mut plus: Side, mut minus: Side, difference: f64) -> [Side; 2] {
        (plus.centre, minus.centre) = (difference, 0.0);
        [plus, minus]
    }

    /// The side's value from sums over drawn units, `None` where no row was drawn.
    fn value(&self, deviation: f64, rows: f64) -> Option<f64> {
        (rows > 0.0).then(|| self.sign * (self.centre + deviation / rows))
    }

    fn total_rows(&self) -> f64 {
        self.rows.as_ref().map_or(self.deviations.len() as f64, |rows| neumaier(rows.iter().copied()))
    }

    /// The side's value with each unit left out in turn.
    fn without_each(&self) -> impl Fn(usize) -> Option<f64> {
        let total = self.total_rows();
        move |unit| {
            let rows = self.rows.as_ref().map_or(1.0, |rows| rows[unit]);
            // the deviations of all units sum to 0
            self.value(-self.deviations[unit], total - rows)
        }
    }
}

/// A mean to more digits than binary64 holds.
struct Centre {
    mean: Wide,
    unit: f64,
}

impl Centre {
    fn of(values: &[f64]) -> Centre {
        let unit = unit_of([values]);
        Centre { mean: mean(values, unit), unit }
    }

    fn value(&self) -> f64 {
        self.mean.round() * self.unit
    }

    /// The sum of the values' deviations.
    fn deviation(&self, values: &[f64]) -> f64 {
        values.iter().map(|v| Wide::from(v / self.unit) - self.mean).sum::<Wide>().round() * self.unit
    }
}

/// The difference of the means of two samples.
fn difference(x: &[f64], y: &[f64]) -> f64 {
    let unit = unit_of([x, y]);
    (mean(x, unit) - mean(y, unit)).round() * unit
}

impl Sample {
    fn of(stream: u64, sides: Vec<Side>) -> Sample {
        Sample { stream, units: sides.first().map_or(0, |side| side.deviations.len()), sides }
    }

    /// The columns that are summed over each resample.
    fn columns(&self) -> impl Iterator<Item = &[f64]> {
        self.sides.iter().flat_map(|side| std::iter::once(&side.deviations[..]).chain(side.rows.as_deref()))
    }

    /// The sample's part of the statistic in each resample, from the sums of its columns.
    fn values(&self, mut sums: impl Iterator<Item = Vec<f64>>, resamples: usize) -> Vec<Option<f64>> {
        let mut values = vec![Some(0.0); resamples];
        for side in &self.sides {
            let deviations = sums.next().unwrap_or_default();
            let rows = side.rows.as_ref().and_then(|_| sums.next());
            for (b, value) in values.iter_mut().enumerate() {
                let drawn = rows.as_ref().map_or(self.units as f64, |rows| rows[b]);
                *value = value.zip(side.value(deviations[b], drawn)).map(|(sum, v)| sum + v);
            }
        }
        values
    }

    /// The sample's part of the estimate itself.
    fn estimate(&self) -> f64 {
        self.sides.iter().map(|side| side.sign * side.centre).sum()
    }

    /// The sample's part of the statistic with each unit left out in turn; `None` where that leaves no row.
    fn left_out(&self) -> Option<Vec<f64>> {
        let without: Vec<_> = self.sides.iter().map(Side::without_each).collect();
        (0..self.units).map(|unit| without.iter().map(|side| side(unit)).sum()).collect()
    }
}

impl Job {
    fn undefined(estimate: Option<f64>, reason: Reason) -> Job {
        Job::Undefined { estimate, reason }
    }

    /// Gives the mean of units. Fewer than two: `no_values`, `n_lt_2`; constant: `zero_variance`.
    pub fn mean(x: &[f64], stream: u64) -> Job {
        match x.len() {
            0 => Job::undefined(None, Reason::NoValues),
            1 => Job::undefined(None, Reason::FewerThanTwo),
            _ if is_constant(x) => Job::undefined(mean_of(x), Reason::ZeroVariance),
            _ => Job::Ratios(vec![Sample::of(stream, vec![Side::of_units(1.0, x)])]),
        }
    }

    /// Gives the mean difference of pairs, which are drawn whole. No pair: `no_pairs`; else as for a mean.
    pub fn paired(d: &Differences, stream: u64) -> Job {
        match d.values.len() {
            0 => Job::undefined(None, Reason::NoPairs),
            2.. if is_constant_on(&d.values, d.scale) => Job::undefined(mean_of(&d.values), Reason::ZeroVariance),
            _ => Job::mean(&d.values, stream),
        }
    }

    /// Gives the difference of the means of two independent samples, each drawn in its own stream.
    pub fn unpaired(x: &[f64], y: &[f64], streams: [u64; 2]) -> Job {
        if x.is_empty() || y.is_empty() {
            return Job::undefined(None, Reason::NoValues);
        }
        if x.len() < 2 || y.len() < 2 {
            return Job::undefined(None, Reason::FewerThanTwo);
        }
        let difference = difference(x, y);
        if is_constant(x) && is_constant(y) {
            return Job::undefined(Some(difference), Reason::ZeroVariance);
        }
        let [plus, minus] = Side::opposed(Side::of_units(1.0, x), Side::of_units(-1.0, y), difference);
        Job::Ratios(vec![Sample::of(streams[0], vec![plus]), Sample::of(streams[1], vec![minus])])
    }

    /// Gives the mean of clustered rows; whole clusters are drawn. Fewer than two: `no_values`, `one_cluster`.
    pub fn cluster_mean(x: &Clusters, stream: u64) -> Job {
        let names: Vec<&str> = x.rows.keys().copied().collect();
        match names.len() {
            0 => Job::undefined(None, Reason::NoValues),
            1 => Job::undefined(None, Reason::OneCluster),
            _ => Job::Ratios(vec![Sample::of(stream, vec![Side::of_clusters(1.0, x, &names)])]),
        }
    }

    /// Gives the difference of the means of clustered rows; crossed clusters are drawn once for both samples.
    pub fn cluster_diff(x: &Clusters, y: &Clusters, crossed: bool, streams: [u64; 2]) -> Job {
        if x.rows.is_empty() || y.rows.is_empty() {
            return Job::undefined(None, Reason::NoValues);
        }
        if x.rows.len() < 2 || y.rows.len() < 2 {
            return Job::undefined(None, Reason::OneCluster);
        }
        let (of_x, of_y): (Vec<&str>, Vec<&str>) = (x.rows.keys().copied().collect(), y.rows.keys().copied().collect());
        let difference = difference(&x.flat(), &y.flat());
        if !crossed {
            let (plus, minus) = (Side::of_clusters(1.0, x, &of_x), Side::of_clusters(-1.0, y, &of_y));
            let [plus, minus] = Side::opposed(plus, minus, difference);
            return Job::Ratios(vec![Sample::of(streams[0], vec![plus]), Sample::of(streams[1], vec![minus])]);
        }
        let mut all = [of_x, of_y].concat();
        all.sort_unstable();
        all.dedup();
        let sides = Side::opposed(Side::of_clusters(1.0, x, &all), Side::of_clusters(-1.0, y, &all), difference);
        Job::Ratios(vec![Sample::of(streams[0], sides.into())])
    }

    fn samples(&self) -> &[Sample] {
        match self {
            Job::Ratios(samples) => samples,
            Job::Undefined { .. } => &[],
        }
    }
}

/// Gives the results of many jobs, in their order; those of equal size and stream share their draws. `None` if told to stop.
pub fn run(jobs: &[Job], settings: &Settings, stop: &Stop) -> Option<Vec<Bootstrap>> {
    let resamples = settings.resamples as usize;
    let mut by_draw: BTreeMap<(usize, u64), Vec<(usize, usize)>> = BTreeMap::new();
    for (j, job) in jobs.iter().enumerate() {
        for (s, sample) in job.samples().iter().enumerate() {
            by_draw.entry((sample.units, sample.stream)).or_default().push((j, s));
        }
    }
    let mut star: Vec<Vec<Vec<Option<f64>>>> = jobs.iter().map(|job| vec![Vec::new(); job.samples().len()]).collect();
    for ((units, stream), places) in by_draw {
        for batch in places.chunks(COLUMNS_AT_ONCE) {
            let at = |(j, s): &(usize, usize)| &jobs[*j].samples()[*s];
            let columns: Vec<&[f64]> = batch.iter().flat_map(|place| at(place).columns()).collect();
            let mut sums =
                resampled_sums(&columns, units, settings.seed, stream, settings.resamples, stop)?.into_iter();
            for place in batch {
                star[place.0][place.1] = at(place).values(sums.by_ref(), resamples);
            }
        }
    }
    Some(jobs.par_iter().zip(star).map(|(job, star)| finish(job, &star, settings)).collect())
}

/// Gives the result of one job.
pub fn run_one(job: &Job, settings: &Settings) -> Bootstrap {
    let never = run(std::slice::from_ref(job), settings, &|| false);
    never.map(|mut results| results.remove(0)).expect("one job that is not stopped has one result")
}

fn finish(job: &Job, star: &[Vec<Option<f64>>], settings: &Settings) -> Bootstrap {
    let samples = match job {
        Job::Undefined { estimate, reason } => return Bootstrap::undrawn(settings, *estimate, *reason),
        Job::Ratios(samples) => samples,
    };
    let estimate = samples.iter().map(Sample::estimate).sum();
    let usable = (0..settings.resamples as usize).filter_map(|b| star.iter().map(|part| part[b]).sum()).collect();
    let left_out = match settings.method {
        Method::Bca => samples.iter().map(Sample::left_out).collect(),
        Method::Percentile => None,
    };
    Bootstrap::of(settings, estimate, usable, left_out)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: Settings = Settings { method: Method::Bca, resamples: 999, seed: 12345, alpha: 0.05 };

    fn run_one(job: Job) -> Bootstrap {
        super::run_one(&job, &SETTINGS)
    }

    #[test]
    fn jobs_run_together_give_what_they_give_alone() {
        let x: Vec<f64> = (0..20).map(|i| f64::from(i * i % 13)).collect();
        let y: Vec<f64> = (0..20).map(|i| f64::from(i * 7 % 11)).collect();
        let jobs = [Job::mean(&x, 0), Job::unpaired(&x, &y, [1, 0]), Job::mean(&y, 0)];
        for (job, together) in jobs.iter().zip(run(&jobs, &SETTINGS, &|| false).unwrap()) {
            let alone = run_one(job.clone());
            assert_eq!((alone.lo, alone.hi, alone.se), (together.lo, together.hi, together.se));
        }
    }

    // An offset that both samples share takes nothing from their difference: the values are sums of powers of two, so that
    // adding 2^30 to each is exact, and the draws are the same.
    #[test]
    fn a_common_offset_changes_nothing() {
        let (x, y) = ([0.125, 0.5, 1.25, 2.0], [0.25, 0.375, 0.75, 0.5, 1.0]);
        let moved = |values: &[f64]| values.iter().map(|v| v + 1_073_741_824.0).collect::<Vec<f64>>();
        let near = run_one(Job::unpaired(&x, &y, [0, 1]));
        let far = run_one(Job::unpaired(&moved(&x), &moved(&y), [0, 1]));
        // By hand: 3.875/4 - 2.875/5.
        assert!((far.estimate.unwrap() / 0.39375 - 1.0).abs() < 1e-15);
        for (a, b) in [(near.estimate, far.estimate), (near.lo, far.lo), (near.hi, far.hi), (near.se, far.se)] {
            assert!((a.unwrap() / b.unwrap() - 1.0).abs() < 1e-12, "{a:?} {b:?}");
        }
        let names = ["a", "a", "b", "c"];
        let clusters = |values: &[f64]| -> Vec<f64> { values.to_vec() };
        let (cx, cy) = (clusters(&moved(&x)), clusters(&moved(&y[..4])));
        let far = run_one(Job::cluster_diff(&Clusters::of(&cx, &names), &Clusters::of(&cy, &names), true, [0, 1]));
        // By hand: 3.875/4 - 1.875/4.
        assert!((far.estimate.unwrap() / 0.5 - 1.0).abs() < 1e-15, "{:?}", far.estimate);
    }

    // Exchanging the roles (and their streams with them) turns the interval around zero.
    #[test]
    fn exchanging_the_roles_mirrors_the_interval() {
        let (x, y) = ([0.3, 0.9, 1.4, 2.2, 0.1], [0.2, 0.25, 0.9, 0.4, 1.0, 0.7]);
        let (a, b) = (run_one(Job::unpaired(&x, &y, [0, 1])), run_one(Job::unpaired(&y, &x, [1, 0])));
        assert!((a.lo.unwrap() + b.hi.unwrap()).abs() < 1e-12 && (a.hi.unwrap() + b.lo.unwrap()).abs() < 1e-12);
    }

    // Clusters of one row are units.
    #[test]
    fn clusters_of_one_row_are_units() {
        let values = [0.3, 0.9, 1.4, 2.2, 0.1];
        let clusters = Clusters::of(&values, &["a", "b", "c", "d", "e"]);
        let (a, b) = (run_one(Job::cluster_mean(&clusters, 0)), run_one(Job::mean(&values, 0)));
        assert!((a.lo.unwrap() - b.lo.unwrap()).abs() < 1e-12 && (a.z0.unwrap() - b.z0.unwrap()).abs() < 1e-12);
    }

    #[test]
    fn a_stopped_bootstrap_gives_nothing() {
        assert!(run(&[Job::mean(&[1.0, 2.0, 4.0], 0)], &SETTINGS, &|| true).is_none());
    }

    #[test]
    fn too_little_to_draw_from_is_stated() {
        assert_eq!(run_one(Job::mean(&[], 0)).reason, Some(Reason::NoValues));
        assert_eq!(run_one(Job::mean(&[1.0], 0)).reason, Some(Reason::FewerThanTwo));
        assert_eq!(run_one(Job::mean(&[1.0, 1.0], 0)).reason, Some(Reason::ZeroVariance));
        assert_eq!(run_one(Job::paired(&Differences::of(&[]), 0)).reason, Some(Reason::NoPairs));
        let one = Clusters::of(&[1.0, 2.0], &["a", "a"]);
        assert_eq!(run_one(Job::cluster_mean(&one, 0)).reason, Some(Reason::OneCluster));
    }
}
