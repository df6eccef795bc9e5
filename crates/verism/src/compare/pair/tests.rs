//! The rules of version 2 on small tables, each with the reason why it is right.

use super::flag::Flag;
use crate::compare::comparison::{Comparison, compare_table};
use crate::compare::options::Options;
use crate::compare::read::table::{Format, Reader, Table};
use crate::stats::verdict::{Magnitude, Verdict};

fn compared(csv: &str, options: &[&str]) -> Comparison {
    compare_table(Table::of_csv(csv), &Options::parse(options.iter().copied()).unwrap()).unwrap()
}

/// Values of A and of B, of cases that they share or not.
fn table(a: &[f64], b: &[f64], shared: bool) -> String {
    let mut csv = String::from("metric,experiment,case,value\n");
    for (experiment, values) in [("A", a), ("B", b)] {
        for (i, value) in values.iter().enumerate() {
            let case = if shared { format!("c{i:03}") } else { format!("{experiment}{i:03}") };
            csv.push_str(&format!("m,{experiment},{case},{value}\n"));
        }
    }
    csv
}

fn shares(ones: usize, of: usize) -> Vec<f64> {
    (0..of).map(|i| f64::from(u8::from(i < ones))).collect()
}

// 0 of 10 against 6 of 100 (SciPy 1.17.1: fisher_exact p = 1): Welch with the variance of one side called it a difference.
#[test]
fn none_of_ten_against_six_of_a_hundred_says_nothing() {
    let c = compared(&table(&shares(0, 10), &shares(6, 100), false), &[]);
    let pair = &c.pairs[0];
    assert_eq!((pair.test, pair.ci.method, pair.verdict), ("fisher", "newcombe", Verdict::Inconclusive));
    assert_eq!(pair.p, Some(1.0));
}

// Two cases that score 1: Wilson's lower end is n/(n + z²) = 2/(2 + 3.8415) = 0.3424.
#[test]
fn two_perfect_cases_do_not_reach_far() {
    let c = compared(&table(&[1.0, 1.0], &[1.0, 0.0], false), &[]);
    let (_, mean, interval) = c.summary[0].mean_and_interval();
    assert_eq!(mean, Some(1.0));
    assert!((interval.unwrap().0 - 2.0 / (2.0 + 3.841_458_820_694_124)).abs() < 1e-9);
}

// Five pairs of equal differences: without a range nothing is said of how far off the truth may be; in [0, 1] it may be
// q = 1 - 0.05^(1/5) = 0.4507 off; 80 such pairs show less than 0.05, since 0.95^80 = 0.0165.
#[test]
fn equal_pairs_are_negligible_only_where_there_are_enough() {
    let values = |n: usize| (0..n).map(|i| 0.25 + (i % 7) as f64 / 16.0).collect::<Vec<f64>>();
    let equal = |n: usize, options: &[&str]| compared(&table(&values(n), &values(n), true), options).pairs[0].clone();
    let open = equal(5, &["sesoi=0.05"]);
    assert_eq!((open.ci.lo, open.magnitude, open.verdict), (None, Magnitude::Uncertain, Verdict::Inconclusive));
    let few = equal(5, &["sesoi=0.05", "range=0..1"]);
    assert!((few.ci.hi.unwrap() - (1.0 - 0.05_f64.powf(0.2))).abs() < 1e-12);
    assert_eq!(few.magnitude, Magnitude::Uncertain);
    assert_eq!(equal(80, &["sesoi=0.05", "range=0..1"]).magnitude, Magnitude::Negligible);
}

// By hand: pairs that differ by exactly 0.1 are neither within nor beyond a margin of 0.1, whatever 0.8 - 0.7 is in binary64.
#[test]
fn a_tie_with_the_margin_is_no_decision() {
    let low: Vec<f64> = (0..90).map(|i| 0.3 + f64::from(i % 5) / 10.0).collect();
    let high: Vec<f64> = low.iter().map(|v| v + 0.1).collect();
    let pair = &compared(&table(&low, &high, true), &["sesoi=0.1", "range=0..1"]).pairs[0];
    assert_eq!((pair.verdict, pair.magnitude), (Verdict::Better, Magnitude::Uncertain));
}

// Runs of B are all higher by what their run is shifted; cases agree to 0.01. Without the shifts t would be about 20.
#[test]
fn shifts_of_whole_runs_enter_the_error() {
    let mut csv = String::from("metric,experiment,case,run,value\n");
    let shifts = [("A", [0.0, 0.3, -0.2]), ("B", [0.3, 0.0, 0.25])];
    for (experiment, runs) in shifts {
        for (r, shift) in runs.iter().enumerate() {
            for case in 0..10 {
                let own = if experiment == "A" { 7 } else { 11 };
                let noise = f64::from((case * own + r as i32 * 3) % 5 + case * own % 4) / 500.0;
                csv.push_str(&format!("m,{experiment},c{case},{r},{}\n", 0.5 + shift + noise));
            }
        }
    }
    let auto = &compared(&csv, &[]).pairs[0];
    assert_eq!((auto.test, auto.verdict), ("paired_t_runs", Verdict::Inconclusive));
    assert!(auto.flags.contains(&Flag::RunShifts) && auto.why.contains("new runs"), "{}", auto.why);
    let fixed = &compared(&csv, &["runs=fixed"]).pairs[0];
    assert_eq!((fixed.test, fixed.verdict), ("paired_t", Verdict::Better));
}

