//! What is known about the suite and its metrics, as data.

use super::options::SETTINGS;
use crate::suites::{Better, Metric, SuiteFacts, setting};

const SEED: &str = "humour evaluation of the original project, as published";
const OURS: &str = "verism, beyond the published measures";

pub(super) static FACTS: SuiteFacts = SuiteFacts {
    id: super::ID,
    title: "How surprising, ambiguous, varied and fitting is generated humour?",
    reads: "short texts with prompts and profiles: JSONL, CSV, Parquet, or results of the original project",
    spec_version: super::SPEC_VERSION,
    metrics: METRICS,
    options: || setting::facts(SETTINGS),
    columns: &["batch", "user", "user_group"],
    demo: ("experiments", "wild-03"),
    rows_match: false,
    made_of_parts: &[],
    decisions: DECISIONS,
    readme: include_str!("README.md"),
};

/// A score of a text from 0 to 10, more is better; the others differ in a few facts.
const SCORE: Metric = Metric {
    id: "",
    title: "",
    says: "",
    range: (Some(0.0), Some(10.0)),
    better: Better::Higher,
    level: "item",
    headline: false,
    formula: "",
    empty: "",
    source: SEED,
};

/// A measure of a batch from 0 to 1.
const SHARE: Metric = Metric { range: (Some(0.0), Some(1.0)), level: "batch", ..SCORE };
/// A measure of a text in natural units.
const OPEN: Metric = Metric { range: (Some(0.0), None), better: Better::None, source: OURS, ..SCORE };

const NO_TEXT: &str = "undefined: no_corpus, empty_text";
const VECTORS: &str = "undefined: no_model, missing_field:embedding if some texts lack a vector, too_many_texts, \
                       zero_vector, fewer_than_two_texts";
const RAW: &str = "undefined as the score it belongs to";

