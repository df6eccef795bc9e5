//! What the published program does differently, one question each. Nobody else asks which reading is in force.

use super::{entropy, fields};
use crate::error::Defect;
use crate::input::Kind;
use crate::score::Measure;
use crate::score::table::Dialect;
use crate::stats::entropy::entropy_bits;
use crate::suites::adaptation::judge::tally::FirstSeen;
use crate::suites::adaptation::pack::{Pack, Scheme};
use crate::suites::adaptation::read::discover::Log;
use crate::suites::adaptation::row::States;
use crate::suites::setting::choice;

choice!(
    /// Whose rules are followed: the specification's, or the published program's bit for bit.
    Reading { Spec = "spec", V6Script = "v6-script" }
);

/// Groups and runs that the published program knows.
const GROUPS: [&str; 3] = ["Group_A", "Group_B", "Group_C"];
const RUNS: [&str; 3] = ["Run_1", "Run_2", "Run_3"];

impl Reading {
    fn is_published(self) -> bool {
        self == Reading::V6Script
    }

    /// Groups and runs that are scored if none are named; empty: all that are found.
    pub(crate) fn default_axes(self) -> [Vec<String>; 2] {
        let list = |names: [&str; 3]| names.map(String::from).to_vec();
        if self.is_published() { [list(GROUPS), list(RUNS)] } else { [vec![], vec![]] }
    }

    /// Whether a defect may be passed over. The published program stops at the first.
    pub(crate) fn may_be_lenient(self) -> bool {
        !self.is_published()
    }

    /// Whether a job without a readable cell is refused. The published program writes empty tables.
    pub(crate) fn needs_a_cell(self) -> bool {
        !self.is_published()
    }

    /// Whether a log is read as Python's `csv.DictReader` reads it.
    pub(crate) fn reads_as_python(self) -> bool {
        self.is_published()
    }

    /// Refuses logs that this reading cannot read. The published program knows trees of CSV files only.
    pub(crate) fn check(self, logs: &[Log]) -> Result<(), Defect> {
        let foreign = |log: &&Log| log.cell.is_none() || log.kind != Some(Kind::Csv);
        match logs.iter().find(foreign).filter(|_| self.is_published()) {
            None => Ok(()),
            Some(log) => {
                let expected = "reading v6-script: a tree of simulation_log.csv files";
                Err(Defect::new("unsupported", expected).file(&log.shown))
            }
        }
    }

    /// Whether names are ordered by code point, whatever lists are declared; else as declared, or in natural order.
    pub(crate) fn orders_by_code_point(self) -> bool {
        self.is_published()
    }

    /// Whether a folder without a log counts as a model, group or run that should be there.
    pub(crate) fn counts_folders(self) -> bool {
        !self.is_published()
    }

    /// Whether a log that cannot be read counts as present in the table of completion.
    pub(crate) fn counts_broken_logs(self) -> bool {
        !self.is_published()
    }

    /// Runs that should be there: those in force; the published program lists its three and whatever was loaded.
    pub(crate) fn expected_runs<'r>(self, in_force: &[String], loaded: impl Iterator<Item = &'r str>) -> Vec<String> {
        if !self.is_published() {
            return in_force.to_vec();
        }
        let mut runs: Vec<String> = loaded.chain(RUNS).map(String::from).collect();
        runs.sort();
        runs.dedup();
        runs
    }

    /// Runs in the order of the comparison and the summary of groups.
    pub(crate) fn ordered_runs(self, mut runs: Vec<String>) -> Vec<String> {
        if self.is_published() {
            runs.sort();
        }
        runs
    }

    /// How the four published tables are written.
    pub(crate) fn dialect(self) -> Dialect {
        if self.is_published() { Dialect::Python } else { Dialect::Plain }
    }

    /// Whether a second row of an agent and year is a defect. The published program takes both.
    pub(crate) fn refuses_duplicates(self) -> bool {
        !self.is_published()
    }

    /// States before an agent's first row: unknown; the published program takes most for false.
    pub(crate) fn first_states(self, pack: &Pack) -> States {
        if self.is_published() { fields::before_first(pack) } else { States::default() }
    }

    /// Whether a state is remembered from all earlier years. The published program looks at the row before alone.
    pub(crate) fn remembers_states(self) -> bool {
        !self.is_published()
    }

    /// Whether a number is undefined if no row fills a field that it needs.
    pub(crate) fn needs_filled_fields(self) -> bool {
        !self.is_published()
    }

    /// A measure as it is given: the published program gives 0 where there is none.
    pub(crate) fn or_zero(self, measure: Measure) -> Measure {
        if self.is_published() { Ok(measure.unwrap_or(0.0)) } else { measure }
    }

    /// Whether cells have columns with proposals.
    pub(crate) fn reads_proposals(self) -> bool {
        !self.is_published()
    }

    /// Whether the first appearance of each label is kept: the published program adds entropies in that order.
    pub(crate) fn keeps_first_appearances(self) -> bool {
        self.is_published()
    }

    /// The entropy of counted classes in bits; none without a row.
    pub(crate) fn bits(
        self,
        pack: &Pack,
        scheme: &Scheme,
        classes: &[u64],
        first: &[Option<FirstSeen>],
    ) -> Option<f64> {
        if self.is_published() { entropy::bits(pack, scheme, classes, first) } else { entropy_bits(classes) }
    }

    /// An entropy over the largest that is possible. The published program does not cut off what rounding adds to 1.
    pub(crate) fn normalised(self, bits: f64, most: f64) -> f64 {
        if self.is_published() { bits / most } else { (bits / most).min(1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::measure::EMPTY_DENOMINATOR;

    #[test]
    fn the_published_program_knows_three_runs_and_no_undefined_number() {
        let in_force = ["Run_10".to_string(), "Run_2".to_string()];
        assert_eq!(Reading::Spec.expected_runs(&in_force, ["Run_2"].into_iter()), in_force);
        assert_eq!(
            Reading::V6Script.expected_runs(&in_force, ["Run_2", "Run_10"].into_iter()),
            ["Run_1", "Run_10", "Run_2", "Run_3"]
        );
        assert_eq!(Reading::V6Script.or_zero(Err(EMPTY_DENOMINATOR)), Ok(0.0));
        assert_eq!(Reading::Spec.or_zero(Err(EMPTY_DENOMINATOR)), Err(EMPTY_DENOMINATOR));
    }
}
