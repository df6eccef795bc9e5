//! The axes of an experiment: models, groups, runs, and the order of cells that they make.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::discover::CellId;
use super::options::Params;
use crate::input::paths::natural;

/// How cells are ordered: by declared lists, by natural order, or by code point.
#[derive(Clone, Debug)]
pub(super) struct Order {
    declared: [Vec<String>; 3],
    code_points: bool,
}

impl Order {
    /// The order of table 1.
    pub(super) fn of_cells(params: &Params) -> Order {
        // The published program sorts its first table by code point, whatever is declared.
        let declared = if params.v6() { Default::default() } else { declared(params) };
        Order { declared, code_points: params.v6() }
    }

    fn compare_on(&self, axis: usize, a: &str, b: &str) -> Ordering {
        let list = &self.declared[axis];
        if !list.is_empty() {
            let place = |id: &str| list.iter().position(|x| x == id);
            return place(a).cmp(&place(b));
        }
        if self.code_points { a.cmp(b) } else { natural(a, b) }
    }

    pub(super) fn compare(&self, a: &CellId, b: &CellId) -> Ordering {
        (0..3).map(|axis| self.compare_on(axis, &a[axis], &b[axis])).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
    }
}

fn declared(params: &Params) -> [Vec<String>; 3] {
    [params.models.clone(), params.groups.clone(), params.runs.clone()]
}

/// Models, groups and runs in order: the declared ones, else all that were found.
pub(super) fn axes(params: &Params, cells: &[&CellId], folders: &BTreeSet<Vec<String>>) -> [Vec<String>; 3] {
    let order = Order { declared: Default::default(), code_points: params.v6() };
    std::array::from_fn(|axis| {
        let list = &declared(params)[axis];
        if !list.is_empty() {
            return list.clone();
        }
        let mut found: BTreeSet<&str> = cells.iter().map(|cell| cell[axis].as_str()).collect();
        if !params.v6() {
            let here = |ids: &&Vec<String>| ids.len() == axis + 1 && params.wants(ids);
            found.extend(folders.iter().filter(here).map(|ids| ids[axis].as_str()));
        }
        let mut names: Vec<String> = found.into_iter().map(String::from).collect();
        names.sort_by(|a, b| order.compare_on(axis, a, b));
        names
    })
}
