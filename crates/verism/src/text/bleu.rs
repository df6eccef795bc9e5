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
/// BLEU_n = BP · (Π_{k=1}^{n} p_k)^{1/n},  p_k = clipped_k / max(1, h - k + 1),  BP = 1 if h > r else exp(1 - r/h)
/// ```
/// h is the text's length, r that of the nearest reference. Without a shared word: 0. A p_k of zero is the smallest
/// normal number or, smoothed, 0.1 / max(1, h - k + 1). The product is one fraction, divided once: 3/4 · 2/3 equals
/// 1 · 1/2 to the last digit.
/// Source: Papineni et al., ACL 2002; edge cases as NLTK `sentence_bleu`; smoothing of Chen and Cherry, WMT 2014, method 1.
pub fn bleu(matches: &Matches, n: usize, smoothing: Smoothing) -> f64 {
    if matches.clipped[0] == 0 {
        return 0.0;
    }
    let (mut found, mut all, mut smallest) = (1.0, 1.0, 0.0);
    for (before, clipped) in matches.clipped[..n].iter().enumerate() {
        let grams = f64::from(matches.length.saturating_sub(before as u32).max(1));
        match (*clipped, smoothing) {
            (0, Smoothing::Smallest) => smallest += 1.0,
            (0, Smoothing::Method1) => all *= 10.0 * grams,
            (clipped, _) => (found, all) = (found * f64::from(clipped), all * grams),
        }
    }
    let (h, r) = (f64::from(matches.length), f64::from(matches.nearest_length));
    let brevity = if matches.length > matches.nearest_length { 1.0 } else { libm::exp(1.0 - r / h) };
    // The smallest number is no factor of the product: two of them would be 0.
    let log = libm::log(found / all) + smallest * libm::log(f64::MIN_POSITIVE);
    brevity * libm::exp(log / n as f64)
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

    /// 3/4 of the words and 2/3 of the pairs are √(1/2), so are all of three words and one of two pairs.
    #[test]
    fn equal_products_are_equal_scores() {
        let mut all: Vec<(u32, u32, f64)> = vec![];
        for length in 2..=12 {
            for (words, pairs) in (1..=length).flat_map(|words| (1..length).map(move |pairs| (words, pairs))) {
                let found = Matches { clipped: [words, pairs, 0, 0], length, nearest_length: length };
                let (clipped, grams) = (words * pairs, length * (length - 1));
                let score = bleu(&found, 2, Smoothing::Smallest);
                assert!((score - (f64::from(clipped) / f64::from(grams)).sqrt()).abs() < 1e-15);
                for (_, _, other) in all.iter().filter(|(c, g, _)| c * grams == clipped * g) {
                    assert_eq!(score.to_bits(), other.to_bits(), "{clipped}/{grams}");
                }
                all.push((clipped, grams, score));
            }
        }
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
