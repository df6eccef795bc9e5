//! Fisher's exact test of two shares.

use serde::Serialize;

use super::inference::{Ends, Inference};
use super::numeric::binomial::hypergeometric_as_rare;
use super::numeric::tail::PValue;
use super::reason::Reason;

/// Fisher's exact test.
#[derive(Clone, Debug, Serialize)]
pub struct Fisher {
    /// How many of x are 1.
    pub k_x: u64,
    /// How many values of x.
    pub n_x: u64,
    /// How many of y are 1.
    pub k_y: u64,
    /// How many values of y.
    pub n_y: u64,
    /// The two-sided p-value; none below 1e-300.
    pub p: Option<f64>,
    /// Its decimal logarithm, also below 1e-300.
    pub log10_p: Option<f64>,
    /// Why something is missing here, or was computed in another way.
    pub reason: Option<Reason>,
}

impl Fisher {
    /// Gives what the test says, with the interval that belongs to it.
    pub fn inference(&self, ends: Ends) -> Inference {
        Inference { name: "fisher", statistic: Some(self.k_x as f64), p: self.p, log10_p: self.log10_p, ends }
    }
}

/// Gives Fisher's exact test of k_x of n_x against k_y of n_y.
///
/// ```math
/// p = Σ P(j) over all j with P(j) <= P(k_x) (1 + 1e-7),   P(j) = C(n_x, j) C(n_y, K-j) / C(n_x+n_y, K),  K = k_x + k_y
/// ```
///
/// A side without values: `no_values`. Source: R. A. Fisher, Statistical Methods for Research Workers (1934), section 21.02;
/// the two-sided rule is that of R's `fisher.test` and of SciPy.
pub fn fisher(k_x: u64, n_x: u64, k_y: u64, n_y: u64) -> Fisher {
    let mut out = Fisher { k_x, n_x, k_y, n_y, p: None, log10_p: None, reason: None };
    if n_x == 0 || n_y == 0 {
        out.reason = Some(Reason::NoValues);
        return out;
    }
    let p = PValue::from(hypergeometric_as_rare(n_x, n_y, k_x + k_y, k_x));
    (out.p, out.log10_p, out.reason) = (p.p, Some(p.log10_p), p.reason());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    // SciPy 1.17.1, stats.fisher_exact([[k_x, n_x - k_x], [k_y, n_y - k_y]]).pvalue
    #[test]
    fn values_of_scipy() {
        for (k_x, n_x, k_y, n_y, p) in FROM_SCIPY {
            let found = fisher(*k_x, *n_x, *k_y, *n_y).p.unwrap();
            assert!((found / p - 1.0).abs() < 1e-10, "{k_x}/{n_x} v {k_y}/{n_y}: {found}, SciPy {p}");
        }
    }

    const FROM_SCIPY: &[(u64, u64, u64, u64, f64)] = &[
        (0, 10, 6, 100, 1.0),
        (7, 20, 15, 20, 0.02484172037782329),
        (1, 50, 9, 50, 0.01566048989604553),
        (170, 200, 185, 200, 0.02585728106957838),
        (30, 400, 95, 900, 0.10246696804313074),
        (5, 5, 0, 5, 0.007936507936507938),
        (400, 1000, 520, 1000, 9.028553815493085e-08),
    ];

    // By hand: 3 of 3 against 0 of 3: 2 of C(6, 3) = 20 tables are as rare.
    #[test]
    fn three_against_none_is_two_of_twenty() {
        assert!((fisher(3, 3, 0, 3).p.unwrap() - 0.1).abs() < 1e-15);
        assert_eq!(fisher(0, 10, 0, 5).p, Some(1.0));
        assert_eq!(fisher(0, 0, 1, 5).reason, Some(Reason::NoValues));
    }

    #[test]
    fn the_sides_may_be_exchanged() {
        assert_eq!(fisher(4, 11, 60, 200).p, fisher(60, 200, 4, 11).p);
    }
}
