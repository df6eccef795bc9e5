//! Tallies: whole numbers that add up over threads, chunks and shards. Every score is made from them, once.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::filled::Filled;
use crate::suites::adaptation::pack::Pack;
use crate::suites::adaptation::published::rules::Reading;
use crate::suites::adaptation::row::MOST_CONSTRUCTS;

/// Status of an intent after the year, in the order of the tables.
pub(crate) const STATUSES: [&str; 4] = ["executed", "rejected", "no_op", "undetermined"];

/// Where a label first appeared among the active rows in order: agent, year, file, line.
pub(crate) type FirstSeen = (String, i64, u32, u64);

/// What rates and entropies of any set of rows are made of: a cell, a year, an agent, a resample.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RowTally {
    pub(crate) active: u64,
    /// Active rows that break a feasibility rule.
    pub(crate) id: u64,
    /// Active rows that break a thinking rule.
    pub(crate) think: u64,
    /// Active rows by action, `other` last.
    pub(crate) action: Vec<u64>,
    /// Active rows by intent, `other` last.
    pub(crate) intent: Vec<u64>,
    /// First appearance of each action and intent; empty unless the reading keeps them.
    pub(crate) first_action: Vec<Option<FirstSeen>>,
    pub(crate) first_intent: Vec<Option<FirstSeen>>,
}

impl RowTally {
    pub(crate) fn new(pack: &Pack, reading: Reading) -> RowTally {
        let labels = pack.actions.len() + 1;
        let firsts = if reading.keeps_first_appearances() { labels } else { 0 };
        RowTally {
            action: vec![0; labels],
            intent: vec![0; labels],
            first_action: vec![None; firsts],
            first_intent: vec![None; firsts],
            ..RowTally::default()
        }
    }

    pub(crate) fn merge(&mut self, other: &RowTally) {
        self.active += other.active;
        self.id += other.id;
        self.think += other.think;
        add(&mut self.action, &other.action);
        add(&mut self.intent, &other.intent);
        earliest(&mut self.first_action, &other.first_action);
        earliest(&mut self.first_intent, &other.first_intent);
    }

    /// Whether first appearances are kept.
    pub(crate) fn keeps_order(&self) -> bool {
        !self.first_action.is_empty()
    }

    /// Labels in order of their first appearance.
    pub(crate) fn order(first: &[Option<FirstSeen>]) -> Vec<usize> {
        let mut seen: Vec<(&FirstSeen, usize)> =
            first.iter().enumerate().filter_map(|(i, f)| Some((f.as_ref()?, i))).collect();
        seen.sort();
        seen.into_iter().map(|(_, label)| label).collect()
    }
}

fn earliest(mine: &mut [Option<FirstSeen>], other: &[Option<FirstSeen>]) {
    for (mine, other) in mine.iter_mut().zip(other) {
        if let Some(other) = other
            && mine.as_ref().is_none_or(|mine| other < mine)
        {
            *mine = Some(other.clone());
        }
    }
}

pub(crate) fn add(mine: &mut [u64], other: &[u64]) {
    for (mine, other) in mine.iter_mut().zip(other) {
        *mine += other;
    }
}

/// The first events of a kind, as (agent, year).
pub(crate) type Events = Vec<(String, i64)>;

/// How many events stand as evidence.
pub(crate) const FIRST_EVENTS: usize = 5;

