//! Python values as `repr` writes them, read strictly.
//!
//! Dicts, lists, tuples, texts, numbers, `True`, `False`, `None`; a constructor call `Name(a=1, 2)` gives its named
//! arguments, `<Enum.NAME: 'x'>` the name in lower case, any other dotted name itself. Time is linear in the text.

use std::borrow::Cow;

use memchr::memchr2;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::input::value::{Json, once};
use crate::text::normalize::is_blank;

/// How deep values may stand in each other: a record that holds them must still be read where records nest 127 deep.
pub(crate) const DEPTH: usize = 100;

/// The value that a text holds, and nothing beside it.
pub(crate) fn parse(text: &str) -> Option<Json<'_>> {
    let mut reader = Reader { rest: text, in_key: false };
    let value = reader.value(DEPTH)?;
    reader.peek().is_none().then_some(value)
}

/// The value at the start of a text, whatever follows it.
pub(crate) fn parse_start(text: &str) -> Option<Json<'_>> {
    Reader { rest: text, in_key: false }.value(DEPTH)
}

/// Whether a character belongs to a name, as `\w` of Python says: letters, numbers and `_`.
pub(crate) fn is_name(c: char) -> bool {
    if c.is_ascii() {
        return c == '_' || c.is_ascii_alphanumeric();
    }
    matches!(c.general_category_group(), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number)
}

fn starts_name(c: char) -> bool {
    c == '_' || c.is_ascii_alphabetic()
}

struct Reader<'t> {
    rest: &'t str,
    /// Whether what is read becomes a key.
    in_key: bool,
}

impl<'t> Reader<'t> {
    /// The next character that is not blank; the blanks before it are gone.
    fn peek(&mut self) -> Option<char> {
        // Most often one space, and then something that is none.
        self.rest = self.rest.strip_prefix(' ').unwrap_or(self.rest);
        match self.rest.as_bytes().first()? {
            first if first.is_ascii_graphic() => Some(char::from(*first)),
            _ => {
                self.rest = self.rest.trim_start_matches(is_blank);
                self.rest.chars().next()
            }
        }
    }

    /// Takes the characters that satisfy a condition.
    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let plain = self.rest.bytes().take_while(|b| b.is_ascii() && wanted(char::from(*b))).count();
        let end = self.rest[plain..].find(|c| !wanted(c)).map_or(self.rest.len(), |more| plain + more);
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    /// Takes a text if it comes next.
    fn take(&mut self, text: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(text)?;
        Some(())
    }

