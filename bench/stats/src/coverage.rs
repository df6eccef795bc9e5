//! How often each interval holds the true value.

use std::process::ExitCode;

use rayon::prelude::*;
use verism::stats::bootstrap::{Job, Method, Settings, run};
use verism::stats::cliff::cliffs_delta;
use verism::stats::describe::{Factor, describe, proportion};
use verism::stats::effect::{DividedBy, effect};
use verism::stats::two_samples::TwoSamples;

use crate::data::{exponentials, normals, uniforms};

const ALPHA: f64 = 0.05;

/// Prints one interval on one kind of data: for each n the share of replicates in which it holds the truth.
fn line(method: &str, data: &str, reps: u64, sizes: &[usize], held: impl Fn(usize) -> usize) {
    let share = |n: &usize| format!("{n}: {:.2} %", 100.0 * held(*n) as f64 / reps as f64);
    println!("| {method} | {data} | {} |", sizes.iter().map(share).collect::<Vec<String>>().join(", "));
}

fn count(reps: u64, holds: impl Fn(u64) -> bool + Sync) -> usize {
    (0..reps).into_par_iter().filter(|r| holds(*r)).count()
}

fn within(lo: Option<f64>, hi: Option<f64>, truth: f64) -> bool {
    lo.zip(hi).is_some_and(|(lo, hi)| (lo..=hi).contains(&truth))
}

/// Prints one row per interval and kind of data. Designs from 100 on, so that no data is shared with the tests.
pub(crate) fn print(reps: u64) -> ExitCode {
    println!("| interval (95 %) | data | n: share that holds the truth |\n|---|---|---|");
    for (factor, name) in [(Factor::T, "t"), (Factor::Z196, "z196")] {
        line(name, "normal, mean", reps, &[3, 10, 30, 100, 1000], |n| {
            count(reps, |r| {
                let d = describe(&normals(100, r, n), ALPHA, factor, 1);
                within(d.ci_lo, d.ci_hi, 0.0)
            })
        });
    }
    for (p, design) in [(0.5, 101), (0.1, 102), (0.02, 103)] {
        let data = format!("share of {p}");
        let drawn = |r: u64, n: usize| {
            let hits = uniforms(design, r, n).iter().filter(|u| **u < p).count();
            proportion(hits as u64, n as u64, ALPHA)
        };
        let sizes = [10, 30, 100, 1000];
        line("Wilson", &data, reps, &sizes, |n| {
            count(reps, |r| {
                let i = drawn(r, n);
                within(i.wilson_lo, i.wilson_hi, p)
            })
        });
        line("Clopper-Pearson", &data, reps, &sizes, |n| {
            count(reps, |r| {
                let i = drawn(r, n);
                within(i.exact_lo, i.exact_hi, p)
            })
        });
    }
    bootstraps(reps);
    let apart = |design: u64, r: u64, n: usize| {
        let mut x = normals(design, r, 2 * n);
        let y = x.split_off(n);
        (x.iter().map(|v| v + 0.5).collect::<Vec<f64>>(), y)
    };
    line("Cliff's delta", "normal, 0.5 SD apart", reps, &[5, 10, 30, 100], |n| {
        // P(X > Y) - P(X < Y) = 2Φ(0.5/√2) - 1 for normals half an SD apart
        let truth = libm::erf(0.25);
        count(reps, |r| {
            let (x, y) = apart(106, r, n);
            cliffs_delta(&TwoSamples::of(&x, &y), ALPHA).interval.is_some_and(|(lo, hi)| (lo..=hi).contains(&truth))
        })
    });
    line("Cohen's d", "normal, 0.5 SD apart", reps, &[4, 15, 50, 200], |n| {
        count(reps, |r| {
            let (x, y) = apart(107, r, n);
            let e = effect(&TwoSamples::of(&x, &y), ALPHA, DividedBy::Pooled, 1);
            within(e.d_lo, e.d_hi, 0.5)
        })
    });
    ExitCode::SUCCESS
}

fn bootstraps(reps: u64) {
    type Data = fn(u64, u64, usize) -> Vec<f64>;
    let kinds: [(&str, Data, u64, f64); 2] =
        [("normal, mean", normals, 104, 0.0), ("exponential, mean", exponentials, 105, 1.0)];
    for (data, draw, design, truth) in kinds {
        for method in [Method::Percentile, Method::Bca] {
            let settings = Settings { method, resamples: 999, seed: 12345, alpha: ALPHA };
            line(method.name(), data, reps, &[10, 30, 100, 1000], |n| {
                let held = |chunk: &[u64]| {
                    let jobs: Vec<Job> = chunk.iter().map(|r| Job::mean(&draw(design, *r, n), 0)).collect();
                    let intervals = run(&jobs, &settings, &|| false).unwrap_or_default();
                    intervals.iter().filter(|b| within(b.lo, b.hi, truth)).count()
                };
                (0..reps).collect::<Vec<u64>>().chunks(1000).map(held).sum()
            });
        }
    }
}
