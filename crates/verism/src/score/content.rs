//! What a result folder holds, so that one kind of result is not mistaken for another.

use std::fmt;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::contents::FileFacts;
use super::manifest::MANIFEST;

/// The kind of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Scores of a suite.
    Scores(String),
    /// One shard of the scores of a suite: the suite and `i/n`.
    Shard(String, String),
    /// A comparison.
    Comparison,
    /// What `demo` writes.
    Demo,
    /// Simulated dialogues for a suite.
    Dialogues(String),
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Content::Scores(suite) => write!(f, "scores of the suite {suite}"),
            Content::Shard(suite, shard) => write!(f, "share {shard} of scores of the suite {suite}"),
            Content::Comparison => f.write_str("a comparison"),
            Content::Demo => f.write_str("the demo"),
            Content::Dialogues(suite) => write!(f, "simulated dialogues for the suite {suite}"),
        }
    }
}

/// What a manifest of any kind says about its folder.
pub(super) struct ManifestMark {
    pub(super) content: Content,
    /// The files of the folder; none were listed by early versions.
    pub(super) files: Option<Vec<FileFacts>>,
}

impl ManifestMark {
    /// Reads the manifest of a folder; none if there is none of ours.
    pub(super) fn read(folder: &Path) -> Option<ManifestMark> {
        #[derive(Deserialize)]
        struct Mark {
            tool: String,
            suite: Option<String>,
            shard: Option<String>,
            demo: Option<IgnoredAny>,
            simulated: Option<String>,
            files: Option<Vec<FileFacts>>,
        }
        let mark: Mark = serde_json::from_slice(&fs::read(folder.join(MANIFEST)).ok()?).ok()?;
        let content = match mark {
            Mark { simulated: Some(suite), .. } => Content::Dialogues(suite),
            Mark { suite: Some(suite), shard: Some(shard), .. } => Content::Shard(suite, shard),
            Mark { suite: Some(suite), .. } => Content::Scores(suite),
            Mark { demo: Some(_), .. } => Content::Demo,
            _ => Content::Comparison,
        };
        (mark.tool == "verism").then_some(ManifestMark { content, files: mark.files })
    }
}

/// Whether a folder that is met while inputs are walked holds what `score`, `merge` or `compare` wrote, or is one under
/// construction: it is a result, and no input, unless it is given by name.
pub fn is_result(folder: &Path) -> bool {
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let is_stage = name.starts_with('.') && name.contains(".verism-");
    let kept = |content| matches!(content, Content::Scores(_) | Content::Shard(..) | Content::Comparison);
    is_stage || ManifestMark::read(folder).is_some_and(|marked| kept(marked.content))
}

/// How many results lie below a folder; linked folders are not entered.
pub fn results_below(folder: &Path) -> u64 {
    let below = |entry: fs::DirEntry| {
        let path = entry.path();
        match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            true if is_result(&path) => u64::from(path.join(MANIFEST).is_file()),
            true => results_below(&path),
            false => 0,
        }
    };
    fs::read_dir(folder).into_iter().flatten().flatten().map(below).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_below_a_folder_are_known_and_other_folders_are_not_taken_for_one() {
        let home = tempfile::tempdir().expect("a folder");
        for (name, manifest) in [
            ("a/out", r#"{"tool":"verism","suite":"guest"}"#),
            ("compared", r#"{"tool":"verism","signature":"compare|v1"}"#),
            ("simulated", r#"{"tool":"verism","simulated":"recommender"}"#),
            ("web", r#"{"tool":"webpack"}"#),
        ] {
            fs::create_dir_all(home.path().join(name)).expect("a folder");
            fs::write(home.path().join(name).join(MANIFEST), manifest).expect("written");
        }
        fs::create_dir(home.path().join(".out.verism-abc")).expect("a folder");
        let is = |name: &str| is_result(&home.path().join(name));
        assert!(is("a/out") && is("compared") && is(".out.verism-abc"));
        assert!(!is("a") && !is("simulated") && !is("web"));
        assert_eq!(results_below(home.path()), 2);
    }

    #[test]
    fn a_manifest_tells_the_kind_of_its_folder() {
        let home = tempfile::tempdir().expect("a folder");
        let read = |text: &str| {
            fs::write(home.path().join(MANIFEST), text).expect("written");
            ManifestMark::read(home.path()).map(|marked| marked.content)
        };
        assert_eq!(read(r#"{"tool":"verism","suite":"guest"}"#), Some(Content::Scores("guest".into())));
        let shard = Content::Shard("guest".into(), "1/2".into());
        assert_eq!(read(r#"{"tool":"verism","suite":"guest","shard":"1/2"}"#), Some(shard));
        assert_eq!(read(r#"{"tool":"verism","demo":{"guest":{}}}"#), Some(Content::Demo));
        let dialogues = Content::Dialogues("recommender".into());
        assert_eq!(read(r#"{"tool":"verism","simulated":"recommender"}"#), Some(dialogues));
        assert_eq!(read(r#"{"tool":"verism","signature":"compare|v1"}"#), Some(Content::Comparison));
        assert_eq!(read(r#"{"tool":"webpack"}"#), None);
        assert_eq!(read("[]"), None);
    }
}
