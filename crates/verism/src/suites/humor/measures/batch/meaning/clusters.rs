//! How many clusters a batch has, and how unlike texts are within and across them.

use serde::{Deserialize, Serialize};

use super::kmeans::{Partition, kmeans};
use super::pairs::Pairs;
use super::points::Points;
use super::{SINGLE_CLUSTER, undefined};
use crate::suites::humor::measures::found::Outcome;

/// One number of clusters that was tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TriedClustering {
    pub(crate) k: u64,
    pub(crate) inertia: f64,
    /// None if every text had the same label.
    pub(crate) silhouette: Option<f64>,
    pub(crate) sizes: Vec<u64>,
    pub(crate) restarts_at_best: u64,
}

/// Evidence of `intra_cluster_diversity`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Clusters {
    pub(crate) k: u64,
    pub(crate) labels: Vec<u32>,
    pub(crate) tried: Vec<TriedClustering>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) convention: Option<String>,
}

/// Evidence of `cluster_coherence`.
#[derive(Clone, Copy, Debug, Serialize)]
struct Coherence {
    silhouette: f64,
    see: &'static str,
}

/// Partitions into 2, 3, … clusters; none for fewer than four texts.
pub(crate) struct Clustering {
    texts: usize,
    partitions: Vec<Partition>,
}

/// The row with the evidence.
const SEE: &str = "intra_cluster_diversity";

impl Clustering {
    /// Tries k = 2 … min(5, ⌊n/2⌋).
    pub(crate) fn of(points: &Points) -> Clustering {
        let n = points.len();
        Clustering { texts: n, partitions: (2..=(n / 2).min(5)).map(|k| kmeans(points, k)).collect() }
    }

    pub(crate) fn labellings(&self) -> Vec<&[u32]> {
        self.partitions.iter().map(|partition| partition.labels.as_slice()).collect()
    }

    /// Diversity within and across the clusters of the best k, and how well these are apart.
    ///
    /// ```math
    /// intra = 1 - mean cosine of pairs in one cluster,  inter = 1 - mean cosine of pairs in two,
    /// coherence = max(0, mean silhouette)
    /// ```
    /// Best k: highest mean silhouette, the smaller on a tie. Fewer than four texts: 0 by convention. One label for every
    /// k: undefined `single_cluster`. No pair in one cluster: 0 by convention.
    pub(crate) fn outcomes(&self, pairs: &Pairs, published: bool) -> [Outcome; 3] {
        if self.partitions.is_empty() {
            return std::array::from_fn(|_| Outcome::stated(0.0, self.texts as u64, "fewer_than_four_texts"));
        }
        let tried = self.partitions.iter().zip(&pairs.labelled).zip(2..).map(|((partition, labelled), k)| {
            let mut sizes = vec![];
            for label in &partition.labels {
                sizes.resize(sizes.len().max(*label as usize + 1), 0);
                sizes[*label as usize] += 1;
            }
            let (inertia, restarts_at_best) = (partition.inertia, partition.restarts_at_best);
            TriedClustering { k, inertia, silhouette: labelled.silhouette, sizes, restarts_at_best }
        });
        let tried: Vec<TriedClustering> = tried.collect();
        let mut best: Option<(usize, f64)> = None;
        for (place, tried) in tried.iter().enumerate() {
            if let Some(silhouette) = tried.silhouette
                && best.is_none_or(|(_, other)| silhouette > other)
            {
                best = Some((place, silhouette));
            }
        }
        let Some((place, silhouette)) = best else {
            return std::array::from_fn(|_| undefined(&SINGLE_CLUSTER, published));
        };
        let labelled = &pairs.labelled[place];
        let labels = self.partitions[place].labels.clone();
        let mut evidence = Clusters { k: place as u64 + 2, labels, tried, convention: None };
        let (same, within) = labelled.same;
        let intra = match within {
            0 => {
                evidence.convention = Some("no_pairs".into());
                Outcome { by_convention: true, ..Outcome::value(0.0, 0, &evidence) }
            }
            within => Outcome::value(1.0 - same / within as f64, within, &evidence),
        };
        let (other, across) = labelled.other;
        let coherence = Coherence { silhouette, see: SEE };
        [
            intra,
            Outcome::see(1.0 - other / across as f64, across, SEE),
            Outcome::value(silhouette.max(0.0), self.texts as u64, &coherence),
        ]
    }
}
