//! Reads JSON into values that borrow from its text.
//!
//! Strict JSON, with what records of models need beside it: whole numbers keep all digits that 128 bits hold and `-0` is
//! zero; half of a surrogate pair, as cut-off output of models has it, can be forgiven; what lies deeper than any record
//! is checked and passed over instead of refused. Hand-written because no crate we know gives these together.

use std::borrow::Cow;

use super::value::{Entry, Json, mark, once};
use crate::text::bits::json_stop;

/// Levels of lists and objects that are kept; whatever lies deeper is null.
const DEPTH: usize = 120;

/// Reads a whole text. Half of a surrogate pair is refused, or becomes U+FFFD and is told by the second value.
pub(super) fn parse(text: &str, forgive: bool) -> Option<(Json<'_>, bool)> {
    let bytes = text.as_bytes();
    let (entries, items) = (Vec::with_capacity(32), Vec::with_capacity(32));
    let mut parser = Parser { text, bytes, at: 0, forgive, forgiven: false, entries, items };
    let value = parser.value(0)?;
    parser.blanks();
    (parser.at == text.len()).then_some((value, parser.forgiven))
}

struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    forgive: bool,
    forgiven: bool,
    /// Entries and items of the objects and lists that are open; each takes its own when it is closed, so that it is
    /// allocated once and in its size.
    entries: Vec<Entry<'a>>,
    items: Vec<Json<'a>>,
}

impl<'a> Parser<'a> {
    fn blanks(&mut self) {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.bytes.get(self.at) {
            self.at += 1;
        }
    }

    /// Takes the next byte that is not blank.
    fn next(&mut self) -> Option<u8> {
        self.blanks();
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn value(&mut self, depth: usize) -> Option<Json<'a>> {
        if depth == DEPTH {
            return self.pass_over().map(|()| Json::Null);
        }
        match self.next()? {
            b'"' => self.string().map(Json::Text),
            b'{' => self.object(depth),
            b'[' => self.list(depth),
            byte => self.scalar(byte),
        }
    }

