//! From arguments to a table: files, folders of scores, names for them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::audits::{Caution, Errors, read_errors};
use super::factor::{Parts, named_parts};
use super::separator::with_commas;
use super::wide::Wide;
use crate::compare::error::bad_option;
use crate::compare::options::{ClusterBy, FactorChoice, Options};
use crate::compare::read::names::nfc;
use crate::compare::read::table::{Format, Reader, Table};
use crate::error::{Defect, Error, Result};
use crate::input::{Watch, hexadecimal};
use crate::score::contents::{FileFacts, not_as_written};
use crate::score::manifest::{InputFacts, MANIFEST, one_share};

/// A score table on disk and the name its experiments get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The name that its experiments get.
    pub label: Option<String>,
    /// A score table, or a folder that holds one.
    pub path: PathBuf,
    /// The bytes of the table, where they do not come from the path (standard input).
    pub bytes: Option<Vec<u8>>,
    /// How a wide table is read; none: a row holds one score.
    pub wide: Option<Wide>,
}

impl Input {
    /// Gives the input at a path.
    pub fn at(path: impl Into<PathBuf>) -> Input {
        Input { label: None, path: path.into(), bytes: None, wide: None }
    }

    /// Reads `NAME=PATH`; the name has no slash, and an existing file called so is a path.
    pub fn parse(argument: &str) -> Input {
        let named = argument.split_once('=').filter(|(name, path)| {
            !name.is_empty() && !path.is_empty() && !name.contains(['/', '\\']) && !Path::new(argument).exists()
        });
        match named {
            Some((name, path)) => Input { label: Some(nfc(name)), ..Input::at(path) },
            None => Input::at(argument),
        }
    }

    /// The file that holds the rows: in a folder `scores.jsonl`, else `scores.csv`.
    fn file(&self) -> PathBuf {
        let inside = ["scores.jsonl", "scores.csv"].map(|name| self.path.join(name));
        match self.path.is_dir() {
            true => inside.into_iter().find(|file| file.exists()).unwrap_or_else(|| self.path.clone()),
            false => self.path.clone(),
        }
    }

    /// How a folder's scores came about, if its manifest tells.
    fn origin(&self) -> Option<ManifestFacts> {
        let text = std::fs::read_to_string(self.path.join(MANIFEST)).ok()?;
        serde_json::from_str(&text).ok()
    }
}

/// What a comparison asks of a manifest.
#[derive(Deserialize)]
struct ManifestFacts {
    suite: String,
    signature: String,
    shard: Option<String>,
    #[serde(default)]
    files: Vec<FileFacts>,
}

/// Gives the table of all inputs, ready to be compared, and the options with the factor that the data settle.
pub(crate) fn read_inputs(inputs: &[Input], options: &Options, watch: &dyn Watch) -> Result<(Table, Options)> {
    if inputs.is_empty() {
        return Err(Defect::new("no_input", "at least one score table or folder").into());
    }
    check_origins(inputs, options.mixed_signatures)?;
    let column = match &options.cluster {
        ClusterBy::Column(name) if name != "experiment" => Some(name.as_str()),
        _ => None,
    };
    let mut reader = Reader::watched(watch).clustered(column);
    let mut facts = vec![];
    let mut parts = Parts::new();
    let mut errors: Vec<(String, Errors)> = vec![];
    for input in inputs {
        let (shown, text) = read_text(input)?;
        watch.expect(text.len() as u64);
        let json_lines = is_json_lines(&input.file(), &text) && input.wide.is_none();
        let commas = if json_lines { Cow::Borrowed(text.as_str()) } else { with_commas(&text) };
        let format = match &input.wide {
            Some(wide) => Format::Wide(wide),
            None if json_lines => Format::JsonLines,
            None => Format::Csv,
        };
        let add = || reader.add(&shown, &commas, format, input.label.as_deref());
        let (sha256, renamed) = rayon::join(|| hexadecimal(&Sha256::digest(&text)), add);
        if watch.stop() {
            return Err(Error::Interrupted);
        }
        if options.factor.is_some() {
            let shift = usize::from(renamed.prefixed);
            parts.extend(named_parts(&commas, json_lines).into_iter().map(|(name, k)| (name, k + shift)));
        }
        for (experiment, found) in read_errors(&input.path) {
            errors.push((renamed.names.get(&experiment).cloned().unwrap_or(experiment), found));
        }
        facts.push(InputFacts { path: shown, bytes: text.len() as u64, sha256 });
    }
    if let Some(problem) = reader.first_problem().filter(|_| !options.lenient) {
        return Err(problem.defect().into());
    }
    if let Some(column) = column
        && !reader.gather_clusters(column)
    {
        return Err(bad_option("cluster", column, "auto, none, or a column of the scores that some row fills"));
    }
    let mut settled = options.clone();
    let part = settle_factor(&mut reader, &mut settled, &parts)?;
    if settled.cluster == ClusterBy::None {
        reader.forget_clusters();
    }
    suggest_factor(&mut reader, inputs, &settled);
    let mut table = Table { inputs: facts, ..reader.finish() };
    table.cautions = cautions(&table, errors, part);
    Ok((table, settled))
}

