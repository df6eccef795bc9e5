//! Operations on plans and decisions: power, equivalence, verdict.

use serde_json::Value;

use super::request::{BadRequest, Request, require, show};
use super::samples::{differences, sample};
use crate::stats::describe::Factor;
use crate::stats::equivalence;
use crate::stats::power::{self as planned, Plan};
use crate::stats::reason::Reason;
use crate::stats::t_test::{paired_t, welch};
use crate::stats::two_samples::TwoSamples;
use crate::stats::verdict::{Direction, Evidence, decide};

type Answer = Result<Value, BadRequest>;

/// Whether a plan is paired; `None` where no design is given.
fn paired(request: &Request) -> Result<Option<bool>, BadRequest> {
    let given = request.choice("design", &[("paired", true), ("unpaired", false)])?;
    Ok(request.has("design").then_some(given))
}

fn plan(request: &Request, otherwise: &str) -> Result<Plan, BadRequest> {
    let (n, n_x, n_y) = (request.size("n")?, request.size("n_x")?, request.size("n_y")?);
    let paired = paired(request)?;
    let paired = paired.ok_or_else(|| BadRequest::expected("design", &format!("paired or unpaired{otherwise}")))?;
    let missing = || BadRequest::expected("n", "the number of pairs, or n_x and n_y");
    if paired {
        return Ok(Plan::Paired { n: n.ok_or_else(missing)? as f64 });
    }
    let (n_x, n_y) = (n_x.or(n).ok_or_else(missing)?, n_y.or(n).ok_or_else(missing)?);
    require(n_x + n_y > 0, "n", "at least 1")?;
    Ok(Plan::Unpaired { n_x: n_x as f64, n_y: n_y as f64 })
}

pub(super) fn power(request: &Request) -> Answer {
    let effect_d = request.number("effect_d")?.ok_or_else(|| BadRequest::missing("effect_d"))?;
    show(&planned::power(plan(request, "")?, effect_d, request.alpha()?))
}

pub(super) fn mde(request: &Request) -> Answer {
    let (alpha, power) = (request.alpha()?, request.open("power")?.unwrap_or(0.8));
    let (sd, se, df) = (request.not_negative("sd")?, request.positive("se")?, request.positive("df")?);
    if let Some(se) = se {
        for size in ["n", "n_x", "n_y"] {
            request.size(size)?;
        }
        paired(request)?;
        let df = df.ok_or_else(|| BadRequest::missing("df"))?;
        return show(&planned::mde_of_error(se, df, alpha, power));
    }
    show(&planned::mde_of_plan(plan(request, " (or se and df)")?, sd, alpha, power))
}

pub(super) fn required_n(request: &Request) -> Answer {
    let effect_d = request.number("effect_d")?.ok_or_else(|| BadRequest::missing("effect_d"))?;
    let paired = paired(request)?.ok_or_else(|| BadRequest::missing("design"))?;
    show(&planned::required_n(paired, effect_d, request.alpha()?, request.open("power")?.unwrap_or(0.8)))
}

pub(super) fn tost(request: &Request) -> Answer {
    let delta = request.not_negative("delta")?.ok_or_else(|| BadRequest::missing("delta"))?;
    let (alpha, paired) = (request.alpha()?, paired(request)?);
    let (diff, se, df) = (request.number("diff")?, request.positive("se")?, request.positive("df")?);
    for name in ["x", "y", "d"] {
        request.numbers(name)?;
    }
    if let Some(diff) = diff {
        let (se, df) = (se.ok_or_else(|| BadRequest::missing("se"))?, df.ok_or_else(|| BadRequest::missing("df"))?);
        return show(&equivalence::tost(delta, diff, se, df, alpha));
    }
    let given = request.has("d") || request.has("x") && request.has("y");
    require(given, "x, y", "both, or d, or diff, se and df")?;
    let result = if paired == Some(true) || request.has("d") {
        paired_t(&differences(request)?, alpha, Factor::T).result
    } else {
        welch(&TwoSamples::of(&sample(request, "x")?, &sample(request, "y")?), alpha, Factor::T).result
    };
    show(&equivalence::tost_of(delta, &result, alpha))
}

pub(super) fn verdict(request: &Request) -> Answer {
    let [diff, lo, hi] = [request.need_nullable("diff")?, request.need_nullable("lo")?, request.need_nullable("hi")?];
    let p_adj = request.need_nullable("p_adj")?;
    require(p_adj.is_none_or(|p| (0.0..=1.0).contains(&p)), "p_adj", "a number in 0..1 or null")?;
    require(lo.is_some() == hi.is_some(), "hi", "both ends or neither")?;
    let interval = lo.zip(hi);
    require(interval.is_none_or(|(lo, hi)| lo <= hi), "hi", "at least lo")?;
    let directions = [("higher", Direction::Higher), ("lower", Direction::Lower), ("none", Direction::None)];
    let evidence = Evidence {
        diff,
        interval,
        p_adj,
        sesoi: request.not_negative("sesoi")?.unwrap_or(0.0),
        equivalent: request.nullable_flag("equivalent")?,
        direction: request.choice("direction", &directions)?,
        alpha: request.alpha()?,
        reason: match request.nullable_text("reason")? {
            Some("identical") => Some(Reason::Identical),
            Some("zero_variance") => Some(Reason::ZeroVariance),
            _ => None,
        },
    };
    show(&decide(&evidence))
}
