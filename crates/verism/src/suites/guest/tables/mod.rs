//! Tables over conversations: experiments, cases, personas.

pub(crate) mod interactions;
pub(crate) mod sensitivity;

use std::collections::BTreeMap;

use crate::error::Result;
use crate::score::output::Output;
use crate::score::table::{Cell, Dialect};
use crate::stats::describe;
use crate::stats::sum::mean;
use crate::suites::guest::gather::{ConversationValues, Gathered};
use crate::suites::guest::measures::asked;
use crate::suites::guest::measures::bands::band;
use crate::text::numbered::Numbered;

/// The factor of the interval in the source.
const Z: f64 = 1.96;

/// Puts conversations into the order of sums: experiment, run, case, dialogue, each by code point.
pub(crate) fn sort(gathered: &mut Gathered<'_>) {
    let names = &gathered.names;
    gathered.kept.sort_unstable_by(|a, b| {
        let key = |kept: &ConversationValues| [kept.experiment, kept.run, kept.case].map(|number| names.name(number));
        key(a).cmp(&key(b)).then_with(|| a.dialogue.cmp(&b.dialogue))
    });
}

/// Groups of conversations by experiment and a second key, in order.
type Groups<'g> = BTreeMap<[&'g str; 2], Vec<&'g ConversationValues>>;

/// The values of a metric that are defined.
pub(crate) fn defined(group: &[&ConversationValues], metric: usize) -> Vec<f64> {
    group.iter().filter_map(|kept| kept.values[metric]).collect()
}

/// The experiments in order, each with its conversations.
pub(crate) fn by_experiment<'g>(
    kept: &'g [ConversationValues],
    names: &'g Numbered,
) -> BTreeMap<&'g str, Vec<&'g ConversationValues>> {
    let mut groups: BTreeMap<&str, Vec<&ConversationValues>> = BTreeMap::new();
    for kept in kept {
        groups.entry(names.name(kept.experiment)).or_default().push(kept);
    }
    groups
}

/// Experiment of the rows that look at all experiments together.
pub(crate) const ALL: &str = "*";
/// Persona of those that name none.
const UNKNOWN: &str = "unknown";

/// Writes the three tables.
pub(crate) fn write(gathered: &mut Gathered<'_>) -> Result<()> {
    let (kept, names) = (&gathered.kept, &gathered.names);
    let mut experiments = Groups::new();
    let mut cases = Groups::new();
    let mut personas = Groups::new();
    for kept in kept {
        let experiment = names.name(kept.experiment);
        let persona = kept.persona.map_or(UNKNOWN, |persona| names.name(persona));
        experiments.entry([experiment, ""]).or_default().push(kept);
        cases.entry([experiment, names.name(kept.case)]).or_default().push(kept);
        personas.entry([experiment, persona]).or_default().push(kept);
        personas.entry([ALL, persona]).or_default().push(kept);
    }
    let metrics = &asked(gathered.params);
    let output = &mut *gathered.output;
    write_groups(output, "experiments", None, &experiments, metrics)?;
    write_groups(output, "cases", Some("case"), &cases, metrics)?;
    write_groups(output, "personas", Some("persona"), &personas, metrics)
}

/// Writes a table with a row for each group and metric; without a second key it has spread and interval too.
fn write_groups(
    output: &mut Output,
    table: &str,
    second: Option<&str>,
    groups: &Groups<'_>,
    metrics: &[&str],
) -> Result<()> {
    let mut columns = vec!["experiment"];
    columns.extend(second);
    columns.extend(["metric", "total", "n", "mean"]);
    if second.is_none() {
        columns.extend(["sd", "ci_lo", "ci_hi"]);
    }
    columns.push("band");
    let mut file = output.table(table, columns.into_iter().map(String::from).collect(), Dialect::Plain)?;
    let mut cells: Vec<Cell<'_>> = vec![];
    let mut values: Vec<f64> = vec![];
    for ([experiment, key], group) in groups {
        for (i, metric) in metrics.iter().enumerate() {
            values.clear();
            values.extend(group.iter().filter_map(|kept| kept.values[i]));
            let mean = mean(&values);
            cells.clear();
            cells.push(Cell::Text(experiment));
            cells.extend(second.map(|_| Cell::Text(key)));
            let (total, n) = (group.len() as u64, values.len() as u64);
            cells.extend([Cell::Text(metric), total.into(), n.into(), mean.into()]);
            if second.is_none() {
                cells.extend(spread(&values).map(Cell::from));
            }
            cells.push(mean.and_then(|mean| band(metric, mean)).into());
            file.row(&cells)?;
        }
    }
    file.finish()
}

/// Standard deviation and the ends of the source's interval.
///
/// ```math
/// mean ± 1.96 sd/√n,   sd with n - 1;   none for n < 2
/// ```
fn spread(values: &[f64]) -> [Option<f64>; 3] {
    let Some((sd, mean)) = describe::sd(values, 1).zip(mean(values)) else { return [None; 3] };
    let half = Z * sd / (values.len() as f64).sqrt();
    [Some(sd), Some(mean - half), Some(mean + half)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_the_source_by_hand() {
        // Values 1, 2, 3: sd 1, half width 1.96/√3.
        let [sd, low, high] = spread(&[1.0, 2.0, 3.0]);
        assert_eq!(sd, Some(1.0));
        assert!((low.expect("two ends") - (2.0 - 1.96 / 3.0_f64.sqrt())).abs() < 1e-15);
        assert!((high.expect("two ends") - (2.0 + 1.96 / 3.0_f64.sqrt())).abs() < 1e-15);
        assert_eq!(spread(&[0.5]), [None; 3]);
        assert_eq!(spread(&[0.5, 0.5]), [Some(0.0), Some(0.5), Some(0.5)]);
    }
}
