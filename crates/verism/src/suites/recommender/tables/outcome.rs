//! What became of a dialogue, in a form that can be written down and joined with others.

use serde::{Deserialize, Serialize};

use super::hits::Hits;
use crate::score::measure::Measure;
use crate::suites::recommender::catalog::items::Catalog;
use crate::suites::recommender::extract::heard::Scratch;
use crate::suites::recommender::measures::curves;
use crate::suites::recommender::measures::recovery::Recovery;
use crate::suites::recommender::measures::scores::{self, DialogueTexts, Scores};
use crate::suites::recommender::measures::turn::ReadMessage;
use crate::suites::recommender::options::Params;
use crate::suites::recommender::record::dialogue::{Dialogue, Notes, Rater, Turn};
use crate::suites::records::Key;

/// A dialogue that has been judged.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) key: Key,
    /// What its lines are written from, when its turn has come: they are ten times as long.
    pub(crate) scores: Scores,
    /// For every turn with a reply what was found in the user's text and in the reply.
    pub(crate) hits: Vec<[Hits; 2]>,
    /// What its record was like.
    pub(crate) own_notes: Notes,
    pub(crate) summary: Summary,
    /// The same dialogue with replies without skill, if asked for: constant, echo, empty.
    pub(crate) baselines: Vec<Summary>,
    /// Its own labels: who gave them, about what, the values.
    pub(crate) labels: Vec<(Rater, String, Vec<f64>)>,
    pub(crate) tally: Tally,
    pub(crate) notes: Notes,
}

/// What the tables need of a dialogue.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Summary {
    pub(crate) n_turns: u64,
    pub(crate) n_scored: u64,
    /// The measures in the order of the registry.
    pub(crate) values: Vec<Measure>,
    pub(crate) shifts: Vec<Recovery>,
    /// Shifts recovered for each window and threshold of the curves.
    pub(crate) curves: Vec<u64>,
}

/// What became of the units below the dialogue.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tally {
    pub(crate) turns: u64,
    /// Turns without any concept: CC, CR and TAS are undefined.
    pub(crate) empty_turns: u64,
    pub(crate) silent_turns: u64,
    pub(crate) segments: u64,
    pub(crate) empty_segments: u64,
    pub(crate) shifts: u64,
    pub(crate) silent_shifts: u64,
    /// Shifts that were not recovered: their window was cut, or not.
    pub(crate) censored: u64,
    pub(crate) not_recovered: u64,
    /// Shifts without leakage, by reason.
    pub(crate) no_leakage: std::collections::BTreeMap<String, u64>,
}

impl Outcome {
    /// Whether all its concepts are among so many and no more than the last turn lacks a reply; a damaged file may say
    /// otherwise.
    pub(crate) fn is_sound(&self, concepts: usize) -> bool {
        let Scores { turns, segments, shifts, .. } = &self.scores;
        let of_turns = turns.iter().flat_map(|turn| [&turn.user, &turn.system].into_iter().chain(&turn.gold));
        let of_segments = segments.iter().flat_map(|segment| [&segment.missing, &segment.hallucinated]);
        let lists = of_turns.chain(of_segments).chain(shifts.iter().flat_map(|shift| &shift.dropped)).flatten();
        let others = shifts.iter().filter_map(|shift| shift.focus);
        let shown = self.hits.iter().flatten().flat_map(Hits::concepts);
        let known = lists.copied().chain(others).chain(shown).all(|concept| (concept as usize) < concepts);
        known && self.summary.n_turns <= turns.len() as u64 + 1
    }
}

impl Tally {
    /// Adds another one.
    pub(crate) fn add(&mut self, other: &Tally) {
        self.turns += other.turns;
        self.empty_turns += other.empty_turns;
        self.silent_turns += other.silent_turns;
        self.segments += other.segments;
        self.empty_segments += other.empty_segments;
        self.shifts += other.shifts;
        self.silent_shifts += other.silent_shifts;
        self.censored += other.censored;
        self.not_recovered += other.not_recovered;
        for (why, count) in &other.no_leakage {
            *self.no_leakage.entry(why.clone()).or_default() += count;
        }
    }
}

/// The baselines in their order.
pub(crate) const BASELINES: [&str; 3] = ["constant", "echo", "empty"];

