//! A JSON record to a card: what is scored, with everything that was said about it.

use serde::{Deserialize, Serialize};

use crate::error::Defect;
use crate::input::value::Json;
use crate::score::json;
use crate::suites::humor::options::{Params, ScoreText};
use crate::suites::humor::record::fill::fill;
use crate::suites::humor::record::vectors::unit;
use crate::text::json::ONE_PER_LINE;
use crate::text::tokens::{lower, nfc};

/// One text with its ids, prompt, profile, vectors and label.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Card {
    pub(crate) id: String,
    pub(crate) experiment: String,
    pub(crate) run: String,
    pub(crate) case: String,
    /// As declared.
    pub(crate) batch: String,
    pub(crate) user: Option<String>,
    pub(crate) user_group: Option<String>,
    /// As it is scored, before any normalisation.
    pub(crate) text: String,
    pub(crate) context: Option<String>,
    /// Without blank texts.
    pub(crate) profile: Option<Vec<String>>,
    /// Where each text of the profile stands in the record's list.
    pub(crate) profile_at: Vec<u32>,
    /// Of unit length, or all zeros.
    pub(crate) embedding: Option<Vec<f64>>,
    pub(crate) context_embedding: Option<Vec<f64>>,
    pub(crate) profile_embeddings: Option<Vec<Vec<f64>>>,
    pub(crate) label: Option<bool>,
    /// Two meanings, NFC and lower case.
    pub(crate) pun: Option<[String; 2]>,
}

impl Card {
    /// The first vector of the record.
    pub(crate) fn first_vector(&self) -> FirstVector {
        let profile = || self.profile_embeddings.as_ref().and_then(|all| all.first());
        let of = |field: &'static str, vector: Option<&Vec<f64>>| vector.map(|vector| (field, vector.len()));
        of("embedding", self.embedding.as_ref())
            .or_else(|| of("context_embedding", self.context_embedding.as_ref()))
            .or_else(|| of("profile_embeddings", profile()))
    }

    /// Whether the record brought a vector.
    pub(crate) fn has_vector(&self) -> bool {
        self.embedding.is_some() || self.context_embedding.is_some() || self.profile_embeddings.is_some()
    }
}

/// The defect of an id that another text of the experiment and run has.
pub(crate) fn duplicate(id: &str) -> Defect {
    let defect = Defect::new("duplicate_id", "an id used once per experiment and run").field("id").value(id);
    defect.hint("give each text its own `id`, or its own `run`")
}

/// The fields of a record, in the order of checking.
pub(crate) const FIELDS: [&str; 15] = [
    "id",
    "experiment",
    "run",
    "case",
    "batch",
    "user",
    "user_group",
    "text",
    "context",
    "profile",
    "embedding",
    "context_embedding",
    "profile_embeddings",
    "label",
    "pun",
];

/// The first vector of a record: which field, how many numbers.
pub(crate) type FirstVector = Option<(&'static str, usize)>;

/// A record that could not be read. A vector before the place at fault may be at fault first.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rejected {
    pub(crate) defect: Defect,
    pub(crate) vector: FirstVector,
}

fn bad(code: &'static str, field: &str, expected: &str, value: Option<&Json<'_>>) -> Defect {
    let defect = Defect::new(code, expected).field(field);
    match value {
        None => defect,
        Some(Json::Text(text)) => defect.value(text.as_ref()),
        Some(value) => defect.value(json::text(value)),
    }
}

fn ident(record: &Json<'_>, field: &str) -> Result<Option<String>, Defect> {
    match record.get(field) {
        None => Ok(None),
        Some(Json::Text(text)) => Ok(Some(text.to_string())),
        Some(Json::Int(number)) => Ok(Some(number.to_string())),
        other => Err(bad("bad_type", field, "a text or a whole number", other)),
    }
}

fn texts<'a>(value: &'a Json<'a>) -> Option<Vec<&'a str>> {
    value.list()?.iter().map(Json::text).collect()
}

