//! `verism model list` and `verism model path`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::json;
use verism::Result;
use verism_embed::{Known, MINI_LM, cache_folder, check, resolve};

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
    match known.check(folder) {
        Ok(()) => State::Ready,
        Err(error) if error.code == "not_found" => State::Missing,
        Err(_) => State::Damaged,
    }
}

/// The folder of the model in use, which is whole and, in the cache, as it should be.
fn in_use() -> Result<Option<PathBuf>> {
    let folder = resolve("auto").map_err(told)?;
    folder.as_deref().map_or(Ok(()), check).map_err(told)?;
    Ok(folder)
}

pub(super) fn list(common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    let folder = cache_folder().map(|cache| MINI_LM.folder(&cache));
    let state = folder.as_ref().map_or(State::Missing, |folder| state(&MINI_LM, folder));
    let shown = folder.map(|folder| folder.display().to_string());
    let in_use = in_use();
    if common.json {
        let [(_, bytes, weights), _] = MINI_LM.files;
        let model =
            json!({"name": MINI_LM.name, "state": state.word(), "folder": shown, "bytes": bytes, "sha256": weights});
        let in_use = in_use.ok().flatten().map(|folder| folder.display().to_string());
        terminal.print(&format!("{:#}\n", json!({"models": [model], "in_use": in_use})))?;
        return Ok(ExitCode::SUCCESS);
    }
    let place = shown.unwrap_or_else(|| "no cache folder".into());
    terminal.print(&format!("{}  {}  {place}\n", MINI_LM.name, state.word()))?;
    match in_use {
        Ok(folder) => terminal.say(&format!("in use: {}", folder.unwrap_or_default().display())),
        Err(error) => terminal.say(&format!("none in use: {error}")),
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn path(common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    let folder = in_use()?.map(|folder| folder.display().to_string());
    match common.json {
        true => terminal.print(&format!("{:#}\n", json!({"folder": folder})))?,
        false => terminal.print(&format!("{}\n", folder.unwrap_or_default()))?,
    }
    Ok(ExitCode::SUCCESS)
}
