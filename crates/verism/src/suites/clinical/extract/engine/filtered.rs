//! Regular expressions that are asked word by word.

use regex::Regex;

/// A regular expression that must match a whole word, with the bytes it may begin with.
#[derive(Debug)]
pub(crate) struct Filtered {
    regex: Regex,
    first: Option<[bool; 256]>,
}

impl Filtered {
    pub(super) fn new(pattern: &str) -> Filtered {
        let whole = Regex::new(&format!("^(?:{pattern})$")).expect("the checks compiled it");
        Filtered { regex: whole, first: first_bytes(pattern) }
    }

    pub(crate) fn is_match(&self, word: &str) -> bool {
        let starts = |first: &[bool; 256]| word.bytes().next().is_some_and(|byte| first[usize::from(byte)]);
        self.first.as_ref().is_none_or(starts) && self.regex.is_match(word)
    }
}

/// The bytes a match may begin with, where that is easily told: each alternative starts with a literal or a plain class.
fn first_bytes(pattern: &str) -> Option<[bool; 256]> {
    let mut first = [false; 256];
    let mut depth = 0;
    let mut alternatives = vec![String::new()];
    for c in pattern.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        match alternatives.last_mut() {
            Some(_) if c == '|' && depth == 0 => alternatives.push(String::new()),
            Some(last) => last.push(c),
            None => {}
        }
    }
    for alternative in alternatives {
        let lead = alternative.chars().next()?;
        let behind = if lead == '[' {
            let (class, behind) = alternative[1..].split_once(']')?;
            let chars: Vec<char> = class.chars().collect();
            if class.is_empty() || class.starts_with('^') || !class.is_ascii() {
                return None;
            }
            let mut at = 0;
            while at < chars.len() {
                let (from, to, step) = match chars.get(at..at + 3) {
                    Some(&[from, '-', to]) => (from, to, 3),
                    _ => (chars[at], chars[at], 1),
                };
                (from as usize..=to as usize).for_each(|byte| first[byte & 0xff] = true);
                at += step;
            }
            behind
        } else if "(){}?*+|".contains(lead) {
            return None;
        } else {
            first[usize::from(alternative.as_bytes()[0])] = true;
            &alternative[lead.len_utf8()..]
        };
        if behind.starts_with(['?', '*', '{']) {
            return None;
        }
    }
    Some(first)
}
