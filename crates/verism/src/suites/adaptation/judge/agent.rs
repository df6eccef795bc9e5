//! The judgement of an agent's rows in the order of years: active or not, which rules are broken, what came of it.

use super::tally::{FIRST_EVENTS, FirstSeen, Levels, RowTally, Tally};
use crate::suites::adaptation::pack::{Pack, RuleKind};
use crate::suites::adaptation::published::rules::Reading;
use crate::suites::adaptation::row::{Flag, LogRow, NO_RETRIES, NONE, Source, States};

/// A row with its judgement.
pub(crate) struct Judged<'r> {
    pub(crate) row: &'r LogRow,
    /// States before the year.
    pub(crate) before: States,
    /// Why the row is not active; none if it is.
    pub(crate) excluded: Option<Excluded>,
    /// Rules whose condition holds, as bits.
    exposed: u32,
    /// Rules that are broken, as bits.
    pub(crate) broken: u32,
    /// Place in [`super::tally::STATUSES`].
    pub(crate) status: usize,
}

/// Why a row is not active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Excluded {
    /// There is no action, only a word that stands for none.
    Placeholder,
    /// The agent left in an earlier year.
    Exited,
}

impl Excluded {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Excluded::Placeholder => "placeholder",
            Excluded::Exited => "exited",
        }
    }
}

const EXECUTED: usize = 0;
const REJECTED: usize = 1;
const NO_OP: usize = 2;
const UNDETERMINED: usize = 3;

impl Judged<'_> {
    /// Whether it breaks a rule of a kind.
    fn breaks(&self, pack: &Pack, kind: RuleKind) -> bool {
        self.broken != 0 && pack.rules_of(kind).any(|(i, _)| self.broken >> i & 1 == 1)
    }
}

/// How rows are judged: as if every exit state that matters were known. Whether it is, the finished tally tells.
pub(crate) struct Judge<'p> {
    pack: &'p Pack,
    reading: Reading,
    exits: Vec<usize>,
}

impl<'p> Judge<'p> {
    pub(crate) fn new(pack: &'p Pack, reading: Reading) -> Judge<'p> {
        Judge { pack, reading, exits: pack.exits().collect() }
    }

    /// Judges the rows of one agent in order, each once, and tallies them. `each` sees every row.
    pub(crate) fn agent(&self, rows: &[LogRow], name: &str, tally: &mut Tally, each: &mut dyn FnMut(&Judged<'_>)) {
        let mut known = self.reading.first_states(self.pack);
        for (i, row) in rows.iter().enumerate() {
            let before = self.remember(row, &mut known, tally);
            let judged = self.row(row, before);
            self.count(&judged, i == 0, name, tally);
            each(&judged);
        }
    }

    /// Updates what is known of the agent by a row and gives the states before it.
    fn remember(&self, row: &LogRow, known: &mut States, tally: &mut Tally) -> States {
        let mut before = *known;
        for (i, state) in self.pack.states.iter().enumerate() {
            let now = row.after.get(i);
            if now != Flag::Unknown {
                tally.state_filled[i] += 1;
            }
            if !self.reading.remembers_states() {
                known.set(i, now);
                continue;
            }
            let held = |known: &States| state.irreversible && known.get(i) == Flag::True;
            if state.observed_before && now != Flag::Unknown && !held(known) {
                known.set(i, now);
                before.set(i, now);
            }
            if held(known) && now == Flag::False {
                tally.reversals[i] += 1;
            }
            if !state.observed_before && now != Flag::Unknown && !held(known) {
                known.set(i, now);
            }
        }
        before
    }

    fn row<'r>(&self, row: &'r LogRow, before: States) -> Judged<'r> {
        let exited = self.exits.iter().any(|&exit| before.get(exit) == Flag::True);
        let excluded = match row.action {
            NONE => Some(Excluded::Placeholder),
            _ if exited => Some(Excluded::Exited),
            _ => None,
        };
        if excluded.is_some() {
            return Judged { row, before, excluded, exposed: 0, broken: 0, status: UNDETERMINED };
        }
        let (mut exposed, mut broken) = (0, 0);
        for (i, rule) in self.pack.rules.iter().enumerate() {
            let state = rule.state.is_none_or(|(state, is)| before.get(state) == Flag::of(Some(is)));
            let level = |c: usize| row.labels.get(c).level;
            let holds =
                state && rule.construct.is_none_or(|(c, levels)| level(c).is_some_and(|l| levels >> l & 1 == 1));
            exposed |= u32::from(holds) << i;
            let breaks = holds && row.intent < self.pack.other() && rule.actions >> row.intent & 1 == 1;
            broken |= u32::from(breaks) << i;
        }
        Judged { row, before, excluded, exposed, broken, status: self.status(row, before) }
    }

    /// What came of an intent, as far as the states tell.
    fn status(&self, row: &LogRow, before: States) -> usize {
        let Some(effect) = self.pack.actions.get(usize::from(row.intent)).and_then(|action| action.effect.as_ref())
        else {
            return UNDETERMINED;
        };
        if effect.iter().any(|&s| row.after.get(s) == Flag::Unknown) {
            return UNDETERMINED;
        }
        if effect.iter().any(|&s| row.after.get(s) == Flag::False) {
            return REJECTED;
        }
        let already = |s: &usize| self.pack.states[*s].irreversible && before.get(*s) == Flag::True;
        if effect.iter().any(already) { NO_OP } else { EXECUTED }
    }

