//! The calculator never panics and never answers with anything but a finite result or an error.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{OPERATIONS, answer, answer_line};

#[test]
fn errors_name_the_argument() {
    let cases = [
        (json!({"op": "welch", "x": [1, 2], "y": [1, "a"]}), "y: "),
        (json!({"op": "welch", "x": [1, 2]}), "y: "),
        (json!({"op": "welch", "x": [1, 2], "y": [1], "tails": 1}), "tails: "),
        (json!({"op": "describe", "x": [1, 2], "alpha": 1.5}), "alpha: "),
        (json!({"op": "describe", "x": null}), "x: "),
        (json!({"op": "mde", "se": 0.1}), "df: "),
        (json!({"op": "dist", "fn": "t_sf", "t": 2.0}), "df: "),
        (json!({"op": "dist", "fn": "norm_sf", "z": 2.0, "df": 1}), "df: "),
        (json!({"op": "adjust", "p": [0.0]}), "p: "),
        (json!({"op": "nothing"}), "op: "),
        (json!([1]), "record: "),
    ];
    for (request, start) in cases {
        let answer = answer(&request);
        let text = answer["error"].as_str().unwrap_or_default();
        assert!(text.starts_with(start), "{request}: {answer}");
    }
}

#[test]
fn ids_come_back_and_blank_lines_do_not() {
    assert_eq!(answer(&json!({"op": "rng", "id": 7}))["id"], json!(7));
    assert_eq!(answer_line("  "), None);
    assert!(answer_line("{nonsense").unwrap()["error"].is_string());
}

#[test]
fn a_result_beyond_binary64_is_an_error() {
    let answer = answer(&json!({"op": "welch", "x": [1.7e308, 1.6e308], "y": [-1.7e308, -1.6e308]}));
    assert_eq!(answer["error"], json!("result: beyond binary64"));
}

#[test]
fn huge_and_tiny_values_are_described() {
    for size in [1e300, 1e-300] {
        let answer = answer(&json!({"op": "describe", "x": [size, 3.0 * size]}));
        // sd of (1, 3) is √2
        assert!((answer["sd"].as_f64().unwrap() / size - 2f64.sqrt()).abs() < 1e-14, "{answer}");
    }
}

/// Any JSON of a few levels.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_filter("finite", |x| x.is_finite()).prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-3.0..3.0).prop_map(Value::from),
        "[a-z0-9_]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map("[a-z]{1,5}", inner, 0..4).prop_map(|m| json!(m)),
        ]
    })
}

/// A number that a statistic may well meet.
fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        8 => (-5.0..5.0).prop_map(Value::from),
        4 => (-3..4_i64).prop_map(Value::from),
        1 => Just(Value::Null),
        1 => prop::sample::select(vec![0.0, 1e-310, 1e308, -1e308, 1e-200, 1e150, 0.1, 0.2, 0.30000000000000004])
            .prop_map(Value::from),
    ]
}

/// A value of the right kind for an argument, most of the time.
fn argument(name: &'static str) -> BoxedStrategy<Value> {
    let list = || prop::collection::vec(number(), 0..9).prop_map(Value::from);
    let words = |words: &'static [&'static str]| prop::sample::select(words.to_vec()).prop_map(Value::from).boxed();
    let right = match name {
        "x" | "y" | "d" | "values" => prop_oneof![9 => list(), 1 => number()].boxed(),
        "p" => prop::collection::vec(1e-9..1.0, 0..6).prop_map(|v| json!(v)).boxed(),
        "log10_p" => prop::collection::vec(-900.0..0.0, 0..6).prop_map(|v| json!(v)).boxed(),
        "clusters" | "x_clusters" | "y_clusters" => prop::collection::vec("[ab]", 0..9).prop_map(|v| json!(v)).boxed(),
        "groups" => prop::collection::vec(list(), 0..4).prop_map(Value::from).boxed(),
        "cells" => prop::collection::vec(("[ab]", "[12]", number()), 0..9).prop_map(|v| json!(v)).boxed(),
        "alpha" | "power" | "q" => (1e-12..1.0).prop_map(Value::from).boxed(),
        "resamples" => (1..40_u64).prop_map(Value::from).boxed(),
        "n" | "k" | "b" | "c" | "n_x" | "n_y" | "count" | "ddof" => (0..30_u64).prop_map(Value::from).boxed(),
        "seed" | "resample" | "stream" => any::<u64>().prop_map(Value::from).boxed(),
        "key" | "streams" => any::<[u64; 2]>().prop_map(|v| json!(v)).boxed(),
        "counter" => any::<[u64; 4]>().prop_map(|v| json!(v)).boxed(),
        "ci" => words(&["t", "z196", "percentile", "bca"]),
        "method" => words(&["holm", "bh", "bonferroni", "none", "percentile", "bca"]),
        "stat" => words(&["mean", "diff", "spearman", "pearson"]),
        "se" => prop_oneof![words(&["cr2", "cr1", "cr0"]), number().boxed()].boxed(),
        "design" => words(&["paired", "unpaired"]),
        "exact" => words(&["auto", "always", "never"]),
        "zero" => words(&["wilcox", "pratt"]),
        "d_sd" => words(&["pooled", "average"]),
        "first" => words(&["x", "y"]),
        "domain" => words(&["bootstrap", "permutation", "signflip"]),
        "direction" => words(&["higher", "lower", "none"]),
        "fn" => words(&[
            "t_sf",
            "t_two_sided",
            "norm_sf",
            "norm_two_sided",
            "chi2_sf",
            "f_sf",
            "t_isf",
            "norm_isf",
            "nct_cdf",
        ]),
        "paired" | "crossed" | "boot" | "equivalent" => any::<bool>().prop_map(Value::from).boxed(),
        _ => number().boxed(),
    };
    prop_oneof![12 => right, 1 => any_json()].boxed()
}

/// A request of a known operation with a random choice of its arguments.
fn request() -> impl Strategy<Value = Value> {
    prop::sample::select(OPERATIONS.iter().collect::<Vec<_>>()).prop_flat_map(|operation| {
        let arguments: Vec<_> =
            operation.arguments.iter().map(|name| prop::option::weighted(0.8, argument(name))).collect();
        let names = operation.arguments;
        let op = operation.name;
        arguments.prop_map(move |values| {
            let mut fields = serde_json::Map::from_iter([("op".to_string(), json!(op))]);
            fields.extend(names.iter().zip(values).filter_map(|(name, value)| Some((name.to_string(), value?))));
            Value::Object(fields)
        })
    })
}

fn is_sound(answer: &Value) -> bool {
    let fields = answer.as_object().unwrap();
    let p_in_range = fields.get("p").and_then(Value::as_f64).is_none_or(|p| p > 0.0 && p <= 1.0);
    !fields.is_empty() && p_in_range
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn arbitrary_json_is_answered(value in any_json()) {
        prop_assert!(is_sound(&answer(&value)));
    }

    #[test]
    fn mutated_requests_are_answered(request in request()) {
        prop_assert!(is_sound(&answer(&request)), "{request}");
    }

    #[test]
    fn arbitrary_lines_are_answered(line in any::<String>()) {
        prop_assert!(answer_line(&line).is_none_or(|a| a.is_object()));
    }
}
