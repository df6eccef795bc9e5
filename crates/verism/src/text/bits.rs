//! Sixty-four bytes at once: which of them are of a kind, as the bits of a number.
//!
//! Nobody can foresee where a word or a field ends. Bits spare the processor the guess at every byte.

use std::num::NonZeroU64;

use wide::u8x16;

/// How many bytes are looked at together.
pub(crate) const WIDTH: usize = 64;

/// Neighbouring bytes; bit n of an answer is about byte n.
#[derive(Clone, Copy)]
pub(crate) struct Bytes([u8x16; 4]);

impl Bytes {
    /// The bytes from `at` on, with zeros after the last.
    #[inline]
    pub(crate) fn at(text: &[u8], at: usize) -> Bytes {
        let rest = &text[at..];
        match rest.first_chunk::<WIDTH>() {
            Some(whole) => Bytes::new(whole),
            None => {
                let mut padded = [0; WIDTH];
                padded[..rest.len()].copy_from_slice(rest);
                Bytes::new(&padded)
            }
        }
    }

    #[inline]
    fn new(bytes: &[u8; WIDTH]) -> Bytes {
        let lane = |from: usize| u8x16::new(*bytes[from..].first_chunk().expect("sixteen bytes before the end"));
        Bytes([lane(0), lane(16), lane(32), lane(48)])
    }

    /// Bytes that are one of these.
    #[inline]
    pub(crate) fn one_of<const N: usize>(self, wanted: [u8; N]) -> u64 {
        self.bits(|lane| wanted.iter().fold(u8x16::ZERO, |found, &byte| found | lane.simd_eq(u8x16::splat(byte))))
    }

    /// Bytes from `first` to `last`.
    #[inline]
    pub(crate) fn between(self, first: u8, last: u8) -> u64 {
        self.bits(|lane| within(lane, first, last))
    }

    /// Letters and digits of ASCII.
    #[inline]
    pub(crate) fn alphanumeric(self) -> u64 {
        self.bits(|lane| within(lane | u8x16::splat(0x20), b'a', b'z') | within(lane, b'0', b'9'))
    }

    /// Bytes that a character starts with.
    #[inline]
    pub(crate) fn starts(self) -> u64 {
        !self.between(0x80, 0xbf)
    }

    #[inline]
    fn bits(self, kind: impl Fn(u8x16) -> u8x16) -> u64 {
        let part = |i: usize| u64::from(kind(self.0[i]).to_bitmask()) << (16 * i);
        part(0) | part(1) | part(2) | part(3)
    }
}

/// Which bytes are from `first` to `last`.
#[inline]
fn within(lane: u8x16, first: u8, last: u8) -> u8x16 {
    let distance = lane - u8x16::splat(first);
    distance.min(u8x16::splat(last - first)).simd_eq(distance)
}

/// Notes the places of the bits that are set, from the lowest on, counted from `from`, and gives their number.
#[inline]
pub(crate) fn note_places(mut bits: u64, from: u32, places: &mut [u32]) -> usize {
    let mut count = 0;
    while let Some(some) = NonZeroU64::new(bits) {
        places[count] = from + some.trailing_zeros();
        bits &= bits - 1;
        count += 1;
    }
    count
}

/// The place of the first byte of a kind from `at` on and before `end`; `end` if there is none.
#[inline]
pub(crate) fn first_of(text: &[u8], mut at: usize, end: usize, kind: impl Fn(Bytes) -> u64) -> usize {
    while at < end {
        let found = kind(Bytes::at(text, at));
        if found != 0 {
            return (at + found.trailing_zeros() as usize).min(end);
        }
        at += WIDTH;
    }
    end
}

/// The place of the first byte that ends a JSON text or stands in it as an escape: a quote, a backslash or a control
/// character; the length if there is none.
#[inline]
pub(crate) fn json_stop(bytes: &[u8]) -> usize {
    const LANE: usize = 16;
    let Some(last) = bytes.last_chunk::<LANE>() else { return json_stop_in_few(bytes) };
    let stops = |lane: u8x16| {
        let is = |byte: u8| lane.simd_eq(u8x16::splat(byte));
        (is(b'"') | is(b'\\') | within(lane, 0, b' ' - 1)).to_bitmask()
    };
    let mut at = 0;
    while let Some(lane) = bytes[at..].first_chunk::<LANE>() {
        let found = stops(u8x16::new(*lane));
        if found != 0 {
            return at + found.trailing_zeros() as usize;
        }
        at += LANE;
    }
    // The last sixteen, some of them for the second time.
    match stops(u8x16::new(*last)) {
        0 => bytes.len(),
        found => bytes.len() - LANE + found.trailing_zeros() as usize,
    }
}

