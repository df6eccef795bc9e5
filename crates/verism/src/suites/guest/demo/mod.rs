//! A small synthetic sample set: twelve cases, each played in five experiments, the levels of instrumentation 1 to 5.
//!
//! `play` makes a conversation, `words` its sentences, `menu` holds dishes, personas and targets, `record` the form in
//! which it is written, `quirks` the faults that real logs have and audits find.

mod menu;
mod play;
mod quirks;
mod record;
mod words;

use std::fs;
use std::path::Path;

use crate::error::{Error, Result};
use crate::stats::random::philox;

/// A simulator: what it is given, and how well its guests keep to it.
struct Experiment {
    name: &'static str,
    level: u32,
    /// How likely a field of the state is what the persona expects, when it is chosen anew.
    keeps_persona: f64,
    /// How likely a field stays as it was in the message before.
    stays: f64,
    /// How likely an option is forgotten or mistaken; a whole line half as often.
    slips: f64,
}

/// A prompt alone; with tools that look things up; with an order tracker; with a planner of style; with both.
/// Style planning helps the persona, order tracking the order, and both together make guests that hardly ever change.
const EXPERIMENTS: [Experiment; 5] = [
    Experiment { name: "l1_prompt", level: 1, keeps_persona: 0.5, stays: 0.4, slips: 0.55 },
    Experiment { name: "l2_basic", level: 2, keeps_persona: 0.55, stays: 0.5, slips: 0.55 },
    Experiment { name: "l3_order", level: 3, keeps_persona: 0.55, stays: 0.5, slips: 0.08 },
    Experiment { name: "l4_style", level: 4, keeps_persona: 0.9, stays: 0.2, slips: 0.4 },
    Experiment { name: "l5_full", level: 5, keeps_persona: 0.93, stays: 0.75, slips: 0.08 },
];

/// Writes one file per experiment, a conversation per line.
pub(super) fn write(folder: &Path) -> Result<()> {
    for experiment in &EXPERIMENTS {
        let place = folder.join(format!("{}.jsonl", experiment.name));
        let failed = Error::write(place.display().to_string());
        fs::write(&place, conversations(experiment)).map_err(failed)?;
    }
    Ok(())
}

fn conversations(experiment: &Experiment) -> Vec<u8> {
    let mut lines = vec![];
    for (number, case) in (1..).zip(&menu::CASES) {
        let mut record = play::conversation(experiment, number, case);
        quirks::apply(&mut record, experiment.level, number);
        crate::score::json::push(&mut lines, &record);
        lines.push(b'\n');
    }
    lines
}

/// Numbers drawn in order from the stream of one conversation.
struct Dice {
    key: [u64; 2],
    drawn: u64,
}

impl Dice {
    fn new(level: u32, case: usize) -> Dice {
        Dice { key: [u64::from(level), case as u64], drawn: 0 }
    }

    /// A whole number below n.
    fn below(&mut self, n: usize) -> usize {
        let word = philox([self.drawn, 0, 0, 0], self.key)[0];
        self.drawn += 1;
        ((u128::from(word) * n as u128) >> 64) as usize
    }

    fn chance(&mut self, share: f64) -> bool {
        (self.below(1 << 30) as f64) < share * (1 << 30) as f64
    }

    fn pick(&mut self, options: &[&'static str]) -> &'static str {
        options[self.below(options.len())]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;

    fn records() -> Vec<Value> {
        let text: Vec<u8> = EXPERIMENTS.iter().flat_map(conversations).collect();
        let text = String::from_utf8(text).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn sixty_conversations_pair_twelve_cases_with_five_experiments() {
        let records = records();
        assert_eq!(records.len(), 60);
        let ids: BTreeSet<String> = records.iter().map(|r| format!("{} {}", r["experiment"], r["case"])).collect();
        assert_eq!(ids.len(), 60);
        let cases: BTreeSet<&str> = records.iter().map(|r| r["case"].as_str().unwrap()).collect();
        assert_eq!(cases.len(), 12);
    }

    #[test]
    fn the_same_bytes_every_time() {
        for experiment in &EXPERIMENTS {
            assert_eq!(conversations(experiment), conversations(experiment));
        }
    }

    #[test]
    fn the_committed_example_is_what_the_generator_writes() {
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/guest/logs");
        if std::env::var_os("VERISM_BLESS").is_some() {
            fs::create_dir_all(&example).unwrap();
            write(&example).unwrap();
        }
        for experiment in &EXPERIMENTS {
            let committed = fs::read(example.join(format!("{}.jsonl", experiment.name))).unwrap();
            assert_eq!(conversations(experiment), committed, "{} differs; VERISM_BLESS=1 rewrites it", experiment.name);
        }
    }
}
