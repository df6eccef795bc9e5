//! `verism train`.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::process::ExitCode;

use verism::score::file_stage::FileStage;
use verism::suites::{humor, suite};
use verism::text::model::begins_as_model;
use verism::{Defect, Error, Result};

use crate::args::{Common, Reading, Train};
use crate::inputs::{named, options, read_by};
use crate::terminal::Terminal;

/// Bad rows that are named one by one.
const SHOWN: usize = 10;

/// Refuses a place where something stands that is neither a model nor empty.
fn replaces_only_a_model(place: &Path) -> Result<()> {
    let mut start = vec![];
    // What cannot be read is nothing that stands there.
    let read = File::open(place).and_then(|file| file.take(8).read_to_end(&mut start));
    if read.is_err() || start.is_empty() || begins_as_model(&start) {
        return Ok(());
    }
    let hint = "another file stands there; name another place, or remove it first";
    Err(Defect::new("bad_output", "a new file, or an earlier model")
        .file(place.display().to_string())
        .hint(hint)
        .into())
}

pub(crate) fn run(what: &Train, common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    let id = suite(&what.suite)?.facts().id;
    if id != "humor" {
        let hint = "no other suite has a model of its own";
        return Err(Defect::new("unknown_suite", "humor").field("suite").value(id).hint(hint).into());
    }
    let reading = Reading {
        suite: what.suite.clone(),
        inputs: what.corpora.clone(),
        options: what.options.clone(),
        config: what.config.clone(),
        seed: None,
    };
    let options = options(&reading, id, terminal)?;
    let mut read = read_by(&[], &options, what.config.as_deref());
    read.extend(what.corpora.iter().flat_map(|corpus| named(corpus)));
    let mut file = FileStage::beside(&what.output, &read)?;
    replaces_only_a_model(&what.output)?;
    terminal.heed_interrupts();
    let trained = humor::train(&what.corpora, &options, what.lenient, terminal)?;
    terminal.stopped_is_an_error()?;
    let shown = what.output.display().to_string();
    file.write_all(trained.model.bytes()).and_then(|()| file.put_in_place()).map_err(Error::write(&shown))?;
    terminal.done();
    for defect in trained.errors.iter().take(SHOWN) {
        terminal.warn(&format!("left out: {defect}"));
    }
    if trained.errors.len() > SHOWN {
        terminal.warn(&format!("… and {} more", trained.errors.len() - SHOWN));
    }
    if common.json {
        terminal.print(&format!("{:#}\n", trained.document))?;
    }
    trained.summary.iter().for_each(|line| terminal.say(line));
    terminal.say(&format!("written to {shown}; next: verism score humor INPUT --option model={shown} -o scores"));
    Ok(ExitCode::SUCCESS)
}
