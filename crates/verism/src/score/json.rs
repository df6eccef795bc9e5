//! Small JSON pieces written straight into a buffer.

use serde::Serialize;

/// Appends a value as JSON.
pub fn push(out: &mut Vec<u8>, value: &impl Serialize) {
    serde_json::to_writer(out, value).expect("a buffer takes every value that has a JSON form");
}

/// A value as JSON text.
pub fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("a value that has a JSON form")
}

/// A finite number in its shortest form that reads back as the same number: `1.0`, `0.25`, `1e-7`, `2.5e16`.
pub fn float(x: f64) -> String {
    let mut out = vec![];
    push_float(&mut out, x);
    String::from_utf8(out).expect("digits")
}

/// Appends a finite number in its shortest form.
pub fn push_float(out: &mut Vec<u8>, x: f64) {
    let start = out.len();
    push(out, &x);
    if let Some(plus) = memchr::memchr(b'+', &out[start..]) {
        out.remove(start + plus);
    }
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
    fn numbers_take_their_shortest_form_with_a_fraction_or_an_exponent() {
        // The form that the tables promise: exponents below 1e-5 and from 1e16 only.
        for (x, form) in [
            (1.0, "1.0"),
            (0.25, "0.25"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e-5, "0.00001"),
            (1.5e-5, "0.000015"),
            (1e-7, "1e-7"),
            (9.9e-6, "9.9e-6"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e16"),
            (2.5e16, "2.5e16"),
            (-0.5, "-0.5"),
        ] {
            assert_eq!(float(x), form);
        }
    }

    #[test]
    fn fields_are_separated_by_commas() {
        let mut out = b"{".to_vec();
        push_field(&mut out, "a", &1);
        push_field(&mut out, "b", &Option::<&str>::None);
        assert_eq!(out, br#"{"a":1,"b":null"#);
    }
}
