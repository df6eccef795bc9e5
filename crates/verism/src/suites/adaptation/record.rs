//! From the cells of a record to a fact: identity, values, labels.

use std::sync::{Arc, Mutex};

use rustc_hash::FxHashMap;

use super::action::{self, Desk, Named};
use super::discover::CellId;
use super::fact::{Fact, Known, Label, Labels, Marks, NO_RETRIES, NONE, Source, States};
use super::not_understood::{ACTION, CONSTRUCTS, INTENT, NotUnderstood};
use super::options::Params;
use super::pack::Pack;
use super::values;
use crate::error::Defect;
use crate::input::Sink;
use crate::suites::Shard;
use crate::text::normalize::{lookup_key, trim};

/// The columns that name a cell.
pub(super) const IDS: [&str; 3] = ["model", "group", "run"];

/// What every reader of a job needs: the pack, the options, and where each wanted column stands.
pub(super) struct Context<'a> {
    pub(super) pack: &'a Pack,
    pub(super) params: &'a Params,
    pub(super) shard: Option<Shard>,
    /// Names of the columns to read; the first three are the ids.
    pub(super) columns: Vec<String>,
    agent: usize,
    step: usize,
    /// Action, intent and proposal of each format.
    formats: Vec<(usize, Option<usize>, Option<usize>)>,
    states: Vec<usize>,
    constructs: Vec<usize>,
    intervention: Option<usize>,
    retries: Option<usize>,
    /// What readers learnt about short texts, for the next reader.
    memos: Mutex<Vec<Memo>>,
}

impl<'a> Context<'a> {
    pub(super) fn new(pack: &'a Pack, params: &'a Params, shard: Option<Shard>) -> Context<'a> {
        let mut columns: Vec<String> = IDS.map(String::from).to_vec();
        let mut place = |name: &String| {
            columns.iter().position(|column| column == name).unwrap_or_else(|| {
                columns.push(name.clone());
                columns.len() - 1
            })
        };
        let (agent, step) = (place(&pack.agent), place(&pack.step));
        let formats = pack
            .formats
            .iter()
            .map(|f| (place(&f.action), f.intent.as_ref().map(&mut place), f.proposed.as_ref().map(&mut place)))
            .collect();
        let states = pack.states.iter().map(|state| place(&state.column)).collect();
        let constructs = pack.constructs.iter().map(|construct| place(&construct.column)).collect();
        let intervention = pack.intervention.as_ref().map(&mut place);
        let retries = pack.retries.as_ref().map(&mut place);
        let memos = Mutex::default();
        Context { pack, params, shard, agent, step, formats, states, constructs, intervention, retries, memos, columns }
    }

    /// The format of a cell: declared by option or pack, else the first whose action column is there.
    ///
    /// `line` tells a JSON record, whose own keys decide, from the header of a file.
    pub(super) fn format(
        &self,
        group: &str,
        has: &dyn Fn(&str) -> bool,
        flat: bool,
        record: bool,
    ) -> Result<usize, Defect> {
        let formats = &self.pack.formats;
        let by_option = self.params.formats.get(group).and_then(|id| formats.iter().position(|f| f.id == *id));
        let Some(declared) = by_option.or_else(|| self.pack.group_formats.get(group).copied()) else {
            let mut fits = (0..formats.len()).filter(|&i| has(&formats[i].action));
            let Some(first) = fits.next() else {
                let code = if record { "missing_field" } else { "missing_column" };
                let names: Vec<&str> = formats.iter().map(|f| f.action.as_str()).collect();
                return Err(Defect::new(code, "an action column").field(names.join("|")));
            };
            if flat && fits.next().is_some() {
                let expected = format!("formats={group}:...");
                let hint =
                    format!("the table has several action columns; say --option formats={group}:{}", formats[0].id);
                return Err(Defect::new("ambiguous_format", expected).field(format!("group={group}")).hint(hint));
            }
            return Ok(first);
        };
        let format = &formats[declared];
        if !record && !has(&format.action) {
            let expected = format!("the action column of format {}", format.id);
            return Err(Defect::new("missing_column", expected).field(&format.action));
        }
        Ok(declared)
    }
}

/// What is known about the file that is being read.
pub(super) struct FileFacts {
    /// The one cell that all records belong to.
    pub(super) cell: Option<CellId>,
    /// Ids for which the file has no column.
    pub(super) ids: Option<CellId>,
    /// The columns; none for JSON lines.
    pub(super) columns: Option<Vec<String>>,
    /// The format of the one cell, where the header tells it.
    pub(super) format: Option<usize>,
}

