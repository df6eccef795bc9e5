//! Validity of a folder that was scored: its metrics against labels, and what trivial replies get.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use super::file::rows_of;
use super::labelled::{Labelled, Range, attach};
use super::validity::{Agreement, TURN_METRICS, agreements};
use crate::error::{Defect, Result};
use crate::input::Limits;
use crate::score::manifest::{Manifest, one_share};
use crate::suites::recommender::catalog::read::{facts_of, read_bytes};
use crate::suites::recommender::facts::DIALOGUE_METRICS;
use crate::suites::recommender::options::FileFacts;
use crate::suites::recommender::record::dialogue::{Notes, Rater};
use crate::suites::records::{Key, base_name};

/// What is asked.
#[derive(Clone, Debug)]
pub struct ValidityQuestion<'a> {
    /// A folder that `score recommender` wrote.
    pub folder: &'a Path,
    /// A file of labels; without one the labels that the dialogues brought along count.
    pub labels: Option<&'a Path>,
    /// Metrics to look at; none: those of the options that the folder was scored with.
    pub metrics: Option<Vec<String>>,
    /// Resamples of the bootstrap.
    pub resamples: u64,
    /// Its seed.
    pub seed: u64,
    /// Go on past bad labels.
    pub lenient: bool,
    /// How large the file of labels may be.
    pub limits: Limits,
}

/// Whether metrics agree with labels.
#[derive(Debug, Serialize)]
pub struct Validity {
    /// How the scores came about.
    pub signature: String,
    /// The file of labels.
    pub labels: Option<FileFacts>,
    /// Each metric beside each label.
    pub correlations: Vec<Agreement>,
    /// What trivial replies get on the same user turns; none if the folder was scored without them.
    pub baselines: Option<Vec<Value>>,
    /// The experiments themselves, to be read beside the baselines.
    pub experiments: Vec<Value>,
    /// What was counted on the way.
    pub notes: BTreeMap<String, u64>,
    /// Labels that were left out.
    pub label_errors: Vec<Defect>,
}

/// Correlates the metrics of a scored folder with labels.
pub fn validity(question: &ValidityQuestion<'_>) -> Result<Validity> {
    let folder = question.folder;
    let manifest = Manifest::read(folder)?;
    if let Some(shard) = &manifest.shard {
        return Err(one_share(folder, shard).into());
    }
    if manifest.suite != crate::suites::recommender::ID {
        let defect = Defect::new("bad_argument", "a folder that `score recommender` wrote").field("DIR");
        return Err(defect.value(manifest.suite).into());
    }
    let options: Value = serde_json::from_str(manifest.options.get()).unwrap_or_default();
    let metrics = chosen(question.metrics.clone(), &options)?;
    let number = |key: &str, default: f64| options[key].as_f64().unwrap_or(default);
    let range = Range { least: number("judge_min", 1.0), most: number("judge_max", 5.0) };
    let mut all = read_results(folder, question.labels.is_none())?;
    read_turns(folder, &mut all)?;
    let mut notes = Notes::new();
    let (mut labels, mut label_errors) = (None, vec![]);
    if let Some(path) = question.labels {
        let bytes = read_bytes(path, question.limits)?;
        label_errors = attach(&rows_of(&bytes, path, question.limits)?, &mut all, question.lenient, &mut notes);
        label_errors.iter_mut().for_each(|defect| defect.file = Some(base_name(path)));
        if let (Some(first), false) = (label_errors.first(), question.lenient) {
            return Err(first.clone().into());
        }
        labels = Some(facts_of(path, &bytes));
    }
    let left_out: u64 = all.iter().map(|one| one.out_of_range(range)).sum();
    if left_out > 0 {
        notes.insert("judge_out_of_range".into(), left_out);
    }
    let mut pairs = vec![];
    all.iter().for_each(|one| one.push_pairs(&metrics, range, &mut pairs));
    let names: BTreeSet<&str> = all.iter().map(|one| one.key.experiment.as_str()).collect();
    let correlations = agreements(&pairs, &metrics, &names, question.resamples, question.seed);
    Ok(Validity {
        signature: manifest.signature,
        labels,
        correlations,
        baselines: folder.join("baselines.jsonl").is_file().then(|| values(folder, "baselines.jsonl")).transpose()?,
        experiments: values(folder, "experiments.jsonl")?,
        notes: notes.into_iter().map(|(name, count)| (name.into_owned(), count)).collect(),
        label_errors,
    })
}

