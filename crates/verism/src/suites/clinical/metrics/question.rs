//! Flags that a question raises.

use crate::suites::clinical::extract::analysis::{Analysis, Blanked};
use crate::suites::clinical::extract::engine::Engine;
use crate::suites::clinical::extract::mention::MentionSpan;
use crate::suites::clinical::extract::{QuestionUse, question_denies};
use crate::suites::clinical::options::{Negation, Params};
use crate::suites::clinical::text::edges::Parsed;
use crate::suites::clinical::text::hits::Hits;
use crate::suites::clinical::text::list::List;
use crate::suites::clinical::text::memory::Memory;
use crate::suites::clinical::text::norm::norm;

/// Buffers for a first look at questions.
#[derive(Debug, Default)]
pub(crate) struct QuestionBuffers {
    parsed: Parsed,
    memory: Memory,
    hits: Hits,
}

/// The places of the flags whose phrases stand in the question and are not denied.
pub(crate) fn flags(
    engine: &Engine,
    params: &Params,
    question: &str,
    look: &mut QuestionBuffers,
    scratch: &mut Analysis,
) -> Vec<usize> {
    let text = norm(question);
    look.parsed.reset(text.len());
    engine.question.find(&text, &engine.edges, &mut look.parsed, &mut look.memory, &mut look.hits);
    if look.hits.of(List::QuestionFlags).is_empty() {
        return vec![];
    }
    scratch.read(engine, question, &[]);
    let scratch = &*scratch;
    let mut found: Vec<usize> = vec![];
    for hit in scratch.hits.of(List::QuestionFlags) {
        let flag = engine.flag_of[hit.place as usize] as usize;
        if found.contains(&flag) {
            continue;
        }
        let (start, end) = hit.span();
        let Some(place) = MentionSpan::of(scratch, start, end) else { continue };
        let asking = QuestionUse { blanked: Blanked::None };
        if params.negation == Negation::Off || !question_denies(engine, scratch, &place, asking) {
            found.push(flag);
        }
    }
    found.sort_unstable();
    found
}
