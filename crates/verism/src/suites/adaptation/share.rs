//! Shares of a job: what one process counts, written down and joined again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::axes::Order;
use super::collect::{Cell, MIXED};
use super::complaints::Complaints;
use super::discover::CellId;
use super::ground::Ground;
use super::not_understood::NotUnderstood;
use super::options::Params;
use super::pack::{FLOOD, Pack};
use super::run::Judgement;
use super::{ID, conclude};
use crate::error::Result;
use crate::score::manifest::{InputFacts, Manifest};
use crate::score::output::Output;
use crate::suites::shares::{check, read_share};
use crate::suites::{Report, Shard};

/// Everything that was counted, whole or in part.
pub(super) struct Share {
    pub(super) cells: BTreeMap<CellId, Cell>,
    pub(super) complaints: Complaints,
    pub(super) ignored: BTreeMap<String, u64>,
    pub(super) folders: BTreeSet<Vec<String>>,
    pub(super) inputs: Vec<InputFacts>,
    pub(super) events: u64,
    /// Text of a pack that is not built in.
    pub(super) pack_text: Option<String>,
    pub(super) not_understood: NotUnderstood,
}

/// What a share's folder says about itself besides the tallies.
#[derive(Serialize, Deserialize)]
struct Head {
    params: Params,
    /// Text of a pack that is not built in.
    pack: Option<String>,
    pack_file: String,
    ignored: BTreeMap<String, u64>,
    folders: BTreeSet<Vec<String>>,
    events: u64,
    warnings: Vec<String>,
    not_understood: NotUnderstood,
}

const HEAD: &str = "share.json";
const TALLIES: &str = "tallies.jsonl";
const COMPLAINTS: &str = "complaints.jsonl";
/// Rows that only the share sees to which their agent belongs: repeated ones, and those of another format than the cell.
const OF_OWNERS: [&str; 2] = ["duplicate_agent_year", MIXED];

impl Share {
    /// The share of a judgement. All shares see all records; what is wrong with records is booked by the first alone.
    pub(super) fn new(
        shard: Option<Shard>,
        judgement: Judgement,
        folders: BTreeSet<Vec<String>>,
        pack_text: Option<String>,
    ) -> Share {
        let Judgement { mut cells, complaints, mut ignored, inputs, events, not_understood, .. } = judgement;
        if shard.is_some_and(|shard| shard.index != 1) {
            ignored.clear();
            for cell in cells.values_mut() {
                let mut tally = cell.tally.open();
                tally.bad.retain(|reason, _| OF_OWNERS.contains(&reason.as_str()));
                cell.tally = tally.into();
            }
        }
        Share { cells, complaints, ignored, folders, inputs, events, pack_text, not_understood }
    }

    /// Writes the share down for `merge`.
    pub(super) fn write(
        self,
        shard: Shard,
        output: &mut Output,
        params: &Params,
        pack: &Pack,
        signature: String,
        warnings: Vec<String>,
    ) -> Result<Report> {
        let head = Head {
            params: params.clone(),
            pack: self.pack_text,
            pack_file: params.pack.clone(),
            ignored: self.ignored,
            folders: self.folders,
            events: self.events,
            warnings: warnings.clone(),
            not_understood: self.not_understood,
        };
        output.file(HEAD, crate::score::json::text(&head).as_bytes())?;
        let mut complaints = output.raw(COMPLAINTS)?;
        let mut line = vec![];
        self.complaints.each(&mut |complaint| {
            if shard.index != 1 && !OF_OWNERS.contains(&complaint.defect.code.as_ref()) {
                return Ok(());
            }
            line.clear();
            crate::score::json::push(&mut line, &complaint);
            line.push(b'\n');
            complaints.write(&line)
        })?;
        complaints.finish()?;
        let mut tallies = output.list("tallies")?;
        let mut line = vec![];
        for pair in &self.cells {
            line.clear();
            crate::score::json::push(&mut line, &pair);
            line.push(b'\n');
            tallies.write(&line)?;
        }
        tallies.finish()?;
        let rows = self.cells.values().map(|cell| cell.tally.open().total_rows()).sum();
        Ok(Report {
            signature,
            options: params.report(pack).to_string(),
            inputs: self.inputs,
            counts: BTreeMap::from([("cells".into(), self.cells.len() as u64), ("rows".into(), rows)]),
            ledger: "{}".into(),
            warnings,
            summary: vec!["one share: join it with the others by `verism merge DIR... -o DIR`".into()],
        })
    }
}

fn read_cells(file: File) -> std::result::Result<Vec<(CellId, Cell)>, String> {
    let lines = BufReader::new(file).lines();
    lines.map(|line| serde_json::from_str(&line.map_err(|e| e.to_string())?).map_err(|e| e.to_string())).collect()
}

