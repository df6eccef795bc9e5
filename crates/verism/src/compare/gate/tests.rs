//! The rules of the contract on small tables.

use super::*;
use crate::compare::comparison::compare_table;
use crate::compare::options::Options;
use crate::compare::read::table::Table;

/// Two experiments over the same cases: B is above A by `shift` with a little noise.
fn view(shift: f64, options: &[&str]) -> View {
    let mut csv = String::from("suite,metric,experiment,case,value,undefined\n");
    for case in 0..10 {
        let base = 0.5 + 0.02 * f64::from(case % 5);
        let noise = 0.01 * f64::from(case * 3 % 7);
        csv.push_str(&format!("demo,m,A,c{case},{base},\ndemo,m,B,c{case},{},\n", base + shift + noise - 0.03));
    }
    csv.push_str("demo,m,A,c10,,judge_failed\ndemo,m,A,c11,,not_applicable\n");
    let options = Options::parse(options.iter().copied()).unwrap();
    View::of(&compare_table(Table::of_csv(&csv), &options).unwrap()).unwrap()
}

fn outcome(view: &View, rule: &str) -> Outcome {
    overall(&judge(&[Rule::parse(rule).unwrap()], view).unwrap())
}

#[test]
fn intervals_pass_fail_or_stay_open() {
    let v = view(0.2, &[]);
    // A has mean 0.54 with an interval of about ±0.02, B about 0.74.
    assert_eq!(outcome(&v, "demo.m >= 0.4"), Outcome::Pass);
    assert_eq!(outcome(&v, "demo.m >= 0.9"), Outcome::Fail);
    assert_eq!(outcome(&v, "m@A >= 0.54"), Outcome::Inconclusive);
    assert_eq!(outcome(&v, "m@B >= 0.6"), Outcome::Pass);
    assert_eq!(outcome(&v, "m < 0.6"), Outcome::Fail, "B is above");
}

#[test]
fn points_pass_or_fail() {
    let v = view(0.2, &[]);
    assert_eq!(outcome(&v, "demo.m.mean@A >= 0.54"), Outcome::Pass);
    assert_eq!(outcome(&v, "demo.m.max@A <= 0.57"), Outcome::Fail);
    assert_eq!(outcome(&v, "demo.m.min >= 0.5"), Outcome::Pass);
    assert_eq!(outcome(&v, "demo.m.median@A <= 0.54"), Outcome::Pass);
}

// By hand: A has 10 of 11 (one of its 12 rows does not apply), together 20 of 21.
#[test]
fn coverage_leaves_out_what_does_not_apply() {
    let v = view(0.2, &[]);
    assert_eq!(outcome(&v, "coverage >= 0.95"), Outcome::Pass);
    assert_eq!(outcome(&v, "coverage >= 0.96"), Outcome::Fail);
    assert_eq!(outcome(&v, "demo.m.coverage@A >= 0.909"), Outcome::Pass);
    assert_eq!(outcome(&v, "demo.m.coverage@A >= 0.91"), Outcome::Fail);
}

#[test]
fn better_than_reads_the_verdict_from_either_side() {
    let v = view(0.2, &[]);
    assert_eq!(outcome(&v, "demo.m: B better_than A"), Outcome::Pass);
    assert_eq!(outcome(&v, "demo.m: A better_than B"), Outcome::Fail);
    assert_eq!(outcome(&view(0.0, &[]), "demo.m: B better_than A"), Outcome::Inconclusive);
    let lower = view(0.2, &["direction=lower"]);
    assert_eq!(outcome(&lower, "demo.m: B better_than A"), Outcome::Fail);
}

#[test]
fn no_worse_than_holds_the_bad_end_against_the_margin() {
    let v = view(0.0, &["sesoi=0.05"]);
    assert_eq!(outcome(&v, "demo.m: B no_worse_than A"), Outcome::Pass);
    assert_eq!(outcome(&v, "demo.m: A no_worse_than B"), Outcome::Pass);
    assert_eq!(outcome(&view(-0.2, &["sesoi.demo.m=0.05"]), "demo.m: B no_worse_than A"), Outcome::Fail);
    assert_eq!(outcome(&view(-0.05, &["sesoi=0.05"]), "demo.m: B no_worse_than A"), Outcome::Inconclusive);
    assert_eq!(outcome(&view(0.2, &["sesoi=0.05", "direction=lower"]), "m: B no_worse_than A"), Outcome::Fail);
}

#[test]
fn without_a_margin_or_with_unknown_names_a_rule_is_an_error() {
    let v = view(0.2, &[]);
    for text in
        ["demo.m: B no_worse_than A", "demo.n >= 1", "demo.m@C >= 1", "demo.m: C better_than A", "demo.m.mode > 1"]
    {
        assert!(judge(&[Rule::parse(text).unwrap()], &v).is_err(), "{text}");
    }
}

#[test]
fn fail_beats_open_beats_pass() {
    let v = view(0.2, &[]);
    let rules = ["m >= 0.4", "m@A >= 0.54", "m >= 0.9"].map(|text| Rule::parse(text).unwrap());
    let findings = judge(&rules, &v).unwrap();
    assert_eq!(overall(&findings).exit_code(), 1);
    assert_eq!(overall(&findings[..3]).exit_code(), 3);
    assert_eq!(overall(&findings[..2]).exit_code(), 0);
}
