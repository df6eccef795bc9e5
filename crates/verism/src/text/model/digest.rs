//! A digest of a corpus that does not depend on the order of its documents.

use sha2::{Digest, Sha256};

/// A number below 2^256 as four words, the lowest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum256(pub(super) [u64; 4]);

impl Sum256 {
    /// Adds `weight` times the SHA-256 of a document, modulo 2^256.
    pub(super) fn add_document(&mut self, card_type: &str, text: &str, weight: u64) {
        let mut hash = Sha256::new();
        hash.update(card_type);
        hash.update([0x1f]);
        hash.update(text);
        let bytes: [u8; 32] = hash.finalize().into();
        let word = |i: usize| {
            let mut eight = [0; 8];
            eight.copy_from_slice(&bytes[24 - 8 * i..32 - 8 * i]);
            u64::from_be_bytes(eight)
        };
        let mut carry = 0_u128;
        let mut product = [0; 4];
        for (i, place) in product.iter_mut().enumerate() {
            carry += u128::from(word(i)) * u128::from(weight);
            *place = carry as u64;
            carry >>= 64;
        }
        self.add(Sum256(product));
    }

    /// Adds another sum, modulo 2^256.
    pub(super) fn add(&mut self, other: Sum256) {
        let mut carry = 0_u128;
        for (mine, more) in self.0.iter_mut().zip(other.0) {
            carry += u128::from(*mine) + u128::from(more);
            *mine = carry as u64;
            carry >>= 64;
        }
    }

    /// As 64 hexadecimal digits.
    pub(super) fn hexadecimal(self) -> String {
        self.0.iter().rev().map(|word| format!("{word:016x}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_wrap_and_do_not_depend_on_the_order() {
        let mut ones = Sum256([u64::MAX; 4]);
        ones.add(Sum256([1, 0, 0, 0]));
        assert_eq!(ones, Sum256::default());
        let (mut ab, mut ba) = (Sum256::default(), Sum256::default());
        ab.add_document("white", "a", 2);
        ab.add_document("", "b", 1);
        ba.add_document("", "b", 1);
        ba.add_document("white", "a", 1);
        ba.add_document("white", "a", 1);
        assert_eq!(ab, ba);
        // SHA-256 of the one byte 1F (sha256sum of GNU coreutils 9).
        let mut empty = Sum256::default();
        empty.add_document("", "", 1);
        assert_eq!(empty.hexadecimal(), "ffe679bb831c95b67dc17819c63c5090d221aac6f4c7bf530f594ab43d21fa1e");
    }
}
