//! What can go wrong with a model.

use std::fmt;
use std::path::Path;

/// A model that is not there or cannot be used: what, where, what was found, what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// `not_found`: there is no such folder or file; `bad_model`: it is damaged or laid out in another way; `stopped`:
    /// the caller's watch said so.
    pub code: &'static str,
    /// The folder or file.
    pub file: Option<String>,
    /// The tensor, the entry of a configuration or the option.
    pub field: Option<String>,
    /// What was found.
    pub value: Option<String>,
    /// What would have been right.
    pub expected: String,
}

/// Result of working with a model.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn new(code: &'static str, expected: impl Into<String>) -> Error {
        Error { code, file: None, field: None, value: None, expected: expected.into() }
    }

    pub(crate) fn bad_model(file: &Path, expected: impl Into<String>) -> Error {
        Error::new("bad_model", expected).file(file)
    }

    pub(crate) fn file(mut self, file: &Path) -> Error {
        self.file = Some(file.display().to_string());
        self
    }

    pub(crate) fn field(mut self, field: impl Into<String>) -> Error {
        self.field = Some(field.into());
        self
    }

    pub(crate) fn value(mut self, value: impl Into<String>) -> Error {
        self.value = Some(value.into());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for place in [&self.file, &self.field].into_iter().flatten() {
            write!(f, "{place}: ")?;
        }
        write!(f, "{}: expected {}", self.code.replace('_', " "), self.expected)?;
        self.value.as_ref().map_or(Ok(()), |value| write!(f, ", found {value}"))
    }
}

impl std::error::Error for Error {}