/// The records of one cell in one format within a block.
pub(super) struct Stream {
    pub(super) cell: CellId,
    /// The format; or why the file has none for this cell.
    pub(super) format: Result<usize, Option<Defect>>,
}

/// A record that cannot be read: its line, the stream it belongs to if it has one, what is wrong.
pub(super) struct BadRecord {
    pub(super) line: u64,
    pub(super) stream: Option<u32>,
    /// Whether the record could be split into cells, so that its format is known.
    pub(super) split: bool,
    pub(super) defect: Defect,
}

/// The label of a text and the numbers of the cues that decided it.
type Read = (Label, Box<[u32]>);

/// What short texts were found to mean; kept from block to block.
#[derive(Default)]
struct Memo {
    done: Vec<FxHashMap<Box<str>, Named>>,
    said: Vec<FxHashMap<Box<str>, Named>>,
    labels: Vec<FxHashMap<Box<str>, Read>>,
    desk: Desk,
}

/// Texts up to this length are remembered, up to this many of each kind.
const SHORT: usize = 40;
const REMEMBERED: usize = 4096;

/// Reads the records of a block into facts.
pub(super) struct Block<'a> {
    context: &'a Context<'a>,
    file: Arc<FileFacts>,
    memo: Memo,
    /// Facts whose `cell` is the number of a stream, whose `agent` and `cues` number the lists below.
    pub(super) facts: Vec<Fact>,
    pub(super) streams: Vec<Stream>,
    pub(super) agents: Vec<Box<str>>,
    pub(super) cues: Vec<Box<[u32]>>,
    pub(super) bad: Vec<BadRecord>,
    /// Records with half of a surrogate pair.
    pub(super) cut_off: u64,
    /// Records of cells that the declared axes leave out.
    pub(super) ignored: Vec<(CellId, u64)>,
    /// Exit states filled by any record of a stream, in any share: bits of states.
    pub(super) exits: Vec<u32>,
    /// Streams by the hash of their cell.
    stream_numbers: FxHashMap<u64, Vec<u32>>,
    last_stream: usize,
    agent_numbers: FxHashMap<Box<str>, u32>,
    cue_numbers: FxHashMap<Box<[u32]>, u32>,
    row_cues: Vec<u32>,
    /// Texts that no label was found for.
    pub(super) not_understood: NotUnderstood,
}

impl Drop for Block<'_> {
    fn drop(&mut self) {
        if let Ok(mut memos) = self.context.memos.lock() {
            memos.push(std::mem::take(&mut self.memo));
        }
    }
}

