//! Dialogues with their scores and labels side by side.

use std::collections::BTreeMap;

use super::file::{Dialogues, LabelRow, Read};
use super::validity::{Pair, TURN_METRICS};
use crate::error::Defect;
use crate::stats::sum::mean;
use crate::suites::recommender::facts::DIALOGUE_METRICS;
use crate::suites::recommender::record::dialogue::{Notes, Rater, note};
use crate::suites::records::Key;

/// Labels by who gave them and what they are about; several raters give several values.
pub(crate) type Labels = BTreeMap<(Rater, String), Vec<f64>>;

/// What is kept of a dialogue where labels are asked for.
#[derive(Debug)]
pub(crate) struct Labelled {
    pub(crate) key: Key,
    /// How many turns it has.
    pub(crate) turns: u64,
    /// Its measures in the order of [`DIALOGUE_METRICS`].
    pub(crate) values: Vec<Option<f64>>,
    /// CC, CR, I, TAS of its turns.
    pub(crate) turn_values: Vec<[Option<f64>; 4]>,
    pub(crate) labels: Labels,
    pub(crate) turn_labels: BTreeMap<usize, Labels>,
}

/// The scores of a judge that count; others are left out, never clipped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl Range {
    fn holds(self, rater: Rater, value: f64) -> bool {
        rater == Rater::Human || (self.least..=self.most).contains(&value)
    }

    /// How many labels are out of range.
    fn left_out(self, labels: &Labels) -> u64 {
        let strange = |((rater, _), values): (&(Rater, String), &Vec<f64>)| {
            values.iter().filter(|value| !self.holds(*rater, **value)).count() as u64
        };
        labels.iter().map(strange).sum()
    }

    /// The mean of each label over its raters; none if all of them are out of range.
    pub(crate) fn means(self, labels: &Labels) -> impl Iterator<Item = (Rater, &str, Option<f64>)> {
        labels.iter().map(move |((rater, aspect), values)| {
            let good: Vec<f64> = values.iter().copied().filter(|value| self.holds(*rater, *value)).collect();
            (*rater, aspect.as_str(), mean(&good))
        })
    }
}

impl Labelled {
    /// How many scores of judges are out of range, of the dialogue and of its turns.
    pub(crate) fn out_of_range(&self, range: Range) -> u64 {
        range.left_out(&self.labels) + self.turn_labels.values().map(|labels| range.left_out(labels)).sum::<u64>()
    }

    /// Appends every metric beside every label.
    pub(crate) fn push_pairs<'l>(&'l self, metrics: &'l [String], range: Range, pairs: &mut Vec<Pair<'l>>) {
        let pair = |level, metric, rater: Rater, aspect, value, label| Pair {
            level,
            metric,
            source: rater.name(),
            aspect,
            experiment: &self.key.experiment,
            case: &self.key.case,
            value,
            label,
        };
        for (rater, aspect, label) in range.means(&self.labels) {
            for metric in metrics {
                let place = DIALOGUE_METRICS.iter().position(|known| known == metric);
                let value = place.and_then(|place| self.values[place]);
                pairs.push(pair("dialogue", metric.as_str(), rater, aspect, value, label));
            }
        }
        for (turn, labels) in &self.turn_labels {
            for (rater, aspect, label) in range.means(labels).filter(|(_, _, label)| label.is_some()) {
                for metric in metrics {
                    let Some(place) = TURN_METRICS.iter().position(|known| known == metric) else { continue };
                    let value = self.turn_values.get(turn - 1).and_then(|values| values[place]);
                    pairs.push(pair("turn", metric.as_str(), rater, aspect, value, label));
                }
            }
        }
    }
}

/// Gives the labels of a file to their dialogues; bad rows come back, the first of them alone unless `lenient`.
pub(crate) fn attach(rows: &[LabelRow], all: &mut [Labelled], lenient: bool, notes: &mut Notes) -> Vec<Defect> {
    let mut bad = vec![];
    let mut found = vec![];
    let dialogues = Dialogues::new(all.iter().map(|one| (&one.key, one.turns)));
    for row in rows {
        match dialogues.read(row) {
            Ok(Read::Label(label)) => found.push(label),
            Ok(Read::Undefined) => note(notes, "label_undefined"),
            Ok(Read::WithoutDialogue) => note(notes, "label_without_dialogue"),
            Err(defect) => bad.push(defect),
        }
        if !lenient && !bad.is_empty() {
            return bad;
        }
    }
    drop(dialogues);
    for label in found {
        let one = &mut all[label.dialogue];
        let labels = match label.turn {
            None => &mut one.labels,
            Some(turn) => one.turn_labels.entry(turn).or_default(),
        };
        labels.entry((label.rater, label.aspect)).or_default().push(label.value);
    }
    bad
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_out_of_range_are_left_out_and_counted() {
        let labels = BTreeMap::from([
            ((Rater::Judge, "fun".to_string()), vec![9.0, 4.0, 2.0]),
            ((Rater::Judge, "care".to_string()), vec![0.0]),
            ((Rater::Human, "fun".to_string()), vec![9.0]),
        ]);
        let range = Range { least: 1.0, most: 5.0 };
        let means: Vec<_> = range.means(&labels).collect();
        let expected =
            [(Rater::Human, "fun", Some(9.0)), (Rater::Judge, "care", None), (Rater::Judge, "fun", Some(3.0))];
        assert_eq!((means, range.left_out(&labels)), (expected.to_vec(), 2));
    }
}
