//! Shards of a job: what one process counts, written down, joined and finished as if it had been counted whole.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::axes::Order;
use super::judge::events::without_activity;
use super::judge::packed::JudgedCell;
use super::judge::run::Judgement;
use super::options::Params;
use super::pack::{FLOOD, Pack};
use super::read::defects::DefectList;
use super::read::discover::CellId;
use super::read::store::MIXED;
use super::{ID, conclude, report};
use crate::error::Result;
use crate::score::json;
use crate::score::manifest::{InputFacts, Manifest};
use crate::score::output::Output;
use crate::suites::adaptation::read::not_understood::NotUnderstood;
use crate::suites::shards::{check, read_shard};
use crate::suites::{Report, Shard};

/// Everything that was counted, of a whole job or of one shard.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct JobTally {
    pub(super) cells: BTreeMap<CellId, JudgedCell>,
    /// Records and files that were left out, by cell.
    pub(super) ignored: BTreeMap<String, u64>,
    /// Folders of trees.
    pub(super) folders: BTreeSet<Vec<String>>,
    pub(super) events: u64,
    /// Texts that no label was found for.
    pub(super) not_understood: NotUnderstood,
}

/// Codes of rows that only the shard sees to which their agent belongs: repeated ones, and those of another format than
/// the cell.
const SEEN_BY_ONE: [&str; 2] = ["duplicate_agent_year", MIXED];

impl JobTally {
    /// What a judgement counted, and what it found wrong. All shards see all records; what every shard finds wrong is
    /// booked by the first alone.
    pub(super) fn new(
        shard: Option<Shard>,
        judgement: Judgement,
        folders: BTreeSet<Vec<String>>,
    ) -> (JobTally, DefectList) {
        let Judgement { mut cells, defects, mut ignored, events, not_understood, .. } = judgement;
        if shard.is_some_and(|shard| shard.index != 1) {
            ignored.clear();
            for cell in cells.values_mut() {
                let seen_here = |reason: &String| SEEN_BY_ONE.contains(&reason.as_str());
                cell.tally = cell.tally.with(|tally| tally.bad.retain(|reason, _| seen_here(reason)));
            }
        }
        (JobTally { cells, ignored, folders, events, not_understood }, defects)
    }

    /// Adds what another shard counted.
    fn merge(mut self, other: JobTally) -> JobTally {
        for (id, cell) in other.cells {
            match self.cells.get_mut(&id) {
                Some(mine) => mine.merge(cell),
                None => {
                    self.cells.insert(id, cell);
                }
            }
        }
        for (cell, count) in other.ignored {
            *self.ignored.entry(cell).or_default() += count;
        }
        self.folders.extend(other.folders);
        self.events += other.events;
        self.not_understood.merge(&other.not_understood);
        self
    }

    /// Settles every cell of a whole job, and gives those of which nobody knows which rows are active.
    fn settle(&mut self, pack: &Pack, params: &Params) -> BTreeSet<CellId> {
        let unknown = self.cells.iter_mut().filter_map(|(id, cell)| {
            let known = cell.settle(pack, params.reading);
            (!known).then(|| id.clone())
        });
        unknown.collect()
    }
}

/// How the job was set up.
#[derive(Serialize, Deserialize)]
pub(super) struct ShardHead {
    pub(super) params: Params,
    /// Text of a pack that is not built in.
    pub(super) pack: Option<String>,
    pub(super) warnings: Vec<String>,
}

const HEAD: &str = "share.json";
const COUNTED: &str = "counted.bin";
const DEFECTS: &str = "defects.jsonl";

/// Writes down what a shard counted, for `merge`.
pub(super) fn write(
    shard: Shard,
    head: &ShardHead,
    counted: &JobTally,
    defects: DefectList,
    report: Report,
    output: &mut Output,
) -> Result<Report> {
    output.file(HEAD, json::text(head).as_bytes())?;
    let bytes = postcard::to_allocvec(counted).expect("numbers and texts can always be packed");
    output.file(COUNTED, &bytes)?;
    let (mut lines, mut line) = (output.raw(DEFECTS)?, vec![]);
    defects.each(&mut |found| {
        if shard.index != 1 && !SEEN_BY_ONE.contains(&found.defect.code.as_ref()) {
            return Ok(());
        }
        line.clear();
        json::push(&mut line, &found);
        line.push(b'\n');
        lines.write(&line)
    })?;
    lines.finish()?;
    let rows = counted.cells.values().map(|cell| cell.tally.open().total_rows()).sum();
    Ok(Report {
        counts: BTreeMap::from([("cells".into(), counted.cells.len() as u64), ("rows".into(), rows)]),
        summary: vec!["one share: join it with the others by `verism merge DIR... -o DIR`".into()],
        ..report
    })
}

