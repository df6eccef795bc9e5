//! Whether an answer names a concept.

use crate::suites::clinical::extract::analysis::Analysis;
use crate::suites::clinical::extract::engine::Engine;
use crate::suites::clinical::text::list::List;

/// The first place where some phrase or expression of a concept stands.
pub(crate) fn first(engine: &Engine, analysis: &Analysis, concept: &str) -> Option<(usize, usize)> {
    let info = &engine.concepts[engine.pack.concepts.place(concept)?];
    let hits = analysis.hits.of(List::Concepts);
    let from = hits.partition_point(|hit| hit.place < info.places.start);
    let own = hits[from..].iter().take_while(|hit| hit.place < info.places.end);
    let phrase = own.map(|hit| hit.span()).min();
    let expression =
        info.regexes.iter().filter_map(|regex| regex.find(analysis.text())).map(|x| (x.start(), x.end())).min();
    phrase.into_iter().chain(expression).min()
}

/// Whether a concept is named at all.
pub(crate) fn is_named(engine: &Engine, analysis: &Analysis, concept: &str) -> bool {
    first(engine, analysis, concept).is_some()
}
