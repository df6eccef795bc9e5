//! The design of one pair of experiments: paired or not, and by which unit.

use crate::compare::design::experiment_rows::ExperimentRows;
use crate::compare::design::unit::{Key, Unit, one_dialogue_each, shared_keys};
use crate::compare::options::{DesignChoice, Options};
use crate::compare::read::names::Names;
use crate::compare::read::row::Row;

/// The design of one comparison.
#[derive(Clone, Debug)]
pub(crate) struct Design {
    pub paired: bool,
    pub unit: Unit,
    /// The dialogue's id is not compared, since each case and run holds one dialogue.
    pub one_each: bool,
    /// Cases that both experiments hold.
    pub common_cases: usize,
    /// Dialogues that both share stand for cases, since there are none.
    pub dialogues: bool,
    pub few_shared: bool,
    pub no_shared: bool,
}

/// Tells whether there is no case id anywhere, or the same cases everywhere: only then may runs be pairs.
fn same_cases(sets: &[&ExperimentRows]) -> bool {
    sets.windows(2).all(|two| two[0].cases() == two[1].cases())
}

/// Gives how many things stand in all lists, each of which is in order.
fn shared_by_all<T: Ord + Copy>(lists: &[&[T]]) -> usize {
    let Some((first, rest)) = lists.split_first() else { return 0 };
    let mut left = rest.to_vec();
    let mut holds = |item: &T| {
        left.iter_mut().all(|list| {
            let below = list.iter().take_while(|other| *other < item).count();
            *list = &list[below..];
            list.first() == Some(item)
        })
    };
    first.iter().filter(|item| holds(item)).count()
}

fn common_cases(sets: &[&ExperimentRows]) -> usize {
    shared_by_all(&sets.iter().map(|own| own.cases()).collect::<Vec<_>>())
}

/// Gives the unit by which experiments can be paired: case, else run where the cases are the same.
pub(crate) fn paired_unit(sets: &[&ExperimentRows], allowed: &[Unit], names: &Names) -> Option<Unit> {
    if allowed.contains(&Unit::Case) && common_cases(sets) >= 2 {
        return Some(Unit::Case);
    }
    let common_runs = || {
        let units: Vec<_> = sets.iter().map(|own| own.units(Unit::Run, false, names)).collect();
        shared_by_all(&units.iter().map(|units| &units.keys[..]).collect::<Vec<_>>())
    };
    (allowed.contains(&Unit::Run) && same_cases(sets) && common_runs() >= 2).then_some(Unit::Run)
}

/// Gives the first of case, run, dialogue with two units everywhere, else the finest that the level allows.
pub(crate) fn unpaired_unit(sets: &[&ExperimentRows], allowed: &[Unit], names: &Names) -> Option<Unit> {
    let two_everywhere = |unit: &Unit| sets.iter().all(|own| own.units(*unit, false, names).len() >= 2);
    let first = [Unit::Case, Unit::Run, Unit::Dialogue].into_iter().find(|u| allowed.contains(u) && two_everywhere(u));
    first.or_else(|| [Unit::Dialogue, Unit::Case, Unit::Run].into_iter().find(|u| allowed.contains(u)))
}

