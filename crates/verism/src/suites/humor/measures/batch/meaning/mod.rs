//! Measures of meaning of a batch: pairs of vectors, clusters, the spectrum.
//!
//! `points` holds the vectors, `kmeans` finds clusters, `pairs` walks all pairs once, tile by tile, without a matrix,
//! `clusters` chooses the number of clusters, `vendi` looks at the eigenvalues (`eigen`).

mod clusters;
mod eigen;
mod kmeans;
mod pairs;
mod points;
mod vendi;

use serde::{Deserialize, Serialize};

pub(crate) use self::clusters::Clusters;
pub(crate) use self::points::Points;

use self::clusters::Clustering;
use self::pairs::Pairs;
use crate::score::measure::Undefined;
use crate::suites::humor::measures::found::{NO_MODEL, Outcome, ZERO_VECTOR};

/// Evidence of `overall_semantic_diversity`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Diversity {
    pub(crate) mean_cosine: f64,
    /// Ids of the two texts nearest to each other.
    pub(crate) closest: [String; 2],
    pub(crate) closest_cosine: f64,
}

/// Evidence of `semantic_spread`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Spread {
    pub(crate) mean_distance: f64,
}

/// The vectors of a batch as they come.
#[derive(Debug, Default)]
pub(crate) struct Vectors {
    /// Texts with a vector.
    with: usize,
    without: usize,
    /// One after the other; dropped when the batch is too large.
    values: Vec<f64>,
    dimension: usize,
    zero: bool,
}

/// The measures in the order of their rows, and the nearest of each text.
#[derive(Debug)]
pub(crate) struct Meaning {
    pub(crate) diversity: Outcome,
    /// Within, across, coherence.
    pub(crate) clusters: [Outcome; 3],
    pub(crate) spread: Outcome,
    pub(crate) vendi: Outcome,
    /// For each text the nearest other one and the cosine.
    pub(crate) nearest: Option<Vec<(u32, f64)>>,
}

const TOO_MANY: Undefined = Undefined::new("too_many_texts");
const SINGLE_CLUSTER: Undefined = Undefined::new("single_cluster");
const FEW_TEXTS: Undefined = Undefined::new("fewer_than_two_texts");

impl Vectors {
    /// Adds the vector of the next text; none are kept beyond `limit` texts.
    pub(crate) fn push(&mut self, vector: Option<&[f64]>, limit: u64) {
        let Some(vector) = vector else {
            self.without += 1;
            self.values = vec![];
            return;
        };
        self.with += 1;
        self.zero |= crate::suites::humor::record::vectors::is_zero(vector);
        self.dimension = vector.len();
        if self.without == 0 && self.with as u64 <= limit {
            self.values.extend_from_slice(vector);
        } else {
            self.values = vec![];
        }
    }

    /// The measures; `published` takes the arithmetic and the zeros of the original.
    pub(crate) fn finish(self, ids: &[String], limit: u64, published: bool) -> Meaning {
        let n = self.with + self.without;
        let reason = match () {
            () if self.with == 0 => NO_MODEL,
            () if self.without > 0 => Undefined::missing_field("embedding"),
            () if n as u64 > limit => TOO_MANY,
            () if self.zero => ZERO_VECTOR,
            () => return measured(Points::new(self.values, self.dimension), ids, published),
        };
        let cell = || undefined(&reason, published);
        Meaning {
            diversity: cell(),
            clusters: [cell(), cell(), cell()],
            spread: cell(),
            vendi: Outcome::undefined(reason.clone()),
            nearest: None,
        }
    }
}

/// Undefined, or the original's zero.
fn undefined(reason: &Undefined, published: bool) -> Outcome {
    match published && *reason != TOO_MANY {
        true => Outcome::stated(0.0, 0, reason.reason()),
        false => Outcome::undefined(reason.clone()),
    }
}

fn measured(points: Points, ids: &[String], published: bool) -> Meaning {
    let n = points.len();
    let clustering = Clustering::of(&points);
    let pairs = Pairs::of(&points, clustering.labellings());
    let few = || undefined(&FEW_TEXTS, published);
    Meaning {
        diversity: if n < 2 { few() } else { diversity(&pairs, ids, published) },
        clusters: clustering.outcomes(&pairs, published),
        spread: if n < 2 { few() } else { spread(&pairs, n, points.dimension(), published) },
        vendi: Outcome::of(&vendi::vendi(&points)),
        nearest: Some(pairs.nearest),
    }
}

/// How unlike each other the texts are.
///
/// ```math
/// overall_semantic_diversity = clip(1 - mean over pairs i < j of cos(i, j), 0, 1)
/// ```
/// `published`: the sum is divided by n²/2 instead of the number of pairs. Undefined: `no_model`,
/// `missing_field:embedding`, `too_many_texts`, `zero_vector`, `fewer_than_two_texts`.
fn diversity(pairs: &Pairs, ids: &[String], published: bool) -> Outcome {
    let n = ids.len() as f64;
    let mean = if published { 2.0 * pairs.cosines / (n * n) } else { pairs.cosines / pairs.count as f64 };
    let (a, b, closest_cosine) = pairs.closest;
    let closest = [a, b].map(|i| ids[i as usize].clone());
    let evidence = Diversity { mean_cosine: mean, closest, closest_cosine };
    Outcome::value((1.0 - mean).clamp(0.0, 1.0), ids.len() as u64, &evidence)
}

/// How far from each other the texts lie.
///
/// ```math
/// semantic_spread = mean over pairs of |x_i - x_j| / 2
/// ```
/// `published`: min(1, mean / √d / 2) as the original code. Undefined as `overall_semantic_diversity`.
fn spread(pairs: &Pairs, n: usize, dimension: usize, published: bool) -> Outcome {
    let mean_distance = pairs.distances / pairs.count as f64;
    let value = match published {
        true => (mean_distance / (dimension as f64).sqrt() / 2.0).min(1.0),
        false => mean_distance / 2.0,
    };
    Outcome::value(value, n as u64, &Spread { mean_distance })
}
