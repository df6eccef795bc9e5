//! A folder that is half done: what it was begun for, and what of it can be kept.
//!
//! Its manifest says from the beginning what the folder will hold; counts and files are added when it is finished.
//! Dialogues depend on nothing but that, so every whole line that is the one due is kept and the rest is played again.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use serde_json::Value;
use verism::score::manifest::MANIFEST;
use verism::{Defect, Error, Result};

use crate::cast::Cast;
use crate::record::Ids;

/// The dialogues.
pub(crate) const DIALOGUES: &str = "dialogues.jsonl";

/// Options that may differ when a job is gone on with, as long as no dialogue is lost by it.
const CAST: [&str; 3] = ["agents", "seeds", "runs"];

/// What is kept of a log: lines, their bytes, and whether what follows is a whole dialogue of another job.
#[derive(Default)]
struct KeptLines {
    lines: u64,
    bytes: u64,
    others_follow: bool,
}

/// Takes up what a folder holds for the job that a manifest describes, or empties it; gives the log, ready to be
/// continued, and how many dialogues it has. Dialogues that were played for another job are refused unless they may be
/// dropped.
pub(crate) fn take_up(folder: &Path, place: &Path, begun: &Value, cast: &Cast, drop: bool) -> Result<(File, u64)> {
    let failed = |error: io::Error| Error::write(folder.display().to_string())(error);
    let log = folder.join(DIALOGUES);
    let earlier = manifest(folder);
    let mut kept = KeptLines::default();
    if let Some(earlier) = &earlier {
        kept = scan(&log, cast).map_err(failed)?;
        let refuse = |changed: Option<Difference>| {
            let hint =
                "it is half done: give the same options to go on, --force to start over, or another folder with -o";
            changed.filter(|_| !drop).map_or(Ok(()), |changed| Err(changed.defect(place, hint)))
        };
        let fixed = fixed_difference(earlier, begun);
        let (none_fits, any) = (fixed.is_some(), kept.lines > 0 || kept.others_follow);
        refuse(fixed.filter(|_| any))?;
        refuse(difference(earlier, begun, |_| true).filter(|_| kept.others_follow))?;
        if none_fits {
            kept = KeptLines::default();
        }
    }
    if kept.lines == 0 {
        fs::remove_dir_all(folder).and_then(|()| fs::create_dir(folder)).map_err(failed)?;
    }
    if earlier.as_ref() != Some(begun) || kept.lines == 0 {
        write_manifest(folder, begun).map_err(failed)?;
    }
    let open = || -> io::Result<File> {
        let file = File::options().create(true).append(true).open(&log)?;
        file.set_len(kept.bytes)?;
        Ok(file)
    };
    Ok((open().map_err(failed)?, kept.lines))
}

/// The manifest of a folder, if there is one that can be read.
pub(crate) fn manifest(folder: &Path) -> Option<Value> {
    serde_json::from_slice(&fs::read(folder.join(MANIFEST)).ok()?).ok()
}

/// Writes a manifest whole.
pub(crate) fn write_manifest(folder: &Path, manifest: &Value) -> io::Result<()> {
    let beside = folder.join(format!("{MANIFEST}.new"));
    let mut file = File::create(&beside)?;
    file.write_all(format!("{manifest:#}\n").as_bytes())?;
    file.sync_all()?;
    fs::rename(beside, folder.join(MANIFEST))
}

/// Reads a log as far as it holds the dialogues of a cast, whole and in order.
fn scan(log: &Path, cast: &Cast) -> io::Result<KeptLines> {
    let mut kept = KeptLines::default();
    let mut reader = match File::open(log) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(kept),
        opened => BufReader::with_capacity(1 << 20, opened?),
    };
    let (mut line, mut jobs) = (vec![], cast.jobs());
    loop {
        line.clear();
        reader.read_until(b'\n', &mut line)?;
        let whole = line.last() == Some(&b'\n');
        let Some(ids) = serde_json::from_slice::<Ids>(&line).ok().filter(|_| whole) else { return Ok(kept) };
        if !jobs.next().is_some_and(|job| ids.are_of(&job)) {
            kept.others_follow = true;
            return Ok(kept);
        }
        kept.lines += 1;
        kept.bytes += line.len() as u64;
    }
}

/// Something that two jobs do not share.
pub(crate) struct Difference {
    field: String,
    before: String,
    now: String,
}

impl Difference {
    /// The defect of a folder whose dialogues were made for the other job.
    pub(crate) fn defect(self, place: &Path, hint: &str) -> Defect {
        let expected = format!("{}, with which the dialogues in the folder were made", self.before);
        let defect = Defect::new("bad_option", expected).file(place.display().to_string());
        defect.field(self.field).value(self.now).hint(hint)
    }
}

/// The first thing in which the jobs of two manifests differ, among the options that count.
fn difference(before: &Value, now: &Value, counts: impl Fn(&str) -> bool) -> Option<Difference> {
    let shown = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => {
            list.iter().map(|v| v.as_str().map_or(v.to_string(), String::from)).collect::<Vec<_>>().join(",")
        }
        Value::Object(entries) if entries.contains_key("name") => {
            ["name", "sha256"].map(|key| entries.get(key).and_then(Value::as_str).unwrap_or("")).join(" ")
        }
        other => other.to_string(),
    };
    let differ = |field: &str, before: &Value, now: &Value| {
        (before != now).then(|| Difference { field: field.to_string(), before: shown(before), now: shown(now) })
    };
    let whole = ["simulated", "version"].into_iter().find_map(|key| differ(key, &before[key], &now[key]));
    whole.or_else(|| {
        ["options", "sources"].into_iter().find_map(|part| {
            let mut keys: Vec<&String> =
                [before, now].into_iter().filter_map(|job| job[part].as_object()).flat_map(|map| map.keys()).collect();
            keys.sort();
            keys.dedup();
            keys.retain(|key| counts(key));
            keys.into_iter().find_map(|key| differ(key, &before[part][key], &now[part][key]))
        })
    })
}

/// What keeps a finished folder from being added to: an option that may not change.
pub(crate) fn fixed_difference(before: &Value, now: &Value) -> Option<Difference> {
    difference(before, now, |key| !CAST.contains(&key))
}

/// Whether two manifests are of the same job.
pub(crate) fn is_same_job(before: &Value, now: &Value) -> bool {
    difference(before, now, |_| true).is_none()
}
