//! Sentences from templates: `{slot}` stands for one of a list of phrases, itself a template.

use crate::random::Random;
use std::collections::HashMap;

/// One piece of a compiled template.
enum Piece {
    Text(&'static str),
    List(usize),
    Number(usize, usize),
}

/// Named lists of templates.
pub(crate) type Lists = &'static [(&'static str, &'static [&'static str])];
/// Slots that are a number in `low..high`.
pub(crate) type Numbers = &'static [(&'static str, usize, usize)];

/// All phrase lists, compiled once.
pub(crate) struct Grammar {
    lists: Vec<Vec<Vec<Piece>>>,
    names: HashMap<&'static str, usize>,
}

impl Grammar {
    /// Compiles lists.
    ///
    /// # Panics
    /// If a template names a slot that is in no list; the lists are constants and a test expands all of them.
    pub(crate) fn new(lists: Lists, numbers: Numbers) -> Self {
        let names: HashMap<_, _> = lists.iter().enumerate().map(|(index, list)| (list.0, index)).collect();
        let compile = |template: &'static str| {
            let mut pieces = Vec::new();
            for (index, part) in template.split(['{', '}']).enumerate() {
                if index % 2 == 0 {
                    if !part.is_empty() {
                        pieces.push(Piece::Text(part));
                    }
                } else if let Some(&list) = names.get(part) {
                    pieces.push(Piece::List(list));
                } else {
                    let &(_, low, high) = numbers.iter().find(|n| n.0 == part).expect("a slot of a declared list");
                    pieces.push(Piece::Number(low, high));
                }
            }
            pieces
        };
        let lists = lists.iter().map(|list| list.1.iter().map(|template| compile(template)).collect()).collect();
        Self { lists, names }
    }

    /// The handle of a list, for [`Grammar::say`].
    pub(crate) fn list(&self, name: &str) -> usize {
        self.names[name]
    }

    /// Appends one phrase of the list.
    pub(crate) fn say(&self, list: usize, random: &mut Random, out: &mut String) {
        let templates = &self.lists[list];
        for piece in &templates[random.below(templates.len())] {
            match *piece {
                Piece::Text(text) => out.push_str(text),
                Piece::List(inner) => self.say(inner, random, out),
                Piece::Number(low, high) => push_number(low + random.below(high - low), out),
            }
        }
    }
}

/// Appends a number below a million with a comma between thousands, as prose has it.
fn push_number(n: usize, out: &mut String) {
    if n >= 1000 {
        push_digits(n / 1000, 1, out);
        out.push(',');
        push_digits(n % 1000, 3, out);
    } else {
        push_digits(n, 1, out);
    }
}

/// Appends the decimal digits of a number, at least `width` of them.
pub(crate) fn push_digits(mut n: usize, width: usize, out: &mut String) {
    let mut digits = [0_u8; 20];
    let mut used = 0;
    while n > 0 || used < width {
        digits[used] = b'0' + u8::try_from(n % 10).expect("a digit");
        n /= 10;
        used += 1;
    }
    out.extend(digits[..used].iter().rev().map(|&digit| char::from(digit)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{guest, phrases};
    use std::collections::HashSet;

    #[test]
    fn every_list_expands_without_a_slot_left() {
        let mut random = Random::new(1, 1);
        for (lists, numbers) in [(phrases::LISTS, phrases::NUMBERS), (guest::phrases::LISTS, guest::phrases::NUMBERS)] {
            let grammar = Grammar::new(lists, numbers);
            for (name, _) in lists {
                for _ in 0..200 {
                    let mut text = String::new();
                    grammar.say(grammar.list(name), &mut random, &mut text);
                    assert!(!text.contains(['{', '}']), "{name}: {text}");
                }
            }
        }
    }

    #[test]
    fn one_sentence_in_twenty_at_most_comes_twice() {
        let grammar = Grammar::new(phrases::LISTS, phrases::NUMBERS);
        let mut random = Random::new(1, 1);
        for name in ["threat_high", "threat_medium", "threat_low", "coping_high", "coping_medium", "coping_low"] {
            let list = grammar.list(name);
            let texts: HashSet<String> = (0..1000)
                .map(|_| {
                    let mut text = String::new();
                    grammar.say(list, &mut random, &mut text);
                    text
                })
                .collect();
            assert!(texts.len() >= 950, "{name}: {} different sentences of 1000", texts.len());
        }
    }

    #[test]
    fn numbers_have_a_comma_between_thousands() {
        let mut out = String::new();
        push_number(12_007, &mut out);
        push_number(7, &mut out);
        assert_eq!(out, "12,0077");
    }
}
