//! Rows of a score table that cannot be used.

use serde::{Serialize, Serializer};

use super::table::file_name;
use crate::error::Defect;

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
    /// What to do about it; for people, not in documents.
    #[serde(skip)]
    pub hint: Option<String>,
}

impl BadRow {
    /// Gives what is wrong with a line, before its file is known.
    pub(crate) fn at(line: u64, field: &str, expected: impl Into<String>) -> BadRow {
        BadRow {
            path: String::new(),
            line,
            field: field.to_string(),
            expected: expected.into(),
            found: None,
            hint: None,
        }
    }

    /// Gives the defect for people and programs.
    pub fn defect(&self) -> Defect {
        let defect = Defect::new("bad_row", &self.expected).file(&self.path).line(self.line).field(&self.field);
        let defect = match &self.found {
            Some(found) => defect.value(found),
            None => defect,
        };
        match &self.hint {
            Some(hint) => defect.hint(hint),
            None => defect,
        }
    }
}

fn name_alone<S: Serializer>(path: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(file_name(path))
}
