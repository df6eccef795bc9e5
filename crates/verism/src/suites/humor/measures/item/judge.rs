//! The measures of one card that need nothing but itself, the model and the references.

use crate::score::measure::{Measure, Undefined};
use crate::suites::humor::facts::ids::{ITEM, item};
use crate::suites::humor::measures::found::{Found, NO_CORPUS, Outcome, Tried};
use crate::suites::humor::measures::item::ambiguity::ambiguity;
use crate::suites::humor::measures::item::coherence::{Sides, coherence};
use crate::suites::humor::measures::item::distinctiveness::distinctiveness;
use crate::suites::humor::measures::item::entropy::entropy;
use crate::suites::humor::measures::item::f1::f1;
use crate::suites::humor::measures::item::kao::kao;
use crate::suites::humor::measures::item::kneser_ney::mean_nats;
use crate::suites::humor::measures::item::novelty::{Reference, corpus_copy, novelty, novelty_semantic};
use crate::suites::humor::measures::item::overall::{Creative, overall};
use crate::suites::humor::measures::item::pacs::pacs;
use crate::suites::humor::measures::item::perplexity::perplexity;
use crate::suites::humor::measures::item::surprisal::surprisal;
use crate::suites::humor::options::Params;
use crate::suites::humor::record::card::Card;
use crate::suites::humor::record::fill::around_blanks;
use crate::text::model::{Model, Token};
use crate::text::tokens::{Tokenizer, Tokens, lower, prep};

/// What cards are judged by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub(crate) params: &'a Params,
    /// A model with tokens.
    pub(crate) model: Option<&'a Model>,
    pub(crate) references: Option<&'a [Reference]>,
}

/// The outcomes of one card, in the order of [`ITEM`]; those of `overall` are made when its batch is known.
#[derive(Clone, Debug)]
pub(crate) struct Judged {
    pub(crate) outcomes: Vec<Outcome>,
    /// How often the corpus holds the text.
    pub(crate) copies: u64,
}

/// Texts as the formulas read them.
struct Cut {
    text: String,
    context: Option<String>,
    words: Tokens,
    spaced: Tokens,
}

impl Cut {
    fn of(card: &Card, params: &Params) -> Cut {
        let text = prep(&card.text, params.blanks()).into_owned();
        let context = card.context.as_deref().map(|context| prep(context, params.blanks()).into_owned());
        let (mut words, mut spaced) = (Tokens::default(), Tokens::default());
        Tokenizer::Words.cut(&text, &mut words);
        Tokenizer::Whitespace.cut(&text, &mut spaced);
        Cut { text, context, words, spaced }
    }
}

/// A value that the original prints where ours is undefined, by reason; `*` is any.
type Printed<'p> = &'p [(&'p str, f64)];

/// Collects the outcomes of a card.
struct Sheet {
    outcomes: Vec<Outcome>,
    published: bool,
}

impl Sheet {
    fn put(&mut self, metric: &str, outcome: Outcome) {
        self.outcomes[item(metric)] = outcome;
    }

    /// An outcome, or the constant that the original prints.
    fn put_printed(&mut self, metric: &str, outcome: Outcome, printed: Printed<'_>) {
        let constant = outcome.value.as_ref().err().filter(|_| self.published).and_then(|why| {
            let found = printed.iter().find(|(reason, _)| *reason == why.reason() || *reason == "*");
            found.map(|(_, value)| Outcome::stated(*value, 0, why.reason()))
        });
        self.put(metric, constant.unwrap_or(outcome));
    }

    /// A scaled score and its raw companion.
    fn put_pair<E: serde::Serialize>(
        &mut self,
        metric: &'static str,
        tried: &Tried<E>,
        raw: impl Fn(&E) -> f64,
        printed: Printed<'_>,
    ) {
        self.put_printed(metric, Outcome::of(tried), printed);
        let companion = match tried {
            Ok(found) => Outcome::see(raw(&found.evidence), found.n, metric),
            Err(why) => Outcome::undefined(why.clone()),
        };
        debug_assert_eq!(ITEM[item(metric) + 1].strip_suffix("_raw"), Some(metric), "a raw value follows its score");
        self.outcomes[item(metric) + 1] = companion;
    }

    fn value(&self, metric: &str) -> &Measure {
        &self.outcomes[item(metric)].value
    }
}

/// The tokens, looked up once for all formulas.
fn known<'t>(tokens: &'t Tokens, model: Option<&Model>) -> Vec<Token<'t>> {
    tokens.iter().map(|text| model.map_or(Token::unknown(text), |model| model.look_up(text))).collect()
}

