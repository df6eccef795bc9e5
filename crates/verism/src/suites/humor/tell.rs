//! What the rows of a text or a batch say, in words.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::suites::explain::one_metric;
use crate::suites::humor::measures::batch::distinct::Distinct;
use crate::suites::humor::measures::batch::meaning::{Clusters, Diversity};
use crate::suites::humor::measures::batch::self_bleu::SelfBleu;
use crate::suites::humor::measures::item::ambiguity::Ambiguity;
use crate::suites::humor::measures::item::coherence::Coherence;
use crate::suites::humor::measures::item::distinctiveness::Distinctiveness;
use crate::suites::humor::measures::item::entropy::Entropy;
use crate::suites::humor::measures::item::overall::{Contributions, Overall};
use crate::suites::humor::measures::item::pacs::Pacs;
use crate::suites::humor::measures::item::perplexity::Perplexity;
use crate::suites::humor::measures::item::surprisal::Surprisal;
use crate::suites::records::AskedUnit;

/// Words and parts that are listed unless all are wanted.
const LISTED: usize = 5;

/// The evidence of a metric, if it has a value and can be read.
fn evidence<E: DeserializeOwned>(found: &AskedUnit<'_>, metric: &str) -> Option<(f64, E)> {
    let row = found.row(metric);
    Some((row["value"].as_f64()?, serde_json::from_value(row["evidence"].clone()).ok()?))
}

/// Tells what a unit's rows say.
pub(crate) fn tell(found: &AskedUnit<'_>, lines: &mut Vec<String>) {
    if found.row("overall").is_null() {
        lines.push(found.id.to_string());
        match found.row("distinct_1").is_null() {
            true => found.rows.iter().for_each(|row| one_metric(row, lines)),
            false => tell_batch(found, lines),
        }
        return;
    }
    let row = found.row("overall");
    let batch = row["batch"].as_str().map_or("in no batch".to_string(), |batch| format!("in batch {batch}"));
    lines.push(found.id.to_string());
    lines.push(batch);
    tell_overall(found, row, lines);
    let listed = if found.in_full { usize::MAX } else { LISTED };
    tell_surprisal(found, listed, lines);
    tell_words(found, listed, lines);
    tell_rest(found, lines);
    let told = ["overall", "surprisal", "perplexity", "ambiguity", "distinctiveness", "entropy", "coherence", "pacs"];
    tell_others(found, &told, lines);
}

/// A batch: what is repeated, what is nearest, how texts group; then all values.
fn tell_batch(found: &AskedUnit<'_>, lines: &mut Vec<String>) {
    let listed = if found.in_full { usize::MAX } else { LISTED };
    if let Some((value, evidence)) = evidence::<Distinct>(found, "distinct_2") {
        lines
            .push(format!("distinct_2 {value:.3}: {} of {} word pairs are different", evidence.unique, evidence.total));
        for (pair, count, texts) in evidence.repeated.iter().take(listed) {
            lines.push(format!("  \"{pair}\" {count} times, first in {}", texts.join(", ")));
        }
    }
    if let Some((value, evidence)) = evidence::<SelfBleu>(found, "self_bleu_2") {
        lines.push(format!("self_bleu_2 {value:.3} over {} texts; most like others", evidence.texts));
        for text in evidence.highest.iter().take(listed) {
            let near = match (&text.nearest, &text.shared) {
                (Some(nearest), Some(shared)) => format!(", shares \"{shared}\" with {nearest}"),
                _ => String::new(),
            };
            lines.push(format!("  {}: {:.3}{near}", text.id, text.bleu));
        }
    }
    if let Some((value, evidence)) = evidence::<Diversity>(found, "overall_semantic_diversity") {
        let [a, b] = &evidence.closest;
        lines.push(format!(
            "overall_semantic_diversity {value:.3}; nearest in meaning: {a} and {b} (cosine {:.3})",
            evidence.closest_cosine
        ));
    }
    if let Some((value, evidence)) = evidence::<Clusters>(found, "intra_cluster_diversity") {
        let tried = evidence.tried.iter().find(|tried| tried.k == evidence.k);
        let sizes: Vec<String> = tried.iter().flat_map(|tried| &tried.sizes).map(u64::to_string).collect();
        lines.push(format!(
            "intra_cluster_diversity {value:.3}: {} clusters of {} texts",
            evidence.k,
            sizes.join(", ")
        ));
    }
    let told = ["distinct_2", "self_bleu_2", "overall_semantic_diversity", "intra_cluster_diversity"];
    tell_others(found, &told, lines);
}

