//! One answered turn: every metric with its evidence, as values.

use rustc_hash::FxHashMap;

use super::extract::ByDefault;
use super::extract::analysis::Analysis;
use super::extract::mention::Status;
use super::metrics::aggregate::{self, aggregate};
use super::metrics::ass::{self, ass};
use super::metrics::csp::{self, Safety};
use super::metrics::cus::{self, Usages};
use super::metrics::known::PatientStatements;
use super::metrics::models::{self, answer_relevance, faithfulness, perplexity};
use super::metrics::question::{QuestionBuffers, flags};
use super::metrics::sfs::{self, Bench};
use super::options::{AssertionDefault, KnownFacts};
use super::record::Turn;
use super::setup::Setup;
use super::truth::Truth;
use crate::input::value::Json;
use crate::score::measure::{Measure, Undefined};

/// What became of a turn.
#[derive(Debug)]
pub(super) struct Judgement<'a> {
    /// The value and n of every metric, in their order.
    pub(super) measures: Vec<(Measure, u64)>,
    /// What those rest on that hold an answer against the patient's record.
    pub(super) of_record: Option<OfRecord<'a>>,
    /// What those of an answer by itself rest on.
    pub(super) of_answer: Option<OfAnswer<'a>>,
    pub(super) aggregate: aggregate::Evidence<'a>,
    pub(super) analysis: &'a Analysis,
}

/// Evidence from an answer beside the patient's record.
#[derive(Debug)]
pub(super) struct OfRecord<'a> {
    pub(super) sfs: sfs::Evidence<'a>,
    pub(super) csp: csp::Evidence<'a>,
    pub(super) cus: cus::Evidence<'a>,
}

/// Evidence from an answer by itself.
#[derive(Debug)]
pub(super) struct OfAnswer<'a> {
    pub(super) ass: ass::Evidence<'a>,
    /// Faithfulness, answer relevance, perplexity.
    pub(super) models: [models::Evidence<'a>; 3],
}

/// Buffers that serve one turn after the other.
#[derive(Default)]
pub(super) struct Scratch {
    answer: Analysis,
    other: Analysis,
    look: QuestionBuffers,
    truths: FxHashMap<String, Truth>,
}

/// Records that are kept at a time.
const KEPT_TRUTHS: usize = 1024;

/// The patient's record; parsed once while it is remembered.
fn remembered<'t>(
    truths: &'t mut FxHashMap<String, Truth>,
    setup: &Setup,
    slots: &str,
    scratch: &mut Analysis,
) -> &'t Truth {
    if !truths.contains_key(slots) {
        let json = Json::parse(slots).unwrap_or_default();
        if truths.len() >= KEPT_TRUTHS {
            truths.clear();
        }
        truths.insert(slots.to_string(), Truth::read(&setup.engine, &json, scratch));
    }
    &truths[slots]
}

/// An answer that was read, with the turn it belongs to.
struct Answer<'a> {
    setup: &'a Setup,
    turn: &'a Turn,
    analysis: &'a Analysis,
    /// The place of the turn's profile.
    profile: Option<usize>,
    /// Whether it says nothing at all.
    blank: bool,
}

/// What an answer is held against.
struct PatientSide<'a> {
    truth: &'a Truth,
    known: PatientStatements,
    question_flags: Vec<usize>,
    by_default: ByDefault,
}

/// Judges a turn: `slots` is the patient's record, `earlier` are the questions before it in the dialogue.
pub(super) fn judge<'a>(
    setup: &'a Setup,
    turn: &'a Turn,
    slots: Option<&str>,
    earlier: &[String],
    scratch: &'a mut Scratch,
) -> Judgement<'a> {
    let Scratch { answer: analysis, other, look, truths } = scratch;
    let truth = slots.map(|slots| remembered(truths, setup, slots, other));
    let by_default = ByDefault(match setup.params.assertion_default {
        AssertionDefault::Asserted => Status::Asserted,
        AssertionDefault::NeedsClaim => Status::Unasserted,
    });
    let against = truth.map(|truth| {
        let known = match setup.params.known_facts {
            KnownFacts::SlotsAndDialogue => hear(setup, turn, earlier, truth, by_default, other),
            KnownFacts::Slots => PatientStatements::default(),
        };
        let question = turn.question.as_deref().filter(|question| !question.is_empty());
        let flags = question.map(|question| flags(&setup.engine, &setup.params, question, look, other));
        PatientSide { truth, known, question_flags: flags.unwrap_or_default(), by_default }
    });
    analysis.read(&setup.engine, &turn.answer, truth.map_or(&[], |truth| truth.own.as_slice()));
    let analysis = &*analysis;
    let blank = analysis.text().trim().is_empty();
    let answer = Answer { setup, turn, analysis, profile: profile(setup, turn), blank };
    let mut measures = Vec::with_capacity(super::metrics::METRICS.len());
    measures.push((Ok(if blank { 0.0 } else { 1.0 }), 1));
    let missing = |why: Undefined, count: usize| std::iter::repeat_n((Err(why), 0), count);
    let of_record = match &against {
        Some(against) if !blank => Some(answer.of_record(against, &mut measures)),
        _ if blank => {
            measures.extend(missing(EMPTY_ANSWER, 20));
            None
        }
        _ => {
            measures.extend(missing(Undefined::new("missing_field:slots_truth"), 16));
            None
        }
    };
    let of_answer = (!blank).then(|| answer.of_answer(&mut measures));
    let aggregate = answer.aggregate(&mut measures);
    Judgement { measures, of_record, of_answer, aggregate, analysis }
}

