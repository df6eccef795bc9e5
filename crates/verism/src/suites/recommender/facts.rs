//! What is known about the suite and its metrics, as data.

use super::options::SETTINGS;
use crate::suites::{Better, Metric, SuiteFacts, ids, setting};

pub(super) static FACTS: SuiteFacts = SuiteFacts {
    id: super::ID,
    title: "Does a conversational recommender follow when the user's mind moves?",
    reads: "dialogues: JSONL, JSON, tables of turns (CSV, Parquet), logs of the original project, CRSArena-Eval",
    spec_version: super::SPEC_VERSION,
    metrics: &METRICS,
    options: || setting::facts(SETTINGS),
    files: &["catalog", "labels", "lexicon"],
    columns: &[],
    demo: ("experiments", "lags/case-03#4"),
    rows_match: false,
    optional_fields: false,
    made_of_parts: &[],
    decisions: DECISIONS,
    readme: include_str!("README.md"),
};

/// What no score of this suite sees; every report prints it.
pub(super) const LIMITS: [&str; 5] = [
    "concepts are found as strings: paraphrases are missed",
    "negation is not seen: \"no comedy\" counts as comedy",
    "the shift policy of the simulator bounds what is tested",
    "replies of models vary: use several runs",
    "judges are convergent evidence only, never part of a score",
];

const SEED: &str = "published specification of TAS and recovery under preference shifts";
const OURS: &str = "verism, beyond the published measures";

/// A metric of a dialogue that lies in [0, 1], from which the others differ in a few facts.
const BASE: Metric = Metric { empty: "undefined: no_reply without any reply", source: OURS, ..Metric::at("dialogue") };

const UNION_EMPTY: &str = "undefined: empty_union where neither side has a concept, no_reply without any reply";
const SHIFT_EMPTY: &str = "undefined: no_shifts, no_shift_metadata";
const DST_EMPTY: &str = "undefined: no_state without constraints, empty_denominator";

const COVERAGE: Metric = Metric {
    id: "coverage",
    title: "coverage",
    says: "share of the replied turns in which either side names a concept",
    better: Better::None,
    formula: "#{t : E(U) ∪ E(S) ≠ ∅} / turns with reply",
    ..BASE
};
const CC: Metric = Metric {
    id: "cc",
    title: "CC",
    says: "how far user and reply speak of the same",
    formula: "|E(U) ∩ E(S)| / |E(U) ∪ E(S)|, mean over turns",
    empty: UNION_EMPTY,
    source: SEED,
    ..BASE
};
const CR: Metric = Metric {
    id: "cr",
    title: "CR",
    says: "the same with rare concepts weighing more",
    formula: "φ(U)·φ(S) / (‖φ(U)‖‖φ(S)‖), φ = idf of the concepts, idf = ln((1+N)/(1+df)) + 1; mean over turns",
    ..CC
};
const TAS: Metric = Metric {
    id: "tas",
    title: "TAS",
    says: "how well a reply meets what the user just said; read it beside the baselines, never alone",
    range: (None, None),
    headline: true,
    formula: "α·CC + β·CR − γ·I, weights 1; mean over turns where it is defined",
    ..CC
};
const RECOVERY: Metric = Metric {
    id: "recovery_rate",
    title: "recovery_rate",
    says: "share of shifts that some reply within the window meets",
    headline: true,
    formula: "#{s : some d < W has CC(s+d) ≥ τ} / shifts; W = 3, τ = 0.65",
    empty: SHIFT_EMPTY,
    source: SEED,
    ..BASE
};
const DST: Metric = Metric {
    id: "dst_precision",
    title: "DST_precision",
    says: "share of what the reply says that the user wants",
    formula: "|G ∩ P| / |P|; G = constraints, P = concepts of the reply; mean over turns",
    empty: DST_EMPTY,
    ..BASE
};

