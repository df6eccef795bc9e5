//! What the columns and marks of the table mean.

use crate::compare::comparison::Comparison;

/// Gives the meaning of each column of the table for a terminal, one per line.
pub fn legend(comparison: &Comparison) -> Vec<String> {
    let alpha = comparison.signature.split('|').find_map(|part| part.strip_prefix("alpha:")).unwrap_or("0.05");
    let percent = comparison.interval_percent();
    let effect = match comparison.effect_name() {
        "d" => "the difference in standard deviations",
        "d_z" => "the difference in standard deviations of the differences",
        _ => "the difference in standard deviations (d_z: of the differences)",
    };
    let interval = format!("{percent} % interval");
    let lines = [
        ("verdict", format!("better or worse: the interval excludes 0 and p_adj is below {alpha}; else inconclusive")),
        ("n", "units that were compared (pairs, or baseline/experiment)".to_string()),
        ("mean_b, diff", "mean of the baseline; experiment minus baseline (mean_e is their sum)".to_string()),
        (interval.as_str(), format!("covers the true difference in {percent} of 100 such experiments")),
        ("p_adj", "the chance of a difference this large if there were none, corrected for all tests".to_string()),
        (comparison.effect_name(), effect.to_string()),
        ("1, a, …", "notes on how a row was tested; `verism compare` prints them".to_string()),
    ];
    lines.into_iter().map(|(name, meaning)| format!("  {name:<13}  {meaning}")).collect()
}
