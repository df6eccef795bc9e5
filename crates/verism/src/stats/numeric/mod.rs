//! The machinery below the tests: special functions and their inverses, quadrature, roots, tails, numbers of 32 digits.

pub mod binomial;
pub mod gamma;
pub mod noncentral_t;
pub mod normal;
pub mod student;
pub mod tail;
pub mod wide;

pub(super) mod beta;
pub(super) mod quadrature;
pub(super) mod root;
pub(super) mod stirling;
