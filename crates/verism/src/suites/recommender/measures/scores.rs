//! A dialogue to its scores.

use serde::{Deserialize, Serialize};

use super::cc::without;
use super::fidelity::fidelity;
use super::leakage::NO_STATE;
use super::rec_satisfaction::NO_TITLES;
use super::recovery::{self, Recovery};
use super::segment::{self, SegmentScore};
use super::shift::{self, ShiftScore};
use super::turn::{self, ReadMessage, TurnScore};
use crate::score::measure::{EMPTY_DENOMINATOR, Measure, Undefined};
use crate::stats::sum::mean;
use crate::suites::recommender::catalog::items::Catalog;
use crate::suites::recommender::extract::heard::Scratch;
use crate::suites::recommender::facts::DIALOGUE_METRICS;
use crate::suites::recommender::options::Params;
use crate::suites::recommender::record::dialogue::{Dialogue, Notes, note};

/// The dialogue has no reply.
const NO_REPLY: Undefined = Undefined::new("no_reply");
/// The user names no concept in any turn.
const NO_USER_CONCEPTS: Undefined = Undefined::new("no_user_concepts");
/// Nothing tells where the shifts are.
const NO_SHIFT_METADATA: Undefined = Undefined::new("no_shift_metadata");

/// A measure of a dialogue with the turns behind it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) value: Measure,
    /// Values in the mean, or the denominator.
    pub(crate) n: u64,
    /// The turns whose values enter, or those that count for a share.
    pub(crate) turns: Vec<usize>,
    /// Of a share the others.
    pub(crate) against: Option<Vec<usize>>,
}

/// What became of a dialogue.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Scores {
    pub(crate) turns: Vec<TurnScore>,
    pub(crate) segments: Vec<SegmentScore>,
    pub(crate) shifts: Vec<ShiftScore>,
    /// Shifts as turns, counted from 1; none if nothing tells.
    pub(crate) at: Option<Vec<usize>>,
    /// The measures in the order of [`DIALOGUE_METRICS`].
    pub(crate) entries: Vec<Entry>,
    /// How often concepts are missing and hallucinated, all turns together.
    pub(crate) missing: u64,
    pub(crate) hallucinated: u64,
}

/// The texts of a dialogue as the extractor heard them: the user's of every turn, the replies of those that have one.
pub(crate) struct DialogueTexts<'t> {
    pub(crate) user: Vec<ReadMessage<'t>>,
    pub(crate) system: Vec<ReadMessage<'t>>,
}

impl<'t> DialogueTexts<'t> {
    /// Hears both sides of the turns that have a reply; only the last can lack one.
    pub(crate) fn new(dialogue: &'t Dialogue<'_>, catalog: &Catalog, scratch: &mut Scratch) -> DialogueTexts<'t> {
        let mut out = DialogueTexts { user: vec![], system: vec![] };
        for turn in &dialogue.turns {
            if let Some(system) = &turn.system {
                out.user.push(ReadMessage::hear(&turn.user, catalog, scratch));
                out.system.push(ReadMessage::hear(system, catalog, scratch));
            }
        }
        out
    }
}

/// Scores a dialogue.
pub(crate) fn score(
    dialogue: &Dialogue<'_>,
    user: &[ReadMessage<'_>],
    system: &[ReadMessage<'_>],
    catalog: &Catalog,
    params: &Params,
    notes: &mut Notes,
) -> Scores {
    let said = user.iter().zip(system);
    let turns: Vec<TurnScore> = (dialogue.turns.iter().zip(said).enumerate())
        .map(|(n, (record, (user, system)))| turn::score(n + 1, record, user, system, catalog, params, notes))
        .collect();
    let mut at = dialogue.shifts.clone();
    if let Some(at) = &mut at
        && at.last().is_some_and(|last| *last > turns.len())
    {
        at.pop();
        note(notes, "shift_without_reply");
    }
    let places = at.as_deref().unwrap_or_default();
    let shifts: Vec<ShiftScore> = places
        .iter()
        .enumerate()
        .map(|(n, place)| shift::score(*place, places.get(n + 1).copied(), &dialogue.turns, &turns, catalog, params))
        .collect();
    let segments = segment::score(&turns, places, catalog, params);
    let missing = turns.iter().map(|turn| without(&turn.user, &turn.system).count() as u64).sum();
    let hallucinated = turns.iter().map(|turn| without(&turn.system, &turn.user).count() as u64).sum();
    let mut out = Scores { turns, segments, shifts, at, entries: vec![], missing, hallucinated };
    out.entries = out.measure(params);
    out
}

/// The mean of the values that there are, with the turns they come from.
fn means<'m>(rows: impl Iterator<Item = (usize, Option<&'m Measure>)>, why: Undefined) -> Entry {
    let defined = rows.filter_map(|(turn, value)| Some((turn, *value?.as_ref().ok()?)));
    let (turns, values): (Vec<usize>, Vec<f64>) = defined.unzip();
    Entry { value: mean(&values).ok_or(why), n: turns.len() as u64, turns, against: None }
}

