//! What the measures of a text rest on. Each gives nothing if its row has no value or other evidence.

use std::collections::BTreeSet;

use super::short::clipped;
use super::{evidence, joined, list};
use crate::suites::humor::measures::item::ambiguity::{Ambiguity, WordRow};
use crate::suites::humor::measures::item::coherence::Coherence;
use crate::suites::humor::measures::item::distinctiveness::Distinctiveness;
use crate::suites::humor::measures::item::entropy::Entropy;
use crate::suites::humor::measures::item::kao::Kao;
use crate::suites::humor::measures::item::kneser_ney::KnTokens;
use crate::suites::humor::measures::item::pacs::Pacs;
use crate::suites::humor::measures::item::perplexity::Perplexity;
use crate::suites::humor::measures::item::surprisal::{Surprisal, TokenRow};
use crate::suites::records::AskedUnit;

/// Tells each word's probability.
pub(super) fn surprisal(found: &AskedUnit<'_>, listed: usize, lines: &mut Vec<String>) -> Option<()> {
    let (value, evidence) = evidence::<Surprisal<'_>>(found, "surprisal")?;
    lines.push(format!("surprisal {value:.3}: {:.3} nats a word; most surprising first", evidence.raw));
    let mut tokens = evidence.tokens;
    tokens.sort_by(|a, b| b.nats.total_cmp(&a.nats));
    list(tokens.iter().map(counted), listed, lines);
    Some(())
}

/// How often the corpus has a token where it stands.
fn counted(row: &TokenRow<'_>) -> String {
    let before: Vec<String> = row.context.iter().map(clipped).collect();
    let place = if before.is_empty() { "anywhere".into() } else { format!("after \"{}\"", before.join(" ")) };
    format!("{}: {} of {} {place}, p = {:.4}, {:.3} nats", clipped(&row.token), row.count, row.of, row.p, row.nats)
}

/// Tells which words the corpus does not know; if all is wanted, also how many each level of the back-off answered.
pub(super) fn perplexity(found: &AskedUnit<'_>, listed: usize, lines: &mut Vec<String>) -> Option<()> {
    let (value, evidence) = evidence::<Perplexity<'_>>(found, "perplexity")?;
    let mut seen = BTreeSet::new();
    let unknown: Vec<&str> = evidence.unknown.iter().map(AsRef::as_ref).filter(|word| seen.insert(*word)).collect();
    let unknown = match unknown.as_slice() {
        [] => "the corpus knows every word".to_string(),
        words => format!("not in the corpus: {}", joined(words, listed)),
    };
    lines.push(format!("perplexity {value:.3} without the prompt; {unknown}"));
    if listed == usize::MAX {
        let [none, one, two] = ["1", "2", "3"].map(|level| evidence.levels.get(level).copied().unwrap_or(0));
        lines.push(format!(
            "  answered by the two words before: {two} words, by the one before: {one}, by none: {none}"
        ));
    }
    Some(())
}

/// Tells how wide each word's company is.
pub(super) fn ambiguity(found: &AskedUnit<'_>, listed: usize, lines: &mut Vec<String>) -> Option<()> {
    let (value, evidence) = evidence::<Ambiguity<'_>>(found, "ambiguity")?;
    lines.push(format!("ambiguity {value:.3}: entropy of each word's company, widest first"));
    let mut words = evidence.words;
    let mut seen = BTreeSet::new();
    words.retain(|row| seen.insert(row.word.clone()));
    words.sort_by(|a, b| b.entropy_nats.unwrap_or(0.0).total_cmp(&a.entropy_nats.unwrap_or(0.0)));
    list(words.iter().map(company), listed, lines);
    Some(())
}

fn company(row: &WordRow<'_>) -> String {
    match row.entropy_nats {
        None => format!("{}: unknown, counts as 0", clipped(&row.word)),
        Some(nats) => format!("{}: {nats:.3} nats over {} neighbours", clipped(&row.word), row.neighbours),
    }
}

