//! `verism completions` and `verism man`: shell completions and manual pages.

use std::process::ExitCode;

use clap::CommandFactory;
use verism::{Error, Result};

use crate::args::{Arguments, Completions, Man};
use crate::terminal::Terminal;

pub(crate) fn completions(what: &Completions, terminal: &Terminal) -> Result<ExitCode> {
    // Into memory first: the generator panics where a reader such as `head` has gone.
    let mut script = vec![];
    clap_complete::generate(what.shell, &mut Arguments::command(), "verism", &mut script);
    terminal.write(|out| out.write_all(&script))?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn man(what: &Man, terminal: &Terminal) -> Result<ExitCode> {
    let shown = what.output.display().to_string();
    std::fs::create_dir_all(&what.output).map_err(Error::write(&shown))?;
    clap_mangen::generate_to(Arguments::command(), &what.output).map_err(Error::write(&shown))?;
    terminal.say(&format!("manual pages written to {shown}"));
    Ok(ExitCode::SUCCESS)
}
