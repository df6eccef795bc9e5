//! What is known about the suite and its metrics, as data; `ids` has the metrics in the order of their rows.

mod batch;
pub(crate) mod ids;
mod item;

use self::batch::OF_BATCH;
use self::item::OF_TEXT;
use crate::suites::humor::options::SETTINGS;
use crate::suites::{Better, Metric, SuiteFacts, setting};

const SEED: &str = "humour evaluation of the original project, as published";
const OURS: &str = "verism, beyond the published measures";

pub(crate) static FACTS: SuiteFacts = SuiteFacts {
    id: crate::suites::humor::ID,
    title: "How surprising, ambiguous, varied and fitting is generated humour?",
    reads: "short texts with prompts and profiles: JSONL, CSV, Parquet, or results of the original project",
    spec_version: crate::suites::humor::SPEC_VERSION,
    metrics: &METRICS,
    options: || setting::facts(SETTINGS),
    files: &["model", "corpus", "labels", "reference", "embed"],
    columns: &["batch", "user", "user_group"],
    demo: ("experiments", "wild-03"),
    rows_match: false,
    optional_fields: true,
    made_of_parts: &[],
    decisions: DECISIONS,
    readme: include_str!("../README.md"),
};

/// A score of a text from 0 to 10, more is better; the others differ in a few facts.
const SCORE: Metric = Metric { range: (Some(0.0), Some(10.0)), source: SEED, ..Metric::at("item") };

/// A measure of a batch from 0 to 1.
const SHARE: Metric = Metric { range: (Some(0.0), Some(1.0)), level: "batch", ..SCORE };
/// A measure of a text in natural units.
const OPEN: Metric = Metric { range: (Some(0.0), None), better: Better::None, source: OURS, ..SCORE };

const NO_TEXT: &str = "undefined: no_corpus, empty_text";
/// Of probabilities that sum to 1.
const NO_CHANCE: &str = "undefined: no_corpus, empty_text, zero_probability if a tiny corpus leaves nothing for a word";
const VECTORS: &str = "undefined: no_model, missing_field:embedding if some texts lack a vector, too_many_texts, \
                       zero_vector, fewer_than_two_texts";
const RAW: &str = "undefined as the score it belongs to";

/// Those of a text, then those of a batch.
static METRICS: [Metric; OF_TEXT.len() + OF_BATCH.len()] = {
    let mut all = [SCORE; OF_TEXT.len() + OF_BATCH.len()];
    let (of_text, of_batch) = all.split_at_mut(OF_TEXT.len());
    of_text.copy_from_slice(&OF_TEXT);
    of_batch.copy_from_slice(&OF_BATCH);
    all
};

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
