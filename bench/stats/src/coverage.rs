//! How often each interval holds the true value.

use std::process::ExitCode;

use rayon::prelude::*;
use verism::stats::bootstrap::{Job, Method, Settings, run};
use verism::stats::cliff::cliffs_delta;
use verism::stats::describe::{Factor, describe, proportion};
use verism::stats::effect::{DividedBy, effect};

use crate::data::{exponentials, normals, uniforms};

const ALPHA: f64 = 0.05;

fn line(method: &str, data: &str, n: usize, reps: u64, held: usize) {
    println!("| {method} | {data} | {n} | {reps} | {:.2} % |", 100.0 * held as f64 / reps as f64);
}

fn count(reps: u64, holds: impl Fn(u64) -> bool + Sync) -> usize {
    (0..reps).into_par_iter().filter(|r| holds(*r)).count()
}

fn within(lo: Option<f64>, hi: Option<f64>, truth: f64) -> bool {
    lo.zip(hi).is_some_and(|(lo, hi)| (lo..=hi).contains(&truth))
}

/// Prints one row per interval, kind of data and sample size. Designs from 100 on, so that no data is shared with the tests.
pub(crate) fn print(reps: u64) -> ExitCode {
    println!("| interval (95 %) | data | n | replicates | holds the truth |\n|---|---|---|---|---|");
    for (factor, name, design) in [(Factor::T, "t", 100), (Factor::Z196, "z196", 100)] {
        for n in [3, 10, 30, 100, 1000] {
            let holds = |r: u64| {
                let d = describe(&normals(design, r, n), ALPHA, factor, 1);
                within(d.ci_lo, d.ci_hi, 0.0)
            };
            line(name, "normal, mean", n, reps, count(reps, holds));
        }
    }
    for (p, design) in [(0.5, 101), (0.1, 102), (0.02, 103)] {
        for n in [10, 30, 100, 1000] {
            let hits = |r: u64| uniforms(design, r, n).iter().filter(|u| **u < p).count() as u64;
            let data = format!("share of {p}");
            let wilson = count(reps, |r| {
                let i = proportion(hits(r), n as u64, ALPHA);
                within(i.wilson_lo, i.wilson_hi, p)
            });
            line("Wilson", &data, n, reps, wilson);
            let exact = count(reps, |r| {
                let i = proportion(hits(r), n as u64, ALPHA);
                within(i.exact_lo, i.exact_hi, p)
            });
            line("Clopper-Pearson", &data, n, reps, exact);
        }
    }
    bootstraps(reps);
    for n in [5, 10, 30, 100] {
        // P(X > Y) - P(X < Y) = 2Φ(0.5/√2) - 1 for normals half an SD apart
        let truth = libm::erf(0.25);
        let holds = |r: u64| {
            let z = normals(106, r, 2 * n);
            let x: Vec<f64> = z[..n].iter().map(|v| v + 0.5).collect();
            let interval = cliffs_delta(&x, &z[n..], ALPHA).interval;
            within(interval.map(|i| i.0), interval.map(|i| i.1), truth)
        };
        line("Cliff's delta", "normal, 0.5 SD apart", n, reps, count(reps, holds));
    }
    for n in [4, 15, 50, 200] {
        let holds = |r: u64| {
            let z = normals(107, r, 2 * n);
            let x: Vec<f64> = z[..n].iter().map(|v| v + 0.5).collect();
            let e = effect(&x, &z[n..], ALPHA, DividedBy::Pooled, 1);
            within(e.d_lo, e.d_hi, 0.5)
        };
        line("Cohen's d", "normal, 0.5 SD apart", n, reps, count(reps, holds));
    }
    ExitCode::SUCCESS
}

fn bootstraps(reps: u64) {
    type Data = fn(u64, u64, usize) -> Vec<f64>;
    let kinds: [(&str, Data, u64, f64); 2] =
        [("normal, mean", normals, 104, 0.0), ("exponential, mean", exponentials, 105, 1.0)];
    for (data, draw, design, truth) in kinds {
        for n in [10, 30, 100, 1000] {
            for method in [Method::Percentile, Method::Bca] {
                let settings = Settings { method, resamples: 999, seed: 12345, alpha: ALPHA };
                let reps: Vec<u64> = (0..reps).collect();
                let held: usize = reps
                    .chunks(1000)
                    .map(|chunk| {
                        let jobs: Vec<Job> = chunk.iter().map(|r| Job::mean(&draw(design, *r, n), 0)).collect();
                        run(&jobs, &settings).iter().filter(|b| within(b.lo, b.hi, truth)).count()
                    })
                    .sum();
                line(method.name(), data, n, reps.len() as u64, held);
            }
        }
    }
}
