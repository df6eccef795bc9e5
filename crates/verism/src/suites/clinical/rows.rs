//! What became of a turn, as text: score rows with their evidence, and the lines of lists and tables.

use serde::Serialize;

use super::extract::analysis::Analysis;
use super::judge::Judgement;
use super::metrics::csp::{self, RuleShown};
use super::metrics::evidence::{TruthShown, ValueShown};
use super::metrics::sfs::{self, Verdict};
use super::metrics::{METRICS, band, bands_of};
use super::record::Turn;
use super::setup::Setup;
use crate::score::json;
use crate::score::measure::Measure;
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
    /// The value and n of every metric.
    pub(super) measures: Vec<(Measure, u64)>,
    /// Rules that apply and those violated, by their places; none where CSP is undefined.
    pub(super) rules: Option<(Vec<usize>, Vec<usize>)>,
    pub(super) violations: Vec<Violation>,
    pub(super) false_facts: Vec<FalseFact>,
}

impl Judged {
    fn clear(&mut self) {
        self.lines.clear();
        self.answer.clear();
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

/// Writes a judgement into `judged`.
pub(super) fn write(setup: &Setup, turn: &Turn, judgement: Judgement<'_>, judged: &mut Judged) {
    judged.clear();
    let unit = format!("{}#{}", turn.key.dialogue, turn.key.turn);
    write_rows(setup, turn, &unit, &judgement, &mut judged.lines);
    if let Some(found) = &judgement.of_record {
        let falsehoods = found.sfs.facts.iter().filter(|fact| fact.verdict == Verdict::Hallucinated);
        judged.false_facts.extend(falsehoods.map(|fact| false_fact(judgement.analysis, fact)));
        let places = |rules: &[RuleShown<'_>]| rules.iter().map(|rule| rule.place).collect();
        judged.rules = Some((places(&found.csp.applicable), places(&found.csp.violated)));
        judged.violations.extend(found.csp.violated.iter().map(|rule| violation(rule, &found.csp)));
    }
    write_answer(turn, judgement.analysis.text(), &mut judged.answer);
    judged.measures = judgement.measures;
}

/// The rows of all metrics; of a family only the first has evidence.
fn write_rows(setup: &Setup, turn: &Turn, unit: &str, judgement: &Judgement<'_>, lines: &mut Vec<u8>) {
    let key = &turn.key;
    let ids = [&*key.experiment, &key.run, &key.case, &key.dialogue];
    let mut row = Row { turn: Some(key.turn as i64), level: "turn", unit, ..Row::of_dialogue(super::ID, ids) };
    let shared = row.of_unit();
    for (metric, (value, n)) in METRICS.iter().zip(&judgement.measures) {
        row.metric = metric;
        row.n = Some(*n);
        row.band = value.as_ref().ok().and_then(|value| band(&setup.engine, bands_of(metric)?, *value));
        row.value = value.clone();
        row.push_line_of(&shared, lines, |out| write_evidence(metric, judgement, out));
    }
}

fn write_evidence(metric: &str, judgement: &Judgement<'_>, out: &mut Vec<u8>) {
    match (metric, &judgement.of_record, &judgement.of_answer) {
        ("sfs", Some(found), _) => json::push(out, &found.sfs),
        ("csp", Some(found), _) => json::push(out, &found.csp),
        ("cus", Some(found), _) => json::push(out, &found.cus),
        ("ass", _, Some(found)) => json::push(out, &found.ass),
        ("faithfulness", _, Some(found)) => json::push(out, &found.models[0]),
        ("answer_relevance", _, Some(found)) => json::push(out, &found.models[1]),
        ("perplexity", _, Some(found)) => json::push(out, &found.models[2]),
        ("aggregate", ..) => json::push(out, &judgement.aggregate),
        _ => out.extend_from_slice(b"{}"),
    }
}

fn violation(rule: &RuleShown<'_>, evidence: &csp::Evidence<'_>) -> Violation {
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
