//! The comparison for people at a terminal: the verdict first, then how large, how sure, how many.

mod columns;
mod correlations;
mod legend;
mod notes;

pub use correlations::correlations_to_text;
pub use legend::legend;

use crate::compare::comparison::{Comparison, Labels};
use crate::compare::pair::result::Pair;
use crate::compare::pair::summary::SummaryRow;
use crate::compare::show::numbers::{decimals, p_text};
use crate::compare::show::range::{of_difference, range_of, within};
use crate::compare::show::words::{effect, magnitude_word, shown_verdict};
use crate::stats::verdict::{Direction, Magnitude};
use crate::text::one_line::one_line;
use columns::{Column, Columns, intervals, value};
use notes::Notes;

/// Gives the table of a comparison and a few lines about why and what was left out, in so many columns of text if told.
///
/// Metrics and baselines stand above their rows (two experiments: the pair above a row for each metric), so that the table
/// keeps within 100 columns unless names are long. Where there is less room, columns go in this order: the standardised
/// difference, the means, n, the p-value, the interval. Verdict, name and difference always stay.
pub fn to_text(comparison: &Comparison, width: Option<usize>) -> String {
    let (above, mut table) = if comparison.pairs.is_empty() {
        (nothing_to_compare(comparison), means(comparison))
    } else {
        (tally(comparison), differences(comparison))
    };
    let gone = width.map(|width| table.fit(width)).unwrap_or_default();
    let mut notes = Notes::of(comparison).lines();
    notes.extend(left_out(&gone));
    let notes: String = notes.iter().map(|line| format!("{}\n", one_line(line))).collect();
    let gap = if notes.is_empty() { "" } else { "\n" };
    format!("{above}\n\n{}{gap}{notes}", table.text())
}

/// Names the columns that went for lack of room.
fn left_out(gone: &[String]) -> Option<String> {
    (!gone.is_empty()).then(|| format!("left out for lack of room: {}; --json has everything", gone.join(", ")))
}

/// Says what is missing, and what to try.
fn nothing_to_compare(comparison: &Comparison) -> String {
    let level = comparison.signature.split('|').find_map(|part| part.strip_prefix("level:")).unwrap_or("auto");
    let at_level = if level == "auto" { String::new() } else { format!(" at level {level}") };
    match comparison.note {
        Some("one_experiment") => format!(
            "One experiment only ({}): nothing to compare it with. Its means follow.\nGive a second folder, \
             `verism compare before=DIR after=DIR`, or scores that hold several experiments.",
            one_line(&comparison.experiments.join(", "))
        ),
        _ => {
            let of = |experiment: &String| {
                let own = comparison.ledger.iter().filter(|row| row.experiment == *experiment && row.scored > 0);
                let metrics: Vec<&str> = own.map(|row| row.metric.as_str()).collect();
                let metrics = if metrics.is_empty() { "no metric".to_string() } else { metrics.join(", ") };
                format!("\n  {}: {metrics}", one_line(experiment))
            };
            let held: String = comparison.experiments.iter().take(MOST_EXPERIMENTS).map(of).collect();
            format!(
                "No metric has rows in two experiments{at_level}: nothing to compare. With rows to compare:{held}\nTry \
                 --option metrics=all, another --option level=…, or look whether the experiments were scored alike."
            )
        }
    }
}

/// How many experiments are listed where there is nothing to compare.
const MOST_EXPERIMENTS: usize = 12;

/// Counts the verdicts, those that say something first.
fn tally(comparison: &Comparison) -> String {
    let count = |word: &str| comparison.pairs.iter().filter(|pair| shown_verdict(pair) == word).count();
    let all = ["better", "worse", "higher", "lower", "inconclusive"];
    let counted = all.into_iter().map(|word| (count(word), word)).filter(|(n, _)| *n > 0);
    let counted: Vec<String> = counted.map(|(n, word)| format!("{n} {word}")).collect();
    let [pairs, metrics] = [comparison.pairs.len(), comparison.metrics.len()];
    let plural = |n: usize| if n == 1 { "" } else { "s" };
    let shown = counted.join(", ");
    format!("{shown}: {pairs} difference{} in {metrics} metric{}", plural(pairs), plural(metrics))
}