/// The vectors of a record, which must agree in their number of numbers.
#[derive(Default)]
struct Vectors {
    first: FirstVector,
}

impl Vectors {
    fn read(&mut self, value: &Json<'_>, field: &'static str) -> Result<Vec<f64>, Defect> {
        let number = |x: &Json<'_>| match x {
            Json::Int(x) => Some(*x as f64),
            Json::Float(x) => Some(*x),
            _ => None,
        };
        let numbers: Option<Vec<f64>> = value.list().and_then(|list| list.iter().map(number).collect());
        let numbers = numbers.filter(|numbers| !numbers.is_empty());
        let numbers = numbers.ok_or_else(|| bad("bad_type", field, "a non-empty array of numbers", None))?;
        if !numbers.iter().all(|x| x.is_finite()) {
            return Err(bad("bad_value", field, "finite numbers", None));
        }
        self.agree(field, numbers.len())?;
        Ok(unit(numbers))
    }

    fn agree(&mut self, field: &'static str, found: usize) -> Result<(), Defect> {
        let (_, wanted) = *self.first.get_or_insert((field, found));
        if wanted == found { Ok(()) } else { Err(other_dimension(field, wanted, found)) }
    }
}

/// A vector of another dimension than the first.
pub(crate) fn other_dimension(field: &str, wanted: usize, found: usize) -> Defect {
    Defect::new("dimension_mismatch", format!("{wanted} numbers")).field(field).value(found.to_string())
}

/// Reads a record; the first thing wrong with it is named. Gives the card and its first vector.
pub(crate) fn read(record: &Json<'_>, params: &Params) -> Result<(Card, FirstVector), Rejected> {
    let mut vectors = Vectors::default();
    let card = read_fields(record, params, &mut vectors);
    match card {
        Ok(card) => Ok((card, vectors.first)),
        Err(defect) => Err(Rejected { defect, vector: vectors.first }),
    }
}

fn read_fields(record: &Json<'_>, params: &Params, vectors: &mut Vectors) -> Result<Card, Defect> {
    if !matches!(record, Json::Object(_)) {
        return Err(Defect::new("not_object", "a JSON object").value(json::text(record)).hint(ONE_PER_LINE));
    }
    let id = ident(record, "id")?.ok_or_else(|| bad("missing_field", "id", "a text or a whole number", None))?;
    let experiment = ident(record, "experiment")?.unwrap_or_else(|| "default".into());
    let run = ident(record, "run")?.unwrap_or_else(|| "1".into());
    let case = ident(record, "case")?.unwrap_or_else(|| id.clone());
    let batch = ident(record, "batch")?.unwrap_or_else(|| "all".into());
    let (user, user_group) = (ident(record, "user")?, ident(record, "user_group")?);
    let expected = "a text or an array of texts";
    let written = record.get("text").ok_or_else(|| bad("missing_field", "text", expected, None))?;
    let parts = match written {
        Json::Text(text) => Some(vec![text.as_ref()]),
        other => texts(other).filter(|parts| !parts.is_empty()),
    };
    let parts = parts.ok_or_else(|| bad("bad_type", "text", expected, Some(written)))?;
    let context = match record.get("context") {
        None => None,
        Some(Json::Text(text)) => Some(text.to_string()),
        other => return Err(bad("bad_type", "context", "a text", other)),
    };
    let text = match (params.score_text, &context) {
        (ScoreText::Text, _) => parts.join(" "),
        (ScoreText::Filled, None) => return Err(bad("missing_field", "context", "a text to fill in", None)),
        (ScoreText::Filled, Some(context)) => fill(context, &parts).ok_or_else(|| {
            let found = parts.len().to_string();
            Defect::new("pick_mismatch", "one text, or one for each blank").field("text").value(found)
        })?,
    };
    let profile = match record.get("profile") {
        None => None,
        Some(value) => {
            let list = texts(value).ok_or_else(|| bad("bad_type", "profile", "an array of texts", Some(value)))?;
            Some(list.into_iter().map(String::from).collect::<Vec<_>>())
        }
    };
    let mut vector = |field: &'static str| record.get(field).map(|value| vectors.read(value, field)).transpose();
    let (embedding, context_embedding) = (vector("embedding")?, vector("context_embedding")?);
    let profile_embeddings = read_profile_vectors(record, profile.as_deref(), vectors)?;
    let many = profile.as_ref().map(Vec::len).or(profile_embeddings.as_ref().map(Vec::len)).unwrap_or(0);
    let kept = |i: &usize| profile.as_ref().is_none_or(|texts| !texts[*i].trim().is_empty());
    let places: Vec<usize> = (0..many).filter(kept).collect();
    let label = match record.get("label") {
        None => None,
        Some(Json::Bool(label)) => Some(*label),
        Some(value) => match value.whole() {
            Some(label @ (0 | 1)) => Some(label == 1),
            _ => return Err(bad("bad_value", "label", "0 or 1", Some(value))),
        },
    };
    let pun = record.get("pun").map(read_pun).transpose()?;
    Ok(Card {
        id,
        experiment,
        run,
        case,
        batch,
        user,
        user_group,
        text,
        context,
        profile: profile.as_ref().map(|texts| places.iter().map(|i| texts[*i].clone()).collect()),
        profile_embeddings: profile_embeddings
            .map(|mut all| places.iter().map(|i| std::mem::take(&mut all[*i])).collect()),
        profile_at: places.into_iter().map(|i| i as u32).collect(),
        embedding,
        context_embedding,
        label,
        pun,
    })
}

