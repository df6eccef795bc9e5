//! How alike the companies of words are: all pairs of two sides at once.

use std::ops::Range;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};

use super::bytes::Column;
use super::layout::Section;
use super::near_tables::{NearTables, Row, Spread};
use super::neighbours::remembered;
use super::{Model, Token};

/// Neighbours that two words must have for their similarity to be remembered: of fewer it is computed as quickly.
const WORTHWHILE: usize = 128;
/// Pairs that are remembered in one set of buffers.
const PAIRS: usize = 1 << 15;
/// Neighbours that are laid out and taken out again in the time that it takes to search for one.
const WALKED: usize = 8;
/// Pairs that are looked at together, so that long texts take no more memory than short ones.
const TOGETHER: usize = 1 << 16;

/// What similarities are computed with. Whoever computes some borrows a set of buffers, so that threads do not wait for each other.
#[derive(Default)]
struct PairBuffers {
    /// Bits of two numbers of words, and of their similarity: a place holds the last of the pairs that fall on it.
    pairs: Vec<[u64; 2]>,
    /// Empty but while one word is at hand.
    spread: Spread,
}

/// What similarities rest on, beside the file.
#[derive(Default)]
pub(super) struct Likeness {
    spare: Mutex<Vec<PairBuffers>>,
    /// Bits of the length of each word's vector, if it was computed before.
    pub(super) lengths: Vec<AtomicU64>,
    tables: NearTables,
}

/// A word that is compared.
struct Compared<'t> {
    token: Token<'t>,
    /// Its number, which is asked for only if it has neighbours.
    place: u32,
    /// Entries of its neighbours; none of a word that has none.
    near: Range<usize>,
}

impl Compared<'_> {
    /// Whether two are the same word, known or not.
    fn is(&self, other: &Compared<'_>) -> bool {
        match (self.token.place, other.token.place) {
            (None, None) => self.token.text == other.token.text,
            (one, another) => one == another,
        }
    }
}

impl Likeness {
    pub(super) fn over(model: &Model) -> Likeness {
        let near: Vec<usize> = model.rows(Section::NearRows).map(|near| near.len()).collect();
        Likeness {
            lengths: near.iter().map(|_| AtomicU64::new(u64::MAX)).collect(),
            tables: NearTables::over(&near),
            ..Likeness::default()
        }
    }

    fn spare_buffers(&self) -> std::sync::MutexGuard<'_, Vec<PairBuffers>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PairBuffers {
    /// The place of a pair of different words, and how it is known there.
    fn place(&mut self, a: u32, b: u32) -> (u64, &mut [u64; 2]) {
        if self.pairs.is_empty() {
            // No pair is one word twice, so none is known as 0.
            self.pairs = vec![[0; 2]; PAIRS];
        }
        let pair = u64::from(a.min(b)) << 32 | u64::from(a.max(b));
        (pair, &mut self.pairs[(pair.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - PAIRS.ilog2())) as usize])
    }
}

impl Model {
    /// How alike the companies of words on two sides are: hands on, for each of `words`, its similarities to all of `others`.
    ///
    /// ```math
    /// cos(a, b) = Σ_x C(a,x) C(b,x) / (√Σ_x C(a,x)² · √Σ_x C(b,x)²)
    /// ```
    /// 1 for the same word, known or not; 0 if one of them has no neighbours. The three sums are whole numbers.
    pub fn similarities<'t>(
        &self,
        words: &[Token<'t>],
        others: &[Token<'_>],
        mut take: impl FnMut(&Token<'t>, &[f64]),
    ) {
        if others.is_empty() {
            return words.iter().for_each(|word| take(word, &[]));
        }
        let taken = self.likeness.spare_buffers().pop();
        let mut buffers = taken.unwrap_or_default();
        let others: Vec<Compared<'_>> = others.iter().map(|word| self.compared(*word)).collect();
        for words in words.chunks((TOGETHER / others.len()).max(1)) {
            let words: Vec<Compared<'t>> = words.iter().map(|word| self.compared(*word)).collect();
            let found = self.similarities_of_some(&mut buffers, &words, &others);
            words.iter().zip(found.chunks(others.len())).for_each(|(word, similar)| take(&word.token, similar));
        }
        self.likeness.spare_buffers().push(buffers);
    }

    fn compared<'t>(&self, token: Token<'t>) -> Compared<'t> {
        let near = token.place.map_or(0..0, |place| self.near(place));
        Compared { token, place: token.place.unwrap_or(0), near }
    }