/// The same for fewer than sixteen bytes: the first and the last eight, or four, which may share some.
fn json_stop_in_few(bytes: &[u8]) -> usize {
    let length = bytes.len();
    let place = |found: u64| found.trailing_zeros() as usize / 8;
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let [first, last] = [first, last].map(|eight| json_stops(u64::from_le_bytes(*eight)));
        return match (first, last) {
            (0, 0) => length,
            (0, last) => length - 8 + place(last),
            (first, _) => place(first),
        };
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let [first, last] = [first, last].map(|four| u64::from(u32::from_le_bytes(*four)));
        return match json_stops(first | last << 32) {
            0 => length,
            found if place(found) < 4 => place(found),
            found => length - 8 + place(found),
        };
    }
    let stops = |byte: &u8| *byte < b' ' || *byte == b'"' || *byte == b'\\';
    bytes.iter().position(stops).unwrap_or(length)
}

/// The high bit of each of eight bytes at which a JSON text stops; the lowest is right, higher ones may be wrong.
#[inline]
fn json_stops(eight: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // A byte that is zero after the wanted one is taken away, or below a space; borrows reach higher bytes only.
    let zero = |x: u64| x.wrapping_sub(ONES) & !x;
    let below = eight.wrapping_sub(ONES * u64::from(b' ')) & !eight;
    let without = |byte: u8| zero(eight ^ (ONES * u64::from(byte)));
    (without(b'"') | without(b'\\') | below) & HIGH
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_bit_tells_of_its_byte(text in prop::collection::vec(any::<u8>(), 0..150), at in 0_usize..150) {
            let at = at.min(text.len());
            let bytes = Bytes::at(&text, at);
            let expected = |kind: &dyn Fn(u8) -> bool| {
                let window = text[at..].iter().take(WIDTH).enumerate();
                window.fold(0_u64, |bits, (i, &byte)| bits | u64::from(kind(byte)) << i)
            };
            prop_assert_eq!(bytes.alphanumeric(), expected(&|byte| byte.is_ascii_alphanumeric()));
            prop_assert_eq!(bytes.between(0x7f, 0xc1), expected(&|byte| (0x7f..=0xc1).contains(&byte)));
            let window = (text.len() - at).min(WIDTH);
            let starts = bytes.starts() & u64::MAX.checked_shr(64 - window as u32).unwrap_or(0);
            prop_assert_eq!(starts, expected(&|byte| byte & 0xc0 != 0x80));
            prop_assert_eq!(bytes.one_of([b',', 0xff]), expected(&|byte| byte == b',' || byte == 0xff));
            let first = text[at..].iter().position(|byte| *byte == 7).map_or(text.len(), |place| at + place);
            prop_assert_eq!(first_of(&text, at, text.len(), |bytes| bytes.one_of([7])), first);
            let mut places = vec![0; WIDTH];
            let count = note_places(bytes.alphanumeric(), at as u32, &mut places);
            places.truncate(count);
            let expected = (at..text.len().min(at + WIDTH)).filter(|&i| text[i].is_ascii_alphanumeric());
            prop_assert_eq!(places, expected.map(|i| i as u32).collect::<Vec<_>>());
        }
    }

    #[test]
    fn texts_end_at_the_first_quote_wherever_it_stands() {
        for length in 0..40 {
            let plain = "é#!~\u{7f}\u{a0}".chars().cycle().take(length).collect::<String>();
            for (mark, ends) in [('"', true), ('\\', true), ('\u{1f}', true), ('\n', true), (' ', false), ('#', false)]
            {
                let text = format!("{plain}{mark}\"\\");
                let expected = if ends { plain.len() } else { plain.len() + 1 };
                assert_eq!(json_stop(text.as_bytes()), expected, "{text:?}");
            }
            assert_eq!(json_stop(plain.as_bytes()), plain.len());
        }
    }
}
