//! The registry is sound.

use std::collections::BTreeSet;

use verism::suites::{SUITES, suite};

#[test]
fn every_metric_has_its_facts() {
    for suite in SUITES {
        let facts = suite.facts();
        let mut seen = BTreeSet::new();
        assert!(facts.metrics.iter().any(|metric| metric.headline), "{} has no headline metric", facts.id);
        for metric in facts.metrics {
            assert!(seen.insert(metric.id), "{} stands twice", metric.id);
            assert_eq!(metric.id, metric.title.to_lowercase(), "an id is the published name in lower case");
            for text in [metric.says, metric.formula, metric.empty, metric.source, metric.level] {
                assert!(!text.trim().is_empty(), "{}.{} lacks a fact", facts.id, metric.id);
            }
            if let (Some(low), Some(high)) = metric.range {
                assert!(low < high, "{}: an empty range", metric.id);
            }
        }
    }
}

// Statistics bound what equal values allow by the range: a metric that has both ends must say so. These have none by what they are:
// counts, sums, ratios, bits and scores in units of their own.
#[test]
fn every_bounded_metric_has_a_range() {
    let open = |suite: &str| match suite {
        "guest" => vec!["bal"],
        "adaptation" => vec![
            "intervention_rows",
            "retry_rows",
            "retry_sum",
            "pct_reduction_r_h_vs_a",
            "pct_reduction_r_r_vs_a",
            "pct_gain_ehe_vs_a",
            "intervention_rows_mean",
            "retry_rows_mean",
            "retry_sum_mean",
        ],
        "clinical" => vec!["csp_penalty_total", "perplexity"],
        "recommender" => vec![
            "tas",
            "tas_expressed",
            "tas_segment",
            "recovery_delay",
            "recovery_delay_restricted",
            "missing_per_turn",
            "hallucinated_per_turn",
        ],
        "humor" => vec![
            "surprisal_raw",
            "perplexity_raw",
            "ambiguity_raw",
            "entropy_raw",
            "kn_surprisal_nats",
            "kn_nats",
            "kn_bits",
            "kn_perplexity",
            "kao_distinctiveness",
            "rttr",
            "cttr",
            "mtld",
            "vendi",
            "compression_ratio",
            "self_repetition",
        ],
        other => panic!("which metrics of {other} have no largest or smallest value?"),
    };
    for suite in SUITES {
        let facts = suite.facts();
        let without = facts.metrics.iter().filter(|m| m.range.0.is_none() || m.range.1.is_none());
        assert_eq!(without.map(|m| m.id).collect::<Vec<&str>>(), open(facts.id), "{}", facts.id);
    }
}

#[test]
fn the_first_entry_that_describes_an_id_is_the_right_one() {
    let metrics = suite("adaptation").unwrap().facts().metrics;
    let entry = |id: &str| metrics.iter().find(|metric| metric.describes(id)).map(|metric| metric.id);
    for (id, described) in [
        ("h_norm_k5", Some("h_norm_k5")),
        ("h_norm_k3", Some("h_norm_*")),
        ("h_norm_k5_mean", Some("h_norm_*_mean")),
        ("h_norm_k5_yearly_mean", Some("h_norm_*_yearly_mean")),
        ("ehe_intent_k4", Some("ehe_intent_*")),
        ("ehe_k4", Some("ehe_k4")),
        ("ehe_k2", Some("ehe_*")),
        ("delta_ehe_k4_vs_a", Some("delta_ehe_*_vs_a")),
        ("h_norm_", None),
        ("unknown", None),
    ] {
        assert_eq!(entry(id), described, "{id}");
    }
}

#[test]
fn every_score_that_is_written_is_described() {
    let home = tempfile::tempdir().unwrap();
    for suite in SUITES {
        let facts = suite.facts();
        let (logs, out) = (home.path().join(facts.id).join("logs"), home.path().join(facts.id).join("out"));
        std::fs::create_dir_all(&logs).unwrap();
        suite.write_demo(&logs).unwrap();
        crate::runner::run(facts.id, &logs, &out, &[], false, None).unwrap();
        let rows = crate::runner::lines(&out, "scores.jsonl");
        for row in &rows {
            let id = row["metric"].as_str().unwrap();
            let metric = facts.metrics.iter().find(|metric| metric.describes(id));
            let metric = metric.unwrap_or_else(|| panic!("{}.{id} is not in the registry", facts.id));
            // A metric may also have rows of its parts: turns of a dialogue.
            let at_home = |other: &serde_json::Value| other["metric"] == id && other["level"] == metric.level;
            assert!(row["level"] == metric.level || rows.iter().any(at_home), "{id}");
            if let Some(value) = row["value"].as_f64() {
                assert!(
                    metric.range.0.is_none_or(|low| value >= low) && metric.range.1.is_none_or(|high| value <= high),
                    "{id} = {value}"
                );
            }
        }
        // The ledger adds up, metric by metric.
        let manifest = verism::score::manifest::Manifest::read(&out).unwrap();
        let ledger: serde_json::Value = serde_json::from_str(manifest.ledger.get()).unwrap();
        let accounts: Vec<(String, &serde_json::Value)> = match &ledger {
            serde_json::Value::Array(list) => list.iter().map(|entry| (entry["metric"].to_string(), entry)).collect(),
            _ => ledger["metrics"].as_object().unwrap().iter().map(|(id, account)| (id.clone(), account)).collect(),
        };
        assert!(!accounts.is_empty(), "{}", facts.id);
        for (id, account) in accounts {
            let sum =
                |part: &str| account[part].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum::<u64>();
            assert_eq!(
                account["total"].as_u64().unwrap(),
                account["scored"].as_u64().unwrap() + sum("undefined") + sum("excluded"),
                "{id}"
            );
        }
    }
}
