//! Paired synthetic users for conversational recommenders: what users say depends on their seed, never on the agent.
//!
//! `world` says what can be talked about, `plan` decides everything before the first reply, `user` puts it into words,
//! `agents` answer. The specification is section 12 of the suite's.

mod agents;
mod josa;
mod options;
mod plan;
mod user;
mod world;

use serde_json::{Value, json};
use verism::Result;
use verism::suites::Options;
use verism::suites::recommender::open_shelf;

pub use self::options::{SETTINGS, SimOptions};
pub use self::world::World;

use self::plan::Plan;
use self::user::PlannedUser;
use crate::{Stream, play};

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Dialogues.
    Dialogues,
    /// The plans alone.
    Plans,
    /// The scores of the dialogues.
    Scores,
}

/// Words of the generator, if these are asked for instead of anything else.
pub fn random_words(options: &SimOptions) -> Option<Value> {
    let [seed, stream, count] = options.rng?;
    let mut words = Stream::new(seed, stream, 0);
    Some(json!({"words": (0..count).map(|_| format!("{:016x}", words.word())).collect::<Vec<_>>()}))
}

/// A dialogue to be played: who answers, which time, which user.
#[derive(Clone, Debug)]
pub struct Job {
    agent: String,
    run: u64,
    seed: u64,
}

impl World {
    /// Opens the catalog that the suite's options name.
    pub fn open(options: &Options, simulator: SimOptions) -> Result<World> {
        Ok(World::new(open_shelf(options)?, simulator)?)
    }

    /// What is asked for.
    pub fn asked(&self) -> Asked {
        match (self.options.plan, self.options.score) {
            (true, _) => Asked::Plans,
            (_, true) => Asked::Scores,
            _ => Asked::Dialogues,
        }
    }

    /// Every option in force: those of the suite and those of the simulator.
    pub fn report(&self) -> Value {
        let mut out = self.shelf.options.clone();
        if let Value::Object(entries) = &mut out {
            entries.extend(self.options.report());
        }
        out
    }

    /// The plan of a seed as JSON.
    pub fn plan(&self, seed: u64) -> Value {
        Plan::new(self, seed).to_json(self)
    }

    /// All dialogues in order: agent as given, run, seed.
    pub fn jobs(&self) -> impl Iterator<Item = Job> {
        let seeds = self.options.seeds();
        let runs = self.options.runs;
        self.options.agents.iter().flat_map(move |agent| {
            let seeds = seeds.clone();
            (1..=runs).flat_map(move |run| {
                let agent = agent.clone();
                seeds.clone().into_iter().map(move |seed| Job { agent: agent.clone(), run, seed })
            })
        })
    }

    /// Plays a dialogue and gives its record.
    pub fn simulate(&self, job: &Job) -> Result<Value> {
        let plan = Plan::new(self, job.seed);
        let mut agent = agents::agent(&job.agent, self, &plan, job.run);
        let history = play(&mut PlannedUser::new(self, &plan), agent.as_mut())?;
        let mut conversation = vec![];
        for turn in history {
            for (speaker, message) in [("USER", turn.user), ("SYSTEM", turn.system)] {
                let mut entry = json!({"speaker": speaker, "text": message.text});
                for (key, value) in message.meta {
                    entry[key] = value;
                }
                conversation.push(entry);
            }
        }
        let case = format!("seed-{:05}", job.seed);
        let name = match job.run {
            1 => format!("{}/{case}", job.agent),
            run => format!("{}/{run}/{case}", job.agent),
        };
        let shifts: Vec<Value> =
            plan.steps.iter().filter(|step| step.shift.is_some()).map(|step| step.shift_json(self)).collect();
        Ok(json!({
            "experiment": job.agent, "run": job.run.to_string(), "case": case, "dialogue": name,
            "lang": self.options.lang, "conversation": conversation, "shift_events": shifts,
        }))
    }

    /// The catalog as JSON: the bytes of its file where it was JSON, else written anew.
    pub fn catalog_json(&self) -> Vec<u8> {
        if let Some(bytes) = &self.shelf.json {
            return bytes.clone();
        }
        let catalog = self.catalog();
        let mut items = vec![];
        for item in &catalog.items {
            let mut entry = json!({"id": item.id, "name": item.name, "plot": item.plot});
            for concept in &item.concepts {
                let (field, value) = (self.field(*concept).name(), catalog.display(*concept));
                match (field, &mut entry[field]) {
                    ("name", _) => {}
                    ("year", year) => *year = json!(value),
                    (_, Value::Array(values)) => values.push(json!(value)),
                    (_, empty) => *empty = json!([value]),
                }
            }
            items.push(entry.to_string());
        }
        format!("[{}]\n", items.join(",\n")).into_bytes()
    }

    /// The texts of users and agents, as they are built in.
    pub fn templates() -> &'static str {
        world::TEMPLATES
    }
}