/// Compares along the factor asked for, or along the part that holds the baseline; gives the part's number.
fn settle_factor(reader: &mut Reader, options: &mut Options, parts: &Parts) -> Result<Option<usize>> {
    let k = match &options.factor {
        None => return Ok(part_of_baseline(reader, options)),
        Some(FactorChoice::Part(k)) => *k,
        Some(FactorChoice::Named(name)) => {
            let found = parts.iter().find(|(part, _)| part.eq_ignore_ascii_case(name)).map(|(_, k)| *k);
            found.ok_or_else(|| {
                let mut known: Vec<&str> = parts.iter().map(|(part, _)| part.as_str()).collect();
                known.sort_unstable();
                known.dedup();
                let names = if known.is_empty() { String::new() } else { format!(" or one of {}", known.join(", ")) };
                let expected = format!("the number of a part of the experiments' names{names}");
                Defect::new("bad_option", expected).field("factor").value(name).did_you_mean(known)
            })?
        }
    };
    reader.along_factor(k).map_err(|problem| bad_option("factor", &k.to_string(), problem))?;
    options.factor = Some(FactorChoice::Part(k));
    Ok(Some(k))
}

/// A baseline that is not an experiment but exactly one part of their names means a comparison along that part.
fn part_of_baseline(reader: &mut Reader, options: &mut Options) -> Option<usize> {
    let baseline = options.baseline.clone()?;
    let experiments: BTreeSet<String> = reader.experiments().into_iter().map(String::from).collect();
    if experiments.contains(&baseline) {
        return None;
    }
    let places = |name: &String| {
        let parts = name.split('/').enumerate();
        parts.filter(|(_, part)| *part == baseline).map(|(at, _)| at + 1).collect::<Vec<usize>>()
    };
    let held: BTreeSet<usize> = experiments.iter().flat_map(places).collect();
    let k = held.first().copied().filter(|_| held.len() == 1)?;
    // Every experiment has that part, or the baseline stays unknown.
    if experiments.iter().any(|name| name.split('/').count() < k) {
        return None;
    }
    reader.along_factor(k).ok()?;
    options.factor = Some(FactorChoice::Part(k));
    reader.remark(format!(
        "{baseline} is part {k} of the experiments' names: compared along that part (--option factor={k}), the other parts \
         are cases"
    ));
    Some(k)
}

/// Names the factor that compares one input with the other over all experiments of both.
fn suggest_factor(reader: &mut Reader, inputs: &[Input], options: &Options) {
    let labels: Vec<&str> = inputs.iter().filter_map(|input| input.label.as_deref()).collect();
    let experiments = reader.experiments();
    let inside = |label: &&str| experiments.iter().filter(|e| e.split('/').next() == Some(*label)).count() > 1;
    if options.factor.is_none()
        && options.baseline.is_none()
        && labels.len() == 2
        && inputs.len() == 2
        && labels.iter().all(inside)
    {
        let text = format!("--option factor=1 compares {} with {} over all experiments of both", labels[0], labels[1]);
        reader.remark(text);
    }
}

