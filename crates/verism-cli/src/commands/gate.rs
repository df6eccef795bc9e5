//! `verism gate`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use verism::compare::gate::{Rule, Source, rules_of_config, rules_of_text, to_junit};
use verism::input::Watch;
use verism::score::file_stage::FileStage;
use verism::{Defect, Error, Result};

use super::why::whole;
use crate::args::{Common, Gate};
use crate::inputs::{comparison_options, configuration, read_file};
use crate::terminal::Terminal;

pub(crate) fn run(what: &Gate, common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    let rules = rules(what, terminal)?;
    let junit = what.junit.as_deref().map(|place| Report::at(place, what)).transpose()?;
    let judgement = open(what, terminal)?.judge(&rules)?;
    terminal.done();
    if let (Some(report), Some(place)) = (junit, &what.junit) {
        report.write(&to_junit(&judgement)).map_err(Error::write(place.display().to_string()))?;
    }
    if common.json {
        terminal.print(&format!("{:#}\n", serde_json::json!(judgement)))?;
    } else if !common.quiet {
        terminal.print(&judgement.to_string())?;
    }
    Ok(ExitCode::from(judgement.verdict.exit_code()))
}

/// Where the outcome is written besides.
enum Report {
    File(Box<FileStage>),
    /// A pipe or a device.
    Stream(PathBuf),
}

impl Report {
    /// A file is begun beside its place, unless the gate reads what stands there.
    fn at(place: &Path, what: &Gate) -> Result<Report> {
        if place.exists() && !place.is_file() && !place.is_dir() {
            return Ok(Report::Stream(place.to_path_buf()));
        }
        let read = [Some(&what.folder), what.rules_file.as_ref(), what.comparing.config.as_ref()];
        let read: Vec<PathBuf> = read.into_iter().flatten().cloned().collect();
        Ok(Report::File(Box::new(FileStage::beside(place, &read)?)))
    }

    fn write(self, text: &str) -> std::io::Result<()> {
        match self {
            Report::File(mut file) => file.write_all(text.as_bytes()).and_then(|()| file.put_in_place()),
            Report::Stream(place) => std::fs::write(place, text),
        }
    }
}

/// The rules of the command line, else of the file named, else of the configuration.
fn rules(what: &Gate, terminal: &Terminal) -> Result<Vec<Rule>> {
    let mut rules = what.rules.iter().map(|text| Rule::parse(text)).collect::<Result<Vec<_>>>()?;
    if let Some(file) = &what.rules_file {
        let shown = file.display().to_string();
        let text = read_file(file, "a file with one rule per line", terminal.limits())?;
        let toml = file.extension().is_some_and(|ending| ending == "toml");
        rules.extend(if toml { rules_of_config(&text, &shown)? } else { rules_of_text(&text, &shown)? });
    }
    if rules.is_empty()
        && let Some((text, shown)) = configuration(&what.comparing.config, &what.folder, terminal)?
    {
        rules = rules_of_config(&text, &shown)?;
    }
    if rules.is_empty() {
        let hint =
            "give --rule 'coverage >= 0.95', --rules FILE, or a table [gate] with rules = [\"…\"] in verism.toml";
        return Err(Defect::new("no_rule", "at least one rule").field("rule").hint(hint).into());
    }
    Ok(rules)
}

fn open(what: &Gate, terminal: &Terminal) -> Result<Source> {
    let written = what.folder.join("comparison.json");
    if written.is_file() {
        no_options(&written, what)?;
        return Source::written(&written);
    }
    let manifest = whole(&what.folder)?;
    let options = comparison_options(&what.comparing, &[&what.folder], &[], terminal)?;
    Source::scores(&what.folder, &manifest, &options, terminal)
}

/// A comparison that is written keeps the options it was made with.
fn no_options(written: &Path, what: &Gate) -> Result<()> {
    let Some(option) = what.comparing.options.first() else { return Ok(()) };
    let hint = "give options to `verism compare`, or point the gate at the scores";
    Err(Defect::new("bad_option", "no options for a comparison that is written already")
        .file(written.display().to_string())
        .value(option)
        .hint(hint)
        .into())
}
