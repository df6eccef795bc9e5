//! What the shards of all suites have in common: reading their files, and checking that they belong together.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;

use crate::error::{Defect, Result};
use crate::score::contents::not_as_written;
use crate::score::manifest::Manifest;

/// A file of a shard that is not what it should be.
pub(super) fn bad_shard(folder: &Path, name: &str, error: String) -> Defect {
    Defect::new("bad_shard", "a share written by verism score --shard")
        .file(folder.join(name).display().to_string())
        .value(error)
        .hint("score this share again")
}

/// Reads a file of a shard.
pub(super) fn read_shard<T>(
    folder: &Path,
    name: &str,
    read: impl FnOnce(File) -> std::result::Result<T, String>,
) -> Result<T> {
    let opened = File::open(folder.join(name)).map_err(|e| e.to_string());
    Ok(opened.and_then(read).map_err(|error| bad_shard(folder, name, error))?)
}

/// Refuses folders that are not all the shards of one job.
pub(super) fn check(suite: &str, folders: &[&Path], manifests: &[Manifest]) -> Result<()> {
    let refuse = |i: usize, expected: String, value: String| -> Result<()> {
        let hint = "merge takes all shares of one job, each once: --shard 1/n … n/n of the same inputs and options";
        Err(Defect::new("bad_shard", expected).file(folders[i].display().to_string()).value(value).hint(hint).into())
    };
    let mut seen = BTreeSet::new();
    for (i, manifest) in manifests.iter().enumerate() {
        let shard = manifest.shard.clone().unwrap_or_default();
        let parts = shard.split_once('/').and_then(|(a, b)| Some((a.parse::<u32>().ok()?, b.parse::<u32>().ok()?)));
        let Some((index, count)) = parts else {
            return refuse(i, "a folder scored with --shard".into(), "a whole result".into());
        };
        if manifest.suite != suite
            || manifest.signature != manifests[0].signature
            || manifest.inputs != manifests[0].inputs
        {
            return refuse(
                i,
                "the same suite, options and inputs as the first folder".into(),
                manifest.signature.clone(),
            );
        }
        if count as usize != manifests.len() {
            return refuse(i, format!("all {count} shares"), format!("{} folders", manifests.len()));
        }
        if !seen.insert(index) {
            return refuse(i, "each share once".into(), shard);
        }
        if let Some(file) = not_as_written(folders[i], &manifest.files) {
            let found = "a file that was cut off or changed since".into();
            return Err(bad_shard(folders[i], &file.path, found).into());
        }
    }
    Ok(())
}
