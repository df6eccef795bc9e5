//! The measures of one card that need nothing but itself, the model and the references.

use crate::score::measure::Measure;
use crate::suites::humor::facts::ids::{ITEM, item};
use crate::suites::humor::measures::found::{Found, MISSING_CONTEXT, MISSING_PUN, NO_CORPUS, Outcome, Tried};
use crate::suites::humor::measures::item::ambiguity::ambiguity;
use crate::suites::humor::measures::item::coherence::{Sides, coherence};
use crate::suites::humor::measures::item::distinctiveness::distinctiveness;
use crate::suites::humor::measures::item::entropy::entropy;
use crate::suites::humor::measures::item::f1::f1;
use crate::suites::humor::measures::item::kao::kao;
use crate::suites::humor::measures::item::kneser_ney::{kn_nats, kn_surprisal_nats};
use crate::suites::humor::measures::item::novelty::{Reference, corpus_copy, novelty, novelty_semantic};
use crate::suites::humor::measures::item::overall::{Creative, overall};
use crate::suites::humor::measures::item::pacs::pacs;
use crate::suites::humor::measures::item::perplexity::{Perplexity, perplexity};
use crate::suites::humor::measures::item::prompt::{Prompt, Prompts};
use crate::suites::humor::measures::item::surprisal::{answers, surprisal};
use crate::suites::humor::options::Params;
use crate::suites::humor::record::card::Card;
use crate::text::model::{Model, Step, Token};
use crate::text::tokens::{Tokenizer, Tokens, lower, prep};

/// What cards are judged by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub(crate) params: &'a Params,
    /// A model with tokens.
    pub(crate) model: Option<&'a Model>,
    pub(crate) references: Option<&'a [Reference]>,
    pub(crate) prompts: &'a Prompts,
}

/// The outcomes of one card, in the order of [`ITEM`]; those of `overall` are made when its batch is known.
#[derive(Clone, Debug)]
pub(crate) struct Judged {
    pub(crate) outcomes: Vec<Outcome>,
    /// How often the corpus holds the text.
    pub(crate) copies: u64,
}

/// The tokens of a text, as the formulas read them.
#[derive(Default)]
struct CardTokens {
    words: Tokens,
    spaced: Tokens,
}

impl CardTokens {
    fn of(text: &str) -> CardTokens {
        let mut cut = CardTokens::default();
        Tokenizer::Words.cut(text, &mut cut.words);
        Tokenizer::Whitespace.cut(text, &mut cut.spaced);
        cut
    }
}

/// A card with its tokens, each looked up once for all formulas.
struct LookedUpCard<'a> {
    card: &'a Card,
    /// Without a model none.
    words: Vec<Step<'a>>,
    spaced: Vec<Token<'a>>,
    /// The same in byte order.
    in_order: Vec<Token<'a>>,
    prompt: Option<&'a Prompt>,
}

