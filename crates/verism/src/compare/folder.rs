//! A comparison as a folder: the document, the table, tables for papers, and a manifest.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::paper::{to_latex, to_markdown};
use super::report::Comparison;
use super::table::to_csv;
use crate::error::{Error, Result};
use crate::score::contents::{FileFacts, files_of};
use crate::score::manifest::{InputFacts, MANIFEST};
use crate::score::relative::relative;
use crate::score::signature::VERSION;

/// A form of the table for a paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// Markdown.
    Markdown,
    /// LaTeX with the package booktabs.
    Latex,
}

impl Paper {
    /// Gives the table in this form.
    pub fn table(self, comparison: &Comparison) -> String {
        match self {
            Paper::Markdown => to_markdown(comparison),
            Paper::Latex => to_latex(comparison),
        }
    }

    fn file_name(self) -> &'static str {
        match self {
            Paper::Markdown => "comparison.md",
            Paper::Latex => "comparison.tex",
        }
    }
}

/// What was compared, how, from which bytes. It is also the mark by which a later comparison knows that a folder is its own.
#[derive(Serialize)]
struct Manifest<'a> {
    tool: &'static str,
    version: &'static str,
    signature: &'a str,
    inputs: Vec<InputFacts>,
    counts: BTreeMap<&'static str, usize>,
    files: Vec<FileFacts>,
}

impl Manifest<'_> {
    fn of(comparison: &Comparison, files: Vec<FileFacts>) -> Manifest<'_> {
        let counts = [
            ("metrics", comparison.metrics.len()),
            ("experiments", comparison.experiments.len()),
            ("pairs", comparison.pairs.len()),
            ("rows", comparison.ledger.iter().map(|row| row.total).sum()),
            ("rejected", comparison.rejected.len()),
        ];
        Manifest {
            tool: "verism",
            version: VERSION,
            signature: &comparison.signature,
            inputs: relative(comparison.inputs.clone()),
            counts: counts.into(),
            files,
        }
    }
}

/// Gives the comparison as one JSON document.
pub fn to_json(comparison: &Comparison) -> String {
    lines(comparison)
}

/// Writes everything about a comparison into a folder.
pub fn write(comparison: &Comparison, folder: &Path, papers: &[Paper]) -> Result<()> {
    let put = |name: &str, text: String| {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(Error::write(path.display().to_string()))
    };
    put("comparison.json", to_json(comparison))?;
    put("comparison.csv", to_csv(comparison))?;
    papers.iter().try_for_each(|paper| put(paper.file_name(), paper.table(comparison)))?;
    put(MANIFEST, lines(&Manifest::of(comparison, files_of(folder)?)))
}

fn lines(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("a value of plain fields has a JSON form") + "\n"
}