fn tell_overall(found: &AskedUnit<'_>, row: &Value, lines: &mut Vec<String>) {
    let Ok(overall) = serde_json::from_value::<Overall>(row["evidence"].clone()) else { return };
    if let (Some(value), Some(parts)) = (row["value"].as_f64(), overall.contributions) {
        let Contributions { surprisal, kao, information, coherence, creativity } = parts;
        lines.push(format!("overall {value:.3} of 10, the sum of"));
        let part = |name: &str| overall.components.get(name).copied().flatten().unwrap_or(0.0);
        lines.push(format!("  {surprisal:.3}  surprise: 0.2 · surprisal {:.3}", part("surprisal")));
        lines.push(format!(
            "  {kao:.3}  two readings: 0.2 · (0.6 · ambiguity {:.3} + 0.4 · distinctiveness {:.3})",
            part("ambiguity"),
            part("distinctiveness")
        ));
        lines.push(format!(
            "  {information:.3}  information: 0.2 · (0.7 · entropy {:.3} + 0.3 · perplexity {:.3})",
            part("entropy"),
            part("perplexity")
        ));
        lines.push(format!("  {coherence:.3}  fit to the prompt: 0.15 · coherence {:.3}", part("coherence")));
        let scope = if found.options["creativity_scope"] == "item" { "of the text alone" } else { "of the batch" };
        lines.push(format!(
            "  {creativity:.3}  variety {scope}: distinct-1 {:.3}, distinct-2 {:.3}, self-BLEU {:.3}, richness {:.3}, diversity {:.3}",
            part("distinct_1"),
            part("distinct_2"),
            part("self_bleu"),
            part("vocabulary_richness"),
            part("overall_semantic_diversity")
        ));
        return;
    }
    let missing = overall.missing.unwrap_or_default();
    let parts: Vec<String> = missing.iter().map(|(part, why)| format!("{part} ({why})")).collect();
    lines.push(format!("overall is undefined, since parts are missing: {}", parts.join(", ")));
}

fn tell_surprisal(found: &AskedUnit<'_>, listed: usize, lines: &mut Vec<String>) {
    if let Some((value, evidence)) = evidence::<Surprisal<'_>>(found, "surprisal") {
        lines.push(format!("surprisal {value:.3}: {:.3} nats a word; most surprising first", evidence.raw));
        let mut tokens = evidence.tokens;
        tokens.sort_by(|a, b| b.nats.total_cmp(&a.nats));
        for token in tokens.iter().take(listed) {
            let after = match token.context.iter().collect::<Vec<_>>().as_slice() {
                [] => "anywhere".to_string(),
                words => format!("after \"{}\"", words.join(" ")),
            };
            lines.push(format!(
                "  {}: {} of {} {after}, p = {:.4}, {:.3} nats",
                token.token, token.count, token.of, token.p, token.nats
            ));
        }
        more(tokens.len(), listed, lines);
    }
    if let Some((value, evidence)) = evidence::<Perplexity<'_>>(found, "perplexity") {
        let unknown = match evidence.unknown.as_slice() {
            [] => "the corpus knows every word".to_string(),
            words => format!("not in the corpus: {}", words.join(", ")),
        };
        lines.push(format!("perplexity {value:.3} without the prompt; {unknown}"));
    }
}

fn more(all: usize, listed: usize, lines: &mut Vec<String>) {
    if all > listed {
        lines.push(format!("  … and {} more (-v lists all)", all - listed));
    }
}

