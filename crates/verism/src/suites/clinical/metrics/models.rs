//! Metrics that need a judge or a language model: from recorded replies, log probabilities, an n-gram model, or as provided.

use serde::Serialize;
use serde_json::value::RawValue;

use super::ngram::Ngram;
use crate::score::measure::{EMPTY_DENOMINATOR, Measure, Undefined};
use crate::stats::sum::neumaier;
use crate::suites::clinical::record::Turn;
use crate::suites::clinical::replies::Judge;

/// Who said so, and what it rests on.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Evidence<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<Raw<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_sha256: Option<Raw<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Raw<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    statements: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    supported: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cosines: Option<&'a [f64]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    all_noncommittal: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<u64>,
}

/// JSON that was kept as text.
#[derive(Debug)]
struct Raw<'a>(&'a str);

impl Serialize for Raw<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serde_json::from_str::<&RawValue>(self.0) {
            Ok(raw) => raw.serialize(serializer),
            Err(_) => serializer.serialize_str(self.0),
        }
    }
}

/// A value with its evidence.
pub(crate) type Scored<'a> = (Measure, Evidence<'a>);

fn judged<'a>(judge: &'a dyn Judge) -> Evidence<'a> {
    let (model, prompt) = judge.names();
    Evidence { source: Some("judge"), model: model.map(Raw), prompt_sha256: prompt.map(Raw), ..Evidence::default() }
}

/// The value that the record provides, else no model.
fn provided<'a>(turn: &Turn, metric: &str) -> Scored<'a> {
    match turn.provided.iter().rev().find(|(name, _)| name == metric) {
        Some((_, value)) => (Ok(*value), Evidence { source: Some("provided"), ..Evidence::default() }),
        None => (Err(Undefined::new("no_model")), Evidence::default()),
    }
}

fn failed<'a>(judge: &'a dyn Judge, error: &'a str) -> Scored<'a> {
    (Err(Undefined::new("judge_error")), Evidence { error: Some(Raw(error)), ..judged(judge) })
}

/// Faithfulness: which share of an answer's statements do its contexts support?
///
/// ```math
/// supported / statements
/// ```
/// No statements: empty denominator; no contexts: missing field; an unreadable reply: judge error, never replaced.
pub(crate) fn faithfulness<'a>(turn: &'a Turn) -> Scored<'a> {
    let judge: &dyn Judge = &turn.replies;
    if let Some(error) = judge.error("faithfulness") {
        return failed(judge, error);
    }
    match judge.statements() {
        None => provided(turn, "faithfulness"),
        Some(_) if !turn.contexts => (Err(Undefined::new("missing_field:contexts")), Evidence::default()),
        Some((0, _)) => (Err(EMPTY_DENOMINATOR), judged(judge)),
        Some((all, supported)) => {
            let evidence = Evidence { statements: Some(all), supported: Some(supported), ..judged(judge) };
            (Ok(supported as f64 / all as f64), evidence)
        }
    }
}

/// Answer relevance: how near are questions that the answer would answer to the one that was asked?
///
/// ```math
/// mean of cosines, clipped to 0..1; 0 if all questions are noncommittal
/// ```
/// No questions: empty denominator; a zero vector: undefined.
pub(crate) fn answer_relevance<'a>(turn: &'a Turn) -> Scored<'a> {
    let judge: &dyn Judge = &turn.replies;
    if let Some(error) = judge.error("answer_relevance") {
        return failed(judge, error);
    }
    match judge.questions() {
        None => provided(turn, "answer_relevance"),
        Some(Err(why)) => (Err(why), judged(judge)),
        Some(Ok(([], _))) => (Err(EMPTY_DENOMINATOR), judged(judge)),
        Some(Ok((cosines, noncommittal))) => {
            let mean = neumaier(cosines.iter().copied()) / cosines.len() as f64;
            let value = if noncommittal { 0.0 } else { mean.clamp(0.0, 1.0) };
            let evidence = Evidence { cosines: Some(cosines), all_noncommittal: Some(noncommittal), ..judged(judge) };
            let value = if mean.is_finite() { Ok(value) } else { Err(Undefined::new("not_finite")) };
            (value, evidence)
        }
    }
}

/// Perplexity: how surprised is a language model?
///
/// ```math
/// exp(−Σ log p / N)
/// ```
/// From the log probabilities of tokens, else from the n-gram model. No token: empty denominator.
pub(crate) fn perplexity<'a>(turn: &Turn, norm: &str, model: Option<&Ngram>) -> Scored<'a> {
    let (source, sum, tokens) = match (turn.logprobs, model) {
        (Some((sum, tokens)), _) => ("logprobs", sum, tokens),
        (None, Some(model)) => {
            let (sum, tokens) = model.log_likelihood(norm);
            ("ngram", sum, tokens)
        }
        (None, None) => return provided(turn, "perplexity"),
    };
    let evidence = Evidence { source: Some(source), ..Evidence::default() };
    if tokens == 0 {
        return (Err(EMPTY_DENOMINATOR), evidence);
    }
    let value = libm::exp(-sum / tokens as f64);
    let value = if value.is_finite() { Ok(value) } else { Err(Undefined::new("not_finite")) };
    (value, Evidence { tokens: Some(tokens), ..evidence })
}
