//! A table for a paper: experiments by metrics, each mean with its spread, marks for verdicts, bold for the best.

use super::numbers::decimals;
use super::paper::{escaped, markdown};
use super::range::{range_of, within};
use super::words::shown_verdict;
use crate::compare::comparison::Comparison;
use crate::compare::pair::result::Pair;
use crate::compare::pair::summary::{Estimate, SummaryRow};
use crate::stats::verdict::Direction;

/// What stands beside a mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spread {
    /// The interval of the mean.
    #[default]
    Interval,
    /// The standard deviation of the units.
    Sd,
}

/// How the table is set.
#[derive(Clone, Debug, Default)]
pub struct TableStyle {
    /// What stands beside a mean.
    pub spread: Spread,
    /// The experiment that marks refer to; none: no marks.
    pub baseline: Option<String>,
    /// The caption; none: one that says what is shown.
    pub caption: Option<String>,
    /// The label; none: `tab:verism`.
    pub label: Option<String>,
}

/// A cell before it is set: mean, spread, mark, whether it is the best of its column.
struct ShownMean {
    mean: String,
    spread: Option<String>,
    mark: &'static str,
    best: bool,
}

struct Body {
    /// The names of metrics, each with an arrow for what is better.
    header: Vec<String>,
    /// Experiment, units, cells.
    rows: Vec<(String, String, Vec<Option<ShownMean>>)>,
}

/// Gives the table in Markdown: caption, table, what marks mean.
pub fn experiments_to_markdown(comparison: &Comparison, style: &TableStyle) -> String {
    let body = body(comparison, style);
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut out = format!("**{}**\n\n", caption(comparison, style));
    let head = ["experiment".to_string(), "n".to_string()].into_iter().chain(body.header.iter().map(|h| markdown(h)));
    out += &line(head.collect());
    out += &line(["---", "---:"].into_iter().chain(body.header.iter().map(|_| "---")).map(String::from).collect());
    for (experiment, n, cells) in &body.rows {
        let set = |cell: &Option<ShownMean>| match cell {
            None => "–".to_string(),
            Some(ShownMean { mean, spread, mark, best }) => {
                let mean = if *best { format!("**{mean}**") } else { mean.clone() };
                let spread = spread.as_ref().map_or_else(String::new, |spread| format!(" {spread}"));
                let mark = if mark.is_empty() { String::new() } else { format!(" {mark}") };
                format!("{mean}{spread}{mark}")
            }
        };
        out += &line([markdown(experiment), n.clone()].into_iter().chain(cells.iter().map(set)).collect());
    }
    out + &format!("\n{}\n\n`{}`\n", key(comparison, style), comparison.signature)
}

/// Gives the table in LaTeX, to be read with the package booktabs.
pub fn experiments_to_latex(comparison: &Comparison, style: &TableStyle) -> String {
    let body = body(comparison, style);
    let columns = "l".repeat(body.header.len());
    let mut out = format!("% {}\n\\begin{{table}}\n\\centering\n", comparison.signature);
    out += &format!("\\caption{{{}}}\n", escaped(&caption(comparison, style)));
    out += &format!("\\label{{{}}}\n", style.label.as_deref().unwrap_or("tab:verism"));
    out += &format!("\\begin{{tabular}}{{lr{columns}}}\n\\toprule\n");
    let arrows = |text: &str| escaped(text).replace('↑', "$\\uparrow$").replace('↓', "$\\downarrow$");
    let head = ["experiment".to_string(), "$n$".to_string()].into_iter().chain(body.header.iter().map(|h| arrows(h)));
    out += &format!("{} \\\\\n\\midrule\n", head.collect::<Vec<_>>().join(" & "));
    for (experiment, n, cells) in &body.rows {
        let set = |cell: &Option<ShownMean>| match cell {
            None => "--".to_string(),
            Some(ShownMean { mean, spread, mark, best }) => {
                let mean = if *best { format!("$\\mathbf{{{mean}}}$") } else { format!("${mean}$") };
                let spread = spread.as_ref().map_or_else(String::new, |s| format!(" ${}$", s.replace('±', "\\pm ")));
                let mark = match *mark {
                    "" => String::new(),
                    "↑" => "$^{\\uparrow}$".to_string(),
                    "↓" => "$^{\\downarrow}$".to_string(),
                    mark => format!("$^{{{}}}$", mark.replace('−', "-")),
                };
                format!("{mean}{mark}{spread}")
            }
        };
        let cells = [escaped(experiment), n.replace('–', "--")].into_iter().chain(cells.iter().map(set));
        out += &format!("{} \\\\\n", cells.collect::<Vec<_>>().join(" & "));
    }
    out += "\\bottomrule\n\\end{tabular}\n\n";
    let key = arrows(&key(comparison, style)).replace('−', "$-$");
    out + &format!("\\footnotesize {key}\n\\end{{table}}\n")
}

