//! SFS: are the facts that an answer states those of the patient's record?

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::evidence::{MentionShown, TruthShown, ValueShown};
use super::known::PatientStatements;
use crate::score::measure::{EMPTY_DENOMINATOR, Measure};
use crate::stats::sum::neumaier;
use crate::suites::clinical::extract::analysis::{Analysis, OWN};
use crate::suites::clinical::extract::engine::{Engine, Kind};
use crate::suites::clinical::extract::id_of;
use crate::suites::clinical::extract::mention::{Mention, Status, Value};
use crate::suites::clinical::options::{AbsentNumber, Epsilon, Params, Tolerance};
use crate::suites::clinical::pack::FactWeights;
use crate::suites::clinical::truth::{Truth, TruthNumber};

/// What became of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    Ok,
    Hallucinated,
    Unjudged,
}

/// A verdict, its weight and its reason.
type Judged = (Verdict, f64, Option<&'static str>);

/// A fact with all its mentions.
#[derive(Debug, Serialize)]
pub(crate) struct StatedFact<'a> {
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) id: &'a str,
    pub(crate) value: ValueShown<'a>,
    #[serde(serialize_with = "name_of")]
    pub(crate) status: Status,
    pub(crate) verdict: Verdict,
    pub(crate) weight: f64,
    pub(crate) reason: Option<&'static str>,
    pub(crate) truth: TruthShown<'a>,
    pub(crate) mentions: Vec<MentionShown<'a>>,
    /// Where the first mention stands, for the table of false facts.
    #[serde(skip)]
    pub(crate) span: (usize, usize),
    #[serde(skip)]
    family: Kind,
}

fn name_of<S: serde::Serializer>(status: &Status, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(status.name())
}

impl<'a> StatedFact<'a> {
    /// Adds a further mention. Hallucinated beats unjudged beats ok; asserted beats denied beats what was said first.
    fn add(&mut self, (verdict, weight, reason): Judged, status: Status, mention: MentionShown<'a>) {
        let rank = |verdict: Verdict| match verdict {
            Verdict::Hallucinated => 0,
            Verdict::Unjudged => 1,
            Verdict::Ok => 2,
        };
        if rank(verdict) < rank(self.verdict) {
            (self.verdict, self.weight, self.reason) = (verdict, weight, reason);
        }
        if status == Status::Asserted || status == Status::Denied && self.status != Status::Asserted {
            self.status = status;
        }
        self.mentions.push(mention);
    }

    /// Whether it is asserted or denied.
    fn is_stated(&self) -> bool {
        matches!(self.status, Status::Asserted | Status::Denied)
    }
}

/// What SFS rests on.
#[derive(Debug, Serialize)]
pub(crate) struct Evidence<'a> {
    pub(crate) facts: Vec<StatedFact<'a>>,
    mentioned_count: u64,
    hallucinated_count: u64,
    mentioned_weight: f64,
    hallucinated_weight: f64,
    no_facts: bool,
    warnings: &'a [String],
}

/// How near a stated value is to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Nearness {
    Match,
    Near,
    Off,
}

/// Compares a stated value with the true one, both canonical.
///
/// ```math
/// d = 0 if t lies in the range stated, else the distance to its nearer end;
/// match: d ≤ max(half(a), half(t)) + slack, with an approximation at least 0.05·|t|; near: d ≤ 0.05·|t| + slack
/// ```
/// half(x): half a step of the last decimal written. `tolerance=absolute`: match within 0.1, nothing is near.
pub(crate) fn compare(engine: &Engine, params: &Params, stated: &Value, truth: f64, half: f64) -> Nearness {
    let numeric = &engine.pack.numeric;
    let tolerance = match params.tolerance {
        Tolerance::Absolute => numeric.abs_tol_compat,
        Tolerance::Rounding if stated.approximate => stated.half.max(half).max(numeric.approx_rel_tol * truth.abs()),
        Tolerance::Rounding => stated.half.max(half),
    };
    let inside = stated.low <= truth && truth <= stated.high;
    let distance = if inside { 0.0 } else { (stated.low - truth).abs().min((stated.high - truth).abs()) };
    if distance <= tolerance + numeric.slack {
        Nearness::Match
    } else if params.tolerance == Tolerance::Rounding && distance <= numeric.near_rel_tol * truth.abs() + numeric.slack
    {
        Nearness::Near
    } else {
        Nearness::Off
    }
}

/// Who judges mentions.
pub(crate) struct Bench<'a, 'k> {
    pub(crate) engine: &'a Engine,
    pub(crate) params: &'a Params,
    pub(crate) truth: &'a Truth,
    pub(crate) known: &'k PatientStatements,
}

