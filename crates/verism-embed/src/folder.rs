//! Where a model lies.

use std::env;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::error::{Error, Result};

/// A model that is known by name, with the SHA-256 of its files.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Its name.
    pub name: &'static str,
    /// Where the model hub keeps its files, at a fixed revision.
    pub url: &'static str,
    /// Its files: name, size in bytes, SHA-256.
    pub files: [(&'static str, u64, &'static str); 2],
}

/// all-MiniLM-L6-v2.
pub const MINI_LM: Known = Known {
    name: "all-MiniLM-L6-v2",
    url: "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/c9745ed1d9f207416be6d2e6f8de32d1f16199bf/",
    files: [
        ("model.safetensors", 90_868_376, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"),
        ("tokenizer.json", 466_247, "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"),
    ],
};

impl Known {
    /// Its folder below a cache.
    pub fn folder(&self, cache: &Path) -> PathBuf {
        cache.join(self.name)
    }

    /// Whether a folder holds its files, to the byte: `not_found` if one is not there, `bad_model` if one is another.
    pub fn check(&self, folder: &Path) -> Result<()> {
        is_complete(folder)?;
        self.files.iter().try_for_each(|(name, _, _)| {
            let file = folder.join(name);
            let unreadable =
                |error: std::io::Error| Error::bad_model(&file, "a file that can be read").value(error.to_string());
            self.check_file(&file, &sha256(&file).map_err(unreadable)?)
        })
    }

    /// Whether one of its files has the SHA-256 that it should have.
    pub(crate) fn check_file(&self, file: &Path, found: &str) -> Result<()> {
        match self.files.iter().find(|(name, _, _)| file.ends_with(name)) {
            Some((name, _, expected)) if *expected != found => {
                Err(Error::bad_model(file, format!("{name} of {} with SHA-256 {expected}", self.name)).value(found))
            }
            _ => Ok(()),
        }
    }
}

/// The known model that a folder has to hold, since it is the one in the cache; none for folders elsewhere.
pub(crate) fn known_at(folder: &Path) -> Option<Known> {
    let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.into());
    let cached = MINI_LM.folder(&cache_folder()?);
    (whole(folder) == whole(&cached)).then_some(MINI_LM)
}

/// Whether a folder can be opened as a model, as far as can be told without reading weights of models that are not known: it
/// has its files, and in the cache they are those of the model.
pub fn check(folder: &Path) -> Result<()> {
    known_at(folder).map_or_else(|| is_complete(folder), |known| known.check(folder))
}

/// What the folder of a model is.
pub(crate) const FOLDER: &str = "a folder with model.safetensors and tokenizer.json";

fn is_complete(folder: &Path) -> Result<()> {
    let missing = MINI_LM.files.iter().map(|(name, _, _)| folder.join(name)).find(|file| !file.is_file());
    missing.map_or(Ok(()), |file| Err(Error::new("not_found", FOLDER).file(&file)))
}

/// The folder that the option `embed` names; none if no model is wanted.
///
/// `none`: no model, vectors come with the records. `auto`: the folder that `VERISM_MODEL_DIR` names, else that of
/// all-MiniLM-L6-v2 in the cache. Anything else is a folder. What is wanted and not there is `not_found` with field `embed`.
pub fn resolve(option: &str) -> Result<Option<PathBuf>> {
    resolve_in(option, env::var_os("VERISM_MODEL_DIR").map(PathBuf::from), cache_folder())
}

fn resolve_in(option: &str, named: Option<PathBuf>, cache: Option<PathBuf>) -> Result<Option<PathBuf>> {
    let named = named.filter(|folder| !folder.as_os_str().is_empty());
    let (folder, expected) = match (option, named, cache) {
        ("none", _, _) => return Ok(None),
        ("auto", Some(folder), _) => (folder, "the folder that VERISM_MODEL_DIR names"),
        ("auto", None, Some(cache)) => (MINI_LM.folder(&cache), "a model fetched with verism model pull"),
        ("auto", None, None) => {
            let expected = "VERISM_MODEL_DIR, XDG_CACHE_HOME or HOME in the environment";
            return Err(Error::new("not_found", expected).field("embed"));
        }
        (folder, _, _) => (folder.into(), "none, auto or a folder with model.safetensors and tokenizer.json"),
    };
    match folder.is_dir() {
        true => Ok(Some(folder)),
        false => Err(Error::new("not_found", expected).field("embed").file(&folder)),
    }
}

