//! ORA: did the guest end with the assigned order?

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::ms::NO_STATE;
use super::score::Score;
use super::{BASE, Measure, ORDER_EMPTY, SEED, always};
use crate::score::measure::Undefined;
use crate::suites::Metric;
use crate::suites::guest::options::{ExitSnapshot, OrderChoice, Params};
use crate::suites::guest::record::dialogue::{Dialogue, Message, STORED, TOOL};
use crate::suites::guest::record::order::{Name, Names, Order, common};
use crate::suites::guest::words::{ConversationScores, Lines};

/// ORA as a measure.
pub(crate) const ORA: Measure = Measure {
    facts: Metric {
        id: "ora",
        title: "ORA",
        says: "whether the guest ended with the assigned order",
        headline: true,
        formula: "2 |C ∩ T| / (|C| + |T|) over names of items and modifiers; 0 if both are empty",
        empty: ORDER_EMPTY,
        source: SEED,
        ..BASE
    },
    score: |m| score(m.last.as_ref(), m.target(), &m.names.borrow()),
    asked: always,
    tell: Some(tell),
};

/// There is no target to compare with.
pub(crate) const NO_TARGET: Undefined = Undefined::new("missing_field:target_order");

/// F1 of two sets of names.
///
/// ```math
/// ORA = 2 |C ∩ T| / (|C| + |T|),   0 if both are empty
/// ```
pub(crate) fn f1(current: &[Name], target: &[Name]) -> f64 {
    match current.len() + target.len() {
        0 => 0.0,
        all => (2 * common(current, target)) as f64 / all as f64,
    }
}

/// The messages whose orders may be the final one.
pub(crate) fn snapshots<'d>(
    dialogue: &'d Dialogue<'_>,
    params: &Params,
) -> impl DoubleEndedIterator<Item = (&'d Message<'d>, &'d Order)> {
    let exits = params.ora_exit_snapshot == ExitSnapshot::Include;
    let counts = move |message: &&Message<'_>| exits || !message.exit;
    let messages = dialogue.messages.iter().filter(counts);
    messages.filter_map(|message| Some((message, dialogue.order(message)?)))
}

/// The order that the guest left with.
pub(crate) struct Final<'d> {
    pub(crate) order: &'d Order,
    pub(crate) turn: Option<usize>,
    pub(crate) source: &'static str,
}

static NOTHING: Order = Order::EMPTY;

/// The final order: the field of that name, or the last snapshot that is not empty; none without a snapshot.
pub(crate) fn final_order<'d>(dialogue: &'d Dialogue<'_>, params: &Params) -> Option<Final<'d>> {
    if let Some(order) = &dialogue.final_order {
        return Some(Final { order, turn: None, source: "final_order" });
    }
    let source = if dialogue.orders_from_tools { TOOL } else { STORED };
    let last = snapshots(dialogue, params).next_back()?;
    let wanted =
        |(_, order): &(&Message<'_>, &Order)| params.order_choice == OrderChoice::Last || !order.set.is_empty();
    let chosen = if wanted(&last) { Some(last) } else { snapshots(dialogue, params).rfind(wanted) };
    Some(match chosen {
        Some((message, order)) => Final { order, turn: Some(message.index), source },
        None => Final { order: &NOTHING, turn: None, source },
    })
}

#[derive(Serialize, Deserialize)]
struct Evidence<'e> {
    source: &'e str,
    order_turn: Option<usize>,
    #[serde(borrow, rename = "C")]
    current: Vec<Cow<'e, str>>,
    #[serde(borrow, rename = "T")]
    target: Vec<Cow<'e, str>>,
    #[serde(borrow)]
    matched: Vec<Cow<'e, str>>,
    #[serde(borrow)]
    missing: Vec<Cow<'e, str>>,
    #[serde(borrow)]
    extra: Vec<Cow<'e, str>>,
    precision: f64,
    recall: f64,
}

/// ORA with its evidence.
pub(crate) fn score(last: Option<&Final<'_>>, target: Option<&Order>, names: &Names) -> Score {
    let Some(target) = target else { return Score::bare(Err(NO_TARGET), 0) };
    let Some(last) = last else { return Score::bare(Err(NO_STATE), 0) };
    let (c, t) = (&last.order.set, &target.set);
    let both = common(c, t);
    let share = |of: usize| if of == 0 { 0.0 } else { both as f64 / of as f64 };
    let evidence = Evidence {
        source: last.source,
        order_turn: last.turn,
        current: cows(names.texts(c)),
        target: cows(names.texts(t)),
        matched: cows(pick(names, t, c, true)),
        missing: cows(pick(names, t, c, false)),
        extra: cows(pick(names, c, t, false)),
        precision: share(c.len()),
        recall: share(t.len()),
    };
    Score::new(Ok(f1(c, t)), c.len() + t.len(), &evidence)
}

/// Texts as evidence holds them.
pub(crate) fn cows(texts: Vec<&str>) -> Vec<Cow<'_, str>> {
    texts.into_iter().map(Cow::Borrowed).collect()
}

/// The names of a set that are, or are not, in another one.
fn pick<'n>(names: &'n Names, from: &'n [Name], other: &[Name], shared: bool) -> Vec<&'n str> {
    names.texts(from.iter().filter(|name| other.binary_search(name).is_ok() == shared))
}

/// What was ordered and wanted.
fn tell(told: &ConversationScores<'_>, lines: &mut Lines<'_>) {
    lines.say(format!("ORA {}", told.value("ora")));
    let Some(evidence) = told.evidence::<Evidence<'_>>("ora") else { return };
    let from = match (evidence.source, evidence.order_turn) {
        ("final_order", _) => "the field final_order".to_string(),
        (source, Some(turn)) => format!("the snapshot of #{turn} ({source})"),
        _ => "the snapshots, all of them empty".to_string(),
    };
    let (both, c, t) = (evidence.matched.len(), evidence.current.len(), evidence.target.len());
    lines.say(format!("  2 x {both} common names / ({c} ordered + {t} wanted), by {from}"));
    for (word, names) in [("missed", &evidence.missing), ("extra", &evidence.extra), ("matched", &evidence.matched)] {
        lines.names(word, names);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn f1_by_hand() {
        // Worked example 3 of the specification: c = 4, t = 5, i = 3.
        assert_eq!(f1(&[0, 1, 2, 9], &[0, 1, 2, 3, 4]), 6.0 / 9.0);
        assert_eq!(f1(&[], &[]), 0.0);
        assert_eq!(f1(&[], &[1]), 0.0);
        assert_eq!(f1(&[1], &[1]), 1.0);
    }

    proptest! {
        #[test]
        fn it_is_symmetric_and_within_zero_and_one(
            a in prop::collection::btree_set(0..20_u32, 0..12), b in prop::collection::btree_set(0..20_u32, 0..12),
        ) {
            let (a, b): (Vec<u32>, Vec<u32>) = (a.into_iter().collect(), b.into_iter().collect());
            prop_assert_eq!(f1(&a, &b), f1(&b, &a));
            prop_assert!((0.0..=1.0).contains(&f1(&a, &b)));
            prop_assert!(a.is_empty() || f1(&a, &a) == 1.0);
        }
    }
}
