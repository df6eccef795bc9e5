//! The first walk: cards batch by batch, measured and put aside for the second.

use std::io::{Read, Seek, Write};

use rayon::prelude::*;
use serde_json::json;

use super::judged::{BatchForItems, PlacedCard};
use super::rows::{Unit, push_audit, push_rows};
use crate::error::{Defect, Error, Result};
use crate::input::Watch;
use crate::score::json;
use crate::score::output::{Output, TableFile};
use crate::score::table::{Cell, Dialect};
use crate::suites::humor::Entry;
use crate::suites::humor::facts::ids;
use crate::suites::humor::measures::batch::measured::{Batch, Measured};
use crate::suites::humor::record::card::Card;
use crate::suites::humor::setup::Setup;
use crate::suites::humor::tables::sums::{self, Sums};
use crate::suites::records::{Dropped, Finished, Gather, Sorter, SourceLine, base_name};

/// Cards of whole batches that wait to be measured together.
const WAITING: usize = 4096;

/// Ids of a declared batch: experiment, run, batch.
type BatchKey = [String; 3];

/// A declared batch that is being read.
struct Open<'a> {
    key: BatchKey,
    /// Cards that stand in no finished part yet.
    cards: Vec<(SourceLine, Card)>,
    /// Parts cut off so far.
    cuts: u64,
    /// A batch too long to be held: its measures under way, and its number.
    streamed: Option<(Batch<'a>, u32)>,
}

/// A whole batch: its ids, its name and its cards.
struct WholeBatch {
    key: BatchKey,
    name: String,
    cards: Vec<(SourceLine, Card)>,
}

/// Takes cards in the order of their batches.
pub(crate) struct Gathering<'a> {
    pub(super) setup: &'a Setup,
    pub(super) output: &'a mut Output,
    /// The declared batch that is being read.
    open: Option<Open<'a>>,
    /// Whole batches that wait to be measured side by side.
    waiting: Vec<WholeBatch>,
    waiting_cards: usize,
    /// Cards for the second walk, by place.
    pub(super) items: Sorter,
    pub(super) kept: Vec<BatchForItems>,
    pub(super) cards: u64,
    /// The dimension of the vectors, once there was one.
    dimension: Option<usize>,
    supplied: bool,
    labelled: bool,
    /// Rows and audits of batches, which come after those of items.
    batch_rows: std::fs::File,
    duplicates: Vec<u8>,
    pub(super) audits: u64,
    rests: u64,
    sizes: Vec<u64>,
    batches: TableFile,
    neighbours: TableFile,
    batch_metrics: Vec<String>,
    pub(super) sums: Sums,
}

pub(super) fn columns(fixed: &[&str], metrics: impl Iterator<Item = String>) -> Vec<String> {
    fixed.iter().map(|name| name.to_string()).chain(metrics).collect()
}

fn temporary(error: std::io::Error) -> Error {
    Error::write("temporary files")(error)
}

