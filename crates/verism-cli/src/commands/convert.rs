//! `verism convert`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use verism::score::file_stage::FileStage;
use verism::suites::{Job, converter};
use verism::{Defect, Error, Result};

use crate::args::{Common, Convert, Reading};
use crate::inputs::prepare;
use crate::terminal::Terminal;

/// Dropped records that are named one by one.
const SHOWN: usize = 10;

pub(crate) fn run(what: &Convert, common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    let converter = converter(&what.from)?;
    let reading = Reading {
        suite: converter.suite.into(),
        inputs: what.inputs.clone(),
        options: what.options.clone(),
        config: what.config.clone(),
        seed: None,
    };
    let (_, options, inputs) = prepare(&reading, terminal)?;
    let shown = what.output.display().to_string();
    let place = place_of(&what.output, &shown, &what.inputs)?;
    terminal.heed_interrupts();
    let mut file = FileStage::beside(&place).map_err(Error::write(&shown))?;
    let job = Job { lenient: what.lenient, ..Job::new(inputs, options, terminal) };
    let converted = (converter.convert)(job, &mut |line| writeln!(file, "{line}").map_err(Error::write(&shown)))?;
    file.put_in_place().map_err(Error::write(&shown))?;
    terminal.done();
    for defect in converted.dropped.iter().take(SHOWN) {
        terminal.warn(&format!("left out: {defect}"));
    }
    if converted.dropped.len() > SHOWN {
        terminal.warn(&format!("… and {} more", converted.dropped.len() - SHOWN));
    }
    if common.json {
        let report = serde_json::json!({
            "converter": converter.id,
            "suite": converter.suite,
            "records": converted.records,
            "errors": converted.dropped,
        });
        terminal.print(&format!("{report:#}\n"))?;
    }
    let records = if converted.records == 1 { "1 record".into() } else { format!("{} records", converted.records) };
    terminal.say(&format!("{records} written to {shown}; next: verism score {} {shown} -o scores", converter.suite));
    Ok(ExitCode::SUCCESS)
}

/// The place of the file, absolute; what must not be replaced is refused.
pub(crate) fn place_of(place: &Path, shown: &str, inputs: &[String]) -> Result<PathBuf> {
    let refused = |expected: &str, hint: &str| Err(Defect::new("bad_output", expected).file(shown).hint(hint).into());
    if place.extension().is_some_and(|ending| ending == "csv") {
        return refused("a name that does not end in .csv", "the result is JSON lines: -o FILE.jsonl");
    }
    // Through a link, so that what it points to is replaced and not the link.
    let absolute = fs::canonicalize(place).or_else(|_| std::path::absolute(place)).map_err(Error::write(shown))?;
    if fs::metadata(&absolute).is_ok_and(|facts| !facts.is_file()) {
        return refused("a file", "folders and devices are not replaced; name another place with -o");
    }
    if inputs.iter().any(|input| fs::canonicalize(input).is_ok_and(|input| input == absolute)) {
        return refused("a file that is not an input", "name another place with -o");
    }
    if absolute.file_name().is_none() {
        return refused("a file that can be created", "name another place with -o");
    }
    Ok(absolute)
}
