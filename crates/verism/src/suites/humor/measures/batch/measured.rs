//! The measures of one batch of texts.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use crate::suites::humor::measures::batch::compression::Compressor;
use crate::suites::humor::measures::batch::distinct::distinct;
use crate::suites::humor::measures::batch::hdd::hdd;
use crate::suites::humor::measures::batch::meaning::{Meaning, Vectors};
use crate::suites::humor::measures::batch::mtld::mtld;
use crate::suites::humor::measures::batch::neighbours::Neighbours;
use crate::suites::humor::measures::batch::richness::Richness;
use crate::suites::humor::measures::batch::self_bleu::self_bleu;
use crate::suites::humor::measures::batch::self_repetition::self_repetition;
use crate::suites::humor::measures::found::Outcome;
use crate::suites::humor::measures::item::overall::Creative;
use crate::suites::humor::options::Params;
use crate::suites::humor::record::card::Card;
use crate::text::bleu::{Matches, ORDERS, add_matches, lengths};
use crate::text::model::fingerprint;
use crate::text::ngrams::Grams;
use crate::text::numbered::{Numbered, TokenTexts};
use crate::text::shared_runs::{SharedRun, SharedRuns};
use crate::text::tokens::{Tokenizer, Tokens, prep};

/// The texts of a batch as they come.
pub(crate) struct Batch<'p> {
    params: &'p Params,
    ids: Vec<String>,
    /// Treebank tokens in lower case.
    tokens: TokenTexts,
    /// Treebank tokens with their case: the different ones, and how many there are.
    types: Numbered,
    cased: u64,
    /// All words, one after the other.
    names: Numbered,
    words: Vec<u32>,
    /// Fingerprints of texts with words, and the text.
    prints: Vec<(u64, u32)>,
    compressor: Compressor,
    vectors: Vectors,
    scratch: Tokens,
}

/// What a batch gives.
pub(crate) struct Measured {
    /// In the order of [`crate::suites::humor::facts::ids::batch`].
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) creative: Creative,
    pub(crate) neighbours: Neighbours,
    /// Ids of texts with equal words, set by set.
    pub(crate) duplicates: Vec<Vec<String>>,
    pub(crate) texts: u64,
}

