//! Inputs named relative to each other, so that a job gives the same manifest wherever it is started.

use std::path::{Path, PathBuf};

use super::manifest::InputFacts;

/// The name of standard input.
const STREAM: &str = "-";

/// Names files relative to the deepest folder that they share. Standard input keeps its name.
pub fn relative(inputs: Vec<InputFacts>) -> Vec<InputFacts> {
    let places: Vec<Option<PathBuf>> =
        inputs.iter().map(|input| (input.path != STREAM).then(|| place(Path::new(&input.path)))).collect();
    let mut folders = places.iter().flatten().filter_map(|place| place.parent());
    let Some(first) = folders.next().map(Path::to_path_buf) else { return inputs };
    let shared = folders.fold(first, |shared, folder| shared_by(&shared, folder));
    let renamed = inputs.into_iter().zip(places).map(|(input, place)| match place {
        Some(place) => InputFacts { path: inside(&place, &shared), ..input },
        None => input,
    });
    renamed.collect()
}

/// Where a file really is: links to folders and `..` are followed, a link to a file keeps its own name.
fn place(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = absolute.parent().and_then(|folder| std::fs::canonicalize(folder).ok());
    folder.zip(absolute.file_name()).map(|(folder, name)| folder.join(name)).unwrap_or(absolute)
}

fn shared_by(a: &Path, b: &Path) -> PathBuf {
    a.components().zip(b.components()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
}

/// The path inside a folder, its parts separated by `/` on every system.
fn inside(path: &Path, folder: &Path) -> String {
    let parts = path.strip_prefix(folder).unwrap_or(path).components();
    parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(paths: &[&Path]) -> Vec<String> {
        let facts = |path: &&Path| InputFacts { path: path.display().to_string(), bytes: 0, sha256: String::new() };
        relative(paths.iter().map(facts).collect()).into_iter().map(|input| input.path).collect()
    }

    #[test]
    fn the_deepest_folder_that_all_share_is_left_out() {
        let home = tempfile::tempdir().expect("a folder");
        std::fs::create_dir_all(home.path().join("a/b")).expect("folders");
        std::fs::create_dir_all(home.path().join("a/c")).expect("folders");
        let at = |path: &str| home.path().join(path);
        assert_eq!(named(&[&at("a/b/x.csv")]), ["x.csv"]);
        assert_eq!(named(&[&at("a/b/x.csv"), &at("a/c/x.csv")]), ["b/x.csv", "c/x.csv"]);
        assert_eq!(named(&[&at("a/b/x.csv"), &at("a/y.csv"), Path::new("-")]), ["b/x.csv", "y.csv", "-"]);
        assert_eq!(named(&[&at("a/b/../c/x.csv"), &at("a/c/./y.csv")]), ["x.csv", "y.csv"]);
        assert_eq!(named(&[Path::new("-")]), ["-"]);
        assert_eq!(named(&[]), [""; 0]);
    }
}
