//! One answered turn: every metric with its evidence.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::extract::ByDefault;
use super::extract::analysis::Analysis;
use super::extract::mention::Status;
use super::metrics::aggregate::aggregate;
use super::metrics::ass::ass;
use super::metrics::csp::{RuleShown, Safety};
use super::metrics::cus::Usages;
use super::metrics::evidence::{TruthShown, ValueShown};
use super::metrics::known::PatientStatements;
use super::metrics::models::{answer_relevance, faithfulness, perplexity};
use super::metrics::question::{QuestionBuffers, flags};
use super::metrics::sfs::{self, Bench, Verdict};
use super::metrics::{METRICS, band, bands_of};
use super::options::{AssertionDefault, KnownFacts};
use super::record::{Turn, TurnKey};
use super::setup::Setup;
use super::truth::Truth;
use crate::input::value::Json;
use crate::score::json;
use crate::score::measure::{Measure, Undefined};
use crate::score::row::Row;

/// How many metrics there are.
pub(super) const COUNT: usize = METRICS.len();

/// What became of a turn. Its buffers serve one turn after the other.
#[derive(Debug, Default)]
pub(super) struct Judged {
    /// Its score rows as lines of JSON.
    pub(super) lines: Vec<u8>,
    /// Its line of the list of answers.
    pub(super) answer: Vec<u8>,
    pub(super) values: Vec<Measure>,
    pub(super) n: Vec<u64>,
    /// Rules that apply and those violated, by their places; none where CSP is undefined.
    pub(super) rules: Option<(Vec<usize>, Vec<usize>)>,
    pub(super) violations: Vec<Violation>,
    pub(super) false_facts: Vec<FalseFact>,
}

impl Judged {
    fn clear(&mut self) {
        self.lines.clear();
        self.answer.clear();
        self.values.clear();
        self.n.clear();
        self.rules = None;
        self.violations.clear();
        self.false_facts.clear();
    }
}

/// A rule that an answer violates.
#[derive(Debug)]
pub(super) struct Violation {
    pub(super) place: usize,
    /// Lists as JSON.
    pub(super) patterns: String,
    pub(super) quotes: String,
}

/// A fact that is not so.
#[derive(Debug)]
pub(super) struct FalseFact {
    pub(super) kind: &'static str,
    pub(super) id: String,
    /// JSON, if the fact has a value.
    pub(super) stated: Option<String>,
    pub(super) status: &'static str,
    pub(super) truth: RecordCell,
    pub(super) reason: Option<&'static str>,
    pub(super) weight: f64,
    pub(super) quote: String,
}

/// What the record says, as a cell.
#[derive(Debug)]
pub(super) enum RecordCell {
    None,
    Json(String),
    Number(f64),
    Whole(i64),
    Text(String),
}

/// Buffers that serve one turn after the other.
#[derive(Default)]
pub(super) struct Scratch {
    answer: Analysis,
    other: Analysis,
    look: QuestionBuffers,
    truths: FxHashMap<String, Arc<Truth>>,
}

/// Records that are kept at a time.
const KEPT_TRUTHS: usize = 1024;

impl Scratch {
    /// The patient's record; parsed once while it is remembered.
    fn truth(&mut self, setup: &Setup, slots: &str) -> Arc<Truth> {
        if let Some(known) = self.truths.get(slots) {
            return known.clone();
        }
        let json = Json::parse(slots).unwrap_or_default();
        let truth = Arc::new(Truth::read(&setup.engine, &json, &mut self.other));
        if self.truths.len() >= KEPT_TRUTHS {
            self.truths.clear();
        }
        self.truths.insert(slots.to_string(), truth.clone());
        truth
    }
}

/// The rows of a turn under construction, in the order of the metrics.
struct Rows<'a> {
    setup: &'a Setup,
    row: Row<'a>,
    /// What all of them share.
    unit: Vec<u8>,
    judged: &'a mut Judged,
}

