//! Who talks to whom, and how often: the options that every simulator has.

use serde_json::{Map, Value, json};
use verism::Defect;
use verism::suites::Options;
use verism::suites::setting::{self, NamedValue, OptionFacts, Setting};

use crate::seeds::Seeds;
use crate::simulator::Simulator;

/// Most runs of a user with an agent.
const MOST_RUNS: u64 = 1_000_000;

/// Agents, users and runs.
#[derive(Clone, Debug)]
pub struct Cast {
    /// Who answers, in order; none: the simulator's default.
    pub agents: Vec<String>,
    /// The users.
    pub seeds: Seeds,
    /// How often each user talks to each agent.
    pub runs: u64,
    /// What is asked for.
    pub view: View,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// Dialogues.
    #[default]
    Dialogues,
    /// The plans alone.
    Plans,
    /// The scores of the dialogues.
    Scores,
    /// Words of the generator: seed, stream, count.
    Words([u64; 3]),
}

impl Default for Cast {
    fn default() -> Cast {
        let seeds = Seeds::parse("0").expect("a seed");
        Cast { agents: vec![], seeds, runs: 1, view: View::default() }
    }
}

/// The options that every simulator has.
static SETTINGS: &[Setting<Cast>] = &[
    Setting::new(
        "agents",
        "the first",
        "who answers, joined by commas",
        |p, v| v.to(&mut p.agents),
        |p| json!(p.agents),
    ),
    Setting::new("seeds", "0", "users: `7`, `1..100`, several joined by commas", read_seeds, |p| {
        json!(p.seeds.given())
    }),
    Setting::new("runs", "1", "how often each user talks to each agent", read_runs, |p| json!(p.runs)),
    Setting::<Cast>::new("plan", "false", "print plans instead", |p, v| look(p, v, View::Plans), |_| json!(null))
        .of_input(),
    Setting::<Cast>::new(
        "score",
        "false",
        "print the scores of the dialogues",
        |p, v| look(p, v, View::Scores),
        |_| json!(null),
    )
    .of_input(),
    Setting::<Cast>::new("rng", "none", "print words of the generator: seed,stream,count", read_words, |_| json!(null))
        .of_input(),
];

/// A dialogue to be played: who answers, which time, which user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job<'c> {
    /// The agent.
    pub agent: &'c str,
    /// Counted from 1.
    pub run: u64,
    /// The user.
    pub seed: u64,
}

impl Job<'_> {
    /// The user's name in records: what pairs the dialogues of several agents.
    pub fn case(&self) -> String {
        format!("seed-{:05}", self.seed)
    }

    /// The dialogue's name in records.
    pub fn dialogue(&self) -> String {
        match self.run {
            1 => format!("{}/{}", self.agent, self.case()),
            run => format!("{}/{run}/{}", self.agent, self.case()),
        }
    }
}

impl Cast {
    /// Takes these options out of all that are given.
    pub fn take(given: &mut Options, simulator: &dyn Simulator) -> Result<Cast, Defect> {
        let names: Vec<&str> = Cast::facts().iter().map(|option| option.name).collect();
        let mut cast = setting::read(SETTINGS, &given.take(&names))?;
        let known = simulator.agents();
        for (place, agent) in cast.agents.iter().enumerate() {
            let defect = |expected: String| Defect::new("bad_option", expected).field("agents").value(agent);
            if !known.contains(&agent.as_str()) {
                return Err(defect(known.join("|")).did_you_mean(known));
            }
            if cast.agents[..place].contains(agent) {
                return Err(defect("each agent once".into()));
            }
        }
        if cast.agents.is_empty() {
            cast.agents.extend(known.first().map(|agent| agent.to_string()));
        }
        Ok(cast)
    }

    /// What people read about these options.
    pub fn facts() -> Vec<OptionFacts> {
        setting::facts(SETTINGS)
    }

    /// The options as reports show them.
    pub fn report(&self) -> Map<String, Value> {
        setting::report(SETTINGS, self)
    }

    /// How many dialogues there will be.
    pub fn count(&self) -> u64 {
        (self.agents.len() as u64).saturating_mul(self.runs).saturating_mul(self.seeds.count())
    }

    /// All dialogues in order: agent as given, run, seed.
    pub fn jobs(&self) -> impl Iterator<Item = Job<'_>> {
        let of_run = |agent, run| self.seeds.iter().map(move |seed| Job { agent, run, seed });
        self.agents.iter().flat_map(move |agent| (1..=self.runs).flat_map(move |run| of_run(agent, run)))
    }
}

fn read_seeds(cast: &mut Cast, value: NamedValue<'_>) -> Result<(), Defect> {
    let wrong = || value.wrong("7, 1..100, or several joined by commas, each once");
    cast.seeds = Seeds::parse(&value.given.text()).ok_or_else(wrong)?;
    Ok(())
}

fn read_runs(cast: &mut Cast, value: NamedValue<'_>) -> Result<(), Defect> {
    let runs = value.read::<u64>().ok().filter(|runs| (1..=MOST_RUNS).contains(runs));
    cast.runs = runs.ok_or_else(|| value.wrong(&format!("a whole number 1..{MOST_RUNS}")))?;
    Ok(())
}

fn look(cast: &mut Cast, value: NamedValue<'_>, view: View) -> Result<(), Defect> {
    if value.read::<bool>()? {
        cast.view = view;
    }
    Ok(())
}

fn read_words(cast: &mut Cast, value: NamedValue<'_>) -> Result<(), Defect> {
    let parts: Vec<Option<u64>> = value.given.text().split(',').map(|part| part.trim().parse().ok()).collect();
    let [Some(seed), Some(stream), Some(count)] = parts[..] else { return Err(value.wrong("seed,stream,count")) };
    cast.view = View::Words([seed, stream, count.min(1_000_000)]);
    Ok(())
}
