//! Sixty-four bytes at once: which of them are of a kind, as the bits of a number.
//!
//! Where a word or a field ends cannot be predicted. With bits there is no branch at every byte to predict.

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

    /// Bytes that are a part of a character beyond ASCII.
    #[inline]
    pub(crate) fn beyond_ascii(self) -> u64 {
        self.bits(|lane| lane)
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

/// The places of all bytes of a kind, from left to right; zeros after the end must not be of it.
pub(crate) fn places(text: &[u8], kind: impl Fn(Bytes) -> u64) -> impl Iterator<Item = usize> {
    (0..text.len()).step_by(WIDTH).flat_map(move |block| {
        let mut bits = kind(Bytes::at(text, block));
        std::iter::from_fn(move || {
            let place = block + NonZeroU64::new(bits)?.trailing_zeros() as usize;
            bits &= bits - 1;
            Some(place)
        })
    })
}

/// Finds where runs of ASCII letters and digits end, from left to right.
pub(crate) struct Runs<'t> {
    text: &'t [u8],
    /// Where the bytes begin that were looked at last, and which of them are letters and digits.
    block: usize,
    bits: u64,
}

impl<'t> Runs<'t> {
    pub(crate) fn new(text: &'t [u8]) -> Runs<'t> {
        Runs { text, block: 0, bits: Bytes::at(text, 0).alphanumeric() }
    }

    /// The end of the run that begins at a place; the place itself if there is none.
    #[inline]
    pub(crate) fn end(&mut self, start: usize) -> usize {
        let mut at = start;
        loop {
            let block = at / WIDTH * WIDTH;
            if block >= self.text.len() {
                return at;
            }
            if block != self.block {
                (self.block, self.bits) = (block, Bytes::at(self.text, block).alphanumeric());
            }
            at += (self.bits >> (at - block)).trailing_ones() as usize;
            if at < block + WIDTH {
                return at;
            }
        }
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

/// Bytes that end a JSON text or stand in it as an escape.
const STOPS: [bool; 256] = {
    let mut stops = [false; 256];
    let mut control = 0;
    while control < b' ' {
        stops[control as usize] = true;
        control += 1;
    }
    stops[b'"' as usize] = true;
    stops[b'\\' as usize] = true;
    stops
};

/// The place of the first byte that ends a JSON text or stands in it as an escape: a quote, a backslash or a control
/// character; the length if there is none.
#[inline]
pub(crate) fn json_stop(bytes: &[u8]) -> usize {
    let (sixteens, rest) = bytes.as_chunks();
    for (number, sixteen) in sixteens.iter().enumerate() {
        let lane = u8x16::new(*sixteen);
        let marks = lane.simd_eq(u8x16::splat(b'"')) | lane.simd_eq(u8x16::splat(b'\\'));
        let control = lane.min(u8x16::splat(b' ' - 1)).simd_eq(lane);
        let found = (marks | control).to_bitmask();
        if found != 0 {
            return 16 * number + found.trailing_zeros() as usize;
        }
    }
    let stop = rest.iter().position(|byte| STOPS[usize::from(*byte)]);
    bytes.len() - rest.len() + stop.unwrap_or(rest.len())
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
            prop_assert_eq!(bytes.beyond_ascii(), expected(&|byte| !byte.is_ascii()));
            let all: Vec<usize> = super::places(&text, Bytes::beyond_ascii).collect();
            prop_assert_eq!(all, (0..text.len()).filter(|i| !text[*i].is_ascii()).collect::<Vec<_>>());
            let first = text[at..].iter().position(|byte| *byte == 7).map_or(text.len(), |place| at + place);
            prop_assert_eq!(first_of(&text, at, text.len(), |bytes| bytes.one_of([7])), first);
            let mut places = vec![0; WIDTH];
            let count = note_places(bytes.alphanumeric(), at as u32, &mut places);
            places.truncate(count);
            let expected = (at..text.len().min(at + WIDTH)).filter(|&i| text[i].is_ascii_alphanumeric());
            prop_assert_eq!(places, expected.map(|i| i as u32).collect::<Vec<_>>());
        }
    }

    proptest! {
        #[test]
        fn runs_end_where_something_else_begins(text in "[a-z0-9]{0,70}([ é]|[A-Z]{60,140}){0,6}") {
            let bytes = text.as_bytes();
            let mut runs = Runs::new(bytes);
            for start in 0..=bytes.len() {
                let run = bytes[start..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
                prop_assert_eq!(runs.end(start), start + run);
            }
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