/// All metrics; those of dialogues in the order of rows and tables.
pub(super) const METRICS: [Metric; 25] = [
    COVERAGE,
    Metric {
        id: "user_coverage",
        title: "user_coverage",
        says: "share of the replied turns in which the user names a concept",
        formula: "#{t : E(U) ≠ ∅} / turns with reply",
        ..COVERAGE
    },
    CC,
    CR,
    Metric {
        id: "i",
        title: "I",
        says: "how much of the reply is copied from the user's words",
        better: Better::Lower,
        formula: "max over n ∈ {3, 4} of |Gₙ(S) ∩ Gₙ(U)| / |Gₙ(S)|, sets of word n-grams; mean over turns",
        empty: "0 for a reply of less than three words; undefined: no_reply without any reply",
        source: SEED,
        ..BASE
    },
    TAS,
    Metric {
        id: "tas_expressed",
        title: "TAS_expressed",
        says: "TAS over the turns in which the user names a concept: the same turns for every system, so compare by it first",
        formula: "mean TAS over turns with E(U) ≠ ∅",
        empty: "undefined: no_user_concepts, no_reply",
        source: OURS,
        ..TAS
    },
    Metric {
        id: "cc_segment",
        title: "CC_segment",
        says: "CC from one shift to the next",
        formula: "CC of the united sets of a segment, mean over segments",
        ..CC
    },
    Metric {
        id: "cr_segment",
        title: "CR_segment",
        says: "CR from one shift to the next",
        formula: "CR of the added vectors of a segment, mean over segments",
        ..CC
    },
    Metric {
        id: "tas_segment",
        title: "TAS_segment",
        says: "TAS from one shift to the next",
        headline: false,
        formula: "α·CC + β·CR − γ·mean I of a segment, mean over segments",
        ..TAS
    },
    RECOVERY,
    Metric {
        id: "recovery_delay",
        title: "recovery_delay",
        says: "turns until a shift was met, of those that were; it rewards giving up early, so read the restricted one",
        range: (Some(0.0), None),
        better: Better::None,
        headline: false,
        formula: "mean of the smallest d with CC(s+d) ≥ τ over recovered shifts",
        empty: "undefined: none_recovered, no_shifts, no_shift_metadata; at a shift: censored, not_recovered",
        ..RECOVERY
    },
    Metric {
        id: "recovery_delay_restricted",
        title: "recovery_delay_restricted",
        says: "expected turns until a shift is met, cut at the window, with shifts that the dialogue's end cuts off",
        range: (Some(0.0), None),
        better: Better::Lower,
        formula: "Σ_{d<W} S_d, S_d = Π_{k≤d} (1 − recovered at k / at risk at k)",
        empty: "undefined: censored, no_shifts, no_shift_metadata",
        source: "Kaplan and Meier (1958), restricted mean",
        ..RECOVERY
    },
    Metric {
        id: "focus_uptake",
        title: "focus_uptake",
        says: "share of shifts after which a reply names the new focus",
        formula: "#{s : some reply of the window before the next shift has the focus} / shifts with a scored focus",
        empty: "undefined: no_state, focus_not_scored, no_shifts, no_shift_metadata",
        ..BASE
    },
    Metric {
        id: "focus_item",
        title: "focus_item",
        says: "share of shifts after which a reply names a title that has the new focus; neither an echo nor a constant reply gets it",
        headline: true,
        formula: "#{s : some reply of the window before the next shift names such an item} / shifts with a scored focus",
        empty: "undefined: no_state, focus_not_scored, no_shifts, no_shift_metadata",
        ..BASE
    },
    Metric {
        id: "leakage",
        title: "leakage",
        says: "share of replies after a shift that still speak of what the user dropped",
        better: Better::Lower,
        headline: true,
        formula: "#{t : E(S) ∩ (D ∖ E(U)) ≠ ∅} / replies of the window before the next shift; mean over shifts",
        empty: "undefined: no_previous_turn, no_state, nothing_dropped, no_shifts, no_shift_metadata",
        ..BASE
    },
    DST,
    Metric {
        id: "dst_recall",
        title: "DST_recall",
        says: "share of what the user wants that the reply says",
        formula: "|G ∩ P| / |G|, mean over turns",
        ..DST
    },
    Metric {
        id: "dst_f1",
        title: "DST_F1",
        says: "agreement of the reply with what the user wants",
        formula: "2 |G ∩ P| / (|G| + |P|), mean over turns",
        ..DST
    },
    Metric {
        id: "dst_joint",
        title: "DST_joint",
        says: "share of turns in which the reply says exactly what the user wants",
        formula: "[G = P] for G ≠ ∅, mean over turns",
        ..DST
    },
    Metric {
        id: "fidelity",
        title: "fidelity",
        says: "share of the titles named that are in the catalog",
        headline: true,
        formula: "catalog titles / titles of the replies, distinct per turn, without those the user named in that turn",
        empty: "undefined: no_titles",
        ..BASE
    },
    Metric {
        id: "rec_satisfaction",
        title: "rec_satisfaction",
        says: "how much of what the user wants the best recommended item has",
        formula: "max over items of Σ idf(g : item has g) / Σ idf(g), g ∈ constraints; mean over turns",
        empty: "undefined: no_state, no_constraints, no_titles, no_reply",
        ..BASE
    },
    Metric {
        id: "missing_per_turn",
        title: "missing_per_turn",
        says: "concepts of the user that the reply does not take up",
        range: (Some(0.0), None),
        better: Better::Lower,
        formula: "Σ |E(U) ∖ E(S)| / turns with reply",
        ..BASE
    },
    Metric {
        id: "hallucinated_per_turn",
        title: "hallucinated_per_turn",
        says: "concepts of the reply that the user did not ask for",
        range: (Some(0.0), None),
        better: Better::None,
        formula: "Σ |E(S) ∖ E(U)| / turns with reply",
        ..BASE
    },
    Metric {
        id: "recovered",
        title: "recovered",
        says: "whether a shift was met within the window",
        level: "shift",
        headline: false,
        formula: "1 if some d < W has CC(s+d) ≥ τ, else 0",
        empty: "always defined",
        ..RECOVERY
    },
];

