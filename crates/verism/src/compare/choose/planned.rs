//! Facts about suites that are specified and not yet in the registry, so that scores written elsewhere can be compared.
//!
//! An entry goes when its suite enters the registry, which then says the same.

use crate::compare::choose::facts::{MetricFacts, SuiteFacts};
use crate::stats::verdict::Direction;

/// What a comparison needs to know of a suite.
struct Planned {
    suite: &'static str,
    /// Headline metrics by home level.
    headline: &'static [(&'static str, &'static str)],
    /// Metrics of which less is better, and those that only describe; the rest is better higher.
    lower: &'static str,
    neither: &'static str,
    /// Further metrics with a home level of their own.
    others: &'static [(&'static str, &'static str)],
    rows_match: bool,
}

const PLANNED: &[Planned] = &[
    Planned {
        suite: "clinical",
        headline: &[("turn", "answered sfs csp cus ass aggregate")],
        lower: "csp csp* perplexity",
        neither: "",
        others: &[],
        rows_match: true,
    },
    Planned {
        suite: "recommender",
        headline: &[(
            "dialogue",
            "tas tas_expressed recovery_rate recovery_delay_restricted focus_item leakage fidelity",
        )],
        lower: "recovery_delay_restricted leakage i missing_per_turn",
        neither: "recovery_delay coverage user_coverage hallucinated_per_turn",
        others: &[("shift", "recovered")],
        rows_match: false,
    },
    Planned {
        suite: "humor",
        headline: &[
            ("item", "surprisal ambiguity distinctiveness coherence pacs overall"),
            ("batch", "distinct_2 self_bleu_2 overall_semantic_diversity"),
        ],
        lower: "self_bleu_2 self_bleu_* compression_ratio self_repetition corpus_copy",
        neither: "perplexity entropy kn_* cluster_coherence",
        others: &[],
        rows_match: false,
    },
];

/// Gives what is known of a planned suite.
pub(crate) fn planned(suite: &str) -> Option<SuiteFacts> {
    PLANNED.iter().find(|known| known.suite == suite).map(Planned::facts)
}

impl Planned {
    fn facts(&self) -> SuiteFacts {
        let direction = |id: &str| match id {
            _ if self.lower.split_whitespace().any(|word| word == id) => Direction::Lower,
            _ if self.neither.split_whitespace().any(|word| word == id) => Direction::None,
            _ => Direction::Higher,
        };
        let mut metrics: Vec<MetricFacts> = Vec::new();
        for (headline, levels) in [(true, self.headline), (false, self.others)] {
            for (level, ids) in levels {
                metrics.extend(ids.split_whitespace().map(|id| MetricFacts {
                    id,
                    headline,
                    home_level: Some(level),
                    direction: direction(id),
                    range: (None, None),
                }));
            }
        }
        for id in self.lower.split_whitespace().chain(self.neither.split_whitespace()) {
            if !metrics.iter().any(|known| known.id == id) {
                metrics.push(MetricFacts {
                    id,
                    headline: false,
                    home_level: None,
                    direction: direction(id),
                    range: (None, None),
                });
            }
        }
        SuiteFacts { metrics, rows_match: self.rows_match }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::SUITES;

    #[test]
    fn no_suite_is_both_planned_and_registered() {
        let registered: Vec<&str> = SUITES.iter().map(|suite| suite.facts().id).collect();
        for known in PLANNED {
            assert!(!registered.contains(&known.suite), "{}: its entry here goes", known.suite);
        }
    }

    // The table of section 3 of the statistics specification.
    #[test]
    fn levels_and_directions_are_those_of_the_specification() {
        let humor = planned("humor").unwrap();
        let metric = |id| humor.metric(id).unwrap();
        assert_eq!((metric("self_bleu_2").home_level, metric("pacs").home_level), (Some("batch"), Some("item")));
        assert_eq!(
            (metric("self_bleu_2").direction, metric("self_bleu_4").direction),
            (Direction::Lower, Direction::Lower)
        );
        assert!(planned("clinical").unwrap().rows_match && planned("demo").is_none());
    }
}
