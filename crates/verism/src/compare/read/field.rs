//! A field of a score row as it is written in a file, before it is interpreted.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::evidence::Evidence;

/// The columns of a score row that count here, in the order of `Fields`.
pub(crate) const COLUMNS: [&str; 12] = [
    "suite",
    "metric",
    "experiment",
    "run",
    "case",
    "level",
    "unit",
    "dialogue",
    "turn",
    "value",
    "undefined",
    "reason",
];
/// Where the value stands among them.
pub(crate) const VALUE: usize = 9;

/// Where the parts that a value is made of stand behind them.
pub(crate) const PARTS: usize = COLUMNS.len();
/// Where the column that was asked for stands behind those.
pub(crate) const CLUSTER: usize = COLUMNS.len() + 1;

/// A field as it stands in the input.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Field<'a> {
    #[default]
    Absent,
    Text(Cow<'a, str>),
    Whole(String),
    Number(f64),
    /// A boolean, a list or an object.
    Other,
}

/// The columns of one row.
pub(crate) type Fields<'a> = [Field<'a>; COLUMNS.len() + 2];

impl Field<'_> {
    /// The text of an id; `None` where the field cannot be one.
    pub(crate) fn id(&self) -> Option<&str> {
        match self {
            Field::Absent => Some(""),
            Field::Text(text) => Some(text),
            Field::Whole(digits) => Some(digits),
            Field::Number(_) | Field::Other => None,
        }
    }

    /// The field as a message repeats it, if it is one of text and numbers.
    pub(crate) fn shown(&self) -> Option<String> {
        match self {
            Field::Text(text) => Some(text.to_string()),
            Field::Whole(digits) => Some(digits.clone()),
            Field::Number(x) => Some(x.to_string()),
            Field::Absent | Field::Other => None,
        }
    }

    /// The value: a number, nothing, or (as the outer `None`) something that is neither.
    pub(crate) fn value(&self, from_csv: bool) -> Option<Option<f64>> {
        match self {
            Field::Absent => Some(None),
            Field::Text(text) if text.is_empty() => Some(None),
            Field::Text(text) if from_csv && is_nothing(text) => Some(None),
            Field::Text(text) if from_csv => finite(text.trim().parse().ok()?),
            Field::Whole(digits) => finite(digits.parse().ok()?),
            Field::Number(x) => finite(*x),
            Field::Text(_) | Field::Other => None,
        }
    }
}

/// Whether a cell of a CSV table says that there is no value.
pub(super) fn is_nothing(cell: &str) -> bool {
    let cell = cell.trim();
    cell.is_empty() || ["na", "nan", "null"].iter().any(|word| cell.eq_ignore_ascii_case(word))
}

fn finite(x: f64) -> Option<Option<f64>> {
    x.is_finite().then_some(Some(x + 0.0))
}

impl<'de: 'a, 'a> Deserialize<'de> for Field<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Field<'a>, D::Error> {
        deserializer.deserialize_any(FieldVisitor)
    }
}

struct FieldVisitor;

impl<'de> Visitor<'de> for FieldVisitor {
    type Value = Field<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Field<'de>, E> {
        Ok(Field::Absent)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Field<'de>, E> {
        Ok(Field::Other)
    }

    fn visit_i64<E>(self, n: i64) -> Result<Field<'de>, E> {
        Ok(Field::Whole(n.to_string()))
    }

    fn visit_u64<E>(self, n: u64) -> Result<Field<'de>, E> {
        Ok(Field::Whole(n.to_string()))
    }

    fn visit_f64<E>(self, x: f64) -> Result<Field<'de>, E> {
        // 3.0 is the id 3
        let whole = x.fract() == 0.0 && x.abs() < 9e15;
        Ok(if whole { Field::Whole((x as i64).to_string()) } else { Field::Number(x) })
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Field<'de>, E> {
        Ok(Field::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Field<'de>, E> {
        Ok(Field::Text(Cow::Owned(text.to_string())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Field<'de>, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Field::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Field<'de>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Field::Other)
    }
}

/// Reads a JSON object of which only the columns are kept, and the one asked for.
pub(crate) fn record<'a>(line: &'a str, cluster: Option<&str>) -> serde_json::Result<Fields<'a>> {
    let mut deserializer = serde_json::Deserializer::from_str(line);
    let fields = Columns { cluster }.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(fields)
}

struct Columns<'c> {
    cluster: Option<&'c str>,
}

impl<'de> DeserializeSeed<'de> for Columns<'_> {
    type Value = Fields<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Fields<'de>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Columns<'_> {
    type Value = Fields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
        let mut fields = Fields::default();
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            match COLUMNS.iter().position(|column| *column == key) {
                Some(at) => fields[at] = map.next_value()?,
                None if self.cluster == Some(&*key) => fields[CLUSTER] = map.next_value()?,
                None if key == "evidence" => fields[PARTS] = map.next_value::<Evidence>()?.parts(),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(fields)
    }
}
