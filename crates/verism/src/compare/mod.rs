//! Comparisons between experiments: which design, which test, which verdict, and why.
//!
//! Score folders go in ([`Input`]); [`compare()`] gives every metric for every pair of experiments, [`correlate()`] asks
//! whether two metrics agree, [`gate`] holds rules against a comparison, [`show`] puts it out. The rooms are the steps, in
//! order: `options`, `read`, `choose`, `design`, `pair`, `show`, `gate`.

pub mod gate;
pub mod show;

mod choose;
mod comparison;
mod correlate;
mod design;
mod error;
mod options;
mod pair;
mod read;

#[cfg(test)]
mod laws;

pub use comparison::{Comparison, Labels, compare, compare_text};
pub use correlate::{CorrelationRow, Correlations, correlate};
pub use design::unit::Unit;
pub use options::config::pairs as options_of_config;
pub use options::{
    ClusterBy, CompareOption, DesignChoice, FactorChoice, Family, Interval, Matching, OPTIONS, Options, RunChoice,
    TestChoice, Weight,
};
pub use pair::flag::Flag;
pub use pair::omnibus::OmnibusRow;
pub use pair::result::{Effects, Pair, PairInterval, PairedEffects, Tests};
pub use pair::summary::{Estimate, LedgerRow, NoiseRow, SummaryRow, UnitEstimate};
pub use read::audits::Caution;
pub use read::bad_row::BadRow;
pub use read::inputs::Input;
pub use read::wide::Wide;
