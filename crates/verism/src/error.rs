//! What can go wrong, with the place, the value found and the way out.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// One defect of an input, an option or an output: what, where, what was found, what was expected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Defect {
    /// Short stable name of the kind of defect (`bad_value`, `missing_column`, …).
    pub code: Cow<'static, str>,
    /// The file as the user knows it.
    pub file: Option<String>,
    /// Line (Parquet: row) counted from 1.
    pub line: Option<u64>,
    /// Column, key or option.
    pub field: Option<String>,
    /// What was found there.
    pub value: Option<String>,
    /// What would have been right.
    pub expected: Option<String>,
    /// What to do about it; for people, not for programs.
    #[serde(skip)]
    pub hint: Option<String>,
}

impl Defect {
    /// A defect that so far has a code and an expectation only.
    pub fn new(code: &'static str, expected: impl Into<String>) -> Self {
        Defect { code: Cow::Borrowed(code), expected: Some(expected.into()), ..Defect::default() }
    }

    /// Names the file.
    pub fn file(mut self, file: impl Into<String>) -> Self {
        self.file = Some(file.into());
        self
    }

    /// Names the line.
    pub fn line(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }

    /// Names the field.
    pub fn field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// Gives the value found.
    pub fn value(mut self, value: impl Into<String>) -> Self {
        self.value = Some(value.into());
        self
    }

    /// Says what to do about it.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Whether it is no more than a warning: scoring goes on.
    pub fn is_warning(&self) -> bool {
        matches!(self.code.as_ref(), "pack_warning" | "unknown_turn_type")
    }

    /// Adds a hint that names the known name nearest to the value found, if one is near.
    pub fn did_you_mean(mut self, known: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let near = self.value.as_deref().and_then(|found| nearest(found, known));
        if let Some(near) = near {
            let meant = format!("did you mean {near}?");
            self.hint = Some(self.hint.map_or_else(|| meant.clone(), |hint| format!("{meant} {hint}")));
        }
        self
    }

    /// Key of the exclusion in a ledger: the code, with the field where one code covers many fields.
    pub fn reason(&self) -> String {
        match (&self.field, self.code.as_ref()) {
            (Some(field), "bad_value" | "missing_field") => format!("{}:{field}", self.code),
            _ => self.code.to_string(),
        }
    }
}

/// Gives the known name that is nearest to a mistyped one: at most a third of its letters differ, whatever their case.
fn nearest(found: &str, known: impl IntoIterator<Item = impl AsRef<str>>) -> Option<String> {
    let found = found.to_lowercase();
    // A metric may be typed without its suite.
    let bare = |name: &str| name.rsplit_once('.').map_or(name, |(_, metric)| metric).to_string();
    let distance = |name: &str| strsim::damerau_levenshtein(&found, &name.to_lowercase());
    let far = |name: &str| distance(name).min(distance(&bare(name)));
    let names = known.into_iter().map(|name| name.as_ref().to_string());
    let (distance, name) = names.map(|name| (far(&name), name)).min()?;
    (distance <= 1.max(found.chars().count() / 3)).then_some(name)
}

/// Longest part of a value that a message repeats.
const SHOWN_CHARS: usize = 80;

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut place = String::new();
        if let Some(file) = &self.file {
            place.push_str(file);
            place.push(':');
        }
        if let Some(line) = self.line {
            place.push_str(&format!("{line}:"));
        }
        if let Some(field) = &self.field {
            if !place.is_empty() {
                place.push(' ');
            }
            place.push_str(field);
            place.push(':');
        }
        if !place.is_empty() {
            write!(f, "{place} ")?;
        }
        f.write_str(&self.code.replace('_', " "))?;
        if let Some(expected) = &self.expected {
            write!(f, ": expected {expected}")?;
        }
        if let Some(value) = &self.value {
            let mut shown: String = value.chars().take(SHOWN_CHARS).collect();
            if shown.len() < value.len() {
                shown.push('…');
            }
            write!(f, ", found {shown:?}")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\nhint: {hint}")?;
        }
        Ok(())
    }
}

/// Why a job ended without a result.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input, an option, a pack or the configuration is at fault.
    #[error("{0}")]
    Defect(Box<Defect>),
    /// Going on past every defect left nothing to score.
    #[error("{defect}")]
    NothingLeft {
        /// What was looked for.
        defect: Box<Defect>,
        /// What was dropped on the way.
        dropped: Vec<Defect>,
    },
    /// Another error, after defects that were passed over and have a list of their own.
    #[error("{error}")]
    After {
        /// The error.
        error: Box<Error>,
        /// The name of the list.
        list: &'static str,
        /// What it holds.
        passed: Vec<Defect>,
    },
    /// A result could not be written.
    #[error("{path}: cannot write: {source}{}", nothing_lost(path))]
    Write {
        /// Where to.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The user stopped the job.
    #[error("interrupted; nothing was changed")]
    Interrupted,
}

/// What became of files; of standard output there is nothing to say.
fn nothing_lost(path: &str) -> &'static str {
    if path == STANDARD_OUTPUT { "" } else { "\nhint: nothing was changed; an earlier result is still in place" }
}

