//! A trigram model with interpolated Witten-Bell smoothing.

use rustc_hash::FxHashMap;

use crate::stats::sum::neumaier;
use crate::suites::clinical::text::letters::{hangul_end, is_alnum, is_hangul};
use crate::suites::clinical::text::norm::norm;

const START: u32 = 0;
const END: u32 = 1;
const UNKNOWN: u32 = 2;

/// How often a history was seen, and how many different tokens followed it.
#[derive(Clone, Copy, Debug, Default)]
struct HistoryCount {
    count: u32,
    types: u32,
}

/// The model.
///
/// ```math
/// p(w|h) = (c(h,w) + T(h)·p(w|h')) / (c(h) + T(h)); unseen h: p(w|h'); base 1/(V + 2)
/// ```
/// h' is h without its oldest token, T(h) the number of different tokens behind h, V the vocabulary.
/// Source: Witten and Bell, IEEE Transactions on Information Theory 37 (1991), interpolated.
#[derive(Debug)]
pub(crate) struct Ngram {
    vocabulary: FxHashMap<String, u32>,
    histories: FxHashMap<[u32; 2], HistoryCount>,
    counts: FxHashMap<([u32; 2], u32), u32>,
    base: f64,
}

/// A place in a history that is not looked at.
const NONE: u32 = u32::MAX;

/// Tokens of a line of normal text: runs of Hangul, runs of a-z and 0-9, single other characters.
fn tokens(line: &str) -> impl Iterator<Item = &str> {
    let bytes = line.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while bytes.get(at) == Some(&b' ') {
            at += 1;
        }
        let start = at;
        let first = *bytes.get(at)?;
        if is_hangul(bytes, at) {
            at = hangul_end(bytes, at);
        } else if is_alnum(first) {
            at += bytes[at..].iter().take_while(|byte| is_alnum(**byte)).count();
        } else {
            at += line[at..].chars().next().map_or(1, char::len_utf8);
        }
        Some(&line[start..at])
    })
}

impl Ngram {
    /// Learns from a corpus, line by line.
    pub(crate) fn new(corpus: &str) -> Ngram {
        let mut model = Ngram {
            vocabulary: FxHashMap::default(),
            histories: FxHashMap::default(),
            counts: FxHashMap::default(),
            base: 0.0,
        };
        // A line of the corpus may hold line ends of other kinds.
        for line in corpus.split('\n').filter(|line| !line.trim().is_empty()) {
            let line = norm(line);
            for line in line.split('\n') {
                let next = |vocabulary: &mut FxHashMap<String, u32>, word: &str| {
                    let size = vocabulary.len() as u32;
                    *vocabulary.entry(word.to_string()).or_insert(size + 3)
                };
                let words: Vec<u32> = tokens(line).map(|word| next(&mut model.vocabulary, word)).collect();
                if !words.is_empty() {
                    model.learn(&words);
                }
            }
        }
        model.base = 1.0 / (model.vocabulary.len() as f64 + 2.0);
        model
    }

    fn learn(&mut self, words: &[u32]) {
        let mut history = [START, START];
        for &word in words.iter().chain(&[END]) {
            for context in [[NONE, NONE], [NONE, history[1]], history] {
                let count = self.counts.entry((context, word)).or_default();
                let seen = self.histories.entry(context).or_default();
                seen.types += u32::from(*count == 0);
                seen.count += 1;
                *count += 1;
            }
            history = [history[1], word];
        }
    }

    fn probability(&self, history: [u32; 2], word: u32) -> f64 {
        let mut p = self.base;
        for context in [[NONE, NONE], [NONE, history[1]], history] {
            if let Some(seen) = self.histories.get(&context) {
                let count = self.counts.get(&(context, word)).copied().unwrap_or(0);
                let types = f64::from(seen.types);
                p = (f64::from(count) + types * p) / (f64::from(seen.count) + types);
            }
        }
        p
    }

    /// Sum of the log probabilities of a text's tokens, ends of lines included, and their number.
    pub(crate) fn log_likelihood(&self, norm: &str) -> (f64, u64) {
        let mut logs = vec![];
        for line in norm.split('\n') {
            let mut history = [START, START];
            let words: Vec<u32> =
                tokens(line).map(|word| self.vocabulary.get(word).copied().unwrap_or(UNKNOWN)).collect();
            if words.is_empty() {
                continue;
            }
            for &word in words.iter().chain(&[END]) {
                logs.push(libm::log(self.probability(history, word)));
                history = [history[1], word];
            }
        }
        (neumaier(logs.iter().copied()), logs.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_runs() {
        assert_eq!(tokens("혈압은 131/74mmhg, ok").collect::<Vec<_>>(), ["혈압은", "131", "/", "74mmhg", ",", "ok"]);
    }

    #[test]
    fn one_word_by_hand() {
        // Corpus "a": V = 1, base 1/3. Unigrams: c(a) = c(end) = 1, c = 2, T = 2: p(a) = (1 + 2/3)/4 = 5/12 = p(end).
        // After start (and two starts): c = 1, T = 1: p(a|s) = (1 + 5/12)/2 = 17/24, p(a|ss) = (1 + 17/24)/2 = 41/48.
        // After a: p(end|a) = (1 + 5/12)/2 = 17/24, p(end|s a) = 41/48.
        let model = Ngram::new("a\n");
        let (sum, count) = model.log_likelihood("a");
        assert_eq!(count, 2);
        assert!((sum - 2.0 * libm::log(41.0 / 48.0)).abs() < 1e-15);
        // An unknown word: unigram (0 + 2/3)/4 = 1/6, after start 1/12, after two starts 1/24.
        assert!((model.probability([START, START], UNKNOWN) - 1.0 / 24.0).abs() < 1e-15);
        assert_eq!(model.log_likelihood(" \n "), (0.0, 0));
    }
}
