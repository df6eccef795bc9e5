//! `verism validate`.

use std::process::ExitCode;

use verism::Result;
use verism::suites::Job;

use crate::args::{Common, Validate};
use crate::inputs::prepare;
use crate::terminal::Terminal;

pub(crate) fn run(what: &Validate, common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    let (suite, options, inputs) = prepare(&what.reading, terminal)?;
    terminal.heed_interrupts();
    let defects = suite.validate(Job { lenient: true, ..Job::new(inputs, options, terminal) })?;
    terminal.done();
    if common.json {
        terminal.print(&format!("{:#}\n", serde_json::json!({ "errors": defects })))?;
    } else {
        terminal.write(|out| defects.iter().try_for_each(|defect| writeln!(out, "{defect}")))?;
    }
    match defects.len() {
        0 => terminal.say("no problem found"),
        1 => terminal.say("1 problem"),
        n => terminal.say(&format!("{n} problems")),
    }
    Ok(ExitCode::from(if defects.is_empty() { 0 } else { 2 }))
}