impl<'a> Rows<'a> {
    fn new(setup: &'a Setup, key: &'a TurnKey, unit: &'a str, judged: &'a mut Judged) -> Rows<'a> {
        let ids = [&*key.experiment, &key.run, &key.case, &key.dialogue];
        let row = Row { turn: Some(key.turn as i64), level: "turn", unit, ..Row::of_dialogue(super::ID, ids) };
        judged.clear();
        Rows { setup, unit: row.of_unit(), row, judged }
    }

    fn put(&mut self, value: Measure, n: u64, evidence: Option<&impl Serialize>) {
        let metric = METRICS[self.judged.values.len()];
        self.row.metric = metric;
        self.row.n = Some(n);
        self.row.band = value.as_ref().ok().and_then(|value| band(&self.setup.engine, bands_of(metric)?, *value));
        self.row.value = value.clone();
        self.row.push_line_of(&self.unit, &mut self.judged.lines, |out| match evidence {
            Some(evidence) => json::push(out, evidence),
            None => out.extend_from_slice(b"{}"),
        });
        self.judged.values.push(value);
        self.judged.n.push(n);
    }

    fn missing(&mut self, why: &Undefined, count: usize) {
        for _ in 0..count {
            self.put(Err(why.clone()), 0, None::<&()>);
        }
    }
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

/// Judges a turn into `judged`: `slots` is the patient's record, `earlier` are the questions before it in the dialogue.
pub(super) fn judge(
    setup: &Setup,
    turn: &Turn,
    slots: Option<&str>,
    earlier: &[String],
    scratch: &mut Scratch,
    judged: &mut Judged,
) {
    let truth = slots.map(|slots| scratch.truth(setup, slots));
    let Scratch { answer: analysis, other, look, .. } = scratch;
    let by_default = ByDefault(match setup.params.assertion_default {
        AssertionDefault::Asserted => Status::Asserted,
        AssertionDefault::NeedsClaim => Status::Unasserted,
    });
    let against = truth.as_deref().map(|truth| {
        let known = match setup.params.known_facts {
            KnownFacts::SlotsAndDialogue => hear(setup, turn, earlier, truth, by_default, other),
            KnownFacts::Slots => PatientStatements::default(),
        };
        let question = turn.question.as_deref().filter(|question| !question.is_empty());
        let flags = question.map(|question| flags(&setup.engine, &setup.params, question, look, other));
        PatientSide { truth, known, question_flags: flags.unwrap_or_default(), by_default }
    });
    analysis.read(&setup.engine, &turn.answer, truth.as_ref().map_or(&[], |truth| truth.own.as_slice()));
    let blank = analysis.text().trim().is_empty();
    let answer = Answer { setup, turn, analysis, profile: profile(setup, turn), blank };
    let unit = format!("{}#{}", turn.key.dialogue, turn.key.turn);
    let mut rows = Rows::new(setup, &turn.key, &unit, judged);
    rows.put(Ok(if blank { 0.0 } else { 1.0 }), 1, None::<&()>);
    match &against {
        _ if blank => rows.missing(&EMPTY_ANSWER, 20),
        Some(against) => rows.of_record(&answer, against),
        None => rows.missing(&Undefined::new("missing_field:slots_truth"), 16),
    }
    if !blank {
        rows.of_answer(&answer);
    }
    rows.aggregate(&answer);
    write_answer(turn, answer.analysis.text(), &mut judged.answer);
}

const EMPTY_ANSWER: Undefined = Undefined::new("empty_answer");