impl Design {
    /// Gives the design of a comparison; `None` where the level allows no unit at all.
    pub(crate) fn of(
        baseline: &ExperimentRows,
        experiment: &ExperimentRows,
        allowed: &[Unit],
        names: &Names,
        options: &Options,
    ) -> Option<Design> {
        let sets = [baseline, experiment];
        let rows: [&[Row]; 2] = sets.map(|own| &own.rows[..]);
        let one_each = options.unit == Some(Unit::Dialogue) && one_dialogue_each(&rows);
        let common_cases = common_cases(&sets);
        let unpaired = |few_shared, no_shared| {
            let unit = options.unit.or_else(|| unpaired_unit(&sets, allowed, names))?;
            Some(Design { paired: false, unit, one_each: false, common_cases, dialogues: false, few_shared, no_shared })
        };
        if options.design == DesignChoice::Unpaired {
            return unpaired(false, false);
        }
        let pairing = options.unit.or_else(|| paired_unit(&sets, allowed, names));
        let of_unit = |own: &ExperimentRows| pairing.map(|unit| own.units(unit, one_each, names));
        let units = of_unit(baseline).zip(of_unit(experiment));
        let (b, x): (&[Key], &[Key]) = units.as_ref().map_or((&[], &[]), |(b, x)| (&b.keys, &x.keys));
        let shared = shared_keys(b, x, names);
        let asked = options.design == DesignChoice::Paired;
        let no_shared = options.unit == Some(Unit::Dialogue) && !one_each && shared == 0 && (asked || common_cases > 0);
        let paired = |unit| Design {
            paired: true,
            unit,
            one_each,
            common_cases,
            dialogues: false,
            few_shared: false,
            no_shared,
        };
        if asked {
            let order = if same_cases(&sets) { [Unit::Run, Unit::Case] } else { [Unit::Case, Unit::Run] };
            let unit = pairing.or_else(|| order.into_iter().find(|unit| allowed.contains(unit)))?;
            return Some(paired(unit));
        }
        match pairing {
            Some(unit) if shared >= 2 && 2 * shared >= b.len().min(x.len()) => Some(paired(unit)),
            _ => {
                let some_cases = pairing.is_none() && common_cases > 0 && !same_cases(&sets);
                unpaired(shared > 0 || some_cases, no_shared)
            }
        }
    }

    pub(crate) fn word(&self) -> &'static str {
        if self.paired { "paired" } else { "unpaired" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::design::unit::allowed_units;
    use crate::compare::read::table::Table;

    /// The design of A against B in a table of (experiment, case, run) rows of level dialogue.
    fn design(rows: &[(&str, &str, &str)], options: &[&str]) -> Option<(bool, Unit, bool)> {
        let mut csv = String::from("metric,experiment,case,run,unit,value\n");
        for (i, (experiment, case, run)) in rows.iter().enumerate() {
            csv.push_str(&format!("m,{experiment},{case},{run},d{i},0.{i}\n"));
        }
        let table = Table::of_csv(&csv);
        let of = |name: &str| {
            let id = table.names.find(name);
            ExperimentRows::of(table.rows.iter().filter(|row| Some(row.experiment) == id).copied().collect())
        };
        let (a, b) = (of("A"), of("B"));
        let options = Options::parse(options.iter().copied()).unwrap();
        let allowed = allowed_units("dialogue", &table.rows);
        Design::of(&a, &b, &allowed, &table.names, &options).map(|d| (d.paired, d.unit, d.few_shared))
    }

    #[test]
    fn shared_cases_pair() {
        let rows = [("A", "1", "r"), ("A", "2", "r"), ("B", "1", "r"), ("B", "2", "r")];
        assert_eq!(design(&rows, &[]), Some((true, Unit::Case, false)));
        assert_eq!(design(&rows, &["design=unpaired"]), Some((false, Unit::Case, false)));
    }

    // Decision S13: different cases that share run numbers are not pairs.
    #[test]
    fn runs_pair_only_within_the_same_cases() {
        let other = [("A", "1", "r"), ("A", "1", "s"), ("B", "2", "r"), ("B", "2", "s")];
        assert_eq!(design(&other, &[]), Some((false, Unit::Run, false)));
        let same = [("A", "1", "r"), ("A", "1", "s"), ("B", "1", "r"), ("B", "1", "s")];
        assert_eq!(design(&same, &[]), Some((true, Unit::Run, false)));
    }

    #[test]
    fn too_few_shared_cases_are_flagged() {
        let mut rows: Vec<(&str, &str, &str)> = ["1", "2", "3", "4", "5", "6"].map(|c| ("A", c, "r")).to_vec();
        rows.extend(["5", "6", "7", "8", "9", "10"].map(|c| ("B", c, "r")));
        assert_eq!(design(&rows, &[]), Some((false, Unit::Case, true)));
        assert_eq!(design(&rows, &["design=paired"]), Some((true, Unit::Case, false)));
    }
}
