//! The comparison as a table for a paper, in Markdown or LaTeX.

use crate::compare::comparison::{Comparison, Labels};
use crate::compare::pair::result::Pair;
use crate::compare::show::numbers::{decimals, p_text};
use crate::compare::show::text::shown_interval;
use crate::compare::show::words::{effect, magnitude_word, shown_verdict};
use crate::stats::verdict::Magnitude;

/// The columns; `{}` stands for the level of the intervals and the name of the effect.
const HEADER: [&str; 12] = [
    "metric",
    "baseline",
    "experiment",
    "n",
    "mean (baseline)",
    "mean (experiment)",
    "difference",
    "{} % interval",
    "test",
    "adjusted p",
    "{}",
    "verdict",
];

/// Where the interval and the effect stand among them.
const INTERVAL: usize = 7;
const EFFECT: usize = 10;

/// Gives the table in Markdown, with the signature below it.
pub(crate) fn to_markdown(comparison: &Comparison) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut out = line(header(comparison));
    out.push_str(&line(HEADER.map(|_| "---".to_string()).to_vec()));
    let labels = comparison.labels();
    for pair in &comparison.pairs {
        out.push_str(&line(row(pair, labels).iter().map(|cell| markdown(cell)).collect()));
    }
    out.push_str(&format!("\n`{}`\n", comparison.signature));
    out
}

/// Gives the table in LaTeX, to be read with the package booktabs; the signature stands in a comment above it.
pub(crate) fn to_latex(comparison: &Comparison) -> String {
    let line = |cells: Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|cell| number(cell).unwrap_or_else(|| escaped(cell))).collect();
        format!("{} \\\\\n", cells.join(" & "))
    };
    let mut out = format!("% {}\n\\begin{{tabular}}{{lllrrrrllrrl}}\n\\toprule\n", comparison.signature);
    out.push_str(&line(header(comparison)));
    out.push_str("\\midrule\n");
    let labels = comparison.labels();
    for pair in &comparison.pairs {
        out.push_str(&line(row(pair, labels)));
    }
    out.push_str("\\bottomrule\n\\end{tabular}\n");
    out
}

fn header(comparison: &Comparison) -> Vec<String> {
    let mut names = HEADER.map(str::to_string).to_vec();
    names[INTERVAL] = names[INTERVAL].replace("{}", &comparison.interval_percent());
    names[EFFECT] = comparison.effect_name().to_string();
    names
}

fn row(pair: &Pair, labels: Labels) -> Vec<String> {
    let value = |x: Option<f64>| x.map_or_else(|| "-".to_string(), |x| decimals(x, 4));
    let interval = shown_interval(pair);
    let verdict = shown_verdict(pair);
    vec![
        labels.of(pair),
        pair.baseline.clone(),
        pair.experiment.clone(),
        pair.size(),
        value(pair.mean_baseline),
        value(pair.mean_experiment),
        value(pair.diff),
        interval.map_or_else(|| "-".to_string(), |(lo, hi)| format!("[{}, {}]", decimals(lo, 4), decimals(hi, 4))),
        pair.test.replace('_', " "),
        if pair.log10_p_adj.is_none() { "-".to_string() } else { p_text(pair.p_adj) },
        effect(pair).0.map_or_else(|| "-".to_string(), |x| decimals(x, 3)),
        match pair.magnitude {
            Magnitude::NotTested => verdict.to_string(),
            _ => format!("{verdict}, {}", magnitude_word(pair)),
        },
    ]
}

/// A name in Markdown: bars and backslashes are escaped.
pub(super) fn markdown(text: &str) -> String {
    text.replace('\\', "\\\\").replace('|', "\\|").replace('\n', " ")
}

/// A number or an interval in LaTeX, with a true minus and powers of ten.
fn number(cell: &str) -> Option<String> {
    let plain = cell.trim_start_matches('<');
    if let Some(inside) = cell.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return inside.split(", ").all(|end| end.parse::<f64>().is_ok()).then(|| format!("${cell}$"));
    }
    plain.parse::<f64>().ok()?;
    let below = if plain.len() < cell.len() { "<" } else { "" };
    Some(match plain.split_once('e') {
        Some(("1", power)) => format!("${below}10^{{{power}}}$"),
        Some((digits, power)) => format!("${below}{digits} \\times 10^{{{power}}}$"),
        None => format!("${below}{plain}$"),
    })
}

/// Escapes what LaTeX would take as a command.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("$<$"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
            '\n' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_escaped_and_numbers_set_as_such() {
        assert_eq!(escaped("r_h & 5%"), "r\\_h \\& 5\\%");
        let shown = ["-0.5", "3.06e-6", "<1e-300", "[-0.5, 1.0]"].map(|cell| number(cell).unwrap());
        assert_eq!(shown, ["$-0.5$", "$3.06 \\times 10^{-6}$", "$<10^{-300}$", "$[-0.5, 1.0]$"]);
        assert_eq!(number("Run_1"), None);
    }
}
