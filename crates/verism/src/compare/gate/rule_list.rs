//! Rules from files: one per line, or from the table `[gate]` of a configuration.

use super::rule::Rule;
use crate::error::{Defect, Error, Result};

/// Reads one rule per line; blank lines and what follows a `#` at the start of a line are passed over.
pub fn rules_of_text(text: &str, file: &str) -> Result<Vec<Rule>> {
    let lines = (1..).zip(text.trim_start_matches('\u{feff}').lines());
    let rules = lines.filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    rules.map(|(number, line)| Rule::parse(line).map_err(|error| at(error, file, Some(number)))).collect()
}

/// Reads the list `rules` of the table `[gate]`; none where there is no such table.
pub fn rules_of_config(text: &str, file: &str) -> Result<Vec<Rule>> {
    let wrong = |expected: String| Defect::new("bad_config", expected).file(file);
    let config: toml::Table =
        text.parse().map_err(|e: toml::de::Error| wrong(format!("valid TOML ({})", e.message())))?;
    let Some(gate) = config.get("gate") else { return Ok(vec![]) };
    let expected = || wrong("a table [gate] with a list of texts, rules = [\"coverage >= 0.95\"]".into()).field("gate");
    let table = gate.as_table().ok_or_else(expected)?;
    if let Some(key) = table.keys().find(|key| *key != "rules") {
        return Err(wrong("the key rules".into())
            .field(format!("gate.{key}"))
            .value(key)
            .did_you_mean(["rules"])
            .into());
    }
    let rules = table.get("rules").map(|list| list.as_array().ok_or_else(expected)).transpose()?;
    let texts = rules.into_iter().flatten().map(|rule| rule.as_str().ok_or_else(expected));
    texts.map(|text| Rule::parse(text?).map_err(|error| at(error, file, None))).collect()
}

/// The same error with its place.
fn at(error: Error, file: &str, line: Option<u64>) -> Error {
    let mut defect = error.defect();
    defect.file = Some(file.to_string());
    defect.line = line;
    defect.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_hold_rules_and_a_bad_one_knows_its_line() {
        let rules = rules_of_text("# what counts\n\ncoverage >= 0.95\n  m >= 1\n", "rules.txt").unwrap();
        assert_eq!(rules.iter().map(|rule| rule.text.as_str()).collect::<Vec<_>>(), ["coverage >= 0.95", "m >= 1"]);
        let error = rules_of_text("m >= 1\nm\n", "rules.txt").unwrap_err().defect();
        assert_eq!((error.file.as_deref(), error.line), (Some("rules.txt"), Some(2)));
        let rules = rules_of_config("[gate]\nrules = [\"m >= 1\"]\n", "verism.toml").unwrap();
        assert_eq!(rules[0].text, "m >= 1");
        assert!(rules_of_config("[compare]\n", "verism.toml").unwrap().is_empty());
        for text in ["gate = 1", "[gate]\nrules = \"m >= 1\"", "[gate]\nrule = []", "[gate]\nrules = [\"m\"]"] {
            assert!(rules_of_config(text, "verism.toml").is_err(), "{text}");
        }
    }
}
