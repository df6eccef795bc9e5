//! A row of scores, and its level, dialogue and piece.

use crate::compare::read::names::Id;

/// One score, and where it stands; ids that a row does not have are absent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// The suite.
    pub suite: Id,
    /// The metric.
    pub metric: Id,
    /// The experiment.
    pub experiment: Id,
    /// What was scored: a turn, a dialogue, a run, …
    pub level: Id,
    /// The repetition.
    pub run: Id,
    /// What was put to the experiment.
    pub case: Id,
    /// The dialogue, or another thing below case and run.
    pub dialogue: Id,
    /// The piece within the dialogue.
    pub turn: Id,
    /// The score, if it is defined.
    pub value: Option<f64>,
    /// Why there is no value.
    pub reason: Id,
    /// What the row's unit stands together with, where that was asked for.
    pub cluster: Id,
    /// What the value is made of, where its evidence tells.
    pub parts: Id,
}

impl Row {
    /// Gives the ids that no two rows share.
    pub(crate) fn key(&self) -> [Id; 8] {
        let Row { suite, metric, experiment, level, run, case, dialogue, turn, .. } = *self;
        [suite, metric, experiment, level, run, case, dialogue, turn]
    }

    /// Visits every id.
    pub(crate) fn each_id(&mut self, mut visit: impl FnMut(&mut Id)) {
        let Row { suite, metric, experiment, level, run, case, dialogue, turn, reason, cluster, parts, value: _ } =
            self;
        for id in [suite, metric, experiment, level, run, case, dialogue, turn, reason, cluster, parts] {
            visit(id);
        }
    }
}

/// Levels that are always pieces of a dialogue.
pub(crate) const PIECES: [&str; 3] = ["turn", "segment", "shift"];

/// Levels that are aggregates and never tested.
pub(crate) const AGGREGATES: [&str; 2] = ["experiment", "group"];

/// What joins a dialogue and its piece in a unit.
const MARKS: [char; 3] = ['#', '@', '!'];

/// Where a row stands below its case.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RowPlace<'a> {
    /// The level.
    pub level: &'a str,
    /// The dialogue, empty if there is none.
    pub dialogue: &'a str,
    /// The piece of the dialogue, empty if there is none.
    pub turn: &'a str,
}

/// The columns that say where a row stands; absent ones are empty.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Columns<'a> {
    /// Column `level`.
    pub level: &'a str,
    /// Column `unit`.
    pub unit: &'a str,
    /// Column `dialogue`.
    pub dialogue: &'a str,
    /// Column `turn`.
    pub turn: &'a str,
    /// Column `case`.
    pub case: &'a str,
    /// Column `run`.
    pub run: &'a str,
}

/// Gives a row's level, dialogue and piece, or what its unit should have been.
///
/// Levels case, run and experiment name ids the row has anyway. Turns, segments, shifts, and any other level whose row has a
/// dialogue that differs from its unit, are pieces: dialogue = the column if filled, else the unit up to its last `#`, `@` or
/// `!`. At any other level unit, else dialogue, names one thing, treated as a dialogue.
pub(crate) fn place<'a>(columns: &Columns<'a>) -> Result<RowPlace<'a>, String> {
    let Columns { unit, dialogue, turn, .. } = *columns;
    let level = match columns.level {
        "" if !turn.is_empty() => "turn",
        "" if !unit.is_empty() || !dialogue.is_empty() => "dialogue",
        "" if !columns.case.is_empty() => "case",
        "" if !columns.run.is_empty() => "run",
        "" => "experiment",
        given => given,
    };
    if ["case", "run", "experiment"].contains(&level) {
        return Ok(RowPlace { level, dialogue: "", turn: "" });
    }
    let whole = dialogue.is_empty() || unit.is_empty() || dialogue == unit;
    if !PIECES.contains(&level) && whole {
        let id = if unit.is_empty() { dialogue } else { unit };
        return if id.is_empty() {
            Err(format!("the id of one {level}"))
        } else {
            Ok(RowPlace { level, dialogue: id, turn: "" })
        };
    }
    let (dialogue, piece) = if !dialogue.is_empty() {
        let inside = unit.strip_prefix(dialogue).and_then(|rest| rest.strip_prefix(MARKS));
        (dialogue, inside.unwrap_or(if unit.is_empty() { turn } else { unit }))
    } else if let Some((before, after)) = unit.rsplit_once(MARKS) {
        (before, after)
    } else {
        ("", if unit.is_empty() { turn } else { unit })
    };
    if piece.is_empty() { Err("<dialogue>#<turn>".to_string()) } else { Ok(RowPlace { level, dialogue, turn: piece }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at<'a>(
        level: &'a str,
        dialogue: &'a str,
        unit: &'a str,
        turn: &'a str,
    ) -> Result<(&'a str, &'a str, &'a str), String> {
        place(&Columns { level, unit, dialogue, turn, ..Columns::default() }).map(|p| (p.level, p.dialogue, p.turn))
    }

    // The rules of section 2 of the statistics specification, one by one.
    #[test]
    fn pieces_find_their_dialogue() {
        assert_eq!(at("turn", "", "d1#2", ""), Ok(("turn", "d1", "2")));
        assert_eq!(at("shift", "Ax!1", "Ax!1!3", "3"), Ok(("shift", "Ax!1", "3")));
        assert_eq!(at("shift", "", "a#b!3", ""), Ok(("shift", "a#b", "3")));
        assert_eq!(at("segment", "dlg", "other", ""), Ok(("segment", "dlg", "other")));
        assert_eq!(at("turn", "d", "", "7"), Ok(("turn", "d", "7")));
        assert_eq!(at("joke", "d", "d@4", ""), Ok(("joke", "d", "4")));
        assert_eq!(at("turn", "", "5", ""), Ok(("turn", "", "5")));
    }

    #[test]
    fn whole_things_are_dialogues() {
        assert_eq!(at("dialogue", "d", "d", ""), Ok(("dialogue", "d", "")));
        assert_eq!(at("item", "", "i#3", ""), Ok(("item", "i#3", "")));
        assert_eq!(at("case", "d", "u", "2"), Ok(("case", "", "")));
    }

    #[test]
    fn without_a_level_the_deepest_id_decides() {
        assert_eq!(at("", "d", "", "2"), Ok(("turn", "d", "2")));
        assert_eq!(at("", "", "u", ""), Ok(("dialogue", "u", "")));
        let run = place(&Columns { run: "1", ..Columns::default() }).unwrap();
        assert_eq!(run.level, "run");
    }

    #[test]
    fn missing_ids_are_named() {
        assert!(
            at("turn", "d", "", "").is_err() && at("item", "", "", "").is_err() && at("turn", "", "d#", "").is_err()
        );
    }
}
