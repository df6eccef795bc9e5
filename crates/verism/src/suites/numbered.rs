//! Numbers for names, in order of appearance.

use rustc_hash::FxHashMap;

/// Names and their numbers.
#[derive(Debug, Default)]
pub(super) struct Numbered {
    numbers: FxHashMap<Box<str>, u32>,
    names: Vec<Box<str>>,
}

impl Numbered {
    /// The number of a name, new or known.
    pub(super) fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.into());
        self.numbers.insert(name.into(), number);
        number
    }

    /// The name with a number.
    pub(super) fn name(&self, number: u32) -> &str {
        &self.names[number as usize]
    }

    /// Ranks of the names in byte order, by number.
    pub(super) fn ranks(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.names.len() as u32).collect();
        order.sort_unstable_by_key(|&number| &self.names[number as usize]);
        let mut ranks = vec![0; order.len()];
        for (rank, number) in order.into_iter().enumerate() {
            ranks[number as usize] = rank as u32;
        }
        ranks
    }

    /// The names by number.
    pub(super) fn into_names(self) -> Vec<Box<str>> {
        self.names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_appearance_and_ranks_follow_bytes() {
        let mut names = Numbered::default();
        let numbers: Vec<u32> = ["b", "a", "b", "c"].iter().map(|name| names.number(name)).collect();
        assert_eq!(numbers, [0, 1, 0, 2]);
        assert_eq!((names.name(1), names.ranks()), ("a", vec![1, 0, 2]));
    }
}
