//! The second walk: every card in reading order, now that every batch is known.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::batches::{Gathering, columns};
use super::judged::{JudgedCard, JudgedCards};
use super::rows::push_audit;
use crate::error::{Error, Result};
use crate::input::Watch;
use crate::score::output::{LineFile, Output, TableFile};
use crate::score::table::{Cell, Dialect};
use crate::suites::humor::facts::ids::ITEM;
use crate::suites::humor::measures::item::overall::Creative;
use crate::suites::humor::record::card::Card;
use crate::suites::humor::tables::sums::Sums;

/// A card and the number of its batch; none in a rest.
#[derive(Serialize, Deserialize)]
pub(super) struct PlacedCard {
    pub(super) card: Card,
    pub(super) batch: Option<u32>,
}

/// What is kept of a batch for its items.
pub(super) struct BatchForItems {
    pub(super) name: String,
    pub(super) creative: Creative,
}

/// Cards that are judged while the rows of those before are written, for each thread: their lines stay in its cache.
const AT_A_TIME: usize = 64;
/// Cards that one thread judges one after the other.
const TOGETHER: usize = 32;

impl Gathering<'_> {
    /// Judges all cards in reading order and writes their rows.
    pub(super) fn items(&mut self, audits: &mut LineFile, watch: &dyn Watch) -> Result<()> {
        let mut sorted = std::mem::take(&mut self.items).finish()?;
        let (setup, kept) = (self.setup, &self.kept);
        let mut files = ItemFiles::create(kept, self.output, audits, (&mut self.audits, &mut self.sums))?;
        if setup.params.tokens {
            files.tokens = Some(files.output.list("tokens")?);
        }
        let mut waiting = vec![];
        loop {
            let block = sorted.block::<PlacedCard>(AT_A_TIME * rayon::current_num_threads())?;
            if watch.stop() {
                return Err(Error::Interrupted);
            }
            let judge = |cards: Vec<_>| JudgedCards::of(setup, kept, cards.into_iter().map(|(_, placed)| placed));
            let judged = || block.into_par_iter().chunks(TOGETHER).map(judge).collect();
            let (judged, written): (Vec<JudgedCards>, _) = rayon::join(judged, || files.write(&waiting));
            written?;
            if judged.is_empty() {
                return files.finish();
            }
            waiting = judged;
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

impl<'f> ItemFiles<'f> {
    fn create(
        kept: &'f [BatchForItems],
        output: &'f mut Output,
        audits: &'f mut LineFile,
        (audit_count, sums): (&'f mut u64, &'f mut Sums),
    ) -> Result<ItemFiles<'f>> {
        let fixed = ["experiment", "run", "case", "batch", "item", "user", "user_group"];
        let named = ITEM.iter().map(|metric| metric.to_string());
        let table = output.table("items", columns(&fixed, named), Dialect::Plain)?;
        Ok(ItemFiles { kept, output, table, tokens: None, audits, audit_count, sums })
    }

    fn write(&mut self, judged: &[JudgedCards]) -> Result<()> {
        for judged in judged {
            self.output.score_lines(&judged.lines)?;
            if let Some(list) = &mut self.tokens {
                list.write(&judged.tokens)?;
            }
        }
        judged.iter().flat_map(|judged| &judged.cards).try_for_each(|judged| self.write_card(judged))
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
