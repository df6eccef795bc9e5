//! `verism table`.

use std::path::Path;
use std::process::ExitCode;

use verism::Result;
use verism::compare::compare;
use verism::compare::show::{Spread, TableStyle, experiments_to_latex, experiments_to_markdown};

use crate::args::{Common, PaperFormat, SpreadChoice, Table};
use crate::inputs::{comparison_options, tables};
use crate::terminal::Terminal;

pub(crate) fn run(what: &Table, common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    let inputs = tables(&what.inputs, what.wide.as_deref())?;
    let paths: Vec<&Path> = inputs.iter().map(|input| input.path.as_path()).collect();
    let baseline: Vec<String> = what.baseline.iter().map(|name| format!("baseline={name}")).collect();
    let options = comparison_options(&what.comparing, &paths, &baseline, terminal)?;
    terminal.heed_interrupts();
    let comparison = compare(&inputs, &options, terminal)?;
    terminal.done();
    for caution in &comparison.cautions {
        terminal.warn(&caution.to_string());
    }
    for remark in &comparison.remarks {
        terminal.say(&format!("note: {remark}"));
    }
    let style = TableStyle {
        spread: match what.spread {
            SpreadChoice::Ci => Spread::Interval,
            SpreadChoice::Sd => Spread::Sd,
        },
        baseline: options.baseline.clone(),
        caption: what.caption.clone(),
        label: what.label.clone(),
    };
    let set = |format: &PaperFormat| match format {
        PaperFormat::Md => ("md", experiments_to_markdown(&comparison, &style)),
        PaperFormat::Tex => ("tex", experiments_to_latex(&comparison, &style)),
    };
    let set: Vec<(&str, String)> = what.format.iter().map(set).collect();
    if common.json {
        let document: serde_json::Map<String, serde_json::Value> =
            set.into_iter().map(|(format, text)| (format.to_string(), text.into())).collect();
        terminal.print(&format!("{:#}\n", serde_json::Value::Object(document)))?;
    } else {
        terminal.print(&set.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join("\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}
