//! Which experiments are compared, and with which.

use super::metrics::distinct;
use crate::compare::error::unknown;
use crate::compare::options::Options;
use crate::compare::read::names::{Id, Names};
use crate::compare::read::row::Row;
use crate::error::Result;

/// Gives the experiments to compare, in order: those asked for, else all in byte order.
pub(crate) fn choose_experiments(rows: &[Row], names: &Names, options: &Options) -> Result<Vec<Id>> {
    let known = distinct(rows, |row| row.experiment);
    let find = |option: &str, name: &str| {
        names.find(name).filter(|id| known.contains(id)).ok_or_else(|| {
            let listed: Vec<&str> = known.iter().map(|id| names.text(*id)).collect();
            unknown(option, "experiment", name, &listed)
        })
    };
    let chosen = match &options.experiments {
        Some(asked) => asked.iter().map(|name| find("experiments", name)).collect::<Result<Vec<Id>>>()?,
        None => known.clone(),
    };
    if let Some(baseline) = &options.baseline {
        find("baseline", baseline)?;
    }
    Ok(chosen)
}

/// Gives the pairs (baseline, experiment) in order: each against the baseline, or all.
pub(crate) fn choose_pairs(experiments: &[Id], names: &Names, options: &Options) -> Result<Vec<(Id, Id)>> {
    let Some(baseline) = &options.baseline else {
        let later = |i: usize| experiments[i + 1..].iter().map(move |e| (experiments[i], *e));
        return Ok((0..experiments.len()).flat_map(later).collect());
    };
    let base = experiments.iter().copied().find(|e| names.text(*e) == baseline).ok_or_else(|| {
        let listed: Vec<&str> = experiments.iter().map(|id| names.text(*id)).collect();
        unknown("baseline", "chosen experiment", baseline, &listed)
    })?;
    Ok(experiments.iter().filter(|e| **e != base).map(|e| (base, *e)).collect())
}
