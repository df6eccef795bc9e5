//! I: how much of the reply is copied from the user's words.

use std::hash::{BuildHasher, Hash};
use std::ops::{BitOr, Shl};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::{FxBuildHasher, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::suites::recommender::extract::chars::{is_apostrophe, is_ideographic, is_word};
use crate::suites::recommender::options::Tokenizer;
use crate::text::bits::Runs;

/// Copied word sequences of a reply.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Copying {
    /// Length of the sequences that count; none if the reply has less than three words.
    pub(crate) n: Option<u32>,
    /// Different sequences of the reply that the user's text holds too.
    pub(crate) shared: u64,
    /// Different sequences of the reply.
    pub(crate) total: u64,
    /// The first three of those shared, in order.
    pub(crate) examples: Vec<String>,
}

impl Copying {
    /// The measure I.
    ///
    /// ```math
    /// I = max over n ∈ {3, 4} of |Gₙ(S) ∩ Gₙ(U)| / |Gₙ(S)|
    /// ```
    ///
    /// Gₙ(x) is the set of sequences of n words. No sequence: 0. Source: the published specification of TAS.
    pub(crate) fn share(&self) -> f64 {
        if self.total == 0 { 0.0 } else { self.shared as f64 / self.total as f64 }
    }
}

/// Compares the words of a reply with those of the user, both in NFC unless words are ASCII; of equal shares that of three
/// words counts.
pub(crate) fn copying(system: &str, user: &str, tokenizer: Tokenizer) -> Copying {
    let mut words = Words::default();
    words.cut(system, tokenizer);
    let of_system = words.places.len();
    words.cut(user, tokenizer);
    let (numbers, different) = words.numbers(of_system);
    let (system, user) = numbers.split_at(of_system);
    // As few bits as the numbers need: short sequences are found more quickly.
    let bits = u32::BITS - different.leading_zeros();
    match 4 * bits <= u64::BITS {
        true => compare::<u64>(&words, system, user, bits),
        false => compare::<u128>(&words, system, user, u32::BITS),
    }
}

/// A sequence of up to four words: their numbers side by side.
trait Sequence: Copy + Eq + Hash + From<u32> + Shl<u32, Output = Self> + BitOr<Output = Self> {}

impl Sequence for u64 {}
impl Sequence for u128 {}

/// Compares the numbered words of a reply with those of the user; each number needs so many bits.
fn compare<S: Sequence>(words: &Words, system: &[u32], user: &[u32], bits: u32) -> Copying {
    let pack = |window: &[u32]| window.iter().fold(S::from(0), |packed, word| packed << bits | S::from(*word));
    let three = sequences(system, 3, pack);
    if three.is_empty() {
        return Copying::default();
    }
    let shared = meet(&three, user.windows(3).map(pack));
    let none = Copying { n: Some(3), shared: 0, total: three.len() as u64, examples: vec![] };
    if shared.is_empty() {
        // Without three words in a row there are no four.
        return none;
    }
    let four = sequences(system, 4, pack);
    let shared_four = meet(&four, user.windows(4).map(pack));
    let examples = |shared: &FxHashSet<S>, n: usize| {
        let windows = system.windows(n).enumerate();
        words.examples(windows.filter(|(_, window)| shared.contains(&pack(window))).map(|(at, _)| at), n)
    };
    // a/b > c/d in whole numbers.
    if shared_four.len() as u64 * three.len() as u64 > shared.len() as u64 * four.len() as u64 {
        let examples = examples(&shared_four, 4);
        return Copying { n: Some(4), shared: shared_four.len() as u64, total: four.len() as u64, examples };
    }
    Copying { shared: shared.len() as u64, examples: examples(&shared, 3), ..none }
}

/// The different sequences of n words.
fn sequences<S: Sequence>(words: &[u32], n: usize, pack: impl Fn(&[u32]) -> S) -> FxHashSet<S> {
    let mut out = FxHashSet::with_capacity_and_hasher(words.len(), FxBuildHasher);
    out.extend(words.windows(n).map(pack));
    out
}

/// Those of some sequences that are among others.
fn meet<S: Sequence>(of: &FxHashSet<S>, others: impl Iterator<Item = S>) -> FxHashSet<S> {
    others.filter(|sequence| of.contains(sequence)).collect()
}

