//! The comparison as `comparison.csv`: one line for each pair, numbers at full precision.

use super::words::{direction_word, effect, flags, magnitude_word, verdict_word};
use crate::compare::comparison::Comparison;
use crate::compare::pair::flag::Flag;
use crate::compare::pair::result::Pair;

/// A cell of the table.
enum CsvCell {
    Text(String),
    Count(u64),
    /// A number.
    Value(f64),
    /// A p-value; without a number it is below 1e-300.
    P(Option<f64>),
    Nothing,
}

impl CsvCell {
    fn value(x: Option<f64>) -> CsvCell {
        x.map_or(CsvCell::Nothing, CsvCell::Value)
    }

    fn count(n: Option<usize>) -> CsvCell {
        n.map_or(CsvCell::Nothing, |n| CsvCell::Count(n as u64))
    }

    fn p(p: Option<f64>, log10: Option<f64>) -> CsvCell {
        if p.is_none() && log10.is_none() { CsvCell::Nothing } else { CsvCell::P(p) }
    }

    /// Full precision: the shortest decimal that reads back; nothing is an empty cell.
    fn exact(&self) -> String {
        match self {
            CsvCell::Text(text) => text.clone(),
            CsvCell::Count(n) => n.to_string(),
            CsvCell::Value(x) => json_number(*x),
            CsvCell::P(p) => p.map_or_else(String::new, json_number),
            CsvCell::Nothing => String::new(),
        }
    }
}

fn json_number(x: f64) -> String {
    serde_json::Number::from_f64(x).map_or_else(String::new, |n| n.to_string())
}

type Column = (&'static str, fn(&Pair) -> CsvCell);

/// The columns of the table, in order.
#[rustfmt::skip]
const COLUMNS: &[Column] = &[
    ("suite", |p| CsvCell::Text(p.suite.clone().unwrap_or_default())),
    ("metric", |p| CsvCell::Text(p.metric.clone())),
    ("baseline", |p| CsvCell::Text(p.baseline.clone())),
    ("experiment", |p| CsvCell::Text(p.experiment.clone())),
    ("design", |p| CsvCell::Text(p.design.to_string())),
    ("unit", |p| CsvCell::Text(p.unit.name().to_string())),
    ("n_baseline", |p| CsvCell::Count(p.n_baseline as u64)),
    ("n_experiment", |p| CsvCell::Count(p.n_experiment as u64)),
    ("n_pairs", |p| CsvCell::count(p.n_pairs)),
    ("mean_baseline", |p| CsvCell::value(p.mean_baseline)),
    ("mean_experiment", |p| CsvCell::value(p.mean_experiment)),
    ("sd_baseline", |p| CsvCell::value(p.sd_baseline)),
    ("sd_experiment", |p| CsvCell::value(p.sd_experiment)),
    ("diff", |p| CsvCell::value(p.diff)),
    ("ci_lo", |p| CsvCell::value(p.ci.lo)),
    ("ci_hi", |p| CsvCell::value(p.ci.hi)),
    ("rel_change", |p| CsvCell::value(p.rel_change)),
    ("test", |p| CsvCell::Text(p.test.to_string())),
    ("statistic", |p| CsvCell::value(p.statistic)),
    ("df", |p| CsvCell::value(p.df)),
    ("p", |p| CsvCell::p(p.p, p.log10_p)),
    ("p_adj", |p| CsvCell::p(p.p_adj, p.log10_p_adj)),
    ("welch_t", |p| CsvCell::value(p.tests.welch.result.t)),
    ("welch_df", |p| CsvCell::value(p.tests.welch.result.df)),
    ("welch_p", |p| CsvCell::p(p.tests.welch.result.p, p.tests.welch.result.log10_p)),
    ("cohen_d", |p| CsvCell::value(p.effects.unpaired.cohen_d)),
    ("effect", |p| CsvCell::value(effect(p).0)),
    ("effect_lo", |p| CsvCell::value(effect(p).1)),
    ("effect_hi", |p| CsvCell::value(effect(p).2)),
    ("mde", |p| CsvCell::value(p.mde)),
    ("direction", |p| CsvCell::Text(direction_word(p).to_string())),
    ("verdict", |p| CsvCell::Text(verdict_word(p.verdict).to_string())),
    ("magnitude", |p| CsvCell::Text(magnitude_word(p).to_string())),
    ("undefined_baseline", |p| CsvCell::Count(p.undefined_baseline as u64)),
    ("undefined_experiment", |p| CsvCell::Count(p.undefined_experiment as u64)),
    ("flags", |p| CsvCell::Text(flags(p).map(Flag::name).collect::<Vec<&str>>().join(" "))),
];

/// Gives `comparison.csv`: one line per pair, numbers at full precision, undefined ones empty.
pub(crate) fn to_csv(comparison: &Comparison) -> String {
    let mut out = COLUMNS.iter().map(|(name, _)| *name).collect::<Vec<&str>>().join(",");
    out.push('\n');
    for pair in &comparison.pairs {
        let cells: Vec<String> = COLUMNS.iter().map(|(_, cell)| csv_field(&cell(pair).exact())).collect();
        out.push_str(&cells.join(","));
        out.push('\n');
    }
    out
}

/// Quotes a field where RFC 4180 asks for it.
fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(csv_field("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
