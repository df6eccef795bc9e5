//! The metrics of one text.

use super::{NO_CHANCE, NO_TEXT, OPEN, RAW, SCORE};
use crate::suites::{Better, Metric};

pub(super) const OF_TEXT: [Metric; 28] = [
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
        empty: NO_CHANCE,
        ..OPEN
    },
    Metric {
        id: "kn_nats",
        title: "KN_nats",
        says: "mean nats of a word and the end",
        formula: "mean of -ln p over the words and the end",
        empty: NO_CHANCE,
        ..OPEN
    },
    Metric {
        id: "kn_bits",
        title: "KN_bits",
        says: "the same in bits",
        formula: "kn_nats / ln 2",
        empty: NO_CHANCE,
        ..OPEN
    },
    Metric {
        id: "kn_perplexity",
        title: "KN_perplexity",
        says: "how many words one would have to choose from",
        range: (Some(1.0), None),
        formula: "exp(kn_nats)",
        empty: NO_CHANCE,
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
];
