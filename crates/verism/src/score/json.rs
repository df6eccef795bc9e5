//! Small JSON pieces written straight into a buffer.

use serde::Serialize;

pub use crate::text::number::{push_shortest as push_float, shortest as float};

/// Appends a value as JSON.
pub fn push(out: &mut Vec<u8>, value: &impl Serialize) {
    serde_json::to_writer(out, value).expect("a buffer takes every value that has a JSON form");
}

/// A value as JSON text.
pub fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("a value that has a JSON form")
}

/// Appends `"key":value`, with a comma before it unless it is the first of its object.
pub fn push_field(out: &mut Vec<u8>, key: &str, value: &impl Serialize) {
    push_key(out, key);
    push(out, value);
}

/// Appends `"key":` and a value that is JSON already.
pub fn push_raw_field(out: &mut Vec<u8>, key: &str, value: &str) {
    push_key(out, key);
    out.extend_from_slice(value.as_bytes());
}

fn push_key(out: &mut Vec<u8>, key: &str) {
    if !matches!(out.last(), None | Some(b'{')) {
        out.push(b',');
    }
    push_text(out, key);
    out.push(b':');
}

/// Appends a text as JSON; most need no escapes and are copied.
pub fn push_text(out: &mut Vec<u8>, text: &str) {
    // Without a way out of the loop it takes many bytes at a time.
    let special = text.bytes().fold(false, |found, b| found | (b < b' ') | (b == b'"') | (b == b'\\'));
    if !special {
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
    } else {
        push(out, &text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_separated_by_commas() {
        let mut out = b"{".to_vec();
        push_field(&mut out, "a", &1);
        push_field(&mut out, "b", &Option::<&str>::None);
        assert_eq!(out, br#"{"a":1,"b":null"#);
    }
}
