//! What `overall` is the sum of.

use super::evidence;
use crate::suites::humor::measures::item::overall::{Contributions, Overall};
use crate::suites::records::AskedUnit;

/// Tells the terms of the sum with their weights, or which parts are missing.
pub(super) fn tell(found: &AskedUnit<'_>, lines: &mut Vec<String>) -> Option<()> {
    let Some((value, overall)) = evidence::<Overall>(found, "overall") else { return missing(found, lines) };
    let Contributions { surprisal, kao, information, coherence, creativity } = overall.contributions?;
    let part = |name: &str| overall.components.get(name).copied().flatten().unwrap_or(0.0);
    lines.push(format!("overall {value:.3} of 10, the sum of"));
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
    Some(())
}

/// Tells which parts are missing, and why.
fn missing(found: &AskedUnit<'_>, lines: &mut Vec<String>) -> Option<()> {
    let overall: Overall = serde_json::from_value(found.row("overall")["evidence"].clone()).ok()?;
    let parts: Vec<String> = overall.missing?.iter().map(|(part, why)| format!("{part} ({why})")).collect();
    lines.push(format!("overall is undefined, since parts are missing: {}", parts.join(", ")));
    Some(())
}
