//! From tallies to tables, scores and ledger: every float is computed here, once, in the stated order.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::axes::{Order, axes};
use super::collect::Cell;
use super::discover::CellId;
use super::ground::Ground;
use super::measures::Measures;
use super::names::Names;
use super::options::Params;
use super::pack::Pack;
use super::workload::{Count, Workload};
use super::{bootstrap, ledger, scores, tables, tables_beyond};
use crate::error::Result;
use crate::score::Measure;
use crate::score::output::Output;

/// A cell that can be scored.
pub(super) struct Scored<'a> {
    pub(super) id: &'a CellId,
    pub(super) cell: &'a Cell,
    pub(super) ground: Ground<'a>,
    pub(super) measures: Measures,
    pub(super) workload: Workload,
    /// All rows, those dropped included, and the active ones.
    pub(super) rows: u64,
    pub(super) active: u64,
}

impl Scored<'_> {
    /// A number about active rows; none if nobody knows which rows are active.
    pub(super) fn known(&self, number: u64) -> Option<u64> {
        self.ground.exit_gap().is_none().then_some(number)
    }

    /// The ten measures of tables 1 and 2 in their order.
    pub(super) fn in_tables(&self) -> Vec<Value<'_>> {
        let pack = self.ground.pack;
        let m = &self.measures;
        let mut values = vec![Value::Real(&m.r_h), Value::Real(&m.r_r), Value::Real(&m.rationality_pass)];
        for (i, _) in pack.table_schemes() {
            values.extend([Value::Real(&m.h_norm[i]), Value::Real(&m.ehe[i])]);
        }
        let w = &self.workload;
        values.extend([Value::Count(&w.intervention_rows), Value::Count(&w.retry_rows), Value::Count(&w.retry_sum)]);
        values
    }
}

/// A measure or a count.
pub(super) enum Value<'a> {
    Real(&'a Measure),
    Count(&'a Count),
}

impl Value<'_> {
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Value::Real(measure) => measure.as_ref().ok().copied(),
            Value::Count(count) => count.as_ref().ok().map(|&count| count as f64),
        }
    }
}

/// Everything that tables and scores are made from.
pub(super) struct Study<'a> {
    pub(super) pack: &'a Pack,
    pub(super) params: &'a Params,
    /// Models, groups, runs.
    pub(super) axes: [Vec<String>; 3],
    /// Every cell with a log, readable or not.
    pub(super) cells: &'a BTreeMap<CellId, Cell>,
    /// The readable ones in the order of table 1.
    pub(super) scored: Vec<Scored<'a>>,
    /// Their places.
    pub(super) places: BTreeMap<&'a CellId, usize>,
    pub(super) names: Names,
}

impl<'a> Study<'a> {
    pub(super) fn new(
        pack: &'a Pack,
        params: &'a Params,
        cells: &'a BTreeMap<CellId, Cell>,
        folders: &BTreeSet<Vec<String>>,
    ) -> Study<'a> {
        let ids: Vec<&CellId> = cells.keys().collect();
        let order = Order::of_cells(params);
        let mut good: Vec<(&CellId, &Cell)> = cells.iter().filter(|(_, cell)| cell.broken.is_none()).collect();
        good.sort_by(|a, b| order.compare(a.0, b.0));
        let scored: Vec<Scored<'a>> = good
            .into_par_iter()
            .map(|(id, cell)| {
                let tally = cell.tally.open();
                let ground = Ground::of(pack, &tally, params.v6());
                let measures = Measures::of(&ground, &tally.core);
                let workload = Workload::of(&ground, &tally);
                Scored { id, cell, ground, measures, workload, rows: tally.total_rows(), active: tally.core.active }
            })
            .collect();
        let places = scored.iter().enumerate().map(|(i, scored)| (scored.id, i)).collect();
        Study { pack, params, axes: axes(params, &ids, folders), cells, scored, places, names: Names::of(pack) }
    }

    /// A readable cell.
    pub(super) fn get(&self, id: &CellId) -> Option<&Scored<'a>> {
        self.places.get(id).map(|&place| &self.scored[place])
    }

    /// The baseline cell of a cell.
    pub(super) fn baseline_of(&self, id: &CellId) -> CellId {
        [id[0].clone(), self.params.baseline.clone(), id[2].clone()]
    }

    /// Runs of the completion table; the published program always lists its three.
    fn runs_expected(&self) -> Vec<String> {
        if !self.params.v6() {
            return self.axes[2].clone();
        }
        let loaded = self.scored.iter().map(|scored| scored.id[2].clone());
        let runs: BTreeSet<String> = loaded.chain(["Run_1", "Run_2", "Run_3"].map(String::from)).collect();
        runs.into_iter().collect()
    }

    /// The product of the axes: every cell that should be there, in order.
    pub(super) fn expected(&self) -> Vec<CellId> {
        let runs = self.runs_expected();
        let [models, groups, _] = &self.axes;
        let mut cells = Vec::with_capacity(models.len() * groups.len() * runs.len());
        for model in models {
            for group in groups {
                cells.extend(runs.iter().map(|run| [model.clone(), group.clone(), run.clone()]));
            }
        }
        cells
    }

    /// Cells outside the baseline group by model, run, group.
    pub(super) fn compared(&self) -> Vec<&Scored<'a>> {
        let mut runs = self.axes[2].clone();
        if self.params.v6() {
            runs.sort();
        }
        let mut cells = vec![];
        for model in &self.axes[0] {
            for run in &runs {
                let groups = self.axes[1].iter().filter(|group| **group != self.params.baseline);
                cells.extend(groups.filter_map(|group| self.get(&[model.clone(), group.clone(), run.clone()])));
            }
        }
        cells
    }
}

/// Writes tables and scores, and gives the ledger as JSON.
pub(super) fn finish(study: &Study<'_>, ignored: &BTreeMap<String, u64>, output: &mut Output) -> Result<String> {
    let mut accounts = ledger::Accounts::new(study);
    tables::write(study, output)?;
    tables_beyond::write(study, output)?;
    if study.params.bootstrap > 0 {
        bootstrap::write(study, output)?;
    }
    scores::write(study, output, &mut accounts)?;
    Ok(ledger::json(study, accounts, ignored))
}
