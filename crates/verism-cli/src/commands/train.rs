//! `verism train`.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use verism::suites::{humor, suite};
use verism::{Defect, Error, Result};

use crate::args::{Common, Reading, Train};
use crate::inputs::options;
use crate::terminal::Terminal;

/// Bad rows that are named one by one.
const SHOWN: usize = 10;

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
    terminal.heed_interrupts();
    let trained = humor::train(&what.corpora, &options, what.lenient, terminal)?;
    terminal.stopped_is_an_error()?;
    let shown = what.output.display().to_string();
    put_in_place(&what.output, trained.model.bytes()).map_err(Error::write(&shown))?;
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

/// Writes a file beside its place and puts it there once all of it is on disk.
fn put_in_place(place: &Path, bytes: &[u8]) -> std::io::Result<()> {
    // Through a link, so that what it points to is replaced and not the link.
    let place = fs::canonicalize(place).or_else(|_| std::path::absolute(place))?;
    let folder = place.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.prefix(".verism-").tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(&place)?;
    Ok(())
}
