//! Options of a suite as they are given: `key=value` on the command line, or a table of the configuration file.

use std::collections::BTreeMap;
use std::path::Path;

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
#[serde(transparent)]
pub struct Options {
    pairs: Vec<(String, OptionValue)>,
    /// The configuration file that some of them come from, for messages.
    #[serde(skip)]
    config: Option<String>,
}

impl Options {
    /// Adds `key=value`.
    pub fn add(&mut self, pair: &str) -> Result<(), Defect> {
        let (key, value) = pair.split_once('=').ok_or_else(|| Defect::new("bad_option", "key=value").field(pair))?;
        self.pairs.push((key.to_string(), OptionValue::Text(value.to_string())));
        Ok(())
    }

    /// Adds the table `[suite.<id>]` of a configuration file, if it has one. Files that it names are looked for beside it first.
    pub fn add_config(&mut self, text: &str, file: &str, suite: &str) -> Result<(), Defect> {
        let wrong = |expected: String| Defect::new("bad_config", expected).file(file);
        let config: toml::Table = text.parse().map_err(|error: toml::de::Error| {
            let line = error.span().map(|span| text[..span.start].matches('\n').count() as u64 + 1);
            Defect { line, ..wrong(format!("valid TOML ({})", error.message())) }
        })?;
        let files = super::suite(suite).map_or(&[][..], |suite| suite.facts().files);
        let folder = Path::new(file).parent().unwrap_or(Path::new(""));
        match config.get("suite").and_then(|suites| suites.get(suite)) {
            None => Ok(()),
            Some(toml::Value::Table(table)) => {
                for (key, value) in table {
                    let mut value = value.clone();
                    if files.contains(&key.as_str()) {
                        move_beside(&mut value, folder);
                    }
                    self.pairs.push((key.clone(), OptionValue::Config(value)));
                }
                self.config = Some(file.to_string());
                Ok(())
            }
            Some(_) => Err(wrong(format!("a table [suite.{suite}]")).field(format!("suite.{suite}"))),
        }
    }

    /// Adds other options behind these, so that they win.
    pub fn extend(&mut self, others: &Options) {
        self.pairs.extend(others.pairs.iter().cloned());
    }

    /// Takes out the options with some names, for somebody else to read.
    pub fn take(&mut self, names: &[&str]) -> Options {
        let wanted = |(key, _): &(String, OptionValue)| names.contains(&key.as_str());
        let (taken, left) = std::mem::take(&mut self.pairs).into_iter().partition(wanted);
        self.pairs = left;
        Options { pairs: taken, config: self.config.clone() }
    }

    /// The options, where one of these that was typed puts aside all of them that come from the configuration.
    pub fn without_replaced(&self, names: &[&str]) -> Options {
        let is_typed = |value: &OptionValue| matches!(value, OptionValue::Text(_));
        let typed = self.iter().any(|(key, value)| names.contains(&key) && is_typed(value));
        let stays = |(key, value): &&(String, OptionValue)| !typed || !names.contains(&key.as_str()) || is_typed(value);
        Options { pairs: self.pairs.iter().filter(stays).cloned().collect(), config: self.config.clone() }
    }

    /// The options in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &OptionValue)> {
        self.pairs.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// A defect of an option, with the configuration file if the option comes from there.
    pub fn located(&self, given: &OptionValue, defect: Defect) -> Defect {
        match (given, &self.config, &defect.file) {
            (OptionValue::Config(_), Some(config), None) => defect.file(config),
            _ => defect,
        }
    }
}

/// A path or glob and its weight: `cards.csv*3` is `cards.csv` three times.
pub fn split_weight(text: &str) -> (&str, Option<&str>) {
    let is_weight = |weight: &str| !weight.is_empty() && weight.bytes().all(|byte| byte.is_ascii_digit());
    match text.rsplit_once('*') {
        Some((path, weight)) if is_weight(weight) => (path, Some(weight)),
        _ => (text, None),
    }
}

