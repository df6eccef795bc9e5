//! The measures of a conversation: a file for each formula, and the slice that lists them.

pub(crate) mod archetype;
mod assignment;
mod bal;
pub(crate) mod bands;
mod bvs;
mod crrs;
mod crrs_nodei;
mod dei;
pub(crate) mod ms;
pub(crate) mod ora;
pub(crate) mod pas;
mod pas3;
mod pdr;
pub(crate) mod score;
mod som;
mod split;
mod sta;
mod style;
mod trace;

use std::cell::RefCell;

use self::ms::{Expectations, Kind};
use self::ora::{Final, final_order, snapshots};
use self::pas::Scored;
use self::score::Score;
use self::style::Style;
use super::options::{PARTS, Params};
use super::record::dialogue::{Dialogue, STORED, TOOL};
use super::record::order::{Names, Order};
use super::record::vocabulary::{FIELDS, STYLE, State};
use super::words::{ConversationScores, Lines};
use crate::score::measure::{Measure as Value, NOT_APPLICABLE};
use crate::suites::{Better, Metric};

/// A measure of a conversation: what is known about it, and how it is computed.
pub(crate) struct Measure {
    pub(crate) facts: Metric,
    /// Whether these options ask for it.
    pub(crate) asked: fn(&Params) -> bool,
    /// Computes it from the conversation and the measures before it.
    pub(crate) score: fn(&Measured<'_>) -> Score,
    /// Tells its evidence in words; none if its value says all.
    pub(crate) tell: Option<Tell>,
}

/// Tells the evidence of a measure in words.
pub(crate) type Tell = fn(&ConversationScores<'_>, &mut Lines<'_>);

/// Every measure of a conversation, in the order of rows and tables. A measure may use those before it.
pub(crate) const MEASURES: [Measure; 12] = [
    pas::PAS,
    bvs::BVS,
    ora::ORA,
    dei::DEI,
    crrs::CRRS,
    som::SOM,
    pdr::PDR,
    crrs_nodei::CRRS_NODEI,
    pas3::PAS3,
    trace::TRACE,
    bal::BAL,
    sta::STA,
];

/// The facts of MS, the one measure of a message, and of all measures of a conversation.
pub(crate) const METRICS: [Metric; MEASURES.len() + 1] = {
    let mut metrics = [ms::MS; MEASURES.len() + 1];
    let mut i = 0;
    while i < MEASURES.len() {
        metrics[i + 1] = MEASURES[i].facts;
        i += 1;
    }
    metrics
};

/// Ids of the measures that some options ask for.
pub(crate) fn asked(params: &Params) -> Vec<&'static str> {
    MEASURES.iter().filter(|measure| (measure.asked)(params)).map(|measure| measure.facts.id).collect()
}

const fn always(_: &Params) -> bool {
    true
}

/// Source of the published measures.
const SEED: &str = "guest simulation evaluation spec (PAS, BVS, ORA/TRA, DEI, CRRS)";
/// Source of the others.
const OURS: &str = "verism, beyond the published measures";

/// A metric of a conversation that lies in [0, 1], from which the others differ in a few facts.
const BASE: Metric = Metric {
    id: "",
    title: "",
    says: "",
    range: (Some(0.0), Some(1.0)),
    better: Better::Higher,
    level: "dialogue",
    headline: false,
    formula: "",
    empty: "",
    source: OURS,
};

const PERSONA_EMPTY: &str = "undefined: empty_denominator without a talk message, no_state without a state, \
                             missing_field:persona, no_archetype, no_comparable_component";
const ORDER_EMPTY: &str = "undefined: missing_field:target_order, no_state without an order snapshot";
const CALLS_EMPTY: &str =
    "undefined: empty_denominator without a talk message, missing_field:tool_calls if none records calls";

