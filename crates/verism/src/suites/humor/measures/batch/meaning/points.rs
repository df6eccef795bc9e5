//! Vectors of a batch, laid out for sums that run over many of them side by side.

/// Points that are worked on side by side.
pub(crate) const LANES: usize = 8;

/// Vectors of unit length.
#[derive(Clone, Debug)]
pub(crate) struct Points {
    dimension: usize,
    count: usize,
    /// One vector after the other.
    rows: Vec<f64>,
    /// Blocks of points, each by dimensions: the numbers of its points in one dimension stand together. The last block
    /// is filled up with zeros.
    blocks: Vec<[f64; LANES]>,
}

impl Points {
    /// Takes vectors that stand one after the other.
    pub(crate) fn new(rows: Vec<f64>, dimension: usize) -> Points {
        let count = rows.len() / dimension.max(1);
        let mut blocks = vec![[0.0; LANES]; count.div_ceil(LANES) * dimension];
        for (i, row) in rows.chunks_exact(dimension.max(1)).enumerate() {
            let block = &mut blocks[i / LANES * dimension..][..dimension];
            block.iter_mut().zip(row).for_each(|(place, x)| place[i % LANES] = *x);
        }
        Points { dimension, count, rows, blocks }
    }

    /// How many points there are.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    pub(crate) fn dimension(&self) -> usize {
        self.dimension
    }

    /// A point.
    pub(crate) fn row(&self, i: usize) -> &[f64] {
        &self.rows[i * self.dimension..][..self.dimension]
    }

    pub(crate) fn block_count(&self) -> usize {
        self.count.div_ceil(LANES)
    }

    fn block(&self, block: usize) -> &[[f64; LANES]] {
        &self.blocks[block * self.dimension..][..self.dimension]
    }

    /// Squared distances of a block's points to some place, each summed over the dimensions from the first to the last.
    pub(crate) fn squared(&self, block: usize, to: &[f64]) -> [f64; LANES] {
        let mut sums = [0.0; LANES];
        for (x, c) in self.block(block).iter().zip(to) {
            for lane in 0..LANES {
                let d = x[lane] - c;
                sums[lane] += d * d;
            }
        }
        sums
    }

    /// Inner products of a block's points with two others, each summed over the dimensions from the first to the last.
    pub(crate) fn products(&self, block: usize, a: &[f64], b: &[f64]) -> [[f64; LANES]; 2] {
        let mut sums = [[0.0; LANES]; 2];
        for ((x, a), b) in self.block(block).iter().zip(a).zip(b) {
            for lane in 0..LANES {
                sums[0][lane] += x[lane] * a;
                sums[1][lane] += x[lane] * b;
            }
        }
        sums
    }

    /// The squared distance of two points.
    pub(crate) fn squared_between(&self, i: usize, j: usize) -> f64 {
        self.row(i).iter().zip(self.row(j)).fold(0.0, |sum, (x, y)| sum + (x - y) * (x - y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_give_what_rows_do() {
        let rows: Vec<f64> = (0..33).map(|i| f64::from(i * i % 7)).collect();
        let points = Points::new(rows, 3);
        assert_eq!((points.len(), points.block_count()), (11, 2));
        for i in 0..11 {
            let squared = points.squared(i / LANES, points.row(4))[i % LANES];
            assert_eq!(squared, points.squared_between(i, 4));
            let [a, b] = points.products(i / LANES, points.row(2), points.row(9));
            let plain = |j: usize| points.row(i).iter().zip(points.row(j)).fold(0.0, |sum, (x, y)| sum + x * y);
            assert_eq!((a[i % LANES], b[i % LANES]), (plain(2), plain(9)));
        }
    }
}
