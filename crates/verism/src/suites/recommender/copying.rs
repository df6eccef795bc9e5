//! I: how much of the reply is copied from the user's words.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::chars::{is_apostrophe, is_ideographic, is_word};
use super::options::Tokenizer;
use super::words::nfc;

/// Copied word sequences of a reply.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Copying {
    /// Length of the sequences that count; none if the reply has less than three words.
    pub(super) n: Option<u32>,
    /// Different sequences of the reply that the user's text holds too.
    pub(super) shared: u64,
    /// Different sequences of the reply.
    pub(super) total: u64,
    /// The first three of those shared, in order.
    pub(super) examples: Vec<String>,
}

impl Copying {
    /// The measure I.
    ///
    /// ```math
    /// I = max over n ∈ {3, 4} of |Gₙ(S) ∩ Gₙ(U)| / |Gₙ(S)|
    /// ```
    ///
    /// Gₙ(x) is the set of sequences of n words. No sequence: 0. Source: the published specification of TAS.
    pub(super) fn share(&self) -> f64 {
        if self.total == 0 { 0.0 } else { self.shared as f64 / self.total as f64 }
    }
}

/// Compares the words of a reply with those of the user; of equal shares that of three words counts.
pub(super) fn copying(system: &str, user: &str, tokenizer: Tokenizer) -> Copying {
    let mut words = Words::default();
    words.cut(system, tokenizer);
    let of_system = words.places.len();
    words.cut(user, tokenizer);
    let numbers = words.numbers();
    let (system, user) = numbers.split_at(of_system);
    let three = sequences(system, 3);
    if three.is_empty() {
        return Copying::default();
    }
    let shared = meet(&three, &sequences(user, 3));
    let none = Copying { n: Some(3), shared: 0, total: three.len() as u64, examples: vec![] };
    if shared.is_empty() {
        // Without three words in a row there are no four.
        return none;
    }
    let four = sequences(system, 4);
    let shared_four = meet(&four, &sequences(user, 4));
    // a/b > c/d in whole numbers.
    if shared_four.len() as u64 * three.len() as u64 > shared.len() as u64 * four.len() as u64 {
        let examples = words.examples(&shared_four, &numbers, 4);
        return Copying { n: Some(4), shared: shared_four.len() as u64, total: four.len() as u64, examples };
    }
    Copying { shared: shared.len() as u64, examples: words.examples(&shared, &numbers, 3), ..none }
}

/// A sequence of up to four words, as numbers.
type Sequence = [u32; 4];

/// The different sequences of n words, in order of their numbers.
fn sequences(words: &[u32], n: usize) -> Vec<Sequence> {
    let pack = |window: &[u32]| {
        let mut out = [u32::MAX; 4];
        out[..n].copy_from_slice(window);
        out
    };
    let mut out: Vec<Sequence> = words.windows(n).map(pack).collect();
    out.sort_unstable();
    out.dedup();
    out
}

fn meet(a: &[Sequence], b: &[Sequence]) -> Vec<Sequence> {
    a.iter().filter(|sequence| b.binary_search(sequence).is_ok()).copied().collect()
}

/// Words in lower case, one after the other.
#[derive(Default)]
struct Words {
    text: String,
    places: Vec<(usize, usize)>,
}

impl Words {
    fn cut(&mut self, text: &str, tokenizer: Tokenizer) {
        match tokenizer {
            Tokenizer::Unicode => self.cut_unicode(&nfc(text)),
            Tokenizer::Ascii => self.cut_ascii(text),
        }
    }

    /// Runs of letters, marks and numbers with inner apostrophes; ideographs and kana singly.
    fn cut_unicode(&mut self, text: &str) {
        // U+02BC is a letter by its class and an apostrophe by its use.
        let letter = |c: char| is_word(c) && !is_apostrophe(c);
        let mut chars = text.chars().peekable();
        while let Some(first) = chars.next() {
            if !letter(first) {
                continue;
            }
            let start = self.text.len();
            self.text.extend(first.to_lowercase());
            while !is_ideographic(first)
                && let Some(&next) = chars.peek()
            {
                let goes_on = |c: char| letter(c) && !is_ideographic(c);
                if is_apostrophe(next) {
                    let mut ahead = chars.clone();
                    ahead.next();
                    if !ahead.next().is_some_and(goes_on) {
                        break;
                    }
                    self.text.push('\'');
                } else if goes_on(next) {
                    self.text.extend(next.to_lowercase());
                } else {
                    break;
                }
                chars.next();
            }
            self.places.push((start, self.text.len()));
        }
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
            self.text.extend(text[at..end].chars().map(|c| c.to_ascii_lowercase()));
            self.places.push((start, self.text.len()));
            at = end;
        }
    }

    /// A number for each word, the same for equal words.
    fn numbers(&self) -> Vec<u32> {
        let mut known: FxHashMap<&str, u32> = FxHashMap::default();
        let number = |&(start, end): &(usize, usize)| {
            let next = known.len() as u32;
            *known.entry(&self.text[start..end]).or_insert(next)
        };
        self.places.iter().map(number).collect()
    }

    /// The first three of some sequences as texts.
    fn examples(&self, sequences: &[Sequence], numbers: &[u32], n: usize) -> Vec<String> {
        let mut word: Vec<&str> = vec![];
        for (number, (start, end)) in numbers.iter().zip(&self.places) {
            if *number as usize == word.len() {
                word.push(&self.text[*start..*end]);
            }
        }
        let mut least: Vec<String> = vec![];
        for sequence in sequences {
            let words: Vec<&str> = sequence[..n].iter().map(|number| word[*number as usize]).collect();
            let text = words.join(" ");
            let place = least.partition_point(|known| *known < text);
            if place < 3 {
                least.insert(place, text);
                least.truncate(3);
            }
        }
        least
    }
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
            words.places.iter().map(|(a, b)| words.text[*a..*b].to_string()).collect::<Vec<_>>()
        };
        let text = "Don\u{2019}t rock'n'roll, 전쟁영화를 七人 Émile's'";
        assert_eq!(cut(text, Tokenizer::Unicode), ["don't", "rock'n'roll", "전쟁영화를", "七", "人", "émile's"]);
        assert_eq!(cut("Don't rock'n'roll é", Tokenizer::Ascii), ["don't", "rock'n", "roll"]);
    }

    proptest! {
        #[test]
        fn an_echo_copies_all(text in "[a-c ]{0,40}") {
            let found = copying(&text, &text, Tokenizer::Unicode);
            prop_assert_eq!(found.shared, found.total);
            prop_assert!(found.share() == 1.0 || found.n.is_none());
        }
    }
}
