//! The comparison for people at a terminal: the verdict first, then how large, how sure, how many.

mod columns;
mod correlations;
mod notes;

pub use correlations::correlations_to_text;

use crate::compare::comparison::Comparison;
use crate::compare::pair::result::Pair;
use crate::compare::show::numbers::{decimals, p_text};
use crate::compare::show::words::{effect, magnitude_word, verdict_word};
use crate::stats::verdict::{Direction, Magnitude, Verdict};
use columns::{Columns, intervals, value};
use notes::Notes;

/// Gives the table of a comparison and a few lines about why and what was left out.
///
/// Metrics and baselines stand above their rows (two experiments: the pair above a row for each metric), so that the table
/// keeps within 100 columns unless names are long.
pub fn to_text(comparison: &Comparison) -> String {
    let (above, table) = if comparison.pairs.is_empty() {
        let why = match comparison.note {
            Some("one_experiment") => "One experiment only: nothing to compare it with. Its means follow.",
            _ => "No metric has rows in two experiments: nothing to compare.",
        };
        (why.to_string(), means(comparison))
    } else {
        (tally(comparison), differences(comparison))
    };
    let notes: String = Notes::of(comparison).lines().iter().map(|line| format!("{line}\n")).collect();
    let gap = if notes.is_empty() { "" } else { "\n" };
    format!("{above}\n\n{}{gap}{notes}", table.text())
}

/// Counts the verdicts, those that say something first.
fn tally(comparison: &Comparison) -> String {
    let count = |verdict: Verdict| comparison.pairs.iter().filter(|pair| pair.verdict == verdict).count();
    let all = [Verdict::Better, Verdict::Worse, Verdict::Higher, Verdict::Lower, Verdict::Inconclusive];
    let counted = all.into_iter().map(|verdict| (count(verdict), verdict)).filter(|(n, _)| *n > 0);
    let counted: Vec<String> = counted.map(|(n, verdict)| format!("{n} {}", verdict_word(verdict))).collect();
    let [pairs, metrics] = [comparison.pairs.len(), comparison.metrics.len()];
    let plural = |n: usize| if n == 1 { "" } else { "s" };
    let shown = counted.join(", ");
    format!("{shown}: {pairs} difference{} in {metrics} metric{}", plural(pairs), plural(metrics))
}

fn differences(comparison: &Comparison) -> Columns {
    let pairs = &comparison.pairs;
    let one_pair = pairs.windows(2).all(|w| (&w[0].baseline, &w[0].experiment) == (&w[1].baseline, &w[1].experiment));
    let interval = format!("{} % interval", comparison.interval_percent());
    let effect_name = format!(">{}", comparison.effect_name());
    let subject = if one_pair { "metric" } else { "experiment" };
    let header = ["verdict", subject, ">n", ">mean_b", ">mean_e", ">diff", &interval, ">p_adj", &effect_name, ""];
    let mut table = Columns::new(&header);
    let notes = Notes::of(comparison);
    let mut shown = intervals(pairs.iter().map(|pair| pair.ci.lo.zip(pair.ci.hi))).into_iter();
    let together =
        |a: &Pair, b: &Pair| one_pair || (&a.suite, &a.metric, &a.baseline) == (&b.suite, &b.metric, &b.baseline);
    for group in pairs.chunk_by(together) {
        let Pair { baseline, experiment, .. } = &group[0];
        table.title(match one_pair {
            true => format!("{experiment} against {baseline}"),
            false => format!("{} against {baseline}", metric(&group[0], comparison)),
        });
        for (pair, interval) in group.iter().zip(&mut shown) {
            table.row(vec![
                verdict(pair),
                if one_pair { metric(pair, comparison) } else { pair.experiment.clone() },
                pair.size(),
                value(pair.mean_baseline),
                value(pair.mean_experiment),
                value(pair.diff),
                interval,
                if pair.log10_p_adj.is_none() { "-".to_string() } else { p_text(pair.p_adj) },
                effect(pair).0.map_or_else(|| "-".to_string(), |x| decimals(x, 3)),
                notes.beside(pair),
            ]);
        }
    }
    table
}

/// The metric with what is better, unless that is higher.
fn metric(pair: &Pair, comparison: &Comparison) -> String {
    let better = match pair.direction {
        Direction::Higher => "",
        Direction::Lower => " (lower is better)",
        Direction::None => " (neither is better)",
    };
    comparison.label(pair) + better
}

fn verdict(pair: &Pair) -> String {
    match pair.magnitude {
        Magnitude::NotTested => verdict_word(pair.verdict).to_string(),
        _ => format!("{}, {}", verdict_word(pair.verdict), magnitude_word(pair)),
    }
}

fn means(comparison: &Comparison) -> Columns {
    let rows: Vec<_> = comparison.summary.iter().map(|row| (row, row.mean_and_interval())).collect();
    let mut table = Columns::new(&["metric", "experiment", ">n", ">mean", "interval"]);
    let shown = intervals(rows.iter().map(|(_, (_, _, interval))| *interval));
    for ((row, (n, mean, _)), interval) in rows.into_iter().zip(shown) {
        table.row(vec![row.metric.clone(), row.experiment.clone(), n.to_string(), value(mean), interval]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::comparison::compare_table;
    use crate::compare::options::Options;
    use crate::compare::read::table::Table;
    use crate::compare::show::csv::to_csv;
    use crate::compare::show::paper::{to_latex, to_markdown};

    fn comparison(csv: &str) -> Comparison {
        compare_table(Table::of_csv(csv), &Options::default()).unwrap()
    }

    // By hand: differences 0.1, 0.2, 0.3: mean 0.2, sd 0.1, d_z 2, t = 2√3 with 2 df: p = 1 - t/√(2+t²) = 1 - √(12/14).
    #[test]
    fn the_verdict_stands_first_and_numbers_are_short() {
        let c = comparison(
            "metric,experiment,case,value\nm,A,1,0.5\nm,B,1,0.6\nm,A,2,0.4\nm,B,2,0.6\nm,A,3,0.1\nm,B,3,0.4\n",
        );
        let text = to_text(&c);
        assert!(text.starts_with("1 inconclusive: 1 difference in 1 metric\n"), "{text}");
        assert!(text.contains("\nB against A\n"), "{text}");
        let line = text.lines().find(|line| line.starts_with("inconclusive")).unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[..5], ["inconclusive", "m", "3", "0.3333", "0.5333"]);
        assert!(line.contains("0.0742") && line.contains("2.000"), "{line}");
        assert!(text.contains("few_units") && text.contains("3 of 3 cases shared"));
        assert_eq!(to_csv(&c).lines().count(), 2);
        assert!(to_markdown(&c).contains("| m | A | B | 3 | 0.3333 |"));
        assert!(to_latex(&c).contains("m & A & B & $3$ & $0.3333$ & $0.5333$ & $0.2000$"));
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
