//! `verism validate`.

use std::io::{Seek, Write};
use std::process::ExitCode;

use tempfile::SpooledTempFile;
use verism::suites::{Job, validate};
use verism::{Defect, Error, Result};

use crate::args::{Common, Validate};
use crate::inputs::prepare;
use crate::terminal::Terminal;

pub(crate) fn run(what: &Validate, common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    let (suite, options, inputs) = prepare(&what.reading, terminal)?;
    terminal.heed_interrupts();
    let job = Job { lenient: true, ..Job::new(inputs, options, terminal) };
    let mut list = List { json: common.json, count: 0, warnings: vec![], text: SpooledTempFile::new(IN_MEMORY) };
    let cautions = validate(suite, job, &mut |defect| list.add(&defect).map_err(Error::write("temporary files")))?;
    let count = list.count;
    terminal.done();
    list.print(&cautions, terminal)?;
    for caution in &cautions {
        terminal.warn(caution);
    }
    match (count, cautions.len()) {
        (0, 0) => terminal.say("no problem found"),
        (0, _) => terminal.say("every record can be read; see the warnings"),
        (1, _) => terminal.say("1 problem"),
        (n, _) => terminal.say(&format!("{n} problems")),
    }
    Ok(ExitCode::from(if count == 0 { 0 } else { 2 }))
}

/// Bytes of the list that are kept in memory; the rest waits in an unnamed file.
const IN_MEMORY: usize = 16 << 20;

/// Defects as they will be printed if nothing else goes wrong, however many there are.
struct List {
    json: bool,
    count: u64,
    /// What is not a problem, and worth knowing: about options and what they name, so there are few.
    warnings: Vec<Defect>,
    text: SpooledTempFile,
}

impl List {
    fn add(&mut self, defect: &Defect) -> std::io::Result<()> {
        if defect.is_warning() {
            self.warnings.push(defect.clone());
            return Ok(());
        }
        self.count += 1;
        if !self.json {
            return writeln!(self.text, "{defect}");
        }
        let lead = if self.count == 1 { "\n    " } else { ",\n    " };
        let text = serde_json::to_string_pretty(defect)?;
        write!(self.text, "{lead}{}", text.replace('\n', "\n    "))
    }

    fn print(mut self, cautions: &[String], terminal: &Terminal) -> Result<()> {
        let cautions = serde_json::json!(cautions);
        self.text.rewind().map_err(Error::write("temporary files"))?;
        terminal.write(|mut out| {
            if self.json {
                write!(out, "{{\n  \"errors\": [")?;
            }
            std::io::copy(&mut self.text, &mut out)?;
            if !self.json {
                return self.warnings.iter().try_for_each(|warning| writeln!(out, "{warning}"));
            }
            let end = if self.count == 0 { "]" } else { "\n  ]" };
            writeln!(
                out,
                "{end},\n  \"warnings\": {},\n  \"cautions\": {cautions}\n}}",
                serde_json::json!(self.warnings)
            )
        })
    }
}
