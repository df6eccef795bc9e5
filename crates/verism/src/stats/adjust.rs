//! Corrections for many tests at once.

use serde::Serialize;

use super::numeric::tail::{SMALLEST_P, Tail};

/// How a family of p-values is corrected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Holm: step-down, controls any false rejection.
    Holm,
    /// Benjamini and Hochberg's false discovery rate.
    Bh,
    /// Bonferroni.
    Bonferroni,
    /// No correction.
    None,
}

/// Corrected p-values, in the order given.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Adjusted {
    /// How many p-values are defined.
    pub m: usize,
    /// The corrected p-values.
    pub p_adj: Vec<Option<f64>>,
    /// Their decimal logarithms.
    pub log10_p_adj: Vec<Option<f64>>,
}

/// Gives the adjusted p-values of a family; undefined ones are not counted.
///
/// ```math
/// Holm: max_{j<=i} (m-j+1) p_(j);   BH: min_{j>=i} m p_(j)/j;   Bonferroni: m p;   capped at 1
/// ```
///
/// `p` is multiplied itself, with one rounding; the logarithm serves only where p is below 1e-300 and therefore absent.
/// Source: S. Holm, Scand. J. Stat. 6 (1979); Y. Benjamini, Y. Hochberg, J. R. Stat. Soc. B 57 (1995).
pub fn adjust(p: &[Option<f64>], log10_p: &[Option<f64>], method: Method) -> Adjusted {
    let ln_10 = std::f64::consts::LN_10;
    let n = p.len().max(log10_p.len());
    let tail_at = |i: usize| {
        let number = p.get(i).copied().flatten();
        let log = log10_p.get(i).copied().flatten();
        number.map(Tail::from_p).or(log.map(|l| Tail::from_ln(l * ln_10)))
    };
    let mut family: Vec<(usize, Tail)> = (0..n).filter_map(|i| tail_at(i).map(|t| (i, t))).collect();
    family.sort_by(|a, b| a.1.ln.total_cmp(&b.1.ln));
    let m = family.len();
    let mut out = Adjusted { m, p_adj: vec![None; n], log10_p_adj: vec![None; n] };
    let mut adjusted: Vec<Tail> = family
        .iter()
        .enumerate()
        .map(|(rank, (_, tail))| match method {
            Method::Holm => scaled(*tail, (m - rank) as f64, 1.0),
            Method::Bh => scaled(*tail, m as f64, (rank + 1) as f64),
            Method::Bonferroni => scaled(*tail, m as f64, 1.0),
            Method::None => *tail,
        })
        .collect();
    match method {
        Method::Holm => {
            for i in 1..m {
                adjusted[i] = adjusted[i].max(adjusted[i - 1]);
            }
        }
        Method::Bh => {
            for i in (1..m).rev() {
                if adjusted[i].ln < adjusted[i - 1].ln {
                    adjusted[i - 1] = adjusted[i];
                }
            }
        }
        Method::Bonferroni | Method::None => {}
    }
    for ((i, _), tail) in family.iter().zip(adjusted) {
        let tail = if tail.p >= 1.0 { Tail::ONE } else { tail };
        out.p_adj[*i] = (tail.p >= SMALLEST_P).then_some(tail.p);
        out.log10_p_adj[*i] = Some(tail.ln / ln_10 + 0.0);
    }
    out
}

fn scaled(tail: Tail, factor: f64, divisor: f64) -> Tail {
    Tail { p: tail.p * factor / divisor, ln: tail.ln + libm::log(factor / divisor) }
}

/// Tells whether an adjusted p-value is below α, not merely held below it by rounding.
pub fn is_below(p_adj: f64, alpha: f64) -> bool {
    p_adj < alpha * (1.0 - 1e-12)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(p: &[f64], method: Method) -> Vec<f64> {
        let p: Vec<Option<f64>> = p.iter().copied().map(Some).collect();
        adjust(&p, &[], method).p_adj.into_iter().flatten().collect()
    }

    // By hand: (0.01, 0.04, 0.03): Holm (0.03, 0.06, 0.06), BH (0.03, 0.04, 0.04).
    #[test]
    fn holm_and_bh_match_the_worked_example() {
        assert_eq!(numbers(&[0.01, 0.04, 0.03], Method::Holm), [0.03, 0.06, 0.06]);
        assert_eq!(numbers(&[0.01, 0.04, 0.03], Method::Bh), [0.03, 0.04, 0.04]);
        assert_eq!(numbers(&[0.4, 0.5], Method::Bonferroni), [0.8, 1.0]);
    }

    #[test]
    fn undefined_values_are_not_counted_and_tiny_ones_keep_their_logarithm() {
        let a = adjust(&[None, Some(0.5), None], &[Some(-400.0), None, None], Method::Holm);
        assert_eq!((a.m, a.p_adj[0], a.p_adj[2]), (2, None, None));
        // 2 · 1e-400
        assert!((a.log10_p_adj[0].unwrap() + 400.0 - 2f64.log10()).abs() < 1e-12);
        assert_eq!(adjust(&[], &[], Method::Bh).m, 0);
    }

    // 3 · (1/60) is 0.05 up to rounding: not below it.
    #[test]
    fn rounding_alone_is_not_below_alpha() {
        assert!(!is_below(3.0 * (1.0 / 60.0), 0.05));
        assert!(is_below(0.0499, 0.05));
    }
}
