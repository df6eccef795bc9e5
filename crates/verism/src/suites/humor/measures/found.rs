//! What a formula gives: a number with its evidence, or a reason.

use serde::Serialize;

use crate::score::json;
use crate::score::measure::{Measure, Undefined};

/// No corpus was given, or one without tokens.
pub(crate) const NO_CORPUS: Undefined = Undefined::new("no_corpus");
/// The text has nothing to measure.
pub(crate) const EMPTY_TEXT: Undefined = Undefined::new("empty_text");
/// The prompt has nothing to measure.
pub(crate) const EMPTY_CONTEXT: Undefined = Undefined::new("empty_context");
/// There is no vector, and no model that would make one.
pub(crate) const NO_MODEL: Undefined = Undefined::new("no_model");
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

/// The row that holds the evidence.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct See {
    see: &'static str,
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
    /// A JSON object.
    pub(crate) evidence: String,
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
        Outcome { value: Ok(value + 0.0), n, evidence: json::text(evidence), by_convention: false }
    }

    /// A value whose evidence stands in another row.
    pub(crate) fn see(value: f64, n: u64, see: &'static str) -> Outcome {
        Outcome::value(value, n, &See { see })
    }

    /// A reason.
    pub(crate) fn undefined(why: Undefined) -> Outcome {
        Outcome { value: Err(why), n: 0, evidence: "{}".into(), by_convention: false }
    }

    /// A stated value.
    pub(crate) fn stated(value: f64, n: u64, rule: &str) -> Outcome {
        Outcome { by_convention: true, ..Outcome::value(value, n, &Convention { convention: rule }) }
    }
}