fn caption(comparison: &Comparison, style: &TableStyle) -> String {
    style.caption.clone().unwrap_or_else(|| match style.spread {
        Spread::Interval => format!("Means with {} % intervals by experiment.", percent(comparison)),
        Spread::Sd => "Means and standard deviations by experiment.".to_string(),
    })
}

/// The level of the intervals, as the signature has it.
fn percent(comparison: &Comparison) -> String {
    let alpha = comparison.signature.split('|').find_map(|part| part.strip_prefix("alpha:"));
    let alpha: f64 = alpha.and_then(|alpha| alpha.parse().ok()).unwrap_or(0.05);
    (((1.0 - alpha) * 1e8).round() / 1e6).to_string()
}

/// What marks and bold type mean.
fn key(comparison: &Comparison, style: &TableStyle) -> String {
    let mut text = String::from("n: independent units. ↑, ↓: higher, lower is better. Bold: the best mean.");
    if let Some(baseline) = &style.baseline {
        let alpha = comparison.signature.split('|').find_map(|part| part.strip_prefix("alpha:")).unwrap_or("0.05");
        text += &format!(
            " +, −: better, worse than {baseline} (interval of the difference excludes 0, corrected p < {alpha}); no mark: \
             inconclusive."
        );
    }
    text
}

fn body(comparison: &Comparison, style: &TableStyle) -> Body {
    let mut metrics: Vec<(&Option<String>, &str)> =
        comparison.summary.iter().map(|row| (&row.suite, row.metric.as_str())).collect();
    let mut seen = Vec::new();
    metrics.retain(|metric| {
        !seen.contains(metric) && {
            seen.push(*metric);
            true
        }
    });
    let several = metrics.windows(2).any(|w| w[0].0 != w[1].0);
    let direction = |(suite, metric): (&Option<String>, &str)| {
        let pair = comparison.pairs.iter().find(|pair| pair.suite == *suite && pair.metric == metric)?;
        (!pair.direction_assumed).then_some(pair.direction)
    };
    let header = metrics.iter().map(|(suite, metric)| {
        let name = match suite {
            Some(suite) if several => format!("{suite}.{metric}"),
            _ => metric.to_string(),
        };
        match direction((suite, metric)) {
            Some(Direction::Higher) => format!("{name} ↑"),
            Some(Direction::Lower) => format!("{name} ↓"),
            _ => name,
        }
    });
    let of = |metric: (&Option<String>, &str), experiment: &str| {
        comparison
            .summary
            .iter()
            .find(|row| (&row.suite, row.metric.as_str()) == metric && row.experiment == experiment)
    };
    let best: Vec<Option<f64>> = metrics
        .iter()
        .map(|metric| {
            let means = comparison.experiments.iter().filter_map(|e| of(*metric, e)?.mean_and_interval().1);
            match direction(*metric)? {
                Direction::Higher => means.reduce(f64::max),
                Direction::Lower => means.reduce(f64::min),
                Direction::None => None,
            }
        })
        .collect();
    let mut rows = Vec::new();
    for experiment in &comparison.experiments {
        let own: Vec<Option<&SummaryRow>> = metrics.iter().map(|metric| of(*metric, experiment)).collect();
        let sizes: Vec<usize> = own.iter().flatten().map(|row| row.mean_and_interval().0).collect();
        let (Some(least), Some(most)) = (sizes.iter().min(), sizes.iter().max()) else { continue };
        let n = if least == most { least.to_string() } else { format!("{least}–{most}") };
        let cells =
            own.into_iter().zip(&best).map(|(row, best)| row.and_then(|row| cell(row, *best, comparison, style)));
        rows.push((experiment.clone(), n, cells.collect()));
    }
    Body { header: header.collect(), rows }
}

