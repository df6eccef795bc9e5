//! Errors in options and names.

use crate::error::{Defect, Error};

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
        .did_you_mean(known)
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
