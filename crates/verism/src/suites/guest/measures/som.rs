//! SOM: the order compared line by line, with quantities and what belongs to what.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::assignment::assign;
use super::ms::NO_STATE;
use super::ora::{Final, NO_TARGET, cows};
use super::score::Score;
use super::split::{Split, split};
use super::{BASE, Measure, always};
use crate::score::measure::{EMPTY_DENOMINATOR, Measure as Value};
use crate::suites::Metric;
use crate::suites::guest::record::order::{Name, Names, Order};
use crate::suites::guest::words::{ConversationScores, Lines};

/// SOM as a measure.
pub(crate) const SOM: Measure = Measure {
    facts: Metric {
        id: "som",
        title: "SOM",
        says: "whether the order is right line by line, with quantities and modifiers where they belong",
        formula: "2 U / (U_C + U_T), U = best one-to-one Σ (1 + common modifiers) over unit lines of one name",
        empty: "undefined: missing_field:target_order, no_state, empty_denominator if both orders are empty",
        ..BASE
    },
    score: |m| score(m.last.as_ref(), m.target(), &mut m.names.borrow_mut()),
    asked: always,
    tell: Some(tell),
};

/// A line with a name: name, sorted modifiers, quantity above 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnitLines {
    pub(crate) name: Name,
    pub(crate) modifiers: Vec<Name>,
    pub(crate) quantity: u64,
}

pub(crate) fn unit_lines(order: &Order) -> Vec<UnitLines> {
    let line = |line: &crate::suites::guest::record::order::Line| {
        let quantity = u64::from(line.quantity);
        let name = line.name.filter(|_| quantity > 0)?;
        Some(UnitLines { name, modifiers: order.modifiers(line).to_vec(), quantity })
    };
    order.lines.iter().filter_map(line).collect()
}

/// Units of some lines: one for each name and one for each modifier.
fn units(lines: &[UnitLines]) -> u64 {
    lines.iter().map(|line| line.quantity * (1 + line.modifiers.len() as u64)).sum()
}

/// The structured match.
///
/// ```math
/// SOM = 2 U / (U_C + U_T),   U = the largest Σ (1 + common modifiers) over one-to-one pairs of unit lines with one name
/// ```
fn som(u: u64, u_c: u64, u_t: u64) -> Value {
    if u_c + u_t == 0 { Err(EMPTY_DENOMINATOR) } else { Ok((2 * u) as f64 / (u_c + u_t) as f64) }
}

#[derive(Serialize, Deserialize)]
struct Evidence<'e> {
    #[serde(rename = "U")]
    u: u64,
    #[serde(rename = "U_C")]
    u_c: u64,
    #[serde(rename = "U_T")]
    u_t: u64,
    pairs: u64,
    #[serde(borrow)]
    lines_missing: BTreeMap<Cow<'e, str>, u64>,
    #[serde(borrow)]
    lines_extra: BTreeMap<Cow<'e, str>, u64>,
    exact: bool,
    order_turn: Option<usize>,
    source: &'e str,
    #[serde(borrow)]
    splits: Vec<ShownSplit<'e>>,
    #[serde(borrow)]
    lines: Vec<ShownPair<'e>>,
}

#[derive(Serialize, Deserialize)]
struct ShownSplit<'e> {
    #[serde(borrow)]
    from: Cow<'e, str>,
    #[serde(borrow)]
    to: Cow<'e, str>,
    #[serde(borrow)]
    modifiers: Vec<Cow<'e, str>>,
}

#[derive(Serialize, Deserialize)]
struct ShownPair<'e> {
    #[serde(borrow)]
    name: Cow<'e, str>,
    count: u64,
    #[serde(borrow)]
    missing: Vec<Cow<'e, str>>,
    #[serde(borrow)]
    extra: Vec<Cow<'e, str>>,
}

