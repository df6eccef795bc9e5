//! Power of t tests, the effect they can find, and the sample they need.

use serde::Serialize;

use super::numeric::noncentral_t::two_sided_power;
use super::numeric::normal::normal_isf;
use super::numeric::root::decreasing_root;
use super::numeric::student::two_sided_t;
use super::reason::Reason;

/// The most units that are ever asked for.
const LARGEST_N: u64 = 10_000_000;

/// How the samples of a planned test come about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Plan {
    /// The same units twice.
    Paired {
        /// How many pairs.
        n: f64,
    },
    /// Two independent samples.
    Unpaired {
        /// How many units of x.
        n_x: f64,
        /// How many units of y.
        n_y: f64,
    },
}

impl Plan {
    /// Gives the factor from a standardised difference to the noncentrality: √n, or √(n_x n_y/(n_x+n_y)).
    fn root(self) -> f64 {
        match self {
            Plan::Paired { n } => n.sqrt(),
            Plan::Unpaired { n_x, n_y } => (n_x * n_y / (n_x + n_y)).sqrt(),
        }
    }

    fn df(self) -> f64 {
        match self {
            Plan::Paired { n } => n - 1.0,
            Plan::Unpaired { n_x, n_y } => n_x + n_y - 2.0,
        }
    }
}

/// Gives the probability that a two-sided t test at level α finds an effect of noncentrality λ.
///
/// ```math
/// P(|T_df,λ| > t(1-α/2, df))
/// ```
///
/// Source: J. Cohen, Statistical Power Analysis (1988), with both tails.
pub fn power_of(lambda: f64, df: f64, alpha: f64) -> f64 {
    two_sided_power(two_sided_t(alpha, df), df)(lambda)
}

/// Gives the noncentrality that a two-sided t test at level α finds with the given power.
pub fn noncentrality_for(power: f64, df: f64, alpha: f64) -> f64 {
    let critical = two_sided_t(alpha, df);
    if power <= alpha {
        return 0.0;
    }
    let found = two_sided_power(critical, df);
    let start = (critical - normal_isf(power)).max(0.1);
    decreasing_root(start, 0.02, |lambda| if lambda < 0.0 { power - alpha } else { power - found(lambda) })
}

/// The power of a plan.
#[derive(Clone, Debug, Serialize)]
pub struct Power {
    /// The power.
    pub power: Option<f64>,
    /// Degrees of freedom.
    pub df: Option<f64>,
    /// The noncentrality.
    pub ncp: Option<f64>,
    /// Why something is missing here, or was computed in another way.
    pub reason: Option<Reason>,
}

/// Gives the power of a planned test for a standardised difference; without degrees of freedom `n_lt_2`.
pub fn power(plan: Plan, effect_d: f64, alpha: f64) -> Power {
    let (df, ncp) = (plan.df(), effect_d * plan.root());
    if df < 1.0 {
        return Power { power: None, df: None, ncp: None, reason: Some(Reason::FewerThanTwo) };
    }
    Power { power: Some(power_of(ncp.abs(), df, alpha).min(1.0)), df: Some(df), ncp: Some(ncp), reason: None }
}

/// The effect that a plan finds.
#[derive(Clone, Debug, Serialize)]
pub struct Mde {
    /// In standard deviations.
    pub d: Option<f64>,
    /// In units of the metric.
    pub raw: Option<f64>,
    /// The noncentrality.
    pub ncp: Option<f64>,
    /// Why something is missing here, or was computed in another way.
    pub reason: Option<Reason>,
}

impl Mde {
    const UNDEFINED: Mde = Mde { d: None, raw: None, ncp: None, reason: Some(Reason::FewerThanTwo) };
}

/// Gives the smallest difference that a test with this standard error finds with the given power: λ* se.
pub fn mde_of_error(se: f64, df: f64, alpha: f64, power: f64) -> Mde {
    if df < 1.0 {
        return Mde::UNDEFINED;
    }
    let ncp = noncentrality_for(power, df, alpha);
    Mde { d: None, raw: Some(ncp * se), ncp: Some(ncp), reason: None }
}

/// Gives the smallest standardised difference that a planned test finds, and the raw one where an SD is known.
pub fn mde_of_plan(plan: Plan, sd: Option<f64>, alpha: f64, power: f64) -> Mde {
    if plan.df() < 1.0 {
        return Mde::UNDEFINED;
    }
    let ncp = noncentrality_for(power, plan.df(), alpha);
    let d = ncp / plan.root();
    Mde { d: Some(d), raw: sd.map(|sd| d * sd), ncp: Some(ncp), reason: None }
}

