//! A prompt as the formulas read it: cut and looked up once for all cards that answer it.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use crate::suites::humor::measures::item::distinctiveness::Alike;
use crate::suites::humor::record::fill::around_blanks;
use crate::text::model::{LookedUp, Model, Token};
use crate::text::tokens::{Blanks, Tokenizer, Tokens, prep};

/// The tokens of a prompt.
#[derive(Debug)]
pub(crate) struct Prompt {
    /// White space tokens, and the places of the different ones in byte order.
    spaced: LookedUp,
    different: Vec<usize>,
    /// The last words, and those before the first blank, as many as a trigram asks about.
    history: LookedUp,
    before_blank: LookedUp,
    /// Words that were compared with it, by their places in the model: the texts of one prompt share many of them.
    alike: Mutex<FxHashMap<u32, Alike>>,
}

/// Words whose likeness to a prompt is remembered.
const WORDS: usize = 512;

impl Prompt {
    fn of(text: &str, blanks: Blanks, model: Option<&Model>) -> Prompt {
        let text = prep(text, blanks);
        let known = |tokenizer: Tokenizer, text: &str, most: usize| {
            let mut tokens = Tokens::default();
            tokenizer.cut(text, &mut tokens);
            LookedUp::of(tokens, most, model)
        };
        let spaced = known(Tokenizer::Whitespace, &text, usize::MAX);
        let all: Vec<Token<'_>> = spaced.iter().collect();
        let mut different: Vec<usize> = (0..all.len()).collect();
        different.sort_by_key(|i| all[*i].text);
        different.dedup_by_key(|i| all[*i].text);
        Prompt {
            history: known(Tokenizer::Words, &text, 2),
            before_blank: known(Tokenizer::Words, around_blanks(&text)[0], 2),
            spaced,
            different,
            alike: Mutex::default(),
        }
    }

    /// White space tokens in order.
    pub(crate) fn spaced(&self) -> Vec<Token<'_>> {
        self.spaced.iter().collect()
    }

    /// White space tokens once each, in byte order.
    pub(crate) fn different(&self) -> Vec<Token<'_>> {
        self.different.iter().map(|i| self.spaced.get(*i)).collect()
    }

    /// How alike each of some words is to the different tokens; nothing if there are none.
    pub(crate) fn alike(&self, model: &Model, words: &[Token<'_>]) -> Vec<Alike> {
        if self.different.is_empty() {
            return vec![];
        }
        let hold = || self.alike.lock().unwrap_or_else(PoisonError::into_inner);
        let remembered = hold();
        let mut found: Vec<Option<Alike>> = words.iter().map(|word| remembered.get(&word.place()?).copied()).collect();
        drop(remembered);
        let new: Vec<usize> = (0..words.len()).filter(|i| found[*i].is_none()).collect();
        let asked: Vec<Token<'_>> = new.iter().map(|i| words[*i]).collect();
        let mut computed = Vec::with_capacity(new.len());
        model.similarities(&asked, &self.different(), |_, similar| computed.push(Alike::of(similar)));
        let mut remembered = hold();
        for (i, alike) in new.into_iter().zip(computed) {
            found[i] = Some(alike);
            if let Some(place) = words[i].place().filter(|_| remembered.len() < WORDS) {
                remembered.insert(place, alike);
            }
        }
        found.into_iter().flatten().collect()
    }

    /// The last two words.
    pub(crate) fn history(&self) -> Vec<Token<'_>> {
        self.history.iter().collect()
    }

    /// The last two words before the first blank.
    pub(crate) fn before_blank(&self) -> Vec<Token<'_>> {
        self.before_blank.iter().collect()
    }
}

/// Prompts that are remembered, beyond which all are forgotten; and the bytes of the longest.
const MOST: usize = 1024;
const LONGEST: usize = 4096;

/// The prompts that were seen.
#[derive(Debug, Default)]
pub(crate) struct Prompts(Mutex<FxHashMap<Box<str>, Arc<Prompt>>>);

impl Prompts {
    /// A prompt, looked up in a model that is the same each time.
    pub(crate) fn get(&self, text: &str, blanks: Blanks, model: Option<&Model>) -> Arc<Prompt> {
        let hold = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = hold().get(text) {
            return known.clone();
        }
        let made = Arc::new(Prompt::of(text, blanks, model));
        if text.len() > LONGEST {
            return made;
        }
        let mut all = hold();
        if all.len() >= MOST {
            all.clear();
        }
        all.insert(text.into(), made.clone());
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::model::{CardType, Counts, Reading};

    fn texts(tokens: Vec<Token<'_>>) -> Vec<&str> {
        tokens.iter().map(|token| token.text).collect()
    }

    #[test]
    fn a_prompt_is_the_same_each_time() {
        let prompts = Prompts::default();
        for i in 0..2 * MOST {
            prompts.get(&i.to_string(), Blanks::Joined, None);
            let prompt = prompts.get("The b, the A ____ of _ now.", Blanks::Joined, None);
            assert_eq!(texts(prompt.spaced()), ["the", "b,", "the", "a", "_", "of", "_", "now."]);
            assert_eq!(texts(prompt.different()), ["_", "a", "b,", "now.", "of", "the"]);
            assert_eq!((texts(prompt.history()), texts(prompt.before_blank())), (vec!["_", "now"], vec!["the", "a"]));
        }
        assert!(prompts.0.lock().expect("no panic").len() <= MOST);
    }

    #[test]
    fn remembered_words_are_as_alike_as_compared_ones() {
        let mut counts = Counts::new(Reading { tokens: Tokenizer::Words, blanks: Blanks::Joined }, 1);
        for i in 0..WORDS + 100 {
            counts.add(CardType::White, &format!("w{i} {} w{} cat", ["the", "moon", "goose"][i % 3], i * 7 % 50));
        }
        let model = Model::from_bytes(&counts.finish().to_bytes().expect("small")).expect("a model");
        let prompt = Prompt::of("The moon, the GOOSE and _ w3 w3", Blanks::Joined, Some(&model));
        let mut names: Vec<String> = (0..WORDS + 100).map(|i| format!("w{i}")).collect();
        names.extend(["never", "moon", "met", "and", "cat"].map(String::from));
        let alike = |names: &[String]| {
            let words: Vec<Token<'_>> = names.iter().map(|name| model.look_up(name)).collect();
            let mut compared = vec![];
            model.similarities(&words, &prompt.different(), |_, similar| compared.push(Alike::of(similar)));
            assert_eq!(prompt.alike(&model, &words), compared);
            compared
        };
        // In parts, so that some words are remembered and others not; then all of them, turned round.
        let parts: Vec<Alike> = names.chunks(99).flat_map(alike).collect();
        names.reverse();
        assert!(alike(&names).iter().eq(parts.iter().rev()));
        assert!(parts.iter().any(|alike| alike.nearest > 0) && prompt.alike.lock().expect("no panic").len() == WORDS);
        assert_eq!(Prompt::of(" ", Blanks::Joined, Some(&model)).alike(&model, &[model.look_up("cat")]), []);
    }
}
