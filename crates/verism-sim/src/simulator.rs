//! What a suite implements so that its dialogues can be simulated, and the suites that implement it.

use serde_json::{Map, Value};
use verism::input::Watch;
use verism::suites::Options;
use verism::suites::setting::OptionFacts;
use verism::{Defect, Result};

use crate::play::{Agent, UserPolicy};

/// Every suite with a simulator. A new one adds its folder and a line here.
pub static SIMULATORS: &[&dyn Simulator] = &[&crate::recommender::Recommender];

/// The simulator of a suite.
pub fn simulator(suite: &str) -> Result<&'static dyn Simulator> {
    let names = || SIMULATORS.iter().map(|simulator| simulator.suite());
    let unknown = || {
        let expected = format!("a suite with a simulator: {}", names().collect::<Vec<_>>().join(", "));
        Defect::new("unknown_suite", expected).field("suite").value(suite).did_you_mean(names())
    };
    Ok(SIMULATORS.iter().copied().find(|simulator| simulator.suite() == suite).ok_or_else(unknown)?)
}

/// The simulator of a suite.
pub trait Simulator: Sync {
    /// Id of the suite.
    fn suite(&self) -> &'static str;
    /// The agents that come with it; the first is the default.
    fn agents(&self) -> &'static [&'static str];
    /// Its own options, those of the suite aside.
    fn options(&self) -> Vec<OptionFacts>;
    /// Takes its own options, leaves those of the suite, and loads what both name.
    fn open(&self, options: &mut Options, watch: &dyn Watch) -> Result<Box<dyn World>>;
}

/// What can be talked about: the same for all users of a job.
pub trait World: Sync {
    /// Every option in force, except those of the participants.
    fn options(&self) -> Map<String, Value>;
    /// What the texts are made of, by name: the manifest holds the SHA-256 of each.
    fn sources(&self) -> Vec<(&'static str, Vec<u8>)>;
    /// Files that are written beside the dialogues.
    fn files(&self) -> Vec<(&'static str, Vec<u8>)>;
    /// The user with a seed.
    fn scenario(&self, seed: u64) -> Box<dyn Scenario + '_>;
}

/// A user with a plan, made before the first reply and the same for all agents.
pub trait Scenario {
    /// The language of the dialogue.
    fn lang(&self) -> &str;
    /// The plan, for people.
    fn plan(&self) -> Value;
    /// The user who follows the plan.
    fn user(&self) -> Box<dyn UserPolicy + '_>;
    /// One of the simulator's agents; `run` counts from 1.
    fn agent(&self, name: &str, run: u64) -> Box<dyn Agent + '_>;
    /// What the record says about the plan, beside the conversation.
    fn events(&self) -> Vec<(&'static str, Value)>;
}
