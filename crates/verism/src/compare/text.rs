//! The comparison for people at a terminal: the verdict first, then how large, how sure, how many.

use super::correlate::{CorrelationRow, Correlations};
use super::pair::Pair;
use super::report::Comparison;
use super::table::{decimals, effect, flags, magnitude_word, p_text, verdict_word};
use crate::stats::verdict::{Direction, Magnitude};

const HEADER: [&str; 12] = [
    "verdict",
    "metric",
    "baseline",
    "experiment",
    "n",
    "mean_b",
    "mean_e",
    "diff",
    "interval",
    "p_adj",
    "effect",
    "test",
];

/// How many different reasons for a design are told.
const SENTENCES: usize = 5;

/// Gives the table of a comparison with a few lines about what was left out; at most as wide as its longest names need.
pub fn to_text(comparison: &Comparison) -> String {
    let mut rows: Vec<Vec<String>> = vec![HEADER.map(str::to_string).to_vec()];
    let level = comparison.pairs.first().map(|pair| pair.ci.level);
    if let Some(level) = level {
        rows[0][8] = format!("{} % interval", plain(100.0 * level));
    }
    rows.extend(comparison.pairs.iter().map(|pair| line(pair, comparison)));
    let mut out = String::new();
    if comparison.pairs.is_empty() {
        out.push_str(match comparison.note {
            Some("one_experiment") => "One experiment only: nothing to compare it with. Its means follow.\n",
            _ => "No metric has rows in two experiments: nothing to compare.\n",
        });
        rows = means(comparison);
    }
    out.push_str(&aligned(&rows));
    for note in notes(comparison) {
        out.push_str(&note);
        out.push('\n');
    }
    out
}

fn line(pair: &Pair, comparison: &Comparison) -> Vec<String> {
    let value = |x: Option<f64>| x.map_or_else(|| "-".to_string(), |x| decimals(x, 4));
    let interval = match (pair.ci.lo, pair.ci.hi) {
        (Some(lo), Some(hi)) => format!("[{}, {}]", decimals(lo, 4), decimals(hi, 4)),
        _ => "-".to_string(),
    };
    let n = match pair.n_pairs {
        Some(n) => n.to_string(),
        None => format!("{}/{}", pair.n_baseline, pair.n_experiment),
    };
    let p_adj = if pair.p_adj.is_none() && pair.log10_p_adj.is_none() { "-".to_string() } else { p_text(pair.p_adj) };
    let verdict = match pair.magnitude {
        Magnitude::NotTested => verdict_word(pair.verdict).to_string(),
        _ => format!("{}, {}", verdict_word(pair.verdict), magnitude_word(pair)),
    };
    vec![
        verdict,
        comparison.label(pair),
        pair.baseline.clone(),
        pair.experiment.clone(),
        n,
        value(pair.mean_baseline),
        value(pair.mean_experiment),
        value(pair.diff),
        interval,
        p_adj,
        effect(pair).0.map_or_else(|| "-".to_string(), |x| decimals(x, 3)),
        pair.test.to_string(),
    ]
}

fn means(comparison: &Comparison) -> Vec<Vec<String>> {
    let mut rows = vec![["metric", "experiment", "n", "mean", "interval"].map(str::to_string).to_vec()];
    for row in &comparison.summary {
        let (n, mean, interval) = row.mean_and_interval();
        rows.push(vec![
            row.metric.clone(),
            row.experiment.clone(),
            n.to_string(),
            mean.map_or_else(|| "-".to_string(), |x| decimals(x, 4)),
            interval.map_or_else(|| "-".to_string(), |(lo, hi)| format!("[{}, {}]", decimals(lo, 4), decimals(hi, 4))),
        ]);
    }
    rows
}

/// Gives the table of correlations: each with its interval where it has one, and its p-value.
pub fn correlations_to_text(correlations: &Correlations) -> String {
    let value = |x: Option<f64>| x.map_or_else(|| "-".to_string(), |x| decimals(x, 4));
    let interval = |lo: Option<f64>, hi: Option<f64>| match (lo, hi) {
        (Some(lo), Some(hi)) => format!("[{}, {}]", decimals(lo, 4), decimals(hi, 4)),
        _ => "-".to_string(),
    };
    let p = |p: Option<f64>, log10: Option<f64>| if log10.is_none() { "-".to_string() } else { p_text(p) };
    let header = ["scope", "n", "spearman", "interval", "p", "pearson", "interval", "p", "kendall", "p"];
    let mut rows = vec![header.map(str::to_string).to_vec()];
    let mut reasons = Vec::new();
    for CorrelationRow { scope, spearman: s, pearson: r, kendall: k } in &correlations.rows {
        rows.push(vec![
            scope.clone(),
            s.n.to_string(),
            value(s.rho),
            interval(s.ci_lo, s.ci_hi),
            p(s.p, s.log10_p),
            value(r.r),
            interval(r.ci_lo, r.ci_hi),
            p(r.p, r.log10_p),
            value(k.tau),
            p(k.p, k.log10_p),
        ]);
        reasons.extend(s.reason.or(r.reason).or(k.reason).map(|reason| format!("{scope}: {}\n", reason.text())));
    }
    let unit = correlations.unit.name();
    format!("{} and {}, matched by {unit}\n{}{}", correlations.x, correlations.y, aligned(&rows), reasons.concat())
}