/// The metrics of a dialogue in the order of rows and tables.
pub(super) const DIALOGUE_METRICS: [&str; METRICS.len() - 1] = ids(&METRICS);

const DECISIONS: &[(&str, &str)] = &[
    ("D1", "a value is found as whole words, the longest match counts, with guards (option extractor)"),
    ("D2", "CC of two empty sides is undefined and the coverage is reported (option empty_cc)"),
    ("D3", "CR is undefined if both sides are empty, 0 if one is"),
    ("D4", "TAS is not clipped (option clip)"),
    ("D5", "recovery looks at CC alone (option recovery_rule)"),
    ("D6", "without shifts, or with none recovered, measures are undefined with a reason"),
    ("D7", "beside the mean delay of recovered shifts stands the restricted mean with censoring"),
    ("D8", "a window runs on past the next shift (option window_end)"),
    ("D9", "in a segment sets are united and vectors added"),
    ("D10", "a concept counts once per utterance; rarity is that of the catalog"),
    ("D11", "copying looks at Unicode words and at sets of n-grams (option tokenizer)"),
    ("D12", "everything that paired dialogues share is planned from the seed before the first reply"),
    ("D13", "a shift leads over a bridge that is in the context, linked by an item, and uttered"),
    ("D14", "replies are checked against the catalog and fidelity is measured"),
    ("D15", "the simulator's focus is one of the six scored fields"),
    ("D16", "an experiment is the mean of its dialogues' means"),
    ("D17", "a value of several fields fires in all of them; state tracking forgives the others"),
    ("D18", "a shift at turn 1 counts as a shift, opens no segment and has no leakage"),
    ("D19", "judge scores out of range are left out and counted, never clipped, never mixed in"),
    ("D20", "the year in `Title (YYYY)` is no concept (option title_years)"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seven_metrics_are_headlines() {
        // Section 8 of the specification, in bold.
        let headlines: Vec<&str> = METRICS.iter().filter(|metric| metric.headline).map(|metric| metric.id).collect();
        let expected =
            ["tas", "tas_expressed", "recovery_rate", "recovery_delay_restricted", "focus_item", "leakage", "fidelity"];
        assert_eq!(headlines, expected);
        assert_eq!(DIALOGUE_METRICS.len(), 24);
    }
}
