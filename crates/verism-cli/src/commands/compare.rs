//! `verism compare`.

use std::path::Path;
use std::process::ExitCode;

use verism::Result;
use verism::compare::show::{Paper, to_json, to_text, write};
use verism::compare::{Comparison, compare};
use verism::score::content::Content;
use verism::score::place::{ResultPlace, Stage};

use crate::args::{Common, Compare};
use crate::inputs::{comparison_options, tables};
use crate::terminal::Terminal;

pub(crate) fn run(what: &Compare, common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    let inputs = tables(&what.inputs, what.wide.as_deref())?;
    let paths: Vec<&Path> = inputs.iter().map(|input| input.path.as_path()).collect();
    let baseline: Vec<String> = what.baseline.iter().map(|name| format!("baseline={name}")).collect();
    let options = comparison_options(&what.comparing, &paths, &baseline, terminal)?;
    let papers: Vec<Paper> = what.format.iter().map(|&format| format.into()).collect();
    terminal.heed_interrupts();
    let read = inputs.iter().map(|input| input.path.clone()).chain(what.comparing.config.clone()).collect();
    let content = Content::Comparison;
    let wanted = what.output.clone().map(|place| ResultPlace { place, content, inputs: read, force: what.force });
    let stage = wanted.map(Stage::beside).transpose()?;
    let comparison = compare(&inputs, &options, terminal)?;
    terminal.done();
    if let (Some(stage), Some(place)) = (stage, &what.output) {
        write(&comparison, stage.path(), &papers).map_err(|error| error.in_place(stage.path(), place))?;
        terminal.stopped_is_an_error()?;
        stage.put_in_place()?;
        terminal.say(&format!("written to {}", place.display()));
    }
    if !(common.quiet && what.output.is_some() && !common.json) {
        terminal.print(&shown(&comparison, what, &papers, common, terminal))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What standard output gets: the document, the tables asked for where no folder takes them, or the table for people.
fn shown(comparison: &Comparison, what: &Compare, papers: &[Paper], common: &Common, terminal: &Terminal) -> String {
    match (common.json, what.output.is_none() && !papers.is_empty()) {
        (true, _) => to_json(comparison),
        (false, true) => papers.iter().map(|paper| paper.table(comparison)).collect::<Vec<_>>().join("\n"),
        (false, false) => to_text(comparison, terminal.width()),
    }
}
