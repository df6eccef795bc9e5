//! What is known about the suite and its metrics, as data.

use super::options::OPTIONS;
use crate::suites::{Better, Metric, SuiteFacts};

const SEED: &str = "guest simulation evaluation spec (PAS, BVS, ORA/TRA, DEI, CRRS)";
const OURS: &str = "verism, beyond the published measures";

/// A metric of a conversation that lies in [0, 1], from which the others differ in a few facts.
const BASE: Metric = Metric {
    id: "",
    title: "",
    says: "",
    range: (Some(0.0), Some(1.0)),
    better: Better::Higher,
    level: "dialogue",
    headline: false,
    formula: "",
    empty: "",
    source: OURS,
};

const PERSONA_EMPTY: &str = "undefined: empty_denominator without a talk message, no_state without a state, \
                             missing_field:persona, no_archetype, no_comparable_component";
const ORDER_EMPTY: &str = "undefined: missing_field:target_order, no_state without an order snapshot";
const CALLS_EMPTY: &str =
    "undefined: empty_denominator without a talk message, missing_field:tool_calls if none records calls";

pub(super) static FACTS: SuiteFacts = SuiteFacts {
    id: super::ID,
    title: "How true to life is a simulated guest?",
    reads: "conversations: JSONL (native or chat style), or a tree of the original project's CSV logs",
    spec_version: super::SPEC_VERSION,
    metrics: METRICS,
    options: OPTIONS,
    columns: &[],
    demo: ("experiments", "l1_prompt-02"),
    rows_match: false,
    decisions: DECISIONS,
    readme: include_str!("README.md"),
};

const METRICS: &[Metric] = &[
    Metric {
        id: "ms",
        title: "MS",
        says: "how well one message fits the persona",
        level: "turn",
        formula: "Σ 0.25 C_j over exploration, mood, ordering, complete; C_j = 1 if the state is what the persona expects",
        empty: "undefined: no_state, missing_field:persona, no_archetype, no_comparable_component",
        source: SEED,
        ..BASE
    },
    Metric {
        id: "pas",
        title: "PAS",
        says: "how well the guest kept the assigned persona",
        headline: true,
        formula: "Σ MS / messages with a score",
        empty: PERSONA_EMPTY,
        source: SEED,
        ..BASE
    },
    Metric {
        id: "bvs",
        title: "BVS",
        says: "how naturally the guest's behaviour varied",
        headline: true,
        formula: "TR/p if TR <= p, else 1 - (TR - p)/(1 - p); TR = mean rate of change of ordering, exploration, mood; p = 0.2",
        empty: "undefined: empty_denominator without a talk message, no_state, too_few_states for one state, \
                missing_field:state.<dimension> if it was recorded less than twice",
        source: SEED,
        ..BASE
    },
    Metric {
        id: "ora",
        title: "ORA",
        says: "whether the guest ended with the assigned order",
        headline: true,
        formula: "2 |C ∩ T| / (|C| + |T|) over names of items and modifiers; 0 if both are empty",
        empty: ORDER_EMPTY,
        source: SEED,
        ..BASE
    },
    Metric {
        id: "dei",
        title: "DEI",
        says: "how far decisions can be traced to tool calls",
        headline: true,
        formula: "min(cap, ED/(d N)): level 5 cap 1, d 2; 4 and 3 cap 0.5, d 2; 2 cap 0.2, d 5; level 1 is 0",
        empty: "undefined: missing_field:level, empty_denominator without a talk message, missing_field:tool_calls",
        source: SEED,
        ..BASE
    },
    Metric {
        id: "crrs",
        title: "CRRS",
        says: "the four measures in one",
        headline: true,
        formula: "0.25 PAS + 0.20 BVS + 0.35 ORA + 0.20 DEI",
        empty: "undefined: missing_component:<parts> if a part with weight is undefined",
        source: SEED,
        ..BASE
    },
    Metric {
        id: "som",
        title: "SOM",
        says: "whether the order is right line by line, with quantities and modifiers where they belong",
        formula: "2 U / (U_C + U_T), U = best one-to-one Σ (1 + common modifiers) over unit lines of one name",
        empty: "undefined: missing_field:target_order, no_state, empty_denominator if both orders are empty",
        ..BASE
    },
    Metric {
        id: "pdr",
        title: "PDR",
        says: "whether the persona fades (below 0) or settles (above 0) during the conversation",
        range: (Some(-1.0), Some(1.0)),
        better: Better::None,
        formula: "mean style score of the last half - mean of the first half of the scored messages",
        empty: "undefined: too_few_states for one scored message, else as PAS",
        ..BASE
    },
    Metric {
        id: "crrs_nodei",
        title: "CRRS_NODEI",
        says: "CRRS without DEI",
        formula: "CRRS with DEI's weight 0, the others rescaled to sum 1",
        empty: "undefined: not_applicable if DEI holds all weight, missing_component:<parts>",
        ..BASE
    },
    Metric {
        id: "pas3",
        title: "PAS3",
        says: "PAS without the completion component",
        formula: "mean over messages of the mean of C_1, C_2, C_3",
        empty: "undefined: not_applicable in the fallback, else as PAS",
        ..BASE
    },
    Metric {
        id: "trace",
        title: "TRACE",
        says: "the share of messages that a tool call stands behind",
        formula: "talk messages with an own call of a listed kind / talk messages",
        empty: CALLS_EMPTY,
        ..BASE
    },
    Metric {
        id: "bal",
        title: "BAL",
        says: "the distance to the balance of persona and variety",
        range: (Some(0.0), None),
        better: Better::Lower,
        formula: "√((PAS - 0.8)² + (BVS - 0.7)²)",
        empty: "undefined: missing_component:<parts>",
        ..BASE
    },
    Metric {
        id: "sta",
        title: "STA",
        says: "whether the order grew steadily towards the target (option sta=on)",
        formula: "(kept + recall)/2; kept = share of neighbouring snapshots that keep what was ordered, or swap it",
        empty: "undefined: missing_field:target_order, no_state, empty_denominator if the target is empty",
        source: SEED,
        ..BASE
    },
];

