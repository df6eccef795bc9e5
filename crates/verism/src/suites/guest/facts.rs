//! What is known about the suite and its metrics, as data.

use super::measures::METRICS;
use super::options::SETTINGS;
use crate::suites::{SuiteFacts, setting};

pub(super) static FACTS: SuiteFacts = SuiteFacts {
    id: super::ID,
    title: "How true to life is a simulated guest?",
    reads: "conversations: JSONL (native or chat style), or a tree of the original project's CSV logs",
    spec_version: super::SPEC_VERSION,
    metrics: &METRICS,
    options: || setting::facts(SETTINGS),
    files: &["states", "attributes"],
    columns: &[],
    demo: ("experiments", "l1_prompt-02"),
    rows_match: false,
    optional_fields: false,
    made_of_parts: &[],
    decisions: DECISIONS,
    readme: include_str!("README.md"),
};

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
