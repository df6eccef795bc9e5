//! What a model holds, in numbers, and every table of it for checking.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Model;
use super::kneser_ney::{END, START};
use super::layout::Section;

/// A model in numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Documents by weight.
    pub documents: u64,
    /// Prompts among them.
    pub black: u64,
    /// Answers among them.
    pub white: u64,
    /// Tokens of the language model.
    pub tokens: u64,
    /// Different tokens.
    pub vocabulary: u64,
    /// Different bigrams.
    pub bigrams: u64,
    /// Different trigrams.
    pub trigrams: u64,
    /// Words with neighbours.
    pub context_words: u64,
    /// Different pairs of neighbours, both ways.
    pub context_pairs: u64,
    /// Their counts together.
    pub context_count: u64,
    /// Words with a document frequency.
    pub document_words: u64,
    /// Digest of the corpus.
    pub corpus_digest: String,
    /// Discounts of each order.
    pub kn_discounts: BTreeMap<String, [f64; 3]>,
    /// Orders with fixed discounts.
    pub kn_fallback: Vec<u8>,
}

impl Model {
    /// What the model holds, in numbers.
    pub fn summary(&self) -> Summary {
        let [unknown, white, black] = self.documents();
        let (context_words, context_count) = self.neighbour_totals();
        let documents = self.column(Section::Documents);
        Summary {
            documents: unknown.saturating_add(white).saturating_add(black),
            black,
            white,
            tokens: self.tokens(),
            vocabulary: self.vocabulary() as u64,
            bigrams: self.small(Section::PairWords).len() as u64,
            trigrams: self.small(Section::TripleWords).len() as u64,
            context_words: context_words as u64,
            context_pairs: self.small(Section::NearWords).len() as u64,
            context_count,
            document_words: (0..self.words()).filter(|word| documents.get(*word) > 0).count() as u64,
            corpus_digest: self.digest(),
            kn_discounts: (1..=3).map(|order| (order.to_string(), self.discounts(order).d)).collect(),
            kn_fallback: (1..=3).filter(|order| self.discounts(*order as usize).fallback).collect(),
        }
    }

    /// Every table in byte order of its keys, as lists of words and a count.
    pub fn tables_json(&self) -> Value {
        let tables = self.tables();
        let word = |place: u64| self.word(place as u32);
        let of_words = |count: fn(&super::tables::WordCounts) -> u64| {
            let rows = (0..).zip(&tables.counts).map(|(i, counts)| (i, count(counts)));
            rows.filter(|(_, count)| *count > 0).map(|(i, count)| (word(i), count)).collect::<Vec<_>>()
        };
        let list = |rows: Vec<(&str, u64)>| rows.iter().map(|(word, count)| json!([word, count])).collect::<Vec<_>>();
        let bigrams: Vec<Value> =
            tables.bigrams.iter().map(|(key, count)| json!([word(key >> 32), word(*key), count])).collect();
        let mut edges: Vec<([&str; 2], u64)> = vec![];
        edges.extend(of_words(|word| word.first).into_iter().map(|(word, count)| ([START, word], count)));
        edges.extend(of_words(|word| word.last).into_iter().map(|(word, count)| ([word, END], count)));
        edges.sort();
        let mut wide_edges: Vec<([&str; 3], u64)> = vec![];
        wide_edges.extend(of_words(|word| word.alone).into_iter().map(|(word, count)| ([START, word, END], count)));
        wide_edges.extend(tables.starts.iter().map(|(key, count)| ([START, word(key >> 32), word(*key)], *count)));
        wide_edges.extend(tables.ends.iter().map(|(key, count)| ([word(key >> 32), word(*key), END], *count)));
        wide_edges.sort();
        let mut near = vec![];
        for first in 0..self.words() {
            for place in self.row(Section::NearRows, first) {
                let other = self.word(u32::from_le(self.small(Section::NearWords)[place]));
                near.push(json!([word(first as u64), other, self.column(Section::NearCounts).get(place)]));
            }
        }
        let three = |(key, count): &(u128, u64)| {
            json!([word((key >> 64) as u64), word((key >> 32) as u64), word(*key as u64), count])
        };
        let prints = tables.prints.iter().map(|(print, count)| json!([format!("{print:016x}"), count]));
        json!({
            "unigrams": list(of_words(|word| word.count)),
            "bigrams": bigrams,
            "trigrams": tables.trigrams.iter().map(three).collect::<Vec<_>>(),
            "edge_bigrams": edges.iter().map(|([a, b], count)| json!([a, b, count])).collect::<Vec<_>>(),
            "edge_trigrams": wide_edges.iter().map(|([a, b, c], count)| json!([a, b, c, count])).collect::<Vec<_>>(),
            "neighbours": near,
            "document_frequency": list(of_words(|word| word.documents)),
            "fingerprints": prints.collect::<Vec<_>>(),
        })
    }
}