impl<'a> Bench<'a, '_> {
    fn weight(&self, kind: Kind) -> f64 {
        let FactWeights { med, lab, vital, condition, age, sex, .. } = self.engine.pack.weights.sfs;
        match kind {
            Kind::Med => med,
            Kind::Lab => lab,
            Kind::Vital => vital,
            Kind::Age => age,
            Kind::Sex => sex,
            _ => condition,
        }
    }

    fn judge(&self, mention: &Mention<'_>) -> Judged {
        let weight = self.weight(mention.kind);
        if !self.truth.knows(mention.kind) {
            let unusable = self.truth.unusable(mention.kind);
            return (Verdict::Unjudged, weight, Some(if unusable { "truth_unusable" } else { "truth_field_absent" }));
        }
        if !matches!(mention.status, Status::Asserted | Status::Denied) {
            return (Verdict::Ok, weight, None);
        }
        match mention.kind {
            Kind::Med | Kind::Condition => self.judge_name(mention, weight),
            _ if mention.status == Status::Denied => (Verdict::Ok, weight, None),
            Kind::Sex if Some(mention.entity) == self.truth.sex => (Verdict::Ok, weight, None),
            Kind::Sex => (Verdict::Hallucinated, weight, Some("conflict")),
            Kind::Age => self.judge_age(mention, weight),
            _ => self.judge_number(mention, weight),
        }
    }

    fn judge_name(&self, mention: &Mention<'_>, weight: f64) -> Judged {
        let (kind, entity) = (mention.kind, mention.entity);
        let ids = if kind == Kind::Med { &self.truth.med_ids } else { &self.truth.condition_ids };
        let ancestors = |id: u32| match id < OWN {
            true => self.engine.entity(id).ancestors.as_slice(),
            false => &[],
        };
        let is_true = ids.iter().any(|id| *id == entity || ancestors(*id).contains(&entity));
        let denied = mention.status == Status::Denied;
        if denied && is_true {
            return (Verdict::Hallucinated, weight, Some("denied_but_in_truth"));
        }
        let implied =
            || entity < OWN && self.engine.entity(entity).implied_by.iter().any(|flag| self.truth.flags.contains(flag));
        if !denied && (is_true || kind == Kind::Condition && implied() || self.known.says(kind, entity)) {
            return (Verdict::Ok, weight, None);
        }
        // What cannot be read might be this.
        if self.truth.unusable(kind) {
            return (Verdict::Unjudged, weight, Some("truth_unusable"));
        }
        if denied {
            return (Verdict::Ok, weight, None);
        }
        if ids.iter().any(|id| ancestors(entity).contains(id)) {
            return (Verdict::Hallucinated, self.engine.pack.weights.sfs.minor, Some("over_specific"));
        }
        (Verdict::Hallucinated, weight, Some("not_in_truth"))
    }

    fn judge_age(&self, mention: &Mention<'_>, weight: f64) -> Judged {
        let (Some(value), Some(age)) = (mention.value, self.truth.age) else { return (Verdict::Ok, weight, None) };
        let numeric = &self.engine.pack.numeric;
        let slack = if self.params.tolerance == Tolerance::Absolute { numeric.age_tol_compat } else { 0.0 };
        if value.low - slack <= age && age <= value.high + slack {
            return (Verdict::Ok, weight, None);
        }
        let distance = (value.low - age).abs().min((value.high - age).abs());
        match distance <= numeric.near_age {
            true => (Verdict::Hallucinated, self.engine.pack.weights.sfs.minor, Some("near_miss")),
            false => (Verdict::Hallucinated, weight, Some("conflict")),
        }
    }

    fn judge_number(&self, mention: &Mention<'_>, weight: f64) -> Judged {
        let Some(value) = mention.value else { return (Verdict::Ok, weight, None) };
        let near = |truth: f64, half: f64| compare(self.engine, self.params, &value, truth, half);
        let own = self.truth.number(mention.entity).map(|TruthNumber { value, half, .. }| near(*value, *half));
        let said = self.known.numbers(mention.entity).map(|(truth, half)| near(truth, half));
        let best = own.into_iter().chain(said).min();
        let hidden = self.truth.hides(mention.entity, mention.kind);
        match best {
            Some(Nearness::Match) => (Verdict::Ok, weight, None),
            _ if hidden => (Verdict::Unjudged, weight, Some("truth_unusable")),
            None if self.params.absent_number == AbsentNumber::Ignored => (Verdict::Ok, weight, None),
            None => (Verdict::Hallucinated, weight, Some("not_in_truth")),
            Some(Nearness::Near) => (Verdict::Hallucinated, self.engine.pack.weights.sfs.minor, Some("near_miss")),
            Some(Nearness::Off) => (Verdict::Hallucinated, weight, Some("conflict")),
        }
    }

    /// Facts with all their mentions, in the order of the text.
    fn facts(&self, analysis: &'a Analysis, mentions: &[Mention<'a>]) -> Vec<StatedFact<'a>> {
        let mut places: FxHashMap<(Kind, u32, i64, i64), usize> =
            FxHashMap::with_capacity_and_hasher(mentions.len(), Default::default());
        let mut facts: Vec<StatedFact<'a>> = Vec::with_capacity(mentions.len());
        for mention in mentions {
            // Canonical values to six decimals.
            let rounded = |x: f64| (x * 1e6).round() as i64;
            let value = mention.value.map_or((0, 0), |value| (rounded(value.low), rounded(value.high)));
            let place = places.entry((mention.kind, mention.entity, value.0, value.1)).or_insert(facts.len());
            let shown = MentionShown::of(analysis, mention);
            match facts.get_mut(*place) {
                Some(fact) => fact.add(self.judge(mention), mention.status, shown),
                None => facts.push(self.fact(mention, shown)),
            }
        }
        facts
    }

    /// A fact with its first mention.
    fn fact(&self, mention: &Mention<'a>, shown: MentionShown<'a>) -> StatedFact<'a> {
        let (verdict, weight, reason) = self.judge(mention);
        StatedFact {
            kind: mention.kind.name(),
            id: id_of(self.engine, &self.truth.own, mention.entity),
            value: ValueShown::of(self.engine, mention),
            status: mention.status,
            verdict,
            weight,
            reason,
            truth: TruthShown::of(self.engine, self.truth, mention.kind, mention.entity),
            mentions: vec![shown],
            span: (mention.start, mention.end),
            family: mention.kind,
        }
    }

    /// SFS and its relatives: value and n of each, in the order of the metrics, and the evidence.
    ///
    /// ```math
    /// SFS = 1 − H/M, H = Σ weights of false facts, M = Σ weights of judged facts; M = 0: 1
    /// ```
    /// `sfs_count`: the same with every weight 1; `sfs_asserted` and those by kind: over facts that are asserted or denied,
    /// none: undefined. `epsilon=seed` adds 1e-6 to the first two denominators.
    pub(crate) fn sfs(&self, analysis: &'a Analysis, mentions: &[Mention<'a>]) -> ([(Measure, u64); 7], Evidence<'a>) {
        let facts = self.facts(analysis, mentions);
        let judged: Vec<&StatedFact<'_>> = facts.iter().filter(|fact| fact.verdict != Verdict::Unjudged).collect();
        let is_false = |fact: &&&StatedFact<'_>| fact.verdict == Verdict::Hallucinated;
        let total = neumaier(judged.iter().map(|fact| fact.weight));
        let wrong = neumaier(judged.iter().filter(is_false).map(|fact| fact.weight));
        let count = judged.len() as u64;
        let false_count = judged.iter().filter(is_false).count() as u64;
        let epsilon = if self.params.epsilon == Epsilon::Seed { self.engine.pack.weights.epsilon } else { 0.0 };
        let share =
            |part: f64, whole: f64| if whole > 0.0 { (1.0 - part / (whole + epsilon)).clamp(0.0, 1.0) } else { 1.0 };
        let ratio = |kinds: &[Kind]| -> (Measure, u64) {
            let stated =
                || judged.iter().filter(|fact| fact.is_stated() && (kinds.is_empty() || kinds.contains(&fact.family)));
            let whole = neumaier(stated().map(|fact| fact.weight));
            let part = neumaier(stated().filter(is_false).map(|fact| fact.weight));
            (if whole > 0.0 { Ok(1.0 - part / whole) } else { Err(EMPTY_DENOMINATOR) }, stated().count() as u64)
        };
        let rows = [
            (Ok(share(wrong, total)), count),
            (Ok(share(false_count as f64, count as f64)), count),
            ratio(&[]),
            ratio(&[Kind::Med]),
            ratio(&[Kind::Condition]),
            ratio(&[Kind::Lab, Kind::Vital]),
            ratio(&[Kind::Age, Kind::Sex]),
        ];
        let evidence = Evidence {
            facts,
            mentioned_count: count,
            hallucinated_count: false_count,
            mentioned_weight: total,
            hallucinated_weight: wrong,
            no_facts: count == 0,
            warnings: &self.truth.warnings,
        };
        (rows, evidence)
    }
}
