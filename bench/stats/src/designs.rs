//! Designs with a known truth: how often a test at 5 % rejects it.

use std::process::ExitCode;

use rayon::prelude::*;
use verism::compare::{Options, compare_text};
use verism::stats::adjust::{Method as Correction, adjust};
use verism::stats::bootstrap::{Job, Method, Settings, run};
use verism::stats::cluster::{ClusterSe, Clusters, cluster_diff};
use verism::stats::describe::Factor;
use verism::stats::differences::Differences;
use verism::stats::effect::{DividedBy, effect};
use verism::stats::equivalence::tost_of;
use verism::stats::groups::{anova, friedman, kruskal};
use verism::stats::mann_whitney::mannwhitney;
use verism::stats::noise::{Cell, noise};
use verism::stats::permutation::{First, permutation};
use verism::stats::sign_flip::signflip;
use verism::stats::spearman::spearman;
use verism::stats::t_test::{paired_t, welch};
use verism::stats::two_samples::TwoSamples;
use verism::stats::verdict::Verdict;
use verism::stats::wilcoxon::{Exact, Zeros, wilcoxon};

use crate::data::{Rows, clustered, exponentials, normals};

const ALPHA: f64 = 0.05;

/// What counts as a rejection in one replicate (a share for false discoveries).
type Replicate = fn(u64) -> f64;

/// A design: its name, what it does, limits in percent, the specification's count of 10 000, and how it is run.
struct Design {
    name: &'static str,
    text: &'static str,
    limits: Option<(f64, f64)>,
    reference: f64,
    run: Run,
}

enum Run {
    Each(Replicate),
    All(fn(u64) -> f64),
}

#[rustfmt::skip]
const DESIGNS: &[Design] = &[
    Design { name: "D01", text: "Welch, 10 v 10 normal", limits: Some((4.5, 5.5)), reference: 505.0, run: Run::Each(d01) },
    Design { name: "D02", text: "Welch, 30 (SD 1) v 15 (SD 3)", limits: Some((4.5, 5.5)), reference: 518.0, run: Run::Each(d02) },
    Design { name: "D03", text: "paired t, 12 cases", limits: Some((4.5, 5.5)), reference: 508.0, run: Run::Each(d03) },
    Design { name: "D04", text: "sign-flip exact, data of D03", limits: Some((4.5, 5.5)), reference: 499.0, run: Run::Each(d04) },
    Design { name: "D05", text: "Wilcoxon exact, data of D03", limits: Some((0.0, 5.5)), reference: 425.0, run: Run::Each(d05) },
    Design { name: "D06", text: "Mann-Whitney exact, 10 v 12", limits: Some((0.0, 5.5)), reference: 413.0, run: Run::Each(d06) },
    Design { name: "D07", text: "permutation exact, 8 v 8", limits: Some((4.5, 5.5)), reference: 529.0, run: Run::Each(d07) },
    Design { name: "D08", text: "Welch, 30 v 30 gridded scores with a ceiling", limits: Some((4.5, 5.5)), reference: 472.0, run: Run::Each(d08) },
    Design { name: "D09", text: "compare, 20 cases x 3 runs, test=paired_t, runs=fixed", limits: Some((4.5, 5.5)), reference: 524.0, run: Run::All(d09) },
    Design { name: "D10", text: "cluster t nested, ICC 0.3", limits: Some((4.5, 5.5)), reference: 526.0, run: Run::Each(d10) },
    Design { name: "D11", text: "cluster t crossed, unequal turns", limits: Some((4.5, 5.5)), reference: 492.0, run: Run::Each(d11) },
    Design { name: "D12", text: "control: Welch on the rows of D10", limits: None, reference: 2624.0, run: Run::Each(d12) },
    Design { name: "D13", text: "Spearman t, n 20", limits: Some((4.5, 5.5)), reference: 501.0, run: Run::Each(d13) },
    Design { name: "D14", text: "ANOVA 4 x 10", limits: Some((4.5, 5.5)), reference: 525.0, run: Run::Each(d14) },
    Design { name: "D15", text: "Kruskal-Wallis 3 x 10", limits: Some((0.0, 5.5)), reference: 436.0, run: Run::Each(d15) },
    Design { name: "D16", text: "Friedman 4 x 15", limits: Some((0.0, 5.5)), reference: 426.0, run: Run::Each(d16) },
    Design { name: "D17", text: "Holm, 20 null metrics: any rejection", limits: Some((4.0, 5.5)), reference: 493.0, run: Run::Each(d17) },
    Design { name: "D18", text: "BH, 5 of 20 real: mean false share", limits: Some((0.0, 5.5)), reference: 389.6, run: Run::Each(d18) },
    Design { name: "D19", text: "TOST, the truth on the margin", limits: Some((0.0, 5.5)), reference: 488.0, run: Run::Each(d19) },
    Design { name: "D20", text: "noise budget exceeded by two further runs", limits: Some((4.5, 5.5)), reference: 481.0, run: Run::Each(d20) },
    Design { name: "D21", text: "interval of d misses 0.5, 15 v 15", limits: Some((4.5, 5.5)), reference: 487.0, run: Run::Each(d21) },
    Design { name: "D22", text: "BCa interval misses, exponential n 30", limits: Some((4.5, 8.0)), reference: 726.0, run: Run::All(d22) },
];

