//! Why a statistic has no value.

use serde::{Serialize, Serializer};

/// The reason beside an undefined (or, for `bca_fallback`, a replaced) result; `text` gives the word that outputs use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A side without a value.
    NoValues,
    /// No pair with both values.
    NoPairs,
    /// Fewer than two values.
    FewerThanTwo,
    /// Fewer than three values.
    FewerThanThree,
    /// The values do not vary, but differ from what they are compared with.
    ZeroVariance,
    /// The values do not vary and are equal to what they are compared with.
    Identical,
    /// All differences are zero.
    AllZero,
    /// All values are tied.
    AllTies,
    /// One cluster only.
    OneCluster,
    /// One run per case.
    NoReplicates,
    /// Fewer than two groups.
    TooFewGroups,
    /// No more values than groups.
    TooFewValues,
    /// The points lie on a line.
    PerfectCorrelation,
    /// A side does not vary.
    ConstantInput,
    /// Cases recur in the pool, so its points are not independent.
    RepeatedCases,
    /// Points stand together in clusters, for which this test does not allow.
    Clustered,
    /// Runs agree exactly.
    ZeroWithinVariance,
    /// The p-value is defined, but below the smallest that is printed; its logarithm is given.
    TinyP,
    /// BCa is not defined; the percentile interval stands in.
    BcaFallback,
    /// Fewer than 90 % of the resamples could be used.
    BootstrapUnstable,
    /// No smallest effect of interest.
    NoSesoi,
    /// No effect, so no number of units finds it.
    ZeroEffect,
    /// More than ten million units.
    TooManyNeeded,
    /// Values other than 0 and 1.
    NotBinary,
    /// No pair that differs.
    NoDiscordant,
}

impl Reason {
    /// Gives the reason's text as it stands in outputs.
    pub fn text(self) -> &'static str {
        match self {
            Reason::NoValues => "no_values",
            Reason::NoPairs => "no_pairs",
            Reason::FewerThanTwo => "n_lt_2",
            Reason::FewerThanThree => "n_lt_3",
            Reason::ZeroVariance => "zero_variance",
            Reason::Identical => "identical",
            Reason::AllZero => "all_zero",
            Reason::AllTies => "all_ties",
            Reason::OneCluster => "one_cluster",
            Reason::NoReplicates => "no_replicates",
            Reason::TooFewGroups => "too_few_groups",
            Reason::TooFewValues => "too_few_values",
            Reason::PerfectCorrelation => "perfect_correlation",
            Reason::ConstantInput => "constant_input",
            Reason::RepeatedCases => "repeated_cases",
            Reason::Clustered => "clustered",
            Reason::ZeroWithinVariance => "zero_within_variance",
            Reason::TinyP => "p_below_1e-300",
            Reason::BcaFallback => "bca_fallback",
            Reason::BootstrapUnstable => "bootstrap_unstable",
            Reason::NoSesoi => "no_sesoi",
            Reason::ZeroEffect => "zero_effect",
            Reason::TooManyNeeded => "n_above_1e7",
            Reason::NotBinary => "not_binary",
            Reason::NoDiscordant => "no_discordant",
        }
    }
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}