/// The share of rows that count.
fn share(rows: impl Iterator<Item = (usize, bool)>, why: Undefined) -> Entry {
    let (mut turns, mut against) = (vec![], vec![]);
    for (turn, counts) in rows {
        if counts { turns.push(turn) } else { against.push(turn) }
    }
    let n = (turns.len() + against.len()) as u64;
    let value = if n == 0 { Err(why) } else { Ok(turns.len() as f64 / n as f64) };
    Entry { value, n, turns, against: Some(against) }
}

impl Scores {
    /// Why something of the replies is undefined: there is none, or another reason.
    fn unless_silent(&self, why: Undefined) -> Undefined {
        if self.turns.is_empty() { NO_REPLY } else { why }
    }

    /// The shifts as the measures of recovery take them.
    pub(crate) fn recoveries(&self) -> Vec<Recovery> {
        self.shifts.iter().map(|shift| shift.recovery).collect()
    }

    /// The measures in the order of [`DIALOGUE_METRICS`].
    fn measure(&self, params: &Params) -> Vec<Entry> {
        use super::cc::EMPTY_UNION;
        let turns = || self.turns.iter();
        let of = |value: fn(&TurnScore) -> Option<&Measure>, why: Undefined| {
            means(turns().map(|turn| (turn.turn, value(turn))), why)
        };
        let empty = || self.unless_silent(EMPTY_UNION);
        let segment = |value: fn(&SegmentScore) -> &Measure| {
            means(self.segments.iter().map(|segment| (segment.start, Some(value(segment)))), empty())
        };
        let copied: Vec<(usize, Measure)> = turns().map(|turn| (turn.turn, Ok(turn.i))).collect();
        let spoken = turns().filter(|turn| !turn.user.is_empty());
        let dst_why = if turns().all(|turn| turn.gold.is_none()) { NO_STATE } else { EMPTY_DENOMINATOR };
        let per_turn = |count: u64, rows: Entry| Entry {
            value: if self.turns.is_empty() { Err(NO_REPLY) } else { Ok(count as f64 / self.turns.len() as f64) },
            ..rows
        };
        let misses = |turn: &TurnScore| without(&turn.user, &turn.system).next().is_some();
        let adds = |turn: &TurnScore| without(&turn.system, &turn.user).next().is_some();
        let rec_why = turns().find_map(|turn| turn.rec_satisfaction.as_ref().err()).cloned();
        let mut out = vec![
            share(turns().map(|t| (t.turn, !(t.user.is_empty() && t.system.is_empty()))), NO_REPLY),
            share(turns().map(|t| (t.turn, !t.user.is_empty())), NO_REPLY),
            of(|turn| Some(&turn.cc), empty()),
            of(|turn| Some(&turn.cr), empty()),
            means(copied.iter().map(|(turn, value)| (*turn, Some(value))), NO_REPLY),
            of(|turn| Some(&turn.tas), empty()),
            means(spoken.map(|turn| (turn.turn, Some(&turn.tas))), self.unless_silent(NO_USER_CONCEPTS)),
            segment(|segment| &segment.cc),
            segment(|segment| &segment.cr),
            segment(|segment| &segment.tas),
        ];
        self.measure_shifts(params, &mut out);
        out.extend([
            of(|turn| turn.dst.as_ref().map(|dst| &dst.precision), dst_why.clone()),
            of(|turn| turn.dst.as_ref().map(|dst| &dst.recall), dst_why.clone()),
            of(|turn| turn.dst.as_ref().map(|dst| &dst.f1), dst_why.clone()),
            of(|turn| turn.dst.as_ref().map(|dst| &dst.joint), dst_why),
            self.measure_fidelity(),
            of(|turn| Some(&turn.rec_satisfaction), rec_why.unwrap_or(NO_REPLY)),
            per_turn(self.missing, share(turns().map(|turn| (turn.turn, misses(turn))), NO_REPLY)),
            per_turn(self.hallucinated, share(turns().map(|turn| (turn.turn, adds(turn))), NO_REPLY)),
        ]);
        debug_assert_eq!(out.len(), DIALOGUE_METRICS.len());
        out
    }