impl<'a> LookedUpCard<'a> {
    fn of(card: &'a Card, cut: &'a CardTokens, prompt: Option<&'a Prompt>, model: Option<&Model>) -> LookedUpCard<'a> {
        let known = |text: &'a str| model.map_or(Token::unknown(text), |model| model.look_up(text));
        let words = model.map(|model| model.follow(cut.words.iter().map(known))).unwrap_or_default();
        // Most tokens are words without a mark.
        let again = |(i, text): (usize, &'a str)| match words.get(i) {
            Some(step) if step.token.text == text => step.token,
            _ => known(text),
        };
        let spaced: Vec<Token<'a>> = cut.spaced.iter().enumerate().map(again).collect();
        let mut in_order = spaced.clone();
        in_order.sort_unstable();
        LookedUpCard { card, words, spaced, in_order, prompt }
    }
}

/// A value that the original prints where ours is undefined, by reason; `*` is any.
type Printed<'p> = &'p [(&'p str, f64)];

/// Collects the outcomes of a card, by their places in [`ITEM`].
struct Sheet {
    outcomes: Vec<Outcome>,
    published: bool,
}

impl Sheet {
    fn put(&mut self, place: usize, outcome: Outcome) {
        self.outcomes[place] = outcome;
    }

    /// An outcome, or the constant that the original prints.
    fn put_printed(&mut self, place: usize, outcome: Outcome, printed: Printed<'_>) {
        let constant = outcome.value.as_ref().err().filter(|_| self.published).and_then(|why| {
            let found = printed.iter().find(|(reason, _)| *reason == why.reason() || *reason == "*");
            found.map(|(_, value)| Outcome::stated(*value, 0, why.reason()))
        });
        self.put(place, constant.unwrap_or(outcome));
    }

    /// A value whose evidence stands in the row of another metric.
    fn put_beside<E>(&mut self, place: usize, of: usize, tried: &Tried<E>, value: impl Fn(&Found<E>) -> f64) {
        let outcome = match tried {
            Ok(found) => Outcome::see(value(found), found.n, ITEM[of]),
            Err(why) => Outcome::undefined(why.clone()),
        };
        self.put(place, outcome);
    }

    /// A scaled score and its raw companion, which follows it.
    fn put_pair<E: serde::Serialize>(
        &mut self,
        place: usize,
        tried: &Tried<E>,
        raw: impl Fn(&E) -> f64,
        printed: Printed<'_>,
    ) {
        self.put_printed(place, Outcome::of(tried), printed);
        debug_assert_eq!(ITEM[place + 1].strip_suffix("_raw"), Some(ITEM[place]), "a raw value follows its score");
        self.put_beside(place + 1, place, tried, |found| raw(&found.evidence));
    }

    fn value(&self, place: usize) -> &Measure {
        &self.outcomes[place].value
    }
}

/// Judges a card.
pub(crate) fn judge(card: &Card, context: &Context<'_>) -> Judged {
    let params = context.params;
    let text = prep(&card.text, params.blanks());
    let prompt = |text| context.prompts.get(text, params.blanks(), context.model);
    let prompt = card.context.as_deref().map(prompt);
    let cut = CardTokens::of(&text);
    let known = LookedUpCard::of(card, &cut, prompt.as_deref(), context.model);
    let blank = Outcome::undefined(NO_CORPUS);
    let mut sheet = Sheet { outcomes: vec![blank; ITEM.len()], published: params.published() };
    put_published(&mut sheet, &known, context);
    put_entropy(&mut sheet, &lower(&text), &known.in_order);
    put_meaning(&mut sheet, &known, context);
    put_kneser_ney(&mut sheet, &known, context.model);
    let copies = put_novelty(&mut sheet, &known, context);
    put_kao(&mut sheet, &known, context.model);
    Judged { outcomes: sheet.outcomes, copies }
}

/// Surprise, ambiguity and distinctiveness.
fn put_published(sheet: &mut Sheet, known: &LookedUpCard<'_>, context: &Context<'_>) {
    let LookedUpCard { words, spaced, prompt, .. } = known;
    let history = prompt.map(Prompt::history).unwrap_or_default();
    let gate = context.params.gate();
    let model = || context.model.ok_or(NO_CORPUS);
    let empty = [("empty_text", 0.0)];
    let told = context.model.map(|model| answers(model, words, gate)).unwrap_or_default();
    let tried = model().and_then(|model| surprisal(model, words, &history, &told, gate));
    sheet.put_pair(const { item("surprisal") }, &tried, |found| found.raw, &empty);
    let tried = model().and_then(|model| perplexity(model, words, &told));
    let raw = |found: &Perplexity<'_>| pxfm::f_exp(found.mean_nats);
    sheet.put_pair(const { item("perplexity") }, &tried, raw, &[("empty_text", 1.0)]);
    let tried = model().and_then(|model| ambiguity(model, spaced));
    sheet.put_pair(const { item("ambiguity") }, &tried, |found| found.raw, &empty);
    let tried = model().and_then(|model| match prompt {
        None => Err(MISSING_CONTEXT),
        Some(prompt) => {
            let mut words = known.in_order.clone();
            words.dedup();
            distinctiveness(&words, &prompt.different(), &prompt.alike(model, &words))
        }
    });
    let fives = [("empty_text", 5.0), ("empty_context", 5.0)];
    sheet.put_pair(const { item("distinctiveness") }, &tried, |found| found.raw, &fives);
}

fn put_entropy(sheet: &mut Sheet, low: &str, spaced: &[Token<'_>]) {
    const PLACE: usize = item("entropy");
    match entropy(low, spaced) {
        Some(found) => sheet.put_pair(PLACE, &Ok(found), |found| found.raw, &[]),
        None => {
            let evidence = serde_json::json!({"convention": "empty_text", "raw": 0.0});
            sheet.put(PLACE, Outcome { by_convention: true, ..Outcome::value(0.0, 0, &evidence) });
            sheet.put(PLACE + 1, Outcome::see(0.0, 0, "entropy"));
        }
    }
}

/// Fit to the prompt and to the person.
fn put_meaning(sheet: &mut Sheet, known: &LookedUpCard<'_>, context: &Context<'_>) {
    let prompt = known.prompt.map(Prompt::spaced);
    let sides = Sides {
        card: known.card,
        source: context.params.coherence,
        model: context.model,
        words: &known.spaced,
        context: prompt.as_deref(),
    };
    let zeros = [("empty_text", 0.0), ("empty_context", 0.0)];
    sheet.put_pair(const { item("coherence") }, &coherence(&sides), |found| found.raw, &zeros);
    put_f1(sheet);
    sheet.put_pair(const { item("pacs") }, &pacs(known.card), |found| found.cosine, &[("*", 5.0)]);
}

fn put_f1(sheet: &mut Sheet) {
    const PLACE: usize = item("f1");
    let measures = [item("coherence"), item("surprisal")].map(|place| sheet.value(place).clone());
    let tried = f1(&measures[0], &measures[1], 10.0);
    let mut outcome = Outcome::of(&tried);
    outcome.by_convention = tried.as_ref().is_ok_and(|found| found.evidence.convention.is_some());
    sheet.put_printed(PLACE, outcome, &[("*", 5.0)]);
    sheet.put_beside(PLACE + 1, PLACE, &f1(&measures[0], &measures[1], 1.0), |found| found.value);
}

fn put_kneser_ney(sheet: &mut Sheet, known: &LookedUpCard<'_>, model: Option<&Model>) {
    const PLACE: usize = item("kn_nats");
    let model = || model.ok_or(NO_CORPUS);
    let before_blank = known.prompt.map(Prompt::before_blank).unwrap_or_default();
    let tried = model().and_then(|model| kn_nats(model, &known.words));
    let after = model().and_then(|model| kn_surprisal_nats(model, &known.words, &before_blank, &tried));
    sheet.put(const { item("kn_surprisal_nats") }, Outcome::of(&after));
    sheet.put(PLACE, Outcome::of(&tried));
    sheet.put_beside(const { item("kn_bits") }, PLACE, &tried, |found| found.value / std::f64::consts::LN_2);
    sheet.put_beside(const { item("kn_perplexity") }, PLACE, &tried, |found| pxfm::f_exp(found.value));
}

/// What is new in the text; gives how often the corpus holds it.
fn put_novelty(sheet: &mut Sheet, known: &LookedUpCard<'_>, context: &Context<'_>) -> u64 {
    let model = || context.model.ok_or(NO_CORPUS);
    for (place, n) in const { [(item("novelty_2"), 2), (item("novelty_3"), 3)] } {
        sheet.put(place, Outcome::of(&model().and_then(|_| novelty(&known.words, n))));
    }
    let copy = model().and_then(|model| corpus_copy(model, &known.words));
    sheet.put(const { item("corpus_copy") }, Outcome::of(&copy));
    let near = novelty_semantic(known.card.embedding.as_deref(), context.references);
    sheet.put(const { item("novelty_semantic") }, Outcome::of(&near));
    copy.map_or(0, |found| found.evidence.copies_in_corpus)
}

fn put_kao(sheet: &mut Sheet, known: &LookedUpCard<'_>, model: Option<&Model>) {
    const PLACE: usize = item("kao_ambiguity_bits");
    let pun = known.card.pun.as_ref().ok_or(MISSING_PUN);
    let tried = pun.and_then(|meanings| kao(model.ok_or(NO_CORPUS)?, &known.spaced, meanings));
    sheet.put(PLACE, Outcome::of(&tried));
    sheet.put_beside(PLACE + 1, PLACE, &tried, |found| found.evidence.distinctiveness);
}

/// Adds `overall`, given how varied the batch, or the text alone, is.
pub(crate) fn complete(judged: &mut Judged, creative: &Creative) {
    const PARTS: [usize; 6] = [
        item("surprisal"),
        item("ambiguity"),
        item("distinctiveness"),
        item("entropy"),
        item("perplexity"),
        item("coherence"),
    ];
    let (value, raw) = overall(PARTS.map(|place| &judged.outcomes[place].value), creative);
    judged.outcomes[const { item("overall") }] = value;
    judged.outcomes[const { item("overall_raw") }] = raw;
}
