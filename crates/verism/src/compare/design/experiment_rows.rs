//! The rows of one experiment and the units made of them, shared by all pairs of that experiment.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use crate::compare::design::unit::{Unit, Units, cases_of, units};
use crate::compare::read::names::{Id, Names};
use crate::compare::read::row::Row;
use crate::stats::run_table::RunTable;

/// The rows of one experiment, and the units made of them so far: every pair of the experiment takes the same.
#[derive(Default)]
pub(crate) struct ExperimentRows {
    /// The rows.
    pub rows: Vec<Row>,
    made: RefCell<Vec<MadeUnits>>,
    cases: OnceCell<Vec<Id>>,
    /// The same rows with dialogues in the place of cases.
    by_dialogue: OnceCell<Option<Box<ExperimentRows>>>,
    /// Its table of cases and runs, and the sum of the squares of its runs' shares in the mean.
    pub run_table: OnceCell<(Option<RunTable>, f64)>,
}

struct MadeUnits {
    unit: Unit,
    one_each: bool,
    units: Rc<Units>,
}

impl ExperimentRows {
    /// Takes the rows of an experiment.
    pub(crate) fn of(rows: Vec<Row>) -> ExperimentRows {
        ExperimentRows { rows, ..ExperimentRows::default() }
    }

    /// Gives the named cases among rows with a value, in order.
    pub(crate) fn cases(&self) -> &[Id] {
        self.cases.get_or_init(|| cases_of(&self.rows))
    }

    /// Gives the rows with their dialogues as cases, where no row has a case and every one has a dialogue.
    pub(crate) fn dialogues_as_cases(&self) -> Option<&ExperimentRows> {
        let made = self.by_dialogue.get_or_init(|| {
            let valued = || self.rows.iter().filter(|row| row.value.is_some());
            let fits = valued().all(|row| !row.case.is_given() && row.dialogue.is_given());
            fits.then(|| {
                let turned = |row: &Row| Row { case: row.dialogue, dialogue: Id::NONE, ..*row };
                let mut rows: Vec<Row> = self.rows.iter().map(turned).collect();
                rows.sort_by_key(|row| [row.case, row.run, row.dialogue, row.turn]);
                Box::new(ExperimentRows::of(rows))
            })
        });
        made.as_deref()
    }

    /// Gives the units of the rows, as [`units`] does.
    pub(crate) fn units(&self, unit: Unit, one_each: bool, names: &Names) -> Rc<Units> {
        let earlier =
            self.made.borrow().iter().find(|m| (m.unit, m.one_each) == (unit, one_each)).map(|m| m.units.clone());
        earlier.unwrap_or_else(|| {
            let units = Rc::new(units(&self.rows, unit, one_each, names));
            self.made.borrow_mut().push(MadeUnits { unit, one_each, units: units.clone() });
            units
        })
    }
}
