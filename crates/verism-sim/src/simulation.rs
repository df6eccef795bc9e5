//! All dialogues of a job, played side by side and handed on in order.

use rayon::prelude::*;
use serde_json::{Map, Value};
use verism::input::Watch;
use verism::suites::{Options, suite};
use verism::{Defect, Error, Result};

use crate::participants::{Job, Participants};
use crate::play::play;
use crate::record;
use crate::simulator::{Simulator, World};

/// Dialogues that are played at the same time: so many are in memory, however many there will be.
const AT_ONCE: usize = 256;

/// A job: a world that is open, and who talks in it.
pub struct Simulation {
    pub(crate) suite: &'static str,
    pub(crate) world: Box<dyn World>,
    pub(crate) participants: Participants,
}

/// A dialogue that was played: its line, or the line about its failure, both without their ends.
#[derive(Debug)]
pub enum Played {
    /// The record.
    Dialogue(Vec<u8>),
    /// Which dialogue failed, where, and why.
    Failed(Vec<u8>),
}

impl Simulation {
    /// Opens what the options name; those that are left are the suite's.
    pub fn open(
        simulator: &dyn Simulator,
        participants: Participants,
        options: &mut Options,
        watch: &dyn Watch,
    ) -> Result<Simulation> {
        known(simulator, options)?;
        Ok(Simulation { suite: simulator.suite(), world: simulator.open(options, watch)?, participants })
    }

    /// Every option in force.
    pub fn options(&self) -> Map<String, Value> {
        let mut out = self.world.options();
        out.extend(self.participants.report());
        out
    }

    /// Gives the plan of every user to a function, block by block and in order.
    pub fn plans(&self, watch: &dyn Watch, take: impl FnMut(Vec<Value>) -> Result<()>) -> Result<()> {
        let mut seeds = self.participants.seeds.iter();
        in_blocks(&mut seeds, watch, |seed| self.world.scenario(seed).plan(), take)
    }

    /// Plays all dialogues from one on, and gives them to a function, block by block and in order.
    pub fn play(&self, from: u64, watch: &dyn Watch, take: impl FnMut(Vec<Played>) -> Result<()>) -> Result<()> {
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        in_blocks(&mut self.participants.jobs().skip(from), watch, |job| self.play_one(&job), take)
    }

    fn play_one(&self, job: &Job<'_>) -> Played {
        let scenario = self.world.scenario(job.seed);
        let played = play(&mut *scenario.user(), &mut *scenario.agent(job.agent, job.run));
        match played {
            Ok(turns) => Played::Dialogue(record::dialogue(job, &*scenario, &turns)),
            Err(failure) => Played::Failed(record::failed(job, &failure)),
        }
    }
}

/// Refuses options that neither the simulator nor its suite has.
fn known(simulator: &dyn Simulator, options: &Options) -> Result<()> {
    let of_suite = suite(simulator.suite()).map_or(vec![], |suite| (suite.facts().options)());
    let facts = || Participants::facts().into_iter().chain(simulator.options()).chain(of_suite.clone());
    match options.iter().find(|(key, _)| facts().all(|option| option.name != *key)) {
        None => Ok(()),
        Some((key, _)) => {
            let defect = Defect::new("bad_option", "an option of the simulator or of the suite").value(key);
            Err(Defect { value: None, ..defect.did_you_mean(facts().map(|option| option.name)) }.field(key).into())
        }
    }
}

/// Works on things side by side and hands the results on in order; stops when it is told to.
fn in_blocks<T: Send, R: Send>(
    things: &mut dyn Iterator<Item = T>,
    watch: &dyn Watch,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(Vec<R>) -> Result<()>,
) -> Result<()> {
    loop {
        let block: Vec<T> = things.take(AT_ONCE).collect();
        if block.is_empty() {
            return Ok(());
        }
        let work = |thing: T| {
            if watch.stop() {
                return Err(Error::Interrupted);
            }
            let done = work(thing);
            watch.advance(1);
            Ok(done)
        };
        take(block.into_par_iter().map(work).collect::<Result<_>>()?)?;
    }
}
