//! What an agent remembers: the latest entries, joined as in the logs.

use crate::grammar::Grammar;
use crate::random::Random;
use std::collections::VecDeque;

/// The memory column of one agent; it fills up over the first years and then forgets the oldest entries.
#[derive(Default)]
pub(crate) struct Memory {
    entries: VecDeque<String>,
}

impl Memory {
    /// Adds `count` entries and keeps the latest `capacity`.
    pub(crate) fn learn(&mut self, grammar: &Grammar, random: &mut Random, count: usize, capacity: usize) {
        let list = grammar.list("memory");
        for _ in 0..count {
            let mut entry = if self.entries.len() >= capacity {
                self.entries.pop_front().unwrap_or_default()
            } else {
                String::new()
            };
            entry.clear();
            grammar.say(list, random, &mut entry);
            self.entries.push_back(entry);
        }
    }

    /// Appends all entries, separated by ` | `.
    pub(crate) fn tell(&self, out: &mut String) {
        for (index, entry) in self.entries.iter().enumerate() {
            if index > 0 {
                out.push_str(" | ");
            }
            out.push_str(entry);
        }
    }
}
