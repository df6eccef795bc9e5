//! One JSON object per line.

use std::borrow::Cow;
use std::fmt;

use memchr::memchr_iter;
use serde::Deserializer;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::value::Key;
use super::{Limits, Sink};
use crate::error::Defect;
use crate::text::normalize::trim;
use crate::text::number::python_repr;

/// Reads the lines of a block and gives their number.
pub(super) fn read_block(text: &str, wanted: &[String], limits: Limits, sink: &mut impl Sink) -> u64 {
    let mut line = 0;
    let mut start = 0;
    let unfinished = !text.is_empty() && !text.ends_with('\n');
    let ends = memchr_iter(b'\n', text.as_bytes()).chain(unfinished.then_some(text.len()));
    for end in ends {
        read_line(&text[start..end], line, wanted, limits, sink);
        start = end + 1;
        line += 1;
    }
    line
}

fn read_line(text: &str, line: u64, wanted: &[String], limits: Limits, sink: &mut impl Sink) {
    if text.len() > limits.record_bytes {
        return sink.defect(line, limits.too_long());
    }
    if trim(text).is_empty() {
        return;
    }
    if let Some(cells) = cells(text, wanted) {
        return sink.record(line, &cells.iter().map(Option::as_deref).collect::<Vec<_>>());
    }
    let repaired = Repaired::of(text);
    match repaired.as_ref().and_then(|repaired| cells(&repaired.text, wanted)) {
        Some(cells) => {
            if repaired.as_ref().is_some_and(|repaired| repaired.cut_off) {
                sink.cut_off(line);
            }
            sink.record(line, &cells.iter().map(Option::as_deref).collect::<Vec<_>>());
        }
        None => sink.defect(line, Defect::new("bad_json", "one JSON object per line")),
    }
}

/// The texts of the wanted keys of an object; none if it is no JSON object.
fn cells<'a>(text: &'a str, wanted: &[String]) -> Option<Vec<Option<Cow<'a, str>>>> {
    let object = object(text, wanted).ok()?;
    object.into_iter().map(|raw| raw.map(|raw| cell_text(raw.get()).ok_or(())).transpose().ok()).collect()
}

/// The values of the wanted keys of an object; of a repeated key the last one.
fn object<'a>(text: &'a str, wanted: &[String]) -> serde_json::Result<Vec<Option<&'a RawValue>>> {
    struct Wanted<'w>(&'w [String]);

    impl<'de> Visitor<'de> for Wanted<'_> {
        type Value = Vec<Option<&'de RawValue>>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut values = vec![None; self.0.len()];
            while let Some(Key(key)) = map.next_key()? {
                match self.0.iter().position(|name| *name == key) {
                    Some(i) => values[i] = Some(map.next_value()?),
                    None => drop(map.next_value::<IgnoredAny>()?),
                }
            }
            Ok(values)
        }
    }

    let mut json = serde_json::Deserializer::from_str(text);
    let values = json.deserialize_map(Wanted(wanted))?;
    json.end()?;
    Ok(values)
}

/// A JSON value as the text of a cell: null is empty, numbers and booleans keep their text form. None: no such value.
fn cell_text(raw: &str) -> Option<Cow<'_, str>> {
    let whole = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    Some(match raw.as_bytes().first()? {
        b'"' if !raw.contains('\\') => Cow::Borrowed(&raw[1..raw.len() - 1]),
        b'"' => Cow::Owned(serde_json::from_str(raw).ok()?),
        b'n' => Cow::Borrowed(""),
        b'-' if raw == "-0" => Cow::Borrowed("0"),
        b'-' | b'0'..=b'9' if !whole(raw) => Cow::Owned(python_float(raw.parse().ok()?)),
        _ => Cow::Borrowed(raw),
    })
}

/// A floating-point number in the text form that Python gives it.
pub(super) fn python_float(x: f64) -> String {
    if x.is_finite() { python_repr(x) } else { x.to_string().to_lowercase() }
}

/// A line that is not strict JSON, as strict JSON.
struct Repaired {
    text: String,
    /// Whether half of a surrogate pair became U+FFFD.
    cut_off: bool,
}