const EMPTY_ANSWER: Undefined = Undefined::new("empty_answer");

impl<'a> Answer<'a> {
    /// The metrics that hold an answer against the patient's record: SFS, CSP, CUS.
    fn of_record(&self, against: &PatientSide<'a>, measures: &mut Vec<(Measure, u64)>) -> OfRecord<'a> {
        let Answer { setup, turn, analysis, profile, .. } = *self;
        let PatientSide { truth, known, question_flags, by_default } = against;
        let (engine, params) = (&setup.engine, &setup.params);
        let extracted = analysis.extract(engine, &truth.own, *by_default);
        let bench = Bench { engine, params, truth, known };
        let (family, sfs) = bench.sfs(analysis, &extracted.facts);
        measures.extend(family);
        let number = turn.key.turn.to_string();
        let of_profile = profile.map(|place| engine.pack.turns[place].turn.0.as_str());
        let asked = of_profile.or(turn.turn_type.is_none().then_some(number.as_str()));
        let active_weight = setup.active_weight;
        let safety = Safety { engine, params, truth, question_flags, active_weight, turn: asked };
        let (family, csp) = safety.csp(analysis);
        measures.extend(family);
        let usages = Usages { engine, params, truth, analysis, extracted: &extracted };
        let (family, n, cus) = usages.cus(profile, &turn.replies);
        measures.extend(family.map(|value| (value, n)));
        OfRecord { sfs, csp, cus }
    }

    /// The metrics of an answer by itself: ASS, and those of models.
    fn of_answer(&self, measures: &mut Vec<(Measure, u64)>) -> OfAnswer<'a> {
        let Answer { setup, turn, analysis, profile, .. } = *self;
        let engine = &setup.engine;
        let (value, n, ass) = ass(engine, analysis, profile.map(|place| &engine.pack.turns[place]));
        measures.push((value, n));
        let perplexity = perplexity(turn, analysis.text(), setup.model.as_ref());
        let models = [faithfulness(turn), answer_relevance(turn), perplexity].map(|(value, evidence)| {
            let n = u64::from(value.is_ok());
            measures.push((value, n));
            evidence
        });
        OfAnswer { ass, models }
    }

    fn aggregate(&self, measures: &mut Vec<(Measure, u64)>) -> aggregate::Evidence<'a> {
        let given = |metric: &str| {
            let found = self.turn.provided.iter().rev().find(|(name, _)| name == metric).filter(|_| !self.blank);
            found.map(|(_, value)| *value).ok_or_else(|| match self.blank {
                true => EMPTY_ANSWER,
                false => Undefined::missing_field(&format!("provided.{metric}")),
            })
        };
        let (value, n, evidence) = aggregate(&self.setup.engine.pack, measures, &given);
        measures.push((value, n));
        evidence
    }
}

/// What the patient said in this and earlier questions.
fn hear(
    setup: &Setup,
    turn: &Turn,
    earlier: &[String],
    truth: &Truth,
    by_default: ByDefault,
    scratch: &mut Analysis,
) -> PatientStatements {
    let mut known = PatientStatements::default();
    for question in earlier.iter().chain(&turn.question).filter(|question| !question.is_empty()) {
        known.hear(&setup.engine, &truth.own, by_default, question, scratch);
    }
    known
}

/// The place of a turn's profile: by its type where it has one, else by its number.
fn profile(setup: &Setup, turn: &Turn) -> Option<usize> {
    let turns = &setup.engine.pack.turns;
    // Of two profiles with one name the last counts.
    match &turn.turn_type {
        Some(kind) => turns.iter().rposition(|profile| profile.kind == *kind),
        None => {
            let number = turn.key.turn.to_string();
            turns.iter().rposition(|profile| profile.turn.0 == number)
        }
    }
}
