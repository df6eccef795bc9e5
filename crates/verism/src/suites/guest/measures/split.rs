//! Item names that swallowed their modifiers: `Tofu Wrap with Sweet Potato` for a wrap with a potato.

use super::som::UnitLines;
use crate::suites::guest::record::order::{Name, Names};

/// A line that got its name back.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Split {
    pub(crate) from: Name,
    pub(crate) to: Name,
    /// Sorted.
    pub(crate) modifiers: Vec<Name>,
}

/// Distinct words of a text, in order.
fn words(text: &str) -> Vec<&str> {
    let mut words: Vec<&str> = vec![];
    for word in text.split(' ') {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// Gives lines whose name equals no target name, but contains all words of one, that name; words of the target's
/// modifiers become modifiers, what is left becomes one more.
pub(crate) fn split(current: &mut [UnitLines], target: &[UnitLines], names: &mut Names) -> Vec<Split> {
    let mut splits = vec![];
    for line in current {
        if target.iter().any(|wanted| wanted.name == line.name) {
            continue;
        }
        let from = names.text(line.name).to_string();
        let said = words(&from);
        let Some(to) = hidden_name(&said, target, names) else { continue };
        let name_words: Vec<&str> = names.text(to).split(' ').collect();
        let mut rest: Vec<&str> = said.iter().filter(|word| !name_words.contains(word)).copied().collect();
        let mut found = vec![];
        for modifier in modifiers_of(to, target, names) {
            let needed: Vec<&str> = names.text(modifier).split(' ').collect();
            if needed.iter().all(|word| rest.contains(word)) {
                found.push(modifier);
                rest.retain(|word| !needed.contains(word));
            }
        }
        let rest = rest.join(" ");
        line.modifiers.extend(found);
        if !rest.is_empty() {
            line.modifiers.push(names.of_normalised(&rest));
        }
        line.modifiers.sort_unstable();
        line.modifiers.dedup();
        splits.push(Split { from: line.name, to, modifiers: line.modifiers.clone() });
        line.name = to;
    }
    splits
}

/// The target name with the most words that are all among the words said; of equals the first.
fn hidden_name(said: &[&str], target: &[UnitLines], names: &Names) -> Option<Name> {
    let mut best: Option<(usize, Name)> = None;
    for line in target {
        let wanted = words(names.text(line.name));
        let hidden = wanted.iter().all(|word| said.contains(word));
        if hidden && best.is_none_or(|(most, _)| wanted.len() > most) {
            best = Some((wanted.len(), line.name));
        }
    }
    best.map(|(_, name)| name)
}

/// The modifiers of the target lines with a name: in the order of lines, sorted within each, each once.
fn modifiers_of(name: Name, target: &[UnitLines], names: &Names) -> Vec<Name> {
    let mut all: Vec<Name> = vec![];
    for line in target.iter().filter(|line| line.name == name) {
        let mut mine = line.modifiers.clone();
        mine.sort_unstable_by_key(|modifier| names.text(*modifier));
        all.extend(mine.into_iter().filter(|modifier| !all.contains(modifier)).collect::<Vec<_>>());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(names: &mut Names, lines: &[(&str, &[&str])]) -> Vec<UnitLines> {
        let mut line = |(name, modifiers): &(&str, &[&str])| UnitLines {
            name: names.of_normalised(name),
            modifiers: modifiers.iter().map(|modifier| names.of_normalised(modifier)).collect(),
            quantity: 1,
        };
        lines.iter().map(&mut line).collect()
    }

    #[test]
    fn a_swallowed_modifier_is_given_back() {
        // Worked example 6 of the specification, and a word that is in no target line.
        let mut names = Names::default();
        let target =
            lines(&mut names, &[("tofu wrap", &["sweet potato", "spicy"]), ("grilled tofu wrap", &["kimchi"])]);
        let mut current = lines(&mut names, &[("grilled tofu wrap sweet kimchi", &[]), ("tea", &[])]);
        let splits = split(&mut current, &target, &mut names);
        assert_eq!(splits.len(), 1);
        assert_eq!(names.text(current[0].name), "grilled tofu wrap");
        assert_eq!(names.texts(&current[0].modifiers), ["kimchi", "sweet"]);
        assert_eq!(names.text(current[1].name), "tea");
    }
}