impl Repaired {
    /// The line with the bare constants `NaN`, `Infinity` and `-Infinity`, which Python writes into JSON, as texts, and
    /// with U+FFFD for halves of surrogate pairs. None if there is nothing of the kind.
    fn of(text: &str) -> Option<Repaired> {
        let mut out = String::with_capacity(text.len() + 8);
        let mut rest = text;
        let (mut quoted, mut changed, mut cut_off) = (false, false, false);
        while let Some(c) = rest.chars().next() {
            let constant = ["NaN", "-Infinity", "Infinity"].into_iter().find(|name| !quoted && rest.starts_with(name));
            if let Some(name) = constant {
                out.push('"');
                out.push_str(if name == "NaN" { "nan" } else { name.trim_end_matches("inity") });
                out.push('"');
                rest = &rest[name.len()..];
                changed = true;
                continue;
            }
            let mut length = c.len_utf8();
            if quoted && c == '\\' {
                length = match (surrogate(rest), rest.get(6..).and_then(surrogate)) {
                    (Some(0xd800..0xdc00), Some(0xdc00..)) => 12,
                    (Some(_), _) => {
                        out.push(char::REPLACEMENT_CHARACTER);
                        cut_off = true;
                        rest = &rest[6..];
                        continue;
                    }
                    _ => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
                };
            }
            quoted ^= c == '"';
            out.push_str(&rest[..length]);
            rest = &rest[length..];
        }
        (changed || cut_off).then_some(Repaired { text: out, cut_off })
    }
}

/// The surrogate that a text begins with as an escape.
fn surrogate(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u32::from_str_radix(digits, 16).ok().filter(|code| (0xd800..0xe000).contains(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Rows(Vec<(u64, Vec<Option<String>>)>, Vec<u64>, Vec<u64>);

    impl Sink for Rows {
        fn record(&mut self, line: u64, cells: &[Option<&str>]) {
            self.0.push((line, cells.iter().map(|c| c.map(str::to_string)).collect()));
        }

        fn defect(&mut self, line: u64, _: Defect) {
            self.1.push(line);
        }

        fn cut_off(&mut self, line: u64) {
            self.2.push(line);
        }
    }

    fn read(text: &str) -> Rows {
        let mut rows = Rows::default();
        read_block(text, &["a".into(), "b".into()], Limits { record_bytes: 200_000, ..Limits::default() }, &mut rows);
        rows
    }

    #[test]
    fn values_are_read_through_their_text_form() {
        let rows = read(concat!(
            "{\"a\":1,\"b\":true}\n\n",
            "{\"b\":\"x\\u00e9\\n\",\"c\":[1,{}]}\n",
            "{\"a\":3.0,\"b\":null}\n",
            "{\"a\":1e2,\"b\":12345678901234567890123}\n",
            "{\"a\":1,\"a\":\"last\"}"
        ));
        let row = |line, a: Option<&str>, b: Option<&str>| (line, vec![a.map(String::from), b.map(String::from)]);
        assert_eq!(
            rows.0,
            [
                row(0, Some("1"), Some("true")),
                row(2, None, Some("xé\n")),
                row(3, Some("3.0"), Some("")),
                row(4, Some("100.0"), Some("12345678901234567890123")),
                row(5, Some("last"), None),
            ]
        );
    }

    #[test]
    fn what_is_no_object_is_a_defect_of_its_line() {
        assert_eq!(read("[1]\n{\"a\":}\n{\"a\":1} x\n{\"a\":1}\n{\"a\":\"\\ud8\"}\n").1, [0, 1, 2, 4]);
    }

    #[test]
    fn half_of_a_pair_is_told_and_replaced() {
        let rows = read(concat!(
            r#"{"a":"x\ud83d","b":"\ud83d\ude00"}"#,
            "\n",
            r#"{"\udc00":1,"a":"\\ud83d"}"#,
            "\n",
            r#"{"a":"é\ud83d\\","b":NaN}"#,
            "\n"
        ));
        assert_eq!((rows.1.len(), rows.2), (0, vec![0, 1, 2]));
        assert_eq!(rows.0[0].1, [Some("x\u{fffd}".to_string()), Some("\u{1f600}".to_string())]);
        assert_eq!(rows.0[1].1[0].as_deref(), Some("\\ud83d"));
        assert_eq!(rows.0[2].1, [Some("é\u{fffd}\\".to_string()), Some("nan".to_string())]);
    }

    #[test]
    fn unknown_fields_of_any_depth_are_passed_over() {
        let line = format!("{{\"z\":{}{},\"a\":-0}}", "[".repeat(50_000), "]".repeat(50_000));
        assert_eq!(read(&line).0, [(0, vec![Some("0".to_string()), None])]);
    }

    #[test]
    fn a_line_beyond_the_limit_is_a_defect() {
        let line = format!("{{\"a\":1}}\n{{\"a\":\"{}\"}}\n{{\"a\":2}}", "x".repeat(200_000));
        let rows = read(&line);
        assert_eq!((rows.0.len(), rows.1), (2, vec![1]));
    }

    #[test]
    fn the_constants_that_python_writes_are_read() {
        let rows = read("{\"a\":NaN,\"b\":\"NaN \\\" Infinity\"}\n{\"a\":-Infinity}\n");
        assert_eq!(rows.1, [0_u64; 0]);
        assert_eq!(rows.0[0].1, [Some("nan".to_string()), Some("NaN \" Infinity".to_string())]);
        assert_eq!(rows.0[1].1[0].as_deref(), Some("-Inf"));
    }
}
