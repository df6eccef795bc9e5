//! What a judge replied, recorded in the log. Scoring never calls out.

use serde::{Deserialize, Serialize};

use super::record::bad;
use crate::error::Defect;
use crate::input::value::Json;
use crate::score::measure::{Measure, Undefined};
use crate::stats::sum::neumaier;

/// Who judges. Recorded replies are one judge; an endpoint that is asked can be another.
pub(crate) trait Judge {
    /// How many statements an answer makes, and how many of them its contexts support.
    fn statements(&self) -> Option<(u64, u64)>;
    /// The cosines of questions that the answer would answer, and whether all are noncommittal.
    fn questions(&self) -> Option<Result<(&[f64], bool), Undefined>>;
    /// Whether an answer uses a slot in other words.
    fn uses(&self, slot: &str) -> bool;
    /// What went wrong with the replies for a metric.
    fn error(&self, metric: &str) -> Option<&str>;
    /// The model and the hash of the prompt.
    fn names(&self) -> (Option<&str>, Option<&str>);
}

/// Replies of a log.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Replies {
    statements: Option<(u64, u64)>,
    /// Cosines, or none where a vector is zero; and whether all questions are noncommittal.
    questions: Option<(Option<Vec<f64>>, bool)>,
    slots: Vec<String>,
    errors: Vec<(String, String)>,
    /// As JSON.
    model: Option<String>,
    prompt_sha256: Option<String>,
}

impl Judge for Replies {
    fn statements(&self) -> Option<(u64, u64)> {
        self.statements
    }

    fn questions(&self) -> Option<Result<(&[f64], bool), Undefined>> {
        let (cosines, noncommittal) = self.questions.as_ref()?;
        Some(match cosines {
            Some(cosines) => Ok((cosines, *noncommittal)),
            None => Err(Undefined::new("zero_vector")),
        })
    }

    fn uses(&self, slot: &str) -> bool {
        self.slots.iter().any(|known| known == slot)
    }

    fn error(&self, metric: &str) -> Option<&str> {
        self.errors.iter().find(|(name, _)| name == metric).map(|(_, text)| text.as_str())
    }

    fn names(&self) -> (Option<&str>, Option<&str>) {
        (self.model.as_deref(), self.prompt_sha256.as_deref())
    }
}

fn finite(value: &Json<'_>) -> Option<f64> {
    match value {
        Json::Int(x) => Some(*x as f64),
        Json::Float(x) => Some(*x),
        _ => None,
    }
}

impl Replies {
    /// Reads the field `judge` of a record.
    pub(crate) fn read(judge: Option<&Json<'_>>) -> Result<Replies, Defect> {
        let Some(judge) = judge else { return Ok(Replies::default()) };
        if judge.object().is_none() {
            return Err(bad("judge", "an object", Some(judge)));
        }
        let kind = |name: &str, list: bool| match judge.get(name) {
            Some(value) if list && value.list().is_none() => Err(bad(format!("judge.{name}"), "a list", Some(value))),
            Some(value) if !list && value.object().is_none() => {
                Err(bad(format!("judge.{name}"), "an object", Some(value)))
            }
            value => Ok(value),
        };
        let (statements, questions) = (kind("statements", true)?, kind("questions", true)?);
        let embedding = kind("question_embedding", true)?.and_then(Json::list);
        let (slots, errors) = (kind("slots", false)?, kind("errors", false)?);
        let shown = |value: &Json<'_>| crate::score::json::text(value);
        Ok(Replies {
            statements: statements.and_then(Json::list).map(read_statements).transpose()?,
            questions: questions
                .and_then(Json::list)
                .map(|questions| read_questions(questions, embedding))
                .transpose()?,
            slots: slots
                .and_then(Json::object)
                .unwrap_or_default()
                .iter()
                .filter(|(_, used)| matches!(used, Json::Bool(true)))
                .map(|(name, _)| name.to_string())
                .collect(),
            errors: errors
                .and_then(Json::object)
                .unwrap_or_default()
                .iter()
                .filter(|(_, text)| !matches!(text, Json::Null))
                .map(|(name, text)| (name.to_string(), shown(text)))
                .collect(),
            model: judge.get("model").map(shown),
            prompt_sha256: judge.get("prompt_sha256").map(shown),
        })
    }
}

