//! Pearson's correlation.

use serde::Serialize;

use super::constant::{TIE, is_constant};
use super::moments::{mean, unit_of};
use super::numeric::normal::two_sided_z;
use super::numeric::student::t_two_sided;
use super::numeric::tail::PValue;
use super::numeric::wide::Wide;
use super::reason::Reason;

/// Sums of squares and products about the means.
#[derive(Clone, Copy, Debug)]
pub struct Products {
    /// Σ(x-x̄)².
    pub xx: Wide,
    /// Σ(y-ȳ)².
    pub yy: Wide,
    /// Σ(x-x̄)(y-ȳ).
    pub xy: Wide,
}

impl Products {
    /// Gives the products of two equally long samples, each in its own unit.
    pub fn of(x: &[f64], y: &[f64]) -> Products {
        let (ux, uy) = (unit_of([x]), unit_of([y]));
        let (mx, my) = (mean(x, ux), mean(y, uy));
        let mut sums = Products { xx: Wide::ZERO, yy: Wide::ZERO, xy: Wide::ZERO };
        for (a, b) in x.iter().zip(y) {
            let (u, v) = (Wide::from(a / ux) - mx, Wide::from(b / uy) - my);
            sums.xx = sums.xx + u.square();
            sums.yy = sums.yy + v.square();
            sums.xy = sums.xy + u * v;
        }
        sums
    }

    /// Gives the correlation.
    pub fn r(&self) -> Wide {
        self.xy / (self.xx * self.yy).sqrt()
    }

    /// Gives 1 - r² as (xx yy - xy²)/(xx yy), which keeps its digits near |r| = 1.
    pub fn unexplained(&self) -> Wide {
        let whole = self.xx * self.yy;
        (whole - self.xy.square()) / whole
    }
}

/// A correlation with its t test; r is ±1 and untested where the points lie on a line.
pub struct CorrelationT {
    /// The correlation.
    pub r: f64,
    /// The t statistic, undefined for |r| = 1.
    pub t: Option<f64>,
    /// Its p-value.
    pub p: Option<PValue>,
}

/// Gives r and its test.
///
/// ```math
/// t = r √((n-2)/(1-r²)),  df = n - 2;   1 - r² <= 2^-48: r = ±1 without a test
/// ```
pub fn correlation_t(products: &Products, n: usize) -> CorrelationT {
    let unexplained = products.unexplained();
    if unexplained.round() <= TIE {
        return CorrelationT { r: if products.xy.round() > 0.0 { 1.0 } else { -1.0 }, t: None, p: None };
    }
    let r = products.r();
    let t = (r * (Wide::from(n - 2) / unexplained).sqrt()).round();
    CorrelationT { r: r.round(), t: Some(t), p: Some(PValue::from(t_two_sided(t, (n - 2) as f64))) }
}

/// Pearson's correlation.
#[derive(Clone, Debug, Serialize)]
pub struct Pearson {
    /// How many pairs of values.
    pub n: usize,
    /// The correlation.
    pub r: Option<f64>,
    /// The t statistic.
    pub t: Option<f64>,
    /// Degrees of freedom.
    pub df: Option<usize>,
    /// The two-sided p-value; none below 1e-300.
    pub p: Option<f64>,
    /// Its decimal logarithm, also below 1e-300.
    pub log10_p: Option<f64>,
    /// Lower end of the interval.
    pub ci_lo: Option<f64>,
    /// Upper end of the interval.
    pub ci_hi: Option<f64>,
    /// Why something is missing here, or was computed in another way.
    pub reason: Option<Reason>,
}

/// Gives Pearson's correlation of paired values with Fisher's interval.
///
/// ```math
/// r = S_xy/√(S_xx S_yy),   interval tanh(atanh r ± z/√(n-3)) for n >= 4
/// ```
///
/// n < 3: `n_lt_3`; a constant side: `constant_input`; points on a line: `perfect_correlation`, no test.
/// Source: R. A. Fisher, Metron 1 (1921).
pub fn pearson(x: &[f64], y: &[f64], alpha: f64) -> Pearson {
    let n = x.len();
    let undefined = |reason| Pearson {
        n,
        r: None,
        t: None,
        df: None,
        p: None,
        log10_p: None,
        ci_lo: None,
        ci_hi: None,
        reason: Some(reason),
    };
    if n < 3 {
        return undefined(Reason::FewerThanThree);
    }
    if is_constant(x) || is_constant(y) {
        return undefined(Reason::ConstantInput);
    }
    let products = Products::of(x, y);
    let test = correlation_t(&products, n);
    let known = Pearson { r: Some(test.r), df: Some(n - 2), ..undefined(Reason::PerfectCorrelation) };
    let Some(p) = test.p else { return known };
    let interval = (n >= 4).then(|| {
        let half = two_sided_z(alpha) / ((n - 3) as f64).sqrt();
        // atanh r = ½ ln((1+r)²/(1-r²)), without cancellation in 1 - r²
        let r = test.r;
        let ratio = (1.0 + r.abs()) * (1.0 + r.abs()) / products.unexplained().round();
        let middle = 0.5 * libm::log(ratio).copysign(r);
        let middle = if r.abs() < 0.5 { libm::atanh(r) } else { middle };
        (libm::tanh(middle - half), libm::tanh(middle + half))
    });
    Pearson {
        t: test.t,
        p: p.p,
        log10_p: Some(p.log10_p),
        ci_lo: interval.map(|i| i.0),
        ci_hi: interval.map(|i| i.1),
        reason: p.reason(),
        ..known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Anscombe, American Statistician 27 (1973): r = 0.816, t = 4.24 for each of his four sets.
    #[test]
    fn anscombes_first_set_has_its_published_correlation() {
        let x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
        let y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
        let c = pearson(&x, &y, 0.05);
        assert!((c.r.unwrap() - 0.816).abs() < 5e-4 && (c.t.unwrap() - 4.24).abs() < 5e-3);
    }

    #[test]
    fn a_line_is_perfect_and_a_constant_undefined() {
        let line = pearson(&[1.0, 2.0, 3.0, 4.0], &[0.3, 0.5, 0.7, 0.9], 0.05);
        assert_eq!((line.r, line.p, line.reason), (Some(1.0), None, Some(Reason::PerfectCorrelation)));
        assert_eq!(pearson(&[1.0; 4], &[1.0, 2.0, 3.0, 5.0], 0.05).reason, Some(Reason::ConstantInput));
        assert_eq!(pearson(&[1.0, 2.0], &[1.0, 2.0], 0.05).reason, Some(Reason::FewerThanThree));
    }

    // Three points have a test but no Fisher interval.
    #[test]
    fn three_points_have_no_interval() {
        let c = pearson(&[1.0, 2.0, 3.0], &[1.0, 2.0, 2.5], 0.05);
        assert!(c.p.is_some() && c.ci_lo.is_none());
    }
}