impl<'a> Block<'a> {
    pub(super) fn new(context: &'a Context<'a>, file: Arc<FileFacts>) -> Block<'a> {
        let memo = context.memos.lock().ok().and_then(|mut memos| memos.pop());
        let mut memo = memo.unwrap_or_default();
        memo.done.resize_with(context.pack.formats.len(), FxHashMap::default);
        memo.said.resize_with(context.pack.formats.len(), FxHashMap::default);
        memo.labels.resize_with(context.pack.constructs.len(), FxHashMap::default);
        Block {
            context,
            file,
            memo,
            facts: vec![],
            streams: vec![],
            agents: vec![],
            cues: vec![Box::default()],
            bad: vec![],
            cut_off: 0,
            ignored: vec![],
            exits: vec![],
            stream_numbers: FxHashMap::default(),
            last_stream: 0,
            agent_numbers: FxHashMap::default(),
            cue_numbers: FxHashMap::default(),
            row_cues: vec![],
            not_understood: NotUnderstood::default(),
        }
    }

    /// The stream that a record belongs to; none if it is left out or belongs nowhere.
    fn stream(&mut self, line: u64, cells: &[Option<&str>]) -> Option<u32> {
        if self.streams.len() == 1 && self.file.cell.is_some() && self.file.columns.is_some() {
            return Some(0);
        }
        let file = self.file.clone();
        let id = |i: usize| match (&file.cell, cells[i], &file.ids) {
            (Some(cell), _, _) => cell[i].as_str(),
            (None, Some(text), _) => trim(text),
            (None, None, Some(ids)) => ids[i].as_str(),
            (None, None, None) => "",
        };
        let ids = [id(0), id(1), id(2)];
        if let Some(i) = ids.iter().position(|id| id.is_empty()) {
            let defect = Defect::new("missing_field", "a non-empty id").field(IDS[i]).value("");
            self.bad.push(BadRecord { line, stream: None, split: true, defect });
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
            if let Some(number) = self.find_stream(&ids, |_| true) {
                return Some(number);
            }
            let has = |name: &str| file.columns.as_ref().is_some_and(|columns| columns.iter().any(|c| c == name));
            let format = match file.format {
                Some(format) => Ok(format),
                None => self.context.format(ids[1], &has, true, false).map_err(|defect| Some(defect.line(1))),
            };
            return Some(self.open(Stream { cell: owned(), format }));
        }
        let has = |name: &str| self.context.columns.iter().position(|c| c == name).is_some_and(|i| cells[i].is_some());
        let flat = file.cell.is_none() && cells[..3].iter().any(Option::is_some);
        let format = self.context.format(ids[1], &has, flat, true);
        let number = match self.find_stream(&ids, |stream| stream.format.as_ref().ok() == format.as_ref().ok()) {
            Some(number) => number,
            None => {
                let format = format.as_ref().map(|&f| f).map_err(|_| None);
                self.open(Stream { cell: owned(), format })
            }
        };
        if let Err(defect) = format {
            self.bad.push(BadRecord { line, stream: Some(number), split: true, defect });
            return None;
        }
        Some(number)
    }

    /// The stream of a cell that also fits otherwise; rows of a cell nearly always follow each other.
    fn find_stream(&mut self, ids: &[&str; 3], fits: impl Fn(&Stream) -> bool) -> Option<u32> {
        let same = |number: usize| self.streams.get(number).is_some_and(|stream| stream.cell == *ids && fits(stream));
        if !same(self.last_stream) {
            let numbers = self.stream_numbers.get(&stable_hash(ids.iter().copied()))?;
            self.last_stream = *numbers.iter().find(|&&number| same(number as usize))? as usize;
        }
        Some(self.last_stream as u32)
    }

    fn open(&mut self, stream: Stream) -> u32 {
        let hash = stable_hash(stream.cell.iter().map(String::as_str));
        self.stream_numbers.entry(hash).or_default().push(self.streams.len() as u32);
        self.streams.push(stream);
        self.exits.push(0);
        self.streams.len() as u32 - 1
    }

    /// The fact of a record whose cell and format are known.
    fn fact(&mut self, line: u64, stream: u32, format: usize, cells: &[Option<&str>]) -> Result<Option<Fact>, Defect> {
        let Context { pack, shard, .. } = *self.context;
        let cell = |i: usize| cells[i].unwrap_or("");
        let agent = trim(cell(self.context.agent));
        if agent.is_empty() {
            return Err(Defect::new("missing_field", "a non-empty id").field(&pack.agent).value(""));
        }
        let year = values::step(pack, cell(self.context.step), &pack.step)?;
        let mut after = States::default();
        for (i, state) in pack.states.iter().enumerate() {
            let known = Known::of(values::flag(pack, cell(self.context.states[i]), &state.column)?);
            after.set(i, known);
        }
        let intervened = match (self.context.intervention, &pack.intervention) {
            (Some(i), Some(column)) => values::flag(pack, cell(i), column)?,
            _ => None,
        };
        let retries = match (self.context.retries, &pack.retries) {
            (Some(i), Some(column)) => values::count(pack, cell(i), column)?,
            _ => None,
        };
        for (i, state) in pack.states.iter().enumerate() {
            if state.exit && after.get(i) != Known::No {
                self.exits[stream as usize] |= 1 << i;
            }
        }
        if let Some(shard) = shard
            && share_of(&self.streams[stream as usize].cell, agent, shard.count) != shard.index
        {
            return Ok(None);
        }
        let (action_at, intent_at, proposed_at) = self.context.formats[format];
        let done = self.done(format, cell(action_at));
        self.note(ACTION, done, cell(action_at));
        let mut intent = done;
        let mut fallback = false;
        if let Some(at) = intent_at
            && done.label != NONE
        {
            let said = self.said(format, cell(at));
            self.note(INTENT, said, cell(at));
            fallback = said.label == NONE;
            intent = if fallback { done } else { said };
        }
        let proposed = proposed_at.map_or(NONE, |at| self.said(format, cell(at)).label);
        let labels = self.labels(cells);
        for i in 0..pack.constructs.len() {
            let text = cell(self.context.constructs[i]);
            match labels.get(i).source {
                Source::Missing => {}
                Source::Default => self.not_understood.unknown(CONSTRUCTS + i, text),
                _ => self.not_understood.understood(CONSTRUCTS + i),
            }
        }
        let cues = if self.may_break(intent.label, labels) { self.cue_number() } else { 0 };
        Ok(Some(Fact {
            year,
            line,
            retries: retries.unwrap_or(NO_RETRIES),
            labels,
            cell: stream,
            agent: self.agent_number(agent),
            file: 0,
            cues,
            after,
            action: done.label,
            intent: intent.label,
            proposed,
            marks: Marks::new(intent.why, fallback, Known::of(intervened)),
        }))
    }

    /// Notes whether a text was understood; a placeholder is no text.
    fn note(&mut self, at: usize, named: Named, text: &str) {
        match named.label {
            NONE => {}
            label if label == self.context.pack.other() => self.not_understood.unknown(at, text),
            _ => self.not_understood.understood(at),
        }
    }

    fn done(&mut self, format: usize, text: &str) -> Named {
        let Memo { done, desk, .. } = &mut self.memo;
        let pack = self.context.pack;
        remember(&mut done[format], text, || action::done(pack, &pack.formats[format], text, desk))
    }

    fn said(&mut self, format: usize, text: &str) -> Named {
        let Memo { said, desk, .. } = &mut self.memo;
        let pack = self.context.pack;
        remember(&mut said[format], text, || action::said(pack, &pack.formats[format], text, desk))
    }

    /// The labels of all constructs; what decided them is left in `row_cues`: for each construct a count and the cues.
    fn labels(&mut self, cells: &[Option<&str>]) -> Labels {
        let pack = self.context.pack;
        let mut labels = Labels::default();
        self.row_cues.clear();
        for (i, construct) in pack.constructs.iter().enumerate() {
            let text = cells[self.context.constructs[i]].unwrap_or("");
            let Memo { labels: known, desk, .. } = &mut self.memo;
            if text.len() <= SHORT
                && let Some((label, cues)) = known[i].get(text)
            {
                labels.set(i, *label);
                self.row_cues.push(cues.len() as u32);
                self.row_cues.extend_from_slice(cues);
                continue;
            }
            let count_at = self.row_cues.len();
            self.row_cues.push(0);
            let label = if is_missing(pack, text) {
                Label { level: None, source: Source::Missing }
            } else {
                desk.words.read(text);
                construct.label(&pack.negation, desk, &mut self.row_cues)
            };
            self.row_cues[count_at] = (self.row_cues.len() - count_at - 1) as u32;
            labels.set(i, label);
            if text.len() <= SHORT && known[i].len() < REMEMBERED {
                known[i].insert(text.into(), (label, self.row_cues[count_at + 1..].into()));
            }
        }
        labels
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

/// Whether a text means that there is none. Every letter of it would be in its key: one with more letters than the
/// longest word for missing is spared the look-up.
fn is_missing(pack: &Pack, text: &str) -> bool {
    let letters = text.bytes().filter(u8::is_ascii_alphanumeric);
    letters.take(pack.longest_missing + 1).count() <= pack.longest_missing && pack.missing.contains(&lookup_key(text))
}

/// The share (from 1 on) that an agent of a cell belongs to.
pub(super) fn share_of(cell: &CellId, agent: &str, count: u32) -> u32 {
    (stable_hash(cell.iter().map(String::as_str).chain([agent])) % u64::from(count)) as u32 + 1
}

/// FNV-1a over texts and the borders between them: the same on every machine.
fn stable_hash<'t>(texts: impl Iterator<Item = &'t str>) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    texts.fold(0xcbf2_9ce4_8422_2325, |hash, text| step(text.bytes().fold(hash, step), 0xff))
}

