//! One score row and one audit.

use serde_json::{Value, json};

use crate::score::json;
use crate::score::row::Row;
use crate::suites::humor::measures::found::Outcome;
use crate::suites::humor::measures::item::pacs::band;

/// A row of a metric.
pub(super) fn row<'r>(
    metric: &'r str,
    experiment: &'r str,
    extra: &'r [(&'static str, Option<&'r str>)],
    run: Option<&'r str>,
    case: Option<&'r str>,
    (level, unit): (&'r str, &'r str),
    outcome: &'r Outcome,
) -> Row<'r> {
    let banded = outcome.value.as_ref().ok().filter(|_| metric == "pacs_raw").map(|value| band(*value));
    Row {
        suite: crate::suites::humor::ID,
        metric,
        experiment,
        extra,
        run,
        case,
        dialogue: None,
        turn: None,
        level,
        unit,
        value: outcome.value.clone(),
        n: Some(outcome.n),
        band: banded,
        evidence: &outcome.evidence,
    }
}

/// Appends an audit: experiment, run, batch and item, and what it is about.
pub(super) fn push_audit(
    out: &mut Vec<u8>,
    audit: &str,
    [experiment, run, batch, item]: [Option<&str>; 4],
    detail: Value,
) {
    let line = json!({
        "audit": audit, "severity": "warn", "experiment": experiment, "run": run, "batch": batch, "item": item,
        "detail": detail,
    });
    json::push(out, &line);
    out.push(b'\n');
}