    /// The similarities of words to others, row by row.
    fn similarities_of_some(
        &self,
        buffers: &mut PairBuffers,
        words: &[Compared<'_>],
        others: &[Compared<'_>],
    ) -> Vec<f64> {
        let mut found = vec![0.0; words.len() * others.len()];
        let mut open = vec![];
        // Each pair once, with the word that has more neighbours.
        for (j, long) in others.iter().enumerate() {
            let short = words.iter().enumerate().filter(|(_, word)| word.near.len() <= long.near.len());
            let pairs = short.map(|(i, word)| (i * others.len() + j, word));
            self.compare(buffers, long, pairs, (&mut open, &mut found));
        }
        for (i, long) in words.iter().enumerate() {
            let short = others.iter().enumerate().filter(|(_, other)| other.near.len() < long.near.len());
            let pairs = short.map(|(j, other)| (i * others.len() + j, other));
            self.compare(buffers, long, pairs, (&mut open, &mut found));
        }
        found
    }

    /// The similarities of a word to others that have no more neighbours than it, each with the place where it belongs.
    fn compare<'c, 't: 'c>(
        &self,
        buffers: &mut PairBuffers,
        long: &Compared<'_>,
        pairs: impl Iterator<Item = (usize, &'c Compared<'t>)>,
        (open, found): (&mut Vec<(usize, &'c Compared<'t>)>, &mut [f64]),
    ) {
        open.clear();
        for (place, short) in pairs {
            if short.is(long) {
                found[place] = 1.0;
            } else if short.near.is_empty() {
                continue;
            } else if short.near.len() >= WORTHWHILE
                && let (pair, [known, bits]) = buffers.place(long.place, short.place)
                && *known == pair
            {
                found[place] = f64::from_bits(*bits);
            } else {
                open.push((place, short));
            }
        }
        if open.is_empty() {
            return;
        }
        let length = self.vector_length(long.place);
        self.products(&mut buffers.spread, long, open, |place, short, product| {
            // Of small numbers the same, and sooner.
            let product = u64::try_from(product).map_or(product as f64, |product| product as f64);
            found[place] = product / (length * self.vector_length(short.place));
        });
        for (place, short) in open.iter().filter(|(_, short)| short.near.len() >= WORTHWHILE) {
            let (pair, known) = buffers.place(long.place, short.place);
            *known = [pair, found[*place].to_bits()];
        }
    }

    /// Hands on the inner products of a word with others that have no more neighbours.
    fn products<'c, 't>(
        &self,
        spread: &mut Spread,
        long: &Compared<'_>,
        pairs: &[(usize, &'c Compared<'t>)],
        mut take: impl FnMut(usize, &'c Compared<'t>, u128),
    ) {
        let (words, counts) = (self.small(Section::NearWords), self.column(Section::NearCounts));
        let plain = |short: &Compared<'_>| product(words, counts, short.near.clone(), long.near.clone());
        let Column::Narrow(narrow) = counts else {
            return pairs.iter().for_each(|(place, short)| take(*place, short, plain(short)));
        };
        let row = |range: &Range<usize>| Row { words: &words[range.clone()], counts: &narrow[range.clone()] };
        let asked: usize = pairs.iter().map(|(_, short)| short.near.len()).sum();
        if let Some(shared) = self.likeness.tables.get(long.place, row(&long.near)) {
            pairs.iter().for_each(|(place, short)| take(*place, short, shared.product(row(&short.near))));
        } else if asked < long.near.len() / WALKED {
            // To lay the neighbours out would take longer than to search them.
            pairs.iter().for_each(|(place, short)| take(*place, short, plain(short)));
        } else {
            spread.fill(row(&long.near), self.words());
            pairs.iter().for_each(|(place, short)| take(*place, short, spread.product(row(&short.near))));
            spread.clear(row(&long.near));
        }
    }

    /// The entries of a word's neighbours.
    fn near(&self, word: u32) -> Range<usize> {
        self.row(Section::NearRows, word as usize)
    }

    fn vector_length(&self, word: u32) -> f64 {
        remembered(&self.likeness.lengths[word as usize], || {
            let counts = self.column(Section::NearCounts);
            let square = |count: u64| u128::from(count) * u128::from(count);
            (self.near(word).map(|place| square(counts.get(place))).fold(0, u128::saturating_add) as f64).sqrt()
        })
    }
}

/// The inner product of two rows of counts.
fn product(words: &[u32], counts: Column<'_>, short: Range<usize>, long: Range<usize>) -> u128 {
    let mut sum = 0_u128;
    let mut at = long.start;
    let far = long.len() / short.len().max(1) > 8;
    for place in short {
        let word = u32::from_le(words[place]);
        if far {
            at += words[at..long.end].partition_point(|other| u32::from_le(*other) < word);
        } else {
            while at < long.end && u32::from_le(words[at]) < word {
                at += 1;
            }
        }
        if at == long.end {
            break;
        }
        if u32::from_le(words[at]) == word {
            sum = sum.saturating_add(u128::from(counts.get(place)) * u128::from(counts.get(at)));
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::super::{CardType, Counts, Reading};
    use super::*;
    use crate::text::tokens::{Blanks, Tokenizer};

    fn model(texts: impl Iterator<Item = String>, weight: u64) -> Model {
        let mut counts = Counts::new(Reading { tokens: Tokenizer::Words, blanks: Blanks::Joined }, weight);
        texts.for_each(|text| counts.add(CardType::White, &text));
        Model::from_bytes(&counts.finish().to_bytes().expect("small")).expect("a model")
    }

    /// All similarities, row by row.
    fn all(model: &Model, words: &[Token<'_>], others: &[Token<'_>]) -> Vec<f64> {
        let mut found = vec![];
        model.similarities(words, others, |_, similar| found.extend_from_slice(similar));
        found
    }

    #[test]
    fn many_pairs_are_looked_at_in_parts() {
        let model = model((0..400).map(|i| format!("w{i} w{} w{} the", i / 2, i * 7 % 400)), 1);
        let names: Vec<String> = (0..400).map(|i| format!("w{i}")).collect();
        let words: Vec<Token<'_>> = names.iter().map(|name| model.look_up(name)).collect();
        assert!(words.len() * words.len() > 2 * TOGETHER);
        let mut rows = 0;
        model.similarities(&words, &words, |word, similar| {
            assert_eq!((word, similar.len()), (&words[rows], words.len()));
            assert_eq!(similar, all(&model, &[*word], &words));
            rows += 1;
        });
        assert_eq!(rows, words.len());
        model.similarities(&words, &[], |_, similar| assert!(similar.is_empty()));
    }

    #[test]
    fn sun_moon_and_star_by_hand() {
        // `sun moon sun` and `moon star`: sun {moon 2, sun 2}, moon {sun 2, star 1}, star {moon 1}.
        let model = model(["sun moon sun", "moon star"].map(String::from).into_iter(), 1);
        let [sun, moon, comet] = ["sun", "moon", "comet"].map(|word| model.look_up(word));
        let close = 4.0 / (8.0_f64.sqrt() * 5.0_f64.sqrt());
        let found = all(&model, &[sun, comet], &[moon, sun, comet]);
        assert!((found[0] - close).abs() < 1e-15 && (all(&model, &[moon], &[sun])[0] - close).abs() < 1e-15);
        assert_eq!(found[1..], [1.0, 0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn every_way_to_compute_gives_the_same() {
        // Words with neighbours enough for a shared layout, for one of their own, and for none; counts beyond a byte, and,
        // by the weight, beyond four bytes.
        let texts = || {
            let some = (0..300)
                .flat_map(|i| [format!("the w{i} of w{} a", i * 7 % 50), format!("w8 x{} x{}", i % 40, i % 50)]);
            some.chain((0..4000).map(|i| format!("y{i}")))
        };
        let words = ["the", "of", "a", "w3", "w4", "w8", "x3", "x45", "y7", "never"];
        let mut by_weight = vec![];
        for weight in [1, 1 << 33] {
            let model = model(texts(), weight);
            let tokens: Vec<Token<'_>> = words.iter().map(|word| model.look_up(word)).collect();
            let known = |token: &Token<'_>| token.place.filter(|place| !model.near(*place).is_empty());
            let (rows, counts) = (model.small(Section::NearWords), model.column(Section::NearCounts));
            let plain = |a: &Token<'_>, b: &Token<'_>| match (known(a), known(b)) {
                _ if a.text == b.text => 1.0,
                (Some(a), Some(b)) => {
                    let product = product(rows, counts, model.near(a), model.near(b)) as f64;
                    product / (model.vector_length(a) * model.vector_length(b))
                }
                _ => 0.0,
            };
            let expected: Vec<f64> = tokens.iter().flat_map(|a| tokens.iter().map(|b| plain(a, b))).collect();
            assert_eq!(all(&model, &tokens, &tokens), expected);
            assert_eq!(all(&model, &tokens, &tokens), expected, "from memory");
            let one_by_one = tokens.iter().flat_map(|a| tokens.iter().flat_map(|b| all(&model, &[*a], &[*b])));
            assert_eq!(one_by_one.collect::<Vec<_>>(), expected);
            by_weight.push(expected);
        }
        let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-12;
        assert!(by_weight[0].iter().zip(&by_weight[1]).all(close), "the weight changes no angle");
    }
}
