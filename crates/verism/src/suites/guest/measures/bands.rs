//! Names for ranges of values, as the source gives them.

/// The band of a metric's value: lower edges belong to a band, the top is closed. Values are looked at rounded to 12
/// decimals.
pub(crate) fn band(metric: &str, value: f64) -> Option<&'static str> {
    let (edges, names): (&[f64], &[&'static str]) = match metric {
        "pas" => (&[0.5, 0.8], &["poor", "fair", "excellent"]),
        "bvs" => (&[0.3, 0.7], &["unnatural", "moderate", "natural"]),
        "ora" => (&[0.5, 0.9], &["deviating", "partial", "excellent"]),
        "crrs" => (&[0.5, 0.7, 0.85], &["poor", "acceptable", "good", "excellent"]),
        _ => return None,
    };
    let rounded = |x: f64| (x * 1e12).round();
    let place = edges.iter().filter(|edge| rounded(value) >= rounded(**edge)).count();
    Some(names[place])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_belong_to_the_upper_band() {
        for (metric, value, name) in [
            ("pas", 0.5, Some("fair")),
            ("pas", 0.8 - 1e-13, Some("excellent")),
            ("pas", 0.8 - 1e-11, Some("fair")),
            ("bvs", 0.0, Some("unnatural")),
            ("ora", 1.0, Some("excellent")),
            ("crrs", 0.7, Some("good")),
            ("crrs", 0.85, Some("excellent")),
            ("dei", 1.0, None),
        ] {
            assert_eq!(band(metric, value), name, "{metric} {value}");
        }
    }
}
