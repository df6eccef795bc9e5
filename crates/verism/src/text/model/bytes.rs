//! The bytes of a model, mapped from a file or in memory, and the columns that lie in them.

/// Where the bytes lie.
pub(super) enum Bytes {
    /// Pages of the file. They stay mapped as long as the program runs: whoever holds a model may share it with any
    /// thread, and clean pages cost nothing once they are out of use.
    Mapped(&'static [u8]),
    /// As wide numbers, so that they lie at a multiple of eight; and how many bytes count.
    Held(Vec<u64>, usize),
}

impl Bytes {
    /// So many zeros.
    pub(super) fn zeros(length: usize) -> Bytes {
        Bytes::Held(vec![0; length.div_ceil(8)], length)
    }

    /// A copy.
    pub(super) fn copied(bytes: &[u8]) -> Bytes {
        let mut words = vec![0_u64; bytes.len().div_ceil(8)];
        bytemuck::cast_slice_mut(&mut words)[..bytes.len()].copy_from_slice(bytes);
        Bytes::Held(words, bytes.len())
    }

    pub(super) fn get(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Held(words, length) => &bytemuck::cast_slice(words)[..*length],
        }
    }

    /// The bytes, to be written; none of a mapped file.
    pub(super) fn get_mut(&mut self) -> &mut [u8] {
        match self {
            Bytes::Mapped(_) => &mut [],
            Bytes::Held(words, length) => &mut bytemuck::cast_slice_mut(words)[..*length],
        }
    }
}

/// Counts of four or eight bytes.
#[derive(Clone, Copy)]
pub(super) enum Column<'a> {
    Narrow(&'a [u32]),
    Wide(&'a [u64]),
}

impl Column<'_> {
    pub(super) fn get(&self, i: usize) -> u64 {
        match self {
            Column::Narrow(counts) => u64::from(u32::from_le(counts[i])),
            Column::Wide(counts) => u64::from_le(counts[i]),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Column::Narrow(counts) => counts.len(),
            Column::Wide(counts) => counts.len(),
        }
    }
}
