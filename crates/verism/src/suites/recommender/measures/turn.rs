//! A turn: what both sides said, and how the reply meets it.

use serde::{Deserialize, Serialize};

use super::cc::{EMPTY_UNION, cc};
use super::copying::{Copying, copying};
use super::cr::{Counts, cr, once};
use super::dst::{Dst, dst};
use super::fidelity::fidelity;
use super::rec_satisfaction::rec_satisfaction;
use super::tas::tas;
use crate::score::measure::Measure;
use crate::suites::recommender::catalog::items::Catalog;
use crate::suites::recommender::catalog::value::split_year;
use crate::suites::recommender::extract::heard::{Heard, Scratch, extract};
use crate::suites::recommender::extract::substring::SubstringHit;
use crate::suites::recommender::extract::words::{key_of, tidy};
use crate::suites::recommender::options::{Params, RecSource, Tokenizer};
use crate::suites::recommender::record::dialogue::{Focus, Meta, Notes, Turn, note};

/// A message as the extractor heard it.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadMessage<'t> {
    pub(crate) raw: &'t str,
    pub(crate) heard: Heard<'t>,
    /// Its concepts in order, each once.
    pub(crate) concepts: Vec<u32>,
    /// With extractor `substring` where each concept first stands.
    pub(crate) places: Vec<SubstringHit>,
}

impl<'t> ReadMessage<'t> {
    /// The text that words are cut from: in NFC, or as it is for the original evaluator's words.
    fn spoken(&self, tokenizer: Tokenizer) -> &str {
        match tokenizer {
            Tokenizer::Unicode => &self.heard.text,
            Tokenizer::Ascii => self.raw,
        }
    }

    pub(crate) fn hear(raw: &'t str, catalog: &Catalog, scratch: &mut Scratch) -> ReadMessage<'t> {
        let heard = extract(catalog, raw, scratch);
        match &catalog.substring {
            None => ReadMessage { raw, concepts: heard.concepts(catalog), heard, places: vec![] },
            Some(substring) => {
                let places = substring.find(raw);
                ReadMessage { raw, heard, concepts: places.iter().map(|place| place.concept).collect(), places }
            }
        }
    }
}

/// The scores of a turn that has a reply.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TurnScore {
    pub(crate) turn: usize,
    /// Concepts of the user and of the reply.
    pub(crate) user: Vec<u32>,
    pub(crate) system: Vec<u32>,
    pub(crate) cc: Measure,
    pub(crate) cr: Measure,
    pub(crate) i: f64,
    pub(crate) tas: Measure,
    pub(crate) copy: Copying,
    /// The constraints of the turn.
    pub(crate) gold: Option<Vec<u32>>,
    pub(crate) dst: Option<Dst>,
    /// Titles of the reply that are in the catalog, and those that are not.
    pub(crate) titles: Vec<String>,
    pub(crate) off_catalog: Vec<String>,
    pub(crate) fidelity: Measure,
    pub(crate) rec_satisfaction: Measure,
}

/// CC and CR of a turn or a segment, with the rule for turns without any concept.
pub(crate) fn cc_and_cr(
    user: &[(u32, u32)],
    system: &[(u32, u32)],
    sets: (&[u32], &[u32]),
    catalog: &Catalog,
    params: &Params,
) -> (Measure, Measure) {
    let cc = cc(sets.0, sets.1);
    match (cc, params.empty_cc) {
        (Err(_), Some(value)) => (Ok(value), Ok(0.0)),
        (Err(_), None) => (Err(EMPTY_UNION), Err(EMPTY_UNION)),
        (cc, _) => (cc, cr(user, system, catalog.scored())),
    }
}

/// Scores a turn; `turn` counts from 1.
pub(crate) fn score(
    turn: usize,
    record: &Turn<'_>,
    user: &ReadMessage<'_>,
    system: &ReadMessage<'_>,
    catalog: &Catalog,
    params: &Params,
    notes: &mut Notes,
) -> TurnScore {
    let sets = (user.concepts.as_slice(), system.concepts.as_slice());
    let counts: (Counts, Counts) = (once(sets.0), once(sets.1));
    let (cc, cr) = cc_and_cr(&counts.0, &counts.1, sets, catalog, params);
    let copy = copying(system.spoken(params.tokenizer), user.spoken(params.tokenizer), params.tokenizer);
    let i = copy.share();
    let gold = record.meta.as_ref().and_then(|meta| constraints(meta, catalog, notes));
    let (titles, off_catalog) = titles(record, user, system, catalog, params);
    let items = titles.iter().flat_map(|title| catalog.title_items(title));
    TurnScore {
        turn,
        user: sets.0.to_vec(),
        system: sets.1.to_vec(),
        tas: tas(&cc, &cr, i, params),
        cc,
        cr,
        i,
        copy,
        dst: gold.as_ref().map(|gold| dst(gold, sets.1, catalog.scored())),
        fidelity: fidelity(titles.len() as u64, off_catalog.len() as u64),
        rec_satisfaction: rec_satisfaction(gold.as_deref(), titles.len(), items, catalog.scored()),
        gold,
        titles,
        off_catalog,
    }
}

/// The constraints of a turn as concepts, in order; values that the catalog does not know are noted.
fn constraints(meta: &Meta, catalog: &Catalog, notes: &mut Notes) -> Option<Vec<u32>> {
    let mut out = vec![];
    for (field, value) in meta.constraints.as_ref()? {
        if !catalog.rules.scored.holds(*field) {
            continue;
        }
        match value.as_ref().and_then(|value| catalog.scored_concept_of(*field, value)) {
            Some(concept) => out.push(concept),
            None => note(notes, "unknown_constraint"),
        }
    }
    out.sort_unstable();
    out.dedup();
    Some(out)
}

/// The focus of a turn as a concept, if it is scored.
pub(crate) fn focus(meta: &Meta, catalog: &Catalog) -> Option<u32> {
    match &meta.focus {
        Focus::Value(field, Some(value)) if catalog.rules.scored.holds(*field) => {
            catalog.scored_concept_of(*field, value)
        }
        _ => None,
    }
}

/// The titles that a reply recommends: of the catalog, and others; each once, without those that the user just named.
fn titles(
    record: &Turn<'_>,
    user: &ReadMessage<'_>,
    system: &ReadMessage<'_>,
    catalog: &Catalog,
    params: &Params,
) -> (Vec<String>, Vec<String>) {
    let (mut inside, mut off) = (vec![], vec![]);
    let push = |list: &mut Vec<String>, key: &str| {
        if !list.iter().any(|known| known == key) {
            list.push(key.to_string());
        }
    };
    if params.rec_source != RecSource::Field {
        let theirs = || user.heard.titles.iter().chain(&user.heard.off_catalog);
        let named = |key: &str| theirs().any(|title| title.key == key);
        for (list, titles) in [(&mut inside, &system.heard.titles), (&mut off, &system.heard.off_catalog)] {
            for title in titles.iter().filter(|title| !named(&title.key)) {
                push(list, &title.key);
            }
        }
    }
    if params.rec_source != RecSource::Text {
        for title in &record.rec_titles {
            let key = key_of(split_year(&tidy(title)).0);
            let known = catalog.title_items(&key).next().is_some();
            push(if known { &mut inside } else { &mut off }, &key);
        }
    }
    (inside, off)
}
