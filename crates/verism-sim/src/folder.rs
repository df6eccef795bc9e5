//! The folder of a simulation: `dialogues.jsonl`, `calls.jsonl`, `failed.jsonl`, the suite's files, manifest, timings.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use verism::input::{Watch, hexadecimal};
use verism::score::contents::{TIMING, files_of};
use verism::score::place::{ResultPlace, Stage};
use verism::score::signature::VERSION;
use verism::{Error, Result};

use crate::half::{DIALOGUES, fixed_difference, is_same_job, manifest, take_up, write_manifest};
use crate::simulation::{Played, Simulation};

/// Dialogues that failed.
const FAILED: &str = "failed.jsonl";
/// Calls to models: none of the agents that are built in makes any.
const CALLS: &str = "calls.jsonl";

/// What came of writing a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Dialogues in the folder.
    pub dialogues: u64,
    /// Dialogues that failed.
    pub failed: u64,
    /// Of the dialogues, those that were there before.
    pub found: u64,
}

impl Simulation {
    /// Writes the folder, going on where an earlier job with the same options stopped. If the job ends early, `tell` is
    /// told what is kept for the next one.
    pub fn write(&self, wanted: ResultPlace, watch: &dyn Watch, tell: &dyn Fn(&str)) -> Result<Written> {
        let started = Instant::now();
        let (place, force) = (wanted.place.clone(), wanted.force);
        let begun = self.begun();
        let stage = Stage::take_up(wanted)?;
        if let Some(earlier) = manifest(&place) {
            if is_same_job(&earlier, &begun) && earlier["counts"]["failed"] == json!(0) {
                let there = earlier["counts"]["dialogues"].as_u64().unwrap_or(0);
                return Ok(Written { dialogues: there, failed: 0, found: there });
            }
            let same_version = earlier["version"] == begun["version"] && earlier["simulated"] == begun["simulated"];
            if let Some(changed) = fixed_difference(&earlier, &begun).filter(|_| same_version && !force) {
                let hint = "--force replaces them; or name another folder with -o";
                return Err(changed.defect(&place, hint).into());
            }
        }
        let written = self.fill(&stage, &place, &begun, force, watch, tell);
        let written = written.map_err(|error| error.in_place(stage.path(), &place))?;
        let write = |name: &str, bytes: &[u8]| write_file(stage.path(), name, bytes);
        let finish = || {
            self.world.files().iter().try_for_each(|(name, bytes)| write(name, bytes))?;
            write(CALLS, b"")?;
            write(TIMING, format!("{{\"seconds\": {:.3}}}\n", started.elapsed().as_secs_f64()).as_bytes())?;
            let mut manifest = begun;
            manifest["counts"] = json!({"dialogues": written.dialogues, "failed": written.failed, "calls": 0});
            manifest["tokens"] = json!({"input": 0, "output": 0});
            manifest["cost"] = json!(0);
            manifest["files"] = json!(files_of(stage.path())?);
            write_manifest(stage.path(), &manifest).map_err(Error::write(stage.path().display().to_string()))
        };
        finish().map_err(|error: Error| error.in_place(stage.path(), &place))?;
        if watch.stop() {
            tell(&kept(written.dialogues, self.cast.count()));
            return Err(Error::Interrupted);
        }
        stage.put_in_place()?;
        Ok(written)
    }

    /// What the manifest says from the beginning.
    fn begun(&self) -> Value {
        let sources: serde_json::Map<String, Value> = self
            .world
            .sources()
            .into_iter()
            .map(|(name, bytes)| (name.to_string(), json!(hexadecimal(&Sha256::digest(&bytes)))))
            .collect();
        json!({
            "tool": "verism", "version": VERSION, "simulated": self.suite, "options": self.options(), "sources": sources,
        })
    }

    /// Plays what is missing.
    fn fill(
        &self,
        stage: &Stage,
        place: &Path,
        begun: &Value,
        force: bool,
        watch: &dyn Watch,
        tell: &dyn Fn(&str),
    ) -> Result<Written> {
        let (mut log, found) = take_up(stage.path(), place, begun, &self.cast, force)?;
        let total = self.cast.count();
        watch.expect(total.saturating_sub(found));
        if found > 0 {
            tell(&format!("going on: {found} of {total} dialogues are there"));
        }
        let path = |name: &str| stage.path().join(name).display().to_string();
        let mut lost = File::create(stage.path().join(FAILED)).map_err(Error::write(path(FAILED)))?;
        let mut written = Written { dialogues: found, failed: 0, found };
        let played = self.play(found, watch, |block| {
            let (mut lines, mut failed, mut counts) = (vec![], vec![], [0, 0]);
            for played in block {
                let (out, line, count) = match played {
                    Played::Dialogue(line) => (&mut lines, line, 0),
                    Played::Failed(line) => (&mut failed, line, 1),
                };
                out.extend(line);
                out.push(b'\n');
                counts[count] += 1;
            }
            log.write_all(&lines).map_err(Error::write(path(DIALOGUES)))?;
            lost.write_all(&failed).map_err(Error::write(path(FAILED)))?;
            written.dialogues += counts[0];
            written.failed += counts[1];
            Ok(())
        });
        if played.is_err() && written.dialogues > 0 {
            tell(&kept(written.dialogues, total));
        }
        played.map(|()| written)
    }
}

fn kept(done: u64, total: u64) -> String {
    format!("{done} of {total} dialogues are kept; the same command goes on from there")
}

fn write_file(folder: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    let path = folder.join(name);
    fs::write(&path, bytes).map_err(Error::write(path.display().to_string()))
}