    fn value(&mut self, depth: usize) -> Option<Json<'t>> {
        let depth = depth.checked_sub(1)?;
        match self.peek()? {
            '{' => self.dict(depth),
            '[' => self.list(']', depth),
            '(' => self.list(')', depth),
            quote @ ('\'' | '"') => self.text(quote as u8).map(Json::Text),
            '<' => self.member(),
            c if starts_name(c) => self.name(depth),
            _ => self.number(),
        }
    }

    /// Walks over what stands between an opening bracket and `close`; a comma may follow the last item.
    fn items(&mut self, close: char, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.rest = &self.rest[1..];
        while self.peek()? != close {
            item(self)?;
            match self.peek()? {
                ',' => self.rest = &self.rest[1..],
                c if c == close => {}
                _ => return None,
            }
        }
        self.rest = &self.rest[1..];
        Some(())
    }

    fn list(&mut self, close: char, depth: usize) -> Option<Json<'t>> {
        let mut list = vec![];
        self.items(close, |reader| {
            list.push(reader.value(depth)?);
            Some(())
        })?;
        Some(Json::List(list))
    }

    fn dict(&mut self, depth: usize) -> Option<Json<'t>> {
        let mut entries = vec![];
        self.items('}', |reader| {
            let key = reader.key(depth)?;
            reader.peek();
            reader.take(":")?;
            entries.push((key, reader.value(depth)?));
            Some(())
        })?;
        Some(Json::Object(once(entries)))
    }

    /// A key as text: what Python's `str` gives, JSON for a tuple.
    fn key(&mut self, depth: usize) -> Option<Cow<'t, str>> {
        let inside = std::mem::replace(&mut self.in_key, true);
        let value = self.value(depth)?;
        self.in_key = inside;
        Some(match value {
            Json::Text(text) => text,
            Json::Null => "None".into(),
            Json::Bool(x) => if x { "True" } else { "False" }.into(),
            Json::Int(x) => x.to_string().into(),
            Json::Float(x) => format!("{x:?}").into(),
            // Keys in keys in keys would grow with every escape of an escape.
            Json::List(_) | Json::Object(_) if inside => return None,
            other => serde_json::to_string(&other).ok()?.into(),
        })
    }

    /// A text up to its closing quote. What is not an escape keeps its backslash.
    fn text(&mut self, quote: u8) -> Option<Cow<'t, str>> {
        self.rest = &self.rest[1..];
        let first = memchr2(quote, b'\\', self.rest.as_bytes())?;
        if self.rest.as_bytes()[first] == quote {
            let (plain, rest) = self.rest.split_at(first);
            self.rest = &rest[1..];
            return Some(Cow::Borrowed(plain));
        }
        let mut out = String::new();
        loop {
            let at = memchr2(quote, b'\\', self.rest.as_bytes())?;
            let (plain, rest) = self.rest.split_at(at);
            out.push_str(plain);
            self.rest = &rest[1..];
            if rest.as_bytes()[0] == quote {
                return Some(Cow::Owned(out));
            }
            let (meant, length) = match self.rest.as_bytes().first()? {
                b'n' => ('\n', 1),
                b't' => ('\t', 1),
                b'r' => ('\r', 1),
                c @ (b'\\' | b'\'' | b'"') => (*c as char, 1),
                b'x' => (self.character(2)?, 3),
                b'u' => (self.character(4)?, 5),
                b'U' => (self.character(8)?, 9),
                b'\n' => {
                    self.rest = &self.rest[1..];
                    continue;
                }
                _ => ('\\', 0),
            };
            out.push(meant);
            self.rest = &self.rest[length..];
        }
    }

    /// The character whose number stands after the next letter, in hexadecimal digits.
    fn character(&self, digits: usize) -> Option<char> {
        let code = self.rest.get(1..=digits).filter(|code| code.bytes().all(|b| b.is_ascii_hexdigit()))?;
        match u32::from_str_radix(code, 16).ok()? {
            // Half a character, from a text that was decoded wrongly: as good as any other sign that is not a letter.
            0xd800..=0xdfff => Some(char::REPLACEMENT_CHARACTER),
            number => char::from_u32(number),
        }
    }

    /// A member of an enumeration: `<Mood.CASUAL: 'x'>` means `casual`.
    fn member(&mut self) -> Option<Json<'t>> {
        self.take("<")?;
        let class = self.take_while(is_name);
        self.take(".")?;
        let name = self.take_while(is_name);
        if self.take(":").is_some() {
            self.take_while(|c| c != '>');
        }
        self.take(">")?;
        (!class.is_empty() && !name.is_empty()).then(|| Json::Text(name.to_lowercase().into()))
    }

    fn number(&mut self) -> Option<Json<'t>> {
        let start = self.rest;
        let digits = |reader: &mut Self| reader.take_while(|c| c.is_ascii_digit()).len();
        let sign = |reader: &mut Self| reader.take("-").or_else(|| reader.take("+"));
        sign(self);
        let whole = digits(self);
        let fraction = self.take(".").map(|()| digits(self));
        if whole + fraction.unwrap_or(0) == 0 {
            return None;
        }
        let end = self.rest;
        let exponent = self.take("e").or_else(|| self.take("E")).is_some_and(|()| {
            sign(self);
            digits(self) > 0
        });
        if !exponent {
            self.rest = end;
        }
        let text = &start[..start.len() - self.rest.len()];
        let int = || text.parse::<i64>().map(i128::from).or_else(|_| text.parse::<u64>().map(i128::from));
        match int() {
            Ok(x) if fraction.is_none() && !exponent => Some(Json::Int(x)),
            // Beyond binary64 the largest number stands in: no field takes either.
            _ => text.parse::<f64>().ok().map(|x| Json::Float(x.clamp(f64::MIN, f64::MAX))),
        }
    }

    /// A word, a dotted name, or a constructor call.
    fn name(&mut self, depth: usize) -> Option<Json<'t>> {
        let word = self.take_while(|c| c == '.' || is_name(c));
        if self.peek() == Some('(') {
            let mut named = vec![];
            self.items(')', |reader| {
                let name = reader.argument_name();
                let value = reader.value(depth)?;
                if let Some(name) = name {
                    named.push((Cow::Borrowed(name), value));
                }
                Some(())
            })?;
            return Some(Json::Object(once(named)));
        }
        Some(match word {
            "True" => Json::Bool(true),
            "False" => Json::Bool(false),
            "None" => Json::Null,
            name => Json::Text(Cow::Borrowed(name)),
        })
    }

    /// Takes `name=`, if that comes next.
    fn argument_name(&mut self) -> Option<&'t str> {
        let start = self.rest;
        if self.peek().is_some_and(starts_name) {
            let name = self.take_while(is_name);
            self.peek();
            if self.take("=").is_some() {
                return Some(name);
            }
        }
        self.rest = start;
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn json(text: &str) -> String {
        parse(text).map_or_else(|| "nothing".into(), |value| crate::score::json::text(&value))
    }

    #[test]
    fn literals_of_python() {
        // CPython 3.11: json.dumps(ast.literal_eval(text)).
        for (text, value) in [
            ("{'a': 1, \"b\": [True, False, None], }", r#"{"a":1,"b":[true,false,null]}"#),
            ("(1, 'x', ())", r#"[1,"x",[]]"#),
            ("{1: 'a', None: 'b', 'x': {}, 1: 'c'}", r#"{"1":"c","None":"b","x":{}}"#),
            ("[-1.5, 2e3, .5, 7., -0, 18446744073709551615]", "[-1.5,2000.0,0.5,7.0,0,18446744073709551615]"),
            (r#"'it\'s "12\"" \\ \x41\u00e9\U0001f600\n\d'"#, r#""it's \"12\"\" \\ Aé😀\n\\d""#),
            ("\"it's\"", r#""it's""#),
            (" \n'' ", r#""""#),
            ("'a\\\nb'", r#""ab""#),
        ] {
            assert_eq!(json(text), value, "{text}");
        }
    }

    #[test]
    fn what_the_original_writes_besides() {
        // By hand, section 2.3 of the specification.
        for (text, value) in [
            ("<MoodTone.CASUAL: 'Very relaxed'>", r#""casual""#),
            ("<Style.ALL_AT_ONCE>", r#""all_at_once""#),
            ("datetime.datetime(2024, 1, 2, tzinfo=TzInfo(UTC))", r#"{"tzinfo":{}}"#),
            (
                "[OrderItem(name='Tea', modifiers=[Modifier (name = 'Hot', 'x')])]",
                r#"[{"name":"Tea","modifiers":[{"name":"Hot"}]}]"#,
            ),
            ("a.b.C", r#""a.b.C""#),
            ("[nan, inf]", r#"["nan","inf"]"#),
        ] {
            assert_eq!(json(text), value, "{text}");
        }
    }

    #[test]
    fn what_no_field_takes_keeps_its_place() {
        assert_eq!(json("1e999"), json("1.7976931348623157e308"));
        assert_eq!(json("99999999999999999999"), json("1e20"));
        assert_eq!(json("'\\ud83d'"), "\"\u{fffd}\"");
        assert_eq!(json("{(1, 'a'): 2}"), r#"{"[1,\"a\"]":2}"#);
    }

    #[test]
    fn what_is_no_literal_is_refused() {
        let open = r"|{|[1|'a|'\|f(|<A.B: 'x'";
        let wrong = r"'it's'|{1, 2}|{'a' 1}|[1 2]|1 2|[,]|-|1.2.3|<A: 'x'>|<.B>|f(a=)|b'x'|'a' 'b'|{{{}: 1}: 1}|é";
        let escapes = r"'\x4'|'\u12g4'|'\U00110000'";
        for text in [open, wrong, escapes].iter().flat_map(|texts| texts.split('|')) {
            assert_eq!(json(text), "nothing", "{text}");
        }
    }

    #[test]
    fn a_value_at_the_start_may_be_followed_by_anything() {
        let start = |text| parse_start(text).map(|value| crate::score::json::text(&value));
        assert_eq!(start("[Item(name='a')] target=[").as_deref(), Some(r#"[{"name":"a"}]"#));
        assert_eq!(start("12)"), Some("12".into()));
        assert_eq!(start("[1"), None);
    }

    #[test]
    fn nesting_has_an_end_and_takes_no_stack() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(&nested(DEPTH)).is_some());
        assert!(parse(&nested(DEPTH + 1)).is_none());
        for open in ["[", "{", "{'a':", "f(", "f(a=", "({'a':["] {
            assert!(parse(&open.repeat(300_000)).is_none());
        }
    }

    /// Writes a value as Python would.
    fn repr(value: &Json<'_>) -> String {
        match value {
            Json::Null => "None".into(),
            Json::Bool(x) => if *x { "True" } else { "False" }.into(),
            Json::Int(x) => x.to_string(),
            Json::Float(x) => format!("{x:?}"),
            Json::Text(text) => quoted(text),
            Json::List(items) => format!("[{}]", items.iter().map(repr).collect::<Vec<_>>().join(", ")),
            Json::Object(entries) => {
                let entries = entries.iter().map(|(key, value)| format!("{}: {}", quoted(key), repr(value)));
                format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn quoted(text: &str) -> String {
        let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
        let escaped = text.chars().map(|c| match c {
            '\n' => "\\n".into(),
            '\\' => "\\\\".into(),
            c if c == quote => format!("\\{c}"),
            c if c < ' ' || c == '\u{7f}' => format!("\\x{:02x}", c as u32),
            '\u{e000}'..='\u{f8ff}' => format!("\\u{:04x}", c as u32),
            c if c > '\u{10000}' => format!("\\U{:08x}", c as u32),
            c => c.to_string(),
        });
        format!("{quote}{}{quote}", escaped.collect::<String>())
    }

    fn any_value() -> impl Strategy<Value = Json<'static>> {
        let leaf = prop_oneof![
            Just(Json::Null),
            any::<bool>().prop_map(Json::Bool),
            any::<i64>().prop_map(|x| Json::Int(x.into())),
            (-1e300..1e300_f64).prop_map(Json::Float),
            "(?s).{0,8}".prop_map(|text| Json::Text(text.into())),
            "['\"\\\\\n]{0,4}".prop_map(|text| Json::Text(text.into())),
        ];
        leaf.prop_recursive(4, 40, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Json::List),
                prop::collection::btree_map("(?s).{0,4}", inner, 0..5).prop_map(|entries| {
                    Json::Object(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_python_writes_reads_back(value in any_value(), after in "[)\\], x]{0,3}") {
            let text = repr(&value);
            prop_assert_eq!(parse(&text), Some(value.clone()));
            // A number goes on as long as digits do; everything else has an end of its own.
            let followed = format!("[{text}]{after}");
            prop_assert_eq!(parse_start(&followed), Some(Json::List(vec![value])));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "(?s).{0,40}", marks in "[\\[\\](){}<>'\",:=\\\\xuU0-9a-f.+-]{0,40}") {
            for text in [text, marks] {
                let _ = (parse(&text), parse_start(&text));
            }
        }
    }
}
