//! Gathers cards batch by batch, then goes through them once more in reading order, when every batch is known.

use std::io::{Read, Seek, Write};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Entry;
use super::batch::{Batch, Measured, alone};
use super::card::Card;
use super::found::Outcome;
use super::judge::{Judged, complete, judge};
use super::metrics::{self, ITEM};
use super::options::Scope;
use super::overall::Creative;
use super::pacs::band;
use super::setup::Setup;
use super::tables::{self, Sums};
use crate::error::{Defect, Error, Result};
use crate::score::json;
use crate::score::measure::Undefined;
use crate::score::output::{LineFile, Output, TableFile};
use crate::score::row::Row;
use crate::score::table::{Cell, Dialect};
use crate::suites::records::{Dropped, Finished, Gather, Place, Sorter, base_name};
use crate::text::tokens::{Tokenizer, prep};

/// A card and the number of its batch; none in a rest.
#[derive(Serialize, Deserialize)]
struct Placed {
    card: Card,
    batch: Option<u32>,
}

/// What is kept of a batch for its items.
struct Kept {
    name: String,
    creative: Creative,
}

/// Cards that are judged at a time.
const AT_A_TIME: usize = 256;
/// Cards of whole batches that wait to be measured together.
const WAITING: usize = 4096;

/// Ids of a declared batch: experiment, run, batch.
type BatchKey = [String; 3];

/// A declared batch that is being read.
struct Open<'a> {
    key: BatchKey,
    /// Cards that stand in no finished part yet.
    cards: Vec<(Place, Card)>,
    /// Parts cut off so far.
    cuts: u64,
    /// A batch too long to be held: its measures under way, and its number.
    streamed: Option<(Batch<'a>, u32)>,
}

/// A whole batch: its ids, its name and its cards.
struct Part {
    key: BatchKey,
    name: String,
    cards: Vec<(Place, Card)>,
}

/// Takes cards in the order of their batches.
pub(super) struct Gathering<'a> {
    setup: &'a Setup,
    output: &'a mut Output,
    /// The declared batch that is being read.
    open: Option<Open<'a>>,
    /// Whole batches that wait to be measured side by side.
    waiting: Vec<Part>,
    waiting_cards: usize,
    /// Cards for the second walk, by place.
    items: Sorter,
    kept: Vec<Kept>,
    cards: u64,
    supplied: bool,
    labelled: bool,
    /// Rows and audits of batches, which come after those of items.
    batch_rows: std::fs::File,
    duplicates: Vec<u8>,
    audits: u64,
    rests: u64,
    sizes: Vec<u64>,
    batches: TableFile,
    neighbours: TableFile,
    batch_metrics: Vec<String>,
    sums: Sums,
}

fn columns(fixed: &[&str], metrics: impl Iterator<Item = String>) -> Vec<String> {
    fixed.iter().map(|name| name.to_string()).chain(metrics).collect()
}

fn temporary(error: std::io::Error) -> Error {
    Error::write("temporary files")(error)
}

