//! The words of a text and of its prompt, as far as the scores hold them.

use super::short::{clipped, cut};
use super::{evidence, joined};
use crate::suites::explain::WIDTH;
use crate::suites::humor::measures::item::ambiguity::Ambiguity;
use crate::suites::humor::measures::item::distinctiveness::Distinctiveness;
use crate::suites::humor::measures::item::surprisal::Surprisal;
use crate::suites::records::AskedUnit;

/// Tells the tokens of a text in their order and the different words of its prompt, a line each unless all is wanted.
pub(super) fn tell(found: &AskedUnit<'_>, lines: &mut Vec<String>) {
    let width = if found.in_full { usize::MAX } else { WIDTH };
    if let Some(text) = tokens(found) {
        lines.push(cut(&format!("tokens: {text}"), width));
    }
    if let Some((_, evidence)) = evidence::<Distinctiveness<'_>>(found, "distinctiveness") {
        let words: Vec<&str> = evidence.context_words.iter().map(AsRef::as_ref).collect();
        lines.push(cut(&format!("words of the prompt, sorted: {}", joined(&words, usize::MAX)), width));
    }
}

/// The tokens of a text: as white space parts them, else as the model does; none without a corpus.
fn tokens(found: &AskedUnit<'_>) -> Option<String> {
    let by_space = || {
        let (_, evidence) = evidence::<Ambiguity<'_>>(found, "ambiguity")?;
        Some(evidence.words.iter().map(|row| clipped(&row.word)).collect::<Vec<_>>())
    };
    let by_model = || {
        let (_, evidence) = evidence::<Surprisal<'_>>(found, "surprisal")?;
        Some(evidence.tokens.iter().map(|row| clipped(&row.token)).collect())
    };
    Some(by_space().or_else(by_model)?.join(" "))
}
