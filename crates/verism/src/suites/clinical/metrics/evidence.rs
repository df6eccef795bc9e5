//! Evidence as it is written: quotes, spans in scalar values, cues, decisions.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::suites::clinical::extract::analysis::{Analysis, OWN};
use crate::suites::clinical::extract::cue::Cue;
use crate::suites::clinical::extract::engine::{Engine, Kind};
use crate::suites::clinical::extract::id_of;
use crate::suites::clinical::extract::mention::Mention;
use crate::suites::clinical::truth::Truth;

/// A cue.
#[derive(Debug, Serialize)]
pub(crate) struct CueShown<'a> {
    class: &'static str,
    text: &'a str,
    span: [usize; 2],
}

impl<'a> CueShown<'a> {
    pub(crate) fn of(analysis: &Analysis, cue: &Cue<'a>) -> CueShown<'a> {
        let span = [analysis.doc.char_at(cue.start), analysis.doc.char_at(cue.end)];
        CueShown { class: cue.class.name(), text: cue.text, span }
    }
}

/// A mention of a fact.
#[derive(Debug, Serialize)]
pub(crate) struct MentionShown<'a> {
    quote: &'a str,
    span: [usize; 2],
    status: &'static str,
    cue: Option<CueShown<'a>>,
}

impl<'a> MentionShown<'a> {
    pub(crate) fn of(analysis: &'a Analysis, mention: &Mention<'a>) -> MentionShown<'a> {
        let (start, end) = (mention.start, mention.end);
        MentionShown {
            quote: &analysis.text()[start..end],
            span: [analysis.doc.char_at(start), analysis.doc.char_at(end)],
            status: mention.status.name(),
            cue: mention.why.as_ref().map(|cue| CueShown::of(analysis, cue)),
        }
    }
}

/// The value of a fact.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum ValueShown<'a> {
    None,
    Age { value: f64 },
    Ages { lo: f64, hi: f64 },
    Number { value: f64, unit: &'a str, stated: f64, stated_unit: Option<&'a str> },
    Range { lo: f64, hi: f64, unit: &'a str, stated: f64, stated_unit: Option<&'a str> },
}

impl<'a> ValueShown<'a> {
    pub(crate) fn of(engine: &'a Engine, mention: &Mention<'_>) -> ValueShown<'a> {
        let Some(value) = mention.value else { return ValueShown::None };
        let (lo, hi) = (value.low, value.high);
        if mention.kind == Kind::Age {
            return if lo == hi { ValueShown::Age { value: lo } } else { ValueShown::Ages { lo, hi } };
        }
        let units = &engine.entity(mention.entity).units;
        let unit = units.first().map_or("", |unit| unit.id.as_str());
        let (stated, stated_unit) = (value.stated, value.stated_unit.map(|place| units[place].id.as_str()));
        match lo == hi {
            true => ValueShown::Number { value: lo, unit, stated, stated_unit },
            false => ValueShown::Range { lo, hi, unit, stated, stated_unit },
        }
    }
}

/// Drugs or conditions of the record, as their ids.
#[derive(Clone, Debug)]
pub(crate) struct IdsShown<'a> {
    engine: &'a Engine,
    truth: &'a Truth,
    entities: &'a [u32],
}

impl Serialize for IdsShown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.entities.iter().map(|entity| id_of(self.engine, &self.truth.own, *entity)))
    }
}

/// What the record says about a kind of fact.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum TruthShown<'a> {
    None,
    Ids(IdsShown<'a>),
    Number(f64),
    Whole(i64),
    Id(&'a str),
}

impl<'a> TruthShown<'a> {
    pub(crate) fn of(engine: &'a Engine, truth: &'a Truth, kind: Kind, entity: u32) -> TruthShown<'a> {
        let ids = |entities: &'a [u32]| TruthShown::Ids(IdsShown { engine, truth, entities });
        match kind {
            Kind::Med => ids(&truth.med_ids),
            Kind::Condition => ids(&truth.condition_ids),
            Kind::Age => truth.age.map_or(TruthShown::None, |age| TruthShown::Whole(age as i64)),
            Kind::Sex => truth.sex.map_or(TruthShown::None, |sex| TruthShown::Id(&engine.entity(sex).id)),
            _ if entity < OWN => {
                truth.number(entity).map_or(TruthShown::None, |number| TruthShown::Number(number.value))
            }
            _ => TruthShown::None,
        }
    }
}

/// A map in a stated order.
pub(crate) fn ordered<S: Serializer, V: Serialize>(entries: &[(&str, V)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(entries.len()))?;
    for (key, value) in entries {
        map.serialize_entry(key, value)?;
    }
    map.end()
}
