//! `verism demo`.

use std::path::Path;
use std::process::ExitCode;

use verism::compare::show::{legend, to_text, write};
use verism::compare::{self, Comparison};
use verism::input::Input;
use verism::score::content::Content;
use verism::score::contents::files_of;
use verism::score::manifest::MANIFEST;
use verism::score::place::{ResultPlace, Stage};
use verism::suites::{Destination, Job, Options, all, score};
use verism::{Error, Result};

use crate::args::{Common, Demo};
use crate::inputs::CONFIG;
use crate::terminal::Terminal;

pub(crate) fn run(what: &Demo, common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    terminal.heed_interrupts();
    let place = &what.output;
    let wanted = ResultPlace { place: place.clone(), content: Content::Demo, inputs: vec![], force: what.force };
    let stage = Stage::beside(wanted)?;
    let mut documents = serde_json::Map::new();
    let mut said = vec![];
    let mut read_as = None;
    for suite in all() {
        let id = suite.facts().id;
        let logs = stage.path().join("logs").join(id);
        let folder = stage.path().join("scores").join(id);
        for folder in [&logs, &folder] {
            std::fs::create_dir_all(folder).map_err(Error::write(folder.display().to_string()))?;
        }
        suite.write_demo(&logs)?;
        let mut options = Options::default();
        if let Ok(config) = std::fs::read_to_string(logs.join(CONFIG)) {
            options.add_config(&config, CONFIG, id)?;
        }
        let inputs = vec![Input::Path(logs)];
        let job = Job::new(inputs, options, terminal);
        let scored = score(suite, job, Destination { folder: Some(&folder), ..Destination::default() })?;
        let comparison = compared(&folder, &stage.path().join("comparison").join(id), stage.path(), terminal)?;
        documents.insert(
            id.into(),
            serde_json::json!({
                "signature": scored.report.signature,
                "counts": scored.report.counts,
                "comparison": {"signature": comparison.signature, "pairs": comparison.pairs.len()},
            }),
        );
        said.push(format!("{id}: {}", suite.facts().title));
        said.extend(scored.report.summary);
        said.push(String::new());
        said.extend(in_short(&to_text(&comparison, None)));
        let baseline = baseline(&comparison).map_or_else(String::new, |name| format!(" --baseline {name}"));
        let compare = format!("verism compare {}/scores/{id}{baseline}", place.display());
        said.push(format!("`{compare}` prints all of it, with the tests behind it"));
        said.push(String::new());
        read_as = Some(legend(&comparison));
    }
    // The mark by which a later demo knows that the folder is its own.
    let mark = stage.path().join(MANIFEST);
    let text = serde_json::json!({"tool": "verism", "demo": documents});
    let mut marked = text.clone();
    marked["files"] = serde_json::json!(files_of(stage.path())?);
    std::fs::write(&mark, format!("{marked:#}\n")).map_err(Error::write(mark.display().to_string()))?;
    terminal.stopped_is_an_error()?;
    stage.put_in_place()?;
    terminal.done();
    if common.json {
        terminal.print(&format!("{text:#}\n"))?;
        return Ok(ExitCode::SUCCESS);
    }
    if common.quiet {
        return Ok(ExitCode::SUCCESS);
    }
    let place = place.display();
    said.push("How to read the comparisons (`verism docs compare` says more):".to_string());
    said.extend(read_as.into_iter().flatten());
    said.push(String::new());
    said.push(format!("logs in {place}/logs, scores in {place}/scores, comparisons in {place}/comparison; look at"));
    let facts = || all().map(|suite| suite.facts());
    said.extend(facts().map(|suite| format!("  {place}/scores/{}/tables/{}.csv", suite.id, suite.demo.0)));
    said.push("and ask for the evidence behind a point:".to_string());
    said.extend(facts().map(|suite| format!("  verism why {place}/scores/{} --unit {}", suite.id, suite.demo.1)));
    terminal.print(&(said.join("\n") + "\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// Decided rows of a comparison that are shown.
const SHOWN: usize = 6;

/// Of a comparison's text the counts, the first rows that were decided below their headings, and what a reader must know
/// about the rest: all of it would fill the first screen.
fn in_short(text: &str) -> Vec<String> {
    let mut lines = text.lines();
    let mut short: Vec<String> = lines.next().into_iter().map(String::from).collect();
    let (mut columns, mut heading, mut decided) = (None, None, 0);
    let mut notes = vec![];
    for line in lines {
        let first = line.split_whitespace().next().unwrap_or_default();
        if line.starts_with("verdict ") {
            columns = Some(line);
        } else if line.contains(" against ") {
            heading = Some(line);
        } else if ["better", "worse", "higher", "lower"].contains(&first) && line.contains('[') {
            decided += 1;
            if decided <= SHOWN {
                short.extend(columns.take().into_iter().chain(heading.take()).map(String::from));
                short.push(line.to_string());
            }
        } else if line.starts_with("nothing could be decided") || line.starts_with("caution: ") {
            notes.push(line.to_string());
        }
    }
    if decided > SHOWN {
        short.push(format!("… and {} more that were decided", decided - SHOWN));
    }
    short.extend(notes);
    short
}

/// The experiment that all others were compared with.
fn baseline(comparison: &Comparison) -> Option<&str> {
    comparison.pairs.first().map(|pair| pair.baseline.as_str())
}

/// Compares every experiment of a score folder with the first that has something to compare, and writes it down.
fn compared(scores: &Path, folder: &Path, stage: &Path, terminal: &Terminal) -> Result<Comparison> {
    let input = [compare::Input::at(scores)];
    let all = compare::compare(&input, &compare::Options::default(), terminal)?;
    let baseline = all.summary.first().map(|row| row.experiment.clone());
    let mut comparison =
        compare::compare(&input, &compare::Options { baseline, ..compare::Options::default() }, terminal)?;
    for input in &mut comparison.inputs {
        input.path = by_place(&input.path, stage);
    }
    std::fs::create_dir_all(folder).map_err(Error::write(folder.display().to_string()))?;
    write(&comparison, folder, &[])?;
    Ok(comparison)
}

fn by_place(path: &str, stage: &Path) -> String {
    Path::new(path).strip_prefix(stage).map_or_else(|_| path.to_string(), |place| place.display().to_string())
}
