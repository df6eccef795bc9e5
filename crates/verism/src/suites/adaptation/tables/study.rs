//! All cells of a job with their measures. Every float is computed from here on, once, in the stated order.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::catalogue::{Catalogue, RunEntry};
use crate::suites::adaptation::axes::{Order, axes};
use crate::suites::adaptation::judge::filled::Filled;
use crate::suites::adaptation::judge::packed::JudgedCell;
use crate::suites::adaptation::judge::tally::Tally;
use crate::suites::adaptation::measures::rates::Rates;
use crate::suites::adaptation::measures::{Amount, Run};
use crate::suites::adaptation::options::Params;
use crate::suites::adaptation::pack::Pack;
use crate::suites::adaptation::read::discover::CellId;

/// A cell that can be scored.
pub(crate) struct Scored<'a> {
    pub(crate) id: &'a CellId,
    pub(crate) cell: &'a JudgedCell,
    pub(crate) filled: Filled<'a>,
    pub(crate) rates: Rates,
    /// The measures that groups have means of, in the order of tables 1 and 2.
    pub(crate) averaged: Vec<Amount>,
    /// All rows, those dropped included, and the active ones.
    pub(crate) rows: u64,
    pub(crate) active: u64,
}

impl<'a> Scored<'a> {
    fn new(catalogue: &Catalogue, pack: &'a Pack, params: &Params, id: &'a CellId, cell: &'a JudgedCell) -> Scored<'a> {
        let tally = cell.tally.open();
        let filled = Filled::of(pack, &tally, params.reading);
        let rates = Rates::of(&filled, &tally.core);
        let run = Run { filled, tally: &tally, rates: &rates, format: cell.format };
        let value = |RunEntry { entry, of }: &RunEntry| (of.value)(&run, entry.scheme);
        let averaged = catalogue.means.iter().map(|mean| value(&catalogue.runs[mean.of])).collect();
        Scored { id, cell, filled, rates, averaged, rows: tally.total_rows(), active: tally.core.active }
    }

    /// The run as measures look at it.
    pub(crate) fn run<'r>(&'r self, tally: &'r Tally) -> Run<'r> {
        Run { filled: self.filled, tally, rates: &self.rates, format: self.cell.format }
    }

    /// A number about active rows; none if nobody knows which rows are active.
    pub(crate) fn known(&self, number: u64) -> Option<u64> {
        self.filled.exit_gap().is_none().then_some(number)
    }
}

/// Everything that tables and scores are made from.
pub(crate) struct Study<'a> {
    pub(crate) pack: &'a Pack,
    pub(crate) params: &'a Params,
    /// Models, groups, runs.
    pub(crate) axes: [Vec<String>; 3],
    /// Every cell with a log, readable or not.
    pub(crate) cells: &'a BTreeMap<CellId, JudgedCell>,
    /// The readable ones in the order of table 1.
    pub(crate) scored: Vec<Scored<'a>>,
    /// Their places.
    places: BTreeMap<&'a CellId, usize>,
    pub(crate) catalogue: Catalogue,
}

impl<'a> Study<'a> {
    pub(crate) fn new(
        pack: &'a Pack,
        params: &'a Params,
        cells: &'a BTreeMap<CellId, JudgedCell>,
        folders: &BTreeSet<Vec<String>>,
    ) -> Study<'a> {
        let ids: Vec<&CellId> = cells.keys().collect();
        let order = Order::of_cells(params);
        let catalogue = Catalogue::of(pack);
        let mut good: Vec<(&CellId, &JudgedCell)> = cells.iter().filter(|(_, cell)| cell.broken.is_none()).collect();
        good.sort_by(|a, b| order.compare(a.0, b.0));
        let scored: Vec<Scored<'a>> =
            good.into_par_iter().map(|(id, cell)| Scored::new(&catalogue, pack, params, id, cell)).collect();
        let places = scored.iter().enumerate().map(|(i, scored)| (scored.id, i)).collect();
        Study { pack, params, axes: axes(params, &ids, folders), cells, scored, places, catalogue }
    }

    /// A readable cell.
    pub(crate) fn get(&self, id: &CellId) -> Option<&Scored<'a>> {
        self.places.get(id).map(|&place| &self.scored[place])
    }

    /// The baseline cell of a cell.
    pub(crate) fn baseline_of(&self, id: &CellId) -> CellId {
        [id[0].clone(), self.params.baseline.clone(), id[2].clone()]
    }

    /// A group's readable cells in table order.
    pub(crate) fn cells_of(&self, group: &str) -> Vec<&Scored<'a>> {
        self.scored.iter().filter(|scored| scored.id[1] == group).collect()
    }

    /// The product of the axes: every cell that should be there, in order.
    pub(crate) fn expected(&self) -> Vec<CellId> {
        let loaded = self.scored.iter().map(|scored| scored.id[2].as_str());
        let runs = self.params.reading.expected_runs(&self.axes[2], loaded);
        let [models, groups, _] = &self.axes;
        let mut cells = Vec::with_capacity(models.len() * groups.len() * runs.len());
        for model in models {
            for group in groups {
                cells.extend(runs.iter().map(|run| [model.clone(), group.clone(), run.clone()]));
            }
        }
        cells
    }

    /// The runs in the order of comparisons and summaries.
    pub(crate) fn runs(&self) -> Vec<String> {
        self.params.reading.ordered_runs(self.axes[2].clone())
    }

    /// Cells outside the baseline group by model, run, group.
    pub(crate) fn compared(&self) -> Vec<&Scored<'a>> {
        let runs = self.runs();
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

/// The values that a group's cells have for each measure that has a mean.
pub(crate) fn averaged(study: &Study<'_>, cells: &[&Scored<'_>]) -> Vec<Vec<f64>> {
    let defined = |i: usize| cells.iter().filter_map(|cell| cell.averaged[i].value.clone().ok()).collect();
    (0..study.catalogue.means.len()).map(defined).collect()
}
