//! Reading the arguments of a request: each is checked before anything is computed.

use serde::Serialize;
use serde_json::{Map, Value};
use thiserror::Error;

use crate::stats::finite::is_finite;
use crate::stats::random::Domain;

/// A request that cannot be answered: which argument, and what was expected.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{argument}: {problem}")]
pub(super) struct BadRequest {
    pub argument: String,
    pub problem: String,
}

impl BadRequest {
    pub(super) fn expected(argument: &str, what: &str) -> BadRequest {
        BadRequest { argument: argument.to_string(), problem: format!("expected {what}") }
    }

    pub(super) fn missing(argument: &str) -> BadRequest {
        BadRequest::expected(argument, "a value (it is missing)")
    }
}

/// Refuses a request unless a condition on an argument holds.
pub(super) fn require(holds: bool, argument: &str, what: &str) -> Result<(), BadRequest> {
    if holds { Ok(()) } else { Err(BadRequest::expected(argument, what)) }
}

/// Gives the JSON of a result, or an error where a number of it is beyond binary64.
pub(super) fn show<T: Serialize>(result: &T) -> Result<Value, BadRequest> {
    let beyond = || BadRequest { argument: "result".to_string(), problem: "beyond binary64".to_string() };
    if !is_finite(result) {
        return Err(beyond());
    }
    serde_json::to_value(result).map_err(|_| beyond())
}

/// Whole numbers up to here are sizes.
const LARGEST_SIZE: u64 = 10_000_000;

/// The arguments of one request.
pub(super) struct Request<'a> {
    pub arguments: &'a Map<String, Value>,
}

impl<'a> Request<'a> {
    /// Gives an argument read by `read`, `None` where it is not there.
    fn get<T>(&self, name: &str, what: &str, read: impl Fn(&'a Value) -> Option<T>) -> Result<Option<T>, BadRequest> {
        let Some(value) = self.arguments.get(name) else {
            return Ok(None);
        };
        read(value).map(Some).ok_or_else(|| BadRequest::expected(name, what))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.arguments.get(name).is_some_and(|v| !v.is_null())
    }

    pub(super) fn numbers(&self, name: &str) -> Result<Option<Vec<Option<f64>>>, BadRequest> {
        self.get(name, "numbers or null", number_list)
    }

    pub(super) fn need_numbers(&self, name: &str) -> Result<Vec<Option<f64>>, BadRequest> {
        self.numbers(name)?.ok_or_else(|| BadRequest::missing(name))
    }

    pub(super) fn groups(&self, name: &str) -> Result<Vec<Vec<Option<f64>>>, BadRequest> {
        let read = |v: &Value| v.as_array()?.iter().map(number_list).collect();
        self.get(name, "a list of lists of numbers or null", read)?.ok_or_else(|| BadRequest::missing(name))
    }

    pub(super) fn number(&self, name: &str) -> Result<Option<f64>, BadRequest> {
        self.get(name, "a finite number", number)
    }

    /// A number or null that has to be there.
    pub(super) fn need_nullable(&self, name: &str) -> Result<Option<f64>, BadRequest> {
        let read = |v: &Value| if v.is_null() { Some(None) } else { number(v).map(Some) };
        self.get(name, "a finite number or null", read)?.ok_or_else(|| BadRequest::missing(name))
    }

    pub(super) fn positive(&self, name: &str) -> Result<Option<f64>, BadRequest> {
        self.get(name, "a positive number", |v| number(v).filter(|x| *x > 0.0))
    }

    pub(super) fn not_negative(&self, name: &str) -> Result<Option<f64>, BadRequest> {
        self.get(name, "a number of at least 0", |v| number(v).filter(|x| *x >= 0.0))
    }

    /// A number between 0 and 1, both excluded.
    pub(super) fn open(&self, name: &str) -> Result<Option<f64>, BadRequest> {
        self.get(name, "a number between 0 and 1", |v| number(v).filter(|x| *x > 0.0 && *x < 1.0))
    }

    pub(super) fn alpha(&self) -> Result<f64, BadRequest> {
        Ok(self.open("alpha")?.unwrap_or(0.05))
    }

    pub(super) fn flag(&self, name: &str) -> Result<Option<bool>, BadRequest> {
        self.get(name, "true or false", Value::as_bool)
    }

    pub(super) fn nullable_flag(&self, name: &str) -> Result<Option<bool>, BadRequest> {
        let read = |v: &Value| if v.is_null() { Some(None) } else { v.as_bool().map(Some) };
        Ok(self.get(name, "true, false or null", read)?.flatten())
    }

    pub(super) fn nullable_text(&self, name: &str) -> Result<Option<&'a str>, BadRequest> {
        let read = |v: &'a Value| if v.is_null() { Some(None) } else { v.as_str().map(Some) };
        Ok(self.get(name, "text or null", read)?.flatten())
    }