/// Judges a card.
pub(crate) fn judge(card: &Card, context: &Context<'_>) -> Judged {
    let params = context.params;
    let cut = Cut::of(card, params);
    let (mut context_words, mut context_spaced) = (Tokens::default(), Tokens::default());
    if let Some(prompt) = &cut.context {
        Tokenizer::Words.cut(prompt, &mut context_words);
        Tokenizer::Whitespace.cut(prompt, &mut context_spaced);
    }
    let (words, spaced) = (known(&cut.words, context.model), known(&cut.spaced, context.model));
    let (history, prompt) = (known(&context_words, context.model), known(&context_spaced, context.model));
    let blank = Outcome::undefined(NO_CORPUS);
    let mut sheet = Sheet { outcomes: vec![blank; ITEM.len()], published: params.published() };
    let gate = params.gate();
    let model = || context.model.ok_or(NO_CORPUS);
    let empty = [("empty_text", 0.0)];

    let tried = model().and_then(|model| surprisal(model, &words, &history, gate));
    sheet.put_pair("surprisal", &tried, |found| found.raw, &empty);
    let tried = model().and_then(|model| perplexity(model, &words, gate));
    sheet.put_pair("perplexity", &tried, |found| libm::exp(found.mean_nats), &[("empty_text", 1.0)]);
    let tried = model().and_then(|model| ambiguity(model, &spaced));
    sheet.put_pair("ambiguity", &tried, |found| found.raw, &empty);
    let tried = model().and_then(|model| match &card.context {
        None => Err(Undefined::missing_field("context")),
        Some(_) => distinctiveness(model, &spaced, &prompt),
    });
    let fives = [("empty_text", 5.0), ("empty_context", 5.0)];
    sheet.put_pair("distinctiveness", &tried, |found| found.raw, &fives);
    match entropy(&lower(&cut.text), cut.spaced.iter()) {
        Some(found) => sheet.put_pair("entropy", &Ok(found), |found| found.raw, &[]),
        None => {
            let evidence = serde_json::json!({"convention": "empty_text", "raw": 0.0});
            sheet.put("entropy", Outcome { by_convention: true, ..Outcome::value(0.0, 0, &evidence) });
            sheet.put("entropy_raw", Outcome::see(0.0, 0, "entropy"));
        }
    }
    let sides = Sides {
        card,
        source: params.coherence,
        model: context.model,
        words: &spaced,
        context: card.context.as_ref().map(|_| prompt.as_slice()),
    };
    let zeros = [("empty_text", 0.0), ("empty_context", 0.0)];
    sheet.put_pair("coherence", &coherence(&sides), |found| found.raw, &zeros);
    put_f1(&mut sheet);
    let tried = pacs(card);
    sheet.put_pair("pacs", &tried, |found| found.cosine, &[("*", 5.0)]);

    let before = cut.context.as_deref().map_or("", |context| around_blanks(context)[0]);
    let mut before_words = Tokens::default();
    Tokenizer::Words.cut(before, &mut before_words);
    let before = known(&before_words, context.model);
    let tried = model().and_then(|model| mean_nats(model, &words, &before, false));
    sheet.put("kn_surprisal_nats", Outcome::of(&tried));
    let tried = model().and_then(|model| mean_nats(model, &words, &[], true));
    sheet.put("kn_nats", Outcome::of(&tried));
    let scaled = |scale: fn(f64) -> f64| match &tried {
        Ok(Found { value, n, .. }) => Outcome::see(scale(*value), *n, "kn_nats"),
        Err(why) => Outcome::undefined(why.clone()),
    };
    sheet.put("kn_bits", scaled(|nats| nats / std::f64::consts::LN_2));
    sheet.put("kn_perplexity", scaled(libm::exp));
    for (metric, n) in [("novelty_2", 2), ("novelty_3", 3)] {
        sheet.put(metric, Outcome::of(&model().and_then(|model| novelty(model, &words, n))));
    }
    let copy = model().and_then(|model| corpus_copy(model, &words));
    sheet.put("corpus_copy", Outcome::of(&copy));
    let near = novelty_semantic(card.embedding.as_deref(), context.references);
    sheet.put("novelty_semantic", Outcome::of(&near));
    put_kao(&mut sheet, card, context.model, &spaced);
    Judged { outcomes: sheet.outcomes, copies: copy.map_or(0, |found| found.evidence.copies_in_corpus) }
}

fn put_f1(sheet: &mut Sheet) {
    let measures = (sheet.value("coherence").clone(), sheet.value("surprisal").clone());
    let tried = f1(&measures.0, &measures.1, 10.0);
    let mut outcome = Outcome::of(&tried);
    outcome.by_convention = tried.as_ref().is_ok_and(|found| found.evidence.convention.is_some());
    sheet.put_printed("f1", outcome, &[("*", 5.0)]);
    let raw = match f1(&measures.0, &measures.1, 1.0) {
        Ok(found) => Outcome::see(found.value, found.n, "f1"),
        Err(why) => Outcome::undefined(why),
    };
    sheet.put("f1_raw", raw);
}

fn put_kao(sheet: &mut Sheet, card: &Card, model: Option<&Model>, spaced: &[Token<'_>]) {
    let pun = card.pun.as_ref().ok_or(Undefined::missing_field("pun"));
    let tried = pun.and_then(|meanings| kao(model.ok_or(NO_CORPUS)?, spaced, meanings));
    sheet.put("kao_ambiguity_bits", Outcome::of(&tried));
    let second = match &tried {
        Ok(found) => Outcome::see(found.evidence.distinctiveness, found.n, "kao_ambiguity_bits"),
        Err(why) => Outcome::undefined(why.clone()),
    };
    sheet.put("kao_distinctiveness", second);
}

/// Adds `overall`, given how varied the batch, or the text alone, is.
pub(crate) fn complete(judged: &mut Judged, creative: &Creative) {
    let part = |metric: &str| &judged.outcomes[item(metric)].value;
    let parts = ["surprisal", "ambiguity", "distinctiveness", "entropy", "perplexity", "coherence"].map(part);
    let (value, raw) = overall(parts, creative);
    judged.outcomes[item("overall")] = value;
    judged.outcomes[item("overall_raw")] = raw;
}
