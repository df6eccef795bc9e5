//! Statistics: estimates with intervals, tests, effect sizes, corrections, resampling. Knows no suite and no table.
//!
//! Every function takes finite numbers and gives finite numbers, or `None` with a [`reason::Reason`]. Means and variances
//! are formed in about 32 digits ([`wide`]), p-values come from survival functions ([`tail`]), random numbers from a
//! counter-based generator ([`random`]), logarithms and exponentials from one portable implementation.

pub mod adjust;
pub mod binomial;
pub mod bootstrap;
pub mod calculator;
pub mod cliff;
pub mod cluster;
pub mod constant;
pub mod describe;
pub mod differences;
pub mod effect;
pub mod entropy;
pub mod equivalence;
pub mod finite;
pub mod gamma;
pub mod groups;
pub mod icc;
pub mod kendall;
pub mod mann_whitney;
pub mod moments;
pub mod noise;
pub mod noncentral_t;
pub mod normal;
pub mod pearson;
pub mod permutation;
pub mod power;
pub mod quantile;
pub mod random;
pub mod rank;
pub mod reason;
pub mod sign_flip;
pub mod spearman;
pub mod student;
pub mod sum;
pub mod t_test;
pub mod tail;
pub mod verdict;
pub mod wide;
pub mod wilcoxon;

mod beta;
mod quadrature;
mod root;
mod stirling;