impl<'a> Gathering<'a> {
    pub(crate) fn new(setup: &'a Setup, output: &'a mut Output) -> Result<Gathering<'a>> {
        let batch_metrics = ids::batch(&setup.params);
        let scratch = output.scratch();
        if let Some(model) = &setup.model {
            let mut summary = serde_json::to_value(model.summary()).unwrap_or_default();
            if setup.params.model_tables {
                summary["tables"] = model.tables_json();
            }
            output.object("model", summary.to_string())?;
            let mut list = output.list("corpus_errors")?;
            for defect in &setup.corpus_errors {
                let mut line = vec![];
                json::push(&mut line, defect);
                line.push(b'\n');
                list.write(&line)?;
            }
            list.finish()?;
        }
        let of_batch = columns(&["experiment", "run", "batch", "texts"], batch_metrics.iter().cloned());
        let of_pair = ["experiment", "run", "batch", "item", "nearest", "shared", "nearest_semantic", "cosine"];
        Ok(Gathering {
            batches: output.table("batches", of_batch, Dialect::Plain)?,
            neighbours: output.table("neighbours", columns(&of_pair, [].into_iter()), Dialect::Plain)?,
            batch_rows: tempfile::tempfile_in(&scratch).map_err(temporary)?,
            sums: Sums::new(&batch_metrics, scratch.clone()),
            items: Sorter::new(scratch),
            setup,
            output,
            open: None,
            waiting: vec![],
            waiting_cards: 0,
            kept: vec![],
            cards: 0,
            dimension: None,
            supplied: false,
            labelled: false,
            duplicates: vec![],
            audits: 0,
            rests: 0,
            sizes: vec![],
            batch_metrics,
        })
    }

    fn put(&mut self, place: SourceLine, card: Card) -> Result<()> {
        self.cards += 1;
        self.labelled |= card.label.is_some();
        let same = self.open.as_ref().is_some_and(|open| {
            let [experiment, run, batch] = &open.key;
            *experiment == card.experiment && *run == card.run && *batch == card.batch
        });
        if !same {
            self.close()?;
            let key = [card.experiment.clone(), card.run.clone(), card.batch.clone()];
            self.open = Some(Open { key, cards: vec![], cuts: 0, streamed: None });
        }
        let Some(open) = &mut self.open else { return Ok(()) };
        if let Some((batch, number)) = &mut open.streamed {
            batch.add(&card);
            return self.items.add(&[], place, &PlacedCard { card, batch: Some(*number) });
        }
        open.cards.push((place, card));
        let size = self.setup.params.batch_size as usize;
        match size {
            0 if open.cards.len() >= WAITING => self.stream(),
            0 => Ok(()),
            size if open.cards.len() == size => {
                open.cuts += 1;
                let name = format!("{}/{}", open.key[2], open.cuts);
                let part = WholeBatch { key: open.key.clone(), name, cards: std::mem::take(&mut open.cards) };
                self.wait(part)
            }
            _ => Ok(()),
        }
    }

    /// From here on the batch at hand is measured card by card and no longer held.
    fn stream(&mut self) -> Result<()> {
        self.measure()?;
        let Some(open) = &mut self.open else { return Ok(()) };
        let number = self.kept.len() as u32;
        let mut batch = Batch::new(&self.setup.params);
        for (place, card) in std::mem::take(&mut open.cards) {
            batch.add(&card);
            self.items.add(&[], place, &PlacedCard { card, batch: Some(number) })?;
        }
        open.streamed = Some((batch, number));
        Ok(())
    }

    /// The batch at hand is whole.
    fn close(&mut self) -> Result<()> {
        let Some(open) = self.open.take() else { return Ok(()) };
        if let Some((batch, _)) = open.streamed {
            let name = open.key[2].clone();
            return self.batch(&open.key, name, batch.finish());
        }
        if self.setup.params.batch_size == 0 {
            let name = open.key[2].clone();
            return self.wait(WholeBatch { key: open.key, name, cards: open.cards });
        }
        self.rests += u64::from(!open.cards.is_empty());
        for (place, card) in open.cards {
            self.items.add(&[], place, &PlacedCard { card, batch: None })?;
        }
        Ok(())
    }

    fn wait(&mut self, part: WholeBatch) -> Result<()> {
        self.waiting_cards += part.cards.len();
        self.waiting.push(part);
        if self.waiting_cards >= WAITING { self.measure() } else { Ok(()) }
    }

    /// Measures the batches that wait.
    fn measure(&mut self) -> Result<()> {
        let params = &self.setup.params;
        self.waiting_cards = 0;
        let parts = std::mem::take(&mut self.waiting);
        let measure = |part: &WholeBatch| {
            let mut batch = Batch::new(params);
            part.cards.iter().for_each(|(_, card)| batch.add(card));
            batch.finish()
        };
        let measured: Vec<Measured> = parts.par_iter().map(measure).collect();
        for (part, measured) in parts.into_iter().zip(measured) {
            let number = self.kept.len() as u32;
            for (place, card) in part.cards {
                self.items.add(&[], place, &PlacedCard { card, batch: Some(number) })?;
            }
            self.batch(&part.key, part.name, measured)?;
        }
        Ok(())
    }

    /// Writes what a batch gave.
    fn batch(&mut self, [experiment, run, _]: &BatchKey, name: String, measured: Measured) -> Result<()> {
        let mut lines = vec![];
        let kept = BatchForItems { name: name.clone(), creative: measured.creative };
        let name = name.as_str();
        let unit = Unit {
            experiment,
            extra: [Some(name), None, None],
            run: Some(run),
            case: Some(name),
            level: "batch",
            id: name,
        };
        push_rows(&mut lines, &unit, self.batch_metrics.iter().map(String::as_str).zip(&measured.outcomes));
        let mut cells: Vec<Cell<'_>> =
            vec![experiment.as_str().into(), run.as_str().into(), name.into(), measured.texts.into()];
        cells.extend(measured.outcomes.iter().map(|outcome| Cell::from(outcome.value.as_ref().ok().copied())));
        self.sums.batch(experiment, &measured.outcomes)?;
        self.batches.row(&cells)?;
        self.batch_rows.write_all(&lines).map_err(temporary)?;
        for near in measured.neighbours.rows() {
            self.neighbours.row(&[
                experiment.as_str().into(),
                run.as_str().into(),
                name.into(),
                near.item.into(),
                near.nearest.into(),
                near.shared.as_deref().into(),
                near.nearest_semantic.into(),
                near.cosine.into(),
            ])?;
        }
        for ids in &measured.duplicates {
            let ids_of = [Some(experiment.as_str()), Some(run), Some(name), ids.first().map(String::as_str)];
            push_audit(&mut self.duplicates, "duplicate_text", ids_of, json!({"items": ids}));
            self.audits += 1;
        }
        self.sizes.push(measured.texts);
        self.kept.push(kept);
        Ok(())
    }

    /// Copies the rows of batches behind those of items.
    fn copy_batch_rows(&mut self) -> Result<()> {
        self.batch_rows.rewind().map_err(temporary)?;
        let mut reader = std::io::BufReader::with_capacity(1 << 18, &self.batch_rows);
        let mut waiting = vec![];
        loop {
            let mut some = vec![0; 1 << 18];
            let got = reader.read(&mut some).map_err(temporary)?;
            if got == 0 {
                return Ok(());
            }
            waiting.extend_from_slice(&some[..got]);
            let whole = memchr::memrchr(b'\n', &waiting).map_or(0, |at| at + 1);
            self.output.score_lines(&waiting[..whole])?;
            waiting.drain(..whole);
        }
    }
}

