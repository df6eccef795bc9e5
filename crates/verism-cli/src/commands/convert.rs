//! `verism convert`.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use verism::score::file_stage::FileStage;
use verism::suites::{Job, converter};
use verism::{Defect, Error, Result};

use crate::args::{Common, Convert, Reading};
use crate::inputs::{prepare, read_by};
use crate::terminal::Terminal;

/// Dropped records that are named one by one.
const SHOWN: usize = 10;

pub(crate) fn run(what: &Convert, common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    let converter = converter(&what.from)?;
    let suite = match (what.suite.as_deref(), converter.suite) {
        (Some(wanted), Some(only)) if wanted != only => {
            let hint = format!("{} makes records of the suite {only} alone", converter.id);
            return Err(Defect::new("bad_option", only).field("suite").value(wanted).hint(hint).into());
        }
        (Some(suite), _) | (None, Some(suite)) => suite,
        (None, None) => {
            let hint = "the records of each suite are others: name one with --suite guest|clinical|recommender|humor";
            return Err(Defect::new("missing_option", "a suite").field("suite").hint(hint).into());
        }
    };
    let reading = Reading {
        suite: suite.into(),
        inputs: what.inputs.clone(),
        options: what.options.clone(),
        config: what.config.clone(),
        seed: None,
    };
    let (suite, options, inputs) = prepare(&reading, terminal)?;
    let shown = what.output.display().to_string();
    not_a_table(&what.output)?;
    terminal.heed_interrupts();
    let mut file = FileStage::beside(&what.output, &read_by(&inputs, &options, what.config.as_deref()))?;
    let job = Job { lenient: what.lenient, ..Job::new(inputs, options, terminal) };
    let mut write = |line: &str| writeln!(file, "{line}").map_err(Error::write(&shown));
    let converted = suite.convert(converter.format, job, &mut write)?;
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
            "suite": suite.facts().id,
            "records": converted.records,
            "errors": converted.dropped,
        });
        terminal.print(&format!("{report:#}\n"))?;
    }
    let records = if converted.records == 1 { "1 record".into() } else { format!("{} records", converted.records) };
    terminal.say(&format!("{records} written to {shown}; next: verism score {} {shown} -o scores", suite.facts().id));
    Ok(ExitCode::SUCCESS)
}

/// Refuses a name that says that the file is a table.
fn not_a_table(place: &Path) -> Result<()> {
    if place.extension().is_some_and(|ending| ending == "csv") {
        let defect = Defect::new("bad_output", "a name that does not end in .csv").file(place.display().to_string());
        return Err(defect.hint("the result is JSON lines: -o FILE.jsonl").into());
    }
    Ok(())
}
