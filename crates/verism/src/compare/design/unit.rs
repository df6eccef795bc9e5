//! Units: what is sampled independently, and the nested means that are their values.

use std::cmp::Ordering;

use serde::{Serialize, Serializer};

use crate::compare::read::names::{Id, Names};
use crate::compare::read::row::{PIECES, Row};
use crate::stats::numeric::wide::Wide;

/// What is sampled independently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A case.
    Case,
    /// A run.
    Run,
    /// A case in a run.
    CaseRun,
    /// A dialogue, or another thing below case and run.
    Dialogue,
    /// A piece of a dialogue.
    Turn,
    /// The whole experiment; only `correlate` matches at this level.
    Experiment,
}

/// An id below the experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Case,
    Run,
    Dialogue,
    Turn,
}

impl Part {
    fn of(self, row: &Row) -> Id {
        match self {
            Part::Case => row.case,
            Part::Run => row.run,
            Part::Dialogue => row.dialogue,
            Part::Turn => row.turn,
        }
    }
}

impl Unit {
    /// Gives the unit's name.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Case => "case",
            Unit::Run => "run",
            Unit::CaseRun => "case+run",
            Unit::Dialogue => "dialogue",
            Unit::Turn => "turn",
            Unit::Experiment => "experiment",
        }
    }

    /// The ids that make the key, and the levels below it over which means are nested, outermost first.
    fn parts(self) -> (&'static [Part], &'static [Part]) {
        match self {
            Unit::Case => (&[Part::Case], &[Part::Run, Part::Dialogue, Part::Turn]),
            Unit::Run => (&[Part::Run], &[Part::Case, Part::Dialogue, Part::Turn]),
            Unit::CaseRun => (&[Part::Case, Part::Run], &[Part::Dialogue, Part::Turn]),
            Unit::Dialogue => (&[Part::Case, Part::Run, Part::Dialogue], &[Part::Turn]),
            Unit::Turn => (&[Part::Case, Part::Run, Part::Dialogue, Part::Turn], &[]),
            Unit::Experiment => (&[], &[Part::Case, Part::Run, Part::Dialogue, Part::Turn]),
        }
    }

    /// Tells whether the case is part of the key.
    pub fn has_case(self) -> bool {
        self.parts().0.contains(&Part::Case)
    }

    /// Whether rows need the id to count beside rows that have it.
    fn needs(self, part: Part) -> bool {
        match part {
            Part::Case => matches!(self, Unit::Case | Unit::CaseRun),
            Part::Run => matches!(self, Unit::Run | Unit::CaseRun),
            Part::Dialogue | Part::Turn => false,
        }
    }
}

impl Serialize for Unit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Gives the units that rows of a level allow.
pub(crate) fn allowed_units(level: &str, rows: &[Row]) -> Vec<Unit> {
    let below_case = || vec![Unit::Case, Unit::Run, Unit::CaseRun, Unit::Dialogue];
    match level {
        "experiment" | "group" => vec![],
        "run" if !rows.iter().any(|row| row.case.is_given()) => vec![Unit::Run],
        "run" | "case" => vec![Unit::Case, Unit::Run, Unit::CaseRun],
        _ if PIECES.contains(&level) || rows.iter().any(|row| row.turn.is_given()) => {
            let mut units = below_case();
            units.push(Unit::Turn);
            units
        }
        _ => below_case(),
    }
}

/// Gives the units of a thing that is matched as a dialogue, whatever its rows hold.
pub(crate) fn units_of_dialogues() -> Vec<Unit> {
    vec![Unit::Case, Unit::Run, Unit::CaseRun, Unit::Dialogue]
}

/// The ids of a unit; those that are not part of its key are absent.
pub(crate) type Key = [Id; 4];

/// Units with their values, in canonical order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Units {
    /// Their keys.
    pub keys: Vec<Key>,
    /// Their values.
    pub values: Vec<f64>,
    /// What each stands together with; absent where nothing was said.
    pub clusters: Vec<Id>,
}

impl Units {
    /// Gives how many there are.
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Gives the value of a unit, if it is there.
    pub(crate) fn get(&self, key: &Key, names: &Names) -> Option<f64> {
        self.keys.binary_search_by(|other| canonical(other, key, names)).ok().map(|at| self.values[at])
    }

    /// Gives the values of the units that both have, in canonical order: those of the first, those of the second; and their
    /// places in the first.
    pub(crate) fn shared(&self, other: &Units, names: &Names) -> (Vec<f64>, Vec<f64>, Vec<usize>) {
        let mut out = (Vec::new(), Vec::new(), Vec::new());
        for (mine, yours) in common(&self.keys, &other.keys, names) {
            out.0.push(self.values[mine]);
            out.1.push(other.values[yours]);
            out.2.push(mine);
        }
        out
    }

