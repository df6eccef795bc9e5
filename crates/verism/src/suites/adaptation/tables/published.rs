//! The four published tables.

use std::collections::BTreeSet;

use super::names;
use super::scores::changed;
use super::study::{Study, averaged};
use crate::error::Result;
use crate::score::Measure;
use crate::score::output::Output;
use crate::score::table::{Cell, Dialect};
use crate::stats::sum::mean;
use crate::suites::adaptation::measures::Amount;
use crate::suites::adaptation::measures::h_norm::{EHE, H_NORM};

const ALL: &str = "wrr_metrics_all_models_v6";
const GROUPS: &str = "wrr_metrics_group_summary_v6";
const VERSUS: &str = "wrr_metrics_vs_groupA_v6";
const COMPLETION: &str = "wrr_metrics_completion_v6";

impl From<&Amount> for Cell<'_> {
    fn from(amount: &Amount) -> Self {
        match (&amount.value, amount.count) {
            (_, Some(count)) => Cell::Int(count as i128),
            (Ok(value), None) => Cell::Float(*value),
            (Err(_), None) => Cell::Empty,
        }
    }
}

fn defined(measure: &Measure) -> Cell<'static> {
    measure.as_ref().ok().copied().into()
}

pub(super) fn write(study: &Study<'_>, output: &mut Output) -> Result<()> {
    let dialect = study.params.reading.dialect();
    all_models(study, output, dialect)?;
    group_summary(study, output, dialect)?;
    versus_baseline(study, output, dialect)?;
    completion(study, output, dialect)
}

fn all_models(study: &Study<'_>, output: &mut Output, dialect: Dialect) -> Result<()> {
    let mut columns =
        names(&["model", "group", "run", "n_total_rows", "n_active", "n_id_violation", "n_think_violation"]);
    columns.extend(study.catalogue.titles().0);
    let mut table = output.table(ALL, columns, dialect)?;
    for scored in &study.scored {
        let (tally, rates) = (scored.cell.tally.open(), &scored.rates);
        // A count of violations says nothing where the rate is undefined for another reason than an empty denominator.
        let told = |rate: &Measure, count: u64| match rate {
            Err(why) if why.reason() != "empty_denominator" => None,
            _ => Some(count),
        };
        let [model, group, run] = scored.id;
        let mut row: Vec<Cell<'_>> = vec![model.as_str().into(), group.as_str().into(), run.as_str().into()];
        row.push(tally.total_rows().into());
        row.push(scored.known(tally.core.active).into());
        row.push(told(&rates.r_h, tally.core.id).into());
        row.push(told(&rates.r_r, tally.core.think).into());
        row.extend(scored.averaged.iter().map(Cell::from));
        table.row(&row)?;
    }
    table.finish()
}

fn group_summary(study: &Study<'_>, output: &mut Output, dialect: Dialect) -> Result<()> {
    let mut columns = names(&["group", "n_cases", "n_models_observed", "runs_observed"]);
    columns.extend(study.catalogue.titles().1);
    let mut table = output.table(GROUPS, columns, dialect)?;
    for group in &study.axes[1] {
        let cells = study.cells_of(group);
        if cells.is_empty() {
            continue;
        }
        let models: BTreeSet<&str> = cells.iter().map(|cell| cell.id[0].as_str()).collect();
        let observed: BTreeSet<&str> = cells.iter().map(|cell| cell.id[2].as_str()).collect();
        let mut runs = study.runs();
        runs.retain(|run| observed.contains(run.as_str()));
        let runs = runs.join(",");
        let mut row: Vec<Cell<'_>> = vec![group.as_str().into(), (cells.len() as u64).into()];
        row.extend([Cell::from(models.len() as u64), runs.as_str().into()]);
        row.extend(averaged(study, &cells).iter().map(|values| Cell::from(mean(values))));
        table.row(&row)?;
    }
    table.finish()
}

fn versus_baseline(study: &Study<'_>, output: &mut Output, dialect: Dialect) -> Result<()> {
    let (headline, catalogue) = (study.pack.headline, &study.catalogue);
    let mut columns = names(&["model", "run", "group", "R_H", "R_R"]);
    columns.extend([&H_NORM, &EHE].map(|measure| catalogue.run(measure, headline).title.clone()));
    let percentages = || catalogue.changes.iter().filter(|change| change.of.percent);
    columns.extend(percentages().map(|change| change.entry.title.clone()));
    let mut table = output.table(VERSUS, columns, dialect)?;
    for scored in study.compared() {
        let Some(base) = study.get(&study.baseline_of(scored.id)) else { continue };
        let [model, group, run] = scored.id;
        let rates = &scored.rates;
        let mut row: Vec<Cell<'_>> = vec![model.as_str().into(), run.as_str().into(), group.as_str().into()];
        row.extend([&rates.r_h, &rates.r_r, &rates.h_norm[headline], &rates.ehe[headline]].map(defined));
        row.extend(percentages().map(|change| {
            let subject = |rates| (change.of.subject)(rates, change.entry.scheme);
            defined(&changed(study, change.of, subject(&base.rates), subject(rates)))
        }));
        table.row(&row)?;
    }
    table.finish()
}

fn completion(study: &Study<'_>, output: &mut Output, dialect: Dialect) -> Result<()> {
    let mut table = output.table(COMPLETION, names(&["model", "group", "run", "has_simulation_log"]), dialect)?;
    for id in study.expected() {
        let counted = study.params.reading.counts_broken_logs();
        let has = if counted { study.cells.contains_key(&id) } else { study.get(&id).is_some() };
        let [model, group, run] = &id;
        table.row(&[model.as_str().into(), group.as_str().into(), run.as_str().into(), u64::from(has).into()])?;
    }
    table.finish()
}