    /// The measures of shifts, from the recovery rate to leakage.
    fn measure_shifts(&self, params: &Params, out: &mut Vec<Entry>) {
        let none = || if self.at.is_none() { NO_SHIFT_METADATA } else { recovery::NO_SHIFTS };
        let recoveries = self.recoveries();
        let shifts = || self.shifts.iter();
        let or_none = |value: Measure| if recoveries.is_empty() { Err(none()) } else { value };
        let recovered = || share(shifts().map(|shift| (shift.turn, shift.recovery.delay.is_some())), none());
        let delays: Vec<(usize, Measure)> = shifts().map(|shift| (shift.turn, shift.delay())).collect();
        let delay = means(delays.iter().map(|(turn, delay)| (*turn, Some(delay))), NO_STATE);
        let told = || shifts().filter(|shift| shift.uptake.is_ok());
        let focus_why = || self.shifts.first().map_or(none(), |s| s.uptake.as_ref().err().cloned().unwrap_or(none()));
        let leak_why = self.shifts.first().map_or(none(), |s| s.leakage.as_ref().err().cloned().unwrap_or(none()));
        out.push(Entry { value: or_none(recovery::recovery_rate(&recoveries)), ..recovered() });
        out.push(Entry { value: or_none(recovery::recovery_delay(&recoveries)), ..delay });
        let restricted = recovery::recovery_delay_restricted(&recoveries, params.window);
        out.push(Entry { value: or_none(restricted), ..recovered() });
        out.push(share(told().map(|shift| (shift.turn, matches!(shift.uptake, Ok(Some(_))))), focus_why()));
        out.push(share(told().map(|shift| (shift.turn, shift.item_uptake.is_some())), focus_why()));
        out.push(means(shifts().map(|shift| (shift.turn, Some(&shift.leakage))), leak_why));
    }

    /// Titles of the catalog among all titles, with the turns that name either.
    fn measure_fidelity(&self) -> Entry {
        let (inside, off) = self.titles();
        let naming = |test: fn(&TurnScore) -> bool| {
            self.turns.iter().filter(|turn| test(turn)).map(|turn| turn.turn).collect::<Vec<usize>>()
        };
        Entry {
            value: fidelity(inside, off).map_err(|_| NO_TITLES),
            n: inside + off,
            turns: naming(|turn| !turn.titles.is_empty()),
            against: Some(naming(|turn| !turn.off_catalog.is_empty())),
        }
    }

    /// How many titles the replies name: of the catalog, and others.
    pub(crate) fn titles(&self) -> (u64, u64) {
        let count = |of: fn(&TurnScore) -> usize| self.turns.iter().map(|turn| of(turn) as u64).sum();
        (count(|turn| turn.titles.len()), count(|turn| turn.off_catalog.len()))
    }

    /// CC, CR, I and TAS of every turn.
    pub(crate) fn turn_values(&self) -> Vec<[Option<f64>; 4]> {
        let value = |measure: &Measure| measure.as_ref().ok().copied();
        self.turns.iter().map(|turn| [value(&turn.cc), value(&turn.cr), Some(turn.i), value(&turn.tas)]).collect()
    }

    /// Turns that have a TAS.
    pub(crate) fn scored_turns(&self) -> u64 {
        self.turns.iter().filter(|turn| turn.tas.is_ok()).count() as u64
    }
}
