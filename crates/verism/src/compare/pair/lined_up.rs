//! Two experiments beside each other: the rows of each that count, and the units made of them.

use std::rc::Rc;

use super::flag::Flag;
use super::missing::Coverage;
use super::one_pair::{Context, Side};
use super::samples::Samples;
use crate::compare::design::matched::{Matched, matched_rows, parts_differ, rows_of_same_parts};
use crate::compare::design::pairing::Design;
use crate::compare::design::unit::{Unit, Units, cases_of, units};
use crate::compare::options::{DesignChoice, Matching};
use crate::compare::read::row::Row;

/// Two experiments, the design that their rows allow, and their units; in arrays the baseline comes first.
pub(super) struct LinedUp<'a> {
    /// How the experiments are compared.
    pub design: Design,
    /// The experiment that the other is compared with.
    pub baseline: Side<'a>,
    /// The experiment.
    pub experiment: Side<'a>,
    /// The units of both.
    pub units: [Rc<Units>; 2],
    /// The rows with a partner, where a row counts only beside one.
    matched: Option<Matched>,
    /// The values of a row are made of parts, and the parts are not the same everywhere.
    parts_differ: bool,
}

impl<'a> LinedUp<'a> {
    /// Chooses the design, then the rows that count, then makes the units; `None` where no design fits.
    pub(super) fn of(context: &Context, baseline: Side<'a>, experiment: Side<'a>) -> Option<LinedUp<'a>> {
        let (baseline, experiment, design) = laid_out(context, baseline, experiment)?;
        let (suite, metric) = (context.names.text(context.key.suite), context.names.text(context.key.metric));
        let by_row = match context.options.matching {
            Matching::Auto => context.registry.rows_match(suite),
            Matching::Unit => false,
            Matching::Row => true,
        };
        let (all_b, all_x) = (&baseline.own.rows[..], &experiment.own.rows[..]);
        let by_parts = context.registry.made_of_parts(suite, metric) && parts_differ(all_b, all_x);
        let matched = match (design.paired && by_row, by_parts) {
            (true, _) => Some(matched_rows(all_b, all_x, design.unit, by_parts)),
            (false, true) => Some(rows_of_same_parts(all_b, all_x)),
            (false, false) => None,
        };
        let made = |side: Side, matched: Option<&Vec<Row>>| match matched {
            Some(rows) => Rc::new(units(rows, design.unit, design.one_each, context.names)),
            None => side.own.units(design.unit, design.one_each, context.names),
        };
        let units = [
            made(baseline, matched.as_ref().map(|m| &m.baseline)),
            made(experiment, matched.as_ref().map(|m| &m.experiment)),
        ];
        Some(LinedUp { design, baseline, experiment, units, matched, parts_differ: by_parts })
    }

    /// The rows of both that count.
    fn rows(&self) -> [&[Row]; 2] {
        match &self.matched {
            Some(matched) => [&matched.baseline, &matched.experiment],
            None => [&self.baseline.own.rows, &self.experiment.own.rows],
        }
    }

    /// How many rows of baseline and experiment have no partner, where a row counts only beside one.
    pub(super) fn lost_rows(&self) -> Option<(usize, usize)> {
        self.matched.as_ref().map(|m| (m.lost_baseline, m.lost_experiment))
    }

    /// Rows with and without a value, before partners are looked for.
    pub(super) fn coverage(&self, context: &Context) -> Coverage {
        let optional_fields = context.registry.optional_fields(context.names.text(context.key.suite));
        Coverage::of(&self.baseline.own.rows, &self.experiment.own.rows, context.names, optional_fields)
    }

    /// The samples that the tests take.
    pub(super) fn samples(&self, context: &Context) -> Samples {
        let experiment_first = self.experiment.experiment < self.baseline.experiment;
        let [ub, ux] = &self.units;
        Samples::of(&self.design, self.rows(), [ub, ux], experiment_first, context)
    }

    /// What a reader should know of rows and units, by short names.
    pub(super) fn flags(&self, n_pairs: Option<usize>) -> Vec<Flag> {
        let [n_baseline, n_experiment] = [self.units[0].len(), self.units[1].len()];
        let compared = n_pairs.unwrap_or(n_baseline.min(n_experiment));
        let flags = [
            (self.design.few_shared, Flag::FewSharedUnits),
            (self.design.no_shared, Flag::NoSharedUnits),
            (self.lost_rows().is_some_and(|lost| lost != (0, 0)), Flag::UnmatchedRows),
            (self.parts_differ, Flag::PartsDiffer),
            (n_pairs.is_some_and(|n| n < n_baseline.max(n_experiment)), Flag::UnmatchedUnits),
            ((1..6).contains(&compared), Flag::FewUnits),
            (self.rows().iter().any(|rows| cases_of(rows).len() == 1), Flag::SingleCase),
        ];
        flags.into_iter().filter_map(|(holds, flag)| holds.then_some(flag)).collect()
    }
}

/// Lays the experiments against each other; where no row has a case, dialogues that both share stand for cases.
fn laid_out<'a>(context: &Context, baseline: Side<'a>, experiment: Side<'a>) -> Option<(Side<'a>, Side<'a>, Design)> {
    let options = context.options;
    let design = |b: &Side, x: &Side, allowed: &[Unit]| Design::of(b.own, x.own, allowed, context.names, options);
    let asked = options.unit.is_some() || options.design == DesignChoice::Unpaired;
    if !asked
        && context.allowed.contains(&Unit::Dialogue)
        && let (Some(b), Some(x)) = (baseline.own.dialogues_as_cases(), experiment.own.dialogues_as_cases())
    {
        let (b, x) = (Side { own: b, ..baseline }, Side { own: x, ..experiment });
        let found = design(&b, &x, context.allowed).filter(|found| found.paired && found.unit == Unit::Case);
        if let Some(found) = found {
            return Some((b, x, Design { dialogues: true, ..found }));
        }
    }
    let found = design(&baseline, &experiment, context.allowed)?;
    Some((baseline, experiment, found))
}
