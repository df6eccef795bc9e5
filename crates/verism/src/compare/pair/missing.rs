//! Values that are missing on one side more than on the other, and whether they matter.

use super::result::Missing;
use crate::compare::read::names::Names;
use crate::compare::read::row::Row;
use crate::score::ledger::not_asked;

/// Rows of both sides, and those of them that should have a value and have none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coverage {
    baseline: (usize, usize),
    experiment: (usize, usize),
    undefined: (usize, usize),
}

impl Coverage {
    /// Counts the rows of both sides; a measure that does not apply, or was not asked for, is not missing.
    /// `optional_fields` as the registry says of the suite.
    pub(super) fn of(baseline: &[Row], experiment: &[Row], names: &Names, optional_fields: bool) -> Coverage {
        let missing = |rows: &[Row]| {
            let lacks = |row: &&Row| row.value.is_none() && !not_asked(names.text(row.reason), optional_fields);
            rows.iter().filter(lacks).count()
        };
        let undefined = |rows: &[Row]| rows.iter().filter(|row| row.value.is_none()).count();
        Coverage {
            baseline: (missing(baseline), baseline.len()),
            experiment: (missing(experiment), experiment.len()),
            undefined: (undefined(baseline), undefined(experiment)),
        }
    }

    /// Tells whether the shares of rows with a value differ by more than 5 points, in whole numbers: |u₁n₂ - u₂n₁| · 20 > n₁n₂.
    pub(super) fn differs(&self) -> bool {
        let (u1, n1) = (self.undefined.0 as i128, self.baseline.1 as i128);
        let (u2, n2) = (self.undefined.1 as i128, self.experiment.1 as i128);
        20 * (u1 * n2 - u2 * n1).abs() > n1 * n2
    }

    /// Gives the bounds of the difference over all that the values could be which one side lacks beyond the other.
    ///
    /// ```math
    /// e = (u - u')/(1 - u'),  u > u' the shares without a value;   the side with u has a mean in [(1-e)x̄ + ea, (1-e)x̄ + eb]
    /// ```
    ///
    /// What both sides lack alike is taken to be missing alike. Source: the worst case of C. F. Manski, Am. Econ. Rev. 80
    /// (1990), for the excess alone, as D. S. Lee, Rev. Econ. Stud. 76 (2009) takes it.
    pub(super) fn bounds(&self, mean_b: f64, mean_x: f64, (a, b): (f64, f64)) -> Missing {
        let share = |(missing, all): (usize, usize)| missing as f64 / all.max(1) as f64;
        let (ub, ux) = (share(self.baseline), share(self.experiment));
        let excess = |more: f64, less: f64| if more > less { (more - less) / (1.0 - less) } else { 0.0 };
        let (eb, ex) = (excess(ub, ux), excess(ux, ub));
        let filled = |mean: f64, e: f64, with: f64| (1.0 - e) * mean + e * with;
        Missing { lo: filled(mean_x, ex, a) - filled(mean_b, eb, b), hi: filled(mean_x, ex, b) - filled(mean_b, eb, a) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // By hand: 10 rows each, the experiment lacks 2: its mean 0.9 becomes 0.72 to 0.92 against 0.8.
    #[test]
    fn two_of_ten_missing_by_hand() {
        let coverage = Coverage { baseline: (0, 10), experiment: (2, 10), undefined: (0, 2) };
        assert!(coverage.differs());
        let m = coverage.bounds(0.8, 0.9, (0.0, 1.0));
        assert!((m.lo + 0.08).abs() < 1e-12 && (m.hi - 0.12).abs() < 1e-12);
        // What both lack is not a difference.
        let alike = Coverage { baseline: (2, 10), experiment: (2, 10), undefined: (2, 2) };
        let m = alike.bounds(0.8, 0.9, (0.0, 1.0));
        assert!(!alike.differs() && (m.lo - m.hi).abs() < 1e-15);
    }
}