fn read_profile_vectors(
    record: &Json<'_>,
    profile: Option<&[String]>,
    vectors: &mut Vectors,
) -> Result<Option<Vec<Vec<f64>>>, Defect> {
    const FIELD: &str = "profile_embeddings";
    let Some(value) = record.get(FIELD) else { return Ok(None) };
    let list = value.list().ok_or_else(|| bad("bad_type", FIELD, "an array of arrays of numbers", None))?;
    let all = list.iter().map(|value| vectors.read(value, FIELD)).collect::<Result<Vec<_>, Defect>>()?;
    match profile {
        Some(texts) if texts.len() != all.len() => {
            let expected = format!("{} vectors, one for each text of the profile", texts.len());
            Err(Defect::new("dimension_mismatch", expected).field(FIELD).value(all.len().to_string()))
        }
        _ => Ok(Some(all)),
    }
}

fn read_pun(pun: &Json<'_>) -> Result<[String; 2], Defect> {
    let meanings = pun.get("meanings").and_then(texts).filter(|meanings| meanings.iter().all(|text| !text.is_empty()));
    match meanings.as_deref() {
        Some([a, b]) => Ok([a, b].map(|text| lower(&nfc(text)).into_owned())),
        _ => Err(bad("bad_type", "pun", "an object with two meanings", None)),
    }
}

/// The one dimension that all vectors of an input share: that of the model, or of the first record accepted with one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Dimension(pub(crate) Option<usize>);

impl Dimension {
    /// Checks a record, in reading order: of a rejected one the vector may be at fault first.
    pub(crate) fn check(&self, vector: FirstVector) -> Result<(), Defect> {
        match (self.0, vector) {
            (Some(wanted), Some((field, found))) if wanted != found => Err(other_dimension(field, wanted, found)),
            _ => Ok(()),
        }
    }

    /// Takes over the dimension of an accepted record.
    pub(crate) fn accept(&mut self, vector: FirstVector) {
        if let (None, Some((_, found))) = (self.0, vector) {
            self.0 = Some(found);
        }
    }
}

/// Fields whose cells hold JSON in CSV.
const JSON_CELLS: [&str; 6] = ["profile", "embedding", "context_embedding", "profile_embeddings", "label", "pun"];

