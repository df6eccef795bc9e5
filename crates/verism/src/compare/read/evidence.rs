//! What a value is made of, as the evidence of its row tells.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::field::Field;

/// The evidence of a row, of which only the names of its parts are kept: `{"parts": [{"metric": …}, …]}`.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Evidence(Vec<String>);

impl Evidence {
    /// Gives the parts as one text, absent where the evidence names none.
    pub(super) fn parts(mut self) -> Field<'static> {
        self.0.sort();
        if self.0.is_empty() { Field::Absent } else { Field::Text(self.0.join("+").into()) }
    }

    /// Gives the parts that evidence in a cell of a table names.
    pub(super) fn of_cell(text: &str) -> Field<'static> {
        let names = text.contains("\"parts\"").then(|| serde_json::from_str::<Evidence>(text).ok()).flatten();
        names.unwrap_or_default().parts()
    }
}

impl<'de> Deserialize<'de> for Evidence {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Evidence, D::Error> {
        let mut names = Vec::new();
        FindPartNames { at: EvidenceLevel::Evidence, names: &mut names }.deserialize(deserializer)?;
        Ok(Evidence(names))
    }
}

/// Where in the evidence a value stands.
#[derive(Clone, Copy, PartialEq)]
enum EvidenceLevel {
    Evidence,
    Parts,
    Part,
    Name,
}

/// Looks for names of parts; whatever else there is, is passed over.
struct FindPartNames<'a> {
    at: EvidenceLevel,
    names: &'a mut Vec<String>,
}

impl<'de> DeserializeSeed<'de> for FindPartNames<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for FindPartNames<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            let inner = match (self.at, &*key) {
                (EvidenceLevel::Evidence, "parts") => Some(EvidenceLevel::Parts),
                (EvidenceLevel::Part, "metric") => Some(EvidenceLevel::Name),
                _ => None,
            };
            match inner {
                Some(at) => map.next_value_seed(FindPartNames { at, names: &mut *self.names })?,
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        if self.at == EvidenceLevel::Parts {
            while list.next_element_seed(FindPartNames { at: EvidenceLevel::Part, names: &mut *self.names })?.is_some()
            {
            }
        } else {
            while list.next_element::<IgnoredAny>()?.is_some() {}
        }
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        if self.at == EvidenceLevel::Name {
            self.names.push(text.to_string());
        }
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_parts_are_found_and_nothing_else() {
        let clinical =
            r#"{"parts":[{"metric":"sfs","weight":0.3},{"metric":"cus","weight":0.7}],"dropped":[{"metric":"x"}]}"#;
        assert_eq!(Evidence::of_cell(clinical), Field::Text("cus+sfs".into()));
        for other in ["{}", "[1]", "3", "null", "\"parts\"", r#"{"parts":3}"#, r#"{"parts":["a",null]}"#, "{\"parts\""]
        {
            assert_eq!(Evidence::of_cell(other), Field::Absent, "{other}");
        }
    }
}
