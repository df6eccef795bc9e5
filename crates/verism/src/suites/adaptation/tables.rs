//! The four published tables.

use std::collections::BTreeSet;

use super::finish::{Scored, Study, Value};
use super::versus::{self, Change};
use crate::error::Result;
use crate::score::output::Output;
use crate::score::table::{Cell, Dialect};
use crate::stats::sum::mean;

pub(super) const ALL: &str = "wrr_metrics_all_models_v6";
const GROUPS: &str = "wrr_metrics_group_summary_v6";
const VERSUS: &str = "wrr_metrics_vs_groupA_v6";
const COMPLETION: &str = "wrr_metrics_completion_v6";

pub(super) fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| name.to_string()).collect()
}

impl<'v> From<&Value<'v>> for Cell<'_> {
    fn from(value: &Value<'v>) -> Self {
        match value {
            Value::Real(Ok(x)) => Cell::Float(*x),
            Value::Count(Ok(x)) => Cell::Int(*x as i128),
            _ => Cell::Empty,
        }
    }
}

pub(super) fn write(study: &Study<'_>, output: &mut Output) -> Result<()> {
    let dialect = if study.params.v6() { Dialect::Python } else { Dialect::Plain };
    all_models(study, output, dialect)?;
    group_summary(study, output, dialect)?;
    versus_baseline(study, output, dialect)?;
    completion(study, output, dialect)
}

/// Titles of the ten measures of tables 1 and 2.
fn measured(study: &Study<'_>) -> Vec<String> {
    study.names.means.iter().map(|name| name.title.trim_end_matches("_mean").to_string()).collect()
}

fn all_models(study: &Study<'_>, output: &mut Output, dialect: Dialect) -> Result<()> {
    let mut columns =
        names(&["model", "group", "run", "n_total_rows", "n_active", "n_id_violation", "n_think_violation"]);
    columns.extend(measured(study));
    let mut table = output.table(ALL, columns, dialect)?;
    for scored in &study.scored {
        let (tally, m) = (scored.cell.tally.open(), &scored.measures);
        // A count of violations says nothing where the rate is undefined for another reason than an empty denominator.
        let told = |rate: &crate::score::Measure, count: u64| match rate {
            Err(why) if why.reason() != "empty_denominator" => None,
            _ => Some(count),
        };
        let [model, group, run] = scored.id;
        let mut row: Vec<Cell<'_>> = vec![model.as_str().into(), group.as_str().into(), run.as_str().into()];
        row.push(tally.total_rows().into());
        row.push(scored.known(tally.core.active).into());
        row.push(told(&m.r_h, tally.core.id).into());
        row.push(told(&m.r_r, tally.core.think).into());
        row.extend(scored.in_tables().iter().map(Cell::from));
        table.row(&row)?;
    }
    table.finish()
}

/// A group's readable cells in table order.
pub(super) fn cells_of<'s, 'a>(study: &'s Study<'a>, group: &str) -> Vec<&'s Scored<'a>> {
    study.scored.iter().filter(|scored| scored.id[1] == group).collect()
}

/// The values that a group's cells have for each of the ten measures.
pub(super) fn group_values(cells: &[&Scored<'_>]) -> Vec<Vec<f64>> {
    let per_cell: Vec<Vec<Option<f64>>> =
        cells.iter().map(|cell| cell.in_tables().iter().map(Value::number).collect()).collect();
    let measures = per_cell.first().map_or(0, Vec::len);
    (0..measures).map(|i| per_cell.iter().filter_map(|values| values[i]).collect()).collect()
}

fn group_summary(study: &Study<'_>, output: &mut Output, dialect: Dialect) -> Result<()> {
    let mut columns = names(&["group", "n_cases", "n_models_observed", "runs_observed"]);
    columns.extend(study.names.means.iter().map(|name| name.title.clone()));
    let mut table = output.table(GROUPS, columns, dialect)?;
    for group in &study.axes[1] {
        let cells = cells_of(study, group);
        if cells.is_empty() {
            continue;
        }
        let models: BTreeSet<&str> = cells.iter().map(|cell| cell.id[0].as_str()).collect();
        let observed: BTreeSet<&str> = cells.iter().map(|cell| cell.id[2].as_str()).collect();
        let runs: Vec<&str> = if study.params.v6() {
            observed.into_iter().collect()
        } else {
            study.axes[2].iter().map(String::as_str).filter(|run| observed.contains(run)).collect()
        };
        let runs = runs.join(",");
        let mut row: Vec<Cell<'_>> = vec![group.as_str().into(), (cells.len() as u64).into()];
        row.extend([Cell::from(models.len() as u64), runs.as_str().into()]);
        row.extend(group_values(&cells).iter().map(|values| Cell::from(mean(values))));
        table.row(&row)?;
    }
    table.finish()
}

fn versus_baseline(study: &Study<'_>, output: &mut Output, dialect: Dialect) -> Result<()> {
    let headline = study.pack.headline;
    let mut columns = names(&["model", "run", "group", "R_H", "R_R"]);
    columns.extend([study.names.h_norm[headline].title.clone(), study.names.ehe[headline].title.clone()]);
    columns.extend(study.names.versus.iter().map(|(percent, _)| percent.title.clone()));
    let mut table = output.table(VERSUS, columns, dialect)?;
    for scored in study.compared() {
        let Some(changes) = versus::changes(study, scored) else { continue };
        let [model, group, run] = scored.id;
        let m = &scored.measures;
        let mut row: Vec<Cell<'_>> = vec![model.as_str().into(), run.as_str().into(), group.as_str().into()];
        for value in [&m.r_h, &m.r_r, &m.h_norm[headline], &m.ehe[headline]] {
            row.push(value.as_ref().ok().copied().into());
        }
        row.extend(changes.iter().map(|change: &Change| Cell::from(change.percent.as_ref().ok().copied())));
        table.row(&row)?;
    }
    table.finish()
}

fn completion(study: &Study<'_>, output: &mut Output, dialect: Dialect) -> Result<()> {
    let mut table = output.table(COMPLETION, names(&["model", "group", "run", "has_simulation_log"]), dialect)?;
    for id in study.expected() {
        let has = if study.params.v6() { study.get(&id).is_some() } else { study.cells.contains_key(&id) };
        let [model, group, run] = &id;
        table.row(&[model.as_str().into(), group.as_str().into(), run.as_str().into(), u64::from(has).into()])?;
    }
    table.finish()
}
