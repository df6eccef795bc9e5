//! From the fields of a record to a row: identity, values, labels.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::action::FoundAction;
use super::context::{Context, FileShape};
use super::discover::{CellId, IDS};
use super::memo::MeaningCache;
use super::not_understood::{ACTION, CONSTRUCTS, INTENT, NotUnderstood};
use super::values;
use crate::error::Defect;
use crate::input::Sink;
use crate::suites::adaptation::row::{Flag, Labels, LogRow, Marks, NO_RETRIES, NONE, Source, States};
use crate::text::normalize::trim;

/// The records of one cell in one format within a block.
pub(crate) struct Section {
    pub(crate) cell: CellId,
    /// The format; or why the file has none for this cell.
    pub(crate) format: Result<usize, Option<Defect>>,
}

/// A record that cannot be read: its line, the section it belongs to if it has one, what is wrong.
pub(crate) struct BadRecord {
    pub(crate) line: u64,
    pub(crate) section: Option<u32>,
    /// Whether the record could be split into fields, so that its format is known.
    pub(crate) split: bool,
    pub(crate) defect: Defect,
}

/// Reads the records of a block into rows.
pub(crate) struct Block<'a> {
    context: &'a Context<'a>,
    file: Arc<FileShape>,
    memo: MeaningCache,
    /// Rows whose `cell` is the number of a section, whose `agent` and `cues` number the lists below.
    pub(crate) rows: Vec<LogRow>,
    pub(crate) sections: Vec<Section>,
    pub(crate) agents: Vec<Box<str>>,
    pub(crate) cues: Vec<Box<[u32]>>,
    pub(crate) bad: Vec<BadRecord>,
    /// Records with half of a surrogate pair.
    pub(crate) cut_off: u64,
    /// Records of cells that the declared axes leave out.
    pub(crate) ignored: Vec<(CellId, u64)>,
    /// Sections by the hash of their cell.
    section_numbers: FxHashMap<u64, Vec<u32>>,
    last_section: usize,
    agent_numbers: FxHashMap<Box<str>, u32>,
    cue_numbers: FxHashMap<Box<[u32]>, u32>,
    row_cues: Vec<u32>,
    /// Texts that no label was found for.
    pub(crate) not_understood: NotUnderstood,
}

impl Drop for Block<'_> {
    fn drop(&mut self) {
        if let Ok(mut memos) = self.context.memos.lock() {
            memos.push(std::mem::take(&mut self.memo));
        }
    }
}