/// Columns side by side, two spaces apart, no trailing blanks.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        out.push_str(cells.join("  ").trim_end());
        out.push('\n');
    }
    out
}

/// What a reader has to know beside the numbers: directions, flags, undefined rows, rejected rows.
fn notes(comparison: &Comparison) -> Vec<String> {
    let mut out = Vec::new();
    let names = |keep: &dyn Fn(&Pair) -> bool| {
        let mut metrics: Vec<String> =
            comparison.pairs.iter().filter(|p| keep(p)).map(|p| comparison.label(p)).collect();
        metrics.dedup();
        metrics.join(", ")
    };
    for (direction, words) in [(Direction::Lower, "lower is better"), (Direction::None, "no direction is better")] {
        let metrics = names(&|pair| pair.direction == direction);
        if !metrics.is_empty() {
            out.push(format!("{words}: {metrics}"));
        }
    }
    for pair in &comparison.pairs {
        let flags = flags(pair);
        if !flags.is_empty() {
            out.push(format!("{} {} v {}: {flags}", comparison.label(pair), pair.experiment, pair.baseline));
        }
    }
    for row in &comparison.ledger {
        let undefined: usize = row.undefined.values().sum();
        if undefined > 0 {
            let reasons: Vec<String> = row.undefined.iter().map(|(reason, n)| format!("{reason} {n}")).collect();
            out.push(format!(
                "undefined: {} {}: {undefined} of {} rows ({})",
                row.metric,
                row.experiment,
                row.total,
                reasons.join(", ")
            ));
        }
    }
    for bad in &comparison.rejected {
        out.push(format!("rejected: {}", bad.defect()));
    }
    let mut told: Vec<&str> = Vec::new();
    for pair in &comparison.pairs {
        if !told.contains(&pair.why.as_str()) && told.len() < SENTENCES {
            out.push(format!("why: {}", pair.why));
            told.push(&pair.why);
        }
    }
    out
}

fn plain(x: f64) -> String {
    let rounded = (x * 1e6).round() / 1e6;
    rounded.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::options::Options;
    use crate::compare::read::{Format, Reader};
    use crate::compare::report::compare_table;
    use crate::compare::table::{to_csv, to_latex, to_markdown};

    fn comparison(csv: &str) -> Comparison {
        let mut reader = Reader::default();
        reader.add("t", csv, Format::Csv, None);
        compare_table(reader.finish(), &Options::default()).unwrap()
    }

    // By hand: differences 0.1, 0.2, 0.3: mean 0.2, sd 0.1, d_z 2, t = 2√3 with 2 df: p = 1 - t/√(2+t²) = 1 - √(12/14).
    #[test]
    fn the_verdict_stands_first_and_numbers_are_short() {
        let c = comparison(
            "metric,experiment,case,value\nm,A,1,0.5\nm,B,1,0.6\nm,A,2,0.4\nm,B,2,0.6\nm,A,3,0.1\nm,B,3,0.4\n",
        );
        let text = to_text(&c);
        let line = text.lines().nth(1).unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[..7], ["inconclusive", "m", "A", "B", "3", "0.3333", "0.5333"]);
        assert!(line.contains("0.0742") && line.contains("2.000"), "{line}");
        assert!(text.contains("few_units") && text.contains("3 of 3 cases shared"));
        assert_eq!(to_csv(&c).lines().count(), 2);
        assert!(to_markdown(&c).contains("| m | A | B | 3 | 3 | 0.3333 |"));
        assert!(to_latex(&c).contains("m & A & B & 3 & 3 & 0.3333"));
    }

    #[test]
    fn one_experiment_gets_its_means() {
        let text = to_text(&comparison("metric,experiment,case,value\nm,A,1,0.5\nm,A,2,0.7\n"));
        assert!(text.starts_with("One experiment only") && text.contains("0.6000"));
    }

    #[test]
    fn undefined_rows_are_counted_with_their_reasons() {
        let text =
            to_text(&comparison("metric,experiment,case,value,undefined\nm,A,1,0.5,\nm,A,2,,no_answer\nm,B,1,0.1,\n"));
        assert!(text.contains("undefined: m A: 1 of 2 rows (no_answer 1)"), "{text}");
    }
}
