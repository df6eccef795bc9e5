//! Why a line is no JSON, for people.

use serde_json::Value;
use serde_json::error::Category;

/// What to do about records that do not stand on one line each.
pub const ONE_PER_LINE: &str =
    "each line holds one JSON object; `jq -c .` brings records onto lines, `jq -c '.[]'` those of a list";

/// What keeps a line from being JSON, and the way out.
pub fn why_not(line: &str) -> Option<String> {
    let error = serde_json::from_str::<Value>(line).err()?;
    if error.classify() == Category::Eof {
        return Some(format!("it ends before it is complete; {ONE_PER_LINE}"));
    }
    let column = error.column();
    let from = |back: usize| line.get(column.saturating_sub(back)..).unwrap_or_default();
    let stands_there = |word: &&str| (1..=2).any(|back| from(back).starts_with(word));
    if let Some(word) = ["NaN", "Infinity"].into_iter().find(stands_there) {
        return Some(format!("column {column}: JSON has no {word}; write null, or leave the field out"));
    }
    let said = error.to_string();
    let said = said.split(" at line ").next().unwrap_or_default();
    Some(format!("column {column}: {said}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_told_with_its_column() {
        let told = |line: &str| why_not(line).unwrap_or_default();
        assert!(told(r#"{"id":"b","embedding":[NaN,1]}"#).contains("JSON has no NaN"));
        assert!(told(r#"{"x":-Infinity}"#).contains("JSON has no Infinity"));
        assert!(told(r#"{"x":1e999}"#).contains("out of range"));
        assert!(told(r#"{"x":"\ud800"}"#).contains("escape"));
        assert!(told("{'x': 1}").starts_with("column 2: "));
        assert!(told("{").contains("jq -c"));
        assert!(told("[").contains("jq -c '.[]'"));
        assert!(told("{\"x\":\"é\" NaN}").starts_with("column "));
        assert_eq!(why_not("{}"), None);
    }
}
