//! How the published program reads the fields of a record: by substrings, without word borders.

use crate::suites::adaptation::pack::Pack;
use crate::suites::adaptation::row::{Flag, FoundBy, Label, Labels, LogRow, Marks, NONE, Source, States};
use crate::text::normalize::trim;

/// The fields of a record by column name; none if the record has no such field.
pub(crate) type Fields<'a> = &'a dyn Fn(&str) -> Option<&'a str>;

/// What the published program makes of a record of a group.
pub(crate) fn read(pack: &Pack, group: &str, fields: Fields<'_>) -> LogRow {
    let ungoverned = group == "Group_A";
    let label = |name: &str| pack.actions.iter().position(|action| action.id == name).map_or(pack.other(), |i| i as u8);
    let text = |column: &str| fields(column).unwrap_or("");
    let action = if ungoverned { decision(text("decision")) } else { yearly(text("yearly_decision")) };
    let action = action.map_or(NONE, label);
    let intent = if ungoverned { stated(text("raw_llm_decision")).map_or(action, label) } else { action };
    let level = |name: &str| pack.constructs[0].levels.iter().position(|level| level == name).map(|i| i as u8);
    let mut labels = Labels::default();
    for (construct, (name, source)) in
        [threat(text("threat_appraisal")), coping(text("coping_appraisal"))].into_iter().enumerate()
    {
        labels.set(construct, Label { level: level(name), source });
    }
    let flag = |column: &str| trim(text(column)).to_lowercase() == "true";
    let mut after = States::default();
    for (i, state) in pack.states.iter().enumerate() {
        let unknown = state.id == "has_insurance" && text(&state.column).is_empty();
        after.set(i, if unknown { Flag::Unknown } else { Flag::of(Some(flag(&state.column))) });
    }
    let intervened = Flag::of(Some(flag("governance_intervention")));
    LogRow {
        year: 0,
        line: 0,
        retries: retries(trim(text("retry_count"))),
        labels,
        cell: 0,
        agent: 0,
        file: 0,
        cues: 0,
        after,
        action,
        intent,
        proposed: NONE,
        marks: Marks::new(FoundBy::V6, false, intervened),
    }
}

/// States before an agent's first row: the program takes flags for false.
pub(crate) fn before_first(pack: &Pack) -> States {
    let mut states = States::default();
    for (i, state) in pack.states.iter().enumerate() {
        states.set(i, if state.id == "has_insurance" { Flag::Unknown } else { Flag::False });
    }
    states
}

fn decision(cell: &str) -> Option<&'static str> {
    let cell = trim(cell).to_lowercase();
    if cell.is_empty() || cell == "already relocated" {
        return None;
    }
    let needles = [
        ("both", "both"),
        ("insurance", "insurance"),
        ("elevat", "elevation"),
        ("relocat", "relocate"),
        ("nothing", "do_nothing"),
    ];
    Some(needles.iter().find(|(needle, _)| cell.contains(needle)).map_or("other", |(_, label)| label))
}

fn yearly(cell: &str) -> Option<&'static str> {
    match trim(cell).to_lowercase().as_str() {
        "" | "n/a" | "relocated" => None,
        "buy_insurance" => Some("insurance"),
        "elevate_house" => Some("elevation"),
        "relocate" => Some("relocate"),
        "do_nothing" => Some("do_nothing"),
        _ => Some("other"),
    }
}

fn stated(cell: &str) -> Option<&'static str> {
    let cell = trim(cell).to_lowercase();
    if cell.contains("elevat") {
        return Some(if cell.contains("both") { "both" } else { "elevation" });
    }
    if cell.contains("insur") {
        return Some("insurance");
    }
    if cell.contains("relocat") {
        return Some("relocate");
    }
    (cell.contains("do nothing") || cell == "nothing").then_some("do_nothing")
}

/// The first of VH, VL, H, L, M that stands between word borders in the upper-cased text.
fn token(text: &str) -> Option<&'static str> {
    let upper = trim(text).to_uppercase();
    let bordered = |found: usize, length: usize| {
        let before = upper[..found].chars().next_back();
        let after = upper[found + length..].chars().next();
        !before.is_some_and(is_border_word) && !after.is_some_and(is_border_word)
    };
    ["VH", "VL", "H", "L", "M"]
        .into_iter()
        .find(|token| upper.match_indices(token).any(|(found, _)| bordered(found, token.len())))
}

/// A word character as the program's regular expressions know it: letters, numbers and `_`, but no marks.
fn is_border_word(c: char) -> bool {
    use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};
    c == '_' || matches!(c.general_category_group(), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number)
}

fn any(text: &str, needles: &[&str]) -> bool {
    needles.iter().any(|needle| text.contains(needle))
}

fn threat(text: &str) -> (&'static str, Source) {
    if let Some(token) = token(text) {
        return (token, Source::Token);
    }
    let low = text.to_lowercase();
    let high = ["extreme", "severe", "catastrophic", "high risk", "very high", "dangerous", "afraid", "worried"];
    if any(&low, &high) {
        return ("H", Source::Keyword);
    }
    let unnegated = |needle: &str| low.match_indices(needle).any(|(at, _)| !negated(&low[..at]));
    if ["low", "minimal", "unlikely", "safe", "no risk"].into_iter().any(unnegated) {
        return ("L", Source::Keyword);
    }
    ("M", Source::Default)
}