// Every case has two of three runs, so that none has all of them; the runs shift by half a point and more. By `cases/version2.py`
// (least squares with NumPy): plain t says p = 3e-6, with the shifts of runs p = 0.684.
#[test]
fn run_shifts_show_in_tables_with_gaps() {
    let mut csv = String::from("metric,experiment,case,run,value\n");
    for (experiment, shifts, more) in [("A", [0, 30, 60], 0), ("B", [10, 40, 75], 3)] {
        for (case, r) in
            (0..12_i32).flat_map(|case| (0..3_i32).map(move |r| (case, r))).filter(|(c, r)| (c + r) % 3 != 0)
        {
            let value = case * 3 % 7 + shifts[r as usize] + (case * 7 + r * 5 + more) * 11 % 13;
            csv.push_str(&format!("m,{experiment},c{case},{r},{}\n", f64::from(value) / 64.0));
        }
    }
    let pair = &compared(&csv, &[]).pairs[0];
    assert_eq!((pair.test, pair.verdict), ("paired_t_runs", Verdict::Inconclusive));
    assert!(pair.flags.contains(&Flag::RunShifts), "{:?}", pair.flags);
    assert!((pair.se.unwrap() / 0.395_804_323_535_750_1 - 1.0).abs() < 1e-9, "{:?}", pair.se);
    assert!((pair.p.unwrap() / 0.684_360_792_025_973_3 - 1.0).abs() < 1e-9, "{:?}", pair.p);
}

// SciPy 1.17.1: Welch's p is 0.0028, Student's 0.0648 with the interval [-0.01231, 0.32981]: two values say too little about their
// own spread for the first to count alone.
#[test]
fn two_units_against_many_have_to_pass_students_t() {
    let y = [0.5, 0.7, 0.62, 0.81, 0.55, 0.66, 0.73, 0.6];
    let rows = |name: &'static str, values: &[f64]| -> String {
        values.iter().enumerate().map(|(i, v)| format!("m,{name},{name}{i},{v}\n")).collect()
    };
    let csv = format!("metric,experiment,case,value\n{}{}", rows("A", &y), rows("B", &[0.80, 0.81]));
    let pair = &compared(&csv, &[]).pairs[0];
    assert_eq!((pair.test, pair.verdict), ("welch_student", Verdict::Inconclusive));
    assert!((pair.p.unwrap() / 0.064_774_922_657_667_17 - 1.0).abs() < 1e-9, "{:?}", pair.p);
    assert!((pair.ci.lo.unwrap() + 0.012_313_385_799_753_8).abs() < 1e-9, "{:?}", pair.ci.lo);
    assert!(pair.why.contains("fewer than 4 units"), "{}", pair.why);
    let asked = &compared(&csv, &["test=welch"]).pairs[0];
    assert_eq!((asked.test, asked.verdict), ("welch", Verdict::Better));
}

// Skewed differences and runs that may shift, by `cases/version2.py` (NumPy, SciPy 1.17.1): SE 0.0672 without the shifts, and 0.561 of
// them in the error.
#[test]
fn skewness_and_run_shifts_stand_in_one_test() {
    let mut csv = String::from("metric,experiment,case,run,value\n");
    for (experiment, shifts, other) in [("A", [0, 2, 1], 0), ("B", [4, 7, 5], 1)] {
        for case in 0..9_i32 {
            let own = other * (case * case * case % 29);
            for (r, shift) in shifts.iter().enumerate() {
                let noise = (case * 7 + r as i32 * 5 + 3 * other) * 11 % 13;
                let value = f64::from(20 + case * 3 % 7 + shift + noise) + f64::from(own * own) / 20.0;
                csv.push_str(&format!("m,{experiment},c{case},{r},{}\n", value / 64.0));
            }
        }
    }
    let pair = &compared(&csv, &[]).pairs[0];
    assert_eq!((pair.test, pair.ci.method, pair.verdict), ("skew_t_runs", "skew_t", Verdict::Better));
    assert!(!pair.flags.contains(&Flag::RunShifts) && pair.why.contains("may shift"), "{}", pair.why);
    let near =
        |found: Option<f64>, right: f64| assert!((found.unwrap() / right - 1.0).abs() < 1e-9, "{found:?} {right}");
    near(pair.runs.map(|runs| runs.weight), 0.561_215_806_684_460_4);
    near(pair.se, 0.068_617_052_390_821_11);
    near(pair.df, 8.568_698_153_813_75);
    near(pair.p, 0.007_391_506_405_117_096);
    near(pair.ci.lo, 0.082_901_167_739_711_76);
    near(pair.ci.hi, 0.507_148_427_353_545_4);
}

