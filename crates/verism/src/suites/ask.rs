//! Questions about scores: finds the unit that is meant; gives an overview where an experiment or nothing is named.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde::Deserialize;

use super::explain::{ambiguous, wrap};
use super::{Better, Explanation, Metric, Suite, SuiteFacts};
use crate::error::{Defect, Error, Result};
use crate::stats::sum::mean;

/// Units that are named for each metric.
const WORST: usize = 3;
/// The same where more is to stand on the screen.
const WORST_BESIDE_MORE: usize = 2;

/// Explains a unit, named by any end or a beginning of its id, or by its case; an experiment; or, without a name, the
/// worst units of each headline metric.
pub fn why(
    suite: &dyn Suite,
    folder: &Path,
    unit: Option<&str>,
    metric: Option<&str>,
    in_full: bool,
) -> Result<Explanation> {
    let Some(unit) = unit else { return overview(suite.facts(), folder, None, metric) };
    let first = match suite.why(folder, unit, metric, in_full) {
        Err(Error::Defect(defect)) if defect.code == "unknown_unit" => defect,
        answered => return answered,
    };
    let known = PossibleUnits::of(folder, unit)?;
    if known.is_experiment {
        return overview(suite.facts(), folder, Some(unit), metric);
    }
    for meant in [&known.by_case, &known.by_end, &known.by_beginning] {
        let ids: Vec<String> = meant.iter().map(|id| id.shown()).collect();
        match (meant.first(), ids.len()) {
            (None, _) => {}
            (Some(id), 1) => {
                return match suite.why(folder, &id.shown(), metric, in_full) {
                    Err(Error::Defect(defect)) if defect.code == "unknown_unit" => {
                        suite.why(folder, &id.in_four_parts(), metric, in_full)
                    }
                    answered => answered,
                };
            }
            _ => return Err(ambiguous(unit, &ids).into()),
        }
    }
    Err(first.did_you_mean(&known.all).into())
}

/// A score row as far as questions need it.
#[derive(Deserialize)]
struct Row<'a> {
    #[serde(borrow)]
    metric: Cow<'a, str>,
    #[serde(borrow)]
    experiment: Option<Cow<'a, str>>,
    #[serde(borrow)]
    run: Option<Cow<'a, str>>,
    #[serde(borrow)]
    case: Option<Cow<'a, str>>,
    #[serde(borrow)]
    dialogue: Option<Cow<'a, str>>,
    #[serde(borrow)]
    level: Option<Cow<'a, str>>,
    #[serde(borrow)]
    unit: Option<Cow<'a, str>>,
    value: Option<f64>,
    #[serde(borrow)]
    undefined: Option<Cow<'a, str>>,
}

/// The ids of a unit: experiment, run, case, unit; absent ones are empty.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Id([String; 4]);

impl Id {
    fn of(row: &Row<'_>) -> Id {
        Id([&row.experiment, &row.run, &row.case, &row.unit]
            .map(|part| part.as_deref().unwrap_or_default().to_string()))
    }

    /// The id as people write it: no empty parts, and none twice.
    fn shown(&self) -> String {
        let [experiment, run, case, unit] = &self.0;
        let mut parts: Vec<&str> =
            [experiment, run, case].into_iter().map(String::as_str).filter(|p| !p.is_empty()).collect();
        if !unit.is_empty() && parts.last() != Some(&unit.as_str()) {
            parts.push(unit);
        }
        parts.join("/")
    }

    fn in_four_parts(&self) -> String {
        self.0.join("/")
    }
}