/// Words in lower case: where they stand in the texts, or behind them what they become there.
#[derive(Default)]
struct Words {
    text: Vec<u8>,
    places: Vec<(usize, usize)>,
}

impl Words {
    fn cut(&mut self, text: &str, tokenizer: Tokenizer) {
        match tokenizer {
            Tokenizer::Unicode => self.cut_unicode(text),
            Tokenizer::Ascii => self.cut_ascii(text),
        }
    }

    /// Runs of letters, marks and numbers with inner apostrophes; ideographs and kana singly.
    fn cut_unicode(&mut self, text: &str) {
        let before = self.text.len();
        self.text.extend_from_slice(text.as_bytes());
        let bytes = text.as_bytes();
        let mut runs = Runs::new(bytes);
        let mut at = 0;
        while at < bytes.len() {
            if bytes[at].is_ascii() && !bytes[at].is_ascii_alphanumeric() {
                at += 1;
                continue;
            }
            let end = runs.end(at);
            if end > at && bytes.get(end).is_none_or(|next| next.is_ascii() && !is_apostrophe(char::from(*next))) {
                self.places.push((before + at, before + end));
                at = end;
                continue;
            }
            let (first, length) = char_at(text, at);
            if !is_letter(first) {
                at += length;
                continue;
            }
            let start = self.text.len();
            if is_ideographic(first) {
                self.push(first);
                at += length;
            } else {
                at = self.run(text, at, &mut runs);
            }
            self.places.push((start, self.text.len()));
        }
        // What is beyond ASCII was brought into lower case on the way.
        self.text[before..].make_ascii_lowercase();
    }

    /// Takes the word that starts here and gives the place after it.
    fn run(&mut self, text: &str, mut at: usize, runs: &mut Runs<'_>) -> usize {
        let bytes = text.as_bytes();
        let goes_on = |c: char| is_letter(c) && !is_ideographic(c);
        loop {
            let end = runs.end(at);
            self.text.extend_from_slice(&bytes[at..end]);
            at = end;
            if at == bytes.len() {
                return at;
            }
            let (next, length) = char_at(text, at);
            if goes_on(next) {
                self.push(next);
            } else if is_apostrophe(next) && at + length < bytes.len() && goes_on(char_at(text, at + length).0) {
                self.text.push(b'\'');
            } else {
                return at;
            }
            at += length;
        }
    }

    /// Appends a character beyond ASCII in lower case.
    fn push(&mut self, c: char) {
        let mut bytes = [0; 4];
        c.to_lowercase().for_each(|c| self.text.extend_from_slice(c.encode_utf8(&mut bytes).as_bytes()));
    }

    /// `[A-Za-z0-9]+('[A-Za-z0-9]+)?`, the words of the original evaluator.
    fn cut_ascii(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let run = |from: usize| from + bytes[from..].iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        let mut at = 0;
        while at < bytes.len() {
            let mut end = run(at);
            if end == at {
                at += 1;
                continue;
            }
            if bytes.get(end) == Some(&b'\'') && run(end + 1) > end + 1 {
                end = run(end + 1);
            }
            let start = self.text.len();
            self.text.extend(bytes[at..end].iter().map(u8::to_ascii_lowercase));
            self.places.push((start, self.text.len()));
            at = end;
        }
    }

    fn word(&self, number: usize) -> &[u8] {
        let (start, end) = self.places[number];
        &self.text[start..end]
    }

    /// A number for each word, the same for equal words, and how many numbers there are. Words that are not among the
    /// first so many share one, since they are in no sequence that counts.
    fn numbers(&self, first: usize) -> (Vec<u32>, u32) {
        let hash = |word: &[u8]| FxBuildHasher.hash_one(word);
        let mut known: HashTable<u32> = HashTable::with_capacity(first);
        let mut numbers: Vec<u32> = Vec::with_capacity(self.places.len());
        let mut different = 0;
        for place in 0..first {
            let word = self.word(place);
            let same = |known: &u32| self.word(*known as usize) == word;
            numbers.push(match known.entry(hash(word), same, |known| hash(self.word(*known as usize))) {
                Entry::Occupied(known) => numbers[*known.get() as usize],
                Entry::Vacant(new) => {
                    new.insert(place as u32);
                    different += 1;
                    different - 1
                }
            });
        }
        for place in first..self.places.len() {
            let word = self.word(place);
            let same = known.find(hash(word), |known| self.word(*known as usize) == word);
            numbers.push(same.map_or(different, |known| numbers[*known as usize]));
        }
        (numbers, different + 1)
    }

