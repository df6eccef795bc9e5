//! Ambiguity and distinctiveness of a pun between two meanings.

use serde::{Deserialize, Serialize};

use crate::stats::sum::neumaier;
use crate::suites::humor::measures::found::{EMPTY_TEXT, Found, NO_CORPUS, Tried};
use crate::text::model::{ALPHA, Model, Token};

/// One word and how likely it is in the focus of each meaning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FocusRow {
    pub(crate) word: String,
    pub(crate) p: [f64; 2],
}

/// Evidence of `kao_ambiguity_bits`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Kao {
    pub(crate) meanings: [String; 2],
    pub(crate) posterior: [f64; 2],
    pub(crate) focus: Vec<FocusRow>,
    #[serde(skip)]
    pub(crate) distinctiveness: f64,
}

/// Entropy of the two meanings given the words, in bits; and how differently the meanings put words into focus.
///
/// ```math
/// P(m|w) ∝ (c(m) + 0.1) Π_i (½ + ½ e^{R(w_i,m)}),  R(w,m) = ln p(w,m) / (p(w) p(m)),  f_i = e^R / (1 + e^R)
/// ambiguity = H(P(m|w)),  distinctiveness = Σ_i KL(f_i1 ‖ f_i2) + KL(f_i2 ‖ f_i1)
/// ```
/// p from counts of neighbours with 0.1 added for each of T² pairs, T the words with neighbours. Words are the white
/// space tokens without the two meanings. Undefined: `no_corpus`, `empty_text`.
/// Source: Kao, Levy and Goodman, Cognitive Science 40 (2016).
pub(crate) fn kao(model: &Model, words: &[Token<'_>], meanings: &[String; 2]) -> Tried<Kao> {
    let (types, sum) = model.neighbour_totals();
    if types == 0 {
        return Err(NO_CORPUS);
    }
    let types = types as f64;
    let all = sum as f64 + ALPHA * types.powi(2);
    let body: Vec<Token<'_>> = words.iter().copied().filter(|word| !meanings.iter().any(|m| m == word.text)).collect();
    let both = [0, 1].map(|m| model.look_up(&meanings[m]));
    if body.is_empty() {
        return Err(EMPTY_TEXT);
    }
    let alone = |word: Token<'_>| (model.neighbour_count(word) as f64 + ALPHA * types) / all;
    let related = |word: Token<'_>, meaning: Token<'_>| {
        let joint = (model.neighbour_pair(word, meaning) as f64 + ALPHA) / all;
        pxfm::f_exp(pxfm::f_log(joint / (alone(word) * alone(meaning))))
    };
    let prior = [0, 1].map(|m| model.count(both[m]) as f64 + ALPHA);
    let of_meaning = |m: usize| -> (f64, Vec<f64>) {
        let ratios: Vec<f64> = body.iter().map(|word| related(*word, both[m])).collect();
        let log = pxfm::f_log(prior[m] / (prior[0] + prior[1]));
        let log = log + neumaier(ratios.iter().map(|x| pxfm::f_log(0.5 + 0.5 * x)));
        (log, ratios.iter().map(|x| x / (1.0 + x)).collect())
    };
    let [(log_a, focus_a), (log_b, focus_b)] = [0, 1].map(of_meaning);
    let top = log_a.max(log_b);
    let weights = [log_a, log_b].map(|log| pxfm::f_exp(log - top));
    let posterior = weights.map(|weight| weight / (weights[0] + weights[1]));
    let positive = posterior.into_iter().filter(|p| *p > 0.0);
    let value = neumaier(positive.map(|p| -p * pxfm::f_log2(p)));
    let distinctiveness = divergence(&focus_a, &focus_b) + divergence(&focus_b, &focus_a);
    let rows = body.iter().zip(focus_a.iter().zip(&focus_b));
    let focus = rows.map(|(word, (a, b))| FocusRow { word: word.text.to_string(), p: [*a, *b] }).collect();
    let evidence = Kao { meanings: meanings.clone(), posterior, focus, distinctiveness };
    Ok(Found { value, n: body.len() as u64, evidence })
}

/// Σ KL of Bernoulli variables, in nats.
fn divergence(a: &[f64], b: &[f64]) -> f64 {
    neumaier(a.iter().zip(b).map(|(x, y)| x * pxfm::f_log(x / y) + (1.0 - x) * pxfm::f_log((1.0 - x) / (1.0 - y))))
}
