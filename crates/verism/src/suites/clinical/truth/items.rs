//! What an answer must use of a record: the items of a slot.

use rustc_hash::FxHashSet;

use super::numbers::resolve;
use super::strings::names_in;
use super::{Canon, Truth};
use crate::suites::clinical::extract::analysis::Analysis;
use crate::suites::clinical::extract::engine::{Engine, Kind};
use crate::suites::clinical::text::letters::is_alnum;
use crate::suites::clinical::text::matcher::Single;
use crate::suites::clinical::text::norm::norm;
use crate::suites::clinical::text::phrase::Phrase;

/// The items of a required slot; none if the record has no value for it.
#[derive(Debug)]
pub(crate) enum Slot {
    Missing,
    Age,
    Sex,
    /// Labs or vitals, by their entities.
    Numbers(Vec<u32>),
    Texts(Vec<TextItem>),
}

/// A text of the record that an answer may use.
#[derive(Debug)]
pub(crate) struct TextItem {
    pub(crate) kind: Kind,
    pub(crate) ids: Vec<u32>,
    pub(crate) ancestors: Vec<u32>,
    pub(crate) literal: Single,
    /// Content words of a text that the lexicon does not know.
    pub(crate) words: Vec<(String, Single)>,
}

impl Truth {
    pub(super) fn read_slot(&self, engine: &Engine, slot: &str, scratch: &mut Analysis) -> Slot {
        let (head, below) = slot.split_once('.').unwrap_or((slot, ""));
        let aliases = engine.pack.slot_aliases.0.iter().rev();
        let canon = aliases.filter(|(name, aliases)| name == head || aliases.iter().any(|alias| alias == head));
        let Some(canon) = canon.map(|(name, _)| name).next().and_then(|name| Canon::of(name)) else {
            return Slot::Missing;
        };
        let texts = |texts: &[String], kind: Kind, scratch: &mut Analysis| {
            let items: Vec<TextItem> = texts.iter().map(|text| item(engine, text, kind, scratch)).collect();
            if items.is_empty() { Slot::Missing } else { Slot::Texts(items) }
        };
        let numbers = |kind: Kind, scratch: &mut Analysis| {
            let all = self.numbers.iter();
            let wanted: Vec<u32> = match below {
                "" => all.filter(|number| number.kind == kind).map(|number| number.entity).collect(),
                name => {
                    let entity = resolve(engine, name, scratch);
                    all.map(|number| number.entity).filter(|number| Some(*number) == entity).collect()
                }
            };
            if wanted.is_empty() { Slot::Missing } else { Slot::Numbers(wanted) }
        };
        match canon {
            Canon::Age => {
                if self.age.is_some() {
                    Slot::Age
                } else {
                    Slot::Missing
                }
            }
            Canon::Sex => {
                if self.sex.is_some() {
                    Slot::Sex
                } else {
                    Slot::Missing
                }
            }
            Canon::Labs => numbers(Kind::Lab, scratch),
            Canon::Vitals => numbers(Kind::Vital, scratch),
            Canon::PrimaryCondition => texts(&self.primary, Kind::Condition, scratch),
            Canon::Comorbidities => texts(&self.comorbidities, Kind::Condition, scratch),
            Canon::ActiveMeds => texts(&self.meds, Kind::Med, scratch),
            Canon::MajorProcedures => texts(&self.procedures, Kind::Procedure, scratch),
            Canon::ChiefSymptom => texts(&self.symptom, Kind::Symptom, scratch),
        }
    }
}

fn item(engine: &Engine, text: &str, kind: Kind, scratch: &mut Analysis) -> TextItem {
    let normal = norm(text);
    let ids = names_in(engine, &normal, kind, scratch);
    let ancestors = ids.iter().flat_map(|id| engine.entity(*id).ancestors.iter().copied()).collect();
    let words = if ids.is_empty() { content_words(engine, &normal) } else { vec![] };
    let single = |word: &str| Single::new(Phrase::new(word), false);
    let words = words.into_iter().map(|word| (word.to_string(), single(word))).collect();
    TextItem { kind, ids, ancestors, literal: Single::new(Phrase::literal(&normal), false), words }
}

/// Words of four letters or two syllables and more that are not stop words.
fn content_words<'t>(engine: &Engine, text: &'t str) -> Vec<&'t str> {
    let stop: FxHashSet<&str> = engine.pack.partial_stopwords.iter().map(String::as_str).collect();
    let inside = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || ('\u{ac00}'..='\u{d7a3}').contains(&c);
    let long = |word: &&str| {
        let least = if is_alnum(word.as_bytes()[0]) { 4 } else { 2 };
        word.chars().count() >= least && !word.bytes().all(|byte| byte.is_ascii_digit())
    };
    text.split(|c| !inside(c)).filter(|word| !word.is_empty() && !stop.contains(word)).filter(long).collect()
}
