//! Records of dialogues, as lines of JSON.

use std::io::Write;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::participants::Job;
use crate::play::{Failure, Message, Turn};
use crate::simulator::Scenario;

/// A dialogue as a line without its end.
pub(crate) fn dialogue(job: &Job<'_>, scenario: &dyn Scenario, turns: &[Turn]) -> Vec<u8> {
    let mut out = Vec::with_capacity(turns.len() * 1000);
    let (run, case, name) = (job.run.to_string(), job.case(), job.dialogue());
    let ids = [("experiment", job.agent), ("run", &run), ("case", &case), ("dialogue", &name)];
    let mut first = true;
    for (key, text) in ids.into_iter().chain([("lang", scenario.lang())]) {
        out.push(if first { b'{' } else { b',' });
        first = false;
        entry(&mut out, key, text);
    }
    out.extend(b",\"conversation\":[");
    for (place, turn) in turns.iter().enumerate() {
        if place > 0 {
            out.push(b',');
        }
        message(&mut out, "USER", &turn.user);
        out.push(b',');
        message(&mut out, "SYSTEM", &turn.system);
    }
    out.push(b']');
    for (key, value) in scenario.events() {
        out.push(b',');
        entry::<Value>(&mut out, key, &value);
    }
    out.push(b'}');
    out
}

fn message(out: &mut Vec<u8>, speaker: &str, message: &Message) {
    out.push(b'{');
    entry(out, "speaker", speaker);
    out.push(b',');
    entry(out, "text", &message.text);
    for (key, value) in &message.meta {
        let _ = write!(out, ",\"{key}\":");
        out.extend(value.get().bytes());
    }
    out.push(b'}');
}

fn entry<T: Serialize + ?Sized>(out: &mut Vec<u8>, key: &str, value: &T) {
    let _ = write!(out, "\"{key}\":");
    serde_json::to_writer(out, value).expect("memory takes any text");
}

/// A dialogue that failed, as a line without its end.
pub(crate) fn failed(job: &Job<'_>, failure: &Failure) -> Vec<u8> {
    #[derive(Serialize)]
    struct Failed<'a> {
        experiment: &'a str,
        run: String,
        case: String,
        dialogue: String,
        turn: usize,
        error: &'a str,
    }
    let (run, case, dialogue) = (job.run.to_string(), job.case(), job.dialogue());
    let Failure { turn, error } = failure;
    let failed = Failed { experiment: job.agent, run, case, dialogue, turn: *turn, error };
    serde_json::to_vec(&failed).expect("texts and a number")
}

/// What tells a dialogue from the others.
#[derive(Deserialize)]
pub(crate) struct Ids {
    experiment: String,
    run: String,
    case: String,
}

impl Ids {
    /// Whether these are the ids of a job.
    pub(crate) fn are_of(&self, job: &Job<'_>) -> bool {
        self.experiment == job.agent && self.run == job.run.to_string() && self.case == job.case()
    }
}
