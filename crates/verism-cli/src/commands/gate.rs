//! `verism gate`.

use std::process::ExitCode;

use verism::Result;
use verism::score::gate::{Rule, Verdict, judge};

use super::why::whole;
use crate::args::{Common, Gate};
use crate::terminal::Terminal;

pub(crate) fn run(what: &Gate, common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    let rules = what.rules.iter().map(|text| Rule::parse(text)).collect::<std::result::Result<Vec<_>, _>>()?;
    let manifest = whole(&what.folder)?;
    let findings = judge(&what.folder, &manifest, &rules)?;
    let worst = findings.iter().map(|finding| finding.verdict).max().unwrap_or(Verdict::Pass);
    if common.json {
        terminal.print(&format!("{:#}\n", serde_json::json!({"verdict": worst, "findings": findings})))?;
    } else {
        terminal.write(|out| findings.iter().try_for_each(|finding| writeln!(out, "{finding}")))?;
    }
    Ok(ExitCode::from(match worst {
        Verdict::Pass => 0,
        Verdict::Fail => 1,
    }))
}