/// Paths beside the configuration for those that lead somewhere there; weights and globs stay.
fn move_beside(value: &mut toml::Value, folder: &Path) {
    match value {
        toml::Value::Array(items) => items.iter_mut().for_each(|item| move_beside(item, folder)),
        toml::Value::String(text) => {
            let moved: Vec<String> = text.split(',').map(|part| beside(part.trim(), folder)).collect();
            *text = moved.join(",");
        }
        _ => {}
    }
}

/// A path beside the configuration if there is something, else as it stands. A word without a dot or a slash is a name
/// (`flood`, `auto`, `builtin`), whatever folder is called so.
fn beside(path: &str, folder: &Path) -> String {
    if !path.contains(['.', '/', '\\']) {
        return path.to_string();
    }
    let (plain, _) = split_weight(path);
    let there = folder.join(plain);
    let is_there = match plain.contains('*') {
        true => glob::glob(&there.display().to_string()).is_ok_and(|mut found| found.next().is_some()),
        false => there.exists(),
    };
    let is_there = is_there && Path::new(path).is_relative();
    if is_there { folder.join(path).display().to_string() } else { path.to_string() }
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
    fn files_of_a_configuration_are_looked_for_beside_it() {
        let home = tempfile::tempdir().expect("a folder");
        for name in ["texts", "builtin"] {
            std::fs::create_dir(home.path().join(name)).expect("a folder");
        }
        std::fs::write(home.path().join("a.txt"), "x").expect("written");
        std::fs::write(home.path().join("texts/b.txt"), "x").expect("written");
        let at = |name: &str| home.path().join(name).display().to_string();
        let config = "[suite.humor]\ncorpus = [\"a.txt*3\", \"texts/*.txt\", \"texts/*.csv\", \"b.txt\", \"builtin\"]\nlabels = \"a.txt\"\nreading = \"a.txt\"\n";
        let mut options = Options::default();
        options.add_config(config, &at("verism.toml"), "humor").expect("a table");
        let list = |key: &str| options.iter().find(|(name, _)| *name == key).map(|(_, value)| value.list(key));
        let corpus = [at("a.txt*3"), at("texts/*.txt"), "texts/*.csv".into(), "b.txt".into(), "builtin".into()];
        assert_eq!(list("corpus"), Some(Ok(corpus.to_vec())));
        assert_eq!((list("labels"), list("reading")), (Some(Ok(vec![at("a.txt")])), Some(Ok(vec!["a.txt".into()]))));
    }

    #[test]
    fn digits_after_the_last_star_are_a_weight() {
        let found = ["a.txt*3", "*.txt*3", "*.txt", "a*", "a.txt"].map(split_weight);
        assert_eq!(found, [("a.txt", Some("3")), ("*.txt", Some("3")), ("*.txt", None), ("a*", None), ("a.txt", None)]);
    }

    #[test]
    fn what_is_typed_puts_aside_what_the_configuration_says_of_the_same() {
        let mut options = Options::default();
        options.add_config("[suite.s]\na = \"1\"\nb = \"2\"\nc = \"3\"\n", "verism.toml", "s").expect("a table");
        assert_eq!(options.without_replaced(&["a", "b"]), options);
        options.add("a=4").expect("a pair");
        let left = options.without_replaced(&["a", "b"]);
        assert_eq!(left.iter().map(|(key, value)| format!("{key}{}", value.text())).collect::<Vec<_>>(), ["c3", "a4"]);
    }

    #[test]
    fn what_is_no_pair_or_no_toml_is_refused() {
        assert_eq!(Options::default().add("rows").expect_err("refused").code, "bad_option");
        let refused = Options::default().add_config("[suite", "verism.toml", "s").expect_err("refused");
        let place = (refused.code.as_ref(), refused.file.as_deref(), refused.line);
        assert_eq!(place, ("bad_config", Some("verism.toml"), Some(1)));
    }
}
