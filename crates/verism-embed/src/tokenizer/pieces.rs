//! Words to pieces of words.

use rustc_hash::FxHashMap;

/// A vocabulary of pieces: those that start a word and those that go on with it.
pub(super) struct Pieces {
    first: FxHashMap<Box<str>, u32>,
    further: FxHashMap<Box<str>, u32>,
    longest: usize,
    unknown: u32,
    most_chars: usize,
}

impl Pieces {
    /// Sorts a vocabulary; pieces that go on with a word start with `prefix`. An empty one stands before every piece.
    pub(super) fn new(
        vocabulary: impl Iterator<Item = (String, u32)>,
        prefix: &str,
        unknown: u32,
        most_chars: usize,
    ) -> Pieces {
        let (mut first, mut further, mut longest) = (FxHashMap::default(), FxHashMap::default(), 0);
        for (piece, number) in vocabulary {
            longest = longest.max(piece.len());
            if let Some(rest) = piece.strip_prefix(prefix) {
                further.insert(rest.into(), number);
            }
            first.insert(piece.into(), number);
        }
        Pieces { first, further, longest, unknown, most_chars }
    }

    /// Adds the pieces of a word: always the longest that fits. A word that is too long or cannot be put together from
    /// pieces is one unknown token.
    pub(super) fn push(&self, word: &str, numbers: &mut Vec<u32>) {
        let before = numbers.len();
        if word.len() > self.most_chars && word.chars().count() > self.most_chars {
            numbers.push(self.unknown);
            return;
        }
        let mut start = 0;
        while start < word.len() {
            let map = if start == 0 { &self.first } else { &self.further };
            let mut end = word.len().min(start + self.longest);
            let found = loop {
                if end == start {
                    break None;
                }
                let number = if word.is_char_boundary(end) { map.get(&word[start..end]) } else { None };
                if number.is_some() {
                    break number;
                }
                end -= 1;
            };
            let Some(number) = found else {
                numbers.truncate(before);
                numbers.push(self.unknown);
                return;
            };
            numbers.push(*number);
            start = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(words: &[&str]) -> Vec<Vec<u32>> {
        let vocabulary = ["[UNK]", "un", "##aff", "##able", "u", "##é", "aff", "##ableness"];
        let all = vocabulary.iter().map(|piece| piece.to_string()).zip(0..);
        let pieces = Pieces::new(all, "##", 0, 10);
        let one = |word: &&str| {
            let mut numbers = vec![];
            pieces.push(word, &mut numbers);
            numbers
        };
        words.iter().map(one).collect()
    }

    #[test]
    fn the_longest_piece_that_fits_comes_first() {
        // The example of the BERT paper's code: unaffable is un, ##aff, ##able.
        assert_eq!(pieces(&["unaffable", "aff", "ué"]), [vec![1, 2, 3], vec![6], vec![4, 5]]);
    }

    #[test]
    fn what_cannot_be_put_together_is_one_unknown_token() {
        assert_eq!(pieces(&["unaffx", "x", "unaffableun"]), [[0], [0], [0]]);
        // Eleven letters are one too many, though pieces would do.
        assert_eq!(pieces(&["unaffableé", "unéaffable"])[0], [1, 2, 3, 5]);
        assert_eq!(pieces(&["unaffableéé"]), [[0]]);
    }
}