/// The interval of a difference as people see it: within the range that a difference of the metric can take.
pub(in crate::compare::show) fn shown_interval(pair: &Pair) -> Option<(f64, f64)> {
    let range = of_difference(range_of(pair.suite.as_deref(), &pair.metric));
    pair.ci.lo.zip(pair.ci.hi).map(|ends| within(ends, range))
}

fn differences(comparison: &Comparison) -> Columns {
    let pairs = &comparison.pairs;
    let one_pair = pairs.windows(2).all(|w| (&w[0].baseline, &w[0].experiment) == (&w[1].baseline, &w[1].experiment));
    let mut table = Columns::new(vec![
        Column::new("verdict"),
        Column::new(if one_pair { "metric" } else { "experiment" }),
        Column::new("n").right().rank(4),
        Column::new("mean_b").right().rank(2),
        Column::new("mean_e").right().rank(3),
        Column::new("diff").right(),
        Column::new(format!("{} % interval", comparison.interval_percent())).rank(6),
        Column::new("p_adj").right().rank(5),
        Column::new(comparison.effect_name()).right().rank(1),
        Column::new(""),
    ]);
    let (notes, labels) = (Notes::of(comparison), comparison.labels());
    let mut shown = intervals(pairs.iter().map(shown_interval)).into_iter();
    let together =
        |a: &Pair, b: &Pair| one_pair || (&a.suite, &a.metric, &a.baseline) == (&b.suite, &b.metric, &b.baseline);
    for group in pairs.chunk_by(together) {
        let Pair { baseline, experiment, .. } = &group[0];
        table.title(match one_pair {
            true => format!("{experiment} against {baseline}"),
            false => format!("{} against {baseline}", metric(&group[0], labels)),
        });
        for (pair, interval) in group.iter().zip(&mut shown) {
            table.row(vec![
                verdict(pair),
                if one_pair { metric(pair, labels) } else { pair.experiment.clone() },
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
fn metric(pair: &Pair, labels: Labels) -> String {
    let better = match pair.direction {
        Direction::Higher => "",
        Direction::Lower => " (lower is better)",
        Direction::None => " (neither is better)",
    };
    labels.of(pair) + better
}

fn verdict(pair: &Pair) -> String {
    match pair.magnitude {
        Magnitude::NotTested => shown_verdict(pair).to_string(),
        _ => format!("{}, {}", shown_verdict(pair), magnitude_word(pair)),
    }
}

fn means(comparison: &Comparison) -> Columns {
    let rows: Vec<_> = comparison.summary.iter().map(|row| (row, row.mean_and_interval())).collect();
    let column = Column::new;
    let columns = ["metric", "experiment"].map(column).into_iter();
    let numbers = [column("n").right(), column("mean").right(), column("interval").rank(1)];
    let mut table = Columns::new(columns.chain(numbers).collect());
    let of = |row: &SummaryRow, ends| within(ends, range_of(row.suite.as_deref(), &row.metric));
    let shown = intervals(rows.iter().map(|(row, (_, _, ends))| ends.map(|ends| of(row, ends))));
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
        let text = to_text(&c, None);
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
        let text = to_text(&comparison("metric,experiment,case,value\nm,A,1,0.5\nm,A,2,0.7\n"), None);
        assert!(text.starts_with("One experiment only") && text.contains("0.6000"));
    }

    #[test]
    fn undefined_rows_are_counted_with_their_reasons() {
        let csv = "metric,experiment,case,value,undefined\nm,A,1,0.5,\nm,A,2,,no_answer\nm,B,1,0.1,\n";
        let text = to_text(&comparison(csv), None);
        assert!(text.contains("undefined: m A: 1 of 2 rows (no_answer 1)"), "{text}");
    }

    /// B is above A in every one of eight cases.
    const ABOVE: &str = "metric,experiment,case,value\nm,A,1,0.5\nm,B,1,0.7\nm,A,2,0.4\nm,B,2,0.61\nm,A,3,0.1\nm,B,3,0.3\n\
                         m,A,4,0.2\nm,B,4,0.42\nm,A,5,0.3\nm,B,5,0.5\nm,A,6,0.6\nm,B,6,0.79\n";

    // Nobody knows whether more of m is better: the terminal says which way it went, the document keeps its verdict.
    #[test]
    fn a_metric_that_no_registry_knows_is_higher_and_not_better() {
        let c = comparison(ABOVE);
        let text = to_text(&c, None);
        assert!(text.starts_with("1 higher: 1 difference") && text.contains("direction.m=higher|lower"), "{text}");
        assert!(
            text.lines().any(|line| line.starts_with("higher "))
                && !text.lines().any(|line| line.starts_with("better")),
            "{text}"
        );
        let json = serde_json::to_value(&c).unwrap();
        assert_eq!(
            (&json["pairs"][0]["verdict"], &json["pairs"][0]["direction_assumed"]),
            (&"better".into(), &true.into())
        );
        let told = compare_table(Table::of_csv(ABOVE), &Options::parse(["direction.m=lower"]).unwrap()).unwrap();
        assert!(to_text(&told, None).starts_with("1 worse:") && !told.pairs[0].direction_assumed);
    }

    // The order is the one that `to_text` documents; what always stays, stays.
    #[test]
    fn columns_go_in_their_order_and_the_verdict_stays() {
        let c = comparison(ABOVE);
        let header = |width: usize| {
            let text = to_text(&c, Some(width));
            let line = text.lines().find(|line| line.starts_with("verdict")).unwrap().to_string();
            assert!(text.lines().filter(|line| line.contains("0.2033")).all(|l| l.starts_with("higher")), "{text}");
            line.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(header(200), "verdict metric n mean_b mean_e diff 95 % interval p_adj d_z");
        assert_eq!(header(64), "verdict metric n mean_e diff 95 % interval p_adj");
        assert_eq!(header(10), "verdict metric diff");
        assert!(
            to_text(&c, Some(10)).contains("left out for lack of room: d_z, mean_b, mean_e, n, p_adj, 95 % interval")
        );
    }

    // By hand: r_h of A 0, 1 and of B 1, 0: differences 1 and -1, mean 0, se 1, t(0.975, 1) = 12.7: [-12.7, 12.7].
    #[test]
    fn intervals_of_bounded_metrics_stay_within_their_range_on_the_terminal() {
        let rows = "adaptation,r_h,A,1,run,0.01\nadaptation,r_h,A,2,run,1\nadaptation,r_h,B,1,run,1\nadaptation,r_h,B,2,run,0.01\n";
        let c = comparison(&format!("suite,metric,experiment,run,level,value\n{rows}"));
        assert!(c.pairs[0].ci.hi.unwrap() > 12.5);
        let text = to_text(&c, None);
        assert!(text.contains("[-1.0000, 1.0000]") && text.contains("cut to the range of the metric"), "{text}");
        assert!(to_markdown(&c).contains("[-1.0000, 1.0000]") && to_csv(&c).contains("12.5"));
        assert!(text.contains("Student's t"), "{text}");
    }

    // Two runs each: nothing can be decided, and the text says what would help.
    #[test]
    fn a_comparison_that_decides_nothing_for_lack_of_units_says_what_would_help() {
        let rows =
            "adaptation,r_h,A,1,run,0\nadaptation,r_h,A,2,run,1\nadaptation,r_h,B,1,run,1\nadaptation,r_h,B,2,run,0\n";
        let text = to_text(&comparison(&format!("suite,metric,experiment,run,level,value\n{rows}")), None);
        assert!(text.contains("score_cases=true") && text.contains("level=case"), "{text}");
    }
}
