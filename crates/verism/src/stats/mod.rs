//! Statistics that know no suite.

pub mod entropy;
pub mod quantile;
pub mod random;
pub mod sum;
pub mod summary;
