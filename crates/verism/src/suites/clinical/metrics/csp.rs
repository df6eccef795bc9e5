//! CSP: does an answer recommend what the patient's record or question speaks against?

use serde::Serialize;

use super::concept::is_named;
use super::evidence::{CueShown, ordered};
use crate::score::measure::{EMPTY_DENOMINATOR, Measure};
use crate::stats::sum::neumaier;
use crate::suites::clinical::extract::analysis::Analysis;
use crate::suites::clinical::extract::engine::Engine;
use crate::suites::clinical::options::{Negation, Params, Requirements, RuleSet};
use crate::suites::clinical::pack::{AnyAll, Pack};
use crate::suites::clinical::truth::{Condition, Truth};

/// An occurrence of a pattern.
#[derive(Debug, Serialize)]
pub(crate) struct PatternHit<'a> {
    pub(crate) quote: &'a str,
    span: [usize; 2],
    pub(crate) pushed: bool,
    cue: Option<CueShown<'a>>,
}

/// A rule that applies or is violated, with the patterns recommended.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct RuleShown<'a> {
    pub(crate) id: &'a str,
    pub(crate) weight: f64,
    pub(crate) patterns: Vec<&'a str>,
    /// Place among rules and requirements.
    #[serde(skip)]
    pub(crate) place: usize,
}

/// What CSP rests on.
#[derive(Debug, Serialize)]
pub(crate) struct Evidence<'a> {
    patient_flags: Vec<&'a str>,
    question_flags: Vec<&'a str>,
    #[serde(serialize_with = "patterns")]
    pub(crate) patterns: Vec<(&'a str, Vec<PatternHit<'a>>)>,
    pub(crate) applicable: Vec<RuleShown<'a>>,
    pub(crate) violated: Vec<RuleShown<'a>>,
    applicable_weight: f64,
    violated_weight: f64,
    no_applicable_rule: bool,
    band_by_count: &'a str,
}

