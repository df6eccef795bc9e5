//! The comparisons that rules name, corrected together and for nothing else.

use super::view::{PairLine, View};
use crate::compare::options::Family;
use crate::compare::options::words::{ADJUSTS, FAMILIES, choice};
use crate::stats::adjust::{Method, adjust};
use crate::stats::verdict::{Direction, Evidence, Verdict, decide};

/// The comparisons that rules name, each once.
#[derive(Default)]
pub(super) struct NamedPairs {
    pairs: Vec<PairLine>,
    /// How many of them have a p-value.
    pub(super) tests: usize,
}

impl NamedPairs {
    /// Adds a comparison unless it is here, in whichever order of its experiments.
    pub(super) fn add(&mut self, pair: PairLine) {
        if self.find(&pair).is_none() {
            self.pairs.push(pair);
        }
    }

    /// Gives a comparison as it was corrected, in the order of experiments asked for.
    pub(super) fn find(&self, wanted: &PairLine) -> Option<PairLine> {
        let same = |pair: &&PairLine| {
            pair.name == wanted.name && pair.baseline == wanted.baseline && pair.experiment == wanted.experiment
        };
        let exchanged = wanted.exchanged();
        let turned = |pair: &&PairLine| {
            pair.name == exchanged.name
                && pair.baseline == exchanged.baseline
                && pair.experiment == exchanged.experiment
        };
        let found = self.pairs.iter().find(same).cloned();
        found.or_else(|| self.pairs.iter().find(turned).map(PairLine::exchanged))
    }

    /// Corrects the p-values and gives verdicts, as the options of the comparison say.
    pub(super) fn conclude(&mut self, view: &View) {
        let alpha = view.alpha();
        let (method, family) = correction(view);
        let key = |pair: &PairLine| match family {
            Family::All => String::new(),
            Family::Metric => pair.name.full(),
            Family::Pair => {
                let (a, b) = (&pair.baseline, &pair.experiment);
                if a < b { format!("{a}\u{1f}{b}") } else { format!("{b}\u{1f}{a}") }
            }
        };
        let keys: Vec<String> = self.pairs.iter().map(key).collect();
        self.tests = self.pairs.iter().filter(|pair| pair.log10_p.is_some()).count();
        for at in 0..self.pairs.len() {
            let members: Vec<usize> = (0..keys.len()).filter(|i| keys[*i] == keys[at]).collect();
            let p: Vec<Option<f64>> = members.iter().map(|i| self.pairs[*i].p).collect();
            let log10_p: Vec<Option<f64>> = members.iter().map(|i| self.pairs[*i].log10_p).collect();
            let adjusted = adjust(&p, &log10_p, method);
            let own = members.iter().position(|i| *i == at).unwrap_or_default();
            let pair = &mut self.pairs[at];
            (pair.p_adj, pair.log10_p_adj) = (adjusted.p_adj[own], adjusted.log10_p_adj[own]);
            pair.verdict = verdict(pair, alpha);
        }
    }
}

/// The correction that the signature names.
fn correction(view: &View) -> (Method, Family) {
    let (method, family) = view.option("adj").and_then(|adj| adj.split_once('/')).unwrap_or(("holm", "all"));
    let method = choice("adjust", method, ADJUSTS).unwrap_or(Method::Holm);
    (method, choice("family", family, FAMILIES).unwrap_or(Family::All))
}

fn verdict(pair: &PairLine, alpha: f64) -> String {
    let decision = decide(&Evidence {
        diff: pair.diff,
        interval: pair.ci.lo.zip(pair.ci.hi),
        // A p-value below 1e-300 is as small as the decision needs.
        p_adj: pair.p_adj.or(pair.log10_p_adj.map(|_| 0.0)),
        sesoi: 0.0,
        equivalent: None,
        direction: match pair.direction.as_str() {
            "lower" => Direction::Lower,
            "none" => Direction::None,
            _ => Direction::Higher,
        },
        alpha,
        // Without an interval nothing is decided.
        reason: None,
    });
    let verdict = if pair.could_turn() { Verdict::Inconclusive } else { decision.verdict };
    crate::compare::show::verdict_word(verdict).to_string()
}
