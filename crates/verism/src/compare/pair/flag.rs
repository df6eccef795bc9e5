//! What a reader should know beside a verdict, and what to do about it.

use serde::{Serialize, Serializer};

use crate::stats::reason::Reason;

/// A flag of a difference or of a correlation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    /// Too few units are shared to pair them.
    FewSharedUnits,
    /// No dialogue is shared.
    NoSharedUnits,
    /// Rows without a partner.
    UnmatchedRows,
    /// Values made of other parts.
    PartsDiffer,
    /// Units that only one side has.
    UnmatchedUnits,
    /// Fewer than 6 units.
    FewUnits,
    /// Skewed values of few units.
    SkewedFewUnits,
    /// One case only.
    SingleCase,
    /// One side has many more undefined rows.
    CoverageDiffers,
    /// The values that one side lacks could turn the difference round.
    MissingCouldOverturn,
    /// Whole runs shift together.
    RunShifts,
    /// Few or very unequal clusters.
    FewClusters,
    /// Nothing varies.
    ZeroVariance,
    /// All values are the same.
    Identical,
    /// p alone would have been small enough.
    LostToMultiplicity,
    /// Fewer than 2 units.
    FewerThanTwo,
    /// A side without a value.
    NoValues,
    /// No pair with values on both sides.
    NoPairs,
    /// One cluster only.
    OneCluster,
    /// Points stand together.
    Clustered,
    /// The pool says something else than its parts.
    PoolContradictsParts,
}

impl Flag {
    /// All flags.
    pub const ALL: [Flag; 21] = [
        Flag::FewSharedUnits,
        Flag::NoSharedUnits,
        Flag::UnmatchedRows,
        Flag::PartsDiffer,
        Flag::UnmatchedUnits,
        Flag::FewUnits,
        Flag::SkewedFewUnits,
        Flag::SingleCase,
        Flag::CoverageDiffers,
        Flag::MissingCouldOverturn,
        Flag::RunShifts,
        Flag::FewClusters,
        Flag::ZeroVariance,
        Flag::Identical,
        Flag::LostToMultiplicity,
        Flag::FewerThanTwo,
        Flag::NoValues,
        Flag::NoPairs,
        Flag::OneCluster,
        Flag::Clustered,
        Flag::PoolContradictsParts,
    ];

    /// Gives the flag of a reason why a difference has no ordinary test.
    pub fn of(reason: Reason) -> Option<Flag> {
        match reason {
            Reason::ZeroVariance => Some(Flag::ZeroVariance),
            Reason::Identical => Some(Flag::Identical),
            Reason::FewerThanTwo => Some(Flag::FewerThanTwo),
            Reason::NoValues => Some(Flag::NoValues),
            Reason::NoPairs => Some(Flag::NoPairs),
            Reason::OneCluster => Some(Flag::OneCluster),
            _ => None,
        }
    }

    /// Gives the flag's word in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Flag::FewSharedUnits => "few_shared_units",
            Flag::NoSharedUnits => "no_shared_units",
            Flag::UnmatchedRows => "unmatched_rows",
            Flag::PartsDiffer => "parts_differ",
            Flag::UnmatchedUnits => "unmatched_units",
            Flag::FewUnits => "few_units",
            Flag::SkewedFewUnits => "skewed_few_units",
            Flag::SingleCase => "single_case",
            Flag::CoverageDiffers => "coverage_differs",
            Flag::MissingCouldOverturn => "missing_could_overturn",
            Flag::RunShifts => "run_shifts",
            Flag::FewClusters => "few_clusters",
            Flag::ZeroVariance => "zero_variance",
            Flag::Identical => "identical",
            Flag::LostToMultiplicity => "lost_to_multiplicity",
            Flag::FewerThanTwo => "n_lt_2",
            Flag::NoValues => "no_values",
            Flag::NoPairs => "no_pairs",
            Flag::OneCluster => "one_cluster",
            Flag::Clustered => "clustered",
            Flag::PoolContradictsParts => "pool_contradicts_parts",
        }
    }

    /// Gives what it means, and after the semicolon what to do.
    pub fn advice(self) -> &'static str {
        match self {
            Flag::FewSharedUnits => "too few units are shared to pair them; run both experiments on the same cases",
            Flag::NoSharedUnits => "no dialogue is shared; leave unit=dialogue out, or give dialogues the same ids",
            Flag::UnmatchedRows => "rows without a partner were left out; see the ledger for what is missing",
            Flag::PartsDiffer => "values made of other parts were left out; score both with the same optional inputs",
            Flag::UnmatchedUnits => {
                "units that only one side has were left out; run both experiments on the same cases"
            }
            Flag::FewUnits => "fewer than 6 units; add cases before reading much into it",
            Flag::SkewedFewUnits => {
                "skewed values and fewer than 10 units, which can hide the long tail; take a verdict as a hint and add units"
            }
            Flag::SingleCase => "one case only: nothing is said about others; add cases",
            Flag::CoverageDiffers => {
                "one side has many more undefined rows; see the ledger for the reasons, and mend them first"
            }
            Flag::MissingCouldOverturn => {
                "the values that one side lacks could turn the difference round; score them before any verdict"
            }
            Flag::RunShifts => "whole runs shift together; add runs rather than cases",
            Flag::FewClusters => "few or very unequal clusters, so wide intervals; add clusters rather than cases",
            Flag::ZeroVariance => {
                "nothing varies, so an exact test; range.METRIC=a..b gives an interval where the suite names no range"
            }
            Flag::Identical => {
                "all values are the same; range.METRIC=a..b bounds the difference where the suite names no range"
            }
            Flag::LostToMultiplicity => {
                "p alone would have been small enough, p_adj is not; ask fewer questions or add units"
            }
            Flag::FewerThanTwo => "fewer than 2 units, so no test; add units",
            Flag::NoValues => "a side without a value; see the ledger for the reasons",
            Flag::NoPairs => "no pair with values on both sides; see the ledger for the reasons",
            Flag::OneCluster => {
                "one cluster only, so no test; add clusters, or say cluster=none to speak about this one"
            }
            Flag::Clustered => {
                "points stand together in clusters, which p and interval allow for; add clusters rather than points"
            }
            Flag::PoolContradictsParts => {
                "the pool says something else than the experiments in it; report the correlation within experiments"
            }
        }
    }
}

impl Serialize for Flag {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = include_str!("../../../../../docs/statistics.md");

    // A flag says what it means and, after a semicolon, what to do; the page on statistics says the same.
    #[test]
    fn every_flag_says_what_to_do() {
        for (at, flag) in Flag::ALL.into_iter().enumerate() {
            assert_eq!(flag as usize, at, "{flag:?} is not in its place");
            let (meaning, to_do) =
                flag.advice().rsplit_once("; ").unwrap_or_else(|| panic!("{flag:?} says nothing to do"));
            assert!(meaning.len() > 10 && to_do.len() > 8, "{flag:?}");
            let row = format!("| `{}` | {} | {} |", flag.name(), meaning, to_do);
            assert!(PAGE.contains(&row), "docs/statistics.md lacks: {row}");
        }
        let mut names: Vec<&str> = Flag::ALL.map(Flag::name).to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Flag::ALL.len());
    }
}
