//! Records judged one by one, with nothing written: what scoring takes without rows, order and files.

use super::judge::{Scratch, judge};
use super::record::{Entry, read};
use super::setup::Setup;
use crate::error::{Defect, Result};
use crate::input::Limits;
use crate::input::value::Json;
use crate::suites::Options;

/// Judges records one by one and keeps nothing of them.
pub struct Judging {
    setup: Setup,
    scratch: Scratch,
}

impl Judging {
    /// Reads options and what they name.
    pub fn open(options: &Options) -> Result<Judging> {
        Ok(Judging { setup: Setup::open(options, Limits::default())?, scratch: Scratch::default() })
    }

    /// Reads a record and builds every measure of its answer with its evidence, as values; gives how many measures have
    /// one. A patient's record by itself has none, and an event does not know the records of scripts.
    pub fn judge(&mut self, line: &[u8]) -> Result<usize> {
        let json = simdutf8::basic::from_utf8(line).ok().and_then(Json::parse);
        let json = json.ok_or_else(|| Defect::new("bad_record", "one JSON object"))?;
        let Entry::Turn(turn) = read(&json, &self.setup.engine.pack)? else { return Ok(0) };
        let judgement = judge(&self.setup, &turn, turn.slots.as_deref(), &[], &mut self.scratch);
        // Nobody reads the evidence, but it is to be built all the same.
        let judgement = std::hint::black_box(judgement);
        Ok(judgement.measures.iter().filter(|(value, _)| value.is_ok()).count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_has_the_measures_that_its_rows_have() {
        let mut judging = Judging::open(&Options::default()).expect("the built-in pack");
        let mut count = |line: &str| judging.judge(line.as_bytes()).expect("a record");
        // answered and the aggregate's parts: without a record only ASS, where the turn has a profile.
        assert_eq!(count(r#"{"case":"a","turn":99,"answer":"x"}"#), 1);
        assert_eq!(count(r#"{"case":"a","turn":1,"answer":" "}"#), 1);
        // answered, SFS by weight and by count, six of CSP and the aggregate; no fact, so no share by kind.
        assert_eq!(count(r#"{"case":"a","turn":99,"answer":"x","slots_truth":{"age":67}}"#), 10);
        assert_eq!(count(r#"{"patient_id":"a","slots":{"age":67}}"#), 0);
        assert!(judging.judge(b"{").is_err());
    }
}