const DECISIONS: &[(&str, &str)] = &[
    ("D1", "exits count nowhere, wherever they stand; trailing punctuation and case do not matter"),
    ("D2", "an order snapshot on the exit turn counts (option ora_exit_snapshot)"),
    ("D3", "only messages with a state are scored (option pas_no_state)"),
    ("D4", "a component that one side lacks adds 0 (option pas_missing_component)"),
    ("D5", "the fallback looks for whole words in the persona's text; without an archetype PAS is undefined"),
    ("D6", "BVS needs two states"),
    ("D7", "BVS needs every dimension recorded twice"),
    ("D8", "ORA is F1; the printed expansion of it is not followed, since it differs from F1"),
    ("D9", "names of items and modifiers are one set; SOM adds the structure"),
    ("D10", "names are folded first, then separated, then freed of fillers, in all scripts"),
    ("D11", "the final order is the last snapshot that is not empty (option order_choice)"),
    ("D12", "ORA is 0 if a side is empty, also if both are"),
    ("D13", "calls count by their exact names, the guest's own, once per message"),
    ("D14", "other levels than 1 to 5 are errors; without a level DEI is undefined"),
    ("D15", "a part that is undefined makes CRRS undefined (option crrs_missing)"),
    ("D16", "BVS and DEI weigh the same; M is the number of states"),
    ("D17", "bands are half open, the top one closed"),
    ("D18", "STA is optional"),
    ("D19", "completion counts in PAS; PAS3 leaves it out"),
    ("D20", "a modifier's option beats its name"),
    ("D21", "recorded values come first, are never mixed with tool results, and are audited against the log"),
];