    /// A value that is not text, list or object; its first byte has been taken.
    fn scalar(&mut self, first: u8) -> Option<Json<'a>> {
        match first {
            b't' => self.word("rue").map(|()| Json::Bool(true)),
            b'f' => self.word("alse").map(|()| Json::Bool(false)),
            b'n' => self.word("ull").map(|()| Json::Null),
            b'-' | b'0'..=b'9' => self.number(),
            _ => None,
        }
    }

    fn word(&mut self, rest: &str) -> Option<()> {
        let found = self.bytes[self.at..].starts_with(rest.as_bytes());
        self.at += rest.len();
        found.then_some(())
    }

    fn object(&mut self, depth: usize) -> Option<Json<'a>> {
        let first = self.entries.len();
        let (mut marks, mut doubtful) = (0, false);
        let mut byte = self.next()?;
        if byte == b'}' {
            return Some(Json::Object(vec![]));
        }
        loop {
            if byte != b'"' {
                return None;
            }
            let key = self.string()?;
            let mark = mark(&key);
            doubtful |= marks & mark != 0;
            marks |= mark;
            if self.next()? != b':' {
                return None;
            }
            let value = self.value(depth + 1)?;
            self.entries.push((key, value));
            match self.next()? {
                b',' => byte = self.next()?,
                b'}' => {
                    let entries = self.entries.drain(first..).collect();
                    return Some(Json::Object(if doubtful { once(entries) } else { entries }));
                }
                _ => return None,
            }
        }
    }

    fn list(&mut self, depth: usize) -> Option<Json<'a>> {
        let first = self.items.len();
        self.blanks();
        if self.bytes.get(self.at) == Some(&b']') {
            self.at += 1;
            return Some(Json::List(vec![]));
        }
        loop {
            let item = self.value(depth + 1)?;
            self.items.push(item);
            match self.next()? {
                b',' => {}
                b']' => return Some(Json::List(self.items.drain(first..).collect())),
                _ => return None,
            }
        }
    }

    /// Digits from here on; at least one.
    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    /// A number whose first byte has been taken.
    fn number(&mut self) -> Option<Json<'a>> {
        self.at -= 1;
        let start = self.at;
        if self.bytes[start] == b'-' {
            self.at += 1;
        }
        let leading = self.at;
        self.digits()?;
        if self.bytes[leading] == b'0' && self.at > leading + 1 {
            return None;
        }
        let mut whole = true;
        if self.bytes.get(self.at) == Some(&b'.') {
            (whole, self.at) = (false, self.at + 1);
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            (whole, self.at) = (false, self.at + 1);
            if let Some(b'+' | b'-') = self.bytes.get(self.at) {
                self.at += 1;
            }
            self.digits()?;
        }
        let text = &self.text[start..self.at];
        // Up to eighteen digits need no look for an overflow.
        if whole && self.at - leading <= 18 {
            let number = text.bytes().filter(u8::is_ascii_digit).fold(0, |x, b| 10 * x + i64::from(b - b'0'));
            return Some(Json::Int(if leading > start { -number } else { number }.into()));
        }
        if whole && let Ok(number) = text.parse() {
            return Some(Json::Int(number));
        }
        text.parse().ok().filter(|x: &f64| x.is_finite()).map(Json::Float)
    }

    /// A text whose opening quote has been taken.
    fn string(&mut self) -> Option<Cow<'a, str>> {
        let (plain, ended) = self.piece()?;
        if ended {
            return Some(Cow::Borrowed(plain));
        }
        let mut out = String::with_capacity(plain.len() + 16);
        out.push_str(plain);
        loop {
            self.escape(&mut out)?;
            let (plain, ended) = self.piece()?;
            out.push_str(plain);
            if ended {
                return Some(Cow::Owned(out));
            }
        }
    }

    /// A piece of a text up to a quote or an escape, and whether it is the last; none if a control character ends it.
    fn piece(&mut self) -> Option<(&'a str, bool)> {
        let start = self.at;
        let end = start + json_stop(&self.bytes[start..]);
        self.at = end + 1;
        match self.bytes.get(end)? {
            b'"' => Some((&self.text[start..end], true)),
            b'\\' => Some((&self.text[start..end], false)),
            _ => None,
        }
    }

    /// An escape whose backslash has been taken.
    fn escape(&mut self, out: &mut String) -> Option<()> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        out.push(match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => self.unicode()?,
            _ => return None,
        });
        Some(())
    }

    fn four_digits(&self, at: usize) -> Option<u32> {
        let digits = self.bytes.get(at..at + 4)?;
        digits.iter().try_fold(0, |number, &digit| Some(number << 4 | char::from(digit).to_digit(16)?))
    }

    /// The character of a `\u` escape, and of the one after it where two make one.
    fn unicode(&mut self) -> Option<char> {
        let first = self.four_digits(self.at)?;
        self.at += 4;
        if let Some(c) = char::from_u32(first) {
            return Some(c);
        }
        if first < 0xdc00 && self.bytes[self.at..].starts_with(b"\\u") {
            let second = self.four_digits(self.at + 2)?;
            if (0xdc00..0xe000).contains(&second) {
                self.at += 6;
                return char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00));
            }
        }
        self.forgiven = true;
        self.forgive.then_some(char::REPLACEMENT_CHARACTER)
    }

    /// Checks a value of any depth and keeps nothing of it.
    fn pass_over(&mut self) -> Option<()> {
        let mut open: Vec<u8> = vec![];
        loop {
            // A value begins here.
            match self.next()? {
                b'"' => drop(self.string()?),
                byte @ (b'{' | b'[') => {
                    let close = if byte == b'{' { b'}' } else { b']' };
                    self.blanks();
                    if self.bytes.get(self.at) == Some(&close) {
                        self.at += 1;
                    } else {
                        open.push(close);
                        if close == b'}' {
                            self.key()?;
                        }
                        continue;
                    }
                }
                byte => drop(self.scalar(byte)?),
            }
            // A value has ended: so may what holds it.
            loop {
                let Some(&close) = open.last() else { return Some(()) };
                match self.next()? {
                    b',' if close == b'}' => {
                        self.key()?;
                        break;
                    }
                    b',' => break,
                    byte if byte == close => drop(open.pop()),
                    _ => return None,
                }
            }
        }
    }

    fn key(&mut self) -> Option<()> {
        (self.next()? == b'"').then_some(())?;
        self.string()?;
        (self.next()? == b':').then_some(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn strict(text: &str) -> Option<Json<'_>> {
        parse(text, false).map(|(json, _)| json)
    }

    #[test]
    fn whole_numbers_keep_their_digits_and_minus_zero_is_zero() {
        for (text, number) in [
            ("-0", 0),
            ("-999999999999999999", -999_999_999_999_999_999),
            ("9999999999999999999", 9_999_999_999_999_999_999),
            ("18446744073709551616", 1 << 64),
            ("18446744073709551617", (1 << 64) + 1),
            ("-170141183460469231731687303715884105728", i128::MIN),
        ] {
            assert!(matches!(strict(text), Some(Json::Int(x)) if x == number), "{text}");
        }
        assert!(matches!(strict("-0.0"), Some(Json::Float(x)) if x == 0.0 && x.is_sign_negative()));
        assert!(matches!(strict("1e2"), Some(Json::Float(100.0))));
        for text in ["01", "-", "1.", ".5", "1e", "+1", "1e999", "--1", "0x1", "1 2"] {
            assert!(strict(text).is_none(), "{text}");
        }
    }

    #[test]
    fn half_a_pair_is_refused_or_forgiven() {
        let cut = r#"{"a":"x\ud83d","\udc00":"\ud83d\ude00","c":"\ud83d\u0041"}"#;
        assert!(strict(cut).is_none());
        let (json, forgiven) = parse(cut, true).expect("forgiven");
        assert!(forgiven);
        assert_eq!(json.get("a").and_then(Json::text), Some("x\u{fffd}"));
        assert_eq!(json.get("\u{fffd}").and_then(Json::text), Some("\u{1f600}"));
        assert_eq!(json.get("c").and_then(Json::text), Some("\u{fffd}A"));
        assert!(matches!(parse(r#""\ud83d\ude00""#, true), Some((_, false))));
        for text in [r#""\ud83d\uzzzz""#, r#""\ud83"#, r#""\u12"#, "\"\\"] {
            assert!(parse(text, true).is_none(), "{text}");
        }
    }

    #[test]
    fn any_depth_is_read_and_checked() {
        let deep = |inner: &str, depth: usize| {
            format!("{{\"a\":1,\"b\":{}{inner}{}}}", "[{\"x\":".repeat(depth), "}]".repeat(depth))
        };
        let text = deep("[1,{},[],\"]\"]", 100_000);
        let json = strict(&text).expect("JSON");
        assert_eq!(json.get("a").and_then(Json::whole), Some(1));
        for wrong in ["[1,]", "{\"a\"}", "{\"a\":1,}", "[1 2]", "tru", "\"", "[}"] {
            assert!(strict(&deep(wrong, 1_000)).is_none(), "{wrong}");
        }
        assert!(strict(&"[".repeat(1_000_000)).is_none());
    }

    /// Any JSON, some of it deep.
    fn values() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i64>().prop_map(Into::into),
            any::<u64>().prop_map(Into::into),
            any::<f64>().prop_filter("finite", |x| x.is_finite()).prop_map(Into::into),
            "\\PC{0,8}|[\"\\\\\n\u{1}é😀]{0,4}".prop_map(Into::into),
        ];
        leaf.prop_recursive(5, 40, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
                prop::collection::vec(("[a-c\"]{0,2}", inner), 0..5)
                    .prop_map(|entries| serde_json::Value::Object(entries.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_serde_json_writes_is_read_as_it_was(value in values(), pretty in any::<bool>()) {
            let text = if pretty { format!("{value:#}") } else { value.to_string() };
            let read = strict(&text).expect("JSON");
            let again: serde_json::Value = serde_json::from_str(&serde_json::to_string(&read).expect("JSON")).expect("JSON");
            prop_assert_eq!(again, value);
        }

        /// Texts near JSON: both readers take the same ones.
        #[test]
        fn what_serde_json_refuses_is_refused(text in "[\\[\\]{}:,\"\\\\aeu0-3.+ \n-]{0,14}|(\\{\"a\":)?[-0-9eE.+]{1,8}\\}?") {
            let other: Result<serde_json::Value, _> = serde_json::from_str(&text);
            prop_assert_eq!(strict(&text).is_some(), other.is_ok(), "{}", text);
        }
    }
}
