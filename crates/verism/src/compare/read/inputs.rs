//! From arguments to a table: files, folders of scores, names for them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::compare::error::bad_option;
use crate::compare::options::Options;
use crate::compare::read::names::nfc;
use crate::compare::read::table::{Format, Reader, Table};
use crate::error::{Defect, Error, Result};
use crate::input::{Watch, hexadecimal};
use crate::score::manifest::{InputFacts, MANIFEST, one_share};

/// A score table on disk and the name its experiments get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The name that its experiments get.
    pub label: Option<String>,
    /// A score table, or a folder that holds one.
    pub path: PathBuf,
}

impl Input {
    /// Reads `NAME=PATH`; the name has no slash, and an existing file called so is a path.
    pub fn parse(argument: &str) -> Input {
        let named = argument.split_once('=').filter(|(name, path)| {
            !name.is_empty() && !path.is_empty() && !name.contains(['/', '\\']) && !Path::new(argument).exists()
        });
        match named {
            Some((name, path)) => Input { label: Some(nfc(name)), path: PathBuf::from(path) },
            None => Input { label: None, path: PathBuf::from(argument) },
        }
    }

    /// The file that holds the rows: in a folder `scores.jsonl`, else `scores.csv`.
    fn file(&self) -> PathBuf {
        let inside = ["scores.jsonl", "scores.csv"].map(|name| self.path.join(name));
        match self.path.is_dir() {
            true => inside.into_iter().find(|file| file.exists()).unwrap_or_else(|| self.path.clone()),
            false => self.path.clone(),
        }
    }

    /// How a folder's scores came about, if its manifest tells.
    fn origin(&self) -> Option<Origin> {
        let text = std::fs::read_to_string(self.path.join(MANIFEST)).ok()?;
        serde_json::from_str(&text).ok()
    }
}

/// What a comparison asks of a manifest.
#[derive(Deserialize)]
struct Origin {
    suite: String,
    signature: String,
    shard: Option<String>,
}

/// Gives the table of all inputs, ready to be compared.
pub(crate) fn read_inputs(inputs: &[Input], options: &Options, watch: &dyn Watch) -> Result<Table> {
    if inputs.is_empty() {
        return Err(Defect::new("no_input", "at least one score table or folder").into());
    }
    check_origins(inputs, options.mixed_signatures)?;
    let mut reader = Reader::watched(watch);
    let mut facts = vec![];
    for input in inputs {
        let path = input.file();
        let shown = path.display().to_string();
        let text = read_text(&path, &shown)?;
        watch.expect(text.len() as u64);
        let lines = path.extension().is_some_and(|extension| extension == "jsonl");
        let format = if lines { Format::JsonLines } else { Format::Csv };
        let add = || reader.add(&shown, &text, format, input.label.as_deref());
        let (sha256, ()) = rayon::join(|| hexadecimal(&Sha256::digest(&text)), add);
        if watch.stop() {
            return Err(Error::Interrupted);
        }
        facts.push(InputFacts { path: shown, bytes: text.len() as u64, sha256 });
    }
    if let Some(problem) = reader.first_problem().filter(|_| !options.lenient) {
        return Err(problem.defect().into());
    }
    if let Some(k) = options.factor {
        reader.along_factor(k).map_err(|problem| bad_option("factor", &k.to_string(), problem))?;
    }
    Ok(Table { inputs: facts, ..reader.finish() })
}

fn read_text(path: &Path, shown: &str) -> Result<String> {
    let unreadable = || Defect::new("unreadable", "a readable score table or a folder that holds one").file(shown);
    if path.is_dir() {
        return Err(unreadable().value("a folder without scores.jsonl and scores.csv").into());
    }
    let bytes = std::fs::read(path).map_err(|error| unreadable().value(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + memchr::memchr_iter(b'\n', valid).count() as u64;
        unreadable().line(line).value("bytes that are not UTF-8").into()
    })
}

/// Refuses shares, and folders that were scored differently unless that is allowed.
fn check_origins(inputs: &[Input], mixed: bool) -> Result<()> {
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    for input in inputs {
        let Some(Origin { suite, signature, shard }) = input.origin() else { continue };
        if let Some(shard) = shard {
            return Err(one_share(&input.path, &shard).into());
        }
        let first = known.entry(suite).or_insert_with(|| signature.clone());
        if *first != signature && !mixed {
            return Err(Defect::new("mixed_signatures", format!("scores with the signature {first}"))
                .file(input.path.display().to_string())
                .value(signature)
                .hint("score the folders alike, or pass --option mixed_signatures=true")
                .into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_paths_are_told_apart() {
        let parse = |text: &str| {
            let input = Input::parse(text);
            (input.label, input.path.display().to_string())
        };
        assert_eq!(parse("before=runs/a"), (Some("before".into()), "runs/a".into()));
        assert_eq!(parse("runs/a=b"), (None, "runs/a=b".into()));
        assert_eq!(parse("=x"), (None, "=x".into()));
    }
}
