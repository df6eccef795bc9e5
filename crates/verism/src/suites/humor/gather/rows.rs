//! One score row and one audit.

use serde_json::{Value, json};

use crate::score::json;
use crate::score::row::Row;
use crate::suites::humor::measures::found::Outcome;
use crate::suites::humor::measures::item::pacs::band;

/// Whose rows are written.
pub(super) struct Unit<'u> {
    pub(super) experiment: &'u str,
    /// Batch, user and group of the user.
    pub(super) extra: [Option<&'u str>; 3],
    pub(super) run: Option<&'u str>,
    pub(super) case: Option<&'u str>,
    pub(super) level: &'u str,
    pub(super) id: &'u str,
}

/// Appends the rows of a unit, one for each metric.
pub(super) fn push_rows<'o>(
    out: &mut Vec<u8>,
    unit: &Unit<'_>,
    outcomes: impl Iterator<Item = (&'o str, &'o Outcome)>,
) {
    let [batch, user, user_group] = unit.extra;
    let row = Row {
        suite: crate::suites::humor::ID,
        metric: "",
        experiment: unit.experiment,
        extra: &[("batch", batch), ("user", user), ("user_group", user_group)],
        run: unit.run,
        case: unit.case,
        dialogue: None,
        turn: None,
        level: unit.level,
        unit: unit.id,
        value: Ok(0.0),
        n: None,
        band: None,
        evidence: "",
    };
    let shared = row.of_unit();
    for (metric, outcome) in outcomes {
        let banded = outcome.value.as_ref().ok().filter(|_| metric == "pacs_raw").map(|value| band(*value));
        let row = Row { metric, value: outcome.value.clone(), n: Some(outcome.n), band: banded, ..row };
        row.push_line_of(&shared, out, |out| outcome.evidence.push(out));
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
