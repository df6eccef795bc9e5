//! `verism convert`.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tempfile::NamedTempFile;
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
    let mut file = BeingWritten::beside(&what.output, &shown, &what.inputs)?;
    terminal.heed_interrupts();
    let job = Job { lenient: what.lenient, ..Job::new(inputs, options, terminal) };
    let converted = (converter.convert)(job, &mut |line| file.line(line).map_err(Error::write(&shown)))?;
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

/// A file under construction beside its place. Dropped before it is put there, it is removed and its place keeps what
/// it had.
struct BeingWritten {
    place: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl BeingWritten {
    fn beside(place: &Path, shown: &str, inputs: &[String]) -> Result<BeingWritten> {
        let refused =
            |expected: &str, hint: &str| Err(Defect::new("bad_output", expected).file(shown).hint(hint).into());
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
        let (Some(folder), Some(name)) = (absolute.parent(), absolute.file_name()) else {
            return refused("a file that can be created", "name another place with -o");
        };
        let start = || {
            fs::create_dir_all(folder)?;
            new_file(&format!(".{}.verism-", name.to_string_lossy()), folder)
        };
        let file = BufWriter::new(start().map_err(Error::write(shown))?);
        Ok(BeingWritten { place: absolute, file })
    }

    fn line(&mut self, line: &str) -> std::io::Result<()> {
        self.file.write_all(line.as_bytes())?;
        self.file.write_all(b"\n")
    }

    /// Puts the file in its place once all of it is on disk.
    fn put_in_place(self) -> std::io::Result<()> {
        let file = self.file.into_inner()?;
        file.as_file().sync_all()?;
        file.persist(&self.place)?;
        Ok(())
    }
}

/// A temporary file with the permissions of any other new file.
fn new_file(prefix: &str, folder: &Path) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.prefix(prefix).tempfile_in(folder)
}
