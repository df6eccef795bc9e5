//! Fields that hold a yes or no, a year or a count.

use crate::error::Defect;
use crate::suites::adaptation::pack::Pack;
use crate::text::normalize::{lookup_key, trim};

fn is_missing(pack: &Pack, text: &str) -> bool {
    if text.is_empty() { pack.empty_is_missing } else { pack.missing.contains(&lookup_key(text)) }
}

fn bad(field: &str, text: &str, expected: &str) -> Defect {
    Defect::new("bad_value", expected).field(field).value(text)
}

/// A boolean: `true t 1 1.0 yes y`, `false f 0 0.0 no n` in any case, or missing.
pub(crate) fn flag(pack: &Pack, text: &str, field: &str) -> Result<Option<bool>, Defect> {
    match text {
        "True" | "true" => return Ok(Some(true)),
        "False" | "false" => return Ok(Some(false)),
        "" if pack.empty_is_missing => return Ok(None),
        _ => {}
    }
    match trim(text).to_lowercase().as_str() {
        "true" | "t" | "1" | "1.0" | "yes" | "y" => Ok(Some(true)),
        "false" | "f" | "0" | "0.0" | "no" | "n" => Ok(Some(false)),
        _ if is_missing(pack, text) => Ok(None),
        _ => Err(bad(field, text, "true or false (also 1/0, yes/no, t/f, y/n) or empty")),
    }
}

/// Digits of a whole number of at most 18 digits, with an optional fraction of zeros.
fn digits(text: &str) -> Option<u64> {
    if let [digit @ b'0'..=b'9'] = text.as_bytes() {
        return Some(u64::from(digit - b'0'));
    }
    let whole = match text.split_once('.') {
        Some((whole, zeros)) if !zeros.is_empty() && zeros.bytes().all(|b| b == b'0') => whole,
        Some(_) => return None,
        None => text,
    };
    let fits = (1..=18).contains(&whole.len()) && whole.bytes().all(|b| b.is_ascii_digit());
    if fits { whole.parse().ok() } else { None }
}

/// A year: a whole number, never missing.
pub(crate) fn step(pack: &Pack, text: &str, field: &str) -> Result<i64, Defect> {
    let trimmed = trim(text);
    let (sign, rest) = match trimmed.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, trimmed.strip_prefix('+').unwrap_or(trimmed)),
    };
    match digits(rest) {
        Some(number) => Ok(sign * number as i64),
        None if is_missing(pack, text) => Err(Defect::new("missing_field", "a whole number").field(field).value(text)),
        None => Err(bad(field, text, "a whole number")),
    }
}

/// A count: a whole number from 0 on, or missing.
pub(crate) fn count(pack: &Pack, text: &str, field: &str) -> Result<Option<u64>, Defect> {
    if text.is_empty() && pack.empty_is_missing {
        return Ok(None);
    }
    let trimmed = trim(text);
    match digits(trimmed.strip_prefix('+').unwrap_or(trimmed)) {
        Some(number) => Ok(Some(number)),
        None if is_missing(pack, text) => Ok(None),
        None => Err(bad(field, text, "a whole number >= 0 or empty")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::adaptation::pack::FLOOD;

    #[test]
    fn values_by_hand() {
        let pack = Pack::parse(FLOOD, "flood.toml").expect("a sound pack");
        for (text, value) in [(" YES ", Some(true)), ("0.0", Some(false)), ("N/A", None), ("-", None), ("", None)] {
            assert_eq!(flag(&pack, text, "f"), Ok(value), "{text:?}");
        }
        assert_eq!(flag(&pack, "maybe", "f").expect_err("refused").code, "bad_value");
        for (text, value) in [("3", 3), (" 3.0 ", 3), ("-1", -1), ("+007", 7), ("2.000", 2)] {
            assert_eq!(step(&pack, text, "year"), Ok(value), "{text:?}");
        }
        for (text, code) in [("3.5", "bad_value"), ("", "missing_field"), ("nan", "missing_field"), ("3.", "bad_value")]
        {
            assert_eq!(step(&pack, text, "year").expect_err("refused").code, code, "{text:?}");
        }
        assert_eq!(count(&pack, "2.0", "n"), Ok(Some(2)));
        assert_eq!(count(&pack, "null", "n"), Ok(None));
        assert_eq!(count(&pack, "-1", "n").expect_err("refused").code, "bad_value");
    }
}