fn read_statements(statements: &[Json<'_>]) -> Result<(u64, u64), Defect> {
    let mut supported = 0;
    for (place, statement) in statements.iter().enumerate() {
        supported += match statement.get("supported") {
            Some(Json::Bool(x)) => u64::from(*x),
            Some(value) if matches!(finite(value), Some(0.0 | 1.0)) => u64::from(finite(value) == Some(1.0)),
            _ => return Err(bad(format!("judge.statements[{place}].supported"), "true or false", Some(statement))),
        };
    }
    Ok((statements.len() as u64, supported))
}

fn read_questions(questions: &[Json<'_>], asked: Option<&[Json<'_>]>) -> Result<(Option<Vec<f64>>, bool), Defect> {
    let numbers = |items: &[Json<'_>]| items.iter().map(finite).collect::<Option<Vec<f64>>>();
    let mut cosines = Some(vec![]);
    for (place, question) in questions.iter().enumerate() {
        let wrong = || {
            let expected = "a cosine, or an embedding as long as question_embedding";
            bad(format!("judge.questions[{place}]"), expected, Some(question))
        };
        let found = match question.get("cosine") {
            Some(value) => Ok(finite(value).ok_or_else(wrong)?),
            None => {
                let own = question.get("embedding").and_then(Json::list).and_then(numbers).ok_or_else(wrong)?;
                let asked = asked.and_then(numbers).filter(|asked| asked.len() == own.len()).ok_or_else(wrong)?;
                cosine(&asked, &own)
            }
        };
        match (found, &mut cosines) {
            (Ok(cosine), Some(known)) => known.push(cosine),
            (Err(_), _) => cosines = None,
            _ => {}
        }
    }
    let noncommittal = |question: &Json<'_>| question.get("noncommittal").is_some_and(|x| !x.is_nothing());
    Ok((cosines, questions.iter().all(noncommittal)))
}

/// The cosine of two vectors; undefined for a zero vector.
///
/// ```math
/// cos = Σ a_i b_i / (√Σ a_i² · √Σ b_i²)
/// ```
fn cosine(a: &[f64], b: &[f64]) -> Measure {
    let (a, b) = (scaled(a), scaled(b));
    let norm = |x: &[f64]| neumaier(x.iter().map(|x| x * x)).sqrt();
    let (length_a, length_b) = (norm(&a), norm(&b));
    if length_a == 0.0 || length_b == 0.0 {
        return Err(Undefined::new("zero_vector"));
    }
    Ok(neumaier(a.iter().zip(&b).map(|(a, b)| a * b)) / (length_a * length_b))
}

/// Vectors with huge or tiny entries are scaled by the largest: their cosine stays.
fn scaled(x: &[f64]) -> Vec<f64> {
    let top = x.iter().fold(0.0_f64, |top, x| top.max(x.abs()));
    if top == 0.0 || 1e-100 < top && top < 1e100 { x.to_vec() } else { x.iter().map(|x| x / top).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosines_by_hand() {
        assert_eq!(cosine(&[1.0, 0.0], &[1.0, 0.0]), Ok(1.0));
        assert_eq!(cosine(&[3.0, 4.0], &[4.0, 3.0]), Ok(24.0 / 25.0));
        assert_eq!(cosine(&[1e200, 0.0], &[1e-200, 0.0]), Ok(1.0));
        assert_eq!(cosine(&[0.0, 0.0], &[1.0, 0.0]), Err(Undefined::new("zero_vector")));
    }
}
