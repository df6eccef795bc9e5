//! Tokens as numbers: many texts in one list, and the list of their different tokens.

use rustc_hash::FxHashMap;

/// Numbers for texts, given in the order of first appearance.
#[derive(Clone, Debug, Default)]
pub struct Numbering {
    numbers: FxHashMap<Box<str>, u32>,
    texts: Vec<Box<str>>,
}

impl Numbering {
    /// The number of a text, a new one if it has none yet.
    pub fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = u32::try_from(self.texts.len()).expect("fewer than 2^32 different tokens fit into memory");
        self.numbers.insert(text.into(), number);
        self.texts.push(text.into());
        number
    }

    /// The text of a number.
    pub fn text(&self, number: u32) -> &str {
        &self.texts[number as usize]
    }

    /// How many different texts there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The texts in the order of their numbers.
    pub fn into_texts(self) -> Vec<Box<str>> {
        self.texts
    }
}

/// The tokens of several texts, one after the other, as numbers.
#[derive(Clone, Debug, Default)]
pub struct TokenTexts {
    /// What the numbers stand for.
    pub names: Numbering,
    /// All tokens.
    pub tokens: Vec<u32>,
    /// For each token the text it stands in.
    pub owners: Vec<u32>,
    /// Where each text ends in the list of tokens.
    pub ends: Vec<u32>,
}

impl TokenTexts {
    /// Adds a text.
    pub fn push<'a>(&mut self, tokens: impl Iterator<Item = &'a str>) {
        let text = self.ends.len() as u32;
        for token in tokens {
            let number = self.names.number(token);
            self.tokens.push(number);
            self.owners.push(text);
        }
        self.ends.push(u32::try_from(self.tokens.len()).expect("fewer than 2^32 tokens in a batch"));
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many tokens each text has.
    pub fn lengths(&self) -> Vec<u32> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        self.ends.iter().zip(starts).map(|(end, start)| end - start).collect()
    }

    /// The `n` tokens at a place, joined by blanks.
    pub fn joined(&self, at: u32, n: usize) -> String {
        let at = at as usize;
        let words: Vec<&str> = self.tokens[at..at + n].iter().map(|&token| self.names.text(token)).collect();
        words.join(" ")
    }

    /// Compares the `n` tokens at two places token by token in byte order.
    pub fn compare(&self, a: u32, b: u32, n: usize) -> std::cmp::Ordering {
        let words = |at: u32| self.tokens[at as usize..at as usize + n].iter().map(|&token| self.names.text(token));
        words(a).cmp(words(b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stand_one_after_the_other() {
        let mut texts = TokenTexts::default();
        texts.push(["a", "b", "a"].into_iter());
        texts.push([].into_iter());
        texts.push(["b"].into_iter());
        assert_eq!((texts.tokens.as_slice(), texts.owners.as_slice()), (&[0, 1, 0, 1][..], &[0, 0, 0, 2][..]));
        assert_eq!(texts.lengths(), [3, 0, 1]);
        assert_eq!(texts.joined(1, 2), "b a");
    }
}
