//! The second walk: every card in reading order, now that every batch is known.

use rayon::prelude::*;
use serde_json::json;

use super::batches::{Gathering, columns};
use super::judged::{BatchForItems, JudgedCard, JudgedCards, PlacedCard};
use super::rows::push_audit;
use crate::error::{Error, Result};
use crate::input::Watch;
use crate::score::output::{LineFile, Output, TableFile};
use crate::score::table::{Cell, Dialect};
use crate::suites::humor::facts::ids::ITEM;
use crate::suites::humor::tables::sums::Sums;

/// Cards that are judged while the rows of those before are written, for each thread: few, so that the rows are still in
/// the processor's cache when they are written.
const AT_A_TIME: usize = 64;
/// Their bytes, for each thread: rows take some sixty times as many.
const BYTES: usize = 1 << 17;
/// Cards that one thread judges one after the other.
const TOGETHER: usize = 32;

impl Gathering<'_> {
    /// Judges all cards in reading order and writes their rows.
    pub(super) fn items(&mut self, audits: &mut LineFile, watch: &dyn Watch) -> Result<()> {
        let mut sorted = std::mem::take(&mut self.items).finish()?;
        let (setup, kept) = (self.setup, &self.kept);
        let fixed = ["experiment", "run", "case", "batch", "item", "user", "user_group"];
        let named = ITEM.iter().map(|metric| metric.to_string());
        let mut files = ItemFiles {
            kept,
            table: self.output.table("items", columns(&fixed, named), Dialect::Plain)?,
            tokens: if setup.params.tokens { Some(self.output.list("tokens")?) } else { None },
            output: self.output,
            audits,
            audit_count: &mut self.audits,
            sums: &mut self.sums,
        };
        watch.walk("texts", self.cards);
        let threads = rayon::current_num_threads();
        let mut waiting: Vec<JudgedCards> = vec![];
        loop {
            let block = sorted.block_within::<PlacedCard>(AT_A_TIME * threads, BYTES * threads)?;
            if watch.stop() {
                return Err(Error::Interrupted);
            }
            let judge = |cards: Vec<_>| JudgedCards::of(setup, kept, cards.into_iter().map(|(_, placed)| placed));
            let together = block.len().div_ceil(threads).clamp(1, TOGETHER);
            let judge_all = || block.into_par_iter().chunks(together).map(judge).collect();
            let (judged, written) = rayon::join(judge_all, || waiting.iter().try_for_each(|cards| files.write(cards)));
            written?;
            watch.advance(waiting.iter().map(|judged| judged.cards.len() as u64).sum());
            waiting = judged;
            if waiting.is_empty() {
                return files.finish();
            }
        }
    }
}

/// Where judged cards are written.
struct ItemFiles<'f> {
    kept: &'f [BatchForItems],
    output: &'f mut Output,
    table: TableFile,
    /// Tokens of each card, if they are asked for.
    tokens: Option<LineFile>,
    audits: &'f mut LineFile,
    audit_count: &'f mut u64,
    sums: &'f mut Sums,
}

impl ItemFiles<'_> {
    fn write(&mut self, judged: &JudgedCards) -> Result<()> {
        self.output.score_lines(&judged.lines)?;
        if let Some(list) = &mut self.tokens {
            list.write(&judged.tokens)?;
        }
        judged.cards.iter().try_for_each(|card| self.write_card(card))
    }

    fn write_card(&mut self, judged: &JudgedCard) -> Result<()> {
        let card = &judged.card;
        let batch = judged.batch.map(|number| self.kept[number as usize].name.as_str());
        let mut cells: Vec<Cell<'_>> = vec![
            card.experiment.as_str().into(),
            card.run.as_str().into(),
            card.case.as_str().into(),
            batch.into(),
            card.id.as_str().into(),
            card.user.as_deref().into(),
            card.user_group.as_deref().into(),
        ];
        cells.extend(judged.outcomes.iter().map(|outcome| Cell::from(outcome.value.as_ref().ok().copied())));
        self.table.row(&cells)?;
        if judged.copies > 0 {
            let mut line = vec![];
            let ids = [Some(card.experiment.as_str()), Some(&card.run), batch, Some(&card.id)];
            push_audit(&mut line, "in_corpus", ids, json!({"copies": judged.copies}));
            self.audits.write(&line)?;
            *self.audit_count += 1;
        }
        self.sums.item(card, &judged.outcomes)
    }

    fn finish(self) -> Result<()> {
        self.tokens.map_or(Ok(()), LineFile::finish)?;
        self.table.finish()
    }
}