/// The folder below which fetched models lie: `verism/models` in `XDG_CACHE_HOME`, else in `.cache` of the home folder.
pub fn cache_folder() -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| env::home_dir().map(|home| home.join(".cache")))?;
    Some(cache.join("verism").join("models"))
}

/// SHA-256 of a file in hexadecimal digits.
pub fn sha256(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let (mut hash, mut buffer) = (Sha256::new(), vec![0; 1 << 17]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hexadecimal(&hash.finalize())),
            got => hash.update(&buffer[..got]),
        }
    }
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_option_says_where_to_look_first() {
        let home = tempfile::tempdir().expect("a folder");
        let (named, cache) = (home.path().join("named"), home.path().join("cache"));
        std::fs::create_dir_all(&named).expect("a folder");
        let auto = |named: Option<&PathBuf>| resolve_in("auto", named.cloned(), Some(cache.clone()));
        assert_eq!(resolve_in("none", Some(named.clone()), None), Ok(None));
        assert_eq!(auto(Some(&named)), Ok(Some(named.clone())));
        let missing = auto(None).expect_err("nothing there yet");
        assert_eq!((missing.code, missing.field.as_deref()), ("not_found", Some("embed")));
        assert!(missing.file.expect("a place").ends_with("all-MiniLM-L6-v2"));
        std::fs::create_dir_all(MINI_LM.folder(&cache)).expect("a folder");
        assert_eq!(auto(None), Ok(Some(MINI_LM.folder(&cache))));
        assert_eq!(auto(Some(&PathBuf::new())), Ok(Some(MINI_LM.folder(&cache))));
        let elsewhere = home.path().join("nowhere").display().to_string();
        for option in [elsewhere.as_str(), ""] {
            assert_eq!(resolve_in(option, Some(named.clone()), None).expect_err("not there").code, "not_found");
        }
        assert_eq!(resolve_in("auto", None, None).expect_err("no cache").code, "not_found");
        assert_eq!(resolve_in(named.to_str().expect("a path"), None, None), Ok(Some(named)));
    }

    #[test]
    fn a_known_model_is_whole_and_unchanged() {
        let home = tempfile::tempdir().expect("a folder");
        // FIPS 180-2, appendix B.1.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let file = home.path().join("model.safetensors");
        let code = |folder: &Path| MINI_LM.check(folder).expect_err("not whole").code;
        assert_eq!(code(home.path()), "not_found");
        for (name, _, _) in MINI_LM.files {
            std::fs::write(home.path().join(name), "abc").expect("a file");
        }
        assert_eq!(code(home.path()), "bad_model");
        let damaged = MINI_LM.check_file(&file, abc).expect_err("another");
        assert_eq!(damaged.value.as_deref(), Some(abc));
        let [(_, _, weights), _] = MINI_LM.files;
        assert_eq!(MINI_LM.check_file(&file, weights), Ok(()));
        // Elsewhere than in the cache any model will do, if it is whole.
        assert_eq!(check(home.path()), Ok(()));
        std::fs::remove_file(&file).expect("removed");
        assert_eq!(check(home.path()).expect_err("not whole").code, "not_found");
    }

    #[test]
    fn the_hash_is_that_of_the_standard() {
        let home = tempfile::tempdir().expect("a folder");
        std::fs::write(home.path().join("x"), "abc").expect("a file");
        // FIPS 180-2, appendix B.1.
        assert_eq!(
            sha256(&home.path().join("x")).expect("readable"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
