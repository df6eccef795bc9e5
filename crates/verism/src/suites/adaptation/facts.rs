//! What is known about the suite, as data.

use super::measures::METRICS;
use super::options::SETTINGS;
use crate::suites::{SuiteFacts, setting};

pub(super) static FACTS: SuiteFacts = SuiteFacts {
    id: super::ID,
    title: "Do simulated agents decide feasibly, sensibly and variedly?",
    reads: "yearly decision logs: <model>/<group>/<run>/simulation_log.csv, or flat CSV, JSONL, Parquet",
    spec_version: super::SPEC_VERSION,
    metrics: &METRICS,
    options: || setting::facts(SETTINGS),
    files: &["pack"],
    columns: &["model", "group"],
    demo: ("wrr_metrics_all_models_v6", "gemma3_4b/Group_A/Run_1"),
    rows_match: false,
    optional_fields: false,
    made_of_parts: &[],
    decisions: DECISIONS,
    readme: include_str!("README.md"),
};

const DECISIONS: &[(&str, &str)] = &[
    ("D1", "states before the year are sticky for irreversible states; gaps are bridged"),
    ("D2", "an agent's first year has unknown states and breaks no feasibility rule"),
    ("D3", "two rows of one agent and year are an error; --lenient keeps the first"),
    ("D4", "the intent falls back to the action only if its cell is missing; present but unreadable is `other`"),
    ("D5", "a sixth label `other`: in the denominator, in no rule and in no entropy; its share is reported"),
    ("D6", "governed actions are read by a table of aliases (FI, HE, both, …)"),
    ("D7", "free text is read by cues with negation; insurance + elevation = both; two others = other"),
    ("D8", "a level counts at the start of the field or as an upper-case word of its own; the first wins"),
    ("D9", "level words (High, Low, Med) count as tokens do"),
    ("D10", "keywords are whole words with negation on both sides"),
    ("D11", "a missing appraisal has no label and breaks no rule; R_R_informed stands beside R_R"),
    ("D12", "entropy is over actions of active rows; intent entropy stands beside it"),
    ("D13", "without active rows rates are undefined, never 0"),
    ("D14", "percentages are undefined at base 0; differences are always given"),
    ("D15", "retry counts are whole numbers from 0 on; anything else is a bad record"),
    ("D16", "workload is undefined where the field is never filled, not 0"),
    ("D17", "group means are unweighted over cells with a value"),
    ("D18", "models, groups and runs are discovered; lists are options"),
    ("D19", "every group is compared with the option `baseline`"),
    ("D20", "a row counts once per numerator and once per rule in the breakdown"),
    ("D21", "yearly_decision is taken as logged; execution stands beside it"),
    ("D22", "states are those at the end of the year"),
];