/// How many units a plan needs.
#[derive(Clone, Debug, Serialize)]
pub struct RequiredN {
    /// Pairs, or units per group.
    pub n: Option<u64>,
    /// The power with so many.
    pub power: Option<f64>,
    /// Why something is missing here, or was computed in another way.
    pub reason: Option<Reason>,
}

/// Gives the smallest n (pairs, or per group) with which a test finds a standardised difference with the given power.
///
/// n >= 2 with the exact noncentral t; no effect: `zero_effect`; more than 10^7: `n_above_1e7`.
pub fn required_n(paired: bool, effect_d: f64, alpha: f64, power: f64) -> RequiredN {
    let undefined = |reason| RequiredN { n: None, power: None, reason: Some(reason) };
    let d = effect_d.abs();
    if d == 0.0 {
        return undefined(Reason::ZeroEffect);
    }
    let reached = |n: u64| {
        let n = n as f64;
        let plan = if paired { Plan::Paired { n } } else { Plan::Unpaired { n_x: n, n_y: n } };
        power_of(d * plan.root(), plan.df(), alpha).min(1.0)
    };
    // The normal approximation is a little below; from there up in doubling steps, then by halving.
    let z = normal_isf(alpha / 2.0) - normal_isf(power);
    let guess = (z / d) * (z / d) * if paired { 1.0 } else { 2.0 };
    let mut low = (guess.clamp(2.0, LARGEST_N as f64) as u64).saturating_sub(2).max(2);
    if low > 2 && reached(low) >= power {
        low = 2;
    }
    let (mut high, mut step) = (low, 1);
    while reached(high) < power {
        if high >= LARGEST_N {
            return undefined(Reason::TooManyNeeded);
        }
        low = high + 1;
        high = (high + step).min(LARGEST_N);
        step *= 2;
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if reached(middle) >= power {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    RequiredN { n: Some(low), power: Some(reached(low)), reason: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Cohen (1988), table 2.4.1: d = 0.5 at α 0.05, power 0.8 needs 64 per group; for pairs 34 (G*Power 3.1).
    #[test]
    fn a_medium_effect_needs_the_published_numbers() {
        assert_eq!(required_n(false, 0.5, 0.05, 0.8).n, Some(64));
        assert_eq!(required_n(true, -0.5, 0.05, 0.8).n, Some(34));
    }

    // The answer reaches the power and one less does not.
    #[test]
    fn the_required_number_is_the_smallest() {
        for (paired, d) in [(true, 0.03), (false, 0.2), (true, 3.0), (false, 1.1)] {
            let n = required_n(paired, d, 0.05, 0.8).n.unwrap() as f64;
            let at = |n: f64| {
                if paired { Plan::Paired { n } } else { Plan::Unpaired { n_x: n, n_y: n } }
            };
            assert!(power(at(n), d, 0.05).power.unwrap() >= 0.8);
            assert!(n == 2.0 || power(at(n - 1.0), d, 0.05).power.unwrap() < 0.8);
        }
    }

    // scipy 1.17.1: 1 - nct.cdf(tc, 33, 0.5*sqrt(34)) + nct.cdf(-tc, ...) = 0.8077775012792
    #[test]
    fn thirty_four_pairs_have_their_published_power() {
        assert!((power(Plan::Paired { n: 34.0 }, 0.5, 0.05).power.unwrap() - 0.8077775012792).abs() < 1e-12);
    }

    #[test]
    fn power_without_effect_is_alpha_and_the_mde_undoes_power() {
        assert!((power_of(0.0, 12.0, 0.05) - 0.05).abs() < 1e-12);
        let lambda = noncentrality_for(0.8, 9.0, 0.05);
        assert!((power_of(lambda, 9.0, 0.05) - 0.8).abs() < 1e-12);
        assert_eq!(noncentrality_for(0.01, 9.0, 0.05), 0.0);
    }

    #[test]
    fn impossible_plans_are_stated() {
        assert_eq!(power(Plan::Paired { n: 1.0 }, 0.5, 0.05).reason, Some(Reason::FewerThanTwo));
        assert_eq!(mde_of_error(1.0, 0.5, 0.05, 0.8).reason, Some(Reason::FewerThanTwo));
        assert_eq!(required_n(true, 0.0, 0.05, 0.8).reason, Some(Reason::ZeroEffect));
        assert_eq!(required_n(true, 1e-6, 0.05, 0.8).reason, Some(Reason::TooManyNeeded));
    }
}
