//! JSON written straight into a buffer.

mod few;
mod why_not;
mod writer;

use serde::Serialize;

use self::few::Few;
pub use self::why_not::{ONE_PER_LINE, why_not};
use self::writer::Writer;
use super::bits::json_stop;
pub use super::number::{push_shortest as push_float, shortest as float};

/// Appends a value as JSON.
pub fn push(out: &mut Vec<u8>, value: &impl Serialize) {
    value.serialize(Writer::new(out)).expect("a buffer takes every value that has a JSON form");
}

/// A value as JSON text.
pub fn text(value: &impl Serialize) -> String {
    // Enough for most objects: a buffer that grows from nothing is moved again and again.
    let mut out = Vec::with_capacity(256);
    push(&mut out, value);
    String::from_utf8(out).expect("texts and punctuation")
}

/// Appends a whole number.
pub fn push_whole(out: &mut Vec<u8>, x: u64) {
    let mut rest = x;
    let mut digits = [0; 20];
    let mut from = digits.len();
    loop {
        from -= 1;
        digits[from] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[from..]);
}

/// Appends a number as JSON: the shortest form that reads back; what is not finite is null.
pub fn push_number(out: &mut Vec<u8>, x: f64) {
    // Most numbers are small and whole; minus zero keeps its sign.
    let whole = x as u32;
    if f64::from(whole) == x && (whole > 0 || x.is_sign_positive()) {
        push_whole(out, whole.into());
        out.extend_from_slice(b".0");
    } else {
        serde_json::to_writer(out, &x).expect("a buffer takes every number");
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
    push_name(out, key);
}

/// Appends `"name":`. Of a name that is known when the program is compiled, so is all of this.
#[inline(always)]
fn push_name(out: &mut Vec<u8>, name: &str) {
    const MOST: usize = 32;
    let plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
    if name.len() > MOST || !name.bytes().all(plain) {
        push_text(out, name);
        return out.push(b':');
    }
    let mut quoted = [b'"'; MOST + 3];
    quoted[1..=name.len()].copy_from_slice(name.as_bytes());
    quoted[name.len() + 2] = b':';
    out.extend_from_slice(&quoted[..name.len() + 3]);
}

/// Appends a text as JSON.
pub fn push_text(out: &mut Vec<u8>, text: &str) {
    let bytes = text.as_bytes();
    if let Some(few) = Few::of(bytes).filter(|few| few.is_plain()) {
        return few.push_quoted(out);
    }
    out.reserve(bytes.len() + 2);
    out.push(b'"');
    let (plain, rest) = bytes.split_at(json_stop(bytes));
    out.extend_from_slice(plain);
    if !rest.is_empty() {
        push_with_escapes(out, rest);
    }
    out.push(b'"');
}

/// Appends bytes of a text of which the first has to be escaped.
#[cold]
fn push_with_escapes(out: &mut Vec<u8>, mut rest: &[u8]) {
    while let Some((byte, behind)) = rest.split_first() {
        push_escape(out, *byte);
        let (plain, more) = behind.split_at(json_stop(behind));
        out.extend_from_slice(plain);
        rest = more;
    }
}

fn push_escape(out: &mut Vec<u8>, byte: u8) {
    let short = match byte {
        b'"' | b'\\' => byte,
        0x08 => b'b',
        0x0c => b'f',
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        _ => {
            let digit = |x: u8| b"0123456789abcdef"[usize::from(x)];
            out.extend_from_slice(&[b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte & 15)]);
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_have_all_their_digits() {
        for x in [0, 7, 10, 1_203, u64::MAX] {
            let mut out = vec![];
            push_whole(&mut out, x);
            assert_eq!(out, x.to_string().as_bytes());
        }
        assert_eq!(text(&[i128::MIN, -12, i128::from(i64::MIN)]), format!("[{},-12,{}]", i128::MIN, i64::MIN));
    }

    #[test]
    fn fields_are_separated_by_commas() {
        let mut out = b"{".to_vec();
        push_field(&mut out, "a", &1);
        push_field(&mut out, "b", &Option::<&str>::None);
        assert_eq!(out, br#"{"a":1,"b":null"#);
    }
}