/// The metrics to look at.
fn chosen(asked: Option<Vec<String>>, options: &Value) -> Result<Vec<String>> {
    let scored = || options["metrics"].as_array().into_iter().flatten().filter_map(Value::as_str).map(String::from);
    let metrics = asked.unwrap_or_else(|| scored().collect());
    match metrics.iter().find(|metric| !DIALOGUE_METRICS.contains(&metric.as_str())) {
        None => Ok(metrics),
        Some(unknown) => {
            let defect = Defect::new("bad_option", DIALOGUE_METRICS.join("|")).field("metrics");
            Err(defect.value(unknown).into())
        }
    }
}

/// Visits every line of a file of JSON lines.
fn each_line(folder: &Path, name: &str, mut visit: impl FnMut(Value)) -> Result<()> {
    let path = folder.join(name);
    let broken = |error: String| {
        Defect::new("not_a_result", "a whole result of verism").file(path.display().to_string()).value(error)
    };
    let file = File::open(&path).map_err(|error| broken(error.to_string()))?;
    for line in BufReader::with_capacity(1 << 18, file).lines() {
        let line = line.map_err(|error| broken(error.to_string()))?;
        visit(serde_json::from_str(&line).map_err(|error| broken(error.to_string()))?);
    }
    Ok(())
}

fn values(folder: &Path, name: &str) -> Result<Vec<Value>> {
    let mut out = vec![];
    each_line(folder, name, |value| out.push(value))?;
    Ok(out)
}

fn key_of(row: &Value) -> Key {
    let text = |key: &str| row[key].as_str().unwrap_or_default().to_string();
    Key { experiment: text("experiment"), run: text("run"), case: text("case"), unit: text("dialogue") }
}

/// The dialogues of `results.jsonl`, with their own labels if these count.
fn read_results(folder: &Path, own_labels: bool) -> Result<Vec<Labelled>> {
    let mut all = vec![];
    each_line(folder, "results.jsonl", |result| {
        let mut labels = BTreeMap::new();
        for (rater, table) in [(Rater::Human, &result["labels"]), (Rater::Judge, &result["judge"])] {
            for (aspect, value) in table.as_object().into_iter().flatten().filter(|_| own_labels) {
                if let Some(value) = value.as_f64() {
                    labels.insert((rater, aspect.clone()), vec![value]);
                }
            }
        }
        let turns = result["n_turns"].as_u64().unwrap_or(0);
        all.push(Labelled {
            key: key_of(&result),
            turns,
            values: DIALOGUE_METRICS.iter().map(|metric| result[*metric].as_f64()).collect(),
            turn_values: vec![[None; 4]; turns as usize],
            labels,
            turn_labels: BTreeMap::new(),
        });
    })?;
    Ok(all)
}

/// The values of turns, from the score rows.
fn read_turns(folder: &Path, all: &mut [Labelled]) -> Result<()> {
    let places: BTreeMap<Key, usize> = all.iter().enumerate().map(|(place, one)| (one.key.clone(), place)).collect();
    each_line(folder, "scores.jsonl", |row| {
        let metric = TURN_METRICS.iter().position(|metric| row["metric"] == *metric);
        let turn = row["turn"].as_u64().filter(|_| row["level"] == "turn");
        if let (Some(metric), Some(turn), Some(place)) = (metric, turn, places.get(&key_of(&row)))
            && let Some(values) = all[*place].turn_values.get_mut((turn as usize).wrapping_sub(1))
        {
            values[metric] = row["value"].as_f64();
        }
    })
}
