//! Tests of a metric over all its experiments at once.

use std::rc::Rc;

use serde::Serialize;

use crate::compare::design::experiment_rows::ExperimentRows;
use crate::compare::design::pairing::{paired_unit, unpaired_unit};
use crate::compare::design::unit::{Unit, Units, one_dialogue_each};
use crate::compare::options::Options;
use crate::compare::read::names::{Id, Names};
use crate::compare::read::row::Row;
use crate::stats::groups::{Anova, Friedman, Kruskal, anova, friedman, kruskal};

/// One metric over all its experiments.
#[derive(Clone, Debug, Serialize)]
pub struct OmnibusRow {
    /// The suite, if the rows name one.
    pub suite: Option<String>,
    /// The metric.
    pub metric: String,
    /// The experiments with rows of the metric.
    pub experiments: Vec<String>,
    /// What is sampled independently.
    pub unit: Unit,
    /// The analysis of variance.
    pub anova: Anova,
    /// Kruskal and Wallis's rank test.
    pub kruskal: Kruskal,
    /// Friedman's test on the units that all experiments hold.
    pub friedman: Friedman,
}

/// Gives the tests over several experiments; Friedman's takes the units that all of them hold.
pub(crate) fn omnibus(
    suite: Option<String>,
    metric: &str,
    experiments: &[(Id, ExperimentRows)],
    allowed: &[Unit],
    names: &Names,
    options: &Options,
) -> Option<OmnibusRow> {
    let sets: Vec<&ExperimentRows> = experiments.iter().map(|(_, own)| own).collect();
    let auto = || paired_unit(&sets, allowed, names).or_else(|| unpaired_unit(&sets, allowed, names));
    let unit = options.unit.or_else(auto)?;
    let one_each =
        unit == Unit::Dialogue && one_dialogue_each(&sets.iter().map(|own| &own.rows[..]).collect::<Vec<&[Row]>>());
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