/// Scores a dialogue.
pub(crate) fn judge(dialogue: &Dialogue<'_>, catalog: &Catalog, params: &Params) -> Outcome {
    let scratch = &mut Scratch::default();
    let DialogueTexts { user, system } = DialogueTexts::new(dialogue, catalog, scratch);
    let mut notes = Notes::new();
    let scores = scores::score(dialogue, &user, &system, catalog, params, &mut notes);
    // What the record was like stands with the dialogue, what its values were like with the report alone.
    let mut own = dialogue.notes.clone();
    own.extend(notes.iter().filter(|(name, _)| *name == "shift_without_reply").map(|(k, v)| (k.clone(), *v)));
    notes.extend(dialogue.notes.iter().map(|(name, count)| (name.clone(), *count)));
    let hits = |(user, system)| [user, system].map(|said| Hits::new(said, catalog));
    Outcome {
        key: dialogue.key.clone(),
        hits: user.iter().zip(&system).map(hits).collect(),
        own_notes: own,
        summary: summary(dialogue, &scores, params),
        baselines: if params.baselines { baselines(dialogue, &user, catalog, params) } else { vec![] },
        labels: dialogue.labels.iter().map(|((who, what), vals)| (*who, what.clone(), vals.clone())).collect(),
        tally: tally(dialogue, &scores),
        notes,
        scores,
    }
}

fn summary(dialogue: &Dialogue<'_>, scores: &Scores, params: &Params) -> Summary {
    let cc: Vec<&Measure> = scores.turns.iter().map(|turn| &turn.cc).collect();
    let places: Vec<usize> = scores.shifts.iter().map(|shift| shift.turn - 1).collect();
    Summary {
        n_turns: dialogue.turns.len() as u64,
        n_scored: scores.scored_turns(),
        values: scores.entries.iter().map(|entry| entry.value.clone()).collect(),
        shifts: scores.recoveries(),
        curves: curves::recovered(&cc, &places, &params.curve_windows, &params.curve_taus),
    }
}

/// What replies without any skill get on the same user turns: one fixed text, the user's own, nothing.
fn baselines(dialogue: &Dialogue<'_>, user: &[ReadMessage<'_>], catalog: &Catalog, params: &Params) -> Vec<Summary> {
    // What a reply lists apart is the system's skill too.
    let plain = |turn: &Turn<'_>| Turn { rec_titles: vec![], ..turn.clone().into_owned() };
    let dialogue = Dialogue { turns: dialogue.turns.iter().map(plain).collect(), ..dialogue.clone() };
    let constant = ReadMessage::hear(&params.constant_text, catalog, &mut Scratch::default());
    let constant: Vec<ReadMessage<'_>> = user.iter().map(|_| constant.clone()).collect();
    let silent: Vec<ReadMessage<'_>> = user.iter().map(|_| ReadMessage::default()).collect();
    [&constant[..], user, &silent[..]]
        .into_iter()
        .map(|replies| {
            let scores = scores::score(&dialogue, user, replies, catalog, params, &mut Notes::new());
            summary(&dialogue, &scores, params)
        })
        .collect()
}

fn tally(dialogue: &Dialogue<'_>, scores: &Scores) -> Tally {
    let labelled = dialogue.shifts.as_ref().map_or(0, Vec::len) as u64;
    let mut out = Tally {
        turns: scores.turns.len() as u64,
        empty_turns: scores.turns.iter().filter(|turn| turn.cc.is_err()).count() as u64,
        silent_turns: (dialogue.turns.len() - scores.turns.len()) as u64,
        segments: scores.segments.len() as u64,
        empty_segments: scores.segments.iter().filter(|segment| segment.cc.is_err()).count() as u64,
        shifts: scores.shifts.len() as u64,
        silent_shifts: labelled - scores.shifts.len() as u64,
        ..Tally::default()
    };
    for shift in &scores.shifts {
        if shift.recovery.delay.is_none() {
            *(if shift.censored { &mut out.censored } else { &mut out.not_recovered }) += 1;
        }
        if let Err(why) = &shift.leakage {
            *out.no_leakage.entry(why.reason().to_string()).or_default() += 1;
        }
    }
    out
}