impl Gather<Entry> for Gathering<'_> {
    fn take(&mut self, entries: Vec<(SourceLine, Entry)>) -> Result<()> {
        let cards = entries.into_iter().filter_map(|(place, entry)| match entry {
            Entry::Card(card) => Some((place, *card)),
            Entry::Faulty { .. } => None,
        });
        let mut cards: Vec<(SourceLine, Card)> = cards.collect();
        self.supplied |= cards.iter().any(|(_, card)| card.has_vector());
        let first = || cards.iter().find_map(|(_, card)| card.first_vector());
        self.dimension = self.dimension.or_else(|| first().map(|(_, dimension)| dimension));
        self.setup.fill(cards.iter_mut().map(|(_, card)| card))?;
        cards.into_iter().try_for_each(|(place, card)| self.put(place, card))
    }

    fn finish(mut self: Box<Self>, dropped: &Dropped, watch: &dyn Watch) -> Result<Finished> {
        self.close()?;
        self.measure()?;
        let read = self.cards + dropped.total();
        if let Some(labels) = self.setup.labels.as_ref().filter(|labels| labels.len() as u64 != read) {
            let name = self.setup.params.labels.as_deref().unwrap_or_default();
            let defect = Defect::new("dimension_mismatch", format!("{read} labels")).field("label");
            return Err(defect.value(labels.len().to_string()).file(base_name(name.as_ref())).into());
        }
        self.setup.check_reference(self.dimension)?;
        let mut audits = self.output.list("audits")?;
        self.items(&mut audits, watch)?;
        self.copy_batch_rows()?;
        audits.write(&self.duplicates)?;
        let (smallest, largest) = (self.sizes.iter().min().copied(), self.sizes.iter().max().copied());
        if smallest != largest {
            let mut line = vec![];
            let detail = json!({"batches": self.sizes.len(), "smallest": smallest, "largest": largest});
            push_audit(&mut line, "unequal_batches", [None; 4], detail);
            audits.write(&line)?;
            self.audits += 1;
        }
        audits.finish()?;
        self.batches.finish()?;
        self.neighbours.finish()?;
        let aucs = if self.labelled { Some(self.sums.aucs()?) } else { None };
        for (experiment, metric, outcome) in aucs.iter().flatten() {
            let unit =
                Unit { experiment, extra: [None; 3], run: None, case: None, level: "experiment", id: experiment };
            let mut line = vec![];
            push_rows(&mut line, &unit, [(metric.as_str(), outcome)].into_iter());
            self.output.score_lines(&line)?;
        }
        sums::write(&mut self.sums, self.output)?;
        let counts = vec![("texts", self.cards), ("batches", self.sizes.len() as u64), ("audits", self.audits)];
        let ledger = self.sums.ledger(dropped.total(), self.rests, aucs.as_deref());
        let mut summary = self.sums.summary(self.audits)?;
        summary.extend(self.setup.wanting(self.supplied));
        Ok(Finished {
            signature: Some(self.setup.signature(self.supplied)),
            counts,
            ledger,
            summary,
            ..Finished::default()
        })
    }
}