impl<'a> Block<'a> {
    pub(crate) fn new(context: &'a Context<'a>, file: Arc<FileShape>) -> Block<'a> {
        let memo = context.memos.lock().ok().and_then(|mut memos| memos.pop());
        let memo = memo.unwrap_or_else(|| MeaningCache::new(context.pack));
        Block {
            context,
            file,
            memo,
            rows: vec![],
            sections: vec![],
            agents: vec![],
            cues: vec![Box::default()],
            bad: vec![],
            cut_off: 0,
            ignored: vec![],
            section_numbers: FxHashMap::default(),
            last_section: 0,
            agent_numbers: FxHashMap::default(),
            cue_numbers: FxHashMap::default(),
            row_cues: vec![],
            not_understood: NotUnderstood::default(),
        }
    }

    /// The section that a record belongs to; none if it is left out or belongs nowhere.
    fn section(&mut self, line: u64, fields: &[Option<&str>]) -> Option<u32> {
        if self.sections.len() == 1 && self.file.cell.is_some() && self.file.columns.is_some() {
            return Some(0);
        }
        let file = self.file.clone();
        let id = |i: usize| match (&file.cell, fields[i], &file.ids) {
            (Some(cell), _, _) => cell[i].as_str(),
            (None, Some(text), _) => trim(text),
            (None, None, Some(ids)) => ids[i].as_str(),
            (None, None, None) => "",
        };
        let ids = [id(0), id(1), id(2)];
        if let Some(i) = ids.iter().position(|id| id.is_empty()) {
            let defect = Defect::new("missing_field", "a non-empty id").field(IDS[i]).value("");
            self.bad.push(BadRecord { line, section: None, split: true, defect });
            return None;
        }
        let owned = || ids.map(String::from);
        if file.cell.is_none() && !self.context.params.wants(&owned()) {
            match self.ignored.iter_mut().find(|(cell, _)| *cell == ids) {
                Some((_, count)) => *count += 1,
                None => self.ignored.push((owned(), 1)),
            }
            return None;
        }
        if file.columns.is_some() {
            if let Some(number) = self.find_section(&ids, |_| true) {
                return Some(number);
            }
            let has = |name: &str| file.columns.as_ref().is_some_and(|columns| columns.iter().any(|c| c == name));
            let format = match file.format {
                Some(format) => Ok(format),
                None => self.context.format(ids[1], &has, true, false).map_err(|defect| Some(defect.line(1))),
            };
            return Some(self.open(Section { cell: owned(), format }));
        }
        let has = |name: &str| self.context.columns.iter().position(|c| c == name).is_some_and(|i| fields[i].is_some());
        let flat = file.cell.is_none() && fields[..3].iter().any(Option::is_some);
        let format = self.context.format(ids[1], &has, flat, true);
        let number = match self.find_section(&ids, |section| section.format.as_ref().ok() == format.as_ref().ok()) {
            Some(number) => number,
            None => {
                let format = format.as_ref().map(|&f| f).map_err(|_| None);
                self.open(Section { cell: owned(), format })
            }
        };
        if let Err(defect) = format {
            self.bad.push(BadRecord { line, section: Some(number), split: true, defect });
            return None;
        }
        Some(number)
    }

    /// The section of a cell that also fits otherwise; rows of a cell nearly always follow each other.
    fn find_section(&mut self, ids: &[&str; 3], fits: impl Fn(&Section) -> bool) -> Option<u32> {
        let same =
            |number: usize| self.sections.get(number).is_some_and(|section| section.cell == *ids && fits(section));
        if !same(self.last_section) {
            let numbers = self.section_numbers.get(&stable_hash(ids.iter().copied()))?;
            self.last_section = *numbers.iter().find(|&&number| same(number as usize))? as usize;
        }
        Some(self.last_section as u32)
    }

    fn open(&mut self, section: Section) -> u32 {
        let hash = stable_hash(section.cell.iter().map(String::as_str));
        self.section_numbers.entry(hash).or_default().push(self.sections.len() as u32);
        self.sections.push(section);
        self.sections.len() as u32 - 1
    }

    /// The row of a record whose cell and format are known; none if another shard has it.
    fn row(
        &mut self,
        line: u64,
        section: u32,
        format: usize,
        fields: &[Option<&str>],
    ) -> Result<Option<LogRow>, Defect> {
        let Context { pack, shard, .. } = *self.context;
        let field = |i: usize| fields[i].unwrap_or("");
        let agent = trim(field(self.context.agent));
        if agent.is_empty() {
            return Err(Defect::new("missing_field", "a non-empty id").field(&pack.agent).value(""));
        }
        let year = values::step(pack, field(self.context.step), &pack.step)?;
        let mut after = States::default();
        for (i, state) in pack.states.iter().enumerate() {
            let known = Flag::of(values::flag(pack, field(self.context.states[i]), &state.column)?);
            after.set(i, known);
        }
        let intervened = match (self.context.intervention, &pack.intervention) {
            (Some(i), Some(column)) => values::flag(pack, field(i), column)?,
            _ => None,
        };
        let retries = match (self.context.retries, &pack.retries) {
            (Some(i), Some(column)) => values::count(pack, field(i), column)?,
            _ => None,
        };
        if let Some(shard) = shard
            && shard_of(&self.sections[section as usize].cell, agent, shard.count) != shard.index
        {
            return Ok(None);
        }
        let (action_at, intent_at, proposed_at) = self.context.formats[format];
        let done = self.memo.done(pack, format, field(action_at));
        self.note(ACTION, done, field(action_at));
        let mut intent = done;
        let mut fallback = false;
        if let Some(at) = intent_at
            && done.label != NONE
        {
            let said = self.memo.said(pack, format, field(at));
            self.note(INTENT, said, field(at));
            fallback = said.label == NONE;
            intent = if fallback { done } else { said };
        }
        let proposed = proposed_at.map_or(NONE, |at| self.memo.said(pack, format, field(at)).label);
        let labels = self.labels(fields);
        self.note_labels(labels, fields);
        let cues = if self.may_break(intent.label, labels) { self.cue_number() } else { 0 };
        Ok(Some(LogRow {
            year,
            line,
            retries: retries.unwrap_or(NO_RETRIES),
            labels,
            cell: section,
            agent: self.agent_number(agent),
            file: 0,
            cues,
            after,
            action: done.label,
            intent: intent.label,
            proposed,
            marks: Marks::new(intent.why, fallback, Flag::of(intervened)),
        }))
    }

    /// The labels of all constructs; what decided them is left in `row_cues`: for each construct a count and the cues.
    fn labels(&mut self, fields: &[Option<&str>]) -> Labels {
        let mut labels = Labels::default();
        self.row_cues.clear();
        for (i, &column) in self.context.constructs.iter().enumerate() {
            let text = fields[column].unwrap_or("");
            labels.set(i, self.memo.label(self.context.pack, i, text, &mut self.row_cues));
        }
        labels
    }

    /// Notes whether a text was understood; a placeholder is not text.
    fn note(&mut self, at: usize, named: FoundAction, text: &str) {
        match named.label {
            NONE => {}
            label if label == self.context.pack.other() => self.not_understood.unknown(at, text),
            _ => self.not_understood.understood(at),
        }
    }

    /// Notes of each construct whether its text was understood.
    fn note_labels(&mut self, labels: Labels, fields: &[Option<&str>]) {
        for (i, &column) in self.context.constructs.iter().enumerate() {
            match labels.get(i).source {
                Source::Missing => {}
                Source::Default => self.not_understood.unknown(CONSTRUCTS + i, fields[column].unwrap_or("")),
                _ => self.not_understood.understood(CONSTRUCTS + i),
            }
        }
    }

    /// Whether the row breaks a rule under some state: only then its cues may be asked for.
    fn may_break(&self, intent: u8, labels: Labels) -> bool {
        intent < self.context.pack.other()
            && self.context.pack.rules.iter().any(|rule| {
                rule.actions >> intent & 1 == 1
                    && rule
                        .construct
                        .is_none_or(|(c, levels)| labels.get(c).level.is_some_and(|l| levels >> l & 1 == 1))
            })
    }

    fn cue_number(&mut self) -> u32 {
        if let Some(&number) = self.cue_numbers.get(self.row_cues.as_slice()) {
            return number;
        }
        let number = self.cues.len() as u32;
        self.cues.push(self.row_cues.as_slice().into());
        self.cue_numbers.insert(self.row_cues.as_slice().into(), number);
        number
    }

    fn agent_number(&mut self, agent: &str) -> u32 {
        if let Some(&number) = self.agent_numbers.get(agent) {
            return number;
        }
        let number = self.agents.len() as u32;
        self.agents.push(agent.into());
        self.agent_numbers.insert(agent.into(), number);
        number
    }
}