/// SOM with its evidence.
pub(crate) fn score(last: Option<&Final<'_>>, target: Option<&Order>, names: &mut Names) -> Score {
    let Some(target) = target else { return Score::bare(Err(NO_TARGET), 0) };
    let Some(Final { order, turn, source }) = last else { return Score::bare(Err(NO_STATE), 0) };
    let target = unit_lines(target);
    let mut current = unit_lines(order);
    let splits = split(&mut current, &target, names);
    let names = &*names;
    let (u_c, u_t) = (units(&current), units(&target));
    let mut evidence = Evidence {
        u: 0,
        u_c,
        u_t,
        pairs: 0,
        lines_missing: BTreeMap::new(),
        lines_extra: BTreeMap::new(),
        exact: false,
        order_turn: *turn,
        source,
        splits: splits.iter().map(|split| shown(split, names)).collect(),
        lines: vec![],
    };
    for name in names_of(&current, &target, names) {
        let (have, want) = (kinds(&current, name), kinds(&target, name));
        let pairs = assign(&have, &want);
        let matched: u64 = pairs.iter().map(|pair| pair.count).sum();
        evidence.pairs += matched;
        for pair in &pairs {
            let (a, b) = (&have[pair.have].0, &want[pair.want].0);
            evidence.u += pair.count * (1 + crate::suites::guest::record::order::common(a, b) as u64);
            evidence.lines.push(ShownPair {
                name: names.text(name).into(),
                count: pair.count,
                missing: cows(names.texts(b.iter().filter(|m| a.binary_search(m).is_err()))),
                extra: cows(names.texts(a.iter().filter(|m| b.binary_search(m).is_err()))),
            });
        }
        let all = |side: &[(&[Name], u64)]| -> u64 { side.iter().map(|(_, count)| count).sum() };
        for (side, left) in [(&want, &mut evidence.lines_missing), (&have, &mut evidence.lines_extra)] {
            if all(side) > matched {
                left.insert(names.text(name).into(), all(side) - matched);
            }
        }
    }
    evidence.exact = evidence.u == u_c && u_c == u_t;
    Score::new(som(evidence.u, u_c, u_t), (u_c + u_t) as usize, &evidence)
}

fn shown<'e>(split: &'e Split, names: &'e Names) -> ShownSplit<'e> {
    ShownSplit {
        from: names.text(split.from).into(),
        to: names.text(split.to).into(),
        modifiers: cows(names.texts(&split.modifiers)),
    }
}

/// The names of both sides in code point order.
fn names_of(current: &[UnitLines], target: &[UnitLines], names: &Names) -> Vec<Name> {
    let mut all: Vec<Name> = current.iter().chain(target).map(|line| line.name).collect();
    all.sort_unstable_by_key(|name| names.text(*name));
    all.dedup();
    all
}

/// The lines of a name: each set of modifiers once, with its count.
fn kinds(lines: &[UnitLines], name: Name) -> Vec<(&[Name], u64)> {
    let mut kinds: Vec<(&[Name], u64)> = vec![];
    for line in lines.iter().filter(|line| line.name == name) {
        match kinds.iter_mut().find(|(modifiers, _)| *modifiers == line.modifiers) {
            Some((_, count)) => *count += line.quantity,
            None => kinds.push((&line.modifiers, line.quantity)),
        }
    }
    kinds
}

/// Which lines were missed or extra, and how matched lines differ.
fn tell(told: &ConversationScores<'_>, lines: &mut Lines<'_>) {
    lines.say(format!("SOM {} (with quantities, each modifier at its dish)", told.value("som")));
    let Some(evidence) = told.evidence::<Evidence<'_>>("som") else { return };
    let (u, c, t) = (evidence.u, evidence.u_c, evidence.u_t);
    lines.say(format!("  2 x {u} units in pairs / ({c} ordered + {t} wanted)"));
    for (word, left) in [("lines missed", &evidence.lines_missing), ("lines extra", &evidence.lines_extra)] {
        let left: Vec<String> = left.iter().map(|(name, count)| format!("{name} x{count}")).collect();
        lines.names(word, &left);
    }
    let unlike = evidence.lines.iter().filter(|line| !line.missing.is_empty() || !line.extra.is_empty());
    let pair = |line: &ShownPair<'_>| {
        let side = |names: &[Cow<'_, str>], word: &str| match names {
            [] => String::new(),
            names => format!(" {word} {}", names.join(", ")),
        };
        let (without, with) = (side(&line.missing, "without"), side(&line.extra, "with"));
        format!("{} x{}:{without}{with}", line.name, line.count)
    };
    lines.some(unlike.map(pair).collect());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_by_hand() {
        // Worked example 1 of the specification: U = 3, U_C = 3, U_T = 5.
        assert_eq!(som(3, 3, 5), Ok(0.75));
        assert_eq!(som(0, 0, 0), Err(EMPTY_DENOMINATOR));
    }
}
