//! The judgement of an agent's rows in the order of years: active or not, which rules are broken, what came of it.

use super::fact::{Fact, Known, NO_RETRIES, NONE, States};
use super::pack::{Pack, RuleKind};
use super::tally::{Core, FIRST_EVENTS, First, Levels, Tally};
use super::v6;

/// A row with its judgement.
pub(super) struct Judged<'f> {
    pub(super) fact: &'f Fact,
    /// States before the year.
    pub(super) before: States,
    /// None if nobody knows which rows of the cell are active.
    pub(super) active: Option<bool>,
    pub(super) excluded: Option<&'static str>,
    /// Rules whose condition holds, as bits.
    exposed: u32,
    /// Rules that are broken, as bits.
    pub(super) broken: u32,
    /// Place in [`super::tally::STATUSES`].
    pub(super) status: usize,
}

const EXECUTED: usize = 0;
const REJECTED: usize = 1;
const NO_OP: usize = 2;
const UNDETERMINED: usize = 3;

/// How a cell is judged.
pub(super) struct Judge<'p> {
    pack: &'p Pack,
    /// Whether the published program's rules of state apply.
    v6: bool,
    /// Whether no row of the cell fills an exit state, so that nobody knows which rows are active.
    blind: bool,
    exits: Vec<usize>,
}

impl<'p> Judge<'p> {
    pub(super) fn new(pack: &'p Pack, v6: bool, blind: bool) -> Judge<'p> {
        Judge { pack, v6, blind: blind && !v6, exits: pack.exits().collect() }
    }

    /// Judges the rows of one agent in order, each once, and tallies them. `each` sees every row.
    pub(super) fn agent(&self, facts: &[Fact], name: &str, tally: &mut Tally, each: &mut dyn FnMut(&Judged<'_>)) {
        let mut known = if self.v6 { v6::before_first(self.pack) } else { States::default() };
        for (i, fact) in facts.iter().enumerate() {
            let before = self.remember(fact, &mut known, tally);
            let row = self.row(fact, before);
            self.count(&row, i == 0, name, tally);
            each(&row);
        }
    }

    /// Updates what is known of the agent by a row and gives the states before it.
    fn remember(&self, fact: &Fact, known: &mut States, tally: &mut Tally) -> States {
        let mut before = *known;
        for (i, state) in self.pack.states.iter().enumerate() {
            let now = fact.after.get(i);
            if now != Known::No {
                tally.state_filled[i] += 1;
            }
            if self.v6 {
                known.set(i, now);
                continue;
            }
            let held = |known: &States| state.irreversible && known.get(i) == Known::True;
            if state.observed_before && now != Known::No && !held(known) {
                known.set(i, now);
                before.set(i, now);
            }
            if held(known) && now == Known::False {
                tally.reversals[i] += 1;
            }
            if !state.observed_before && now != Known::No && !held(known) {
                known.set(i, now);
            }
        }
        before
    }

    fn row<'f>(&self, fact: &'f Fact, before: States) -> Judged<'f> {
        let exited = self.exits.iter().any(|&exit| before.get(exit) == Known::True);
        let active = fact.action != NONE && !exited;
        let excluded = match (active, fact.action) {
            (true, _) => None,
            (false, NONE) => Some("placeholder"),
            (false, _) => Some("exited"),
        };
        if !active || self.blind {
            let active = if active { None } else { Some(false) };
            return Judged { fact, before, active, excluded, exposed: 0, broken: 0, status: UNDETERMINED };
        }
        let (mut exposed, mut broken) = (0, 0);
        for (i, rule) in self.pack.rules.iter().enumerate() {
            let state = rule.state.is_none_or(|(state, is)| before.get(state) == Known::of(Some(is)));
            let level = |c: usize| fact.labels.get(c).level;
            let holds =
                state && rule.construct.is_none_or(|(c, levels)| level(c).is_some_and(|l| levels >> l & 1 == 1));
            exposed |= u32::from(holds) << i;
            let breaks = holds && fact.intent < self.pack.other() && rule.actions >> fact.intent & 1 == 1;
            broken |= u32::from(breaks) << i;
        }
        let status = self.status(fact, before);
        Judged { fact, before, active: Some(true), excluded, exposed, broken, status }
    }

    /// What came of an intent, as far as the states tell.
    fn status(&self, fact: &Fact, before: States) -> usize {
        let Some(effect) = self.pack.actions.get(usize::from(fact.intent)).and_then(|action| action.effect.as_ref())
        else {
            return UNDETERMINED;
        };
        if effect.iter().any(|&s| fact.after.get(s) == Known::No) {
            return UNDETERMINED;
        }
        if effect.iter().any(|&s| fact.after.get(s) == Known::False) {
            return REJECTED;
        }
        let already = |s: &usize| self.pack.states[*s].irreversible && before.get(*s) == Known::True;
        if effect.iter().any(already) { NO_OP } else { EXECUTED }
    }

