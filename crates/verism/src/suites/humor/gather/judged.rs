//! Cards that were judged, with their score rows as lines.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::rows::{Unit, push_rows};
use crate::score::json;
use crate::score::measure::Undefined;
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

/// A judged card: from here on only values are asked for.
pub(super) struct JudgedCard {
    pub(super) card: Card,
    pub(super) batch: Option<u32>,
    pub(super) outcomes: Vec<Outcome>,
    /// How often the corpus holds the text.
    pub(super) copies: u64,
}

/// Cards that were judged one after the other, ready to be written.
pub(super) struct JudgedCards {
    pub(super) cards: Vec<JudgedCard>,
    /// Their score rows.
    pub(super) lines: Vec<u8>,
    /// Their tokens, if they are asked for.
    pub(super) tokens: Vec<u8>,
}

/// What the rows of a card usually take.
const LINES: usize = 1 << 14;

impl JudgedCards {
    /// Judges cards.
    pub(super) fn of(
        setup: &Setup,
        kept: &[BatchForItems],
        cards: impl ExactSizeIterator<Item = PlacedCard>,
    ) -> JudgedCards {
        let count = cards.len();
        let lines = Vec::with_capacity(count * LINES);
        let mut judged = JudgedCards { cards: Vec::with_capacity(count), lines, tokens: vec![] };
        cards.for_each(|placed| judged.add(setup, kept, placed));
        judged
    }

    fn add(&mut self, setup: &Setup, kept: &[BatchForItems], PlacedCard { card, batch }: PlacedCard) {
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
        push_rows(&mut self.lines, &unit, ITEM.into_iter().zip(&outcomes));
        // Memory is freed soonest by the thread that took it.
        outcomes.iter_mut().for_each(|outcome| outcome.evidence = Evidence::None);
        if params.tokens {
            let text = prep(&card.text, params.blanks());
            let streams = json!({
                "id": card.id,
                "words": Tokenizer::Words.tokens(&text),
                "whitespace": Tokenizer::Whitespace.tokens(&text),
                "treebank": Tokenizer::Treebank.tokens(&text),
            });
            json::push(&mut self.tokens, &streams);
            self.tokens.push(b'\n');
        }
        self.cards.push(JudgedCard { card, batch, outcomes, copies });
    }
}