/// Visits the score rows of a folder.
fn each_row(folder: &Path, mut visit: impl FnMut(&Row<'_>)) -> Result<()> {
    let path = folder.join("scores.jsonl");
    let broken = |error: String| {
        Defect::new("not_a_result", "scores written by verism").file(path.display().to_string()).value(error)
    };
    let mut lines = BufReader::with_capacity(1 << 18, File::open(&path).map_err(|e| broken(e.to_string()))?);
    let mut line = vec![];
    while lines.read_until(b'\n', &mut line).map_err(|e| broken(e.to_string()))? > 0 {
        visit(&serde_json::from_slice(&line).map_err(|e| broken(e.to_string()))?);
        line.clear();
    }
    Ok(())
}

/// What a text could mean.
#[derive(Default)]
struct PossibleUnits {
    is_experiment: bool,
    by_case: BTreeSet<Id>,
    by_end: BTreeSet<Id>,
    by_beginning: BTreeSet<Id>,
    all: BTreeSet<String>,
}

impl PossibleUnits {
    fn of(folder: &Path, text: &str) -> Result<PossibleUnits> {
        let mut known = PossibleUnits::default();
        let mut last = None;
        each_row(folder, |row| {
            known.is_experiment |= row.experiment.as_deref() == Some(text);
            // Pieces of a dialogue are found by their own ids; here they would only crowd the answer.
            let is_piece = row.dialogue.is_some() && row.dialogue != row.unit;
            let id = Id::of(row);
            if is_piece || last.as_ref() == Some(&id) || text.is_empty() {
                return;
            }
            let shown = id.shown();
            if row.case.as_deref() == Some(text) {
                known.by_case.insert(id.clone());
            }
            if shown.ends_with(text) {
                known.by_end.insert(id.clone());
            }
            if shown.starts_with(text) || id.0[3].starts_with(text) {
                known.by_beginning.insert(id.clone());
            }
            known.all.extend([shown, id.0[3].clone()]);
            last = Some(id);
        })?;
        Ok(known)
    }
}

/// What is known of a metric over many units.
#[derive(Default)]
struct MetricOverview {
    values: Vec<f64>,
    undefined: BTreeMap<String, u64>,
    /// The worst first: what orders them (smaller is worse), the value, the id.
    worst: Vec<(f64, f64, String)>,
}

/// Gives mean, undefined units and the worst units of each headline metric (or of one metric), in one experiment or all.
fn overview(facts: &SuiteFacts, folder: &Path, experiment: Option<&str>, metric: Option<&str>) -> Result<Explanation> {
    Ok(Explanation { lines: overview_lines(facts, folder, experiment, metric, WORST)? })
}

/// The overview of an experiment; unless it is wanted in full, so short that more fits on the screen.
pub(super) fn of_experiment(facts: &SuiteFacts, folder: &Path, experiment: &str, in_full: bool) -> Result<Vec<String>> {
    let worst = if in_full { WORST } else { WORST_BESIDE_MORE };
    let mut lines = overview_lines(facts, folder, Some(experiment), None, worst)?;
    if !in_full {
        lines.retain(|line| !line.is_empty());
    }
    Ok(lines)
}

fn overview_lines(
    facts: &SuiteFacts,
    folder: &Path,
    experiment: Option<&str>,
    metric: Option<&str>,
    worst: usize,
) -> Result<Vec<String>> {
    let metric = metric.map(str::to_lowercase);
    if let Some(name) = &metric
        && !facts.metrics.iter().any(|known| known.describes(name))
    {
        let known = facts.metrics.iter().map(|metric| metric.id);
        let hint = format!("`verism explain {}` lists the metrics", facts.id);
        let defect = Defect::new("unknown_metric", "a metric of this suite").field("metric").value(name).hint(hint);
        return Err(defect.did_you_mean(known).into());
    }
    let fact = |id: &str| -> Option<&'static Metric> {
        let exact = facts.metrics.iter().find(|known| known.id == id);
        exact.or_else(|| facts.metrics.iter().find(|known| known.describes(id)))
    };
    let mut seen: BTreeMap<String, MetricOverview> = BTreeMap::new();
    each_row(folder, |row| {
        let wanted = match &metric {
            Some(name) => row.metric == name.as_str(),
            None => fact(&row.metric).is_some_and(|known| known.headline),
        };
        let at_home = fact(&row.metric).is_some_and(|known| row.level.as_deref() == Some(known.level));
        if !wanted || !at_home || experiment.is_some_and(|name| row.experiment.as_deref() != Some(name)) {
            return;
        }
        let entry = seen.entry(row.metric.to_string()).or_default();
        let Some(value) = row.value else {
            let reason = row.undefined.as_deref().unwrap_or("unspecified");
            *entry.undefined.entry(reason.to_string()).or_default() += 1;
            return;
        };
        entry.values.push(value);
        let order = match fact(&row.metric).map(|known| known.better) {
            Some(Better::Higher) => value,
            Some(Better::Lower) => -value,
            _ => return,
        };
        entry.worst.push((order, value, Id::of(row).shown()));
        entry.worst.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.2.cmp(&b.2)));
        entry.worst.truncate(worst);
    })?;
    let mut lines = vec![match experiment {
        Some(name) => format!("{name}: an experiment; its worst units by metric"),
        None => "the worst units of each headline metric".to_string(),
    }];
    for (name, entry) in &seen {
        lines.push(String::new());
        lines.push(heading(name, entry, fact(name).map(|known| known.better)));
        lines.extend(entry.worst.iter().map(|(_, value, id)| format!("  {value:<9.4} {id}")));
    }
    if seen.is_empty() {
        lines.push("no scores of these metrics".to_string());
    }
    let example = seen.values().find_map(|entry| entry.worst.first()).map_or("ID", |(_, _, id)| id.as_str());
    lines.push(String::new());
    lines.push(format!("ask about one: verism why {} --unit {example}", folder.display()));
    Ok(lines.iter().flat_map(|line| wrap(line)).collect())
}

fn heading(name: &str, seen: &MetricOverview, better: Option<Better>) -> String {
    let direction = match better {
        Some(Better::Higher) => "higher is better",
        Some(Better::Lower) => "lower is better",
        _ => "neither is better",
    };
    let mean = mean(&seen.values).map_or_else(|| "no value".to_string(), |mean| format!("mean {mean:.4}"));
    let undefined: Vec<String> = seen.undefined.iter().map(|(reason, n)| format!("{reason} {n}")).collect();
    let undefined = if undefined.is_empty() { String::new() } else { format!("; undefined: {}", undefined.join(", ")) };
    format!("{name} ({direction}): {mean} of {} units{undefined}", seen.values.len())
}