/// A conversation with what several measures look at, and the measures so far.
pub(crate) struct Measured<'m> {
    pub(crate) dialogue: &'m Dialogue<'m>,
    pub(crate) params: &'m Params,
    pub(crate) expectations: &'m Expectations<'m>,
    /// The talk messages.
    pub(crate) messages: Vec<Scored<'m>>,
    /// The guest's messages that are exits.
    pub(crate) exits: usize,
    /// States of talk messages, each with its turn.
    pub(crate) states: Vec<(usize, &'m State<'m>)>,
    state_source: &'static str,
    last: Option<Final<'m>>,
    names: RefCell<Names>,
    styles: Vec<Style>,
    scores: Vec<(&'static str, Score)>,
}

impl<'m> Measured<'m> {
    /// Looks at a conversation that was prepared; `names` are those of its orders.
    pub(crate) fn new(
        dialogue: &'m Dialogue<'m>,
        expectations: &'m Expectations<'m>,
        names: Names,
        params: &'m Params,
    ) -> Measured<'m> {
        let missing = params.pas_missing_component;
        let messages: Vec<Scored<'m>> = dialogue
            .talk()
            .map(|message| {
                let comparison = dialogue.state(message).map(|state| expectations.compare(state));
                let points = comparison.as_ref().and_then(|comparison| comparison.points(&FIELDS, missing));
                Scored { turn: message.index, comparison, points }
            })
            .collect();
        let style = |message: &Scored<'_>| -> Option<Style> {
            let points = match expectations.kind {
                Kind::Expected => message.comparison.as_ref()?.points(&STYLE, missing)?,
                _ => message.points?,
            };
            Some((message.turn, points))
        };
        let states = dialogue.talk().filter_map(|message| Some((message.index, dialogue.state(message)?))).collect();
        Measured {
            styles: messages.iter().filter_map(style).collect(),
            exits: dialogue.guests().count() - messages.len(),
            states,
            state_source: if dialogue.states_from_tools { TOOL } else { STORED },
            last: final_order(dialogue, params),
            names: RefCell::new(names),
            scores: vec![],
            dialogue,
            params,
            expectations,
            messages,
        }
    }

    /// Computes every measure that is asked for.
    pub(crate) fn scores(mut self) -> Vec<(&'static str, Score)> {
        for measure in MEASURES.iter().filter(|measure| (measure.asked)(self.params)) {
            let score = (measure.score)(&self);
            self.scores.push((measure.facts.id, score));
        }
        self.scores
    }

    /// The value of a measure that was computed before.
    fn value(&self, id: &str) -> Value {
        let found = self.scores.iter().find(|(known, _)| *known == id);
        found.map_or(Err(NOT_APPLICABLE), |(_, score)| score.value.clone())
    }

    /// The parts of CRRS.
    fn parts(&self) -> [Value; 4] {
        PARTS.map(|part| self.value(part))
    }

    fn target(&self) -> Option<&'m Order> {
        self.dialogue.target.as_ref()
    }

    fn snapshots(&self) -> Vec<&'m Order> {
        snapshots(self.dialogue, self.params).map(|(_, order)| order).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::guest::options::Switch;

    #[test]
    fn facts_are_those_of_the_slice_and_each_measure_is_asked_for_once() {
        let ids: Vec<&str> = METRICS.iter().map(|metric| metric.id).collect();
        let slice: Vec<&str> = MEASURES.iter().map(|measure| measure.facts.id).collect();
        assert_eq!((ids[0], &ids[1..]), ("ms", &slice[..]));
        let all = Params { sta: Switch::On, ..Params::default() };
        assert_eq!(asked(&all), slice);
        assert_eq!(asked(&Params::default()).len(), slice.len() - 1);
    }

    #[test]
    fn a_measure_uses_only_those_before_it() {
        // CRRS and its kin look up the parts by name: these must stand before them.
        let place = |id: &str| MEASURES.iter().position(|measure| measure.facts.id == id).expect(id);
        for part in PARTS {
            for composite in ["crrs", "crrs_nodei", "bal"] {
                assert!(place(part) < place(composite), "{part} {composite}");
            }
        }
    }
}