impl Rows<'_> {
    /// The metrics that hold an answer against the patient's record: SFS, CSP, CUS.
    fn of_record(&mut self, answer: &Answer<'_>, against: &PatientSide<'_>) {
        let Answer { setup, turn, analysis, profile, .. } = *answer;
        let PatientSide { truth, known, question_flags, by_default } = against;
        let (engine, params) = (&setup.engine, &setup.params);
        let extracted = analysis.extract(engine, &truth.own, *by_default);
        let bench = Bench { engine, params, truth, known };
        let (family, evidence) = bench.sfs(analysis, &extracted.facts);
        self.put_family(family, &evidence);
        let falsehoods = evidence.facts.iter().filter(|fact| fact.verdict == Verdict::Hallucinated);
        self.judged.false_facts.extend(falsehoods.map(|fact| false_fact(analysis, fact)));
        let number = turn.key.turn.to_string();
        let of_profile = profile.map(|place| engine.pack.turns[place].turn.0.as_str());
        let asked = of_profile.or(turn.turn_type.is_none().then_some(number.as_str()));
        let safety = Safety { engine, params, truth, question_flags, turn: asked };
        let (family, evidence) = safety.csp(analysis);
        self.put_family(family, &evidence);
        let places = |rules: &[RuleShown<'_>]| rules.iter().map(|rule| rule.place).collect();
        self.judged.rules = Some((places(&evidence.applicable), places(&evidence.violated)));
        self.judged.violations.extend(evidence.violated.iter().map(|rule| violation(rule, &evidence)));
        let usages = Usages { engine, params, truth, analysis, extracted: &extracted };
        let (family, n, evidence) = usages.cus(profile, &turn.replies);
        self.put_family(family.map(|value| (value, n)), &evidence);
    }

    /// A metric and its relatives; the first has the evidence.
    fn put_family<const N: usize>(&mut self, family: [(Measure, u64); N], evidence: &impl Serialize) {
        for (place, (value, n)) in family.into_iter().enumerate() {
            self.put(value, n, (place == 0).then_some(evidence));
        }
    }

    /// The metrics of an answer by itself: ASS, and those of models.
    fn of_answer(&mut self, answer: &Answer<'_>) {
        let Answer { setup, turn, analysis, profile, .. } = *answer;
        let engine = &setup.engine;
        let (value, n, evidence) = ass(engine, analysis, profile.map(|place| &engine.pack.turns[place]));
        self.put(value, n, Some(&evidence));
        let perplexity = perplexity(turn, analysis.text(), setup.model.as_ref());
        for (value, evidence) in [faithfulness(turn), answer_relevance(turn), perplexity] {
            let n = u64::from(value.is_ok());
            self.put(value, n, Some(&evidence));
        }
    }

    fn aggregate(&mut self, answer: &Answer<'_>) {
        let given = |metric: &str| {
            let found = answer.turn.provided.iter().rev().find(|(name, _)| name == metric).filter(|_| !answer.blank);
            found.map(|(_, value)| *value).ok_or_else(|| match answer.blank {
                true => EMPTY_ANSWER,
                false => Undefined::missing_field(&format!("provided.{metric}")),
            })
        };
        let (value, n, evidence) = aggregate(&answer.setup.engine.pack, &self.judged.values, &given);
        self.put(value, n, Some(&evidence));
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

fn violation(rule: &RuleShown<'_>, evidence: &super::metrics::csp::Evidence<'_>) -> Violation {
    let of = |name: &&str| evidence.patterns.iter().find(|(known, _)| known == name).map(|(_, hits)| hits);
    let hits = rule.patterns.iter().filter_map(of).flatten();
    let quotes: Vec<&str> = hits.filter(|hit| hit.pushed).map(|hit| hit.quote).collect();
    Violation { place: rule.place, patterns: json::text(&rule.patterns), quotes: json::text(&quotes) }
}

fn false_fact(analysis: &Analysis, fact: &sfs::StatedFact<'_>) -> FalseFact {
    FalseFact {
        kind: fact.kind,
        id: fact.id.to_string(),
        stated: (!matches!(fact.value, ValueShown::None)).then(|| json::text(&fact.value)),
        status: fact.status.name(),
        truth: match &fact.truth {
            TruthShown::None => RecordCell::None,
            TruthShown::Ids(ids) => RecordCell::Json(json::text(ids)),
            TruthShown::Number(x) => RecordCell::Number(*x),
            TruthShown::Whole(x) => RecordCell::Whole(*x),
            TruthShown::Id(id) => RecordCell::Text(id.to_string()),
        },
        reason: fact.reason,
        weight: fact.weight,
        quote: analysis.text()[fact.span.0..fact.span.1].to_string(),
    }
}

/// What spans point into, beside what was given.
fn write_answer(turn: &Turn, norm: &str, out: &mut Vec<u8>) {
    #[derive(Serialize)]
    struct Answer<'a> {
        experiment: &'a str,
        run: &'a str,
        case: &'a str,
        dialogue: &'a str,
        turn: u64,
        question: Option<&'a str>,
        text: &'a str,
        norm: &'a str,
    }
    let key = &turn.key;
    out.reserve(turn.answer.len() + norm.len() + 256);
    let answer = Answer {
        experiment: &key.experiment,
        run: &key.run,
        case: &key.case,
        dialogue: &key.dialogue,
        turn: key.turn,
        question: turn.question.as_deref(),
        text: &turn.answer,
        norm,
    };
    json::push(out, &answer);
    out.push(b'\n');
}