/// Runs the designs named (all, if none) and prints a row for each.
pub(crate) fn print(names: &[&str], reps: u64) -> ExitCode {
    let mut sound = true;
    println!(
        "| design | what | replicates | rejected | percent | limits | reference | holds |\n|---|---|---|---|---|---|---|---|"
    );
    for design in DESIGNS.iter().filter(|d| names.is_empty() || names.contains(&d.name)) {
        let hits = match design.run {
            Run::Each(replicate) => (0..reps).into_par_iter().map(replicate).collect::<Vec<f64>>().iter().sum(),
            Run::All(all) => all(reps),
        };
        let percent = 100.0 * hits / reps as f64;
        let inside = design.limits.is_none_or(|(low, high)| (low..=high).contains(&percent));
        let near = reps != 10_000 || (hits - design.reference).abs() <= 3.0;
        let limits = design.limits.map_or("stays wrong".to_string(), |(low, high)| format!("{low}..{high} %"));
        sound &= inside && near;
        let holds = if inside && near { "yes" } else { "NO" };
        let (name, text, reference) = (design.name, design.text, design.reference);
        println!("| {name} | {text} | {reps} | {hits:.1} | {percent:.2} % | {limits} | {reference} | {holds} |");
    }
    if sound { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

fn rejects(p: Option<f64>) -> f64 {
    f64::from(u8::from(p.is_some_and(|p| p < ALPHA)))
}

fn welch_p(x: &[f64], y: &[f64]) -> f64 {
    rejects(welch(&TwoSamples::of(x, y), ALPHA, Factor::T).result.p)
}

fn d01(r: u64) -> f64 {
    let z = normals(1, r, 20);
    welch_p(&z[..10], &z[10..])
}

fn d02(r: u64) -> f64 {
    let z = normals(2, r, 45);
    let wide: Vec<f64> = z[30..].iter().map(|v| 3.0 * v).collect();
    welch_p(&z[..30], &wide)
}

/// Twelve cases with an effect of SD 2, two measurements each.
fn pairs(r: u64) -> Differences {
    let z = normals(3, r, 36);
    let side = |from: usize| (0..12).map(|i| 2.0 * z[i] + z[from + i]).collect::<Vec<f64>>();
    Differences::of_pairs(&side(12), &side(24))
}

fn d03(r: u64) -> f64 {
    rejects(paired_t(&pairs(r), ALPHA, Factor::T).result.p)
}

fn d04(r: u64) -> f64 {
    rejects(signflip(&pairs(r), 9999, 12345).p)
}

fn d05(r: u64) -> f64 {
    rejects(wilcoxon(&pairs(r), Zeros::Wilcox, Exact::Auto).p)
}

fn d06(r: u64) -> f64 {
    let z = normals(6, r, 22);
    rejects(mannwhitney(&TwoSamples::of(&z[..10], &z[10..]), Exact::Auto).p)
}

fn d07(r: u64) -> f64 {
    let z = normals(7, r, 16);
    rejects(permutation(&z[..8], &z[8..], 9999, 12345, First::X).p)
}

fn d08(r: u64) -> f64 {
    let grid = |z: &f64| ((((0.8 + 0.25 * z) * 20.0 + 0.5).floor()) / 20.0).clamp(0.0, 1.0);
    let scores: Vec<f64> = normals(8, r, 60).iter().map(grid).collect();
    welch_p(&scores[..30], &scores[30..])
}

/// A whole table through `compare`: case effect, case-by-experiment effect of SD 0.7, run noise. The reference counts plain paired
/// t tests on the means of cases; the rules that choose another one are simulated by `designs.py`.
fn d09(reps: u64) -> f64 {
    let mut csv = String::from("metric,experiment,run,case,value\n");
    for r in 0..reps {
        let z = normals(9, r, 180);
        for e in 0..2 {
            for c in 0..20 {
                for k in 0..3 {
                    let value = z[c] + 0.7 * z[20 + 20 * e + c] + z[60 + 60 * e + 3 * c + k];
                    csv.push_str(&format!("m{r:05},{},r{k},c{c:02},{value}\n", ["A", "B"][e]));
                }
            }
        }
    }
    let options = Options::parse(["adjust=none", "test=paired_t", "runs=fixed"]).expect("a valid option");
    let comparison = compare_text(&csv, &options).expect("a complete table");
    comparison.pairs.iter().filter(|pair| pair.verdict != Verdict::Inconclusive).count() as f64
}

const GROWING: [usize; 5] = [2, 4, 6, 8, 10];
const FALLING: [usize; 5] = [10, 8, 6, 4, 2];

/// 15 v 15 dialogues of 2 to 10 turns, ICC 0.3.
fn nested(r: u64) -> (Rows, Rows) {
    let z = normals(10, r, 210);
    let sizes = GROWING.repeat(3);
    let side = |z: &[f64]| clustered(z, &sizes, 0.3f64.sqrt(), 0.7f64.sqrt(), None);
    (side(&z[..105]), side(&z[105..]))
}

fn cluster_p(x: &Rows, y: &Rows, crossed: bool) -> f64 {
    let (rx, ry): (Vec<&str>, Vec<&str>) =
        (x.clusters.iter().map(String::as_str).collect(), y.clusters.iter().map(String::as_str).collect());
    let (cx, cy) = (Clusters::of(&x.values, &rx), Clusters::of(&y.values, &ry));
    rejects(cluster_diff(&cx, &cy, crossed, ClusterSe::Cr2, ALPHA, Factor::T).result.p)
}

fn d10(r: u64) -> f64 {
    let (x, y) = nested(r);
    cluster_p(&x, &y, false)
}

fn d11(r: u64) -> f64 {
    let z = normals(11, r, 300);
    let x = clustered(&z[20..160], &GROWING.repeat(4), 0.5, 1.0, Some(&z[..20]));
    let y = clustered(&z[160..], &FALLING.repeat(4), 0.5, 1.0, Some(&z[..20]));
    cluster_p(&x, &y, true)
}

fn d12(r: u64) -> f64 {
    let (x, y) = nested(r);
    welch_p(&x.values, &y.values)
}

fn d13(r: u64) -> f64 {
    let z = normals(13, r, 40);
    rejects(spearman(&z[..20], &z[20..], 1, 12345).p)
}

fn groups(design: u64, r: u64, k: usize, n: usize) -> Vec<Vec<f64>> {
    normals(design, r, k * n).chunks(n).map(<[f64]>::to_vec).collect()
}

fn d14(r: u64) -> f64 {
    rejects(anova(&groups(14, r, 4, 10)).p)
}

fn d15(r: u64) -> f64 {
    rejects(kruskal(&groups(15, r, 3, 10)).p)
}

fn d16(r: u64) -> f64 {
    let columns = groups(16, r, 4, 15);
    let blocks: Vec<Vec<f64>> = (0..15).map(|i| columns.iter().map(|c| c[i]).collect()).collect();
    rejects(friedman(4, &blocks).p)
}

/// The adjusted p-values of 20 metrics with 15 differences each; the first `real` have a mean of 1.
fn family(design: u64, r: u64, real: usize, correction: Correction) -> Vec<bool> {
    let p: Vec<Option<f64>> = groups(design, r, 20, 15)
        .into_iter()
        .enumerate()
        .map(|(j, d)| {
            let shift = if j < real { 1.0 } else { 0.0 };
            let d: Vec<f64> = d.iter().map(|v| v + shift).collect();
            paired_t(&Differences::of(&d), ALPHA, Factor::T).result.p
        })
        .collect();
    adjust(&p, &[], correction).p_adj.iter().map(|p| p.is_some_and(|p| p < ALPHA)).collect()
}

fn d17(r: u64) -> f64 {
    f64::from(u8::from(family(17, r, 0, Correction::Holm).contains(&true)))
}

fn d18(r: u64) -> f64 {
    let rejected = family(18, r, 5, Correction::Bh);
    let count = |list: &[bool]| list.iter().filter(|hit| **hit).count() as f64;
    count(&rejected[5..]) / count(&rejected).max(1.0)
}

fn d19(r: u64) -> f64 {
    let d: Vec<f64> = normals(19, r, 20).iter().map(|z| 0.5 + z).collect();
    let test = paired_t(&Differences::of(&d), ALPHA, Factor::T).result;
    f64::from(u8::from(tost_of(0.5, &test, ALPHA).equivalent == Some(true)))
}

fn d20(r: u64) -> f64 {
    let z = normals(20, r, 120);
    let names: Vec<String> = (0..20).map(|c| format!("c{c:02}")).collect();
    let cells: Vec<Cell<&str>> = (0..60)
        .map(|i| Cell {
            case: names[i / 3].as_str(),
            run: ["r0", "r1", "r2"][i % 3],
            value: 2.0 * z[i / 3] + z[20 + i],
        })
        .collect();
    let mean = |from: usize| (0..20).map(|c| 2.0 * z[c] + z[from + c]).sum::<f64>() / 20.0;
    let budget = noise(&cells, ALPHA).min_diff_runs.unwrap_or(f64::INFINITY);
    f64::from(u8::from((mean(80) - mean(100)).abs() > budget))
}

fn d21(r: u64) -> f64 {
    let z = normals(21, r, 30);
    let x: Vec<f64> = z[..15].iter().map(|v| 0.5 + v).collect();
    let e = effect(&TwoSamples::of(&x, &z[15..]), ALPHA, DividedBy::Pooled, 1);
    f64::from(u8::from(!e.d_lo.zip(e.d_hi).is_some_and(|(lo, hi)| (lo..=hi).contains(&0.5))))
}

fn d22(reps: u64) -> f64 {
    let jobs: Vec<Job> = (0..reps).map(|r| Job::mean(&exponentials(22, r, 30), 0)).collect();
    let settings = Settings { method: Method::Bca, resamples: 999, seed: 12345, alpha: ALPHA };
    let misses =
        |b: &&verism::stats::bootstrap::Bootstrap| !b.lo.zip(b.hi).is_some_and(|(lo, hi)| (lo..=hi).contains(&1.0));
    run(&jobs, &settings, &|| false).unwrap_or_default().iter().filter(misses).count() as f64
}
