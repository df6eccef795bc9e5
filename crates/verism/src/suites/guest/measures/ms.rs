//! MS: how well one message fits the persona.

use serde_json::value::RawValue;

use super::archetype::{self, Archetype};
use super::{BASE, SEED};
use crate::score::json;
use crate::score::measure::Undefined;
use crate::suites::Metric;
use crate::suites::guest::options::MissingComponent;
use crate::suites::guest::record::persona::Persona;
use crate::suites::guest::record::vocabulary::{FIELDS, Field, State};
use crate::text::normalize::trim;

/// MS as the registry knows it.
pub(crate) const MS: Metric = Metric {
    id: "ms",
    title: "MS",
    says: "how well one message fits the persona",
    level: "turn",
    formula: "Σ 0.25 C_j over exploration, mood, ordering, complete; C_j = 1 if the state is what the persona expects",
    empty: "undefined: no_state, missing_field:persona, no_archetype, no_comparable_component",
    source: SEED,
    ..BASE
};

/// No talk message has a state.
pub(crate) const NO_STATE: Undefined = Undefined::new("no_state");
/// Expectation and state have no field in common.
pub(crate) const NO_COMPARABLE_COMPONENT: Undefined = Undefined::new("no_comparable_component");
const NO_PERSONA: Undefined = Undefined::new("missing_field:persona");
const NO_ARCHETYPE: Undefined = Undefined::new("no_archetype");

/// Points of each component of an expectation.
const COMPONENT_POINTS: u32 = 25;

/// What messages are measured by.
#[derive(Debug)]
pub(crate) struct Expectations<'d> {
    /// `expected`, `fallback:<archetype>`, or the reason why there is none.
    pub(crate) mode: String,
    pub(crate) kind: Kind,
    /// What is expected, in the order of evidence.
    pub(crate) components: Vec<Expectation<'d>>,
    /// The archetypes' keywords in the persona's text.
    pub(crate) keywords: Vec<&'static str>,
}

/// Where expectations come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Expected,
    Fallback,
    None(Undefined),
}

/// What is expected of one field.
#[derive(Debug)]
pub(crate) struct Expectation<'d> {
    pub(crate) field: Field,
    pub(crate) points: u32,
    /// Nothing if the persona expects nothing of it.
    pub(crate) accepted: Vec<&'d str>,
    /// The accepted values as evidence shows them, as JSON: nothing, one, or a list where several may be.
    pub(crate) shown: Box<RawValue>,
}

impl<'d> Expectation<'d> {
    fn new(field: Field, points: u32, accepted: Vec<&'d str>, many: bool) -> Expectation<'d> {
        let shown = if many && !accepted.is_empty() { json::text(&accepted) } else { json::text(&accepted.first()) };
        Expectation { field, points, accepted, shown: RawValue::from_string(shown).expect("JSON of our own making") }
    }
}

impl<'d> Expectations<'d> {
    /// The expectations of a persona: its own, or those that its prose suggests.
    pub(crate) fn of(persona: &'d Persona<'_>) -> Expectations<'d> {
        if let Some(expected) = &persona.expected {
            let component = |field: Field| {
                let accepted = expected.accepted(field).iter().map(AsRef::as_ref).collect();
                Expectation::new(field, COMPONENT_POINTS, accepted, field == Field::Mood)
            };
            let components = FIELDS.into_iter().map(component).collect();
            return Expectations { mode: "expected".into(), kind: Kind::Expected, components, keywords: vec![] };
        }
        let none = |why: Undefined| Expectations {
            mode: why.reason().to_string(),
            kind: Kind::None(why),
            components: vec![],
            keywords: vec![],
        };
        if trim(&persona.text).is_empty() {
            return none(NO_PERSONA);
        }
        match archetype::find(&persona.text) {
            None => none(NO_ARCHETYPE),
            Some((Archetype { name, rules, .. }, keywords)) => {
                let component =
                    |rule: &archetype::Rule| Expectation::new(rule.field, rule.points, rule.accepted.to_vec(), true);
                let components = rules.iter().map(component).collect();
                Expectations { mode: format!("fallback:{name}"), kind: Kind::Fallback, components, keywords }
            }
        }
    }

    /// Compares a state with the expectations.
    pub(crate) fn compare<'c>(&'c self, state: &'c State<'_>) -> Comparison<'c> {
        let component = |expectation: &'c Expectation<'d>| {
            let actual = state.get(expectation.field);
            let known = !expectation.accepted.is_empty();
            let matched = actual.filter(|_| known).map(|actual| expectation.accepted.contains(&actual));
            Component { expectation, actual, matched }
        };
        Comparison(self.components.iter().map(component).collect())
    }
}

/// One field of a message against its expectation.
#[derive(Debug)]
pub(crate) struct Component<'c> {
    pub(crate) expectation: &'c Expectation<'c>,
    pub(crate) actual: Option<&'c str>,
    /// None if one side lacks it.
    pub(crate) matched: Option<bool>,
}

/// A message against all expectations.
#[derive(Debug)]
pub(crate) struct Comparison<'c>(pub(crate) Vec<Component<'c>>);

/// Points met, of points that count; never of none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Points {
    pub(crate) met: u32,
    pub(crate) of: u32,
}