impl<'a> Gathering<'a> {
    pub(super) fn new(setup: &'a Setup, output: &'a mut Output) -> Result<Gathering<'a>> {
        let batch_metrics = metrics::batch(&setup.params);
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
            supplied: false,
            labelled: false,
            duplicates: vec![],
            audits: 0,
            rests: 0,
            sizes: vec![],
            batch_metrics,
        })
    }

    fn put(&mut self, place: Place, card: Card) -> Result<()> {
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
            return self.items.add(&[], place, &Placed { card, batch: Some(*number) });
        }
        open.cards.push((place, card));
        let size = self.setup.params.batch_size as usize;
        match size {
            0 if open.cards.len() >= WAITING => self.stream(),
            0 => Ok(()),
            size if open.cards.len() == size => {
                open.cuts += 1;
                let name = format!("{}/{}", open.key[2], open.cuts);
                let part = Part { key: open.key.clone(), name, cards: std::mem::take(&mut open.cards) };
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
            self.items.add(&[], place, &Placed { card, batch: Some(number) })?;
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
            return self.wait(Part { key: open.key, name, cards: open.cards });
        }
        self.rests += u64::from(!open.cards.is_empty());
        for (place, card) in open.cards {
            self.items.add(&[], place, &Placed { card, batch: None })?;
        }
        Ok(())
    }

    fn wait(&mut self, part: Part) -> Result<()> {
        self.waiting_cards += part.cards.len();
        self.waiting.push(part);
        if self.waiting_cards >= WAITING { self.measure() } else { Ok(()) }
    }

    /// Measures the batches that wait.
    fn measure(&mut self) -> Result<()> {
        let params = &self.setup.params;
        self.waiting_cards = 0;
        let parts = std::mem::take(&mut self.waiting);
        let measure = |part: &Part| {
            let mut batch = Batch::new(params);
            part.cards.iter().for_each(|(_, card)| batch.add(card));
            batch.finish()
        };
        let measured: Vec<Measured> = parts.par_iter().map(measure).collect();
        for (part, measured) in parts.into_iter().zip(measured) {
            let number = self.kept.len() as u32;
            for (place, card) in part.cards {
                self.items.add(&[], place, &Placed { card, batch: Some(number) })?;
            }
            self.batch(&part.key, part.name, measured)?;
        }
        Ok(())
    }

    /// Writes what a batch gave.
    fn batch(&mut self, [experiment, run, _]: &BatchKey, name: String, measured: Measured) -> Result<()> {
        let mut lines = vec![];
        let kept = Kept { name: name.clone(), creative: measured.creative };
        let name = name.as_str();
        let extra = [("batch", Some(name)), ("user", None), ("user_group", None)];
        let mut cells: Vec<Cell<'_>> =
            vec![experiment.as_str().into(), run.as_str().into(), name.into(), measured.texts.into()];
        for (metric, outcome) in self.batch_metrics.iter().zip(&measured.outcomes) {
            let row = row(metric, experiment, &extra, Some(run), Some(name), ("batch", name), outcome);
            row.push_line(&mut lines);
            cells.push(outcome.value.as_ref().ok().copied().into());
        }
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

    /// Judges all cards in reading order and writes their rows.
    fn items(&mut self, audits: &mut LineFile) -> Result<()> {
        let fixed = ["experiment", "run", "case", "batch", "item", "user", "user_group"];
        let named = ITEM.iter().map(|metric| metric.to_string());
        let mut table = self.output.table("items", columns(&fixed, named), Dialect::Plain)?;
        let mut tokens = match self.setup.params.tokens {
            true => Some(self.output.list("tokens")?),
            false => None,
        };
        let mut sorted = std::mem::take(&mut self.items).finish()?;
        loop {
            let block = sorted.block::<Placed>(AT_A_TIME)?;
            if block.is_empty() {
                break;
            }
            let (setup, kept) = (self.setup, &self.kept);
            let done: Vec<Done> = block.into_par_iter().map(|(_, placed)| done(setup, kept, placed)).collect();
            for done in done {
                self.output.score_lines(&done.lines)?;
                if let Some(list) = &mut tokens {
                    list.write(&done.tokens)?;
                }
                let card = &done.card;
                let batch = done.batch.map(|number| self.kept[number as usize].name.as_str());
                let mut cells: Vec<Cell<'_>> = vec![
                    card.experiment.as_str().into(),
                    card.run.as_str().into(),
                    card.case.as_str().into(),
                    batch.into(),
                    card.id.as_str().into(),
                    card.user.as_deref().into(),
                    card.user_group.as_deref().into(),
                ];
                cells.extend(done.outcomes.iter().map(|outcome| Cell::from(outcome.value.as_ref().ok().copied())));
                table.row(&cells)?;
                if done.copies > 0 {
                    let mut line = vec![];
                    let ids = [Some(card.experiment.as_str()), Some(&card.run), batch, Some(&card.id)];
                    push_audit(&mut line, "in_corpus", ids, json!({"copies": done.copies}));
                    audits.write(&line)?;
                    self.audits += 1;
                }
                self.sums.item(card, &done.outcomes)?;
            }
        }
        if let Some(list) = tokens {
            list.finish()?;
        }
        table.finish()
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

/// A row of a metric.
fn row<'r>(
    metric: &'r str,
    experiment: &'r str,
    extra: &'r [(&'static str, Option<&'r str>)],
    run: Option<&'r str>,
    case: Option<&'r str>,
    (level, unit): (&'r str, &'r str),
    outcome: &'r Outcome,
) -> Row<'r> {
    let banded = outcome.value.as_ref().ok().filter(|_| metric == "pacs_raw").map(|value| band(*value));
    Row {
        suite: super::ID,
        metric,
        experiment,
        extra,
        run,
        case,
        dialogue: None,
        turn: None,
        level,
        unit,
        value: outcome.value.clone(),
        n: Some(outcome.n),
        band: banded,
        evidence: &outcome.evidence,
    }
}

