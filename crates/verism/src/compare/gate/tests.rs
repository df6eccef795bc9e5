//! The rules of the contract on small tables.

use super::*;
use crate::compare::options::Options;
use crate::compare::read::table::Table;
use crate::error::Result;

/// A table and the options it is compared with.
struct Compared {
    table: Table,
    options: Options,
}

/// Two experiments over the same cases: B is above A by `shift` with a little noise.
fn view(shift: f64, options: &[&str]) -> Compared {
    let mut csv = String::from("suite,metric,experiment,case,value,undefined\n");
    for case in 0..10 {
        let base = 0.5 + 0.02 * f64::from(case % 5);
        let noise = 0.01 * f64::from(case * 3 % 7);
        csv.push_str(&format!("demo,m,A,c{case},{base},\ndemo,m,B,c{case},{},\n", base + shift + noise - 0.03));
    }
    csv.push_str("demo,m,A,c10,,judge_failed\ndemo,m,A,c11,,not_applicable\n");
    Compared { table: Table::of_csv(&csv), options: Options::parse(options.iter().copied()).unwrap() }
}

fn judged(given: &Compared, rules: &[&str]) -> Result<Judgement> {
    let rules: Vec<Rule> = rules.iter().map(|rule| Rule::parse(rule).unwrap()).collect();
    Source::of_table(given.table.clone(), &given.options).unwrap().judge(&rules)
}

fn outcome(given: &Compared, rule: &str) -> Outcome {
    judged(given, &[rule]).unwrap().verdict
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
        assert!(judged(&v, &[text]).is_err(), "{text}");
    }
}

#[test]
fn fail_beats_open_beats_pass() {
    let v = view(0.2, &[]);
    let code = |rules: &[&str]| judged(&v, rules).unwrap().verdict.exit_code();
    assert_eq!(code(&["m >= 0.4", "m@A >= 0.54", "m >= 0.9"]), 1);
    assert_eq!(code(&["m >= 0.4", "m@A >= 0.54"]), 3);
    assert_eq!(code(&["m >= 0.4"]), 0);
}

/// Five experiments over twelve cases; B is a little above A, the others are noise.
fn five() -> Compared {
    let mut csv = String::from("suite,metric,experiment,case,value\n");
    for (e, name) in ["A", "B", "C", "D", "E"].into_iter().enumerate() {
        for case in 0..12_u32 {
            let noise = f64::from((case * 7 + e as u32 * 5 + case * case * (e as u32 + 1)) % 11) / 100.0;
            let shift = if name == "B" { 0.045 } else { 0.0 };
            csv.push_str(&format!("demo,m,{name},c{case},{}\n", 0.5 + shift + noise));
        }
    }
    Compared { table: Table::of_csv(&csv), options: Options::default() }
}

// One comparison is named: nothing is corrected, so p_adj is p; among all ten pairs it would be up to ten times as large.
#[test]
fn the_family_of_a_gate_are_the_comparisons_that_its_rules_name() {
    let given = five();
    let finding = judged(&given, &["demo.m: B better_than A"]).unwrap().findings.remove(0);
    assert_eq!(finding.p_adj, finding.p);
    let two = judged(&given, &["demo.m: B better_than A", "m: B better_than C", "m: A no_worse_than B"]);
    assert!(two.is_err(), "no margin");
    let two = judged(&given, &["demo.m: B better_than A", "m: A better_than B", "m: B better_than C"]).unwrap();
    let [first, again, other] = [0, 1, 2].map(|at| (two.findings[at].p.unwrap(), two.findings[at].p_adj.unwrap()));
    // The same comparison in the other direction is the same comparison: two tests, by Holm 2 p and then p.
    assert_eq!(first, again);
    let (small, large) = if first.0 < other.0 { (first, other) } else { (other, first) };
    assert_eq!(small.1, (2.0 * small.0).min(1.0));
    assert_eq!(large.1, large.0.max(small.1));
}

#[test]
fn a_rule_that_does_not_pass_says_why() {
    let why =
        |given: &Compared, rule: &str| judged(given, &[rule]).unwrap().findings[0].why.clone().unwrap_or_default();
    let (far, near) = (view(0.2, &[]), view(0.0, &[]));
    assert_eq!(why(&far, "demo.m: B better_than A"), "");
    assert!(why(&far, "demo.m: A better_than B").starts_with("the verdict is worse, p = "));
    let open = why(&near, "demo.m: B better_than A");
    for part in ["the interval holds 0", "p_adj is not below 0.05", "p = ", "n = 10"] {
        assert!(open.contains(part), "{open}");
    }
    assert_eq!(why(&far, "m@A >= 0.54"), "the interval holds values that are >= 0.54 and values that are not");
    assert_eq!(why(&far, "demo.m.max@A <= 0.57"), "0.58 is not <= 0.57");
    let neither = view(0.2, &["direction=none"]);
    assert!(why(&neither, "m: B better_than A").contains("direction.demo.m=higher|lower"));
    let shown = judged(&far, &["m >= 0.4", "m@A >= 0.54"]).unwrap().to_string();
    assert!(shown.starts_with("pass  ") && shown.contains("\ninconclusive  m@A >= 0.54"), "{shown}");
    assert!(shown.ends_with("gate: inconclusive (2 pass, 1 inconclusive)\n"), "{shown}");
}