    /// Gives the name of what each unit stands together with: a unit of which nothing was said stands alone.
    pub(crate) fn cluster_names(&self, names: &Names) -> Vec<String> {
        let alone = |key: &Key| key.iter().map(|id| format!("\u{1f}{}", names.text(*id))).collect::<String>();
        let name = |(cluster, key): (&Id, &Key)| {
            if cluster.is_given() { names.text(*cluster).to_string() } else { alone(key) }
        };
        self.clusters.iter().zip(&self.keys).map(name).collect()
    }
}

/// Byte order of the key's parts; a turn made of digits sorts as a number, before other text.
fn canonical(a: &Key, b: &Key, names: &Names) -> Ordering {
    a[..3]
        .cmp(&b[..3])
        .then_with(|| if a[3] == b[3] { Ordering::Equal } else { turn_order(names.text(a[3]), names.text(b[3])) })
}

fn turn_order(a: &str, b: &str) -> Ordering {
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|c| c.is_ascii_digit());
    match (digits(a), digits(b)) {
        (true, true) => {
            let (x, y) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
            x.len().cmp(&y.len()).then_with(|| x.cmp(y)).then_with(|| a.cmp(b))
        }
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (false, false) => a.as_bytes().cmp(b.as_bytes()),
    }
}

/// Gives the rows with a value that count at a unit: an empty id is not a unit beside named ones.
pub(crate) fn unit_rows(rows: &[Row], unit: Unit) -> impl Iterator<Item = &Row> + Clone {
    let valued = || rows.iter().filter(|row| row.value.is_some());
    let named = |part: Part| move |row: &&Row| part.of(row).is_given();
    let by_case = unit.needs(Part::Case) && valued().any(|row| row.case.is_given());
    let with_case = valued().filter(move |row| !by_case || named(Part::Case)(row));
    let by_run = unit.needs(Part::Run) && with_case.clone().any(|row| row.run.is_given());
    with_case.filter(move |row| !by_run || named(Part::Run)(row))
}

fn key_of(row: &Row, unit: Unit, one_each: bool) -> Key {
    let mut key = [Id::NONE; 4];
    let slots = if unit == Unit::Turn { [0, 1, 2, 3] } else { [0, 1, 2, 2] };
    for (part, slot) in unit.parts().0.iter().zip(slots) {
        if !(one_each && *part == Part::Dialogue) {
            key[slot] = part.of(row);
        }
    }
    key
}

/// Gives the places, in the first and in the second, of the keys that are in both lists, which are in canonical order.
fn common(a: &[Key], b: &[Key], names: &Names) -> Vec<(usize, usize)> {
    let (mut out, mut i, mut j) = (Vec::with_capacity(a.len().min(b.len())), 0, 0);
    while i < a.len() && j < b.len() {
        match canonical(&a[i], &b[j], names) {
            Ordering::Less => i += 1,
            Ordering::Greater => j += 1,
            Ordering::Equal => {
                out.push((i, j));
                (i, j) = (i + 1, j + 1);
            }
        }
    }
    out
}

/// Gives how many keys are in both lists, which are in canonical order.
pub(crate) fn shared_keys(a: &[Key], b: &[Key], names: &Names) -> usize {
    common(a, b, names).len()
}

/// Gives the units of the rows with their values: the nested mean over the levels below.
///
/// With `one_each` the dialogue's id is left out of the key (each case and run holds one).
pub(crate) fn units(rows: &[Row], unit: Unit, one_each: bool, names: &Names) -> Units {
    let below = unit.parts().1;
    let mut keyed: Vec<(Key, &Row)> = unit_rows(rows, unit).map(|row| (key_of(row, unit, one_each), row)).collect();
    let inner = |row: &Row| [Part::Case, Part::Run, Part::Dialogue, Part::Turn].map(|part| part.of(row));
    keyed.sort_unstable_by(|(a, x), (b, y)| {
        let by_level = below.iter().map(|part| part.of(x).cmp(&part.of(y))).find(|order| order.is_ne());
        canonical(a, b, names).then(by_level.unwrap_or(Ordering::Equal)).then_with(|| inner(x).cmp(&inner(y)))
    });
    let mut out = Units::default();
    for group in keyed.chunk_by(|(a, _), (b, _)| a == b) {
        out.keys.push(group[0].0);
        out.values.push(nested_mean(group, below).round());
        let given = group.iter().map(|(_, row)| row.cluster).filter(|cluster| cluster.is_given());
        out.clusters.push(given.min().unwrap_or(Id::NONE));
    }
    out
}