/// The shard (from 1 on) that an agent of a cell belongs to.
pub(crate) fn shard_of(cell: &CellId, agent: &str, count: u32) -> u32 {
    (stable_hash(cell.iter().map(String::as_str).chain([agent])) % u64::from(count)) as u32 + 1
}

/// FNV-1a over texts and the borders between them: the same on every machine.
fn stable_hash<'t>(texts: impl Iterator<Item = &'t str>) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    texts.fold(0xcbf2_9ce4_8422_2325, |hash, text| step(text.bytes().fold(hash, step), 0xff))
}

impl Sink for Block<'_> {
    fn record(&mut self, line: u64, fields: &[Option<&str>]) {
        let Some(section) = self.section(line, fields) else { return };
        let Ok(format) = self.sections[section as usize].format else { return };
        match self.row(line, section, format, fields) {
            Ok(row) => self.rows.extend(row),
            Err(defect) => self.bad.push(BadRecord { line, section: Some(section), split: true, defect }),
        }
    }

    fn cut_off(&mut self, _line: u64) {
        self.cut_off += 1;
    }

    fn defect(&mut self, line: u64, defect: Defect) {
        // A record that cannot be split belongs to the file's one cell, if it has one.
        let file = self.file.clone();
        let section = file.cell.as_ref().map(|cell| {
            let format = file.format;
            match self.find_section(&[&cell[0], &cell[1], &cell[2]], |section| {
                section.format.as_ref().ok() == format.as_ref()
            }) {
                Some(number) => number,
                None => self.open(Section { cell: cell.clone(), format: format.ok_or(None) }),
            }
        });
        self.bad.push(BadRecord { line, section, split: false, defect });
    }
}
