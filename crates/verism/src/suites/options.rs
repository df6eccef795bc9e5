//! Options of a suite as they are given: `key=value` on the command line, or a table of the configuration file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::Defect;

/// A value as given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum OptionValue {
    /// The text after `key=`.
    Text(String),
    /// A value of the configuration file.
    Config(toml::Value),
}

fn bad(key: &str, value: &str, expected: &str) -> Defect {
    Defect::new("bad_option", expected).field(key).value(value)
}

impl OptionValue {
    /// The value as text.
    pub fn text(&self) -> String {
        match self {
            OptionValue::Text(text) | OptionValue::Config(toml::Value::String(text)) => text.clone(),
            OptionValue::Config(value) => value.to_string(),
        }
    }

    /// The value as a list: `a,b`, or a list of texts.
    pub fn list(&self, key: &str) -> Result<Vec<String>, Defect> {
        if let OptionValue::Config(toml::Value::Array(items)) = self {
            let text = |item: &toml::Value| item.as_str().map(String::from);
            let texts: Option<Vec<String>> = items.iter().map(text).collect();
            return texts.ok_or_else(|| bad(key, &self.text(), "a list of texts"));
        }
        Ok(self.text().split(',').map(|x| x.trim().to_string()).filter(|x| !x.is_empty()).collect())
    }

    /// The value as pairs: `a:b,c:d`, each split at its last colon, or a table of texts and numbers.
    pub fn pairs(&self, key: &str) -> Result<BTreeMap<String, String>, Defect> {
        let wrong = || bad(key, &self.text(), "name:value,...");
        if let OptionValue::Config(toml::Value::Table(table)) = self {
            let pair = |(k, v): (&String, &toml::Value)| match v {
                toml::Value::String(text) => Some((k.clone(), text.clone())),
                toml::Value::Integer(_) | toml::Value::Float(_) => Some((k.clone(), v.to_string())),
                _ => None,
            };
            return table.iter().map(pair).collect::<Option<_>>().ok_or_else(wrong);
        }
        let pair = |part: String| {
            let (name, value) = part.rsplit_once(':').ok_or_else(wrong)?;
            Ok((name.trim().to_string(), value.trim().to_string()))
        };
        self.list(key)?.into_iter().map(pair).collect()
    }

    /// The value as a yes or no.
    pub fn flag(&self, key: &str) -> Result<bool, Defect> {
        match self.text().as_str() {
            "true" => Ok(true),
            "false" => Ok(false),
            other => Err(bad(key, other, "true or false")),
        }
    }
}

/// Options in the order given; later ones win.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Options(Vec<(String, OptionValue)>);

impl Options {
    /// Adds `key=value`.
    pub fn add(&mut self, pair: &str) -> Result<(), Defect> {
        let (key, value) = pair.split_once('=').ok_or_else(|| Defect::new("bad_option", "key=value").field(pair))?;
        self.0.push((key.to_string(), OptionValue::Text(value.to_string())));
        Ok(())
    }

    /// Adds the table `[suite.<id>]` of a configuration file, if it has one.
    pub fn add_config(&mut self, text: &str, file: &str, suite: &str) -> Result<(), Defect> {
        let wrong = |expected: String| Defect::new("bad_config", expected).file(file);
        let config: toml::Table =
            text.parse().map_err(|e: toml::de::Error| wrong(format!("valid TOML ({})", e.message())))?;
        match config.get("suite").and_then(|suites| suites.get(suite)) {
            None => Ok(()),
            Some(toml::Value::Table(table)) => {
                self.0.extend(table.iter().map(|(key, value)| (key.clone(), OptionValue::Config(value.clone()))));
                Ok(())
            }
            Some(_) => Err(wrong(format!("a table [suite.{suite}]")).field(format!("suite.{suite}"))),
        }
    }

    /// Adds other options behind these, so that they win.
    pub fn extend(&mut self, others: &Options) {
        self.0.extend(others.0.iter().cloned());
    }

    /// Takes out the options with some names, for somebody else to read.
    pub fn take(&mut self, names: &[&str]) -> Options {
        let (taken, left) = std::mem::take(&mut self.0).into_iter().partition(|(key, _)| names.contains(&key.as_str()));
        self.0 = left;
        Options(taken)
    }

    /// The options in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &OptionValue)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_and_the_file_say_the_same() {
        let mut options = Options::default();
        options.add("models=a, b").expect("a pair");
        options.add("formats=G:x,H:y").expect("a pair");
        let config = "[suite.s]\nmodels = [\"a\", \"b\"]\nformats = { G = \"x\", H = \"y\" }\nrows = true\nn = 3\n";
        options.add_config(config, "verism.toml", "s").expect("a table");
        let all: Vec<_> = options.iter().collect();
        assert_eq!(all[0].1.list("models"), all[2].1.list("models"));
        assert_eq!(all[1].1.pairs("formats"), all[3].1.pairs("formats"));
        assert_eq!(all[4].1.flag("rows"), Ok(true));
        assert_eq!(all[5].1.text(), "3");
    }

    #[test]
    fn what_is_no_pair_or_no_toml_is_refused() {
        assert_eq!(Options::default().add("rows").expect_err("refused").code, "bad_option");
        let refused = Options::default().add_config("[suite", "verism.toml", "s").expect_err("refused");
        assert_eq!((refused.code.as_ref(), refused.file.as_deref()), ("bad_config", Some("verism.toml")));
    }
}
