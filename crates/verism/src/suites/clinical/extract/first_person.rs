//! What a patient says of herself in a question.

use super::analysis::{Analysis, Blanked};
use super::chain::FurtherGapWords;
use super::engine::Engine;
use super::mention::{Mention, MentionSpan};
use crate::suites::clinical::text::letters::trim;
use crate::suites::clinical::text::list::{Class, List};

impl Analysis {
    /// Whether the speaker claims a drug or condition for herself: "I take X", "저는 X를 먹고 …", not in a question.
    pub(crate) fn first_person(&self, engine: &Engine, mention: &Mention<'_>) -> bool {
        if !mention.may_be_own() {
            return false;
        }
        let Some(place) = MentionSpan::of(self, mention.start, mention.end) else { return false };
        let text = self.text();
        let from = self.chain_back(place.start, place.segment_start);
        let english = self.hits.ending(List::FirstEn, from, place.start).iter().any(|hit| {
            let (start, end) = hit.span();
            let asks = |word: &str| engine.first_not.contains(trim(word));
            start >= place.segment_start
                && self.chain_gap(engine, end, place.start, Blanked::Names, FurtherGapWords::Nothing)
                && !text[place.segment_start..start].split_ascii_whitespace().next_back().is_some_and(asks)
        });
        if english {
            return true;
        }
        let korean = self.hits.starting(List::FirstKo, place.segment_start, place.start);
        let speaks = korean.iter().any(|hit| hit.end as usize <= place.start);
        let sentence = text[place.segment_start..place.segment_end].trim_end_matches(['"', '\'', ')', ']']);
        let condition = || {
            self.hits.starting(List::KoPred, place.end, place.segment_end).iter().any(|hit| {
                let class = engine.cue(List::KoPred, hit.place).class;
                let (start, end) = hit.span();
                class == Class::HypoCond && end <= place.segment_end && !place.cancels(self, class, start, end)
            })
        };
        speaks && !sentence.ends_with('?') && !condition()
    }
}