fn cell(row: &SummaryRow, best: Option<f64>, comparison: &Comparison, style: &TableStyle) -> Option<ShownMean> {
    let (_, mean, interval) = row.mean_and_interval();
    let mean = mean?;
    let spread = match (style.spread, &row.estimate) {
        (Spread::Interval, _) => interval.map(|ends| {
            let (lo, hi) = within(ends, range_of(row.suite.as_deref(), &row.metric));
            format!("[{}, {}]", decimals(lo, 3), decimals(hi, 3))
        }),
        (Spread::Sd, Estimate::Units(units)) => units.description.sd.map(|sd| format!("± {}", decimals(sd, 3))),
        (Spread::Sd, Estimate::Rows(_)) => None,
    };
    let against = |pair: &&Pair| {
        Some(&pair.baseline) == style.baseline.as_ref()
            && (&pair.suite, &pair.metric, &pair.experiment) == (&row.suite, &row.metric, &row.experiment)
    };
    let mark = match comparison.pairs.iter().find(against).map(shown_verdict) {
        Some("better") => "+",
        Some("worse") => "−",
        Some("higher") => "↑",
        Some("lower") => "↓",
        _ => "",
    };
    Some(ShownMean { mean: decimals(mean, 3), spread, mark, best: best == Some(mean) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::comparison::compare_text;
    use crate::compare::options::Options;

    // Lower is better for r_h; B is below A by 0.2 in each of eight cases, give or take 0.01.
    fn comparison() -> Comparison {
        let mut csv = String::from("suite,metric,experiment,case,level,value\n");
        for case in 0..8 {
            let noise = 0.01 * f64::from(case % 3);
            csv += &format!("adaptation,r_h,A_1,c{case},case,{}\n", 0.5 + 0.02 * f64::from(case));
            csv += &format!("adaptation,r_h,B,c{case},case,{}\n", 0.3 + 0.02 * f64::from(case) + noise);
        }
        let options = Options::parse(["baseline=A_1", "level=case"]).unwrap();
        compare_text(&csv, &options).unwrap()
    }

    // By hand: A's mean is 0.5 + 0.02 * 3.5 = 0.57; its sd 0.02 * √6 = 0.049 (0..7 has variance 6).
    #[test]
    fn the_best_is_bold_and_a_verdict_has_its_mark() {
        let style = TableStyle { baseline: Some("A_1".into()), ..TableStyle::default() };
        let text = experiments_to_markdown(&comparison(), &style);
        assert!(text.contains("| experiment | n | r_h ↓ |"), "{text}");
        assert!(text.contains("| A_1 | 8 | 0.570 [0.529, 0.611] |"), "{text}");
        let b = text.lines().find(|line| line.starts_with("| B |")).unwrap();
        assert!(b.contains("| **0.379** [") && b.ends_with(" + |"), "{b}");
        let plain = TableStyle { spread: Spread::Sd, caption: Some("R & D".into()), ..TableStyle::default() };
        let text = experiments_to_latex(&comparison(), &plain);
        assert!(text.contains("A\\_1 & 8 & $0.570$ $\\pm  0.049$ \\\\"), "{text}");
        assert!(text.contains("\\caption{R \\& D}") && text.contains("\\label{tab:verism}"), "{text}");
        assert!(text.contains("$\\mathbf{0.379}$ "), "{text}");
    }
}