/// A row of a table as a record: empty cells are absent but for the text, lists are JSON, and so is a text that reads as
/// an array of one or more texts.
pub(crate) fn from_cells<'a>(cells: impl Iterator<Item = (&'a str, &'a str)>) -> Result<Json<'a>, Defect> {
    let mut fields = vec![];
    for (name, cell) in cells {
        let value = match name {
            "text" => match Json::parse(cell) {
                Some(list @ Json::List(_)) if texts(&list).is_some_and(|texts| !texts.is_empty()) => list.into_owned(),
                _ => Json::Text(cell.into()),
            },
            _ if cell.is_empty() => continue,
            name if JSON_CELLS.contains(&name) => match Json::parse(cell) {
                Some(value) => value.into_owned(),
                None => return Err(Defect::new("bad_json", "JSON in the cell").field(name).value(cell)),
            },
            _ => Json::Text(cell.into()),
        };
        fields.push((name.into(), value));
    }
    Ok(Json::Object(fields))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rejected(line: &str) -> (String, Option<String>) {
        let record = Json::parse(line).expect("JSON");
        let defect = read(&record, &Params::default()).expect_err(line).defect;
        (defect.code.into_owned(), defect.field)
    }

    #[test]
    fn the_first_thing_wrong_is_named() {
        // Codes and fields by the table of the specification, section 2.1.
        for (line, code, field) in [
            (r#"{"text":"x"}"#, "missing_field", "id"),
            (r#"{"id":true,"text":"x"}"#, "bad_type", "id"),
            (r#"{"id":1.5,"text":"x"}"#, "bad_type", "id"),
            (r#"{"id":1}"#, "missing_field", "text"),
            (r#"{"id":1,"text":[]}"#, "bad_type", "text"),
            (r#"{"id":1,"text":"x","context":3}"#, "bad_type", "context"),
            (r#"{"id":1,"text":"x","profile":"y"}"#, "bad_type", "profile"),
            (r#"{"id":1,"text":"x","embedding":[]}"#, "bad_type", "embedding"),
            (r#"{"id":1,"text":"x","embedding":[1,true]}"#, "bad_type", "embedding"),
            (
                r#"{"id":1,"text":"x","embedding":[1],"context_embedding":[1,2]}"#,
                "dimension_mismatch",
                "context_embedding",
            ),
            (
                r#"{"id":1,"text":"x","profile":["a"],"profile_embeddings":[]}"#,
                "dimension_mismatch",
                "profile_embeddings",
            ),
            (r#"{"id":1,"text":"x","label":2}"#, "bad_value", "label"),
            (r#"{"id":1,"text":"x","pun":{"meanings":["a"]}}"#, "bad_type", "pun"),
        ] {
            assert_eq!(rejected(line), (code.to_string(), Some(field.to_string())), "{line}");
        }
    }

    #[test]
    fn blank_profile_texts_go_with_their_vectors() {
        let line = r#"{"id":7,"text":["a","b"],"profile":[" ","x"],"profile_embeddings":[[1,0],[0,3]],"label":1.0}"#;
        let record = Json::parse(line).expect("JSON");
        let (card, vector) = read(&record, &Params::default()).expect("a card");
        assert_eq!((card.id.as_str(), card.text.as_str(), card.label), ("7", "a b", Some(true)));
        assert_eq!((card.profile_at, card.profile_embeddings), (vec![1], Some(vec![vec![0.0, 1.0]])));
        assert_eq!(vector, Some(("profile_embeddings", 2)));
    }

    #[test]
    fn cells_hold_texts_lists_and_numbers() {
        let cells = [("id", "1"), ("text", "[Redacted]"), ("label", "1"), ("profile", "[\"a\"]"), ("user", "")];
        let record = from_cells(cells.into_iter()).expect("a record");
        assert_eq!(record.get("text").and_then(Json::text), Some("[Redacted]"));
        assert!(record.get("user").is_none());
        let two = from_cells([("text", "[\"a\",\"b\"]")].into_iter()).expect("a record");
        assert_eq!(two.get("text").and_then(Json::list).map(<[_]>::len), Some(2));
        assert_eq!(from_cells([("pun", "{")].into_iter()).expect_err("refused").field.as_deref(), Some("pun"));
    }
}