fn tell_words(found: &AskedUnit<'_>, listed: usize, lines: &mut Vec<String>) {
    if let Some((value, evidence)) = evidence::<Ambiguity<'_>>(found, "ambiguity") {
        lines.push(format!("ambiguity {value:.3}: entropy of each word's company, widest first"));
        let mut words = evidence.words;
        words.sort_by(|a, b| b.entropy_nats.unwrap_or(0.0).total_cmp(&a.entropy_nats.unwrap_or(0.0)));
        words.dedup_by(|a, b| a.word == b.word);
        for word in words.iter().take(listed) {
            let company = match word.entropy_nats {
                None => "unknown, counts as 0".to_string(),
                Some(nats) => format!("{nats:.3} nats over {} neighbours", word.neighbours),
            };
            lines.push(format!("  {}: {company}", word.word));
        }
        more(words.len(), listed, lines);
    }
    if let Some((value, evidence)) = evidence::<Distinctiveness<'_>>(found, "distinctiveness") {
        lines.push(format!(
            "distinctiveness {value:.3}: words differ by {:.3} in their likeness to the prompt (mean {:.3})",
            evidence.raw, evidence.mean
        ));
        let mut words = evidence.words;
        words.sort_by(|a, b| b.mean_similarity.total_cmp(&a.mean_similarity));
        for word in words.iter().take(listed) {
            lines.push(format!(
                "  {}: {:.3}, nearest {} ({:.3})",
                word.word, word.mean_similarity, word.nearest, word.nearest_similarity
            ));
        }
        more(words.len(), listed, lines);
    }
}

fn tell_rest(found: &AskedUnit<'_>, lines: &mut Vec<String>) {
    if let Some((value, evidence)) = evidence::<Entropy>(found, "entropy") {
        lines.push(format!(
            "entropy {value:.3}: 0.3 · {:.3} nats of {} characters + 0.7 · {:.3} nats of {} words, doubled",
            evidence.char_entropy, evidence.chars, evidence.word_entropy, evidence.words
        ));
    }
    if let Some((value, evidence)) = evidence::<Coherence>(found, "coherence") {
        lines.push(format!("coherence {value:.3}: {} {:.3} with the prompt", evidence.source, evidence.raw));
    }
    if let Some((value, evidence)) = evidence::<Pacs>(found, "pacs") {
        let clipped = if evidence.saturated { ", clipped" } else { "" };
        lines.push(format!(
            "pacs {value:.3}: 0.7 · cosine {:.3} + {:.1} + {:.1} for the size of the profile{clipped}; nearest is text {} ({:.3})",
            evidence.cosine, evidence.base_boost, evidence.size_boost, evidence.nearest_profile, evidence.nearest_cosine
        ));
    }
}

/// The values of the other metrics, and the reasons of those without one.
fn tell_others(found: &AskedUnit<'_>, told: &[&str], lines: &mut Vec<String>) {
    let mut values = vec![];
    let mut reasons: Vec<(String, Vec<&str>)> = vec![];
    for row in found.rows {
        let Some(metric) = row["metric"].as_str() else { continue };
        let known = told.contains(&metric) && row["value"].is_f64();
        if known || metric.ends_with("_raw") || metric == "overall" {
            continue;
        }
        match (row["value"].as_f64(), row["undefined"].as_str()) {
            (Some(value), _) => values.push(format!("{metric} {value:.3}")),
            (None, Some(why)) => match reasons.iter_mut().find(|(reason, _)| reason == why) {
                Some((_, metrics)) => metrics.push(metric),
                None => reasons.push((why.to_string(), vec![metric])),
            },
            _ => {}
        }
    }
    if !values.is_empty() {
        lines.push(format!("also: {}", values.join(", ")));
    }
    for (why, metrics) in reasons {
        lines.push(format!("undefined ({why}): {}", metrics.join(", ")));
    }
    lines.push("one metric with all its evidence: --metric NAME".to_string());
}
