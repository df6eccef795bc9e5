//! The manifest of a result: what was scored, how, from which bytes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::contents::FileFacts;
use crate::error::{Defect, Error, Result};

/// Its file name.
pub const MANIFEST: &str = "manifest.json";

/// An input file as it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputFacts {
    /// Path as given, `-` for standard input.
    pub path: String,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 of the bytes, in hexadecimal.
    pub sha256: String,
}

/// Everything needed to say how a result came about. It holds no times and no host names: it is reproducible too.
#[derive(Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// Always `verism`; marks a folder as ours.
    pub tool: String,
    /// The program's version.
    pub version: String,
    /// Suite id.
    pub suite: String,
    /// The one string that identifies how scores came about.
    pub signature: String,
    /// `i/n` if this folder holds one shard only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shard: Option<String>,
    /// Every option in force.
    pub options: Box<RawValue>,
    /// The inputs in the order in which they count.
    pub inputs: Vec<InputFacts>,
    /// Sizes of the parts of the result.
    pub counts: BTreeMap<String, u64>,
    /// What became of every unit.
    pub ledger: Box<RawValue>,
    /// Why the scores may not mean what they seem to.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub cautions: Vec<String>,
    /// The files of the folder, all but this one and the timings.
    #[serde(default)]
    pub files: Vec<FileFacts>,
}

impl Manifest {
    /// Reads the manifest of a result folder.
    pub fn read(folder: &Path) -> Result<Manifest> {
        let path = folder.join(MANIFEST);
        let shown = path.display().to_string();
        let hint = "a result folder is what `verism score SUITE INPUT... -o DIR` writes";
        let text = fs::read_to_string(&path).map_err(|error| {
            Defect::new("not_a_result", "a folder written by verism").file(&shown).value(error.to_string()).hint(hint)
        })?;
        let broken = |error: serde_json::Error| {
            Defect::new("not_a_result", "a manifest written by verism").file(&shown).value(error.to_string()).hint(hint)
        };
        Ok(serde_json::from_str(&text).map_err(broken)?)
    }

    /// Writes the manifest into a folder.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let path = folder.join(MANIFEST);
        let mut text = serde_json::to_string_pretty(self).expect("a manifest has a JSON form");
        text.push('\n');
        fs::write(&path, text).map_err(Error::write(path.display().to_string()))
    }
}

/// The defect of a folder that holds one shard where a whole result is needed.
pub fn one_share(folder: &Path, shard: &str) -> Defect {
    Defect::new("one_share", "a whole result")
        .file(folder.display().to_string())
        .value(format!("share {shard}"))
        .hint("join all shares first: verism merge DIR... -o DIR")
}