/// The name of standard output in a failed write.
pub const STANDARD_OUTPUT: &str = "standard output";

impl From<Defect> for Error {
    fn from(defect: Defect) -> Self {
        Error::Defect(Box::new(defect))
    }
}

impl Error {
    /// A write error at a path.
    pub fn write(path: impl Into<String>) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.into();
        move |source| Error::Write { path, source }
    }

    /// The same error, naming the place that the user asked for instead of the one where the result was put together.
    pub fn in_place(self, built: &Path, wanted: &Path) -> Error {
        match self {
            Error::Write { path, source } => {
                let below = Path::new(&path).strip_prefix(built).map(|below| wanted.join(below).display().to_string());
                Error::Write { path: below.unwrap_or(path), source }
            }
            other => other,
        }
    }

    /// The same error, beside what had been passed over until then.
    pub fn after(self, list: &'static str, passed: &[Defect]) -> Error {
        match self {
            Error::Interrupted | Error::Write { .. } => self,
            error if passed.is_empty() => error,
            error => Error::After { error: Box::new(error), list, passed: passed.to_vec() },
        }
    }

    /// The lists of what was passed over, by their names.
    pub fn passed(&self) -> Vec<(&'static str, &[Defect])> {
        let (mut lists, own) = match self {
            Error::NothingLeft { dropped, .. } => (vec![], ("errors", dropped.as_slice())),
            Error::After { error, list, passed } => (error.passed(), (*list, passed.as_slice())),
            _ => return vec![],
        };
        lists.extend(Some(own).filter(|(_, passed)| !passed.is_empty()));
        lists
    }

    /// The defect as `--json` shows it.
    pub fn defect(&self) -> Defect {
        match self {
            Error::After { error, .. } => error.defect(),
            Error::Defect(defect) | Error::NothingLeft { defect, .. } => (**defect).clone(),
            Error::Write { path, source } => {
                Defect::new("write_failed", "a place that can be written").file(path.clone()).value(source.to_string())
            }
            Error::Interrupted => Defect::new("interrupted", "an undisturbed run"),
        }
    }
}

/// Result of a job.
pub type Result<T> = std::result::Result<T, Error>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_passed_over_stands_beside_the_error() {
        let defect = |code| Defect::new(code, "x");
        let nothing = Error::NothingLeft { defect: Box::new(defect("empty_input")), dropped: vec![defect("a")] };
        let both = nothing.after("corpus_errors", &[defect("b")]);
        let lists: Vec<(&str, usize)> = both.passed().into_iter().map(|(list, passed)| (list, passed.len())).collect();
        assert_eq!((both.defect().code.as_ref(), lists), ("empty_input", vec![("errors", 1), ("corpus_errors", 1)]));
        assert!(Error::from(defect("c")).after("errors", &[]).passed().is_empty());
        assert!(matches!(Error::Interrupted.after("errors", &[defect("a")]), Error::Interrupted));
    }

    #[test]
    fn a_message_names_file_line_field_expectation_and_value() {
        let defect = Defect::new("bad_value", "a whole number")
            .file("run.csv")
            .line(7)
            .field("year")
            .value("mid")
            .hint("fix it");
        assert_eq!(
            defect.to_string(),
            "run.csv:7: year: bad value: expected a whole number, found \"mid\"\nhint: fix it"
        );
        assert_eq!(Defect::new("no_input", "a log").to_string(), "no input: expected a log");
    }

    // One letter too many, two exchanged, another case; a name of which nothing is near is not guessed.
    #[test]
    fn a_mistyped_name_is_recognised() {
        let known = ["adaptation", "guest", "guest.crrs"];
        for (typed, meant) in [("guests", "guest"), ("adpatation", "adaptation"), ("CRSR", "guest.crrs")] {
            let defect = Defect::new("unknown_name", "a name").value(typed).did_you_mean(known);
            assert_eq!(defect.hint, Some(format!("did you mean {meant}?")), "{typed}");
        }
        assert_eq!(Defect::new("unknown_name", "a name").value("humor").did_you_mean(known).hint, None);
    }

    #[test]
    fn a_failed_write_names_the_place_wanted() {
        let full = || Error::write("/data/.out.tmp/tables/x.csv")(std::io::Error::other("full"));
        let told = full().in_place(Path::new("/data/.out.tmp"), Path::new("out")).to_string();
        assert!(told.starts_with("out/tables/x.csv: cannot write: full"), "{told}");
        let elsewhere = full().in_place(Path::new("/tmp/other"), Path::new("out")).to_string();
        assert!(elsewhere.starts_with("/data/.out.tmp/tables/x.csv"), "{elsewhere}");
    }

    #[test]
    fn a_reason_carries_the_field_only_where_one_code_covers_many() {
        assert_eq!(Defect::new("bad_value", "").field("year").reason(), "bad_value:year");
        assert_eq!(Defect::new("duplicate_agent_year", "").field("year").reason(), "duplicate_agent_year");
    }

    #[test]
    fn a_long_value_is_cut_in_the_message_only() {
        let defect = Defect::new("bad_value", "x").value("y".repeat(500));
        assert!(defect.to_string().len() < 200);
        assert_eq!(defect.value.map(|v| v.len()), Some(500));
    }
}
