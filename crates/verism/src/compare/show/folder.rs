//! A comparison as a folder: the document, the table, tables for papers, and a manifest.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use crate::compare::comparison::Comparison;
use crate::compare::show::csv::to_csv;
use crate::compare::show::paper::{to_latex, to_markdown};
use crate::error::{Error, Result};
use crate::score::manifest::{InputFacts, MANIFEST};
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
    inputs: &'a [InputFacts],
    counts: BTreeMap<&'static str, usize>,
}

impl Manifest<'_> {
    fn of(comparison: &Comparison) -> Manifest<'_> {
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
            inputs: &comparison.inputs,
            counts: counts.into(),
        }
    }
}

/// Gives the comparison as one JSON document.
pub fn to_json(comparison: &Comparison) -> String {
    lines(comparison)
}

/// Writes everything about a comparison into a folder.
pub fn write(comparison: &Comparison, folder: &Path, papers: &[Paper]) -> Result<()> {
    let mut files = vec![
        ("comparison.json", to_json(comparison)),
        ("comparison.csv", to_csv(comparison)),
        (MANIFEST, lines(&Manifest::of(comparison))),
    ];
    files.extend(papers.iter().map(|paper| (paper.file_name(), paper.table(comparison))));
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(Error::write(path.display().to_string()))?;
    }
    Ok(())
}

fn lines(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("a value of plain fields has a JSON form") + "\n"
}
