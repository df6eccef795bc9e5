//! Segments: the turns from one shift to the next, scored together.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::cc::without;
use super::cr::Counts;
use super::tas::tas;
use super::turn::{TurnScore, cc_and_cr};
use crate::score::measure::Measure;
use crate::stats::sum::neumaier;
use crate::suites::recommender::catalog::items::Catalog;
use crate::suites::recommender::options::Params;

/// The scores of a segment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SegmentScore {
    /// First and last turn, counted from 1.
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) cc: Measure,
    pub(crate) cr: Measure,
    pub(crate) i: f64,
    pub(crate) tas: Measure,
    pub(crate) missing: Vec<u32>,
    pub(crate) hallucinated: Vec<u32>,
}

/// Scores the segments that begin at turn 1 and at every shift: sets united, vectors added (a concept counts once per
/// turn), I the mean of the turns.
pub(crate) fn score(turns: &[TurnScore], shifts: &[usize], catalog: &Catalog, params: &Params) -> Vec<SegmentScore> {
    if turns.is_empty() {
        return vec![];
    }
    let mut starts = vec![1];
    starts.extend(shifts.iter().filter(|shift| **shift > 1));
    let ends = starts.iter().skip(1).map(|start| start - 1).chain([turns.len()]);
    let segment = |(&start, end): (&usize, usize)| {
        let part = &turns[start - 1..end];
        let user = counts(part.iter().map(|turn| &turn.user[..]));
        let system = counts(part.iter().map(|turn| &turn.system[..]));
        let set = |counts: &Counts| counts.iter().map(|(concept, _)| *concept).collect::<Vec<u32>>();
        let sets = (set(&user), set(&system));
        let (cc, cr) = cc_and_cr(&user, &system, (&sets.0, &sets.1), catalog, params);
        let i = neumaier(part.iter().map(|turn| turn.i)) / part.len() as f64;
        SegmentScore {
            start,
            end,
            tas: tas(&cc, &cr, i, params),
            cc,
            cr,
            i,
            missing: without(&sets.0, &sets.1).collect(),
            hallucinated: without(&sets.1, &sets.0).collect(),
        }
    };
    starts.iter().zip(ends).map(segment).collect()
}

/// Concepts with the number of turns that name them.
fn counts<'t>(turns: impl Iterator<Item = &'t [u32]>) -> Counts {
    let mut out: BTreeMap<u32, u32> = BTreeMap::new();
    for concept in turns.flatten() {
        *out.entry(*concept).or_default() += 1;
    }
    out.into_iter().collect()
}
