//! `verism model list` and `verism model path`.

use std::path::Path;
use std::process::ExitCode;

use serde_json::json;
use verism::Result;
use verism_embed::{Known, MINI_LM, cache_folder, resolve, sha256};

use crate::args::Common;
use crate::embedding::told;
use crate::terminal::Terminal;

/// How a model's folder is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Not there, or not all of it.
    Missing,
    /// All files are there, with other contents than they should have.
    Damaged,
    /// All files are as they should be.
    Ready,
}

impl State {
    fn word(self) -> &'static str {
        match self {
            State::Missing => "missing",
            State::Damaged => "damaged",
            State::Ready => "ready",
        }
    }
}

/// Reads the files of a known model and compares their SHA-256.
pub(super) fn state(known: &Known, folder: &Path) -> State {
    let mut state = State::Ready;
    for (name, _, expected) in known.files {
        match sha256(&folder.join(name)) {
            Ok(found) if found == expected => {}
            Ok(_) => state = State::Damaged,
            Err(_) => return State::Missing,
        }
    }
    state
}

pub(super) fn list(common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    let folder = cache_folder().map(|cache| MINI_LM.folder(&cache));
    let state = folder.as_ref().map_or(State::Missing, |folder| state(&MINI_LM, folder));
    let shown = folder.map(|folder| folder.display().to_string());
    let in_use = resolve("auto").ok().flatten().map(|folder| folder.display().to_string());
    if common.json {
        let [(_, bytes, weights), _] = MINI_LM.files;
        let model =
            json!({"name": MINI_LM.name, "state": state.word(), "folder": shown, "bytes": bytes, "sha256": weights});
        terminal.print(&format!("{:#}\n", json!({"models": [model], "in_use": in_use})))?;
        return Ok(ExitCode::SUCCESS);
    }
    let place = shown.unwrap_or_else(|| "no cache folder".into());
    terminal.print(&format!("{}  {}  {place}\n", MINI_LM.name, state.word()))?;
    match &in_use {
        Some(folder) => terminal.say(&format!("in use: {folder}")),
        None => terminal.say("none in use; fetch one with `verism model pull`, or name a folder with VERISM_MODEL_DIR"),
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn path(common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    let folder = resolve("auto").map_err(told)?.map(|folder| folder.display().to_string());
    match common.json {
        true => terminal.print(&format!("{:#}\n", json!({"folder": folder})))?,
        false => terminal.print(&format!("{}\n", folder.unwrap_or_default()))?,
    }
    Ok(ExitCode::SUCCESS)
}