/// What a text was found to mean before, or is found now.
fn remember(known: &mut FxHashMap<Box<str>, Named>, text: &str, find: impl FnOnce() -> Named) -> Named {
    if text.len() > SHORT {
        return find();
    }
    if let Some(&named) = known.get(text) {
        return named;
    }
    let named = find();
    if known.len() < REMEMBERED {
        known.insert(text.into(), named);
    }
    named
}

impl Sink for Block<'_> {
    fn record(&mut self, line: u64, cells: &[Option<&str>]) {
        let Some(stream) = self.stream(line, cells) else { return };
        let Ok(format) = self.streams[stream as usize].format else { return };
        match self.fact(line, stream, format, cells) {
            Ok(fact) => self.facts.extend(fact),
            Err(defect) => self.bad.push(BadRecord { line, stream: Some(stream), split: true, defect }),
        }
    }

    fn cut_off(&mut self, _line: u64) {
        self.cut_off += 1;
    }

    fn defect(&mut self, line: u64, defect: Defect) {
        // A record that cannot be split belongs to the file's one cell, if it has one.
        let file = self.file.clone();
        let stream = file.cell.as_ref().map(|cell| {
            let format = file.format;
            match self
                .find_stream(&[&cell[0], &cell[1], &cell[2]], |stream| stream.format.as_ref().ok() == format.as_ref())
            {
                Some(number) => number,
                None => self.open(Stream { cell: cell.clone(), format: format.ok_or(None) }),
            }
        });
        self.bad.push(BadRecord { line, stream, split: false, defect });
    }
}
