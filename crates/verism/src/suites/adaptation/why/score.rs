//! The words for a score and its evidence.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::suites::adaptation::measures::evidence::Evidence;
use crate::suites::adaptation::measures::measure;

/// The evidence of a score row as JSON.
pub(super) fn evidence_text(line: &str) -> serde_json::Result<String> {
    #[derive(Deserialize)]
    struct Row<'l> {
        #[serde(borrow)]
        evidence: &'l RawValue,
    }
    Ok(serde_json::from_str::<Row<'_>>(line)?.evidence.get().to_string())
}

/// Tells a score: its value, its ratio, and in full what else it is made of.
pub(super) fn tell(row: &Value, evidence: &str, in_full: bool, text: &mut Vec<String>) {
    let metric = row["metric"].as_str().unwrap_or_default();
    let value = match (row["value"].as_f64(), row["undefined"].as_str()) {
        (Some(value), _) => format!("{value:.4}"),
        (None, why) => format!("undefined ({})", why.unwrap_or("no reason given")),
    };
    let band = row["band"].as_str().map(|band| format!(" [{band}]")).unwrap_or_default();
    let mut made_of = vec![];
    if let Ok(evidence) = Evidence::read(evidence) {
        let ratio = measure(metric).map_or_else(|| evidence.ratio(), |measure| measure.ratio(&evidence));
        made_of.extend(ratio.map(|(numerator, denominator)| format!("{numerator} / {denominator}")));
        let detail = |(key, shown)| if in_full { format!("\n      {key}: {shown}") } else { format!("{key} {shown}") };
        made_of.extend(evidence.details(in_full).into_iter().map(detail));
    }
    let made_of = made_of.join(if in_full { "" } else { "; " });
    let line = format!("  {metric:<24} {value}{band}  {made_of}");
    text.extend(line.lines().map(String::from));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_rate_is_told_by_the_rows_that_pass() {
        let line = r#"{"metric":"rationality_pass","value":0.75,"undefined":null,"band":null,"evidence":{"denominator":4,"events":["a@1"],"exposed":{"r":2},"numerator":1,"other_intent":0,"rules":{"r":1}}}"#;
        let row: Value = serde_json::from_str(line).expect("a row");
        let mut text = vec![];
        tell(&row, &evidence_text(line).expect("evidence"), false, &mut text);
        assert_eq!(
            text,
            ["  rationality_pass         0.7500  3 / 4; events a@1; exposed r 2; other_intent 0; rules r 1"]
        );
    }
}
