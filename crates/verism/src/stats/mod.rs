//! Statistics: estimates with intervals, tests, effect sizes, corrections, resampling. Knows no suite and no table.
//!
//! Every function takes finite numbers and gives finite numbers, or `None` with a [`reason::Reason`]. Means and variances
//! are formed in about 32 digits ([`numeric::wide`]), p-values come from survival functions ([`numeric::tail`]), random numbers from a
//! counter-based generator ([`random`]), logarithms and exponentials from one portable implementation.

pub mod adjust;
pub mod bootstrap;
pub mod calculator;
pub mod cliff;
pub mod cluster;
pub mod clustered_correlation;
pub mod constant;
pub mod describe;
pub mod differences;
pub mod effect;
pub mod entropy;
pub mod equivalence;
pub mod finite;
pub mod fisher;
pub mod groups;
pub mod hodges_lehmann;
pub mod icc;
pub mod inference;
pub mod kendall;
pub mod mann_whitney;
pub mod margin;
pub mod mass_bound;
pub mod moments;
pub mod newcombe;
pub mod noise;
pub mod numeric;
pub mod pearson;
pub mod permutation;
pub mod power;
pub mod quantile;
pub mod random;
pub mod randomised;
pub mod rank;
pub mod reason;
pub mod run_effects;
pub mod run_table;
pub mod sign_flip;
pub mod skew;
pub mod spearman;
pub mod studentised;
pub mod sum;
pub mod t_test;
pub mod two_samples;
pub mod typical_values;
pub mod verdict;
pub mod wilcoxon;