/// Everything that is counted in a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tally {
    /// Valid rows.
    pub(crate) rows: u64,
    pub(crate) placeholder: u64,
    pub(crate) exited: u64,
    /// Rows dropped, by reason.
    pub(crate) bad: BTreeMap<String, u64>,
    pub(crate) core: RowTally,
    pub(crate) years: BTreeMap<i64, RowTally>,
    /// Agents on request.
    pub(crate) agents: BTreeMap<String, RowTally>,
    /// Agents whose first valid row is active.
    pub(crate) first_active: u64,
    /// Denials of irreversible states, by state.
    pub(crate) reversals: Vec<u64>,
    /// Valid rows that fill each state, each construct, the intervention, the retries.
    pub(crate) state_filled: Vec<u64>,
    pub(crate) construct_filled: Vec<u64>,
    pub(crate) intervention_filled: u64,
    pub(crate) retries_filled: u64,
    pub(crate) interventions: u64,
    pub(crate) retry_rows: u64,
    pub(crate) retry_sum: u128,
    /// Per rule: active rows under its condition, and broken by status.
    pub(crate) exposed: Vec<u64>,
    pub(crate) broken: Vec<[u64; 4]>,
    /// Active rows by status: all, those in `id`, those in `think`.
    pub(crate) status: [u64; 4],
    pub(crate) id_status: [u64; 4],
    pub(crate) think_status: [u64; 4],
    pub(crate) with_proposal: u64,
    pub(crate) substituted: u64,
    /// Active rows whose labels that rules need were really read.
    pub(crate) informed: u64,
    /// Active rows per construct by level, and by source.
    pub(crate) levels: Vec<Vec<u64>>,
    pub(crate) sources: Vec<[u64; 5]>,
    pub(crate) coherence: CoherenceTally,
    pub(crate) first_id: Events,
    pub(crate) first_think: Events,
}

/// Levels of the constructs that coherence looks at, as many of them as it looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "Vec<u8>", into = "Vec<u8>")]
pub(crate) struct Levels {
    levels: [u8; MOST_CONSTRUCTS],
    count: u8,
}

impl FromIterator<u8> for Levels {
    fn from_iter<I: IntoIterator<Item = u8>>(levels: I) -> Levels {
        let mut all = Levels { levels: [0; MOST_CONSTRUCTS], count: 0 };
        for (place, level) in all.levels.iter_mut().zip(levels) {
            *place = level;
            all.count += 1;
        }
        all
    }
}

impl From<Vec<u8>> for Levels {
    fn from(levels: Vec<u8>) -> Levels {
        levels.into_iter().collect()
    }
}

impl From<Levels> for Vec<u8> {
    fn from(levels: Levels) -> Vec<u8> {
        levels.to_vec()
    }
}

impl std::ops::Deref for Levels {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.levels[..usize::from(self.count)]
    }
}

/// What coherence is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CoherenceTally {
    /// Levels of the constructs: rows, coherent rows.
    pub(crate) grid: Vec<(Levels, u64, u64)>,
    /// Eligible rows by intent.
    pub(crate) intents: Vec<u64>,
    pub(crate) other_intent: u64,
    pub(crate) no_label: u64,
    pub(crate) no_rule: u64,
}

impl CoherenceTally {
    /// The entry of a tuple of levels: rows and coherent rows.
    pub(crate) fn entry(&mut self, levels: Levels) -> &mut (Levels, u64, u64) {
        let key = |levels: &Levels| u64::from_be_bytes(levels.levels);
        let place = self.grid.binary_search_by_key(&key(&levels), |(known, _, _)| key(known));
        let place = place.unwrap_or_else(|place| {
            self.grid.insert(place, (levels, 0, 0));
            place
        });
        &mut self.grid[place]
    }

    fn merge(&mut self, other: &CoherenceTally) {
        for (levels, n, coherent) in &other.grid {
            let entry = self.entry(*levels);
            entry.1 += n;
            entry.2 += coherent;
        }
        add(&mut self.intents, &other.intents);
        self.other_intent += other.other_intent;
        self.no_label += other.no_label;
        self.no_rule += other.no_rule;
    }
}

fn merge_events(mine: &mut Events, other: &Events) {
    mine.extend_from_slice(other);
    mine.sort();
    mine.truncate(FIRST_EVENTS);
}