    fn count(&self, judged: &Judged<'_>, first: bool, name: &str, tally: &mut Tally) {
        let row = judged.row;
        self.count_row(row, tally);
        let year = tally.years.entry(row.year).or_insert_with(|| RowTally::new(self.pack, self.reading));
        match judged.excluded {
            Some(Excluded::Placeholder) => tally.placeholder += 1,
            Some(Excluded::Exited) => tally.exited += 1,
            None => {
                let id = judged.breaks(self.pack, RuleKind::Feasibility);
                let think = judged.breaks(self.pack, RuleKind::Thinking);
                count_core(year, row, id, think, name);
                count_core(&mut tally.core, row, id, think, name);
                tally.first_active += u64::from(first);
                self.count_active(judged, id, think, name, tally);
            }
        }
    }

    /// Counts what is counted over all valid rows.
    fn count_row(&self, row: &LogRow, tally: &mut Tally) {
        tally.rows += 1;
        match row.marks.intervened() {
            Flag::Unknown => {}
            known => {
                tally.intervention_filled += 1;
                tally.interventions += u64::from(known == Flag::True);
            }
        }
        if row.retries != NO_RETRIES {
            tally.retries_filled += 1;
            tally.retry_rows += u64::from(row.retries > 0);
            tally.retry_sum += u128::from(row.retries);
        }
        for (i, filled) in tally.construct_filled.iter_mut().enumerate() {
            *filled += u64::from(row.labels.get(i).source != Source::Missing);
        }
    }

    /// Counts what is counted over active rows besides rates and entropies.
    fn count_active(&self, judged: &Judged<'_>, id: bool, think: bool, name: &str, tally: &mut Tally) {
        let (pack, row) = (self.pack, judged.row);
        for (i, broken) in tally.broken.iter_mut().enumerate() {
            tally.exposed[i] += u64::from(judged.exposed >> i & 1);
            broken[judged.status] += u64::from(judged.broken >> i & 1);
        }
        tally.status[judged.status] += 1;
        tally.id_status[judged.status] += u64::from(id);
        tally.think_status[judged.status] += u64::from(think);
        if row.proposed != NONE {
            tally.with_proposal += 1;
            tally.substituted += u64::from(row.proposed != row.action);
        }
        for (wanted, events) in [(id, &mut tally.first_id), (think, &mut tally.first_think)] {
            if wanted && events.len() < FIRST_EVENTS {
                events.push((name.to_string(), row.year));
            }
        }
        let read = |c: usize| row.labels.get(c).informed();
        let needed = || pack.rules.iter().filter_map(|rule| rule.construct.map(|(c, _)| c));
        tally.informed += u64::from(needed().all(read));
        for c in 0..pack.constructs.len() {
            let label = row.labels.get(c);
            if let Some(level) = label.level {
                tally.levels[c][usize::from(level)] += 1;
            }
            tally.sources[c][label.source as usize] += 1;
        }
        self.count_coherence(row, tally);
    }

    fn count_coherence(&self, row: &LogRow, tally: &mut Tally) {
        let Some(coherence) = &self.pack.coherence else { return };
        let tally = &mut tally.coherence;
        if row.intent >= self.pack.other() {
            tally.other_intent += 1;
            return;
        }
        if !coherence.constructs.iter().all(|&c| row.labels.get(c).informed()) {
            tally.no_label += 1;
            return;
        }
        let levels: Levels =
            coherence.constructs.iter().map(|&c| row.labels.get(c).level.unwrap_or_default()).collect();
        let fits = |masks: &Vec<u32>| masks.iter().zip(levels.iter()).all(|(mask, level)| mask >> level & 1 == 1);
        let Some((_, actions)) = coherence.entries.iter().find(|(masks, _)| fits(masks)) else {
            tally.no_rule += 1;
            return;
        };
        tally.intents[usize::from(row.intent)] += 1;
        let entry = tally.entry(levels);
        entry.1 += 1;
        entry.2 += actions >> row.intent & 1;
    }

    /// Adds a row to what its agent adds to rates and entropies; for the bootstrap and for scores of agents.
    pub(crate) fn add_to_agent(&self, core: &mut RowTally, judged: &Judged<'_>, name: &str) {
        if judged.excluded.is_none() {
            let breaks = |kind| judged.breaks(self.pack, kind);
            count_core(core, judged.row, breaks(RuleKind::Feasibility), breaks(RuleKind::Thinking), name);
        }
    }
}

/// Counts an active row into what rates and entropies are made of.
fn count_core(core: &mut RowTally, row: &LogRow, id: bool, think: bool, name: &str) {
    core.active += 1;
    core.id += u64::from(id);
    core.think += u64::from(think);
    core.action[usize::from(row.action)] += 1;
    core.intent[usize::from(row.intent)] += 1;
    if core.keeps_order() {
        let here = || -> Option<FirstSeen> { Some((name.to_string(), row.year, row.file, row.line)) };
        let first = &mut core.first_action[usize::from(row.action)];
        *first = first.take().or_else(here);
        let first = &mut core.first_intent[usize::from(row.intent)];
        *first = first.take().or_else(here);
    }
}