    fn count(&self, row: &Judged<'_>, first: bool, name: &str, tally: &mut Tally) {
        let (pack, fact) = (self.pack, row.fact);
        tally.rows += 1;
        match row.excluded {
            Some("placeholder") => tally.placeholder += 1,
            Some(_) => tally.exited += 1,
            None => {}
        }
        match fact.marks.intervened() {
            Known::No => {}
            known => {
                tally.intervention_filled += 1;
                tally.interventions += u64::from(known == Known::True);
            }
        }
        if fact.retries != NO_RETRIES {
            tally.retries_filled += 1;
            tally.retry_rows += u64::from(fact.retries > 0);
            tally.retry_sum += u128::from(fact.retries);
        }
        for i in 0..pack.constructs.len() {
            tally.construct_filled[i] += u64::from(fact.labels.get(i).source != super::fact::Source::Missing);
        }
        let v6 = self.v6;
        let year = tally.years.entry(fact.year).or_insert_with(|| Core::new(pack, v6));
        if row.active != Some(true) {
            return;
        }
        let breaks = |kind: RuleKind| pack.rules_of(kind).any(|(i, _)| row.broken >> i & 1 == 1);
        let (id, think) = match row.broken {
            0 => (false, false),
            _ => (breaks(RuleKind::Feasibility), breaks(RuleKind::Thinking)),
        };
        self.count_core(year, fact, id, think, name);
        self.count_core(&mut tally.core, fact, id, think, name);
        tally.first_active += u64::from(first);
        for (i, broken) in tally.broken.iter_mut().enumerate() {
            tally.exposed[i] += u64::from(row.exposed >> i & 1);
            broken[row.status] += u64::from(row.broken >> i & 1);
        }
        tally.status[row.status] += 1;
        tally.id_status[row.status] += u64::from(id);
        tally.think_status[row.status] += u64::from(think);
        if fact.proposed != NONE {
            tally.with_proposal += 1;
            tally.substituted += u64::from(fact.proposed != fact.action);
        }
        for (wanted, events) in [(id, &mut tally.first_id), (think, &mut tally.first_think)] {
            if wanted && events.len() < FIRST_EVENTS {
                events.push((name.to_string(), fact.year));
            }
        }
        let read = |c: usize| fact.labels.get(c).informed();
        let needed = || pack.rules.iter().filter_map(|rule| rule.construct.map(|(c, _)| c));
        tally.informed += u64::from(needed().all(read));
        for c in 0..pack.constructs.len() {
            let label = fact.labels.get(c);
            if let Some(level) = label.level {
                tally.levels[c][usize::from(level)] += 1;
            }
            tally.sources[c][label.source as usize] += 1;
        }
        self.count_coherence(fact, tally);
    }

    /// Counts an active row into what rates and entropies are made of.
    fn count_core(&self, core: &mut Core, fact: &Fact, id: bool, think: bool, name: &str) {
        core.active += 1;
        core.id += u64::from(id);
        core.think += u64::from(think);
        core.action[usize::from(fact.action)] += 1;
        core.intent[usize::from(fact.intent)] += 1;
        if self.v6 {
            let here = || -> Option<First> { Some((name.to_string(), fact.year, fact.file, fact.line)) };
            let first = &mut core.first_action[usize::from(fact.action)];
            *first = first.take().or_else(here);
            let first = &mut core.first_intent[usize::from(fact.intent)];
            *first = first.take().or_else(here);
        }
    }

    fn count_coherence(&self, fact: &Fact, tally: &mut Tally) {
        let Some(coherence) = &self.pack.coherence else { return };
        let tally = &mut tally.coherence;
        if fact.intent >= self.pack.other() {
            tally.other_intent += 1;
            return;
        }
        if !coherence.constructs.iter().all(|&c| fact.labels.get(c).informed()) {
            tally.no_label += 1;
            return;
        }
        let levels: Levels =
            coherence.constructs.iter().map(|&c| fact.labels.get(c).level.unwrap_or_default()).collect();
        let fits = |masks: &Vec<u32>| masks.iter().zip(levels.iter()).all(|(mask, level)| mask >> level & 1 == 1);
        let Some((_, actions)) = coherence.entries.iter().find(|(masks, _)| fits(masks)) else {
            tally.no_rule += 1;
            return;
        };
        tally.intents[usize::from(fact.intent)] += 1;
        let cell = tally.cell(levels);
        cell.1 += 1;
        cell.2 += actions >> fact.intent & 1;
    }

    /// Adds a row to what its agent adds to rates and entropies; for the bootstrap and for scores of agents.
    pub(super) fn add_to_agent(&self, core: &mut Core, row: &Judged<'_>, name: &str) {
        if row.active == Some(true) {
            let breaks = |kind| self.pack.rules_of(kind).any(|(i, _)| row.broken >> i & 1 == 1);
            let (id, think) = (breaks(RuleKind::Feasibility), breaks(RuleKind::Thinking));
            self.count_core(core, row.fact, id, think, name);
        }
    }
}