impl Tally {
    pub(crate) fn new(pack: &Pack, reading: Reading) -> Tally {
        Tally {
            core: RowTally::new(pack, reading),
            reversals: vec![0; pack.states.len()],
            state_filled: vec![0; pack.states.len()],
            construct_filled: vec![0; pack.constructs.len()],
            exposed: vec![0; pack.rules.len()],
            broken: vec![[0; 4]; pack.rules.len()],
            levels: pack.constructs.iter().map(|construct| vec![0; construct.levels.len()]).collect(),
            sources: vec![[0; 5]; pack.constructs.len()],
            coherence: CoherenceTally { intents: vec![0; pack.actions.len()], ..CoherenceTally::default() },
            ..Tally::default()
        }
    }

    /// Adds the tally of other rows of the same cell.
    pub(crate) fn merge(&mut self, other: &Tally) {
        self.rows += other.rows;
        self.placeholder += other.placeholder;
        self.exited += other.exited;
        for (reason, count) in &other.bad {
            *self.bad.entry(reason.clone()).or_default() += count;
        }
        self.core.merge(&other.core);
        merge_cores(&mut self.years, &other.years);
        merge_cores(&mut self.agents, &other.agents);
        self.first_active += other.first_active;
        add(&mut self.reversals, &other.reversals);
        add(&mut self.state_filled, &other.state_filled);
        add(&mut self.construct_filled, &other.construct_filled);
        self.intervention_filled += other.intervention_filled;
        self.retries_filled += other.retries_filled;
        self.interventions += other.interventions;
        self.retry_rows += other.retry_rows;
        self.retry_sum += other.retry_sum;
        add(&mut self.exposed, &other.exposed);
        for (mine, other) in self.broken.iter_mut().zip(&other.broken) {
            add(mine, other);
        }
        add(&mut self.status, &other.status);
        add(&mut self.id_status, &other.id_status);
        add(&mut self.think_status, &other.think_status);
        self.with_proposal += other.with_proposal;
        self.substituted += other.substituted;
        self.informed += other.informed;
        for (mine, other) in self.levels.iter_mut().zip(&other.levels) {
            add(mine, other);
        }
        for (mine, other) in self.sources.iter_mut().zip(&other.sources) {
            add(mine, other);
        }
        self.coherence.merge(&other.coherence);
        merge_events(&mut self.first_id, &other.first_id);
        merge_events(&mut self.first_think, &other.first_think);
    }

    /// The tally of a whole cell, and whether it is known which rows are active. If not, nothing about them is left.
    pub(crate) fn settle(self, pack: &Pack, reading: Reading) -> (Tally, bool) {
        let known = Filled::of(pack, &self, reading).exit_gap().is_none();
        (if known { self } else { self.without_activity(pack, reading) }, known)
    }

    /// What is counted over all valid rows, active or not.
    fn without_activity(self, pack: &Pack, reading: Reading) -> Tally {
        let blank = |_: &RowTally| RowTally::new(pack, reading);
        Tally {
            rows: self.rows,
            placeholder: self.placeholder,
            exited: self.exited,
            bad: self.bad,
            years: self.years.iter().map(|(year, core)| (*year, blank(core))).collect(),
            agents: self.agents.iter().map(|(agent, core)| (agent.clone(), blank(core))).collect(),
            reversals: self.reversals,
            state_filled: self.state_filled,
            construct_filled: self.construct_filled,
            intervention_filled: self.intervention_filled,
            retries_filled: self.retries_filled,
            interventions: self.interventions,
            retry_rows: self.retry_rows,
            retry_sum: self.retry_sum,
            ..Tally::new(pack, reading)
        }
    }

    /// All rows, those dropped included.
    pub(crate) fn total_rows(&self) -> u64 {
        self.rows + self.bad.values().sum::<u64>()
    }
}

fn merge_cores<K: Ord + Clone>(mine: &mut BTreeMap<K, RowTally>, other: &BTreeMap<K, RowTally>) {
    for (key, core) in other {
        match mine.get_mut(key) {
            Some(mine) => mine.merge(core),
            None => {
                mine.insert(key.clone(), core.clone());
            }
        }
    }
}
