//! What an experiment brings to every pair it stands in.

use std::cell::RefCell;
use std::rc::Rc;

use crate::compare::design::unit::{Unit, Units, units};
use crate::compare::read::names::Names;
use crate::compare::read::row::Row;

/// The rows of one experiment, and the units made of them so far: every pair of the experiment takes the same.
#[derive(Default)]
pub(crate) struct ExperimentRows {
    /// The rows.
    pub rows: Vec<Row>,
    made: RefCell<Vec<Made>>,
}

struct Made {
    unit: Unit,
    one_each: bool,
    units: Rc<Units>,
}

impl ExperimentRows {
    /// Takes the rows of an experiment.
    pub(crate) fn of(rows: Vec<Row>) -> ExperimentRows {
        ExperimentRows { rows, made: RefCell::default() }
    }

    /// Gives the units of the rows, as [`units`] does.
    pub(crate) fn units(&self, unit: Unit, one_each: bool, names: &Names) -> Rc<Units> {
        let earlier =
            self.made.borrow().iter().find(|m| (m.unit, m.one_each) == (unit, one_each)).map(|m| m.units.clone());
        earlier.unwrap_or_else(|| {
            let units = Rc::new(units(&self.rows, unit, one_each, names));
            self.made.borrow_mut().push(Made { unit, one_each, units: units.clone() });
            units
        })
    }
}
