//! A shift: whether replies follow the new focus, and what they still say of the old one.

use serde::{Deserialize, Serialize};

use super::cc::{union, without};
use super::leakage::{NO_PREVIOUS_TURN, NO_STATE, leakage};
use super::recovery::{Recovery, recovery};
use super::turn::{TurnScore, focus};
use crate::score::measure::{Measure, Undefined};
use crate::suites::recommender::catalog::items::Catalog;
use crate::suites::recommender::options::{Params, WindowEnd};
use crate::suites::recommender::record::dialogue::{Focus, Turn};

/// The focus is not a concept of a scored field.
const FOCUS_NOT_SCORED: Undefined = Undefined::new("focus_not_scored");

/// The scores of a shift.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ShiftScore {
    pub(crate) turn: usize,
    pub(crate) recovery: Recovery,
    pub(crate) censored: bool,
    /// CC and CR of the replies in its window.
    pub(crate) cc: Vec<Measure>,
    pub(crate) cr: Vec<Measure>,
    pub(crate) focus: Option<u32>,
    /// The first reply that names the focus, and the first that names an item having it, counted from 0.
    pub(crate) uptake: Result<Option<u32>, Undefined>,
    pub(crate) item_uptake: Option<u32>,
    pub(crate) leakage: Measure,
    /// What the user wanted before and does not want any more.
    pub(crate) dropped: Option<Vec<u32>>,
    /// Replies of the window before the next shift.
    pub(crate) replies: usize,
}

/// Scores the shift at a turn, counted from 1; `next` is the turn of the next one.
pub(crate) fn score(
    shift: usize,
    next: Option<usize>,
    records: &[Turn<'_>],
    turns: &[TurnScore],
    catalog: &Catalog,
    params: &Params,
) -> ShiftScore {
    let window = params.window as usize;
    let last = turns.len().min((shift - 1).saturating_add(window));
    let before_next = next.map_or(last, |next| last.min(next - 1));
    let end = if params.window_end == WindowEnd::NextShift { before_next } else { last };
    let seen = &turns[shift - 1..end];
    let own = &turns[shift - 1..before_next];
    let recovery = recovery(seen.iter().map(|turn| (&turn.cc, &turn.cr)), params);
    let meta = records[shift - 1].meta.as_ref();
    let new_focus = meta.and_then(|meta| focus(meta, catalog));
    let first = |test: &dyn Fn(&TurnScore) -> bool| own.iter().position(test).map(|place| place as u32);
    let uptake = match (new_focus, meta.map_or(&Focus::Untold, |meta| &meta.focus)) {
        (Some(focus), _) => Ok(first(&|turn| turn.system.binary_search(&focus).is_ok())),
        (None, Focus::Untold) => Err(NO_STATE),
        (None, _) => Err(FOCUS_NOT_SCORED),
    };
    let item_uptake = new_focus.and_then(|focus| {
        first(&|turn| {
            let mut items = turn.titles.iter().flat_map(|title| catalog.title_items(title));
            items.any(|item| catalog.scored().has(item, focus))
        })
    });
    let dropped = dropped(shift, new_focus, records, turns, catalog);
    let leakage = match &dropped {
        Ok(dropped) => leakage(dropped, own.iter().map(|turn| (&turn.user[..], &turn.system[..]))),
        Err(why) => Err(why.clone()),
    };
    ShiftScore {
        turn: shift,
        censored: recovery.is_censored(params.window),
        recovery,
        cc: seen.iter().map(|turn| turn.cc.clone()).collect(),
        cr: seen.iter().map(|turn| turn.cr.clone()).collect(),
        focus: new_focus,
        uptake,
        item_uptake,
        leakage,
        dropped: dropped.ok(),
        replies: own.len(),
    }
}

/// Constraints and focus of the turn before that are not those of the shift.
fn dropped(
    shift: usize,
    new_focus: Option<u32>,
    records: &[Turn<'_>],
    turns: &[TurnScore],
    catalog: &Catalog,
) -> Result<Vec<u32>, Undefined> {
    let before = shift.checked_sub(2).ok_or(NO_PREVIOUS_TURN)?;
    let new = turns[shift - 1].gold.as_ref().ok_or(NO_STATE)?;
    let old = turns[before].gold.as_ref().ok_or(NO_STATE)?;
    let old_focus = records[before].meta.as_ref().and_then(|meta| focus(meta, catalog));
    let new = union(new, new_focus.as_slice());
    Ok(without(&union(old, old_focus.as_slice()), &new).collect())
}

impl ShiftScore {
    /// The delay, or why there is none.
    pub(crate) fn delay(&self) -> Measure {
        let why = if self.censored { "censored" } else { "not_recovered" };
        self.recovery.delay.map(f64::from).ok_or(Undefined::new(why))
    }
}
