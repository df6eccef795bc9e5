//! What a formula gives: a number with its evidence, or a reason.

use std::cell::RefCell;

use serde::Serialize;

use crate::score::json;
use crate::score::measure::{Measure, Undefined};

/// No corpus was given, or one without tokens.
pub(crate) const NO_CORPUS: Undefined = Undefined::new("no_corpus");
/// The text has nothing to measure.
pub(crate) const EMPTY_TEXT: Undefined = Undefined::new("empty_text");
/// The prompt has nothing to measure.
pub(crate) const EMPTY_CONTEXT: Undefined = Undefined::new("empty_context");
/// The record has no prompt.
pub(crate) const MISSING_CONTEXT: Undefined = Undefined::new("missing_field:context");
/// The record has no profile.
pub(crate) const MISSING_PROFILE: Undefined = Undefined::new("missing_field:profile");
/// The record has no pun.
pub(crate) const MISSING_PUN: Undefined = Undefined::new("missing_field:pun");
/// There is no vector, and no model that would make one.
pub(crate) const NO_MODEL: Undefined = Undefined::new("no_model");
/// The corpus gives a word no chance at all.
pub(crate) const ZERO_PROBABILITY: Undefined = Undefined::new("zero_probability");
/// A vector without a direction.
pub(crate) const ZERO_VECTOR: Undefined = Undefined::new("zero_vector");

/// A value, what it rests on, and what it was made of.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found<E> {
    pub(crate) value: f64,
    pub(crate) n: u64,
    pub(crate) evidence: E,
}

/// A value with evidence, or the reason why there is none.
pub(crate) type Tried<E> = Result<Found<E>, Undefined>;

thread_local! {
    /// Where evidence is written before it is known how long it is.
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(vec![]) };
}

/// What a row says of how a value came about.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Evidence {
    /// Nothing.
    None,
    /// The metric whose row says it.
    See(&'static str),
    /// A JSON object.
    Object(Box<[u8]>),
}

impl Evidence {
    /// What a formula found.
    pub(crate) fn of(found: &impl Serialize) -> Evidence {
        SCRATCH.with_borrow_mut(|scratch| {
            scratch.clear();
            json::push(scratch, found);
            Evidence::Object(scratch.as_slice().into())
        })
    }

    /// Appends it as a JSON object.
    pub(crate) fn push(&self, out: &mut Vec<u8>) {
        match self {
            Evidence::None => out.extend_from_slice(b"{}"),
            Evidence::See(metric) => {
                out.extend_from_slice(b"{\"see\":\"");
                out.extend_from_slice(metric.as_bytes());
                out.extend_from_slice(b"\"}");
            }
            Evidence::Object(object) => out.extend_from_slice(object),
        }
    }
}

/// A stated value instead of a computed one: which rule gave it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Convention<'a> {
    convention: &'a str,
}

/// One row of a metric without the ids.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) value: Measure,
    pub(crate) n: u64,
    pub(crate) evidence: Evidence,
    /// Whether a stated rule gave the value.
    pub(crate) by_convention: bool,
}

impl Outcome {
    /// What a formula gave.
    pub(crate) fn of<E: Serialize>(tried: &Tried<E>) -> Outcome {
        match tried {
            Ok(found) => Outcome::value(found.value, found.n, &found.evidence),
            Err(why) => Outcome::undefined(why.clone()),
        }
    }

    /// A value with evidence; there is no negative zero.
    pub(crate) fn value(value: f64, n: u64, evidence: &impl Serialize) -> Outcome {
        debug_assert!(value.is_finite(), "a formula gives a number or a reason");
        Outcome { value: Ok(value + 0.0), n, evidence: Evidence::of(evidence), by_convention: false }
    }

    /// A value whose evidence stands in another row.
    pub(crate) fn see(value: f64, n: u64, see: &'static str) -> Outcome {
        debug_assert!(value.is_finite(), "a formula gives a number or a reason");
        Outcome { value: Ok(value + 0.0), n, evidence: Evidence::See(see), by_convention: false }
    }

    /// A reason.
    pub(crate) fn undefined(why: Undefined) -> Outcome {
        Outcome { value: Err(why), n: 0, evidence: Evidence::None, by_convention: false }
    }

    /// A stated value.
    pub(crate) fn stated(value: f64, n: u64, rule: &str) -> Outcome {
        Outcome { by_convention: true, ..Outcome::value(value, n, &Convention { convention: rule }) }
    }
}