    /// A whole number up to 10^7.
    pub(super) fn size(&self, name: &str) -> Result<Option<u64>, BadRequest> {
        let read = |v: &Value| v.as_u64().filter(|n| *n <= LARGEST_SIZE);
        self.get(name, "a whole number 0..10000000", read)
    }

    pub(super) fn need_size(&self, name: &str) -> Result<u64, BadRequest> {
        self.size(name)?.ok_or_else(|| BadRequest::missing(name))
    }

    pub(super) fn resamples(&self) -> Result<u64, BadRequest> {
        let read = |v: &Value| v.as_u64().filter(|n| (1..=LARGEST_SIZE).contains(n));
        Ok(self.get("resamples", "a whole number 1..10000000", read)?.unwrap_or(9999))
    }

    pub(super) fn seed(&self) -> Result<u64, BadRequest> {
        Ok(self.get("seed", WORD, Value::as_u64)?.unwrap_or(12345))
    }

    pub(super) fn need_word(&self, name: &str) -> Result<u64, BadRequest> {
        self.get(name, WORD, Value::as_u64)?.ok_or_else(|| BadRequest::missing(name))
    }

    /// A fixed number of 64-bit words.
    pub(super) fn words<const N: usize>(&self, name: &str) -> Result<Option<[u64; N]>, BadRequest> {
        let read = |v: &Value| {
            let words: Option<Vec<u64>> = v.as_array()?.iter().map(Value::as_u64).collect();
            words?.try_into().ok()
        };
        self.get(name, &format!("{N} whole numbers 0..18446744073709551615"), read)
    }

    pub(super) fn domain(&self) -> Result<u64, BadRequest> {
        let named = |name: &str| match name {
            "bootstrap" => Some(Domain::Bootstrap),
            "signflip" => Some(Domain::SignFlip),
            "permutation" => Some(Domain::Permutation),
            "correlation" => Some(Domain::Correlation),
            "calibration" => Some(Domain::Calibration),
            _ => None,
        };
        let read = |v: &Value| v.as_u64().or_else(|| Some(named(v.as_str()?)? as u64));
        let what = "a whole number or one of bootstrap|signflip|permutation|correlation|calibration";
        self.get("domain", what, read)?.ok_or_else(|| BadRequest::missing("domain"))
    }

    /// One of a few words, each standing for something; the first is the default.
    pub(super) fn choice<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Result<T, BadRequest> {
        let listed: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let read = |v: &Value| {
            let text = v.as_str()?;
            words.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning)
        };
        Ok(self.get(name, &format!("one of {}", listed.join("|")), read)?.unwrap_or(words[0].1))
    }

    pub(super) fn ddof(&self) -> Result<usize, BadRequest> {
        Ok(self.get("ddof", "one of 0|1", |v| v.as_u64().filter(|n| *n <= 1))?.unwrap_or(1) as usize)
    }

    /// A list of ids: text or whole numbers.
    pub(super) fn ids(&self, name: &str) -> Result<Option<Vec<String>>, BadRequest> {
        self.get(name, "a list of ids", |v| v.as_array()?.iter().map(id).collect())
    }

    /// A list of [case, run, value], those with a value.
    pub(super) fn cells(&self, name: &str) -> Result<Vec<(String, String, f64)>, BadRequest> {
        let cell = |v: &Value| match v.as_array()?.as_slice() {
            [case, run, value] => {
                let value = if value.is_null() { None } else { Some(number(value)?) };
                Some((id(case)?, id(run)?, value))
            }
            _ => None,
        };
        let read = |v: &Value| v.as_array()?.iter().map(cell).collect::<Option<Vec<_>>>();
        let cells = self.get(name, "a list of [case, run, value]", read)?.ok_or_else(|| BadRequest::missing(name))?;
        Ok(cells.into_iter().filter_map(|(case, run, value)| Some((case, run, value?))).collect())
    }
}

const WORD: &str = "a whole number 0..18446744073709551615";

fn number(v: &Value) -> Option<f64> {
    v.as_f64().filter(|x| x.is_finite())
}

fn number_list(v: &Value) -> Option<Vec<Option<f64>>> {
    v.as_array()?.iter().map(|e| if e.is_null() { Some(None) } else { number(e).map(Some) }).collect()
}

fn id(v: &Value) -> Option<String> {
    match v {
        Value::String(text) => Some(text.clone()),
        Value::Number(n) if n.is_i64() || n.is_u64() => Some(n.to_string()),
        _ => None,
    }
}
