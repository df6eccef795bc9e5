//! What must hold of any job, whatever its logs and options.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::ThreadPool;
use serde_json::Value;
use verism::input::Unwatched;
use verism::suites::{Destination, Job, Joined, Options, Scored, Shard, Suite, merge, score, validate};
use verism::{Defect, Error, Result};

use crate::damage::Random;
use crate::files::paths;

/// A job.
#[derive(Clone)]
pub struct Case {
    /// The suite.
    pub suite: &'static dyn Suite,
    /// Its inputs.
    pub inputs: Vec<PathBuf>,
    /// Options as typed.
    pub options: Vec<String>,
    /// Whether it goes on past defects.
    pub lenient: bool,
}

/// Code, file, line and field of a defect.
type Told = (String, Option<String>, Option<u64>, Option<String>);

fn told(defect: &Defect) -> Told {
    (defect.code.to_string(), defect.file.clone(), defect.line, defect.field.clone())
}

impl Case {
    fn options(&self) -> Result<Options> {
        let mut options = Options::default();
        for pair in &self.options {
            options.add(pair)?;
        }
        Ok(options)
    }

    fn score(&self, lenient: bool, shard: Option<Shard>, to: Destination<'_>) -> Result<Scored> {
        let job = Job { lenient, shard, ..Job::new(paths(&self.inputs), self.options()?, &Unwatched) };
        score(self.suite, job, to)
    }

    fn in_memory(&self, lenient: bool) -> Result<Scored> {
        self.score(lenient, None, Destination { memory: true, ..Destination::default() })
    }

    fn id(&self) -> &'static str {
        self.suite.facts().id
    }
}

/// The whole result, or what is wrong.
fn document(suite: &str, scored: &Result<Scored>) -> std::result::Result<Vec<u8>, Told> {
    let scored = scored.as_ref().map_err(|error| told(&error.defect()))?;
    let mut out = vec![];
    // Memory takes everything.
    let _ = scored.write_document(suite, &mut out);
    out.extend(scored.report.warnings.join("\n").bytes());
    Ok(out)
}

/// The lists of defects, in the order in which `validate` tells them.
const LISTS: [&str; 3] = ["corpus_errors", "errors", "label_errors"];

/// The defects that a result lists.
fn listed(scored: &Scored) -> Vec<Told> {
    let mut lists: Vec<_> = scored.results.iter().flat_map(|results| &results.lists).collect();
    lists.retain(|list| LISTS.contains(&list.name.as_str()));
    lists.sort_by_key(|list| LISTS.iter().position(|name| *name == list.name));
    let lines = lists.iter().flat_map(|list| list.lines.split(|byte| *byte == b'\n')).filter(|line| !line.is_empty());
    let defects = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let text = |value: &Value| value.as_str().map(String::from);
    let told = |row: Value| {
        (text(&row["code"]).unwrap_or_default(), text(&row["file"]), row["line"].as_u64(), text(&row["field"]))
    };
    defects.map(told).collect()
}

/// What `validate` finds is what `score` meets: the same defects past which it goes on, the same that ends it.
pub fn checked_as_scored(case: &Case) -> std::result::Result<(), String> {
    let options = match case.options() {
        Ok(options) => options,
        Err(_) => return Ok(()),
    };
    let mut found = vec![];
    let job = Job { lenient: true, ..Job::new(paths(&case.inputs), options, &Unwatched) };
    let checked = validate(case.suite, job, &mut |defect: Defect| {
        if !defect.is_warning() {
            found.push(told(&defect));
        }
        Ok(())
    });
    let (lenient, strict) = (case.in_memory(true), case.in_memory(false));
    let went_on: Vec<Told> = match &lenient {
        Ok(scored) => listed(scored),
        Err(error) => error.passed().iter().flat_map(|(_, passed)| passed.iter().map(told)).collect(),
    };
    let differ = |what: &str| {
        let strict = strict.as_ref().err().map(|error| told(&error.defect()));
        let lenient = lenient.as_ref().err().map(|error| told(&error.defect()));
        let checked = checked.as_ref().err().map(|error| told(&error.defect()));
        Err(format!("{what}: validate {checked:?} {found:?}; strict {strict:?}; lenient {lenient:?} {went_on:?}"))
    };
    match (&checked, &lenient) {
        // What ends a job under --lenient ends the check, or is what it found.
        (Err(check), Err(error)) if told(&check.defect()) == told(&error.defect()) => {}
        (Ok(_), Err(error)) if found.contains(&told(&error.defect())) => {}
        (Ok(_), Err(Error::NothingLeft { .. })) if !found.is_empty() => {}
        (Ok(_), Ok(_)) if found == went_on => {}
        _ => return differ("lenient"),
    }
    match &strict {
        Ok(_) if checked.is_ok() && found.is_empty() => Ok(()),
        Err(error) if checked.is_err() || found.contains(&told(&error.defect())) => Ok(()),
        _ => differ("strict"),
    }
}

