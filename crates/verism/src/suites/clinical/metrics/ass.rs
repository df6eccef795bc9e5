//! ASS: is the advice specific enough to act on?

use serde::Serialize;

use super::concept::first;
use crate::score::measure::{Measure, NOT_APPLICABLE};
use crate::stats::sum::neumaier;
use crate::suites::clinical::extract::analysis::Analysis;
use crate::suites::clinical::extract::engine::Engine;
use crate::suites::clinical::pack::{Profile, list_bounds};
use crate::suites::clinical::text::document::LineKind;
use crate::suites::clinical::text::list::List;

/// An element of a profile and whether the answer has it.
#[derive(Debug, Serialize)]
pub(crate) struct ElementShown<'a> {
    element: &'a str,
    weight: f64,
    found: bool,
    matched: Matched<'a>,
}

/// The words that match, or the length of a list.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Matched<'a> {
    None,
    Count(u64),
    Text(&'a str),
}

/// What ASS rests on.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Evidence<'a> {
    None {},
    Elements { elements: Vec<ElementShown<'a>> },
}

/// ASS with n, and the evidence.
///
/// ```math
/// ASS = Σ w of elements found / Σ w of elements
/// ```
/// No elements: not applicable.
pub(crate) fn ass<'a>(
    engine: &'a Engine,
    analysis: &'a Analysis,
    profile: Option<&'a Profile>,
) -> (Measure, u64, Evidence<'a>) {
    let Some(profile) = profile.filter(|profile| !profile.elements.is_empty()) else {
        return (Err(NOT_APPLICABLE), 0, Evidence::None {});
    };
    let element = |(name, weight): &'a (String, f64)| {
        let (found, matched) = match list_bounds(name).filter(|_| engine.pack.concepts.get(name).is_none()) {
            Some((low, high)) => {
                let count = list_length(engine, analysis);
                ((low..=high).contains(&count), Matched::Count(count))
            }
            None => match first(engine, analysis, name) {
                Some((start, end)) => (true, Matched::Text(&analysis.text()[start..end])),
                None => (false, Matched::None),
            },
        };
        ElementShown { element: name, weight: *weight, found, matched }
    };
    let elements: Vec<ElementShown<'_>> = profile.elements.iter().map(element).collect();
    let whole = neumaier(elements.iter().map(|element| element.weight));
    let part = neumaier(elements.iter().filter(|element| element.found).map(|element| element.weight));
    (Ok(part / whole), elements.len() as u64, Evidence::Elements { elements })
}

/// Top-level numbered items (those with the smallest indent), else bullets, else distinct ordinal words.
fn list_length(engine: &Engine, analysis: &Analysis) -> u64 {
    let items = || analysis.doc.lines.iter().filter(|line| line.kind.is_item());
    if let Some(top) = items().map(|line| line.indent).min() {
        let at_top = || items().filter(|line| line.indent == top);
        let numbered = at_top().filter(|line| line.kind == LineKind::Number).count();
        return if numbered > 0 { numbered } else { at_top().count() } as u64;
    }
    let hits = analysis.hits.of(List::Ordinals);
    engine.ordinals.iter().filter(|places| hits.iter().any(|hit| places.contains(&hit.place))).count() as u64
}
