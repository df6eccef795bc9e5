//! What an experiment brings to every pair it stands in.

use std::cell::RefCell;
use std::rc::Rc;

use super::names::Names;
use super::row::Row;
use super::unit::{Unit, Units, units};

/// The rows of one experiment, and the units made of them so far: every pair of the experiment takes the same.
#[derive(Default)]
pub struct Own {
    /// The rows.
    pub rows: Vec<Row>,
    made: RefCell<Vec<Made>>,
}

struct Made {
    unit: Unit,
    one_each: bool,
    units: Rc<Units>,
}

impl Own {
    /// Takes the rows of an experiment.
    pub fn of(rows: Vec<Row>) -> Own {
        Own { rows, made: RefCell::default() }
    }

    /// Gives the units of the rows, as [`units`] does.
    pub fn units(&self, unit: Unit, one_each: bool, names: &Names) -> Rc<Units> {
        let earlier =
            self.made.borrow().iter().find(|m| (m.unit, m.one_each) == (unit, one_each)).map(|m| m.units.clone());
        earlier.unwrap_or_else(|| {
            let units = Rc::new(units(&self.rows, unit, one_each, names));
            self.made.borrow_mut().push(Made { unit, one_each, units: units.clone() });
            units
        })
    }
}
