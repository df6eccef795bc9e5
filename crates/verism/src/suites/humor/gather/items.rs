//! The second walk: every card in reading order, now that every batch is known.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::batches::{Gathering, columns};
use super::rows::{Unit, push_audit, push_rows};
use crate::error::{Error, Result};
use crate::input::Watch;
use crate::score::json;
use crate::score::measure::Undefined;
use crate::score::output::LineFile;
use crate::score::table::{Cell, Dialect};
use crate::suites::humor::facts::ids::ITEM;
use crate::suites::humor::measures::batch::measured::alone;
use crate::suites::humor::measures::found::{Evidence, Outcome};
use crate::suites::humor::measures::item::judge::{Judged, complete, judge};
use crate::suites::humor::measures::item::overall::Creative;
use crate::suites::humor::options::Scope;
use crate::suites::humor::record::card::Card;
use crate::suites::humor::setup::Setup;
use crate::text::tokens::{Tokenizer, prep};

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

/// Cards that are judged at a time, for each thread: their lines stay in its cache.
const AT_A_TIME: usize = 64;

impl Gathering<'_> {
    /// Judges all cards in reading order and writes their rows.
    pub(super) fn items(&mut self, audits: &mut LineFile, watch: &dyn Watch) -> Result<()> {
        let fixed = ["experiment", "run", "case", "batch", "item", "user", "user_group"];
        let named = ITEM.iter().map(|metric| metric.to_string());
        let mut table = self.output.table("items", columns(&fixed, named), Dialect::Plain)?;
        let mut tokens = match self.setup.params.tokens {
            true => Some(self.output.list("tokens")?),
            false => None,
        };
        let mut sorted = std::mem::take(&mut self.items).finish()?;
        loop {
            let block = sorted.block::<PlacedCard>(AT_A_TIME * rayon::current_num_threads())?;
            if block.is_empty() {
                break;
            }
            if watch.stop() {
                return Err(Error::Interrupted);
            }
            let (setup, kept) = (self.setup, &self.kept);
            let done: Vec<JudgedCard> = block.into_par_iter().map(|(_, placed)| done(setup, kept, placed)).collect();
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
}

/// A judged card, ready to be written.
struct JudgedCard {
    card: Card,
    batch: Option<u32>,
    outcomes: Vec<Outcome>,
    lines: Vec<u8>,
    tokens: Vec<u8>,
    copies: u64,
}

fn done(setup: &Setup, kept: &[BatchForItems], PlacedCard { card, batch }: PlacedCard) -> JudgedCard {
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
    let Judged { mut outcomes, copies } = judged;
    let name = batch.map(|number| kept[number as usize].name.as_str());
    let unit = Unit {
        experiment: &card.experiment,
        extra: [name, card.user.as_deref(), card.user_group.as_deref()],
        run: Some(&card.run),
        case: Some(&card.case),
        level: "item",
        id: &card.id,
    };
    let mut lines = Vec::with_capacity(1 << 14);
    push_rows(&mut lines, &unit, ITEM.into_iter().zip(&outcomes));
    // From here on only values are asked for, and memory is freed soonest by the thread that took it.
    outcomes.iter_mut().for_each(|outcome| outcome.evidence = Evidence::None);
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
    JudgedCard { card, batch, outcomes, lines, tokens, copies }
}
