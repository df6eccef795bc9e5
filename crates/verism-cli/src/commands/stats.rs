//! `verism stats`.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::ExitCode;

use verism::stats::calculator::answer_line;
use verism::{Defect, Result};

use crate::args::Stats;
use crate::terminal::Terminal;

pub(crate) fn run(what: &Stats, terminal: &Terminal) -> Result<ExitCode> {
    let shown = what.file.as_ref().map_or("-".to_string(), |path| path.display().to_string());
    let unreadable = |error: std::io::Error| {
        Defect::new("unreadable", "requests, one JSON object per line").file(&shown).value(error.to_string())
    };
    let mut requests: Box<dyn BufRead> = match &what.file {
        Some(path) => Box::new(BufReader::new(File::open(path).map_err(unreadable)?)),
        None => Box::new(std::io::stdin().lock()),
    };
    let mut broken = None;
    terminal.write(|out| answer(&mut requests, out, &mut broken))?;
    match broken {
        Some(error) => Err(unreadable(error).into()),
        None => Ok(ExitCode::SUCCESS),
    }
}

/// Answers line by line; a read that fails is kept apart from a write that fails.
fn answer(requests: &mut dyn BufRead, out: &mut dyn Write, broken: &mut Option<std::io::Error>) -> std::io::Result<()> {
    let mut line = vec![];
    loop {
        line.clear();
        match requests.read_until(b'\n', &mut line) {
            Ok(0) => return Ok(()),
            Ok(_) => {}
            Err(error) => {
                *broken = Some(error);
                return Ok(());
            }
        }
        if let Some(answer) = answer_line(&String::from_utf8_lossy(&line)) {
            writeln!(out, "{answer}")?;
        }
    }
}
