//! A humor record and the vectors that it lacks.

use std::borrow::Cow;

use verism::Defect;
use verism::input::value::Json;

/// A record with the texts that are to be embedded.
#[derive(Debug)]
pub(super) struct Record {
    entries: Vec<(Cow<'static, str>, Json<'static>)>,
    missing: Vec<(&'static str, Missing)>,
}

/// What a field lacks: a vector, or one for each of several texts.
#[derive(Debug)]
enum Missing {
    One(String),
    Many(Vec<String>),
}

impl Missing {
    fn texts(&self) -> &[String] {
        match self {
            Missing::One(text) => std::slice::from_ref(text),
            Missing::Many(texts) => texts,
        }
    }
}

impl Record {
    /// Looks at a record: `text` (or its parts joined by blanks), `context` and `profile`, each unless its vectors are given.
    pub(super) fn new(json: Json<'_>) -> Result<Record, Defect> {
        if json.object().is_none() {
            return Err(Defect::new("not_object", "a JSON object per line"));
        }
        let mut missing = vec![];
        if json.get("embedding").is_none() {
            let text = match json.get("text") {
                Some(Json::Text(text)) => text.to_string(),
                Some(Json::List(_)) => texts(&json, "text", "a text or a list of texts")?.join(" "),
                Some(_) => return Err(Defect::new("bad_type", "a text or a list of texts").field("text")),
                None => return Err(Defect::new("missing_field", "a text or a list of texts").field("text")),
            };
            missing.push(("embedding", Missing::One(text)));
        }
        if let (None, Some(context)) = (json.get("context_embedding"), json.get("context")) {
            let context = context.text().ok_or_else(|| Defect::new("bad_type", "a text").field("context"))?;
            missing.push(("context_embedding", Missing::One(context.into())));
        }
        if json.get("profile_embeddings").is_none() && json.get("profile").is_some() {
            let profile = texts(&json, "profile", "a list of texts")?;
            missing.push(("profile_embeddings", Missing::Many(profile)));
        }
        let Json::Object(entries) = json.into_owned() else { return Err(Defect::new("not_object", "a JSON object")) };
        Ok(Record { entries, missing })
    }

    /// The texts that lack a vector.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.missing.iter().flat_map(|(_, missing)| missing.texts().iter().map(String::as_str))
    }

    /// The record as a line, with a vector for each text. Numbers are single-precision ones written in full as doubles, so
    /// that whoever reads them has the numbers that the model gave.
    pub(super) fn with_vectors<'a>(mut self, vector: impl Fn(&str) -> &'a [f32]) -> String {
        let list = |text: &String| {
            let numbers = vector(text).iter().map(|x| Json::Float(f64::from(*x) + 0.0));
            Json::List(numbers.collect())
        };
        for (field, missing) in &self.missing {
            let value = match missing {
                Missing::One(text) => list(text),
                Missing::Many(texts) => Json::List(texts.iter().map(list).collect()),
            };
            self.entries.retain(|(key, _)| key != field);
            self.entries.push((Cow::Borrowed(field), value));
        }
        serde_json::to_string(&Json::Object(self.entries)).expect("keys are texts and numbers finite")
    }
}

fn texts(json: &Json<'_>, field: &str, expected: &str) -> Result<Vec<String>, Defect> {
    let wrong = || Defect::new("bad_type", expected).field(field);
    let items = json.get(field).and_then(Json::list).ok_or_else(wrong)?;
    items.iter().map(|item| item.text().map(String::from).ok_or_else(wrong)).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn record(text: &str) -> Result<Record, Defect> {
        Record::new(Json::parse(text).unwrap())
    }

    fn filled(text: &str) -> String {
        record(text).unwrap().with_vectors(|text| if text == "a b" { &[0.1, -0.0] } else { &[0.5, 1.0] })
    }

    #[test]
    fn only_what_is_missing_is_filled_in() {
        // 0.1 in single precision is 13421773 / 2^27 = 0.100000001490116…
        assert_eq!(
            filled(r#"{"id":7,"text":["a","b"],"x":1.50,"embedding":null}"#),
            r#"{"id":7,"text":["a","b"],"x":1.5,"embedding":[0.10000000149011612,0.0]}"#
        );
        let given = r#"{"text":"t","embedding":[1],"context":"c","context_embedding":[2],"profile":["p"],"profile_embeddings":[[3]]}"#;
        assert_eq!(filled(given), given);
        assert_eq!(record(given).unwrap().texts().count(), 0);
        assert_eq!(
            filled(r#"{"text":"t","embedding":[1],"context":"c","profile":["p",""]}"#),
            r#"{"text":"t","embedding":[1],"context":"c","profile":["p",""],"context_embedding":[0.5,1.0],"profile_embeddings":[[0.5,1.0],[0.5,1.0]]}"#
        );
        assert_eq!(
            filled(r#"{"text":"t","embedding":[1],"profile":[]}"#),
            r#"{"text":"t","embedding":[1],"profile":[],"profile_embeddings":[]}"#
        );
    }

    #[test]
    fn what_is_wrong_names_its_field() {
        for (text, code, field) in [
            ("{}", "missing_field", Some("text")),
            (r#"{"text":null}"#, "missing_field", Some("text")),
            (r#"{"text":5}"#, "bad_type", Some("text")),
            (r#"{"text":["a",5]}"#, "bad_type", Some("text")),
            (r#"{"text":"a","context":["b"]}"#, "bad_type", Some("context")),
            (r#"{"text":"a","profile":"b"}"#, "bad_type", Some("profile")),
            ("[]", "not_object", None),
        ] {
            let defect = record(text).unwrap_err();
            assert_eq!((defect.code.as_ref(), defect.field.as_deref()), (code, field), "{text}");
        }
    }
}
