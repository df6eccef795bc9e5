//! `verism compare`.

use std::path::Path;
use std::process::ExitCode;

use verism::compare::table::{to_csv, to_latex, to_markdown};
use verism::compare::text::to_text;
use verism::compare::{Comparison, Input, compare};
use verism::score::place::Stage;
use verism::score::signature::VERSION;
use verism::{Error, Result};

use crate::args::{Common, Compare, PaperFormat};
use crate::inputs::comparison_options;
use crate::terminal::Terminal;

pub(crate) fn run(what: &Compare, common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    let inputs: Vec<Input> = what.inputs.iter().map(|text| Input::parse(text)).collect();
    let paths: Vec<&Path> = inputs.iter().map(|input| input.path.as_path()).collect();
    let baseline: Vec<String> = what.baseline.iter().map(|name| format!("baseline={name}")).collect();
    let options = comparison_options(&what.comparing, &paths, &baseline, terminal)?;
    let stage = what.output.as_deref().map(Stage::beside).transpose()?;
    let comparison = compare(&inputs, &options)?;
    if let (Some(stage), Some(place)) = (stage, &what.output) {
        write(&comparison, stage, what)?;
        terminal.say(&format!("written to {}", place.display()));
    }
    terminal.print(&shown(&comparison, what, common))?;
    Ok(ExitCode::SUCCESS)
}

/// What standard output gets: the document, the tables asked for where no folder takes them, or the table for people.
fn shown(comparison: &Comparison, what: &Compare, common: &Common) -> String {
    match (common.json, what.output.is_none() && !what.format.is_empty()) {
        (true, _) => document(comparison),
        (false, true) => what.format.iter().map(|format| paper(comparison, *format).1).collect::<Vec<_>>().join("\n"),
        (false, false) => to_text(comparison),
    }
}

fn document(comparison: &Comparison) -> String {
    serde_json::to_string_pretty(comparison).expect("a comparison has a JSON form") + "\n"
}

/// The file name and the text of a table for a paper.
fn paper(comparison: &Comparison, format: PaperFormat) -> (&'static str, String) {
    match format {
        PaperFormat::Md => ("comparison.md", to_markdown(comparison)),
        PaperFormat::Tex => ("comparison.tex", to_latex(comparison)),
    }
}

fn write(comparison: &Comparison, stage: Stage, what: &Compare) -> Result<()> {
    // The mark by which a later comparison knows that the folder is its own.
    let mark = serde_json::json!({
        "tool": "verism",
        "version": VERSION,
        "signature": comparison.signature,
        "inputs": what.inputs,
    });
    let mut files = vec![
        ("comparison.json", document(comparison)),
        ("comparison.csv", to_csv(comparison)),
        ("manifest.json", format!("{mark:#}\n")),
    ];
    files.extend(what.format.iter().map(|format| paper(comparison, *format)));
    for (name, text) in files {
        let path = stage.path().join(name);
        std::fs::write(&path, text).map_err(Error::write(path.display().to_string()))?;
    }
    stage.put_in_place()
}
