//! `verism suites`.

use std::process::ExitCode;

use verism::Result;
use verism::suites::all;

use crate::args::Common;
use crate::terminal::Terminal;

pub(crate) fn run(common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    if common.json {
        let suites: Vec<_> = all()
            .map(|suite| {
                let facts = suite.facts();
                serde_json::json!({
                    "id": facts.id, "title": facts.title, "reads": facts.reads, "spec_version": facts.spec_version,
                    "metrics": facts.metrics,
                })
            })
            .collect();
        terminal.print(&format!("{:#}\n", serde_json::json!({ "suites": suites })))?;
        return Ok(ExitCode::SUCCESS);
    }
    terminal.write(|out| {
        for suite in all() {
            let facts = suite.facts();
            writeln!(out, "{}: {}", facts.id, facts.title)?;
            writeln!(out, "  reads {}", facts.reads)?;
            for metric in facts.metrics.iter().filter(|metric| metric.headline) {
                writeln!(out, "  {:<18} {} (better: {})", metric.title, metric.says, metric.better.name())?;
            }
            let more = facts.metrics.iter().filter(|metric| !metric.headline).count();
            writeln!(out, "  and {more} more: verism explain {}", facts.id)?;
        }
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}
