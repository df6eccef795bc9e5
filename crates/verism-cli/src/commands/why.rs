//! `verism why`.

use std::process::ExitCode;

use verism::Result;
use verism::score::manifest::{Manifest, one_share};
use verism::suites::{suite, why};

use crate::args::{Common, Why};
use crate::shown::shown_line;
use crate::terminal::Terminal;

/// Lines of a screenful.
const SCREEN: usize = 50;

pub(crate) fn run(what: &Why, common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    let manifest = whole(&what.folder)?;
    let in_full = terminal.verbose || common.json;
    let explanation =
        why(suite(&manifest.suite)?, &what.folder, what.unit.as_deref(), what.metric.as_deref(), in_full)?;
    if common.json {
        terminal.print(&format!("{:#}\n", serde_json::json!({ "why": explanation.lines })))?;
        return Ok(ExitCode::SUCCESS);
    }
    let lines = &explanation.lines;
    let shown = if in_full || lines.len() <= SCREEN { lines.len() } else { SCREEN - 1 };
    terminal.write(|out| {
        lines[..shown].iter().try_for_each(|line| writeln!(out, "{}", shown_line(line)))?;
        if shown < lines.len() { writeln!(out, "… {} more lines with -v", lines.len() - shown) } else { Ok(()) }
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The manifest of a whole result; a shard is refused.
pub(crate) fn whole(folder: &std::path::Path) -> Result<Manifest> {
    let manifest = Manifest::read(folder)?;
    match &manifest.shard {
        None => Ok(manifest),
        Some(shard) => Err(one_share(folder, shard).into()),
    }
}
