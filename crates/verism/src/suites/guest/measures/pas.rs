//! PAS: how well the guest kept the persona.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::ms::{Comparison, Expectations, Kind, NO_COMPARABLE_COMPONENT, NO_STATE, Points, mean_points};
use super::score::Score;
use super::{BASE, Measure, PERSONA_EMPTY, SEED, always};
use crate::score::measure::{EMPTY_DENOMINATOR, Measure as Value, Undefined};
use crate::suites::Metric;
use crate::suites::guest::options::NoState;
use crate::suites::guest::record::dialogue::TOOL;
use crate::suites::guest::words::raw_words;
use crate::suites::guest::words::{ConversationScores, Lines};

/// PAS as a measure.
pub(crate) const PAS: Measure = Measure {
    facts: Metric {
        id: "pas",
        title: "PAS",
        says: "how well the guest kept the assigned persona",
        headline: true,
        formula: "Σ MS / messages with a score",
        empty: PERSONA_EMPTY,
        source: SEED,
        ..BASE
    },
    score: |m| score(&m.messages, m.expectations, m.state_source, m.exits, m.params.pas_no_state),
    asked: always,
    tell: Some(tell),
};

/// One talk message: its place, the comparison if it has a state, its points if something could be compared.
pub(crate) struct Scored<'c> {
    pub(crate) turn: usize,
    pub(crate) comparison: Option<Comparison<'c>>,
    pub(crate) points: Option<Points>,
}

impl Scored<'_> {
    /// MS of the message.
    pub(crate) fn ms(&self, kind: &Kind) -> Value {
        match (kind, &self.comparison, self.points) {
            (_, None, _) => Err(NO_STATE),
            (Kind::None(why), _, _) => Err(why.clone()),
            (_, _, Some(points)) => Ok(points.share()),
            _ => Err(NO_COMPARABLE_COMPONENT),
        }
    }
}

/// Mean of the scores of messages.
///
/// ```math
/// PAS = Σ MS / (messages with a score);   with `pas_no_state = zero`: Σ MS / N
/// ```
/// Undefined: N = 0, no state, no persona, no archetype, nothing to compare, in this order.
pub(crate) fn pas(messages: &[Scored<'_>], kind: &Kind, no_state: NoState) -> Value {
    let points: Vec<Points> = messages.iter().filter_map(|message| message.points).collect();
    match averaged(messages.len(), points.len(), no_state) {
        0 => Err(gap(messages, kind)),
        n => Ok(mean_points(&points, n)),
    }
}

/// Messages that the mean is taken over; 0 if none has a score.
pub(crate) fn averaged(talk: usize, scored: usize, no_state: NoState) -> usize {
    if scored > 0 && no_state == NoState::Zero { talk } else { scored }
}

/// Why no message has a score.
pub(crate) fn gap(messages: &[Scored<'_>], kind: &Kind) -> Undefined {
    match kind {
        _ if messages.is_empty() => EMPTY_DENOMINATOR,
        _ if messages.iter().all(|message| message.comparison.is_none()) => NO_STATE,
        Kind::None(why) => why.clone(),
        _ => NO_COMPARABLE_COMPONENT,
    }
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Evidence<'e> {
    mode: &'e str,
    source: &'e str,
    pub(crate) n_guest: usize,
    pub(crate) n_exit: usize,
    n_scored: usize,
    n_no_state: usize,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    keywords: Vec<&'e str>,
    #[serde(borrow)]
    components: BTreeMap<&'e str, Matched>,
    #[serde(borrow)]
    lost: Vec<LostComponent<'e>>,
}

#[derive(Default, Serialize, Deserialize)]
struct Matched {
    matched: u64,
    of: u64,
}

#[derive(Serialize, Deserialize)]
struct LostComponent<'e> {
    turn: usize,
    component: &'e str,
    #[serde(borrow)]
    expected: &'e RawValue,
    #[serde(borrow)]
    actual: Option<Cow<'e, str>>,
}

/// PAS with its evidence.
pub(crate) fn score(
    messages: &[Scored<'_>],
    expectations: &Expectations<'_>,
    source: &str,
    exits: usize,
    no_state: NoState,
) -> Score {
    let mut components: BTreeMap<&str, Matched> = BTreeMap::new();
    let mut lost = vec![];
    for message in messages.iter().filter(|message| message.points.is_some()) {
        for component in message.comparison.iter().flat_map(|comparison| &comparison.0) {
            let Some(matched) = component.matched else { continue };
            let name = component.expectation.field.name();
            let count = components.entry(name).or_default();
            count.matched += u64::from(matched);
            count.of += 1;
            if !matched {
                let (expected, actual) = (&*component.expectation.shown, component.actual.map(Cow::Borrowed));
                lost.push(LostComponent { turn: message.turn, component: name, expected, actual });
            }
        }
    }
    let n_scored = messages.iter().filter(|message| message.points.is_some()).count();
    let evidence = Evidence {
        mode: &expectations.mode,
        source,
        n_guest: messages.len() + exits,
        n_exit: exits,
        n_scored,
        n_no_state: messages.iter().filter(|message| message.comparison.is_none()).count(),
        keywords: expectations.keywords.clone(),
        components,
        lost,
    };
    let n = averaged(messages.len(), n_scored, no_state);
    Score::new(pas(messages, &expectations.kind, no_state), n, &evidence)
}

/// How the persona was kept, and where points were lost.
fn tell(told: &ConversationScores<'_>, lines: &mut Lines<'_>) {
    let Some(evidence) = told.evidence::<Evidence<'_>>("pas") else {
        return lines.say(format!("PAS {}", told.value("pas")));
    };
    let by = match (evidence.mode, evidence.mode.strip_prefix("fallback:")) {
        ("expected", _) => "the persona's expected attributes".to_string(),
        (_, Some(archetype)) => format!("the archetype {archetype}, named by {}", evidence.keywords.join(" or ")),
        _ => "nothing".to_string(),
    };
    let states = if evidence.source == TOOL { "tool results" } else { "recorded states" };
    let (scored, lacking) = (evidence.n_scored, evidence.n_no_state);
    lines.say(format!("PAS {}: {scored} messages scored, {lacking} without a state", told.value("pas")));
    lines.say(format!("  measured by {by}, on {states}"));
    let met = evidence.components.iter().map(|(field, count)| format!("{field} {} of {}", count.matched, count.of));
    let met: Vec<String> = met.collect();
    if !met.is_empty() {
        lines.say(format!("  met: {}", met.join(", ")));
    }
    let lost = evidence.lost.iter().map(|lost| {
        let actual = lost.actual.as_deref().unwrap_or("nothing");
        format!("#{} {}: {} expected, {actual} found", lost.turn, lost.component, raw_words(lost.expected))
    });
    let lost: Vec<String> = lost.collect();
    if !lost.is_empty() {
        lines.say("  points lost:");
        lines.some(lost);
    }
}