// Three families of four cases, each with a difference of its own: the t test on the three family means.
#[test]
fn cases_of_a_family_stand_together() {
    let mut csv = String::from("metric,experiment,case,family,value\n");
    let (mut means, own) = (vec![], [0.5, -0.2, 0.3]);
    for (family, effect) in own.iter().enumerate() {
        let mut sum = 0.0;
        for i in 0..4 {
            let noise = f64::from(i) / 50.0;
            sum += effect + noise;
            csv.push_str(&format!(
                "m,A,f{family}c{i},f{family},1\nm,B,f{family}c{i},f{family},{}\n",
                1.0 + effect + noise
            ));
        }
        means.push(sum / 4.0);
    }
    let mut reader = Reader::default().clustered(Some("family"));
    reader.add("t", &csv, Format::Csv, None);
    let c = compare_table(reader.finish(), &Options::default()).unwrap();
    let mean = means.iter().sum::<f64>() / 3.0;
    let se = (means.iter().map(|m| (m - mean) * (m - mean)).sum::<f64>() / 2.0 / 3.0).sqrt();
    let pair = &c.pairs[0];
    assert_eq!(pair.test, "cluster_t");
    assert!((pair.se.unwrap() - se).abs() < 1e-12 && (pair.df.unwrap() - 2.0).abs() < 1e-9);
}

// Without cases the dialogues that both share are the pairs.
#[test]
fn shared_dialogues_pair_where_there_are_no_cases() {
    let mut csv = String::from("metric,experiment,dialogue,value\n");
    for i in 0..8 {
        let value = f64::from(i * i % 11) / 10.0;
        csv.push_str(&format!("m,A,d{i},{value}\nm,B,d{i},{}\n", value + 0.1 + f64::from(i % 3) / 100.0));
    }
    let pair = &compared(&csv, &[]).pairs[0];
    assert_eq!((pair.design, pair.unit.name(), pair.n_pairs), ("paired", "dialogue", Some(8)));
}

// Aggregates of clinical: c1 rests on other parts in B, so that only c0, c2 and c3 are compared.
#[test]
fn aggregates_meet_on_the_same_parts() {
    let mut lines = String::new();
    for (experiment, add) in [("A", 0.0), ("B", 0.05)] {
        for case in 0..4 {
            let other = experiment == "B" && case == 1;
            let parts = if other { r#"[{"metric":"sfs"}]"# } else { r#"[{"metric":"cus"},{"metric":"sfs"}]"# };
            let value = 0.5 + add + f64::from(case * case) / 50.0;
            lines.push_str(&format!(
                "{{\"suite\":\"clinical\",\"metric\":\"aggregate\",\"experiment\":\"{experiment}\",\"case\":\"c{case}\",\
                 \"dialogue\":\"d{case}\",\"turn\":\"1\",\"level\":\"turn\",\"value\":{value},\"evidence\":{{\"parts\":{parts}}}}}\n"
            ));
        }
    }
    let mut reader = Reader::default();
    reader.add("t", &lines, Format::JsonLines, None);
    let c = compare_table(reader.finish(), &Options::default()).unwrap();
    let pair = &c.pairs[0];
    assert_eq!(
        (pair.n_pairs, pair.unmatched_rows_baseline, pair.unmatched_rows_experiment),
        (Some(3), Some(1), Some(1))
    );
    assert!(pair.flags.contains(&Flag::PartsDiffer) && pair.flags.contains(&Flag::UnmatchedRows));
}

// By hand: A has the mean 0.3 + 9.5/60 = 0.4583, what is left of B 0.37 + 11.5/60 = 0.5617; with zeros for the four that it lacks B
// has 0.8 · 0.5617 = 0.4493.
#[test]
fn values_that_one_side_lacks_can_take_the_verdict() {
    let mut csv = String::from("metric,experiment,case,value,undefined\n");
    for i in 0..20 {
        let value = f64::from(i) / 60.0 + 0.3;
        csv.push_str(&format!("m,A,a{i},{value},\n"));
        let blank = i < 4;
        let higher = if blank { String::new() } else { (value + 0.07).to_string() };
        csv.push_str(&format!("m,B,b{i},{higher},{}\n", if blank { "no_answer" } else { "" }));
    }
    let free = &compared(&csv, &[]).pairs[0];
    let bound = &compared(&csv, &["range=0..1"]).pairs[0];
    assert_eq!((free.verdict, free.missing), (Verdict::Better, None));
    assert_eq!(bound.verdict, Verdict::Inconclusive);
    assert!(bound.flags.contains(&Flag::MissingCouldOverturn));
}
