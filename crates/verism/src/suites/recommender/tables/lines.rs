//! The lines of some dialogues at a time, written side by side into buffers that are used again.

use rayon::prelude::*;

use super::outcome::Outcome;
use super::result::{push_head, push_tail};
use super::score_rows::push_rows;
use crate::suites::recommender::catalog::items::Catalog;
use crate::suites::recommender::options::Params;

/// Turns whose lines are written before they are handed on.
const TURNS: u64 = 1024;

/// The lines of a dialogue.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// Its score rows.
    pub(crate) rows: Vec<u8>,
    /// Its line of `results.jsonl` before and after the labels.
    pub(crate) head: Vec<u8>,
    pub(crate) tail: Vec<u8>,
}

impl Lines {
    fn write(&mut self, outcome: &Outcome, catalog: &Catalog, params: &Params) {
        [&mut self.rows, &mut self.head, &mut self.tail].into_iter().for_each(Vec::clear);
        push_rows(&mut self.rows, outcome, catalog);
        push_head(&mut self.head, outcome, catalog, params);
        push_tail(&mut self.tail, outcome, catalog, params);
    }
}

/// How many of the next dialogues are written together: about [`TURNS`] turns, at least one dialogue.
pub(crate) fn together<'o>(outcomes: impl Iterator<Item = &'o Outcome>) -> usize {
    let mut turns = 0;
    let fits = |outcome: &&Outcome| {
        turns += outcome.summary.n_turns;
        turns <= TURNS
    };
    outcomes.take_while(fits).count().max(1)
}

/// Writes the lines of dialogues into as many buffers.
pub(crate) fn write(outcomes: &[Box<Outcome>], catalog: &Catalog, params: &Params, buffers: &mut Vec<Lines>) {
    if buffers.len() < outcomes.len() {
        buffers.resize_with(outcomes.len(), Lines::default);
    }
    let one = |lines: &mut Lines, outcome: &Outcome| lines.write(outcome, catalog, params);
    match outcomes.len() {
        1 => one(&mut buffers[0], &outcomes[0]),
        _ => buffers.par_iter_mut().zip(outcomes).for_each(|(lines, outcome)| one(lines, outcome)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::value::Json;
    use crate::suites::recommender::extract::lexicon::Lexicon;
    use crate::suites::recommender::record::read::read;
    use crate::suites::recommender::tables::outcome::judge;

    /// A dialogue with a shift, titles, constraints and a last message without reply, judged.
    fn judged(catalog: &Catalog, params: &Params) -> Box<Outcome> {
        let text = r#"{"experiment": "e", "case": "1", "conversation": [
            {"speaker": "USER", "text": "A drama with Sable?", "user_meta": {"constraints": {"genre": "drama"}}},
            {"speaker": "SYSTEM", "text": "A drama with Sable: “Later”, or “Titanic”."},
            {"speaker": "USER", "text": "Now a comedy, s'il vous plaît", "user_meta": {"constraints": {"genre": "comedy"},
             "focus_field": "genre", "focus_value": "comedy", "shift_event": true}},
            {"speaker": "SYSTEM", "text": "Émile, a drama"}, {"speaker": "USER", "text": "no"}]}"#;
        let json = Json::parse(text).expect("JSON");
        Box::new(judge(&read(&json, "").expect("a dialogue"), catalog, params))
    }

    fn lines(outcome: Box<Outcome>, catalog: &Catalog, params: &Params) -> [String; 3] {
        let mut buffers = vec![Lines { rows: b"old".to_vec(), ..Lines::default() }];
        write(&[outcome], catalog, params, &mut buffers);
        let Lines { rows, head, tail } = buffers.remove(0);
        [rows, head, tail].map(|bytes| String::from_utf8(bytes).expect("UTF-8"))
    }

    #[test]
    fn lines_are_the_same_after_waiting_on_disk() {
        let params = Params::default();
        let (catalog, _) = Catalog::builtin(&params, Lexicon::builtin()).expect("our own catalog");
        let outcome = judged(&catalog, &params);
        let packed = postcard::to_extend(&outcome, vec![]).expect("bytes");
        let again: Box<Outcome> = postcard::from_bytes(&packed).expect("an outcome");
        let [rows, head, tail] = lines(outcome, &catalog, &params);
        assert_eq!([rows.clone(), head.clone(), tail.clone()], lines(again, &catalog, &params));
        // By hand: in the first reply `drama` stands at 2, `Sable` at 13; the names of the fields and guards are the suite's.
        assert!(
            rows.contains(r#""system_hits":[["genre=drama",2,7,"drama","free"],["actor=sable",13,18,"Sable","cased"]"#)
        );
        assert!(
            head.starts_with(r#"{"experiment":"e","run":"1","case":"1","dialogue":"e/1/1","n_turns":3,"n_replied":2,"#)
        );
        assert!(tail.ends_with("]}}\n") && rows.ends_with("}\n"));
    }

    #[test]
    fn what_no_catalog_has_and_no_dialogue_is_like_is_noticed() {
        let params = Params::default();
        let (catalog, _) = Catalog::builtin(&params, Lexicon::builtin()).expect("our own catalog");
        let mut outcome = judged(&catalog, &params);
        let most = outcome.scores.turns.iter().flat_map(|turn| turn.system.iter().chain(&turn.user)).max();
        let most = *most.expect("some concepts") as usize;
        assert!(outcome.is_sound(catalog.concepts.len()) && outcome.is_sound(most + 1));
        assert!(!outcome.is_sound(most));
        outcome.summary.n_turns = u64::MAX;
        assert!(!outcome.is_sound(most + 1));
    }

    #[test]
    fn long_dialogues_are_written_alone() {
        let params = Params::default();
        let (catalog, _) = Catalog::builtin(&params, Lexicon::builtin()).expect("our own catalog");
        let of = |turns: u64| {
            let mut outcome = judged(&catalog, &params);
            outcome.summary.n_turns = turns;
            outcome
        };
        let some = |turns: &[u64]| {
            let all: Vec<Box<Outcome>> = turns.iter().map(|turns| of(*turns)).collect();
            together(all.iter().map(AsRef::as_ref))
        };
        assert_eq!([some(&[5000, 1]), some(&[1000, 24, 1]), some(&[3])], [1, 2, 1]);
    }
}
