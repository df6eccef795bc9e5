//! `verism validate`.

use std::process::ExitCode;

use verism::compare::error_audits;
use verism::suites::{Destination, Job, score};
use verism::{Error, Result};

use crate::args::{Common, Validate};
use crate::inputs::prepare;
use crate::terminal::Terminal;

pub(crate) fn run(what: &Validate, common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    let (suite, options, inputs) = prepare(&what.reading, terminal)?;
    terminal.heed_interrupts();
    let defects = suite.validate(Job { lenient: true, ..Job::new(inputs, options, terminal) })?;
    let cautions = if defects.is_empty() { cautions(what, terminal)? } else { vec![] };
    terminal.done();
    if common.json {
        let document = serde_json::json!({ "errors": defects, "cautions": cautions });
        terminal.print(&format!("{document:#}\n"))?;
    } else {
        terminal.write(|out| defects.iter().try_for_each(|defect| writeln!(out, "{defect}")))?;
    }
    for caution in &cautions {
        terminal.warn(caution);
    }
    match (defects.len(), cautions.len()) {
        (0, 0) => terminal.say("no problem found"),
        (0, _) => terminal.say("every record can be read; see the warnings"),
        (1, _) => terminal.say("1 problem"),
        (n, _) => terminal.say(&format!("{n} problems")),
    }
    Ok(ExitCode::from(if defects.is_empty() { 0 } else { 2 }))
}

/// What `score` would warn about: it is asked, and its result thrown away. Standard input cannot be read twice.
fn cautions(what: &Validate, terminal: &Terminal) -> Result<Vec<String>> {
    if what.reading.inputs.iter().any(|input| input == "-") {
        return Ok(vec![]);
    }
    let (suite, options, inputs) = prepare(&what.reading, terminal)?;
    let folder = tempfile::tempdir().map_err(Error::write("temporary folder"))?;
    let to = Destination { folder: Some(folder.path()), ..Destination::default() };
    let scored = match score(suite, Job::new(inputs, options, terminal), to) {
        Ok(scored) => scored,
        Err(Error::Interrupted) => return Err(Error::Interrupted),
        // What cannot be scored says so when it is scored.
        Err(_) => return Ok(vec![]),
    };
    let mut cautions = scored.cautions;
    let audits = error_audits(folder.path());
    if !audits.is_empty() {
        let all: usize = audits.values().sum();
        let listed: Vec<String> = audits.iter().map(|(audit, n)| format!("{audit} {n}")).collect();
        cautions.push(format!(
            "the logs contradict themselves in {all} place(s): {}; `verism score` lists them in tables/audits.csv",
            listed.join(", ")
        ));
    }
    Ok(cautions)
}