    /// The first three of the sequences of n words that begin at some places, as texts.
    fn examples(&self, places: impl Iterator<Item = usize>, n: usize) -> Vec<String> {
        let mut least: Vec<Vec<u8>> = vec![];
        for first in places {
            let words: Vec<&[u8]> = (first..first + n).map(|place| self.word(place)).collect();
            let text = words.join(&b' ');
            let place = least.partition_point(|known| *known < text);
            if place < 3 && least.get(place) != Some(&text) {
                least.insert(place, text);
                least.truncate(3);
            }
        }
        least.into_iter().map(|text| String::from_utf8(text).expect("whole characters were copied")).collect()
    }
}

/// The character at a place and its length.
fn char_at(text: &str, place: usize) -> (char, usize) {
    match text.as_bytes()[place] {
        ascii @ 0..=127 => (char::from(ascii), 1),
        _ => text[place..].chars().next().map_or((' ', 1), |c| (c, c.len_utf8())),
    }
}

/// Whether a character belongs to a word. U+02BC is a letter by its class and an apostrophe by its use.
fn is_letter(c: char) -> bool {
    is_word(c) && !is_apostrophe(c)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn two_of_three_sequences() {
        // Example 3 of the specification: 3-grams 2 of 3, 4-grams 1 of 2.
        let found = copying("one two three four nine", "one two three four five", Tokenizer::Unicode);
        assert_eq!((found.n, found.shared, found.total, found.share()), (Some(3), 2, 3, 2.0 / 3.0));
        assert_eq!(found.examples, ["one two three", "two three four"]);
    }

    #[test]
    fn short_replies_copy_nothing() {
        assert_eq!(copying("a b", "a b", Tokenizer::Unicode).share(), 0.0);
        assert_eq!(copying("a b", "a b", Tokenizer::Unicode).n, None);
    }

    #[test]
    fn words_of_both_kinds() {
        let cut = |text: &str, tokenizer| {
            let mut words = Words::default();
            words.cut(text, tokenizer);
            let text = |(a, b): &(usize, usize)| String::from_utf8(words.text[*a..*b].to_vec()).expect("UTF-8");
            words.places.iter().map(text).collect::<Vec<_>>()
        };
        let text = "Don\u{2019}t rock'n'roll, 전쟁영화를 七人 Émile's'";
        assert_eq!(cut(text, Tokenizer::Unicode), ["don't", "rock'n'roll", "전쟁영화를", "七", "人", "émile's"]);
        assert_eq!(cut("Don't rock'n'roll é", Tokenizer::Ascii), ["don't", "rock'n", "roll"]);
    }

    #[test]
    fn many_different_words_need_long_sequences() {
        let text: String = (0..70_000).map(|n| format!("w{n} ")).collect();
        let found = copying(&text, &text, Tokenizer::Unicode);
        assert_eq!((found.n, found.shared, found.total), (Some(3), 69_998, 69_998));
        assert_eq!(found.examples, ["w0 w1 w2", "w1 w2 w3", "w10 w11 w12"]);
    }

    proptest! {
        #[test]
        fn long_and_short_sequences_tell_the_same(system in "([a-c] ){0,20}", user in "([a-d] ){0,20}") {
            let mut words = Words::default();
            words.cut(&system, Tokenizer::Unicode);
            let of_system = words.places.len();
            words.cut(&user, Tokenizer::Unicode);
            let (numbers, _) = words.numbers(of_system);
            let (a, b) = numbers.split_at(of_system);
            prop_assert_eq!(compare::<u64>(&words, a, b, 3), compare::<u128>(&words, a, b, u32::BITS));
        }

        #[test]
        fn an_echo_copies_all(text in "[a-c ]{0,40}") {
            let found = copying(&text, &text, Tokenizer::Unicode);
            prop_assert_eq!(found.shared, found.total);
            prop_assert!(found.share() == 1.0 || found.n.is_none());
        }
    }
}
