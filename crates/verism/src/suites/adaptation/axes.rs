//! The axes of an experiment: models, groups, runs, and the order of cells that they make.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::input::paths::natural;
use crate::suites::adaptation::options::Params;
use crate::suites::adaptation::read::discover::CellId;

/// How cells are ordered: by declared lists, by natural order, or by code point.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    declared: [Vec<String>; 3],
    code_points: bool,
}

impl Order {
    /// The order of table 1.
    pub(crate) fn of_cells(params: &Params) -> Order {
        let code_points = params.reading.orders_by_code_point();
        Order { declared: if code_points { Default::default() } else { declared(params) }, code_points }
    }

    fn compare_on(&self, axis: usize, a: &str, b: &str) -> Ordering {
        let list = &self.declared[axis];
        if !list.is_empty() {
            let place = |id: &str| list.iter().position(|x| x == id);
            return place(a).cmp(&place(b));
        }
        if self.code_points { a.cmp(b) } else { natural(a, b) }
    }

    pub(crate) fn compare(&self, a: &CellId, b: &CellId) -> Ordering {
        (0..3).map(|axis| self.compare_on(axis, &a[axis], &b[axis])).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
    }
}

fn declared(params: &Params) -> [Vec<String>; 3] {
    [params.models.clone(), params.groups.clone(), params.runs.clone()]
}

/// Models, groups and runs in order: the declared ones, else all that were found.
pub(crate) fn axes(params: &Params, cells: &[&CellId], folders: &BTreeSet<Vec<String>>) -> [Vec<String>; 3] {
    let order = Order { declared: Default::default(), code_points: params.reading.orders_by_code_point() };
    std::array::from_fn(|axis| {
        let list = &declared(params)[axis];
        if !list.is_empty() {
            return list.clone();
        }
        let mut found: BTreeSet<&str> = cells.iter().map(|cell| cell[axis].as_str()).collect();
        if params.reading.counts_folders() {
            let here = |ids: &&Vec<String>| ids.len() == axis + 1 && params.wants(ids);
            found.extend(folders.iter().filter(here).map(|ids| ids[axis].as_str()));
        }
        let mut names: Vec<String> = found.into_iter().map(String::from).collect();
        names.sort_by(|a, b| order.compare_on(axis, a, b));
        names
    })
}
