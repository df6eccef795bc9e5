//! Laws that every comparison obeys, on random tables.

use proptest::prelude::*;

use crate::compare::comparison::{Comparison, compare_table};
use crate::compare::options::Options;
use crate::compare::pair::flag::Flag;
use crate::compare::pair::result::Pair;
use crate::compare::read::table::Table;
use crate::stats::verdict::Verdict;

/// A score of experiment A or B for a case, or none.
type Score = (bool, u8, Option<f64>);

fn scores() -> impl Strategy<Value = Vec<Score>> {
    let value = prop_oneof![
        6 => (0.0..1.0).prop_map(Some),
        2 => (0..5_u8).prop_map(|k| Some(f64::from(k) / 4.0)),
        1 => Just(None),
    ];
    prop::collection::vec((any::<bool>(), 0..9_u8, value), 2..30).prop_map(|mut rows| {
        rows.sort_by_key(|row| (row.0, row.1));
        rows.dedup_by_key(|row| (row.0, row.1));
        rows
    })
}

fn table(rows: impl IntoIterator<Item = (&'static str, String, Option<f64>)>) -> String {
    let mut csv = String::from("metric,experiment,case,value\n");
    for (experiment, case, value) in rows {
        csv.push_str(&format!("m,{experiment},{case},{}\n", value.map_or(String::new(), |v| v.to_string())));
    }
    csv
}

fn named(rows: &[Score]) -> impl Iterator<Item = (&'static str, String, Option<f64>)> {
    rows.iter().map(|(b, case, value)| (if *b { "B" } else { "A" }, format!("c{case}"), *value))
}

fn compare(csv: &str, options: &[&str]) -> Option<Comparison> {
    compare_table(Table::of_csv(csv), &Options::parse(options.iter().copied()).unwrap()).ok()
}

fn pair(csv: &str, options: &[&str]) -> Option<Pair> {
    compare(csv, options)?.pairs.into_iter().next()
}

/// Everything of a pair that is a number or a word about it.
fn numbers(pair: &Pair) -> String {
    let mut plain = pair.clone();
    (plain.undefined_baseline, plain.undefined_experiment) = (0, 0);
    plain.flags.retain(|flag| *flag != Flag::CoverageDiffers);
    serde_json::to_string(&plain).unwrap()
}

fn near(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1e-9),
        (a, b) => a == b,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn exchanging_the_experiments_flips_the_sign_and_keeps_p(rows in scores(), ci in prop::sample::select(vec!["t", "bca"])) {
        let (csv, ci) = (table(named(&rows)), format!("ci={ci}"));
        let options = |baseline| [baseline, "resamples=199", "tests=all", "sesoi=0.1", ci.as_str()];
        let (Some(a), Some(b)) = (pair(&csv, &options("baseline=A")), pair(&csv, &options("baseline=B"))) else {
            return Ok(());
        };
        prop_assert!(near(a.diff, b.diff.map(|d| -d)) && near(a.p, b.p) && near(a.p_adj, b.p_adj));
        prop_assert!(near(a.ci.lo, b.ci.hi.map(|x| -x)), "{:?} {:?}", a.ci, b.ci);
        prop_assert_eq!(a.tests.permutation.map(|t| t.test.count), b.tests.permutation.map(|t| t.test.count));
        let mirrored = match b.verdict {
            Verdict::Better => Verdict::Worse,
            Verdict::Worse => Verdict::Better,
            other => other,
        };
        prop_assert_eq!((a.verdict, a.magnitude), (mirrored, b.magnitude));
    }

    #[test]
    fn an_undefined_value_changes_coverage_only(rows in scores()) {
        let csv = table(named(&rows));
        let longer = format!("{csv}m,A,new,\n");
        let (Some(before), Some(after)) = (pair(&csv, &[]), pair(&longer, &[])) else { return Ok(()) };
        prop_assert_eq!(numbers(&before), numbers(&after));
        prop_assert_eq!(before.undefined_baseline + 1, after.undefined_baseline);
    }

    #[test]
    fn the_order_of_rows_never_matters(rows in scores(), by in 1..29_usize) {
        let mut turned: Vec<Score> = rows.clone();
        turned.reverse();
        let shift = by % turned.len();
        turned.rotate_left(shift);
        let json = |rows: &[Score]| compare(&table(named(rows)), &["ci=percentile", "resamples=99"]).map(|c| serde_json::to_string(&c).unwrap());
        prop_assert_eq!(json(&rows), json(&turned));
    }

    #[test]
    fn names_that_keep_their_order_change_nothing(rows in scores()) {
        let other = named(&rows).map(|(e, case, v)| (e, format!("z{case}é"), v));
        let (Some(a), Some(b)) = (pair(&table(named(&rows)), &[]), pair(&table(other), &[])) else { return Ok(()) };
        prop_assert_eq!(numbers(&a), numbers(&b));
    }

    #[test]
    fn every_p_is_a_probability_and_adjusting_never_lowers_it(rows in scores(), method in prop::sample::select(vec!["holm", "bh", "bonferroni", "none"])) {
        let csv: String = table(named(&rows)) + &table(named(&rows)).lines().skip(1).map(|l| format!("n{}\n", &l[1..])).collect::<String>();
        let Some(comparison) = compare(&csv, &[&format!("adjust={method}")]) else { return Ok(()) };
        for pair in &comparison.pairs {
            if let (Some(p), Some(adjusted)) = (pair.p, pair.p_adj) {
                prop_assert!(p > 0.0 && p <= adjusted && adjusted <= 1.0);
            }
        }
    }

    // n pairs twice over: the same mean difference and Σ(d - d̄)² twice, so SE² = 2ss/((2n-1)2n) against ss/((n-1)n).
    #[test]
    fn doubling_every_case_does_what_theory_says(rows in scores()) {
        let twice = named(&rows).flat_map(|(e, case, v)| [(e, format!("{case}x"), v), (e, format!("{case}y"), v)]);
        let options = ["design=paired"];
        let (Some(one), Some(two)) = (pair(&table(named(&rows)), &options), pair(&table(twice), &options)) else {
            return Ok(());
        };
        prop_assert!(near(one.diff, two.diff));
        if let (Some(se), Some(doubled), Some(n)) = (one.se.filter(|se| *se > 0.0), two.se, one.n_pairs) {
            let n = n as f64;
            prop_assert!(near(Some(doubled), Some(se * ((n - 1.0) / (2.0 * n - 1.0)).sqrt())));
        }
    }

    #[test]
    fn totals_add_up(rows in scores()) {
        let Some(comparison) = compare(&table(named(&rows)), &[]) else { return Ok(()) };
        for row in &comparison.ledger {
            let parts = row.scored + row.undefined.values().sum::<usize>() + row.excluded.values().sum::<usize>();
            prop_assert_eq!(row.total, parts);
        }
    }
}