/// Any number of threads gives the same bytes, and so do shares in any order.
pub fn same_bytes(
    case: &Case,
    pools: &[ThreadPool],
    home: &Path,
    random: &mut Random,
) -> std::result::Result<(), String> {
    let whole = pools[0].install(|| case.in_memory(case.lenient));
    let expected = document(case.id(), &whole);
    let other = random.below(pools.len() - 1) + 1;
    let again = document(case.id(), &pools[other].install(|| case.in_memory(case.lenient)));
    if expected != again {
        return Err(format!("{} threads: {}", pools[other].current_num_threads(), difference(&expected, &again)));
    }
    if expected.is_err() {
        return Ok(());
    }
    let count = random.below(4) as u32 + 1;
    let mut shares = vec![];
    for index in 1..=count {
        let place = home.join(format!("share{index}of{count}"));
        let _ = std::fs::remove_dir_all(&place);
        std::fs::create_dir_all(&place).map_err(|error| error.to_string())?;
        let to = Destination { folder: Some(&place), ..Destination::default() };
        if let Err(error) = pools[other].install(|| case.score(case.lenient, Some(Shard { index, count }), to)) {
            return Err(format!("share {index} of {count}: {:?}", error.defect()));
        }
        shares.insert(random.below(shares.len() + 1), place);
    }
    let shares: Vec<&Path> = shares.iter().map(PathBuf::as_path).collect();
    let to = Destination { memory: true, ..Destination::default() };
    let shards = Joined { folders: &shares, options: &Options::default(), embed: None };
    let joined = merge(case.suite, &shards, &Unwatched, to);
    // A share notes nothing about the folders that it was made from.
    let (mut joined, mut whole) = (joined, whole);
    for scored in [&mut joined, &mut whole].into_iter().flatten() {
        scored.report.warnings.clear();
    }
    let (expected, joined) = (document(case.id(), &whole), document(case.id(), &joined));
    if expected != joined {
        return Err(format!("{count} shares: {}", difference(&expected, &joined)));
    }
    Ok(())
}

/// The order of inputs changes no value, where every record is whole.
pub fn same_values(case: &Case) -> std::result::Result<(), String> {
    let values = |inputs: Vec<PathBuf>| {
        let scored = Case { inputs, ..case.clone() }.in_memory(true).ok()?;
        let rows = scored.results.as_ref().map(|results| results.scores.clone()).unwrap_or_default();
        let rows = rows.split(|byte| *byte == b'\n').filter_map(|row| serde_json::from_slice::<Value>(row).ok());
        let key =
            |row: &Value| ["metric", "experiment", "run", "case", "level", "unit"].map(|name| row[name].to_string());
        let rows: BTreeMap<_, Value> = rows.map(|row| (key(&row), row["value"].clone())).collect();
        Some((listed(&scored).is_empty(), rows))
    };
    let (there, back) = (values(case.inputs.clone()), values(case.inputs.iter().rev().cloned().collect()));
    match (there, back) {
        (Some((true, there)), Some((true, back))) if there != back => Err("the order of inputs changes a value".into()),
        (Some((true, _)), None) | (None, Some((true, _))) => Err("one order of inputs is refused".into()),
        _ => Ok(()),
    }
}

/// The first place where two results differ.
fn difference(a: &std::result::Result<Vec<u8>, Told>, b: &std::result::Result<Vec<u8>, Told>) -> String {
    let (Ok(a), Ok(b)) = (a, b) else {
        let name = |one: &std::result::Result<Vec<u8>, Told>| one.as_ref().err().map(|told| format!("{told:?}"));
        return format!("{:?} and {:?}", name(a), name(b));
    };
    let at = a.iter().zip(b).position(|(x, y)| x != y).unwrap_or(a.len().min(b.len()));
    let around = |bytes: &[u8]| {
        let some = &bytes[at.saturating_sub(60)..bytes.len().min(at + 60)];
        String::from_utf8_lossy(some).into_owned()
    };
    format!("at byte {at}: {:?} and {:?}", around(a), around(b))
}
