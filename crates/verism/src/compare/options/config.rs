//! Options from the table `[compare]` of a configuration file.

use crate::error::{Defect, Result};

/// Gives the table's entries as `key=value` pairs: lists with commas, tables such as `[compare.sesoi]` as `sesoi.NAME`.
pub fn pairs(text: &str, file: &str) -> Result<Vec<String>> {
    let wrong = |expected: String| Defect::new("bad_config", expected).file(file);
    let config: toml::Table =
        text.parse().map_err(|e: toml::de::Error| wrong(format!("valid TOML ({})", e.message())))?;
    let mut out = Vec::new();
    match config.get("compare") {
        None => {}
        Some(toml::Value::Table(table)) => {
            for (key, value) in table {
                push(key, value, &mut out).map_err(|expected| wrong(expected).field(format!("compare.{key}")))?;
            }
        }
        Some(_) => return Err(wrong("a table [compare]".to_string()).field("compare").into()),
    }
    Ok(out)
}

fn push(key: &str, value: &toml::Value, out: &mut Vec<String>) -> std::result::Result<(), String> {
    if let toml::Value::Table(table) = value {
        return table.iter().try_for_each(|(name, value)| push(&format!("{key}.{name}"), value, out));
    }
    let text = match value {
        toml::Value::Array(items) => items.iter().map(scalar).collect::<Option<Vec<String>>>().map(|all| all.join(",")),
        value => scalar(value),
    };
    out.push(format!("{key}={}", text.ok_or("a text, a number, true or false, or a list of them")?));
    Ok(())
}

fn scalar(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(_) | toml::Value::Float(_) | toml::Value::Boolean(_) => Some(value.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_says_what_the_command_line_says() {
        let text =
            "[compare]\nalpha = 0.01\nexperiments = [\"b\", \"a\"]\nlenient = true\n[compare.sesoi]\nora = 0.1\n";
        let mut found = pairs(text, "verism.toml").unwrap();
        found.sort();
        assert_eq!(found, ["alpha=0.01", "experiments=b,a", "lenient=true", "sesoi.ora=0.1"]);
        assert!(pairs("[suite.s]\nx = 1\n", "verism.toml").unwrap().is_empty());
    }

    #[test]
    fn what_is_no_table_is_refused() {
        for text in ["compare = 3", "[compare", "[compare]\nalpha = 1979-05-27"] {
            assert_eq!(pairs(text, "verism.toml").unwrap_err().defect().code, "bad_config");
        }
    }
}
