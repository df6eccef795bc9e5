//! The fallback of PAS: what a persona's prose alone lets one expect.

use crate::suites::guest::record::vocabulary::Field;
use crate::text::fold::{collapse_blanks, fold, holds_word};

/// A type of guest: words that name it and what it should do, in points of 100.
#[derive(Debug)]
pub(crate) struct Archetype {
    pub(crate) name: &'static str,
    keywords: &'static [&'static str],
    pub(crate) rules: &'static [Rule],
}

/// Points for a field that holds one of some values.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) points: u32,
    pub(crate) field: Field,
    pub(crate) accepted: &'static [&'static str],
}

const fn rule(points: u32, field: Field, accepted: &'static [&'static str]) -> Rule {
    Rule { points, field, accepted }
}

/// The archetypes; the first that fits counts.
const ARCHETYPES: &[Archetype] = &[
    Archetype {
        name: "busy_professional",
        keywords: &[
            "busy professional",
            "busy professionals",
            "efficient",
            "efficiently",
            "efficiency",
            "바쁜 직장인",
            "효율적",
        ],
        rules: &[
            rule(33, Field::Ordering, &["all_at_once"]),
            rule(33, Field::Exploration, &["does_not_explore_menu"]),
            rule(34, Field::Mood, &["casual", "frustrated"]),
        ],
    },
    Archetype {
        name: "curious_explorer",
        keywords: &["curious", "curiosity", "explorer", "explorers", "adventurous", "호기심", "모험"],
        rules: &[rule(50, Field::Exploration, &["explores_menu"]), rule(50, Field::Mood, &["enthusiastic", "casual"])],
    },
    Archetype {
        name: "indecisive",
        keywords: &["indecisive", "indecision", "uncertain", "우유부단", "망설"],
        rules: &[rule(50, Field::Ordering, &["one_by_one"]), rule(50, Field::Mood, &["confused", "casual"])],
    },
    Archetype {
        name: "family_group",
        keywords: &["family", "families", "group", "groups", "가족", "단체"],
        rules: &[rule(50, Field::Ordering, &["one_by_one"]), rule(50, Field::Exploration, &["explores_menu"])],
    },
];

/// The first archetype that a text names, and all keywords found in it, sorted.
pub(crate) fn find(text: &str) -> Option<(&'static Archetype, Vec<&'static str>)> {
    let words = collapse_blanks(&fold(text));
    // Korean particles follow the word they belong to.
    let holds = |keyword: &str| holds_word(&words, keyword, !keyword.is_ascii());
    let mut keywords = vec![];
    let mut first = None;
    for archetype in ARCHETYPES {
        let found = keywords.len();
        keywords.extend(archetype.keywords.iter().filter(|keyword| holds(keyword)));
        if keywords.len() > found {
            first.get_or_insert(archetype);
        }
    }
    keywords.sort_unstable();
    first.map(|archetype| (archetype, keywords))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_archetype_of_the_table_counts() {
        // Worked example 5 of the specification.
        let (archetype, keywords) = find("An efficient but Curious guest").expect("an archetype");
        assert_eq!((archetype.name, keywords), ("busy_professional", vec!["curious", "efficient"]));
    }

    #[test]
    fn keywords_are_whole_words_and_particles_may_follow_korean_ones() {
        assert!(find("inefficient and incurious").is_none());
        assert_eq!(find("busy\n  professionals").map(|(found, _)| found.name), Some("busy_professional"));
        assert_eq!(find("호기심이 많은 손님").map(|(found, _)| found.name), Some("curious_explorer"));
        assert!(find("").is_none());
    }

    #[test]
    fn the_points_of_an_archetype_are_one_hundred() {
        assert!(ARCHETYPES.iter().all(|archetype| archetype.rules.iter().map(|rule| rule.points).sum::<u32>() == 100));
    }
}
