//! Paired synthetic users for conversational recommenders: what users say depends on their seed, never on the agent.
//!
//! `world` says what can be talked about, `plan` decides everything before the first reply, `user` puts it into words,
//! `agents` answer. The specification is section 12 of the suite's.

mod agents;
mod josa;
mod options;
mod plan;
mod templates;
mod user;
mod world;

use serde_json::{Map, Value, json};
use verism::Result;
use verism::input::Watch;
use verism::suites::Options;
use verism::suites::recommender::{Field, open_catalog};
use verism::suites::setting::{self, OptionFacts};

pub use self::options::SimOptions;
pub use self::world::RecommenderWorld;

use self::plan::Plan;
use self::user::PlannedUser;
use crate::play::{Agent, UserPolicy};
use crate::simulator::{Scenario, Simulator, World};

/// The simulator of the suite `recommender`.
#[derive(Debug)]
pub struct Recommender;

impl Simulator for Recommender {
    fn suite(&self) -> &'static str {
        "recommender"
    }

    fn agents(&self) -> &'static [&'static str] {
        &agents::AGENTS
    }

    fn options(&self) -> Vec<OptionFacts> {
        setting::facts(options::SETTINGS)
    }

    fn open(&self, options: &mut Options, watch: &dyn Watch) -> Result<Box<dyn World>> {
        Ok(Box::new(RecommenderWorld::open(options, watch)?))
    }
}

impl RecommenderWorld {
    /// Opens the catalog that the options name; the simulator's options are taken out of them.
    pub fn open(options: &mut Options, watch: &dyn Watch) -> Result<RecommenderWorld> {
        let simulator = SimOptions::take(options)?;
        Ok(RecommenderWorld::new(open_catalog(options, watch)?, simulator)?)
    }

    /// The catalog as JSON: the bytes of its file where it was JSON, else written anew.
    fn catalog_json(&self) -> Vec<u8> {
        if let Some(bytes) = &self.opened.json {
            return bytes.clone();
        }
        let catalog = self.catalog();
        let mut items = vec![];
        for item in &catalog.items {
            let mut entry = json!({"id": item.id, "name": item.name, "plot": item.plot});
            for concept in &item.concepts {
                let (field, value) = (self.field(*concept), catalog.display(*concept));
                match (field, &mut entry[field.name()]) {
                    (Field::Name, _) => {}
                    (Field::Year, year) => *year = json!(value),
                    (_, Value::Array(values)) => values.push(json!(value)),
                    (_, empty) => *empty = json!([value]),
                }
            }
            items.push(entry.to_string());
        }
        format!("[{}]\n", items.join(",\n")).into_bytes()
    }
}

impl World for RecommenderWorld {
    fn options(&self) -> Map<String, Value> {
        let mut out = self.opened.options.as_object().cloned().unwrap_or_default();
        out.extend(self.options.report());
        out
    }

    fn sources(&self) -> Vec<(&'static str, Vec<u8>)> {
        vec![("catalog", self.catalog_json()), ("templates", templates::TEMPLATES.into())]
    }

    fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        vec![("catalog.json", self.catalog_json())]
    }

    fn scenario(&self, seed: u64) -> Box<dyn Scenario + '_> {
        Box::new(Planned { world: self, plan: Plan::new(self, seed) })
    }
}

/// A user of the catalog with a plan.
struct Planned<'w> {
    world: &'w RecommenderWorld,
    plan: Plan,
}

impl Scenario for Planned<'_> {
    fn lang(&self) -> &str {
        &self.world.options.lang
    }

    fn plan(&self) -> Value {
        self.plan.to_json(self.world)
    }

    fn user(&self) -> Box<dyn UserPolicy + '_> {
        Box::new(PlannedUser::new(self.world, &self.plan))
    }

    fn agent(&self, name: &str, run: u64) -> Box<dyn Agent + '_> {
        agents::agent(name, self.world, &self.plan, run)
    }

    fn events(&self) -> Vec<(&'static str, Value)> {
        let shifts: Vec<Value> =
            self.plan.steps.iter().filter_map(|step| step.shift_event(self.world)).map(|shift| json!(shift)).collect();
        vec![("shift_events", json!(shifts))]
    }
}
