//! A JSON value that borrows its texts from the line it was read from.

use std::borrow::Cow;
use std::fmt;

use rustc_hash::FxHashMap;
use serde::de::{Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::parse::parse;

/// A JSON value. Every number is finite, every key of an object stands there once.
#[derive(Clone, Debug, Default)]
pub enum Json<'a> {
    /// `null`.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number written without fraction and exponent.
    Int(i128),
    /// Any other number.
    Float(f64),
    /// A text.
    Text(Cow<'a, str>),
    /// A list.
    List(Vec<Json<'a>>),
    /// An object in the order of its keys' first appearance.
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

impl<'a> Json<'a> {
    /// Reads strict JSON: no NaN, no number beyond binary64, nothing after the value. What lies deeper than 120 levels is
    /// null.
    pub fn parse(text: &'a str) -> Option<Json<'a>> {
        parse(text, false).map(|(json, _)| json)
    }

    /// The same, but half of a surrogate pair, as texts have it that were cut off, is read as U+FFFD. The second value
    /// tells whether there was one.
    pub fn parse_cut_off(text: &'a str) -> Option<(Json<'a>, bool)> {
        parse(text, true)
    }

    /// The value under a key of an object, null or not.
    pub fn entry(&self, key: &str) -> Option<&Json<'a>> {
        // Lengths tell most keys apart.
        let same = |name: &str| name.len() == key.len() && name == key;
        self.object()?.iter().find(|(name, _)| same(name)).map(|(_, value)| value)
    }

    /// The value under a key of an object; none if there is none or it is null.
    pub fn get(&self, key: &str) -> Option<&Json<'a>> {
        self.entry(key).filter(|value| !matches!(value, Json::Null))
    }

    /// The same value with texts of its own.
    pub fn into_owned(self) -> Json<'static> {
        let own = |text: Cow<'a, str>| Cow::Owned(text.into_owned());
        match self {
            Json::Null => Json::Null,
            Json::Bool(x) => Json::Bool(x),
            Json::Int(x) => Json::Int(x),
            Json::Float(x) => Json::Float(x),
            Json::Text(text) => Json::Text(own(text)),
            Json::List(items) => Json::List(items.into_iter().map(Json::into_owned).collect()),
            Json::Object(entries) => {
                Json::Object(entries.into_iter().map(|(key, value)| (own(key), value.into_owned())).collect())
            }
        }
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The items, if it is a list.
    pub fn list(&self) -> Option<&[Json<'a>]> {
        match self {
            Json::List(items) => Some(items),
            _ => None,
        }
    }

    /// The entries, if it is an object.
    pub fn object(&self) -> Option<&[(Cow<'a, str>, Json<'a>)]> {
        match self {
            Json::Object(entries) => Some(entries),
            _ => None,
        }
    }

    /// The whole number, if it is one: `5` and `5.0` are, `true` and `5.5` are not.
    pub fn whole(&self) -> Option<i128> {
        match self {
            Json::Int(x) => Some(*x),
            // Within 2^127 every whole binary64 number has its exact place among the integers.
            Json::Float(x) if x.fract() == 0.0 && x.abs() < 1.7e38 => Some(*x as i128),
            _ => None,
        }
    }

    /// Whether it counts as nothing: null, false, zero, an empty text, list or object.
    pub fn is_nothing(&self) -> bool {
        match self {
            Json::Null => true,
            Json::Bool(x) => !x,
            Json::Int(x) => *x == 0,
            Json::Float(x) => *x == 0.0,
            Json::Text(text) => text.is_empty(),
            Json::List(items) => items.is_empty(),
            Json::Object(entries) => entries.is_empty(),
        }
    }
}

/// Values are equal whatever the order of an object's keys; `1` equals `1.0`.
impl PartialEq for Json<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Json::Null, Json::Null) => true,
            (Json::Bool(a), Json::Bool(b)) => a == b,
            (Json::Float(a), Json::Float(b)) => a == b,
            (Json::Int(a), Json::Int(b)) => a == b,
            (Json::Int(a), Json::Float(b)) | (Json::Float(b), Json::Int(a)) => Json::Float(*b).whole() == Some(*a),
            (Json::Text(a), Json::Text(b)) => a == b,
            (Json::List(a), Json::List(b)) => a == b,
            (Json::Object(a), Json::Object(b)) => {
                a.len() == b.len()
                    && a.iter().all(|(key, value)| b.iter().any(|(other, found)| other == key && found == value))
            }
            _ => false,
        }
    }
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Null => serializer.serialize_unit(),
            Json::Bool(x) => serializer.serialize_bool(*x),
            Json::Int(x) => match i64::try_from(*x) {
                Ok(x) => serializer.serialize_i64(x),
                Err(_) => serializer.serialize_i128(*x),
            },
            Json::Float(x) => serializer.serialize_f64(*x),
            Json::Text(text) => serializer.serialize_str(text),
            Json::List(items) => serializer.collect_seq(items),
            Json::Object(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

/// A key with its value.
pub(crate) type Entry<'a> = (Cow<'a, str>, Json<'a>);

/// A bit for a key, by its length and ends: two keys with different bits are different.
#[inline]
pub(super) fn mark(key: &str) -> u64 {
    let ends = match key.as_bytes() {
        [] => 0,
        [first, .., last] => u32::from(*first) + 5 * u32::from(*last),
        [only] => u32::from(*only),
    };
    1 << (ends.wrapping_add(7 * key.len() as u32) % 64)
}

/// Entries with every key once: of a repeated key the last value, at the place of the first.
pub(crate) fn once(entries: Vec<Entry<'_>>) -> Vec<Entry<'_>> {
    /// Up to here it is quicker to compare every two keys.
    const FEW: usize = 32;
    let mut marks = 0;
    let mut doubtful = |(place, (key, _)): (usize, &Entry<'_>)| {
        let mark = mark(key);
        let known = marks & mark != 0;
        marks |= mark;
        let same = |(other, _): &Entry<'_>| other.len() == key.len() && other == key;
        known && (entries.len() > FEW || entries[..place].iter().any(same))
    };
    if !entries.iter().enumerate().any(&mut doubtful) {
        return entries;
    }
    let mut places: FxHashMap<Cow<'_, str>, usize> = FxHashMap::default();
    let mut once: Vec<Entry<'_>> = Vec::with_capacity(entries.len());
    for (key, value) in entries {
        match places.get(&key) {
            Some(&place) => once[place].1 = value,
            None => {
                places.insert(key.clone(), once.len());
                once.push((key, value));
            }
        }
    }
    once
}

/// A key, borrowed where it has no escapes.
pub(super) struct Key<'a>(pub(super) Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Key<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;

        impl<'de> Visitor<'de> for Text {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(text.to_string())))
            }
        }

        deserializer.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_are_borrowed_unless_they_hold_escapes() {
        let json = Json::parse(r#"{"a":"plain","b":"tab\t","c":[1,2.5,true,null]}"#).expect("JSON");
        assert!(matches!(json.get("a"), Some(Json::Text(Cow::Borrowed("plain")))));
        assert!(matches!(json.get("b"), Some(Json::Text(Cow::Owned(text))) if text == "tab\t"));
        assert_eq!(json.get("c").and_then(Json::list).map(<[_]>::len), Some(4));
    }

    #[test]
    fn what_is_no_strict_json_is_refused() {
        for text in ["NaN", "[Infinity]", "1e999", "{\"a\":1} x", "{\"a\"", "\"\\ud800\"", ""] {
            assert!(Json::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_number_without_fraction_is_whole_however_it_is_written() {
        for (text, whole) in [("5", Some(5)), ("5.0", Some(5)), ("-0.0", Some(0)), ("5e2", Some(500)), ("5.5", None)] {
            assert_eq!(Json::parse(text).and_then(|json| json.whole()), whole, "{text}");
        }
        assert_eq!(Json::parse("true").and_then(|json| json.whole()), None);
        assert_eq!(Json::parse("18446744073709551615").and_then(|json| json.whole()), Some(u64::MAX.into()));
    }

    #[test]
    fn the_last_of_a_repeated_key_counts_in_small_and_large_objects() {
        let small = Json::parse(r#"{"a":1,"b":2,"a":3}"#).expect("JSON");
        assert_eq!((small.get("a").and_then(Json::whole), small.object().map(<[_]>::len)), (Some(3), Some(2)));
        let keys: Vec<String> = (0..40).map(|i| format!("\"k{}\":{i}", i % 30)).collect();
        let text = format!("{{{}}}", keys.join(","));
        let large = Json::parse(&text).expect("JSON");
        assert_eq!(large.object().map(<[_]>::len), Some(30));
        assert_eq!(large.get("k5").and_then(Json::whole), Some(35));
        assert_eq!(large.get("k29").and_then(Json::whole), Some(29));
    }

    #[test]
    fn equality_looks_at_meaning() {
        let equal = |a: &str, b: &str| Json::parse(a).expect("JSON") == Json::parse(b).expect("JSON");
        assert!(equal(r#"[{"a":1,"b":"x"}]"#, r#"[{"b":"x","a":1.0}]"#));
        assert!(!equal(r#"[{"a":1}]"#, r#"[{"a":1,"b":null}]"#));
        assert!(!equal("[1,2]", "[2,1]"));
        assert!(!equal("1", "\"1\""));
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(text in "\\PC{0,20}", whole in any::<i64>(), x in -1e300..1e300_f64) {
            let json = Json::List(vec![
                Json::Text(text.into()), Json::Int(whole.into()), Json::Float(x), Json::Bool(true), Json::Null,
            ]);
            let written = serde_json::to_string(&json).expect("JSON");
            prop_assert_eq!(Json::parse(&written).expect("JSON"), json);
        }
    }
}