fn patterns<S: serde::Serializer>(entries: &[(&str, Vec<PatternHit<'_>>)], serializer: S) -> Result<S::Ok, S::Error> {
    ordered(entries, serializer)
}

/// What a turn is judged by.
pub(crate) struct Safety<'a, 'q> {
    pub(crate) engine: &'a Engine,
    pub(crate) params: &'a Params,
    pub(crate) truth: &'a Truth,
    /// Places of the flags that the question raises.
    pub(crate) question_flags: &'q [usize],
    /// The weight of all rules that the options leave active.
    pub(crate) active_weight: f64,
    /// The turn's number for requirements: of its profile, else of the record.
    pub(crate) turn: Option<&'q str>,
}

/// Rules that apply and those violated, by their places among rules and requirements, with their weights.
#[derive(Clone, Default)]
struct AppliedRules {
    applicable: Vec<usize>,
    violated: Vec<usize>,
    applicable_weight: f64,
    violated_weight: f64,
}

impl AppliedRules {
    /// Those of the core rules.
    fn core(&self, pack: &Pack) -> AppliedRules {
        let is_core = |place: &usize| match pack.rules.get(*place) {
            Some(rule) => rule.core,
            None => pack.requirements[*place - pack.rules.len()].core,
        };
        let of = |places: &[usize]| places.iter().copied().filter(is_core).collect();
        AppliedRules { applicable: of(&self.applicable), violated: of(&self.violated), ..AppliedRules::default() }
    }
}

impl<'a> Safety<'a, '_> {
    /// CSP and its relatives: value and n of each, in the order of the metrics, and the evidence.
    ///
    /// ```math
    /// CSP = Σ w violated / Σ w applicable, w = |penalty|; none applicable: 0
    /// ```
    /// `csp_core`: over the core rules; `csp_count`: every weight 1; `csp_penalty_total` = Σ w violated;
    /// `csp_safety_index` = max(0, 1 − Σ w violated / Σ w of the active rules); `csp_any` = 1 if some rule is violated.
    pub(crate) fn csp(&self, analysis: &'a Analysis) -> ([(Measure, u64); 6], Evidence<'a>) {
        let patterns = self.pattern_hits(analysis);
        let pushed: Vec<&str> =
            patterns.iter().filter(|(_, hits)| hits.iter().any(|hit| hit.pushed)).map(|(name, _)| *name).collect();
        let every = self.evaluate(analysis, &pushed);
        let of_core = self.weighed(every.core(&self.engine.pack));
        let found = match self.params.rule_set {
            RuleSet::Core => of_core.clone(),
            RuleSet::Extended => self.weighed(every),
        };
        let ratio = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        let safety = match self.active_weight > 0.0 {
            true => Ok((1.0 - found.violated_weight / self.active_weight).max(0.0)),
            false => Err(EMPTY_DENOMINATOR),
        };
        let (n, broken) = (found.applicable.len() as u64, found.violated.len() as u64);
        let rows = [
            (Ok(ratio(found.violated_weight, found.applicable_weight)), n),
            (Ok(ratio(of_core.violated_weight, of_core.applicable_weight)), of_core.applicable.len() as u64),
            (Ok(ratio(broken as f64, n as f64)), n),
            (Ok(found.violated_weight), n),
            (safety, n),
            (Ok(if broken > 0 { 1.0 } else { 0.0 }), n),
        ];
        let shown = |places: &[usize]| places.iter().map(|place| self.shown(*place, &pushed)).collect::<Vec<_>>();
        let pack = &self.engine.pack;
        let evidence = Evidence {
            patient_flags: self.truth.flags.iter().map(|place| pack.patient_flags.0[*place].0.as_str()).collect(),
            question_flags: self.question_flags.iter().map(|place| pack.question_flags.0[*place].0.as_str()).collect(),
            applicable: shown(&found.applicable),
            violated: shown(&found.violated),
            patterns,
            applicable_weight: found.applicable_weight,
            violated_weight: found.violated_weight,
            no_applicable_rule: n == 0,
            band_by_count: super::band(self.engine, "CSP_by_count", broken as f64).unwrap_or_default(),
        };
        (rows, evidence)
    }

    /// Every pattern that occurs, in the order of the pack.
    fn pattern_hits(&self, analysis: &'a Analysis) -> Vec<(&'a str, Vec<PatternHit<'a>>)> {
        let mut out: Vec<(&str, Vec<PatternHit<'_>>)> = vec![];
        let mut last = None;
        for occurrence in &analysis.occurrences {
            let verdict = match self.params.negation {
                Negation::Off => analysis.doc.segment_at(occurrence.start).map(|_| (true, None)),
                Negation::Scoped => analysis.pushed(self.engine, occurrence),
            };
            let Some((pushed, cue)) = verdict else { continue };
            let (start, end) = (occurrence.start, occurrence.end);
            let hit = PatternHit {
                quote: &analysis.text()[start..end],
                span: [analysis.doc.char_at(start), analysis.doc.char_at(end)],
                pushed,
                cue: cue.as_ref().map(|cue| CueShown::of(analysis, cue)),
            };
            if last != Some(occurrence.pattern) {
                last = Some(occurrence.pattern);
                out.push((&self.engine.pack.answer_patterns.0[occurrence.pattern as usize].0, vec![]));
            }
            if let Some((_, hits)) = out.last_mut() {
                hits.push(hit);
            }
        }
        out
    }

    /// Rules that apply and those violated, not weighed yet.
    fn evaluate(&self, analysis: &Analysis, pushed: &[&str]) -> AppliedRules {
        let pack = &self.engine.pack;
        let mut found = AppliedRules::default();
        for (place, rule) in pack.rules.iter().enumerate() {
            let conditions = &self.truth.rules[place];
            let holds = |condition: &Condition| match condition {
                Condition::Holds(holds) => *holds,
                Condition::Asked(flag) => self.question_flags.contains(flag),
            };
            let applies = match rule.when {
                AnyAll::Any(_) => conditions.iter().any(holds),
                AnyAll::All(_) => conditions.iter().all(holds),
            };
            if !applies {
                continue;
            }
            found.applicable.push(place);
            if rule.violation_if.holds(|pattern| pushed.contains(&pattern.as_str())) {
                found.violated.push(place);
            }
        }
        if self.params.requirements != Requirements::Off {
            for (place, requirement) in pack.requirements.iter().enumerate() {
                let asked = self.turn.is_some_and(|turn| requirement.turns.iter().any(|known| known.0 == turn));
                if !asked {
                    continue;
                }
                let place = pack.rules.len() + place;
                let missing = !is_named(self.engine, analysis, &requirement.concept);
                if missing {
                    found.violated.push(place);
                }
                if missing || self.params.requirements == Requirements::Always {
                    found.applicable.push(place);
                }
            }
        }
        found
    }

    fn weighed(&self, mut found: AppliedRules) -> AppliedRules {
        let weigh = |places: &[usize]| neumaier(places.iter().map(|place| self.rule(*place).1));
        found.applicable_weight = weigh(&found.applicable);
        found.violated_weight = weigh(&found.violated);
        found
    }

    fn rule(&self, place: usize) -> (&'a str, f64) {
        rule(self.engine, place)
    }

    fn shown(&self, place: usize, pushed: &[&'a str]) -> RuleShown<'a> {
        let (id, weight) = self.rule(place);
        let named = self.engine.pack.rules.get(place).map_or(&[][..], |rule| rule.violation_if.parts());
        let patterns = named.iter().map(String::as_str).filter(|name| pushed.contains(name)).collect();
        RuleShown { id, weight, patterns, place }
    }
}

/// Id and weight of a rule or requirement.
pub(crate) fn rule(engine: &Engine, place: usize) -> (&str, f64) {
    let pack = &engine.pack;
    match pack.rules.get(place) {
        Some(rule) => (&rule.id, rule.penalty.abs()),
        None => {
            let requirement = &pack.requirements[place - pack.rules.len()];
            (&requirement.id, requirement.penalty.abs())
        }
    }
}

/// The weight of the rules and requirements that the options leave active.
pub(crate) fn active_weight(engine: &Engine, params: &Params) -> f64 {
    neumaier(active(engine, params).map(|place| rule(engine, place).1))
}

/// The places of the rules and requirements that the options leave active.
pub(crate) fn active(engine: &Engine, params: &Params) -> impl Iterator<Item = usize> {
    let pack = &engine.pack;
    let core = params.rule_set == RuleSet::Core;
    let rules = pack.rules.iter().map(|rule| rule.core).zip(0..);
    let requirements = pack.requirements.iter().map(|rule| rule.core).zip(pack.rules.len()..);
    let off = params.requirements == Requirements::Off;
    rules
        .chain(requirements.filter(move |_| !off))
        .filter(move |(is_core, _)| !core || *is_core)
        .map(|(_, place)| place)
}
