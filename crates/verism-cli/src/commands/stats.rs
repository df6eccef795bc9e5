//! `verism stats`.

use std::fs::File;
use std::io::{BufRead, BufReader, IsTerminal, Read, Write};
use std::process::ExitCode;

use clap::CommandFactory;
use serde_json::{Value, json};
use verism::input::{Limits, Watch};
use verism::stats::calculator::{answer_line, help, operations};
use verism::{Defect, Result};

use crate::args::{Arguments, Stats};
use crate::terminal::Terminal;

pub(crate) fn run(what: &Stats, terminal: &Terminal) -> Result<ExitCode> {
    if let Some(operation) = &what.help {
        return print_help(operation.as_deref(), terminal);
    }
    let shown = what.file.as_ref().map_or("-".to_string(), |path| path.display().to_string());
    let unreadable = |error: std::io::Error| {
        Defect::new("unreadable", "requests, one JSON object per line").file(&shown).value(error.to_string())
    };
    let mut requests: Box<dyn BufRead> = match &what.file {
        Some(path) => Box::new(BufReader::new(File::open(path).map_err(unreadable)?)),
        None => {
            if std::io::stdin().is_terminal() {
                terminal.say(
                    "waiting for requests, one JSON object per line, such as {\"op\":\"describe\",\"x\":[1,2,3]};",
                );
                terminal.say("Ctrl-D ends; `verism stats --help` lists the operations");
            }
            Box::new(std::io::stdin().lock())
        }
    };
    let mut end = End::default();
    let limits = terminal.limits();
    terminal.write(|out| answer(&mut requests, limits, out, &mut end))?;
    match end.broken {
        Some(error) => Err(unreadable(error).into()),
        None => Ok(ExitCode::from(if end.errors == 0 { 0 } else { 2 })),
    }
}

/// The help of the verb, or of one operation.
fn print_help(operation: Option<&str>, terminal: &Terminal) -> Result<ExitCode> {
    let Some(name) = operation else {
        let mut program = Arguments::command();
        program.build();
        let verb = program.find_subcommand_mut("stats").expect("stats is a verb");
        terminal.print(&format!("{}\n", verb.render_long_help()))?;
        return Ok(ExitCode::SUCCESS);
    };
    let text = help(name).ok_or_else(|| {
        let known: Vec<&str> = operations().map(|(known, _)| known).collect();
        Defect::new("unknown_operation", known.join("|")).field("OP").value(name).did_you_mean(known)
    })?;
    terminal.print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// How it ended.
#[derive(Default)]
struct End {
    /// Requests that could not be answered.
    errors: u64,
    /// A read that failed, kept apart from a write that fails.
    broken: Option<std::io::Error>,
}

/// The answer to a request that is too large.
fn refused(defect: &Defect) -> Value {
    json!({"error": format!("record: expected {}", defect.expected.as_deref().unwrap_or_default())})
}

/// Answers line by line.
fn answer(mut requests: &mut dyn BufRead, limits: Limits, out: &mut dyn Write, end: &mut End) -> std::io::Result<()> {
    let mut line = vec![];
    loop {
        line.clear();
        let read = Read::take(&mut requests, limits.record_bytes as u64 + 1).read_until(b'\n', &mut line);
        let too_long = line.len() > limits.record_bytes && !line.ends_with(b"\n");
        let read = read.and_then(|read| if too_long { requests.skip_until(b'\n').map(|_| read) } else { Ok(read) });
        match read {
            Ok(0) => return Ok(()),
            Ok(_) => {}
            Err(error) => {
                end.broken = Some(error);
                return Ok(());
            }
        }
        let answer = match too_long {
            true => Some(refused(&limits.too_long())),
            false => match limits.check_values(&line) {
                Ok(()) => answer_line(&String::from_utf8_lossy(&line)),
                Err(defect) => Some(refused(&defect)),
            },
        };
        if let Some(answer) = answer {
            end.errors += u64::from(answer.get("error").is_some());
            writeln!(out, "{answer}")?;
        }
    }
}
