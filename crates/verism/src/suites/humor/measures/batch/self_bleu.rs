//! Self-BLEU: how much of each text stands in the others.

use serde::{Deserialize, Serialize};

use crate::stats::sum::neumaier;
use crate::suites::humor::measures::found::{EMPTY_TEXT, Outcome};
use crate::text::bleu::{Matches, Smoothing, bleu};
use crate::text::numbered::TokenTexts;
use crate::text::shared_runs::SharedRun;

/// One text whose words stand elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Highest {
    pub(crate) id: String,
    pub(crate) bleu: f64,
    pub(crate) nearest: Option<String>,
    pub(crate) shared: Option<String>,
}

/// Evidence of `self_bleu_n`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SelfBleu {
    pub(crate) texts: u64,
    pub(crate) skipped: u64,
    pub(crate) highest: Vec<Highest>,
}

/// Texts that the evidence lists.
const LISTED: usize = 5;

/// Mean BLEU-n of each text with tokens against all other texts.
///
/// ```math
/// self_bleu_n = mean over texts i with tokens of BLEU_n(i | all others)
/// ```
/// BLEU as in [`bleu`]; empty texts are references too. Fewer than two texts: 0 by convention. No text with tokens:
/// undefined `empty_text`. Source: Zhu et al., SIGIR 2018.
pub(crate) fn self_bleu(
    n: usize,
    smoothing: Smoothing,
    (texts, ids): (&TokenTexts, &[String]),
    matches: &[Matches],
    runs: &[Option<SharedRun>],
) -> Outcome {
    if texts.len() < 2 {
        return Outcome::stated(0.0, texts.len() as u64, "fewer_than_two_texts");
    }
    let with_tokens = matches.iter().enumerate().filter(|(_, found)| found.length > 0);
    let mut scores: Vec<(usize, f64)> = with_tokens.map(|(i, found)| (i, bleu(found, n, smoothing))).collect();
    if scores.is_empty() {
        return Outcome::undefined(EMPTY_TEXT);
    }
    let count = scores.len();
    let value = neumaier(scores.iter().map(|(_, bleu)| *bleu)) / count as f64;
    let order = |a: &(usize, f64), b: &(usize, f64)| b.1.total_cmp(&a.1).then_with(|| ids[a.0].cmp(&ids[b.0]));
    if scores.len() > LISTED {
        scores.select_nth_unstable_by(LISTED - 1, order);
        scores.truncate(LISTED);
    }
    scores.sort_by(order);
    let highest = scores.iter().map(|&(i, bleu)| Highest {
        id: ids[i].clone(),
        bleu,
        nearest: runs[i].map(|run| ids[run.other as usize].clone()),
        shared: runs[i].map(|run| texts.joined(run.at, run.length as usize)),
    });
    let evidence =
        SelfBleu { texts: texts.len() as u64, skipped: (texts.len() - count) as u64, highest: highest.collect() };
    Outcome::value(value, count as u64, &evidence)
}
