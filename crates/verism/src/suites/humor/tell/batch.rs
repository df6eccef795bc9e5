//! What the measures of a batch rest on. Each gives nothing if its row has no value or other evidence.

use super::short::run;
use super::{evidence, list};
use crate::suites::humor::measures::batch::distinct::Distinct;
use crate::suites::humor::measures::batch::meaning::{Clusters, Diversity};
use crate::suites::humor::measures::batch::self_bleu::{Highest, SelfBleu};
use crate::suites::records::AskedUnit;

/// Tells which n-grams are repeated.
pub(super) fn distinct(found: &AskedUnit<'_>, metric: &str, listed: usize, lines: &mut Vec<String>) -> Option<()> {
    let (value, evidence) = evidence::<Distinct>(found, metric)?;
    let what = match metric {
        "distinct_1" => "words".to_string(),
        "distinct_2" => "word pairs".to_string(),
        _ => format!("{}-grams", metric.trim_start_matches("distinct_")),
    };
    lines.push(format!("{metric} {value:.3}: {} of {} {what} are different", evidence.unique, evidence.total));
    let repeated = evidence.repeated.iter().take(listed);
    lines.extend(
        repeated.map(|(n_gram, count, texts)| {
            format!("  \"{}\" {count} times, first in {}", run(n_gram), texts.join(", "))
        }),
    );
    Some(())
}

/// Tells which texts are most like others.
pub(super) fn self_bleu(found: &AskedUnit<'_>, metric: &str, listed: usize, lines: &mut Vec<String>) -> Option<()> {
    let (value, evidence) = evidence::<SelfBleu>(found, metric)?;
    let skipped = match evidence.skipped {
        0 => String::new(),
        skipped => format!(", {skipped} without words left out"),
    };
    lines.push(format!("{metric} {value:.3} over {} texts{skipped}; most like others", evidence.texts));
    lines.extend(evidence.highest.iter().take(listed).map(|text| format!("  {}", alike(text))));
    Some(())
}

fn alike(text: &Highest) -> String {
    let near = match (&text.nearest, &text.shared) {
        (Some(nearest), Some(shared)) => format!(", shares \"{}\" with {nearest}", run(shared)),
        _ => String::new(),
    };
    format!("{}: {:.3}{near}", text.id, text.bleu)
}

/// Tells which texts are nearest in meaning.
pub(super) fn diversity(found: &AskedUnit<'_>, lines: &mut Vec<String>) -> Option<()> {
    let (value, evidence) = evidence::<Diversity>(found, "overall_semantic_diversity")?;
    let [a, b] = &evidence.closest;
    let cosine = evidence.closest_cosine;
    lines.push(format!("overall_semantic_diversity {value:.3}; nearest in meaning: {a} and {b} (cosine {cosine:.3})"));
    Some(())
}

/// Tells how the texts group; if all is wanted, also the other groupings and where each text belongs.
pub(super) fn clusters(found: &AskedUnit<'_>, listed: usize, lines: &mut Vec<String>) -> Option<()> {
    let (value, evidence) = evidence::<Clusters>(found, "intra_cluster_diversity")?;
    let sizes = |sizes: &[u64]| sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    let chosen = evidence.tried.iter().find(|tried| tried.k == evidence.k);
    let of = chosen.map(|tried| sizes(&tried.sizes)).unwrap_or_default();
    lines.push(format!("intra_cluster_diversity {value:.3}: {} clusters of {of} texts", evidence.k));
    if listed == usize::MAX {
        let tried = evidence.tried.iter().map(|tried| {
            let silhouette = tried.silhouette.map_or("none".to_string(), |silhouette| format!("{silhouette:.3}"));
            format!(
                "{} clusters of {}: silhouette {silhouette}, inertia {:.3}",
                tried.k,
                sizes(&tried.sizes),
                tried.inertia
            )
        });
        list(tried, listed, lines);
        let labels: Vec<String> = evidence.labels.iter().map(u32::to_string).collect();
        lines.push(format!("  the cluster of each text: {}", labels.join(", ")));
    }
    Some(())
}
