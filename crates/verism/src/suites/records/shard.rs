//! Shards of a job: what one process read, written down record by record and joined in reading order.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::driver::passed_over_warning;
use super::intake::Intake;
use super::needs::NeedCounts;
use super::reading::{TakeRecord, read_all};
use super::sorted::pack;
use super::{Opening, RecordSuite, Source, SourceLine, Supplied};
use crate::error::{Defect, Error, Result};
use crate::input::Watch;
use crate::score::json;
use crate::score::manifest::Manifest;
use crate::score::output::{LineFile, Output};
use crate::suites::shards::{bad_shard, check, read_shard};
use crate::suites::{Job, Joined, Options, Report, cut_off_warning};

/// What a shard says about the job.
#[derive(Serialize, Deserialize)]
struct ShardHead {
    /// The options as given.
    options: Options,
    lenient: bool,
    /// Names of the sources in order.
    files: Vec<String>,
    /// The first input, by which an empty run is named.
    first: Option<PathBuf>,
    /// What the suite wants to know again.
    carried: String,
}

const HEAD: &str = "share.json";
const RECORDS: &str = "records.bin";

/// A record as it is written down.
#[derive(Serialize, Deserialize)]
struct Written<E> {
    place: SourceLine,
    record: std::result::Result<E, Defect>,
}

/// Writes records down for `merge`.
struct Writer {
    lenient: bool,
    records: LineFile,
    count: u64,
}

impl<E: Serialize> TakeRecord<E> for Writer {
    fn take(&mut self, place: SourceLine, record: std::result::Result<E, Defect>) -> Result<()> {
        if let (Err(defect), false) = (&record, self.lenient) {
            return Err(defect.clone().into());
        }
        let bytes = pack(&Written { place, record });
        self.count += 1;
        self.records.write(&(bytes.len() as u64).to_le_bytes())?;
        self.records.write(&bytes)
    }
}

/// Scores one shard.
pub(super) fn write<S: RecordSuite>(
    suite: &S,
    setup: &S::Setup,
    supplied: &Supplied,
    job: &Job<'_>,
    sources: Vec<Source<S::File>>,
    first: Option<PathBuf>,
    output: &mut Output,
) -> Result<Report> {
    let files = sources.iter().map(Source::name).collect();
    let carried = suite.carried(setup);
    let head = ShardHead { options: job.options.clone(), lenient: job.lenient, files, first, carried };
    output.file(HEAD, json::text(&head).as_bytes())?;
    let mut writer = Writer { lenient: job.lenient, records: output.raw(RECORDS)?, count: 0 };
    let read = read_all(suite, setup, supplied, sources, job.shard, job.watch, &mut writer)?;
    let count = writer.count;
    writer.records.finish()?;
    Ok(Report {
        signature: suite.signature(setup),
        options: suite.options(setup),
        inputs: read.inputs,
        counts: [("records".to_string(), count)].into_iter().chain(read.needs.counts()).collect(),
        ledger: "[]".into(),
        warnings: cut_off_warning(read.cut_off).into_iter().collect(),
        summary: vec!["one share: join it with the others by `verism merge DIR... -o DIR`".into()],
    })
}

/// The records of a shard in reading order.
struct Reader<'f, E> {
    folder: &'f Path,
    file: BufReader<File>,
    next: Option<Written<E>>,
}

impl<'f, E: for<'de> Deserialize<'de>> Reader<'f, E> {
    fn open(folder: &'f Path) -> Result<Reader<'f, E>> {
        let file = read_shard(folder, RECORDS, |file| Ok(BufReader::with_capacity(1 << 18, file)))?;
        let mut reader = Reader { folder, file, next: None };
        reader.advance()?;
        Ok(reader)
    }

    /// Gives the record at hand and reads on.
    fn advance(&mut self) -> Result<Option<Written<E>>> {
        let next = self.read().map_err(|error| bad_shard(self.folder, RECORDS, error))?;
        Ok(std::mem::replace(&mut self.next, next))
    }

    fn read(&mut self) -> std::result::Result<Option<Written<E>>, String> {
        let mut length = vec![];
        let eight = self.file.by_ref().take(8).read_to_end(&mut length).map_err(|e| e.to_string())?;
        if eight == 0 {
            return Ok(None);
        }
        let length: [u8; 8] = length.try_into().map_err(|_| "it ends early".to_string())?;
        let length = u64::from_le_bytes(length);
        let mut bytes = vec![];
        let got = self.file.by_ref().take(length).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
        if got as u64 != length {
            return Err("it ends early".into());
        }
        postcard::from_bytes(&bytes).map(Some).map_err(|e| e.to_string())
    }
}

fn head_of(folder: &Path) -> Result<ShardHead> {
    read_shard(folder, HEAD, |file| serde_json::from_reader(BufReader::new(file)).map_err(|e| e.to_string()))
}

/// The options with which a shard was scored.
pub fn shard_options(folder: &Path) -> Result<Options> {
    Ok(head_of(folder)?.options)
}

/// Hands on the records of shards in reading order.
fn take_in_order<S: RecordSuite>(
    shards: &mut [Reader<'_, S::Entry>],
    intake: &mut Intake<'_, S>,
    watch: &dyn Watch,
) -> Result<()> {
    loop {
        let waiting = shards.iter_mut().filter(|shard| shard.next.is_some());
        let next = waiting.min_by_key(|shard| shard.next.as_ref().map(|written| written.place));
        let Some(written) = next.map(Reader::advance).transpose()?.flatten() else { return Ok(()) };
        intake.take(written.place, written.record)?;
        if watch.stop() {
            return Err(Error::Interrupted);
        }
    }
}

/// Joins the shards of one job.
pub(super) fn merge<S: RecordSuite>(
    suite: &S,
    joined: &Joined<'_>,
    watch: &dyn Watch,
    output: &mut Output,
) -> Result<Report> {
    let folders = joined.folders;
    let manifests = folders.iter().map(|folder| Manifest::read(folder)).collect::<Result<Vec<_>>>()?;
    check(suite.facts().id, folders, &manifests)?;
    let mut head = head_of(folders[0])?;
    head.options.extend(joined.options);
    let supplied = &Supplied::take(&mut head.options, suite.ids());
    let ShardHead { options, lenient, files, first, carried } = &head;
    let (carried, lenient) = (Some(carried.as_str()), *lenient);
    let embed = joined.embed.clone();
    let opening = Opening { options, inputs: vec![], carried, embed, lenient, supplied, watch };
    let setup = suite.open(&opening)?;
    let signature = suite.signature(&setup);
    if signature != manifests[0].signature {
        let expected = format!("options and files as when the shares were scored: {}", manifests[0].signature);
        let hint = "the options that name files (model, corpus, catalog, embed, …) must lead to the same contents";
        return Err(Defect::new("bad_option", expected).field("option").value(signature).hint(hint).into());
    }
    let mut shards = folders.iter().map(|folder| Reader::<S::Entry>::open(folder)).collect::<Result<Vec<_>>>()?;
    let mut intake = Intake::new(suite, &setup, lenient, files.clone(), output)?;
    let taken = take_in_order(&mut shards, &mut intake, watch);
    let finished = taken.and_then(|()| intake.finish(manifests[0].inputs.clone(), first.as_deref(), watch));
    let (list, passed) = suite.passed_over(&setup);
    let mut report = finished.map_err(|error| error.after(list, passed))?;
    report.warnings.extend(passed_over_warning(suite, &setup));
    output.note_missing(NeedCounts::joined(suite.needs(), manifests.iter().map(|shard| &shard.counts)).missing());
    Ok(report)
}