/// Joins the shares of one job.
pub(super) fn merge(folders: &[&Path], output: &mut Output) -> Result<Report> {
    let manifests = folders.iter().map(|folder| Manifest::read(folder)).collect::<Result<Vec<_>>>()?;
    check(ID, folders, &manifests)?;
    let mut heads: Vec<Head> = vec![];
    let mut cells: BTreeMap<CellId, Cell> = BTreeMap::new();
    for folder in folders {
        heads.push(read_share(folder, HEAD, |file| {
            serde_json::from_reader(BufReader::new(file)).map_err(|e| e.to_string())
        })?);
        for (id, cell) in read_share(folder, TALLIES, read_cells)? {
            match cells.get_mut(&id) {
                Some(mine) => {
                    let mut tally = mine.tally.open();
                    tally.merge(&cell.tally.open());
                    mine.tally = tally.into();
                    mine.broken = mine.broken.take().or(cell.broken);
                    mine.format = mine.format.or(cell.format);
                }
                None => {
                    cells.insert(id, cell);
                }
            }
        }
    }
    let mut not_understood = NotUnderstood::default();
    heads.iter().for_each(|head| not_understood.merge(&head.not_understood));
    let mut complaints = Complaints::new(&output.scratch());
    for folder in folders {
        read_share(folder, COMPLAINTS, |file| {
            BufReader::new(file).lines().try_for_each(|line| {
                let line = line.map_err(|e| e.to_string())?;
                let complaint = serde_json::from_str(&line).map_err(|e| e.to_string())?;
                complaints.push(complaint).map_err(|e| e.to_string())
            })
        })?;
    }
    let place = manifests.iter().position(|m| m.shard.as_deref().is_some_and(|s| s.starts_with("1/"))).unwrap_or(0);
    let first = &heads[place];
    let params = first.params.clone();
    let text = first.pack.as_deref().unwrap_or(FLOOD);
    let file = Path::new(&first.pack_file).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let pack = Pack::parse(text, &file)?;
    let events = merge_lines(folders, "events", &pack, &params, &cells, output)?;
    if params.rows {
        merge_lines(folders, "rows", &pack, &params, &cells, output)?;
    }
    let share = Share {
        cells,
        complaints,
        ignored: first.ignored.clone(),
        folders: first.folders.clone(),
        inputs: manifests[place].inputs.clone(),
        events,
        pack_text: first.pack.clone(),
        not_understood,
    };
    let mut warnings = first.warnings.clone();
    conclude(&params, &pack, share, manifests[place].signature.clone(), &mut warnings, output)
}

/// The part of a line by which lines of several shares are ordered.
#[derive(Deserialize)]
struct LineKey {
    model: String,
    group: String,
    run: String,
    agent_id: String,
    year: i64,
}

/// Lines of one share in order.
struct Lines {
    file: BufReader<File>,
    line: Vec<u8>,
    key: Option<(CellId, String, i64)>,
}

impl Lines {
    fn advance(&mut self) -> std::result::Result<(), String> {
        self.line.clear();
        let read = self.file.read_until(b'\n', &mut self.line).map_err(|e| e.to_string())?;
        self.key = if read == 0 {
            None
        } else {
            let key: LineKey = serde_json::from_slice(&self.line).map_err(|e| e.to_string())?;
            Some(([key.model, key.group, key.run], key.agent_id, key.year))
        };
        Ok(())
    }
}

/// Joins sorted lists of JSON lines: an agent's lines all stand in one share, so the order of agents decides.
fn merge_lines(
    folders: &[&Path],
    name: &str,
    pack: &Pack,
    params: &Params,
    cells: &BTreeMap<CellId, Cell>,
    output: &mut Output,
) -> Result<u64> {
    let order = Order::of_cells(params);
    let file_name = format!("{name}.jsonl");
    let mut shares = vec![];
    for folder in folders {
        shares.push(read_share(folder, &file_name, |file| {
            let mut lines = Lines { file: BufReader::with_capacity(1 << 18, file), line: vec![], key: None };
            lines.advance().map(|()| lines)
        })?);
    }
    // Only joined tallies tell whether any valid row fills the exit state; without one there are no events.
    let is_blind = |cell: &Cell| Ground::of(pack, &cell.tally.open(), params.v6()).exit_gap().is_some();
    let blind: BTreeSet<&CellId> = cells.iter().filter(|(_, cell)| is_blind(cell)).map(|(id, _)| id).collect();
    let mut list = output.list(name)?;
    let mut count = 0;
    loop {
        let waiting = shares.iter().enumerate().filter_map(|(i, share)| Some((i, share.key.as_ref()?)));
        let next = waiting
            .min_by(|(_, a), (_, b)| order.compare(&a.0, &b.0).then_with(|| a.1.cmp(&b.1)).then_with(|| a.2.cmp(&b.2)));
        let Some((i, (cell, _, _))) = next else { break };
        if name != "events" || !blind.contains(cell) {
            list.write(&shares[i].line)?;
            count += 1;
        }
        read_share(folders[i], &file_name, |_| shares[i].advance())?;
    }
    list.finish()?;
    Ok(count)
}