/// A judged card, ready to be written.
struct Done {
    card: Card,
    batch: Option<u32>,
    outcomes: Vec<Outcome>,
    lines: Vec<u8>,
    tokens: Vec<u8>,
    copies: u64,
}

fn done(setup: &Setup, kept: &[Kept], Placed { card, batch }: Placed) -> Done {
    let params = &setup.params;
    let mut judged = judge(&card, &setup.context());
    let none = || Err(Undefined::new("remainder"));
    let creative = match (params.creativity_scope, batch) {
        (Scope::Item, _) => alone(&card.text, params),
        (Scope::Batch, Some(number)) => kept[number as usize].creative.clone(),
        (Scope::Batch, None) => Creative {
            distinct_1: none(),
            distinct_2: none(),
            self_bleu: none(),
            vocabulary_richness: none(),
            overall_semantic_diversity: none(),
        },
    };
    complete(&mut judged, &creative);
    let Judged { outcomes, copies } = judged;
    let name = batch.map(|number| kept[number as usize].name.as_str());
    let extra = [("batch", name), ("user", card.user.as_deref()), ("user_group", card.user_group.as_deref())];
    let (mut lines, mut ids) = (Vec::with_capacity(1 << 14), vec![]);
    for (metric, outcome) in ITEM.iter().zip(&outcomes) {
        let (run, case) = (Some(card.run.as_str()), Some(card.case.as_str()));
        let row = row(metric, &card.experiment, &extra, run, case, ("item", &card.id), outcome);
        if ids.is_empty() {
            row.push_ids(&mut ids);
        }
        row.push_line_with(&ids, &mut lines);
    }
    let mut tokens = vec![];
    if params.tokens {
        let text = prep(&card.text, params.blanks());
        let streams = json!({
            "id": card.id,
            "words": Tokenizer::Words.tokens(&text),
            "whitespace": Tokenizer::Whitespace.tokens(&text),
            "treebank": Tokenizer::Treebank.tokens(&text),
        });
        json::push(&mut tokens, &streams);
        tokens.push(b'\n');
    }
    Done { card, batch, outcomes, lines, tokens, copies }
}

/// Appends an audit: experiment, run, batch and item, and what it is about.
fn push_audit(out: &mut Vec<u8>, audit: &str, [experiment, run, batch, item]: [Option<&str>; 4], detail: Value) {
    let line = json!({
        "audit": audit, "severity": "warn", "experiment": experiment, "run": run, "batch": batch, "item": item,
        "detail": detail,
    });
    json::push(out, &line);
    out.push(b'\n');
}

impl Gather<Entry> for Gathering<'_> {
    fn take(&mut self, entries: Vec<(Place, Entry)>) -> Result<()> {
        let cards = entries.into_iter().filter_map(|(place, entry)| match entry {
            Entry::Card(card) => Some((place, *card)),
            Entry::Faulty { .. } => None,
        });
        let mut cards: Vec<(Place, Card)> = cards.collect();
        self.supplied |= cards.iter().any(|(_, card)| card.has_vector());
        self.setup.fill(cards.iter_mut().map(|(_, card)| card))?;
        cards.into_iter().try_for_each(|(place, card)| self.put(place, card))
    }

    fn finish(mut self: Box<Self>, dropped: &Dropped) -> Result<Finished> {
        self.close()?;
        self.measure()?;
        let read = self.cards + dropped.total();
        if let Some(labels) = self.setup.labels.as_ref().filter(|labels| labels.len() as u64 != read) {
            let name = self.setup.params.labels.as_deref().unwrap_or_default();
            let defect = Defect::new("dimension_mismatch", format!("{read} labels")).field("label");
            return Err(defect.value(labels.len().to_string()).file(base_name(name.as_ref())).into());
        }
        let mut audits = self.output.list("audits")?;
        self.items(&mut audits)?;
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
            let extra = [("batch", None), ("user", None), ("user_group", None)];
            let row = row(metric, experiment, &extra, None, None, ("experiment", experiment), outcome);
            self.output.score(&row)?;
        }
        tables::write(&mut self.sums, self.output)?;
        let counts = vec![("texts", self.cards), ("batches", self.sizes.len() as u64), ("audits", self.audits)];
        let ledger = self.sums.ledger(dropped.total(), self.rests, aucs.as_deref());
        let summary = self.sums.summary(self.audits)?;
        Ok(Finished { signature: Some(self.setup.signature(self.supplied)), counts, ledger, warnings: vec![], summary })
    }
}
