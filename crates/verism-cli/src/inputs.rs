//! Inputs and options as given, made ready for a suite.

use std::fs;
use std::path::{Path, PathBuf};

use verism::input::Input;
use verism::suites::{Options, Suite, suite};
use verism::{Defect, Result};

use crate::args::{Comparing, Reading};
use crate::terminal::Terminal;

/// The configuration that is looked for in and beside the first input.
pub(crate) const CONFIG: &str = "verism.toml";

/// The suite, its options and the inputs.
pub(crate) fn prepare(reading: &Reading, terminal: &Terminal) -> Result<(&'static dyn Suite, Options, Vec<Input>)> {
    let suite = suite(&reading.suite)?;
    let options = options(reading, suite.facts().id, terminal)?;
    let mut inputs = vec![];
    for text in &reading.inputs {
        match text.as_str() {
            "-" => inputs.push(Input::Stream("-".into(), Box::new(terminal.standard_input()?))),
            text => inputs.extend(expand(text)?.into_iter().map(Input::Path)),
        }
    }
    Ok((suite, options, inputs))
}

/// The options of a suite: the configuration's, then those of the command line.
pub(crate) fn options(reading: &Reading, suite: &str, terminal: &Terminal) -> Result<Options> {
    let mut options = Options::default();
    if let Some(config) = reading.config.clone().or_else(|| find_config(&reading.inputs)) {
        let text = read_config(&config, terminal)?;
        options.add_config(&text, &config.display().to_string(), suite)?;
    }
    for pair in &reading.options {
        options.add(pair)?;
    }
    if let Some(seed) = &reading.seed {
        options.add(&format!("seed={seed}"))?;
    }
    Ok(options)
}

/// Whatever a job reads: its inputs, its configuration, and files and folders that its options name.
pub(crate) fn read_by(inputs: &[Input], options: &Options, config: Option<&Path>) -> Vec<PathBuf> {
    let of_input = |input: &Input| match input {
        Input::Path(path) => Some(path.clone()),
        Input::Stream(..) => None,
    };
    let named = options.iter().flat_map(|(_, value)| value.text().split(',').map(PathBuf::from).collect::<Vec<_>>());
    let named = named.filter(|path| path.components().next().is_some() && path.exists());
    inputs.iter().filter_map(of_input).chain(named).chain(config.map(Path::to_path_buf)).collect()
}

/// The options of a comparison: the configuration's, then those of the command line.
pub(crate) fn comparison_options(
    comparing: &Comparing,
    paths: &[&Path],
    more: &[String],
    terminal: &Terminal,
) -> Result<verism::compare::Options> {
    let mut pairs = vec![];
    let first: Vec<String> = paths.iter().take(1).map(|path| path.display().to_string()).collect();
    if let Some(config) = comparing.config.clone().or_else(|| find_config(&first)) {
        let text = read_config(&config, terminal)?;
        pairs.extend(verism::compare::config::pairs(&text, &config.display().to_string())?);
    }
    pairs.extend(comparing.options.iter().cloned());
    pairs.extend(comparing.seed.iter().map(|seed| format!("seed={seed}")));
    pairs.extend(comparing.lenient.then(|| "lenient=true".to_string()));
    pairs.extend_from_slice(more);
    verism::compare::Options::parse(pairs.iter().map(String::as_str))
}

fn read_config(path: &Path, terminal: &Terminal) -> Result<String> {
    let shown = path.display().to_string();
    terminal.tell(&format!("configuration: {shown}"));
    let unreadable =
        |error: std::io::Error| Defect::new("bad_config", "a readable TOML file").file(&shown).value(error.to_string());
    Ok(fs::read_to_string(path).map_err(unreadable)?)
}

fn find_config(inputs: &[String]) -> Option<PathBuf> {
    let first = Path::new(inputs.first().filter(|input| *input != "-")?);
    let beside = first.parent().unwrap_or(Path::new(""));
    [first.join(CONFIG), beside.join(CONFIG)].into_iter().find(|path| path.is_file())
}

/// The paths that a text names: itself, or what a glob finds, in order.
pub(crate) fn expand(text: &str) -> Result<Vec<PathBuf>> {
    let path = PathBuf::from(text);
    if path.exists() || !text.contains(['*', '?', '[']) {
        return Ok(vec![path]);
    }
    let bad = |expected: String| Defect::new("no_input", expected).field("INPUT").value(text);
    let found = glob::glob(text).map_err(|error| bad(format!("a glob ({})", error.msg)))?;
    let mut paths: Vec<PathBuf> = found.flatten().collect();
    paths.sort();
    if paths.is_empty() { Err(bad("a glob that matches something".into()).into()) } else { Ok(paths) }
}