/// Gives a caution for every experiment of which too many units have error audits.
fn cautions(table: &Table, errors: Vec<(String, Errors)>, part: Option<usize>) -> Vec<Caution> {
    let mut joined: BTreeMap<String, Errors> = BTreeMap::new();
    for (experiment, found) in &errors {
        let name = part.and_then(|k| experiment.split('/').nth(k - 1)).unwrap_or(experiment);
        joined.entry(name.to_string()).or_default().join(experiment, found);
    }
    let units = |experiment: &str| {
        let id = table.names.find(experiment);
        let own = || table.rows.iter().filter(|row| Some(row.experiment) == id);
        let below = own().any(|row| row.dialogue.is_given());
        let keys = own().filter(|row| !below || row.dialogue.is_given()).map(|row| [row.case, row.run, row.dialogue]);
        keys.collect::<BTreeSet<_>>().len()
    };
    joined.iter().filter_map(|(experiment, errors)| errors.caution(experiment, units(experiment))).collect()
}

/// JSON lines by the file's ending, or because the first thing in it is an object.
fn is_json_lines(path: &Path, text: &str) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match ending.to_ascii_lowercase().as_str() {
        "jsonl" | "ndjson" => true,
        "csv" | "tsv" => false,
        _ => text.trim_start_matches('\u{feff}').trim_start().starts_with('{'),
    }
}

/// Gives the name of a table for people, and its text.
fn read_text(input: &Input) -> Result<(String, String)> {
    let path = input.file();
    let shown = path.display().to_string();
    let unreadable = || Defect::new("unreadable", "a readable score table or a folder that holds one").file(&shown);
    let bytes = match &input.bytes {
        Some(bytes) => bytes.clone(),
        None if path.is_dir() => {
            let found = "a folder without scores.jsonl and scores.csv";
            let hint = "`verism score SUITE LOGS -o DIR` writes such a folder; a table of your own is given as a file";
            return Err(unreadable().value(found).hint(hint).into());
        }
        None => std::fs::read(&path).map_err(|error| unreadable().value(error.to_string()))?,
    };
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + memchr::memchr_iter(b'\n', valid).count() as u64;
        unreadable().line(line).value("bytes that are not UTF-8")
    })?;
    Ok((shown, text))
}

/// Refuses shares, scores that were cut off, and folders that were scored differently unless that is allowed.
fn check_origins(inputs: &[Input], mixed: bool) -> Result<()> {
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    for input in inputs {
        let Some(ManifestFacts { suite, signature, shard, mut files }) = input.origin() else { continue };
        if let Some(shard) = shard {
            return Err(one_share(&input.path, &shard).into());
        }
        let table = input.file();
        files.retain(|file| table == input.path.join(&file.path));
        if let Some(file) = not_as_written(&input.path, &files) {
            let hint = "it was cut off or edited since: score again, or give the file itself, as a table of your own";
            let expected = format!("the scores as they were written, {} bytes", file.bytes);
            return Err(Defect::new("not_a_result", expected).file(table.display().to_string()).hint(hint).into());
        }
        let first = known.entry(suite).or_insert_with(|| signature.clone());
        if *first != signature && !mixed {
            return Err(Defect::new("mixed_signatures", format!("scores with the signature {first}"))
                .file(input.path.display().to_string())
                .value(signature)
                .hint("score the folders alike, or pass --option mixed_signatures=true")
                .into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_paths_are_told_apart() {
        let parse = |text: &str| {
            let input = Input::parse(text);
            (input.label, input.path.display().to_string())
        };
        assert_eq!(parse("before=runs/a"), (Some("before".into()), "runs/a".into()));
        assert_eq!(parse("runs/a=b"), (None, "runs/a=b".into()));
        assert_eq!(parse("=x"), (None, "=x".into()));
    }
}
