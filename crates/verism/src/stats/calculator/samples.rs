//! Operations on one or two samples.

use serde_json::Value;

use super::request::{BadRequest, Request, require, show};
use crate::stats::describe::Factor;
use crate::stats::differences::Differences;
use crate::stats::effect::DividedBy;
use crate::stats::permutation::First;
use crate::stats::two_samples::TwoSamples;
use crate::stats::wilcoxon::{Exact, LARGEST_EXACT, Zeros};
use crate::stats::{
    describe as estimate, effect as size, mann_whitney, permutation as random, sign_flip, t_test, wilcoxon as rank,
};

type Answer = Result<Value, BadRequest>;

/// The defined values of a list.
pub(super) fn defined(values: Vec<Option<f64>>) -> Vec<f64> {
    values.into_iter().flatten().collect()
}

pub(super) fn sample(request: &Request, name: &str) -> Result<Vec<f64>, BadRequest> {
    request.need_numbers(name).map(defined)
}

pub(super) fn factor(request: &Request) -> Result<Factor, BadRequest> {
    request.choice("ci", &[("t", Factor::T), ("z196", Factor::Z196)])
}

/// The pairs of x and y of which both sides are defined.
pub(super) fn pairs(request: &Request) -> Result<(Vec<f64>, Vec<f64>), BadRequest> {
    let (x, y) = (request.need_numbers("x")?, request.need_numbers("y")?);
    require(x.len() == y.len(), "x, y", "lists of the same length")?;
    Ok(x.into_iter().zip(y).filter_map(|(a, b)| a.zip(b)).unzip())
}

/// The differences d, or those of the pairs x, y.
pub(super) fn differences(request: &Request) -> Result<Differences, BadRequest> {
    for name in ["x", "y"] {
        request.numbers(name)?;
    }
    if let Some(d) = request.numbers("d")? {
        return Ok(Differences::of(&defined(d)));
    }
    require(request.has("x") && request.has("y"), "x, y", "both, or d")?;
    pairs(request).map(|(x, y)| Differences::of_pairs(&x, &y))
}

fn exact(request: &Request) -> Result<Exact, BadRequest> {
    request.choice("exact", &[("auto", Exact::Auto), ("always", Exact::Always), ("never", Exact::Never)])
}

fn require_countable(exact: Exact, n: usize) -> Result<(), BadRequest> {
    require(
        exact != Exact::Always || n <= LARGEST_EXACT,
        "exact",
        &format!("at most {LARGEST_EXACT} values for always"),
    )
}

pub(super) fn describe(request: &Request) -> Answer {
    let values = request.need_numbers("x")?;
    let all = values.len();
    let mut out = estimate::describe(&defined(values), request.alpha()?, factor(request)?, request.ddof()?);
    out.n_undefined = all - out.n;
    show(&out)
}

pub(super) fn proportion(request: &Request) -> Answer {
    let (k, n) = (request.need_size("k")?, request.need_size("n")?);
    require(k <= n, "k", "at most n")?;
    show(&estimate::proportion(k, n, request.alpha()?))
}

pub(super) fn welch(request: &Request) -> Answer {
    show(&t_test::welch(
        &TwoSamples::of(&sample(request, "x")?, &sample(request, "y")?),
        request.alpha()?,
        factor(request)?,
    ))
}

pub(super) fn student(request: &Request) -> Answer {
    show(&t_test::student(
        &TwoSamples::of(&sample(request, "x")?, &sample(request, "y")?),
        request.alpha()?,
        factor(request)?,
    ))
}

pub(super) fn paired_t(request: &Request) -> Answer {
    show(&t_test::paired_t(&differences(request)?, request.alpha()?, factor(request)?))
}

pub(super) fn wilcoxon(request: &Request) -> Answer {
    let (d, exact) = (differences(request)?, exact(request)?);
    let zeros = request.choice("zero", &[("wilcox", Zeros::Wilcox), ("pratt", Zeros::Pratt)])?;
    require_countable(exact, d.nonzero().len())?;
    show(&rank::wilcoxon(&d, zeros, exact))
}

pub(super) fn mannwhitney(request: &Request) -> Answer {
    let (x, y, exact) = (sample(request, "x")?, sample(request, "y")?, exact(request)?);
    require_countable(exact, x.len() + y.len())?;
    show(&mann_whitney::mannwhitney(&TwoSamples::of(&x, &y), exact))
}

pub(super) fn signflip(request: &Request) -> Answer {
    show(&sign_flip::signflip(&differences(request)?, request.resamples()?, request.seed()?))
}

pub(super) fn permutation(request: &Request) -> Answer {
    let (x, y) = (sample(request, "x")?, sample(request, "y")?);
    let first = request.choice("first", &[("x", First::X), ("y", First::Y)])?;
    show(&random::permutation(&x, &y, request.resamples()?, request.seed()?, first))
}

pub(super) fn mcnemar(request: &Request) -> Answer {
    for name in ["x", "y"] {
        request.numbers(name)?;
    }
    match (request.size("b")?, request.size("c")?) {
        (Some(b), Some(c)) => show(&sign_flip::mcnemar_counts(b, c)),
        (None, None) => {
            require(request.has("x") && request.has("y"), "x, y", "both, or b and c")?;
            let (x, y) = pairs(request)?;
            show(&sign_flip::mcnemar(&x, &y))
        }
        _ => Err(BadRequest::expected("x, y", "both, or b and c")),
    }
}

pub(super) fn effect(request: &Request) -> Answer {
    let (x, y) = (sample(request, "x")?, sample(request, "y")?);
    let by = request.choice("d_sd", &[("pooled", DividedBy::Pooled), ("average", DividedBy::Average)])?;
    show(&size::effect(&TwoSamples::of(&x, &y), request.alpha()?, by, request.ddof()?))
}

pub(super) fn effect_paired(request: &Request) -> Answer {
    show(&size::effect_paired(&differences(request)?, request.alpha()?))
}
