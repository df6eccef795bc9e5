//! The metrics of a batch of texts, and their agreement with labels.

use super::{SHARE, VECTORS};
use crate::suites::{Better, Metric};

pub(super) const OF_BATCH: [Metric; 21] = [
    Metric {
        id: "distinct_2",
        title: "Distinct_2",
        says: "share of different word pairs in the batch",
        headline: true,
        formula: "different 2-grams / 2-grams",
        empty: "no n-gram: 0",
        source: "Li et al., NAACL 2016",
        ..SHARE
    },
    Metric {
        id: "distinct_*",
        title: "Distinct_*",
        says: "share of different n-grams in the batch",
        formula: "different n-grams / n-grams",
        empty: "no n-gram: 0",
        source: "Li et al., NAACL 2016",
        ..SHARE
    },
    Metric {
        id: "self_bleu_2",
        title: "Self_BLEU_2",
        says: "how much of each text stands in the others",
        headline: true,
        better: Better::Lower,
        formula: "mean over texts of BLEU-2 against all others",
        empty: "fewer than two texts: 0; undefined: empty_text without tokens",
        source: "Zhu et al., SIGIR 2018",
        ..SHARE
    },
    Metric {
        id: "self_bleu_*",
        title: "Self_BLEU_*",
        says: "how much of each text stands in the others",
        better: Better::Lower,
        formula: "mean over texts of BLEU-n against all others",
        empty: "fewer than two texts: 0; undefined: empty_text without tokens",
        source: "Zhu et al., SIGIR 2018",
        ..SHARE
    },
    Metric {
        id: "vocabulary_richness",
        title: "Vocabulary_richness",
        says: "types among tokens, three ways",
        formula: "min(1, (ttr + min(rttr/10, 1) + min(cttr/10, 1))/3)",
        empty: "no tokens: 0",
        ..SHARE
    },
    Metric { id: "ttr", title: "TTR", says: "type-token ratio", formula: "u/n", empty: "no tokens: 0", ..SHARE },
    Metric {
        id: "rttr",
        title: "RTTR",
        says: "root type-token ratio",
        range: (Some(0.0), None),
        formula: "u/√n",
        empty: "no tokens: 0",
        ..SHARE
    },
    Metric {
        id: "cttr",
        title: "CTTR",
        says: "corrected type-token ratio",
        range: (Some(0.0), None),
        formula: "u/√(2n)",
        empty: "no tokens: 0",
        ..SHARE
    },
    Metric {
        id: "overall_semantic_diversity",
        title: "Overall_semantic_diversity",
        says: "how unlike in meaning the texts of the batch are",
        headline: true,
        formula: "clip(1 - mean cosine over pairs, 0, 1)",
        empty: VECTORS,
        ..SHARE
    },
    Metric {
        id: "intra_cluster_diversity",
        title: "Intra_cluster_diversity",
        says: "how unlike texts of one cluster are",
        range: (Some(0.0), Some(2.0)),
        formula: "1 - mean cosine over pairs in one cluster; k-means, k of the best silhouette",
        empty: "fewer than four texts: 0; no pair: 0; undefined: single_cluster, and as overall_semantic_diversity",
        ..SHARE
    },
    Metric {
        id: "inter_cluster_diversity",
        title: "Inter_cluster_diversity",
        says: "how unlike texts of different clusters are",
        range: (Some(0.0), Some(2.0)),
        formula: "1 - mean cosine over pairs in two clusters",
        empty: "fewer than four texts: 0; undefined: single_cluster, and as overall_semantic_diversity",
        ..SHARE
    },
    Metric {
        id: "cluster_coherence",
        title: "Cluster_coherence",
        says: "how well the clusters are apart",
        better: Better::None,
        formula: "max(0, mean silhouette of the best k)",
        empty: "fewer than four texts: 0; undefined: single_cluster, and as overall_semantic_diversity",
        ..SHARE
    },
    Metric {
        id: "semantic_spread",
        title: "Semantic_spread",
        says: "how far from each other the texts lie",
        formula: "mean distance over pairs / 2",
        empty: VECTORS,
        ..SHARE
    },
    Metric {
        id: "mtld",
        title: "MTLD",
        says: "how long the words stay varied",
        range: (Some(1.0), None),
        formula: "tokens / stretches with a type-token ratio above 0.72, mean of both directions",
        empty: "undefined: empty_text, no_repetition",
        source: "McCarthy & Jarvis, Behavior Research Methods 42 (2010)",
        ..SHARE
    },
    Metric {
        id: "hdd",
        title: "HDD",
        says: "how many types a draw of 42 tokens meets",
        formula: "Σ over types (1 - C(n-c, 42)/C(n, 42))/42",
        empty: "undefined: fewer_than_42_tokens",
        source: "McCarthy & Jarvis, Language Testing 24 (2007)",
        ..SHARE
    },
    Metric {
        id: "vendi",
        title: "Vendi",
        says: "how many different texts the batch is worth",
        range: (Some(0.0), None),
        formula: "exp of the entropy of the eigenvalues of the cosine matrix / n",
        empty: VECTORS,
        source: "Friedman & Dieng, TMLR 2023",
        ..SHARE
    },
    Metric {
        id: "compression_ratio",
        title: "Compression_ratio",
        says: "how much of the texts a compressor finds repeated",
        range: (Some(0.0), None),
        better: Better::Lower,
        formula: "bytes / bytes in zlib format at level 9",
        empty: "undefined: empty_text",
        source: "Shaib et al., 2024",
        ..SHARE
    },
    Metric {
        id: "self_repetition",
        title: "Self_repetition",
        says: "how many other texts share four-word runs",
        range: (Some(0.0), None),
        better: Better::Lower,
        formula: "mean of ln(1 + Σ over different 4-grams of the number of other texts with it)",
        empty: "no shared run: 0",
        source: "Salkar et al., AACL 2022",
        ..SHARE
    },
    Metric {
        id: "auc_perplexity",
        title: "AUC_perplexity",
        says: "does the measure rank what people found funny higher",
        better: Better::None,
        level: "experiment",
        formula: "share of pairs (funny, not funny) ranked right, ties half",
        empty: "undefined: missing_field:label, no_values, one_class",
        source: "DeLong et al., Biometrics 44 (1988)",
        ..SHARE
    },
    Metric {
        id: "auc_entropy",
        title: "AUC_entropy",
        says: "does the measure rank what people found funny higher",
        better: Better::None,
        level: "experiment",
        formula: "share of pairs (funny, not funny) ranked right, ties half",
        empty: "undefined: missing_field:label, no_values, one_class",
        source: "DeLong et al., Biometrics 44 (1988)",
        ..SHARE
    },
    Metric {
        id: "auc_*",
        title: "AUC_*",
        says: "does the measure rank what people found funny higher",
        level: "experiment",
        formula: "share of pairs (funny, not funny) ranked right, ties half",
        empty: "undefined: missing_field:label, no_values, one_class",
        source: "DeLong et al., Biometrics 44 (1988)",
        ..SHARE
    },
];