/// Tells how alike each word is to the prompt.
pub(super) fn distinctiveness(found: &AskedUnit<'_>, listed: usize, lines: &mut Vec<String>) -> Option<()> {
    let (value, evidence) = evidence::<Distinctiveness<'_>>(found, "distinctiveness")?;
    lines.push(format!(
        "distinctiveness {value:.3}: words differ by {:.3} in their likeness to the prompt (mean {:.3})",
        evidence.raw, evidence.mean
    ));
    let mut words = evidence.words;
    words.sort_by(|a, b| b.mean_similarity.total_cmp(&a.mean_similarity));
    let alike = words.iter().map(|row| {
        let (word, nearest) = (clipped(&row.word), clipped(&row.nearest));
        format!("{word}: {:.3}, nearest {nearest} ({:.3})", row.mean_similarity, row.nearest_similarity)
    });
    list(alike, listed, lines);
    Some(())
}

/// Tells what characters and words add.
pub(super) fn entropy(found: &AskedUnit<'_>, lines: &mut Vec<String>) -> Option<()> {
    let (value, evidence) = evidence::<Entropy>(found, "entropy")?;
    lines.push(format!(
        "entropy {value:.3}: 0.3 · {:.3} nats of {} characters + 0.7 · {:.3} nats of {} words, doubled",
        evidence.char_entropy, evidence.chars, evidence.word_entropy, evidence.words
    ));
    Some(())
}

/// Tells what text and prompt were compared by.
pub(super) fn coherence(found: &AskedUnit<'_>, lines: &mut Vec<String>) -> Option<()> {
    let (value, evidence) = evidence::<Coherence>(found, "coherence")?;
    let pairs = evidence.pairs.map(|pairs| format!(", the mean of {pairs} pairs of words")).unwrap_or_default();
    lines.push(format!("coherence {value:.3}: {} {:.3} with the prompt{pairs}", evidence.source, evidence.raw));
    Some(())
}

/// Tells the terms of PaCS and the nearest text of the profile.
pub(super) fn pacs(found: &AskedUnit<'_>, lines: &mut Vec<String>) -> Option<()> {
    let (value, evidence) = evidence::<Pacs>(found, "pacs")?;
    let clipped = if evidence.saturated { ", clipped" } else { "" };
    lines.push(format!(
        "pacs {value:.3}: 0.7 · cosine {:.3} + {:.1} + {:.1} for the size of the profile{clipped}; nearest is the {} profile text ({:.3})",
        evidence.cosine,
        evidence.base_boost,
        evidence.size_boost,
        ordinal(u64::from(evidence.nearest_profile) + 1),
        evidence.nearest_cosine
    ));
    Some(())
}

/// Tells each word's probability under Kneser-Ney.
pub(super) fn kneser_ney(found: &AskedUnit<'_>, metric: &str, listed: usize, lines: &mut Vec<String>) -> Option<()> {
    let (value, evidence) = evidence::<KnTokens<'_>>(found, metric)?;
    lines.push(format!("{metric} {value:.3} nats a word; most surprising first"));
    let mut tokens = evidence.tokens;
    tokens.sort_by(|a, b| b.nats.total_cmp(&a.nats));
    let words = tokens.iter().map(|row| format!("{}: p = {:.4}, {:.3} nats", clipped(&row.token), row.p, row.nats));
    list(words, listed, lines);
    Some(())
}

/// Tells how likely each meaning of a pun is, and each word with each meaning.
pub(super) fn kao(found: &AskedUnit<'_>, lines: &mut Vec<String>) -> Option<()> {
    let (value, evidence) = evidence::<Kao>(found, "kao_ambiguity_bits")?;
    let [a, b] = evidence.meanings.each_ref().map(|meaning| clipped(meaning));
    let [p_a, p_b] = evidence.posterior;
    lines.push(format!(
        "kao_ambiguity_bits {value:.3}: given the words {a} has {p_a:.3}, {b} {p_b:.3}; in focus with each"
    ));
    let focus = evidence.focus.iter();
    list(
        focus.map(|row| format!("{}: {a} {:.3}, {b} {:.3}", clipped(&row.word), row.p[0], row.p[1])),
        usize::MAX,
        lines,
    );
    Some(())
}

/// A place counted from 1: 1st, 2nd, 3rd, 4th.
fn ordinal(place: u64) -> String {
    let ending = match (place % 10, place % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{place}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_their_endings() {
        let places = [1, 2, 3, 4, 11, 12, 13, 21, 102, 112].map(ordinal);
        assert_eq!(places, ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "112th"]);
    }
}
