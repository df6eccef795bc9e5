//! Tables of experiments and recovery curves.

use super::outcome::Summary;
use crate::error::Result;
use crate::score::output::{LineFile, Output, TableFile};
use crate::score::table::{Cell, Dialect, push_json};
use crate::stats::sum::mean;
use crate::suites::recommender::facts::DIALOGUE_METRICS;
use crate::suites::recommender::measures::recovery::{
    Recovery, recovery_delay, recovery_delay_restricted, recovery_rate,
};
use crate::suites::recommender::options::Params;

/// The dialogues of an experiment as far as they have been taken.
#[derive(Debug, Default)]
pub(crate) struct Experiment {
    pub(crate) name: String,
    dialogues: u64,
    turns: u64,
    scored: u64,
    /// Defined values of each metric, in the order of dialogues.
    values: [Vec<f64>; DIALOGUE_METRICS.len()],
    shifts: Vec<Recovery>,
    curves: Vec<u64>,
}

impl Experiment {
    pub(crate) fn new(name: &str) -> Experiment {
        Experiment { name: name.to_string(), ..Experiment::default() }
    }

    /// Takes the next dialogue.
    pub(crate) fn add(&mut self, summary: &Summary) {
        self.dialogues += 1;
        self.turns += summary.n_turns;
        self.scored += summary.n_scored;
        for (values, value) in self.values.iter_mut().zip(&summary.values) {
            values.extend(value.as_ref().ok());
        }
        self.shifts.extend(&summary.shifts);
        self.curves.resize(summary.curves.len(), 0);
        self.curves.iter_mut().zip(&summary.curves).for_each(|(sum, more)| *sum += more);
    }

    /// The mean of a metric over the dialogues where it is defined.
    pub(crate) fn mean(&self, metric: &str) -> Option<f64> {
        let place = DIALOGUE_METRICS.iter().position(|known| *known == metric)?;
        mean(&self.values[place])
    }

    /// Whether less than half of the replies have anything to compare.
    pub(crate) fn has_low_coverage(&self) -> bool {
        self.mean("coverage").is_some_and(|coverage| coverage < 0.5)
    }

    fn cells(&self, params: &Params) -> Vec<Cell<'_>> {
        let mut cells: Vec<Cell<'_>> =
            vec![self.name.as_str().into(), self.dialogues.into(), self.turns.into(), self.scored.into()];
        for values in &self.values {
            cells.push(mean(values).into());
            cells.push((values.len() as u64).into());
        }
        let censored = self.shifts.iter().filter(|shift| shift.is_censored(params.window)).count() as u64;
        cells.push((self.shifts.len() as u64).into());
        cells.push(recovery_rate(&self.shifts).ok().into());
        cells.push(recovery_delay(&self.shifts).ok().into());
        cells.push(recovery_delay_restricted(&self.shifts, params.window).ok().into());
        cells.push(censored.into());
        cells
    }
}

fn columns() -> Vec<String> {
    let mut out = ["experiment", "n_dialogues", "n_turns", "n_scored"].map(String::from).to_vec();
    out.extend(DIALOGUE_METRICS.iter().flat_map(|metric| [metric.to_string(), format!("{metric}_n")]));
    let pooled = [
        "n_shifts",
        "recovery_rate_pooled",
        "recovery_delay_pooled",
        "recovery_delay_restricted_pooled",
        "n_censored",
        "flags",
    ];
    out.extend(pooled.map(String::from));
    out
}

/// A table that is also written as a list of JSON objects.
struct ListedTable {
    columns: Vec<String>,
    list: LineFile,
    table: TableFile,
}

impl ListedTable {
    fn start(name: &str, columns: Vec<String>, output: &mut Output) -> Result<ListedTable> {
        let list = output.list(name)?;
        Ok(ListedTable { list, table: output.table(name, columns.clone(), Dialect::Plain)?, columns })
    }

    fn row(&mut self, cells: &[Cell<'_>]) -> Result<()> {
        let mut line = vec![];
        push_json(&mut line, &self.columns, cells);
        self.list.write(&line)?;
        self.table.row(cells)
    }

    fn finish(self) -> Result<()> {
        self.list.finish()?;
        self.table.finish()
    }
}

/// Writes a table of experiments, and the same as a list of JSON objects.
pub(crate) fn write(name: &str, experiments: &[Experiment], params: &Params, output: &mut Output) -> Result<()> {
    let mut rows = ListedTable::start(name, columns(), output)?;
    for experiment in experiments {
        let mut cells = experiment.cells(params);
        cells.push(Cell::Json(if experiment.has_low_coverage() { "[\"low_coverage\"]" } else { "[]" }));
        rows.row(&cells)?;
    }
    rows.finish()
}

/// Writes the recovery curves of all experiments that have shifts.
pub(crate) fn write_curves(experiments: &[Experiment], params: &Params, output: &mut Output) -> Result<()> {
    let columns = ["experiment", "window", "tau", "shifts", "recovered", "rate"].map(String::from).to_vec();
    let mut rows = ListedTable::start("curves", columns, output)?;
    for experiment in experiments.iter().filter(|experiment| !experiment.shifts.is_empty()) {
        let shifts = experiment.shifts.len() as u64;
        let mut recovered = experiment.curves.iter();
        for window in &params.curve_windows {
            for (tau, recovered) in params.curve_taus.iter().zip(&mut recovered) {
                let cells = [
                    experiment.name.as_str().into(),
                    u64::from(*window).into(),
                    (*tau).into(),
                    shifts.into(),
                    (*recovered).into(),
                    (*recovered as f64 / shifts as f64).into(),
                ];
                rows.row(&cells)?;
            }
        }
    }
    rows.finish()
}