impl Points {
    pub(crate) fn share(self) -> f64 {
        f64::from(self.met) / f64::from(self.of)
    }
}

impl Comparison<'_> {
    /// Appends the evidence of a message: how it is measured, where its state comes from, and each component.
    pub(crate) fn push_evidence(&self, mode: &str, source: Option<&str>, out: &mut Vec<u8>) {
        out.push(b'{');
        json::push_field(out, "mode", &mode);
        json::push_field(out, "source", &source);
        out.extend_from_slice(b",\"components\":{");
        for (i, Component { expectation, actual, matched }) in self.0.iter().enumerate() {
            if i > 0 {
                out.push(b',');
            }
            json::push_text(out, expectation.field.name());
            out.extend_from_slice(b":{\"expected\":");
            out.extend_from_slice(expectation.shown.get().as_bytes());
            out.extend_from_slice(b",\"actual\":");
            match actual {
                Some(actual) => json::push_text(out, actual),
                None => out.extend_from_slice(b"null"),
            }
            let matched = matched.map_or("null", |matched| if matched { "1" } else { "0" });
            out.extend_from_slice(b",\"match\":");
            out.extend_from_slice(matched.as_bytes());
            out.push(b'}');
        }
        out.extend_from_slice(b"}}");
    }

    /// Components that both sides have.
    pub(crate) fn compared(&self) -> u64 {
        self.0.iter().filter(|component| component.matched.is_some()).count() as u64
    }

    /// The score over the components of some fields; none if nothing can be compared.
    ///
    /// ```math
    /// MS = Σ_j w_j C_j,   C_j = [actual_j ∈ expected_j],   w_j = 0.25 (an archetype's points / 100)
    /// ```
    /// A component that one side lacks adds 0; with `renormalise` the weights of the others are rescaled.
    pub(crate) fn points(&self, fields: &[Field], missing: MissingComponent) -> Option<Points> {
        let mine = || self.0.iter().filter(|component| fields.contains(&component.expectation.field));
        let sum = |wanted: &dyn Fn(&Component<'_>) -> bool| -> u32 {
            mine().filter(|component| wanted(component)).map(|component| component.expectation.points).sum()
        };
        let compared = sum(&|component| component.matched.is_some());
        let of = if missing == MissingComponent::Renormalise { compared } else { sum(&|_| true) };
        (compared > 0).then(|| Points { met: sum(&|component| component.matched == Some(true)), of })
    }
}

/// The mean of scores: their sum over a number of messages, in whole points where they have one denominator.
pub(crate) fn mean_points(points: &[Points], n: usize) -> f64 {
    match points.first() {
        Some(first) if points.iter().all(|p| p.of == first.of) => {
            let met: u64 = points.iter().map(|p| u64::from(p.met)).sum();
            met as f64 / (u64::from(first.of) * n as u64) as f64
        }
        _ => crate::stats::sum::neumaier(points.iter().map(|p| p.share())) / n as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::value::Json;
    use crate::suites::guest::record::persona::read_persona;
    use crate::suites::guest::record::vocabulary::{STYLE, read_state};

    fn points(persona: &str, state: &str, fields: &[Field], missing: MissingComponent) -> Option<Points> {
        let (persona, state) = (Json::parse(persona).expect("JSON"), Json::parse(state).expect("JSON"));
        let persona = read_persona(Some(&persona)).expect("a persona");
        let state = read_state(&state, "state").expect("a state").expect("fields");
        Expectations::of(&persona).compare(&state).points(fields, missing)
    }

    const EXPECTED: &str =
        r#"{"expected":{"exploration":"explores_menu","moods":["casual","confused"],"ordering":"one_by_one"}}"#;

    #[test]
    fn components_that_match_add_a_quarter_each() {
        let state = r#"{"exploration":"explores_menu","mood":"confused","ordering":"all_at_once","complete":"no"}"#;
        // Two of four by hand; completion is not expected, so that three can be compared.
        assert_eq!(points(EXPECTED, state, &FIELDS, MissingComponent::Zero), Some(Points { met: 50, of: 100 }));
        assert_eq!(points(EXPECTED, state, &FIELDS, MissingComponent::Renormalise), Some(Points { met: 50, of: 75 }));
        assert_eq!(points(EXPECTED, state, &STYLE, MissingComponent::Zero), Some(Points { met: 50, of: 75 }));
    }

    #[test]
    fn nothing_to_compare_is_no_score() {
        assert_eq!(points(EXPECTED, r#"{"complete":"no"}"#, &FIELDS, MissingComponent::Zero), None);
    }

    #[test]
    fn an_archetype_gives_its_points() {
        // Worked example 5 of the specification: 33 + 0 + 34.
        let state = r#"{"exploration":"explores_menu","mood":"frustrated","ordering":"all_at_once"}"#;
        let persona = r#""An efficient but curious guest""#;
        assert_eq!(points(persona, state, &FIELDS, MissingComponent::Zero), Some(Points { met: 67, of: 100 }));
    }

    #[test]
    fn means_of_unlike_denominators_are_sums_of_shares() {
        let points = [Points { met: 25, of: 50 }, Points { met: 25, of: 100 }];
        assert_eq!(mean_points(&points, 2), 0.375);
        assert_eq!(mean_points(&[Points { met: 25, of: 100 }], 4), 0.0625);
    }
}
