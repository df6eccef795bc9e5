//! How well the measures rank the texts of an experiment as people did.

use serde_json::Value;

use crate::suites::explain::words;
use crate::suites::humor::measures::auc::Auc;
use crate::suites::records::AskedUnit;

/// Tells the `auc_*` rows of an experiment as a table.
pub(super) fn tell(found: &AskedUnit<'_>, rows: Vec<&Value>, lines: &mut Vec<String>) {
    let experiment = found.rows.first().map(|row| words(&row["experiment"])).unwrap_or_default();
    lines.push(format!("{experiment}: how measures rank what labels call funny above the rest; 0.5 is chance"));
    let [metric, interval] = ["metric", "95 % interval"];
    lines.push(format!("  {metric:<20}  value  {interval:<15}  positives  negatives"));
    lines.extend(rows.into_iter().map(line));
}

fn line(row: &Value) -> String {
    let metric = words(&row["metric"]);
    let (Some(value), Ok(auc)) = (row["value"].as_f64(), serde_json::from_value::<Auc>(row["evidence"].clone())) else {
        return format!("  {metric:<20}      –  undefined ({})", words(&row["undefined"]));
    };
    let interval = match auc.ci_lo.zip(auc.ci_hi) {
        Some((lo, hi)) => format!("[{lo:.3}, {hi:.3}]"),
        None => "–".to_string(),
    };
    format!("  {metric:<20} {value:>6.3}  {interval:<15}  {:>9}  {:>9}", auc.positive, auc.negative)
}
