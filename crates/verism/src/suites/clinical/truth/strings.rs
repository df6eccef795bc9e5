//! Lists of conditions, drugs, procedures and symptoms.

use super::Truth;
use super::python::dumps;
use crate::input::value::Json;
use crate::suites::clinical::extract::analysis::{Analysis, OWN, OwnName};
use crate::suites::clinical::extract::engine::{Engine, Kind};
use crate::suites::clinical::text::letters::{is_alnum, is_hangul};
use crate::suites::clinical::text::matcher::Single;
use crate::suites::clinical::text::norm::norm;
use crate::suites::clinical::text::phrase::Phrase;

impl Truth {
    /// The usable texts of slots; what cannot be used is noted.
    pub(super) fn read_strings<'j>(
        &mut self,
        engine: &Engine,
        slots: impl Iterator<Item = (&'j str, &'j Json<'j>)>,
        kind: Option<Kind>,
    ) -> Vec<String> {
        let mut out: Vec<String> = vec![];
        for (slot, value) in slots {
            let items = value.list().unwrap_or(std::slice::from_ref(value));
            for item in items.iter().filter(|item| !matches!(item, Json::Null)) {
                let named = match item {
                    Json::Object(_) => ["name", "display"].iter().find_map(|key| item.entry(key)?.text()),
                    other => other.text(),
                };
                let shown = match (named, item) {
                    (Some(text), _) => text.trim().to_string(),
                    (None, Json::Object(_)) => "null".to_string(),
                    (None, other) => dumps(other),
                };
                let text = without_tags(shown, &engine.pack.snomed_tags);
                let normal = norm(&text);
                if named.is_some() && engine.pack.placeholder_values.iter().any(|x| x == normal.trim()) {
                    continue;
                }
                if named.is_none() || !has_letter(&normal) {
                    self.warnings.push(format!("unusable_truth:{slot}:{text}"));
                    self.unusable_kinds.extend(kind);
                } else if !out.contains(&text) {
                    out.push(text);
                }
            }
        }
        out
    }

    /// The ids that texts name; a text that the lexicon does not know becomes a name of this patient.
    pub(super) fn read_ids(
        &mut self,
        engine: &Engine,
        texts: &[String],
        kind: Kind,
        scratch: &mut Analysis,
    ) -> Vec<u32> {
        let mut out: Vec<u32> = vec![];
        for text in texts {
            let normal = norm(text);
            let found = names_in(engine, &normal, kind, scratch);
            if found.is_empty() {
                let id = format!("truth:{normal}");
                let known = self.own.iter().position(|own| own.id == id && own.kind == kind);
                let number = known.unwrap_or_else(|| {
                    self.own.push(OwnName { kind, id, single: Single::new(Phrase::literal(&normal), true) });
                    self.own.len() - 1
                });
                let entity = OWN + number as u32;
                if !out.contains(&entity) {
                    out.push(entity);
                }
            }
            for entity in found {
                if !out.contains(&entity) {
                    out.push(entity);
                }
            }
        }
        out
    }
}

/// The entities of a kind that a text in normal form names, in its order.
pub(super) fn names_in(engine: &Engine, text: &str, kind: Kind, scratch: &mut Analysis) -> Vec<u32> {
    let names = scratch.read_names(engine, text);
    names.iter().filter(|name| name.kind == kind).map(|name| name.entity).collect()
}

/// Cuts trailing tags such as `(disorder)`.
fn without_tags(mut text: String, tags: &[String]) -> String {
    for tag in tags {
        let cut = format!("({tag})");
        if text.to_lowercase().ends_with(&cut) {
            let keep = text.chars().count().saturating_sub(cut.chars().count());
            text = text.chars().take(keep).collect::<String>().trim().to_string();
        }
    }
    text
}

fn has_letter(text: &str) -> bool {
    let bytes = text.as_bytes();
    (0..bytes.len()).any(|at| is_hangul(bytes, at) || is_alnum(bytes[at]) && !bytes[at].is_ascii_digit())
}
