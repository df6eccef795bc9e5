//! Texts of a few bytes, of which there are many: looked at and copied at once instead of byte by byte.

use wide::u8x16;

/// Up to sixteen bytes.
#[derive(Clone, Copy)]
pub(super) struct Few {
    /// The first byte is the lowest; zeros after the last.
    bytes: u128,
    length: usize,
}

impl Few {
    /// A text of at most sixteen bytes.
    #[inline]
    pub(super) fn of(text: &[u8]) -> Option<Few> {
        let length = text.len();
        // Two pieces that may overlap: there both have the same bits.
        let bytes = match length {
            9..=16 => {
                let (first, last) = (u64::from_le_bytes(*text.first_chunk()?), u64::from_le_bytes(*text.last_chunk()?));
                u128::from(first) | u128::from(last) << (8 * (length - 8))
            }
            4..=8 => {
                let (first, last) = (u32::from_le_bytes(*text.first_chunk()?), u32::from_le_bytes(*text.last_chunk()?));
                u128::from(u64::from(first) | u64::from(last) << (8 * (length - 4)))
            }
            2..=3 => {
                let (first, last) = (u16::from_le_bytes(*text.first_chunk()?), u16::from_le_bytes(*text.last_chunk()?));
                u128::from(u32::from(first) | u32::from(last) << (8 * (length - 2)))
            }
            1 => u128::from(text[0]),
            0 => 0,
            _ => return None,
        };
        Some(Few { bytes, length })
    }

    /// Whether no byte needs an escape in JSON.
    #[inline]
    pub(super) fn is_plain(self) -> bool {
        let lane = u8x16::new(self.bytes.to_le_bytes());
        let marks = lane.simd_eq(u8x16::splat(b'"')) | lane.simd_eq(u8x16::splat(b'\\'));
        let control = lane.min(u8x16::splat(b' ' - 1)).simd_eq(lane);
        (marks | control).to_bitmask().trailing_zeros() as usize >= self.length
    }

    /// Appends the bytes between quotes.
    #[inline]
    pub(super) fn push_quoted(self, out: &mut Vec<u8>) {
        // Of a fixed length, so that it is copied without a look at the length.
        let mut quoted = [b'"'; 18];
        quoted[1..17].copy_from_slice(&self.bytes.to_le_bytes());
        quoted[self.length + 1] = b'"';
        let end = out.len() + self.length + 2;
        out.extend_from_slice(&quoted);
        out.truncate(end);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The definition is the independent program.
        #[test]
        fn few_bytes_are_copied_and_looked_at(text in prop::collection::vec(prop_oneof![Just(b'a'), any::<u8>()], 0..20)) {
            let Some(few) = Few::of(&text) else {
                prop_assert!(text.len() > 16);
                return Ok(());
            };
            let plain = text.iter().all(|byte| *byte >= 0x20 && *byte != b'"' && *byte != b'\\');
            prop_assert_eq!(few.is_plain(), plain);
            let mut out = b"x".to_vec();
            few.push_quoted(&mut out);
            prop_assert_eq!(out, [b"x\"", text.as_slice(), b"\""].concat());
        }
    }
}