impl<'p> Batch<'p> {
    pub(crate) fn new(params: &'p Params) -> Batch<'p> {
        Batch {
            params,
            ids: vec![],
            tokens: TokenTexts::default(),
            types: Numbered::default(),
            cased: 0,
            names: Numbered::default(),
            words: vec![],
            prints: vec![],
            compressor: Compressor::new(),
            vectors: Vectors::default(),
            scratch: Tokens::default(),
        }
    }

    /// Adds the next text.
    pub(crate) fn add(&mut self, card: &Card) {
        let text = prep(&card.text, self.params.blanks());
        let mut tokens = std::mem::take(&mut self.scratch);
        Tokenizer::Words.cut(&text, &mut tokens);
        if !tokens.is_empty() {
            self.prints.push((fingerprint(tokens.iter()), self.ids.len() as u32));
        }
        self.words.extend(tokens.iter().map(|word| self.names.number(word)));
        self.compressor.add(&text, !tokens.is_empty());
        Tokenizer::Treebank.cut(&text, &mut tokens);
        self.cased += tokens.len() as u64;
        for token in tokens.iter() {
            self.types.number(token);
        }
        let upper = |b: u8| b.is_ascii_uppercase() || !b.is_ascii();
        if text.bytes().any(upper) {
            tokens.lower_treebank(&text);
        }
        self.tokens.push(tokens.iter());
        self.scratch = tokens;
        self.vectors.push(card.embedding.as_deref(), self.params.semantic_limit);
        self.ids.push(card.id.clone());
    }

    /// The measures.
    pub(crate) fn finish(self) -> Measured {
        let Batch { params, ids, tokens, types, cased, names, words, prints, compressor, vectors, .. } = self;
        let texts = ids.len() as u64;
        let richness = Richness { types: types.len() as u64, tokens: cased };
        let lexis = [Outcome::of(&mtld(&words)), Outcome::of(&hdd(&counts(&words, names.len())))];
        drop((types, names, words));
        let compression = Outcome::of(&compressor.finish());
        let ngrams = NGrams::of(params, &tokens, &ids);
        let meaning = vectors.finish(&ids, params.semantic_limit, params.published());
        let bleu = |n: usize| self_bleu(n, params.smoothing(), (&tokens, &ids), &ngrams.matches, &ngrams.runs);
        let bleus: [Outcome; ORDERS] = [bleu(1), bleu(2), bleu(3), bleu(4)];
        let [vocabulary, ttr, rttr, cttr] = richness.outcomes();
        let Meaning { diversity, clusters: [intra, inter, coherence], spread, vendi, nearest } = meaning;
        let [mtld, hdd] = lexis;
        let creative = Creative {
            distinct_1: ngrams.distinct[0].value.clone(),
            distinct_2: ngrams.distinct[1].value.clone(),
            self_bleu: bleus[params.overall_order() - 1].value.clone(),
            vocabulary_richness: vocabulary.value.clone(),
            overall_semantic_diversity: diversity.value.clone(),
        };
        let mut outcomes = ngrams.distinct;
        outcomes.extend(bleus);
        outcomes.extend([vocabulary, ttr, rttr, cttr, diversity, intra, inter, coherence, spread]);
        outcomes.extend([mtld, hdd, vendi, compression, ngrams.repetition]);
        let duplicates = duplicates(prints, &ids);
        let neighbours = Neighbours { ids, tokens, runs: ngrams.runs, semantic: nearest };
        Measured { outcomes, creative, neighbours, duplicates, texts }
    }
}

/// What the n-grams of a batch give.
struct NGrams {
    distinct: Vec<Outcome>,
    matches: Vec<Matches>,
    runs: Vec<Option<SharedRun>>,
    repetition: Outcome,
}

impl NGrams {
    /// Goes through the orders once, as far as anyone needs them.
    fn of(params: &Params, tokens: &TokenTexts, ids: &[String]) -> NGrams {
        let mut matches = lengths(tokens);
        let mut runs = SharedRuns::new(tokens.len());
        let mut distincts: BTreeMap<u32, Outcome> = BTreeMap::new();
        let mut repetition = None;
        let highest = params.distinct_n.iter().copied().max().unwrap_or(0).max(ORDERS as u32);
        let mut grams = Grams::of(tokens);
        loop {
            let n = grams.order();
            if n <= ORDERS {
                add_matches(&grams, &mut matches);
            }
            if params.distinct_n.contains(&(n as u32)) {
                distincts.insert(n as u32, distinct(&grams, tokens, ids));
            }
            if n == ORDERS {
                repetition = Some(self_repetition(&grams, tokens.len()));
            }
            runs.add(&grams);
            // Without n-grams of one order there are none of a higher one.
            if n as u32 >= highest || (grams.total() == 0 && n >= ORDERS) {
                break;
            }
            grams = grams.longer();
        }
        let none = || Outcome::stated(0.0, 0, "no_ngrams");
        NGrams {
            distinct: params.distinct_n.iter().map(|n| distincts.remove(n).unwrap_or_else(none)).collect(),
            matches,
            runs: runs.finish(&grams),
            repetition: repetition.unwrap_or_else(none),
        }
    }
}

fn counts(words: &[u32], kinds: usize) -> Vec<u64> {
    let mut counts = vec![0_u64; kinds];
    words.iter().for_each(|word| counts[*word as usize] += 1);
    counts
}

/// Sets of texts with equal words, in the order of their first texts.
fn duplicates(mut prints: Vec<(u64, u32)>, ids: &[String]) -> Vec<Vec<String>> {
    prints.sort_unstable();
    let mut sets: Vec<&[(u64, u32)]> = prints.chunk_by(|a, b| a.0 == b.0).filter(|set| set.len() > 1).collect();
    sets.sort_by_key(|set| set[0].1);
    sets.iter().map(|set| set.iter().map(|(_, text)| ids[*text as usize].clone()).collect()).collect()
}

/// How varied one text is by itself; self-BLEU and diversity of one text are 0.
pub(crate) fn alone(text: &str, params: &Params) -> Creative {
    let text = prep(text, params.blanks());
    let lower = Tokenizer::TreebankLower.tokens(&text);
    let share = |n: usize| {
        let all = lower.windows(n).len();
        let different: FxHashSet<&[String]> = lower.windows(n).collect();
        if all == 0 { 0.0 } else { different.len() as f64 / all as f64 }
    };
    let cased = Tokenizer::Treebank.tokens(&text);
    let types: FxHashSet<&String> = cased.iter().collect();
    let richness = Richness { types: types.len() as u64, tokens: cased.len() as u64 };
    Creative {
        distinct_1: Ok(share(1)),
        distinct_2: Ok(share(2)),
        self_bleu: Ok(0.0),
        vocabulary_richness: Ok(richness.value()),
        overall_semantic_diversity: Ok(0.0),
    }
}
