//! Defects of score tables and of options of a comparison.

use serde::{Serialize, Serializer};

use super::read::file_name;
use crate::error::{Defect, Error};

/// One row (or file) that cannot be used: where, and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BadRow {
    /// The file as the user named it; documents hold its name alone, so that they do not depend on where it lies.
    #[serde(rename = "file", serialize_with = "name_alone")]
    pub path: String,
    /// The line, counted from 1.
    pub line: u64,
    /// The column, or `record` for the whole line.
    pub field: String,
    /// What would have been right.
    pub expected: String,
    /// What was found there; for people, not in documents.
    #[serde(skip)]
    pub found: Option<String>,
}

impl BadRow {
    /// Gives what is wrong with a line, before its file is known.
    pub(super) fn at(line: u64, field: &str, expected: impl Into<String>) -> BadRow {
        BadRow { path: String::new(), line, field: field.to_string(), expected: expected.into(), found: None }
    }

    /// Gives the defect for people and programs.
    pub fn defect(&self) -> Defect {
        let defect = Defect::new("bad_row", &self.expected).file(&self.path).line(self.line).field(&self.field);
        match &self.found {
            Some(found) => defect.value(found),
            None => defect,
        }
    }
}

fn name_alone<S: Serializer>(path: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(file_name(path))
}

/// Gives the error of an option whose value is not what it should be.
pub(crate) fn bad_option(key: &str, value: &str, expected: impl Into<String>) -> Error {
    Defect::new("bad_option", expected).field(key).value(value).into()
}

/// Gives the error of a name that is not there, with those that are.
pub(crate) fn unknown(place: &str, kind: &str, name: &str, known: &[impl AsRef<str>]) -> Error {
    let known: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
    Defect::new("unknown_name", format!("the name of a known {kind} ({})", known.join(", ")))
        .field(place)
        .value(name)
        .into()
}

/// Gives the error of a bare name that several suites have.
pub(crate) fn ambiguous(place: &str, name: &str, meant: &[String]) -> Error {
    Defect::new("ambiguous_name", format!("one of {}", meant.join(", "))).field(place).value(name).into()
}

/// Gives the error of a result with a number that binary64 cannot hold.
pub(crate) fn beyond() -> Error {
    Defect::new("beyond_binary64", "values whose statistics are finite numbers").into()
}
