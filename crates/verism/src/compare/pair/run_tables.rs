//! Do whole runs shift together? The tables of cases and runs behind a pair or an experiment.

use super::result::RunShift;
use crate::compare::design::experiment_rows::ExperimentRows;
use crate::compare::design::pairing::Design;
use crate::compare::design::unit::{Key, Unit};
use crate::compare::options::{Options, RunChoice};
use crate::compare::pair::one_pair::Context;
use crate::compare::read::names::{Id, Names};
use crate::stats::run_effects::{RunEffects, run_effects};
use crate::stats::run_table::{CaseRuns, RunTable, inverse_runs, run_table};

/// Shifts that whole runs share, and whether they count.
pub(crate) struct RunTables {
    pub effects: RunEffects,
    /// Σ 1/R over the experiments, where every case has all R runs.
    pub inverse: f64,
    /// How much of them stands in the error, from 0 to 1.
    pub weight: f64,
    /// The smallest number of runs.
    pub fewest: usize,
}

impl RunTables {
    /// Gives what the comparison shows of it.
    pub(crate) fn shown(&self) -> RunShift {
        let RunEffects { f, p, variance, .. } = self.effects;
        RunShift { f, p, sd: variance.sqrt(), weight: self.weight }
    }

    /// Looks for shared shifts in experiments whose units are cases; `None` where none was run twice, or the option says so.
    ///
    /// Under a factor runs are nested in what stands together, which carries their shifts.
    pub(crate) fn of(experiments: &[&ExperimentRows], names: &Names, options: &Options) -> Option<RunTables> {
        if options.runs == RunChoice::Fixed || options.factor.is_some() {
            return None;
        }
        let found: Vec<(Option<RunTable>, f64)> =
            experiments.iter().map(|own| *own.run_table.get_or_init(|| table(own, names))).collect();
        let tables: Vec<RunTable> = found.iter().filter_map(|(table, _)| *table).collect();
        let effects = run_effects(&tables)?;
        let fewest = tables.iter().map(|table| table.runs).min().unwrap_or_default();
        let inverse = found.iter().map(|(_, inverse)| inverse).sum();
        let weight = match options.runs {
            RunChoice::Random => f64::from(u8::from(effects.variance > 0.0)),
            _ => effects.weight(fewest),
        };
        Some(RunTables { effects, inverse, weight, fewest })
    }

    /// Gives standard error and degrees of freedom with the shifts in them; `None` where none of them counts.
    pub(crate) fn widened(&self, se: f64, df: f64) -> Option<(f64, f64)> {
        (self.weight > 0.0).then(|| self.effects.widened(se, df, self.inverse, self.weight))
    }
}

/// The table of one experiment, and what its runs' shares in the mean come to.
fn table(own: &ExperimentRows, names: &Names) -> (Option<RunTable>, f64) {
    let first = own.rows.iter().find(|row| row.value.is_some()).map(|row| row.run);
    if own.rows.iter().all(|row| row.value.is_none() || Some(row.run) == first) {
        return (None, 1.0);
    }
    let cells = own.units(Unit::CaseRun, false, names);
    let mut runs: Vec<Id> = cells.keys.iter().map(|key| key[1]).collect();
    runs.sort_unstable();
    runs.dedup();
    let cells: Vec<(&Key, f64)> = cells.keys.iter().zip(cells.values.iter().copied()).collect();
    let run_of = |run: Id| runs.partition_point(|other| *other < run);
    let of_case = |own: &[(&Key, f64)]| own.iter().map(|(key, value)| (run_of(key[1]), *value)).collect();
    let cases: Vec<CaseRuns> = cells.chunk_by(|a, b| a.0[0] == b.0[0]).map(of_case).collect();
    (run_table(&cases, runs.len()), inverse_runs(&cases, runs.len()))
}

/// Looks for shared shifts behind a pair whose units are cases.
pub(crate) fn run_shifts(context: &Context, design: &Design, sides: [&ExperimentRows; 2]) -> Option<RunTables> {
    let by_case = design.unit == Unit::Case && context.allowed.contains(&Unit::CaseRun);
    by_case.then(|| RunTables::of(&sides, context.names, context.options)).flatten()
}