/// Whether one of the last twenty characters' words negates what follows.
fn negated(before: &str) -> bool {
    let from = before.char_indices().rev().nth(19).map_or(0, |(i, _)| i);
    let negators = ["not", "no", "never", "hardly", "rarely", "without"];
    before[from..].split(crate::text::normalize::is_blank).any(|word| negators.contains(&word))
}

fn coping(text: &str) -> (&'static str, Source) {
    if let Some(token) = token(text) {
        return (token, Source::Token);
    }
    let low = text.to_lowercase();
    let weak = [
        "very low coping",
        "lack of confidence",
        "not confident",
        "unable",
        "cannot",
        "can't",
        "limited ability",
        "hampered",
        "insufficient resources",
        "low self-efficacy",
        "low confidence",
    ];
    let strong = [
        "very high coping",
        "high self-efficacy",
        "confident",
        "high confidence",
        "capable",
        "can manage",
        "can cope",
        "able to",
        "prepared",
        "sufficient resources",
    ];
    match () {
        () if any(&low, &weak) => ("L", Source::Keyword),
        () if any(&low, &strong) => ("H", Source::Keyword),
        () => ("M", Source::Default),
    }
}

/// A retry count: a decimal number cut towards zero; whatever cannot be read or is negative counts 0. From 2^64 on it is
/// the largest number, which is not a count.
fn retries(text: &str) -> u64 {
    let plain = ascii_digits(text);
    let number = plain.as_deref().and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
    if number.is_finite() && number > 0.0 { number as u64 } else { 0 }
}

/// A whole number as the program reads years: blanks around, `_` between digits, any decimal digits; empty is 0.
pub(crate) fn year(text: &str) -> Option<i64> {
    if text.is_empty() {
        return Some(0);
    }
    let plain = ascii_digits(trim(text))?;
    let digits = plain.strip_prefix(['+', '-']).unwrap_or(&plain);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    plain.parse().ok()
}

/// The text with decimal digits of all scripts as ASCII and without `_` between digits; none if a `_` stands elsewhere.
fn ascii_digits(text: &str) -> Option<String> {
    let chars: Vec<char> = text.chars().map(|c| digit(c).map_or(c, |d| char::from(b'0' + d))).collect();
    let mut out = String::with_capacity(chars.len());
    for (i, &c) in chars.iter().enumerate() {
        if c != '_' {
            out.push(c);
        } else if i == 0 || !chars[i - 1].is_ascii_digit() || !chars.get(i + 1).is_some_and(char::is_ascii_digit) {
            return None;
        }
    }
    Some(out)
}

/// The value of a decimal digit of any script: they stand in runs of ten that begin at zero.
fn digit(c: char) -> Option<u8> {
    use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
    if c.is_ascii_digit() {
        return Some(c as u8 - b'0');
    }
    let decimal =
        |code: u32| char::from_u32(code).is_some_and(|c| c.general_category() == GeneralCategory::DecimalNumber);
    if c.is_ascii() || !decimal(c as u32) {
        return None;
    }
    let mut start = c as u32;
    while decimal(start - 1) {
        start -= 1;
    }
    Some(((c as u32 - start) % 10) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_as_python_reads_them() {
        // CPython 3.11: int(text) for each; None where it raises ValueError.
        for (text, value) in [
            ("3", Some(3)),
            (" 3\n", Some(3)),
            ("1_000", Some(1000)),
            ("_1", None),
            ("1__0", None),
            ("+7", Some(7)),
            ("-2", Some(-2)),
            ("3.0", None),
            ("٣", Some(3)),
            ("𝟗", Some(9)),
            ("", Some(0)),
            (" ", None),
        ] {
            assert_eq!(year(text), value, "{text:?}");
        }
    }

    #[test]
    fn retries_are_cut_towards_zero() {
        for (text, value) in [
            ("2.9", 2),
            ("-1", 0),
            ("nan", 0),
            ("inf", 0),
            ("x", 0),
            ("", 0),
            ("1e2", 100),
            ("1_0", 10),
            ("1e30", u64::MAX),
        ] {
            assert_eq!(retries(text), value, "{text:?}");
        }
    }

    #[test]
    fn labels_by_substring() {
        assert_eq!(threat("I'm fine"), ("M", Source::Token)); // the known flaw: I'M holds a bordered M
        assert_eq!(threat("below the dam"), ("L", Source::Keyword));
        assert_eq!(threat("not a low place"), ("M", Source::Default));
        assert_eq!(threat("severe"), ("H", Source::Keyword));
        assert_eq!(coping("unprepared"), ("H", Source::Keyword));
        assert_eq!(decision("Both FI and HE"), Some("both"));
        assert_eq!(stated("Unknown"), None);
    }
}