const METRICS: &[Metric] = &[
    Metric {
        id: "surprisal",
        title: "Surprisal",
        says: "how surprising the words are after the prompt",
        headline: true,
        formula: "min(raw/2, 10); raw = mean of -ln max(P(t|u v), 1e-10) over the words, history begins with the prompt",
        empty: NO_TEXT,
        ..SCORE
    },
    Metric {
        id: "surprisal_raw",
        title: "Surprisal_raw",
        says: "mean nats of a word after the prompt",
        range: (Some(0.0), None),
        formula: "mean of -ln max(P(t|u v), 1e-10)",
        empty: RAW,
        ..SCORE
    },
    Metric {
        id: "perplexity",
        title: "Perplexity",
        says: "how hard the words are to foresee without the prompt, as a logarithm",
        better: Better::None,
        formula: "min(m, 10); m = mean nats with nothing before the first word",
        empty: NO_TEXT,
        ..SCORE
    },
    Metric {
        id: "perplexity_raw",
        title: "Perplexity_raw",
        says: "how many words one would have to choose from",
        range: (Some(1.0), None),
        better: Better::None,
        formula: "exp(m)",
        empty: RAW,
        ..SCORE
    },
    Metric {
        id: "ambiguity",
        title: "Ambiguity",
        says: "how open the company of the words is",
        headline: true,
        formula: "min(2 raw, 10); raw = mean over the words of the entropy of their neighbours within three words",
        empty: NO_TEXT,
        ..SCORE
    },
    Metric {
        id: "ambiguity_raw",
        title: "Ambiguity_raw",
        says: "mean entropy of the words' neighbours",
        range: (Some(0.0), None),
        formula: "mean of H(w); unknown words count as 0",
        empty: RAW,
        ..SCORE
    },
    Metric {
        id: "distinctiveness",
        title: "Distinctiveness",
        says: "how differently the words relate to the prompt",
        headline: true,
        formula: "min(20 raw, 10); raw = standard deviation over the words of their mean similarity to the prompt's words",
        empty: "undefined: no_corpus, missing_field:context, empty_text, empty_context",
        ..SCORE
    },
    Metric {
        id: "distinctiveness_raw",
        title: "Distinctiveness_raw",
        says: "standard deviation of the words' likeness to the prompt",
        range: (Some(0.0), Some(1.0)),
        formula: "sqrt(mean (s_w - mean s)^2)",
        empty: RAW,
        ..SCORE
    },
    Metric {
        id: "entropy",
        title: "Entropy",
        says: "how evenly characters and words are used",
        better: Better::None,
        formula: "min(2 raw, 10); raw = 0.3 H(characters) + 0.7 H(words), nats",
        empty: "an empty text: 0",
        ..SCORE
    },
    Metric {
        id: "entropy_raw",
        title: "Entropy_raw",
        says: "weighted entropy of characters and words",
        range: (Some(0.0), None),
        better: Better::None,
        formula: "0.3 H(characters) + 0.7 H(words)",
        empty: "an empty text: 0",
        ..SCORE
    },
    Metric {
        id: "coherence",
        title: "Coherence",
        says: "how close the text is to its prompt",
        headline: true,
        formula: "clip(10 raw, 0, 10); raw = cosine of their vectors (option coherence: mean similarity of words)",
        empty: "undefined: missing_field:context, empty_text, empty_context, no_model, no_corpus, zero_vector",
        ..SCORE
    },
    Metric {
        id: "coherence_raw",
        title: "Coherence_raw",
        says: "cosine of text and prompt",
        range: (Some(-1.0), Some(1.0)),
        formula: "cos(text, prompt)",
        empty: RAW,
        ..SCORE
    },
    Metric {
        id: "f1",
        title: "F1",
        says: "harmonic mean of coherence and surprisal; no F1 of a classification",
        formula: "10 · 2pr/(p + r), p = coherence/10, r = min(surprisal/10, 1)",
        empty: "p + r = 0: 0; undefined for the reason of coherence, else of surprisal",
        ..SCORE
    },
    Metric {
        id: "f1_raw",
        title: "F1_raw",
        says: "the same from 0 to 1",
        range: (Some(0.0), Some(1.0)),
        formula: "2pr/(p + r)",
        empty: RAW,
        ..SCORE
    },
    Metric {
        id: "pacs",
        title: "PaCS",
        says: "how close the text is to what the person laughed at before",
        headline: true,
        formula: "5 (clip(0.7 cos + 0.2 + min(0.1 n, 0.5), -1, 1) + 1), cos with the mean of n profile vectors",
        empty: "undefined: missing_field:profile, empty_profile, no_model, zero_vector",
        ..SCORE
    },
    Metric {
        id: "pacs_raw",
        title: "PaCS_raw",
        says: "cosine of text and profile, without boosts",
        range: (Some(-1.0), Some(1.0)),
        formula: "cos(text, mean of the profile vectors)",
        empty: RAW,
        ..SCORE
    },
    Metric {
        id: "overall",
        title: "Overall",
        says: "the weighted sum of the original",
        headline: true,
        formula: "0.2 surprisal + 0.2 (0.6 ambiguity + 0.4 distinctiveness) + 0.2 (0.7 entropy + 0.3 perplexity) + \
                  0.15 coherence + variety of the batch, up to 2.2",
        empty: "undefined for the reason of the first missing part; remainder outside cut batches",
        ..SCORE
    },
    Metric {
        id: "overall_raw",
        title: "Overall_raw",
        says: "the sum before clipping",
        range: (Some(0.0), Some(10.0)),
        formula: "the weighted sum",
        empty: RAW,
        ..SCORE
    },
    Metric {
        id: "kn_surprisal_nats",
        title: "KN_surprisal_nats",
        says: "mean nats of a word after the prompt's words before its blank, under a model that sums to 1",
        formula: "mean of -ln p(t|u v), modified Kneser-Ney of order 3",
        empty: NO_TEXT,
        ..OPEN
    },
    Metric {
        id: "kn_nats",
        title: "KN_nats",
        says: "mean nats of a word and the end",
        formula: "mean of -ln p over the words and the end",
        empty: NO_TEXT,
        ..OPEN
    },
    Metric {
        id: "kn_bits",
        title: "KN_bits",
        says: "the same in bits",
        formula: "kn_nats / ln 2",
        empty: NO_TEXT,
        ..OPEN
    },
    Metric {
        id: "kn_perplexity",
        title: "KN_perplexity",
        says: "how many words one would have to choose from",
        range: (Some(1.0), None),
        formula: "exp(kn_nats)",
        empty: NO_TEXT,
        ..OPEN
    },
    Metric {
        id: "novelty_2",
        title: "Novelty_2",
        says: "share of word pairs that the corpus does not hold",
        range: (Some(0.0), Some(1.0)),
        better: Better::Higher,
        formula: "new bigrams / bigrams",
        empty: "undefined: no_corpus, empty_denominator for fewer than two words",
        ..OPEN
    },
    Metric {
        id: "novelty_3",
        title: "Novelty_3",
        says: "share of word triples that the corpus does not hold",
        range: (Some(0.0), Some(1.0)),
        better: Better::Higher,
        formula: "new trigrams / trigrams",
        empty: "undefined: no_corpus, empty_denominator for fewer than three words",
        ..OPEN
    },
    Metric {
        id: "corpus_copy",
        title: "Corpus_copy",
        says: "whether the corpus holds the text but for case and marks",
        range: (Some(0.0), Some(1.0)),
        better: Better::Lower,
        formula: "1 if the fingerprint of the words is in the corpus",
        empty: NO_TEXT,
        ..OPEN
    },
    Metric {
        id: "novelty_semantic",
        title: "Novelty_semantic",
        says: "how far the text is from every reference",
        range: (Some(0.0), Some(2.0)),
        better: Better::Higher,
        formula: "1 - largest cosine to a reference text",
        empty: "undefined: no_reference, no_model, zero_vector",
        ..OPEN
    },
    Metric {
        id: "kao_ambiguity_bits",
        title: "Kao_ambiguity_bits",
        says: "how open it is which of two meanings is meant",
        range: (Some(0.0), Some(1.0)),
        better: Better::Higher,
        formula: "entropy of P(m|words) in bits",
        empty: "undefined: missing_field:pun, no_corpus, empty_text",
        source: "Kao, Levy & Goodman, Cognitive Science 40 (2016)",
        ..OPEN
    },
    Metric {
        id: "kao_distinctiveness",
        title: "Kao_distinctiveness",
        says: "how differently two meanings put words into focus",
        better: Better::Higher,
        formula: "Σ KL(f_1 ‖ f_2) + KL(f_2 ‖ f_1) over the words, nats",
        empty: "undefined: missing_field:pun, no_corpus, empty_text",
        source: "Kao, Levy & Goodman, Cognitive Science 40 (2016)",
        ..OPEN
    },
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

const DECISIONS: &[(&str, &str)] = &[
    ("H1", "what the original answers with 5.0 is undefined with a reason (option reading)"),
    ("H2", "what it states as 0.0 holds, and the evidence names the rule"),
    ("H3", "an empty text has neither surprisal nor perplexity nor ambiguity"),
    ("H4", "the language model counts and scores the same words"),
    ("H5", "the second level of the back-off asks for the pair (option backoff_gate)"),
    ("H6", "distinct-n uses the tokens of the other surface measures"),
    ("H7", "each text is tokenised alone, without a sentence splitter"),
    ("H8", "the cosine that was meant is computed, in every reading"),
    ("H9", "PaCS is as printed; the cosine stands beside it"),
    ("H10", "coherence is 10 times the cosine, clipped at 0 (option coherence)"),
    ("H11", "semantic diversity is the mean over pairs"),
    ("H12", "semantic spread is the mean distance over 2"),
    ("H13", "self-BLEU-4 enters the sum (option overall_self_bleu)"),
    ("H14", "the sum takes the batch's values (option creativity_scope)"),
    ("H15", "k-means draws from a counter-based generator"),
    ("H16", "one label for every k is undefined single_cluster"),
    ("H17", "weights of corpora are the user's"),
    ("H18", "words without neighbours have no context vector"),
    ("H19", "the mean of the logarithms itself, not the log of its exponential"),
    ("H20", "a run of low lines is one blank"),
    ("H21", "F1 keeps its name; it is no F1 of a classification"),
    ("H22", "combining marks stay in words; U+001C to U+001F are no space"),
    ("H23", "measures named after Kao et al. are others than theirs; kao_* are theirs"),
    ("H24", "batches compare at equal size only (option batch_size, audit unequal_batches)"),
    ("H25", "blank profile texts are no texts"),
];