fn read_counted(mut file: File) -> std::result::Result<JobTally, String> {
    let mut bytes = vec![];
    file.read_to_end(&mut bytes).map_err(|e| e.to_string())?;
    let counted: JobTally = postcard::from_bytes(&bytes).map_err(|e| e.to_string())?;
    match counted.cells.values().all(|cell| cell.tally.is_sound()) {
        true => Ok(counted),
        false => Err("a tally cannot be read".into()),
    }
}

/// Joins the shards of one job.
pub(super) fn merge(folders: &[&Path], output: &mut Output) -> Result<Report> {
    let manifests = folders.iter().map(|folder| Manifest::read(folder)).collect::<Result<Vec<_>>>()?;
    check(ID, folders, &manifests)?;
    let (mut counted, mut defects) = (JobTally::default(), DefectList::new(&output.scratch()));
    for folder in folders {
        counted = counted.merge(read_shard(folder, COUNTED, read_counted)?);
        read_shard(folder, DEFECTS, |file| {
            BufReader::new(file).lines().try_for_each(|line| {
                let line = line.map_err(|e| e.to_string())?;
                let found = serde_json::from_str(&line).map_err(|e| e.to_string())?;
                defects.push(found).map_err(|e| e.to_string())
            })
        })?;
    }
    let is_first = |manifest: &Manifest| manifest.shard.as_deref().is_some_and(|shard| shard.starts_with("1/"));
    let first = manifests.iter().position(is_first).unwrap_or(0);
    let head: ShardHead = read_shard(folders[first], HEAD, |file| {
        serde_json::from_reader(BufReader::new(file)).map_err(|e| e.to_string())
    })?;
    let file = Path::new(&head.params.pack).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let pack = Pack::parse(head.pack.as_deref().unwrap_or(FLOOD), &file)?;
    let unknown = counted.settle(&pack, &head.params);
    let order = Order::of_cells(&head.params);
    counted.events = merge_lines(folders, "events", &order, output, |cell, _| !unknown.contains(cell))?;
    if head.params.rows {
        merge_lines(folders, "rows", &order, output, |cell, line| {
            if unknown.contains(cell) {
                *line = without_activity(line);
            }
            true
        })?;
    }
    let inputs: Vec<InputFacts> = manifests[first].inputs.clone();
    let signature = manifests[first].signature.clone();
    let report = report(&head.params, &pack, signature, inputs, head.warnings);
    conclude(&head.params, &pack, head.pack.as_deref(), &counted, defects, report, output)
}

/// The part of a line by which lines of several shards are ordered.
#[derive(Deserialize)]
struct LineKey {
    model: String,
    group: String,
    run: String,
    agent_id: String,
    year: i64,
}

/// Lines of one shard in order.
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

/// Joins sorted lists of JSON lines: an agent's lines all stand in one shard, so the order of agents decides. `keep` may
/// change a line or leave it out. Gives the number of lines written.
fn merge_lines(
    folders: &[&Path],
    name: &str,
    order: &Order,
    output: &mut Output,
    keep: impl Fn(&CellId, &mut Vec<u8>) -> bool,
) -> Result<u64> {
    let file_name = format!("{name}.jsonl");
    let mut shards = vec![];
    for folder in folders {
        shards.push(read_shard(folder, &file_name, |file| {
            let mut lines = Lines { file: BufReader::with_capacity(1 << 18, file), line: vec![], key: None };
            lines.advance().map(|()| lines)
        })?);
    }
    let mut list = output.list(name)?;
    let mut count = 0;
    loop {
        let waiting = shards.iter().enumerate().filter_map(|(i, shard)| Some((i, shard.key.as_ref()?)));
        let next = waiting
            .min_by(|(_, a), (_, b)| order.compare(&a.0, &b.0).then_with(|| a.1.cmp(&b.1)).then_with(|| a.2.cmp(&b.2)));
        let Some((i, _)) = next else { break };
        let Lines { line, key, .. } = &mut shards[i];
        if let Some((cell, _, _)) = key
            && keep(cell, line)
        {
            list.write(line)?;
            count += 1;
        }
        read_shard(folders[i], &file_name, |_| shards[i].advance())?;
    }
    list.finish()?;
    Ok(count)
}
