//! Inputs and options as given, made ready for a suite.

use std::io::Read;
use std::path::{Path, PathBuf};

use verism::input::{Input, Limits, Watch, read_whole};
use verism::suites::{Options, Suite, all, split_weight, suite};
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
            text if is_unnamed_pipe(Path::new(text)) => {
                inputs.push(Input::Stream(text.into(), Box::new(terminal.pipe(Path::new(text))?)));
            }
            text => inputs.extend(expand(text)?.into_iter().map(Input::Path)),
        }
    }
    Ok((suite, options, inputs))
}

/// Whether a path leads to a pipe whose name does not say what comes out of it, such as `<(zcat log.jsonl.gz)` of a shell:
/// it is read like standard input.
fn is_unnamed_pipe(path: &Path) -> bool {
    #[cfg(unix)]
    let is_pipe = path.metadata().is_ok_and(|facts| std::os::unix::fs::FileTypeExt::is_fifo(&facts.file_type()));
    #[cfg(not(unix))]
    let is_pipe = false;
    is_pipe && path.extension().is_none()
}

/// The options of a suite: the configuration's, then those of the command line.
pub(crate) fn options(reading: &Reading, suite: &str, terminal: &Terminal) -> Result<Options> {
    let mut options = Options::default();
    let first = reading.inputs.first().map_or("-", String::as_str);
    if let Some((text, shown)) = configuration(&reading.config, Path::new(first), terminal)? {
        options.add_config(&text, &shown, suite)?;
    }
    for pair in &reading.options {
        options.add(pair)?;
    }
    // A suite without chance has nothing to do with a seed.
    let draws = || verism::suites::suite(suite).is_ok_and(knows_seed);
    if let Some(seed) = reading.seed.as_ref().filter(|_| draws()) {
        options.add(&format!("seed={seed}"))?;
    }
    Ok(options)
}

fn knows_seed(suite: &dyn Suite) -> bool {
    (suite.facts().options)().iter().any(|option| option.name == "seed")
}

/// Whatever a job reads: its inputs, its configuration, and files and folders that its options name.
pub(crate) fn read_by(inputs: &[Input], options: &Options, config: Option<&Path>) -> Vec<PathBuf> {
    let of_input = |input: &Input| match input {
        Input::Path(path) => Some(path.clone()),
        Input::Stream(..) => None,
    };
    let named = options.iter().flat_map(|(_, value)| value.text().split(',').flat_map(named).collect::<Vec<_>>());
    inputs.iter().filter_map(of_input).chain(named).chain(config.map(Path::to_path_buf)).collect()
}

/// The files and folders that a text may name: a path, a glob, or one of them with a weight, as in `corpus.csv*3`.
pub(crate) fn named(text: &str) -> Vec<PathBuf> {
    let (plain, weight) = split_weight(text);
    let texts = [Some(text), weight.map(|_| plain)].into_iter().flatten().filter(|text| !text.is_empty());
    texts.flat_map(|text| expand(text).unwrap_or_default()).filter(|path| path.exists()).collect()
}

/// The options of a comparison: the configuration's, then those of the command line.
pub(crate) fn comparison_options(
    comparing: &Comparing,
    paths: &[&Path],
    more: &[String],
    terminal: &Terminal,
) -> Result<verism::compare::Options> {
    let mut pairs = vec![];
    let first = paths.first().copied().unwrap_or(Path::new("-"));
    if let Some((text, shown)) = configuration(&comparing.config, first, terminal)? {
        pairs.extend(verism::compare::options_of_config(&text, &shown)?);
    }
    pairs.extend(comparing.options.iter().cloned());
    pairs.extend(comparing.seed.iter().map(|seed| format!("seed={seed}")));
    pairs.extend(comparing.lenient.then(|| "lenient=true".to_string()));
    pairs.extend_from_slice(more);
    verism::compare::Options::parse(pairs.iter().map(String::as_str))
}

/// The score tables that arguments name; `-` is standard input.
pub(crate) fn tables(arguments: &[String], wide: Option<&str>) -> Result<Vec<verism::compare::Input>> {
    let wide = wide.map(verism::compare::Wide::parse).transpose()?;
    let mut inputs = vec![];
    for argument in arguments {
        let mut input = verism::compare::Input { wide: wide.clone(), ..verism::compare::Input::parse(argument) };
        if input.path == Path::new("-") {
            let mut bytes = vec![];
            let read = std::io::stdin().lock().read_to_end(&mut bytes);
            read.map_err(|e| Defect::new("unreadable", "a score table").file("-").value(e.to_string()))?;
            input.bytes = Some(bytes);
        }
        inputs.push(input);
    }
    Ok(inputs)
}

/// The text of the configuration and its name: the one given, else the one in or beside the first input.
pub(crate) fn configuration(
    given: &Option<PathBuf>,
    first: &Path,
    terminal: &Terminal,
) -> Result<Option<(String, String)>> {
    let Some(path) = given.clone().or_else(|| find_config(first)) else { return Ok(None) };
    let shown = path.display().to_string();
    terminal.tell(&format!("configuration: {shown}"));
    let text = read_file(&path, "a readable TOML file", terminal.limits())?;
    known_sections(&text, &shown)?;
    Ok(Some((text, shown)))
}

/// The text of a file that is needed.
pub(crate) fn read_file(path: &Path, expected: &str, limits: Limits) -> Result<String> {
    let bad = |found: String| Defect::new("bad_config", expected).file(path.display().to_string()).value(found);
    let bytes = read_whole(path, limits, |error| bad(error.to_string()))?;
    limits.check_nodes(&bytes).map_err(|defect| defect.file(path.display().to_string()))?;
    Ok(String::from_utf8(bytes).map_err(|_| bad("bytes that are not UTF-8".into()))?)
}

/// The tables that a configuration may have.
const SECTIONS: [&str; 3] = ["suite", "compare", "gate"];

/// Refuses tables that nobody reads: a mistyped one would be passed over in silence.
fn known_sections(text: &str, shown: &str) -> Result<()> {
    // What is no TOML is refused, with its place, by whoever reads it.
    let Ok(config) = text.parse::<toml::Table>() else { return Ok(()) };
    let unknown = |name: &str, field: String, known: &[&str]| {
        let expected = format!("one of {}", known.iter().map(|k| format!("[{k}]")).collect::<Vec<_>>().join(", "));
        Err(Defect::new("bad_config", expected).file(shown).field(field).value(name).did_you_mean(known).into())
    };
    if let Some(name) = config.keys().find(|name| !SECTIONS.contains(&name.as_str())) {
        return unknown(name, name.clone(), &["suite.SUITE", "compare", "gate"]);
    }
    let suites: Vec<&str> = all().map(|suite| suite.facts().id).collect();
    let tables = config.get("suite").and_then(|suite| suite.as_table()).into_iter().flatten();
    for (name, _) in tables {
        if !suites.contains(&name.as_str()) {
            let known: Vec<String> = suites.iter().map(|suite| format!("suite.{suite}")).collect();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            return unknown(&format!("suite.{name}"), format!("suite.{name}"), &known);
        }
    }
    Ok(())
}

fn find_config(first: &Path) -> Option<PathBuf> {
    if first == Path::new("-") {
        return None;
    }
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
