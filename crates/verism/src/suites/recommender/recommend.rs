//! recommend(): the items of the catalog that fit some constraints best.

use super::catalog::Catalog;
use super::field::Field;
use super::words::{lower, tidy};

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
    let concepts = &catalog.concepts;
    let weight = |concept: &u32| (1000.0 * concepts.idf(*concept) + 0.5) as u64;
    let weights: Vec<u64> = groups.iter().map(|group| group.iter().map(weight).max().unwrap_or(0)).collect();
    let mut found: Vec<(u32, u64)> = vec![(0, 0); catalog.items.len()];
    let mut missing: Vec<bool> = vec![false; catalog.items.len()];
    for (number, group) in groups.iter().enumerate() {
        let mut having: Vec<u32> = group.iter().flat_map(|concept| concepts.items(*concept)).copied().collect();
        having.sort_unstable();
        having.dedup();
        for item in &having {
            let (count, sum) = &mut found[*item as usize];
            *count += 1;
            *sum += weights[number];
        }
        if must.contains(&number) {
            let has = |item: u32| having.binary_search(&item).is_ok();
            missing.iter_mut().zip(0..).for_each(|(missing, item)| *missing |= !has(item));
        }
    }
    exclude.iter().for_each(|item| missing[*item as usize] = true);
    let fits = |item: &u32| !missing[*item as usize] && (groups.is_empty() || found[*item as usize].0 > 0);
    let mut items: Vec<u32> = (0..catalog.items.len() as u32).filter(fits).collect();
    let name = |item: u32| catalog.items[item as usize].title.map_or("", |title| catalog.key(title));
    items.sort_by(|&a, &b| {
        let (of_a, of_b) = (found[a as usize], found[b as usize]);
        let id = |item: u32| &*catalog.items[item as usize].id;
        of_b.cmp(&of_a).then_with(|| (name(a), id(a)).cmp(&(name(b), id(b))))
    });
    items.truncate(limit.clamp(1, MOST) as usize);
    items
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