/// The mean over the first level of the means over the next, each with equal weight; rows are sorted by these levels.
fn nested_mean(rows: &[(Key, &Row)], below: &[Part]) -> Wide {
    let Some((part, rest)) = below.split_first() else {
        return mean(rows.iter().filter_map(|(_, row)| row.value).map(Wide::from));
    };
    let same = |a: &(Key, &Row), b: &(Key, &Row)| part.of(a.1) == part.of(b.1);
    mean(rows.chunk_by(same).map(|group| nested_mean(group, rest)))
}

fn mean(values: impl Iterator<Item = Wide>) -> Wide {
    let (mut sum, mut n) = (Wide::ZERO, 0_usize);
    for value in values {
        sum = if n == 0 { value } else { sum + value };
        n += 1;
    }
    if n > 1 { sum / Wide::from(n) } else { sum }
}

/// Gives the rows' values and the names of the units they stand in, for methods that weight rows.
pub(crate) fn clustered_rows(rows: &[Row], unit: Unit, one_each: bool, names: &Names) -> (Vec<f64>, Vec<String>) {
    let mut kept: Vec<&Row> = unit_rows(rows, unit).collect();
    kept.sort_unstable_by_key(|row| [row.case, row.run, row.dialogue, row.turn]);
    let name = |row: &Row| {
        if row.cluster.is_given() {
            return names.text(row.cluster).to_string();
        }
        let part = |part: &Part| {
            if one_each && *part == Part::Dialogue { "" } else { names.text(part.of(row)) }
        };
        unit.parts().0.iter().map(part).collect::<Vec<&str>>().join("\u{1f}")
    };
    kept.iter().filter_map(|row| Some((row.value?, name(row)))).unzip()
}

/// Gives the named cases among rows with a value, in order.
pub(crate) fn cases_of(rows: &[Row]) -> Vec<Id> {
    let given = |row: &&Row| row.value.is_some() && row.case.is_given();
    let mut cases: Vec<Id> = rows.iter().filter(given).map(|row| row.case).collect();
    cases.dedup();
    cases.sort_unstable();
    cases.dedup();
    cases
}

/// Tells whether every case and run holds exactly one dialogue in every experiment.
pub(crate) fn one_dialogue_each(row_sets: &[&[Row]]) -> bool {
    row_sets.iter().all(|rows| {
        let mut places: Vec<(Id, Id, Id)> =
            rows.iter().filter(|row| row.value.is_some()).map(|row| (row.case, row.run, row.dialogue)).collect();
        places.sort_unstable();
        places.dedup();
        let named = places.iter().all(|(case, run, _)| case.is_given() || run.is_given());
        named && places.windows(2).all(|w| (w[0].0, w[0].1) != (w[1].0, w[1].1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::read::table::Table;

    // By hand: case c1 has run 1 with dialogues of means 1 and 3 (mean 2) and run 2 with mean 6: nested mean 4, not 10/3.
    #[test]
    fn means_nest_with_equal_weight_per_level() {
        let t = Table::of_csv(
            "metric,experiment,case,run,dialogue,turn,unit,level,value\n\
             m,e,c1,1,a,1,,turn,0\nm,e,c1,1,a,2,,turn,2\nm,e,c1,1,b,1,,turn,3\nm,e,c1,2,a,1,,turn,6\n",
        );
        let u = units(&t.rows, Unit::Case, false, &t.names);
        assert_eq!(u.values, [4.0]);
        assert_eq!(units(&t.rows, Unit::CaseRun, false, &t.names).values, [2.0, 6.0]);
        assert_eq!(units(&t.rows, Unit::Turn, false, &t.names).len(), 4);
        assert_eq!(clustered_rows(&t.rows, Unit::Case, false, &t.names).0, [0.0, 2.0, 3.0, 6.0]);
    }

    #[test]
    fn an_empty_id_is_no_unit_beside_named_ones() {
        let t = Table::of_csv("metric,experiment,case,value\nm,e,c1,1\nm,e,c2,2\nm,e,,9\n");
        assert_eq!(units(&t.rows, Unit::Case, false, &t.names).values, [1.0, 2.0]);
    }

    #[test]
    fn turns_of_digits_sort_as_numbers() {
        let mut turns = ["b", "10", "9", "a", "007"];
        turns.sort_by(|a, b| turn_order(a, b));
        assert_eq!(turns, ["007", "9", "10", "a", "b"]);
    }
}
