//! What the rows of a text, a batch or an experiment say, in words.
//!
//! `item`, `batch` and `agreement` put what a metric rests on into words, `plain` does so for metrics without words of their
//! own. `shown` finds the words of a text, `short` cuts what is too long for a screen.

mod agreement;
mod batch;
mod item;
mod overall;
mod plain;
mod short;
mod shown;

use serde::de::DeserializeOwned;

use self::short::clipped;
use crate::suites::records::AskedUnit;

/// Words and parts that are listed unless all are wanted.
const LISTED: usize = 5;

/// Metrics of a text that are told at length, in this order.
const OF_TEXT: [&str; 8] =
    ["overall", "surprisal", "perplexity", "ambiguity", "distinctiveness", "entropy", "coherence", "pacs"];
/// The same of a batch.
const OF_BATCH: [&str; 4] = ["distinct_2", "self_bleu_2", "overall_semantic_diversity", "intra_cluster_diversity"];

/// The evidence of a metric, if it has a value and can be read.
fn evidence<E: DeserializeOwned>(found: &AskedUnit<'_>, metric: &str) -> Option<(f64, E)> {
    let row = found.row(metric);
    Some((row["value"].as_f64()?, serde_json::from_value(row["evidence"].clone()).ok()?))
}

/// Tells what a unit's rows say.
pub(crate) fn tell(found: &AskedUnit<'_>, lines: &mut Vec<String>) {
    let metrics: &[&str] = match level(found) {
        "experiment" => return agreement::tell(found, found.rows.iter().collect(), lines),
        "batch" => &OF_BATCH,
        _ => &OF_TEXT,
    };
    lines.push(found.id.to_string());
    if level(found) == "item" {
        let batch = found.row("overall")["batch"].as_str();
        lines.push(batch.map_or("in no batch".to_string(), |batch| format!("in batch {batch}")));
        shown::tell(found, lines);
    }
    let listed = if found.in_full { usize::MAX } else { LISTED };
    let told: Vec<&str> = metrics.iter().copied().filter(|metric| in_words(found, metric, listed, lines)).collect();
    plain::others(found, &told, lines);
    lines.push("one metric with all its evidence: --metric NAME".to_string());
}

/// Tells a metric of a unit with all that its value rests on.
pub(crate) fn tell_metric(found: &AskedUnit<'_>, metric: &str, lines: &mut Vec<String>) {
    let rows = || found.rows.iter().filter(|row| row["metric"] == metric);
    if level(found) == "experiment" {
        return agreement::tell(found, rows().collect(), lines);
    }
    lines.push(found.id.to_string());
    if level(found) == "item" {
        shown::tell(found, lines);
    }
    let row = found.row(metric);
    match row["evidence"]["see"].as_str().filter(|_| row["value"].is_f64()) {
        Some(see) => {
            lines.push(format!("{}; what it rests on:", plain::value(row)));
            tell_evidence(found, see, lines);
        }
        None => tell_evidence(found, metric, lines),
    }
}

/// Tells a metric in words of its own, else by its row.
fn tell_evidence(found: &AskedUnit<'_>, metric: &str, lines: &mut Vec<String>) {
    if in_words(found, metric, usize::MAX, lines) {
        lines.push(format!("n = {}", found.row(metric)["n"]));
    } else {
        plain::tell(found.row(metric), lines);
    }
}

/// Whether a unit is an item, a batch or an experiment.
fn level<'f>(found: &AskedUnit<'f>) -> &'f str {
    found.rows.first().and_then(|row| row["level"].as_str()).unwrap_or_default()
}

/// Tells a metric that has words of its own; whether it did.
fn in_words(found: &AskedUnit<'_>, metric: &str, listed: usize, lines: &mut Vec<String>) -> bool {
    let told = match metric {
        "overall" => overall::tell(found, lines),
        "surprisal" => item::surprisal(found, listed, lines),
        "perplexity" => item::perplexity(found, listed, lines),
        "ambiguity" => item::ambiguity(found, listed, lines),
        "distinctiveness" => item::distinctiveness(found, listed, lines),
        "entropy" => item::entropy(found, lines),
        "coherence" => item::coherence(found, lines),
        "pacs" => item::pacs(found, lines),
        "kn_surprisal_nats" | "kn_nats" => item::kneser_ney(found, metric, listed, lines),
        "kao_ambiguity_bits" => item::kao(found, lines),
        "overall_semantic_diversity" => batch::diversity(found, lines),
        "intra_cluster_diversity" => batch::clusters(found, listed, lines),
        _ if metric.starts_with("distinct_") => batch::distinct(found, metric, listed, lines),
        _ if metric.starts_with("self_bleu_") => batch::self_bleu(found, metric, listed, lines),
        _ => None,
    };
    told.is_some()
}

/// Lists what there is of something, each on a line; how many are left out.
fn list(entries: impl ExactSizeIterator<Item = String>, listed: usize, lines: &mut Vec<String>) {
    let more = entries.len().saturating_sub(listed);
    lines.extend(entries.take(listed).map(|entry| format!("  {entry}")));
    if more > 0 {
        lines.push(format!("  … and {more} more (-v lists all)"));
    }
}

/// Some words on one line; how many are left out.
fn joined(words: &[&str], listed: usize) -> String {
    let shown: Vec<String> = words.iter().take(listed).map(|word| clipped(word)).collect();
    match words.len().saturating_sub(listed) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
