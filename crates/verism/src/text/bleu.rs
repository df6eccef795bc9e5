//! BLEU of a text against references, and self-BLEU of many texts in time linear in their n-grams.

use super::ngrams::Grams;
use super::numbered::TokenTexts;

/// Largest order.
pub const ORDERS: usize = 4;

/// What stands for a precision of zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Smoothing {
    /// The smallest normal number.
    Smallest,
    /// 0.1 divided by the number of n-grams.
    Method1,
}

/// Matches of one text: for each order the clipped n-grams found in a reference, and the length that is nearest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Matches {
    /// Clipped matches of orders 1 to 4.
    pub clipped: [u32; ORDERS],
    /// Tokens of the text.
    pub length: u32,
    /// Tokens of the reference whose length is nearest, the shorter on a tie.
    pub nearest_length: u32,
}

/// BLEU of order n, uniform weights.
///
/// ```math
/// BLEU_n = BP · exp(Σ_{k=1}^{n} ln(p_k) / n),  p_k = clipped_k / max(1, h - k + 1),  BP = 1 if h > r else exp(1 - r/h)
/// ```
/// h is the text's length, r that of the nearest reference. Without a shared word: 0. A p_k of zero is the smallest
/// normal number or, smoothed, 0.1 / max(1, h - k + 1). The sum is rounded once, as NLTK rounds it.
/// Source: Papineni et al., ACL 2002; edge cases as NLTK `sentence_bleu`; smoothing of Chen and Cherry, WMT 2014, method 1.
pub fn bleu(matches: &Matches, n: usize, smoothing: Smoothing) -> f64 {
    if matches.clipped[0] == 0 {
        return 0.0;
    }
    let terms: Vec<f64> = (1..=n)
        .map(|k| {
            let all = (i64::from(matches.length) - k as i64 + 1).max(1) as f64;
            let p = match (matches.clipped[k - 1], smoothing) {
                (0, Smoothing::Smallest) => f64::MIN_POSITIVE,
                (0, Smoothing::Method1) => 0.1 / all,
                (found, _) => f64::from(found) / all,
            };
            1.0 / n as f64 * pxfm::f_log(p)
        })
        .collect();
    let (h, r) = (f64::from(matches.length), f64::from(matches.nearest_length));
    let brevity = if matches.length > matches.nearest_length { 1.0 } else { pxfm::f_exp(1.0 - r / h) };
    brevity * pxfm::f_exp(rounded_once(&terms))
}

/// The sum of a few numbers, rounded once.
///
/// Parts that do not overlap are kept exactly; source: J. R. Shewchuk, Discrete & Computational Geometry 18 (1997).
fn rounded_once(terms: &[f64]) -> f64 {
    let mut parts: Vec<f64> = vec![];
    for &term in terms {
        let mut x = term;
        let mut kept = 0;
        for i in 0..parts.len() {
            let (large, small) = if x.abs() < parts[i].abs() { (parts[i], x) } else { (x, parts[i]) };
            let high = large + small;
            let low = small - (high - large);
            if low != 0.0 {
                parts[kept] = low;
                kept += 1;
            }
            x = high;
        }
        parts.truncate(kept);
        parts.push(x);
    }
    let Some(mut sum) = parts.pop() else { return 0.0 };
    let mut low = 0.0;
    while let Some(part) = parts.pop() {
        let high = sum + part;
        low = part - (high - sum);
        sum = high;
        if low != 0.0 {
            break;
        }
    }
    // Half way between two numbers the parts still left decide.
    if let Some(&next) = parts.last()
        && low != 0.0
        && (low < 0.0) == (next < 0.0)
    {
        let twice = low * 2.0;
        let rounded = sum + twice;
        if twice == rounded - sum {
            sum = rounded;
        }
    }
    sum
}

/// Adds the clipped matches of one order: of each n-gram the two largest counts of a text tell every text the largest
/// count among the others.
pub fn add_matches(grams: &Grams<'_>, matches: &mut [Matches]) {
    let order = grams.order() - 1;
    grams.each(|group| {
        let (mut first, mut owner, mut second) = (0, 0, 0);
        for (text, count, _) in group.texts() {
            if count > first {
                (second, first, owner) = (first, count, text);
            } else {
                second = second.max(count);
            }
        }
        if second == 0 {
            return;
        }
        for (text, count, _) in group.texts() {
            let others = if text == owner { second } else { first };
            matches[text as usize].clipped[order] += count.min(others);
        }
    });
}

