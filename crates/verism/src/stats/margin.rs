//! Comparing with a margin: what differs by float noise is a tie.

/// Relative size of what counts as noise: the precision to which means and differences are right.
const NOISE: f64 = 1e-12;

/// A number is held against a margin on the scale of the values it was made from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margin {
    /// The margin.
    pub at: f64,
    /// The largest of the values that the number was made from.
    pub scale: f64,
}

impl Margin {
    /// Gives a margin beside values of the given size.
    pub fn of(at: f64, scale: f64) -> Margin {
        Margin { at, scale: scale.abs() }
    }

    fn tolerance(&self, x: f64) -> f64 {
        NOISE * self.scale.max(self.at.abs()).max(x.abs())
    }

    /// Tells whether a number is above the margin, and not merely by noise.
    pub fn is_below(&self, x: f64) -> bool {
        x - self.at > self.tolerance(x)
    }

    /// Tells whether a number is below the margin, and not merely by noise.
    pub fn is_above(&self, x: f64) -> bool {
        self.at - x > self.tolerance(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // 0.8 - 0.7 = 0.10000000000000009 and 0.4 - 0.3 = 0.10000000000000003 in binary64: both tie with 0.1.
    #[test]
    fn noise_does_not_decide() {
        for x in [0.8 - 0.7, 0.4 - 0.3, 0.1] {
            let margin = Margin::of(0.1, 0.8);
            assert!(!margin.is_below(x) && !margin.is_above(x));
        }
        assert!(Margin::of(0.1, 0.8).is_below(0.100001) && Margin::of(0.1, 0.8).is_above(0.099999));
    }
}
