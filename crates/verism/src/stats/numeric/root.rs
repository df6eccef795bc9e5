//! Where a monotone function crosses zero.

/// Gives the zero of a decreasing function near a starting point.
///
/// The secant method, kept inside the bracket that the signs seen so far allow; where it leaves the bracket or none is known
/// yet, the bracket is halved or widened. `step` is the size of the first step and the scale below which a zero counts as
/// found. A function without a zero gives the end that was reached.
/// Source: R. P. Brent, Algorithms for Minimization without Derivatives (1973), chapter 4, for the safeguard.
pub(in crate::stats) fn decreasing_root(start: f64, step: f64, f: impl Fn(f64) -> f64) -> f64 {
    let mut bracket = (f64::NEG_INFINITY, f64::INFINITY);
    let (mut last, mut at_last) = (start, f(start));
    if at_last == 0.0 || at_last.is_nan() {
        return start;
    }
    let mut reach = step.abs();
    let mut next = start + reach.copysign(at_last);
    for _ in 0..300 {
        if at_last > 0.0 {
            bracket.0 = bracket.0.max(last);
        } else {
            bracket.1 = bracket.1.min(last);
        }
        let (low, high) = bracket;
        if !(next > low && next < high) {
            next = match (low.is_finite(), high.is_finite()) {
                (true, true) => low + 0.5 * (high - low),
                (true, false) => low + reach,
                _ => high - reach,
            };
        }
        if !next.is_finite() || next <= low || next >= high {
            return last;
        }
        let value = f(next);
        let moved = next - last;
        if value == 0.0 || value.is_nan() {
            return next;
        }
        // A secant step this small has met the zero to the square of itself.
        let found = moved.abs() <= 1e-11 * next.abs().max(step.abs());
        let slope = (value - at_last) / moved;
        (last, at_last) = (next, value);
        if found {
            let corrected = last - at_last / slope;
            return if corrected > low && corrected < high { corrected } else { last };
        }
        reach *= 2.0;
        next = last - at_last / slope;
        if !(low.is_finite() && high.is_finite()) {
            next = next.clamp(last - 2.0 * reach, last + 2.0 * reach);
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    // 2 - x³ = 0 at the cube root of 2.
    #[test]
    fn finds_the_cube_root_of_two_from_either_side() {
        for start in [-100.0, 0.0, 1.0, 50.0] {
            assert!((decreasing_root(start, 1.0, |x| 2.0 - x * x * x) - libm::cbrt(2.0)).abs() < 1e-14, "{start}");
        }
    }

    // Flat on one side, steep on the other: the secant alone would crawl.
    #[test]
    fn a_kink_is_crossed() {
        let root = decreasing_root(3.0, 0.5, |x| if x < 40.0 { 1e-9 * (40.0 - x) } else { 1e6 * (40.0 - x) });
        assert!((root - 40.0).abs() < 1e-9);
    }

    #[test]
    fn a_function_without_zero_ends() {
        assert!(decreasing_root(0.0, 1.0, |_| 1.0) > 1e30);
        assert!(decreasing_root(0.0, 1.0, |_| f64::NAN).is_finite());
    }
}
