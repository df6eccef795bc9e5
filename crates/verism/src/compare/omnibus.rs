//! Tests of a metric over all its experiments at once.

use std::rc::Rc;

use serde::Serialize;

use super::design::{paired_unit, unpaired_unit};
use super::names::{Id, Names};
use super::options::Options;
use super::own::Own;
use super::row::Row;
use super::unit::{Unit, Units, one_dialogue_each};
use crate::stats::groups::{Anova, Friedman, Kruskal, anova, friedman, kruskal};

#[derive(Clone, Debug, Serialize)]
pub struct OmnibusRow {
    pub suite: Option<String>,
    pub metric: String,
    pub experiments: Vec<String>,
    pub unit: Unit,
    pub anova: Anova,
    pub kruskal: Kruskal,
    pub friedman: Friedman,
}

/// Gives the tests over several experiments; Friedman's takes the units that all of them hold.
pub(super) fn omnibus(
    suite: Option<String>,
    metric: &str,
    experiments: &[(Id, Own)],
    allowed: &[Unit],
    names: &Names,
    options: &Options,
) -> Option<OmnibusRow> {
    let sets: Vec<&[Row]> = experiments.iter().map(|(_, own)| own.rows.as_slice()).collect();
    let auto = || paired_unit(&sets, allowed, names).or_else(|| unpaired_unit(&sets, allowed, names));
    let unit = options.unit.or_else(auto)?;
    let one_each = unit == Unit::Dialogue && one_dialogue_each(&sets);
    let by_experiment: Vec<Rc<Units>> = experiments.iter().map(|(_, own)| own.units(unit, one_each, names)).collect();
    let groups: Vec<Vec<f64>> = by_experiment.iter().map(|u| u.values.clone()).collect();
    let complete = |key| by_experiment.iter().map(|u| u.get(key, names)).collect::<Option<Vec<f64>>>();
    let blocks: Vec<Vec<f64>> = by_experiment.first()?.keys.iter().filter_map(complete).collect();
    Some(OmnibusRow {
        suite,
        metric: metric.to_string(),
        experiments: experiments.iter().map(|(id, _)| names.text(*id).to_string()).collect(),
        unit,
        anova: anova(&groups),
        kruskal: kruskal(&groups),
        friedman: friedman(groups.len(), &blocks),
    })
}