/// For each text its length and the nearest length among the other texts; at least two texts.
pub fn lengths(texts: &TokenTexts) -> Vec<Matches> {
    let lengths = texts.lengths();
    let mut sorted = lengths.clone();
    sorted.sort_unstable();
    let nearest = |h: u32| {
        let start = sorted.partition_point(|x| *x < h);
        let end = sorted.partition_point(|x| *x <= h);
        if end - start > 1 {
            return h;
        }
        let below = start.checked_sub(1).map(|i| sorted[i]);
        match (below, sorted.get(end)) {
            (Some(below), Some(&above)) if h - below <= above - h => below,
            (_, Some(&above)) => above,
            (Some(below), None) => below,
            (None, None) => h,
        }
    };
    let one = |&length: &u32| Matches { length, nearest_length: nearest(length), ..Matches::default() };
    lengths.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn matches(all: &[Vec<&str>]) -> Vec<Matches> {
        let mut texts = TokenTexts::default();
        all.iter().for_each(|text| texts.push(text.iter().copied()));
        let mut found = lengths(&texts);
        let mut grams = Grams::of(&texts);
        for _ in 0..ORDERS {
            add_matches(&grams, &mut found);
            grams = grams.longer();
        }
        found
    }

    #[test]
    fn two_texts_by_hand() {
        // `a b c d` and `a b c e`: p = 3/4, 2/3, 1/2, 0 for both; no brevity penalty at equal length: exp(1 - 1) = 1.
        let found = matches(&[vec!["a", "b", "c", "d"], vec!["a", "b", "c", "e"]]);
        assert_eq!(found[0].clipped, [3, 2, 1, 0]);
        assert!((bleu(&found[0], 1, Smoothing::Smallest) - 0.75).abs() < 1e-15);
        assert!((bleu(&found[0], 2, Smoothing::Smallest) - 0.5_f64.sqrt()).abs() < 1e-15);
        assert!((bleu(&found[0], 3, Smoothing::Smallest) - 0.25_f64.cbrt()).abs() < 1e-15);
        // Fourth root of 3/4 · 2/3 · 1/2 · 2.2250738585072014e-308 = 5.56268464626800e-309: 8.636e-78, and with method 1
        // of 3/4 · 2/3 · 1/2 · 0.1 = 0.025.
        let fourth = bleu(&found[0], 4, Smoothing::Smallest);
        assert!((fourth / (f64::MIN_POSITIVE.sqrt() * 0.5).sqrt() - 1.0).abs() < 1e-12, "{fourth}");
        assert!((bleu(&found[0], 4, Smoothing::Method1) - 0.025_f64.sqrt().sqrt()).abs() < 1e-15);
    }

    #[test]
    fn short_texts_pay_and_nothing_shared_is_zero() {
        // `a b` against `a b c d e`: precisions 1, brevity exp(1 - 5/2).
        let found = matches(&[vec!["a", "b"], vec!["a", "b", "c", "d", "e"], vec![]]);
        assert!((bleu(&found[0], 1, Smoothing::Smallest) - 1.0).abs() < 1e-15, "the empty text is the nearest");
        let found = matches(&[vec!["a", "b"], vec!["a", "b", "c", "d", "e"]]);
        assert!((bleu(&found[0], 1, Smoothing::Smallest) - (-1.5_f64).exp()).abs() < 1e-15);
        assert_eq!(bleu(&matches(&[vec!["x"], vec!["y"]])[0], 4, Smoothing::Method1), 0.0);
    }

    /// Texts that are ranked by it would else stand in another order than NLTK's.
    #[test]
    fn the_last_digit_is_that_of_nltk() {
        // NLTK 3.10.4 on CPython 3.11, sentence_bleu([one], other, (.5, .5)).
        let cases = [
            ("a b x x x x", "a b y y y y", 0.25819888974716115),
            ("a x b c d e", "a y b c d e", std::f64::consts::FRAC_1_SQRT_2),
            ("a b x x x x x", "a b y y y y y", 0.2182178902359924),
            ("a b c d e x x", "a b c d e y y", 0.6900655593423543),
            ("a x b y c d e f", "a v b w c d e f", 0.5669467095138409),
        ];
        for (one, other, nltk) in cases {
            let found = matches(&[one.split(' ').collect(), other.split(' ').collect()]);
            assert_eq!(bleu(&found[1], 2, Smoothing::Smallest), nltk, "{other}");
        }
    }

    #[test]
    fn the_sum_is_rounded_once() {
        assert_eq!(rounded_once(&[1e100, 1.0, -1e100]), 1.0);
        assert_eq!(rounded_once(&[]), 0.0);
        // Ten times the double nearest 0.1, exact sum 1.000000000000000055511151231257827, rounds to 1.
        assert_eq!(rounded_once(&[0.1; 10]), 1.0);
    }

    proptest! {
        #[test]
        fn the_two_largest_counts_tell_what_all_references_do(
            all in prop::collection::vec(prop::collection::vec("[ab]", 0..7), 2..7)
        ) {
            let all: Vec<Vec<&str>> = all.iter().map(|text| text.iter().map(String::as_str).collect()).collect();
            let count = |text: &[&str], gram: &[&str]| text.windows(gram.len()).filter(|w| *w == gram).count();
            for (i, found) in matches(&all).iter().enumerate() {
                for n in 1..=ORDERS {
                    let mut kinds: Vec<&[&str]> = all[i].windows(n).collect();
                    kinds.sort();
                    kinds.dedup();
                    let clip = |gram: &&[&str]| {
                        let others = all.iter().enumerate().filter(|(j, _)| *j != i);
                        count(&all[i], gram).min(others.map(|(_, text)| count(text, gram)).max().unwrap_or(0))
                    };
                    prop_assert_eq!(found.clipped[n - 1], kinds.iter().map(clip).sum::<usize>() as u32);
                }
                let h = all[i].len();
                let others = all.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, text)| text.len());
                let nearest = others.min_by_key(|r| (r.abs_diff(h), *r));
                prop_assert_eq!(Some(found.nearest_length as usize), nearest);
            }
        }
    }
}
