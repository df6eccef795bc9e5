//! `verism correlate`.

use std::path::Path;
use std::process::ExitCode;

use verism::compare::correlate;
use verism::compare::show::correlations_to_text;
use verism::{Defect, Result};

use crate::args::{Common, Correlate};
use crate::inputs::{comparison_options, tables};
use crate::terminal::Terminal;

pub(crate) fn run(what: &Correlate, common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    let named = what.metrics.split_once(':').filter(|(x, y)| !x.is_empty() && !y.is_empty());
    let (x, y) = named.ok_or_else(|| {
        let hint = "for example `verism correlate r_h:r_r DIR`";
        Defect::new("bad_argument", "two metrics with a colon between them")
            .field("X:Y")
            .value(&what.metrics)
            .hint(hint)
    })?;
    let inputs = tables(&what.inputs, None)?;
    let paths: Vec<&Path> = inputs.iter().map(|input| input.path.as_path()).collect();
    let options = comparison_options(&what.comparing, &paths, &[], terminal)?;
    let correlations = correlate(x, y, &inputs, &options, terminal)?;
    terminal.done();
    if common.json {
        let text = serde_json::to_string_pretty(&correlations).expect("correlations have a JSON form");
        terminal.print(&(text + "\n"))?;
    } else {
        terminal.print(&correlations_to_text(&correlations, terminal.width()))?;
    }
    Ok(ExitCode::SUCCESS)
}
