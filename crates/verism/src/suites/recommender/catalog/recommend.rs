//! recommend(): the items of the catalog that fit some constraints best.

use std::borrow::Cow;
use std::cmp::Reverse;

use super::field::Field;
use super::items::Catalog;
use crate::suites::recommender::extract::words::{lower, tidy};

/// Alternatives: any concept of a group satisfies it.
pub type Group = Vec<u32>;

/// Most items that are given.
const MOST: i64 = 50;

/// Gives the items that satisfy most groups, best first; none: nothing matches.
///
/// Items in `exclude` or missing a group of `must` (by number) are out; with groups, items that satisfy none are out. The
/// order: satisfied groups (more first), the sum of their weights ⌊1000·idf + 0.5⌋ (more first), name key, id.
/// `limit` is clamped to 1..50. Source: specification, section 11.
pub fn recommend(catalog: &Catalog, groups: &[Group], must: &[usize], limit: i64, exclude: &[u32]) -> Vec<u32> {
    let (needed, wished): (Vec<usize>, Vec<usize>) = (0..groups.len()).partition(|number| must.contains(number));
    let mut found = match needed.split_first() {
        None if groups.is_empty() => {
            (0..catalog.items.len() as u32).map(|item| Fit { item, groups: 0, weight: 0 }).collect()
        }
        None => vec![],
        Some((first, others)) => {
            let mut found = united(vec![], &having(catalog, &groups[*first]));
            others.iter().for_each(|number| count(&mut found, &having(catalog, &groups[*number]), true));
            found
        }
    };
    for number in wished {
        let having = having(catalog, &groups[number]);
        match needed.is_empty() {
            true => found = united(found, &having),
            false => count(&mut found, &having, false),
        }
    }
    best(catalog, &found, limit.clamp(1, MOST) as usize, exclude)
}

/// An item, how many groups it satisfies, and the sum of their weights.
#[derive(Clone, Copy)]
struct Fit {
    item: u32,
    groups: u32,
    weight: u64,
}

/// The items that satisfy a group, in ascending order, and its weight.
struct GroupItems<'c> {
    items: Cow<'c, [u32]>,
    weight: u64,
}

fn having<'c>(catalog: &'c Catalog, group: &Group) -> GroupItems<'c> {
    let concepts = &catalog.concepts;
    let weight = |concept: &u32| (1000.0 * concepts.idf(*concept) + 0.5) as u64;
    let items = match group.as_slice() {
        [one] => Cow::Borrowed(concepts.items(*one)),
        several => {
            let mut items: Vec<u32> = several.iter().flat_map(|concept| concepts.items(*concept)).copied().collect();
            items.sort_unstable();
            items.dedup();
            Cow::Owned(items)
        }
    };
    GroupItems { items, weight: group.iter().map(weight).max().unwrap_or(0) }
}

/// Counts a group for the items found so far; those without it stay only if they need not have it.
fn count(found: &mut Vec<Fit>, having: &GroupItems<'_>, needed: bool) {
    let mut rest = having.items.iter().copied().peekable();
    found.retain_mut(|fit| {
        while rest.next_if(|item| *item < fit.item).is_some() {}
        let has = rest.peek() == Some(&fit.item);
        if has {
            (fit.groups, fit.weight) = (fit.groups + 1, fit.weight + having.weight);
        }
        has || !needed
    });
}

/// Counts a group, and adds the items that are new with it.
fn united(found: Vec<Fit>, having: &GroupItems<'_>) -> Vec<Fit> {
    let mut out = Vec::with_capacity(found.len() + having.items.len());
    let mut old = found.into_iter().peekable();
    for &item in having.items.iter() {
        while let Some(fit) = old.next_if(|fit| fit.item < item) {
            out.push(fit);
        }
        let known = old.next_if(|fit| fit.item == item).unwrap_or(Fit { item, groups: 0, weight: 0 });
        out.push(Fit { item, groups: known.groups + 1, weight: known.weight + having.weight });
    }
    out.extend(old);
    out
}

/// The best of some items that are not excluded.
fn best(catalog: &Catalog, found: &[Fit], limit: usize, exclude: &[u32]) -> Vec<u32> {
    let ranks = catalog.name_ranks();
    let place = |fit: &Fit| (Reverse((fit.groups, fit.weight)), ranks[fit.item as usize]);
    let mut best: Vec<Fit> = Vec::with_capacity(limit.min(found.len()) + 1);
    for fit in found {
        let behind = best.len() >= limit && best.last().is_some_and(|last| place(last) < place(fit));
        if behind || exclude.contains(&fit.item) {
            continue;
        }
        let at = best.partition_point(|other| place(other) < place(fit));
        best.insert(at, *fit);
        best.truncate(limit);
    }
    best.into_iter().map(|fit| fit.item).collect()
}

/// Constraints as groups, each with its field: values of one field are alternatives. Values that the catalog does not
/// know are told apart.
pub fn groups(catalog: &Catalog, constraints: &[(Field, String)]) -> (Vec<(Field, Group)>, Vec<String>) {
    let (mut groups, mut unknown) = (vec![], vec![]);
    for field in Field::SCORED.into_iter().chain([Field::Name]) {
        let mut group = vec![];
        for (_, value) in constraints.iter().filter(|(of, _)| *of == field) {
            match catalog.concept_of(field, value) {
                Some(concept) => group.push(concept),
                None => unknown.push(format!("{}={}", field.name(), lower(&tidy(value)))),
            }
        }
        if !group.is_empty() {
            groups.push((field, group));
        }
    }
    (groups, unknown)
}
