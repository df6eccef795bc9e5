//! What is known about the suite and its metrics, as data.

use super::finish::Study;
use super::options::SETTINGS;
use crate::suites::{Better, Metric, SuiteFacts, setting};

const SEED: &str = "WRR v6 metric calculation spec";
const OURS: &str = "verism, beyond the published tables";

/// A metric of a run that lies in [0, 1], from which the others differ in a few facts.
const BASE: Metric = Metric {
    id: "",
    title: "",
    says: "",
    range: (Some(0.0), Some(1.0)),
    better: Better::None,
    level: "run",
    headline: false,
    formula: "",
    empty: "",
    source: OURS,
};

const RATE_EMPTY: &str = "undefined: empty_denominator without active rows, missing_field:<column> if no row fills a field \
                          that the rules need, not_applicable without a rule of the kind";
const ENTROPY_EMPTY: &str = "undefined: not_applicable with fewer than two classes, missing_field:<column> if no row fills \
                             the exit state, empty_denominator without a labelled active row";
const WORKLOAD_EMPTY: &str = "undefined: no_rows, not_applicable if the pack has no such column, missing_field:<column> if it \
                              is never filled";
const SHARE_EMPTY: &str = "undefined: empty_denominator";
const VERSUS_EMPTY: &str = "undefined: undefined_base, undefined_value, zero_base; excluded: no_baseline";
const MEAN_EMPTY: &str = "undefined: no_defined_cell";

pub(super) static FACTS: SuiteFacts = SuiteFacts {
    id: super::ID,
    title: "Do simulated agents decide feasibly, sensibly and variedly?",
    reads: "yearly decision logs: <model>/<group>/<run>/simulation_log.csv, or flat CSV, JSONL, Parquet",
    spec_version: super::SPEC_VERSION,
    metrics: METRICS,
    options: || setting::facts(SETTINGS),
    columns: &["model", "group"],
    demo: ("wrr_metrics_all_models_v6", "gemma3_4b/Group_A/Run_1"),
    rows_match: false,
    decisions: DECISIONS,
    readme: include_str!("README.md"),
};

const METRICS: &[Metric] = &[
    Metric {
        id: "r_h",
        title: "R_H",
        says: "how often agents chose the physically impossible",
        better: Better::Lower,
        headline: true,
        formula: "active rows that break a feasibility rule / active rows",
        empty: RATE_EMPTY,
        source: SEED,
        ..BASE
    },
    Metric {
        id: "r_r",
        title: "R_R",
        says: "how often a choice contradicts the agent's own stated threat",
        better: Better::Lower,
        headline: true,
        formula: "active rows that break a thinking rule / active rows",
        empty: RATE_EMPTY,
        source: SEED,
        ..BASE
    },
    Metric {
        id: "rationality_pass",
        title: "rationality_pass",
        says: "how often a choice agrees with the agent's own stated threat",
        better: Better::Higher,
        headline: true,
        formula: "1 - R_R",
        empty: RATE_EMPTY,
        source: SEED,
        ..BASE
    },
    Metric {
        id: "h_norm_*_yearly_mean",
        title: "H_norm_*_yearly_mean",
        says: "how varied choices are within a year, on average",
        formula: "mean of the yearly H_norm over the years that have one",
        empty: ENTROPY_EMPTY,
        ..BASE
    },
    Metric {
        id: "h_norm_*_mean",
        title: "H_norm_*_mean",
        says: "mean of H_norm over the cells of a group",
        level: "group",
        formula: "unweighted mean over cells with a value",
        empty: MEAN_EMPTY,
        source: SEED,
        ..BASE
    },
    Metric { id: "h_norm_k5", title: "H_norm_k5", headline: true, ..H_NORM },
    Metric { id: "h_norm_k4", title: "H_norm_k4", headline: true, ..H_NORM },
    H_NORM,
    Metric {
        id: "h_intent_norm_*",
        title: "H_intent_norm_*",
        says: "how varied the intents are",
        formula: "H_norm over intent labels",
        empty: ENTROPY_EMPTY,
        ..BASE
    },
    Metric {
        id: "ehe_intent_*",
        title: "EHE_intent_*",
        says: "how much of the variety of intents is feasible",
        better: Better::Higher,
        formula: "H_intent_norm (1 - R_H)",
        empty: "undefined if H_intent_norm or R_H is, with its reason",
        ..BASE
    },
    Metric {
        id: "ehe_*_mean",
        title: "EHE_*_mean",
        says: "mean of EHE over the cells of a group",
        better: Better::Higher,
        level: "group",
        formula: "unweighted mean over cells with a value",
        empty: MEAN_EMPTY,
        source: SEED,
        ..BASE
    },
    Metric { id: "ehe_k5", title: "EHE_k5", headline: true, ..EHE },
    Metric { id: "ehe_k4", title: "EHE_k4", headline: true, ..EHE },
    EHE,
    Metric {
        id: "intervention_rows",
        title: "intervention_rows",
        says: "rows in which governance intervened",
        range: (Some(0.0), None),
        formula: "valid rows with governance_intervention true",
        empty: WORKLOAD_EMPTY,
        source: SEED,
        ..BASE
    },
    Metric {
        id: "retry_rows",
        title: "retry_rows",
        says: "rows that needed a retry",
        range: (Some(0.0), None),
        formula: "valid rows with retry_count > 0",
        empty: WORKLOAD_EMPTY,
        source: SEED,
        ..BASE
    },
    Metric {
        id: "retry_sum",
        title: "retry_sum",
        says: "retries in all",
        range: (Some(0.0), None),
        formula: "sum of retry_count over valid rows",
        empty: WORKLOAD_EMPTY,
        source: SEED,
        ..BASE
    },
    Metric {
        id: "other_action_share",
        title: "other_action_share",
        says: "how many actions have no known label",
        better: Better::Lower,
        formula: "active rows whose action is `other` / active rows",
        empty: SHARE_EMPTY,
        ..BASE
    },
    Metric {
        id: "other_intent_share",
        title: "other_intent_share",
        says: "how many intents have no known label",
        better: Better::Lower,
        formula: "active rows whose intent is `other` / active rows",
        empty: SHARE_EMPTY,
        ..BASE
    },
    Metric {
        id: "r_r_executed",
        title: "R_R_executed",
        says: "deviations from the stated threat that were carried out",
        better: Better::Lower,
        formula: "executed rows that break a thinking rule / active rows",
        empty: RATE_EMPTY,
        ..BASE
    },
    Metric {
        id: "substitution_rate",
        title: "substitution_rate",
        says: "how often governance replaced a proposal",
        formula: "active rows whose proposal differs from the action / active rows with a proposal",
        empty: "undefined: not_applicable without a proposal column, missing_field:<column> if it is never filled",
        ..BASE
    },
    Metric {
        id: "r_r_informed",
        title: "R_R_informed",
        says: "R_R among rows whose appraisal could really be read",
        better: Better::Lower,
        formula: "rows that break a thinking rule / active rows with labels from token, word or keyword",
        empty: RATE_EMPTY,
        ..BASE
    },
    Metric {
        id: "cacr",
        title: "CACR",
        says: "how often intents fit the pair of threat and coping",
        better: Better::Higher,
        formula: "coherent eligible rows / eligible rows",
        empty: SHARE_EMPTY,
        ..BASE
    },
    Metric {
        id: "cacr_chance",
        title: "CACR_chance",
        says: "what CACR the cell's own mix of actions would reach by chance",
        formula: "sum over label pairs of n_pair * n_fitting_actions / N^2",
        empty: SHARE_EMPTY,
        ..BASE
    },
    Metric {
        id: "pct_reduction_r_h_vs_a",
        title: "pct_reduction_R_H_vs_A",
        says: "how much lower R_H is than the baseline's, in percent",
        range: (None, Some(100.0)),
        better: Better::Higher,
        formula: "(A - x) / A * 100",
        empty: VERSUS_EMPTY,
        source: SEED,
        ..BASE
    },
    Metric {
        id: "pct_reduction_r_r_vs_a",
        title: "pct_reduction_R_R_vs_A",
        says: "how much lower R_R is than the baseline's, in percent",
        range: (None, Some(100.0)),
        better: Better::Higher,
        formula: "(A - x) / A * 100",
        empty: VERSUS_EMPTY,
        source: SEED,
        ..BASE
    },
    Metric {
        id: "pct_gain_ehe_vs_a",
        title: "pct_gain_EHE_vs_A",
        says: "how much higher the headline EHE is than the baseline's, in percent",
        range: (Some(-100.0), None),
        better: Better::Higher,
        formula: "(x - A) / A * 100",
        empty: VERSUS_EMPTY,
        source: SEED,
        ..BASE
    },
    Metric {
        id: "delta_r_h_vs_a",
        title: "delta_R_H_vs_A",
        says: "R_H minus the baseline's",
        range: (Some(-1.0), Some(1.0)),
        better: Better::Lower,
        formula: "x - A",
        empty: VERSUS_EMPTY,
        ..BASE
    },
    Metric {
        id: "delta_r_r_vs_a",
        title: "delta_R_R_vs_A",
        says: "R_R minus the baseline's",
        range: (Some(-1.0), Some(1.0)),
        better: Better::Lower,
        formula: "x - A",
        empty: VERSUS_EMPTY,
        ..BASE
    },
    Metric {
        id: "delta_ehe_*_vs_a",
        title: "delta_EHE_*_vs_A",
        says: "the headline EHE minus the baseline's",
        range: (Some(-1.0), Some(1.0)),
        better: Better::Higher,
        formula: "x - A",
        empty: VERSUS_EMPTY,
        ..BASE
    },
    Metric {
        id: "r_h_mean",
        title: "R_H_mean",
        says: "mean of R_H over the cells of a group",
        better: Better::Lower,
        ..MEAN
    },
    Metric {
        id: "r_r_mean",
        title: "R_R_mean",
        says: "mean of R_R over the cells of a group",
        better: Better::Lower,
        ..MEAN
    },
    Metric {
        id: "rationality_pass_mean",
        title: "rationality_pass_mean",
        says: "mean of rationality_pass over the cells of a group",
        better: Better::Higher,
        ..MEAN
    },
    Metric {
        id: "intervention_rows_mean",
        title: "intervention_rows_mean",
        says: "mean of intervention_rows over the cells of a group",
        range: (Some(0.0), None),
        ..MEAN
    },
    Metric {
        id: "retry_rows_mean",
        title: "retry_rows_mean",
        says: "mean of retry_rows over the cells of a group",
        range: (Some(0.0), None),
        ..MEAN
    },
    Metric {
        id: "retry_sum_mean",
        title: "retry_sum_mean",
        says: "mean of retry_sum over the cells of a group",
        range: (Some(0.0), None),
        ..MEAN
    },
];

/// Entropy of any scheme; the schemes of the published tables are headline metrics.
const H_NORM: Metric = Metric {
    id: "h_norm_*",
    title: "H_norm_*",
    says: "how varied the actions are",
    formula: "-sum p log2 p / log2 k over the k classes of the scheme, labelled active rows",
    empty: ENTROPY_EMPTY,
    source: SEED,
    ..BASE
};

const EHE: Metric = Metric {
    id: "ehe_*",
    title: "EHE_*",
    says: "how much of the variety of actions is feasible",
    better: Better::Higher,
    formula: "H_norm (1 - R_H)",
    empty: "undefined if H_norm or R_H is, with its reason",
    source: SEED,
    ..BASE
};

const MEAN: Metric = Metric {
    level: "group",
    formula: "unweighted mean over cells with a value",
    empty: MEAN_EMPTY,
    source: SEED,
    ..BASE
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

/// A few lines for people: what was scored and how the groups compare.
pub(super) fn summary(study: &Study<'_>, events: u64) -> Vec<String> {
    let rows: u64 = study.scored.iter().map(|scored| scored.rows).sum();
    let plural = |n: u64, one: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") };
    let mut lines = vec![format!(
        "{} in {}, {}",
        plural(rows, "row"),
        plural(study.scored.len() as u64, "cell"),
        plural(events, "broken rule")
    )];
    let headline = &study.pack.schemes[study.pack.headline].id;
    lines.push(format!("  {:<16} {:>6} {:>8} {:>8} {:>8}", "group", "cells", "R_H", "R_R", format!("EHE_{headline}")));
    for group in &study.axes[1] {
        let cells = super::tables::cells_of(study, group);
        let mean = |value: &dyn Fn(&super::measures::Measures) -> Option<f64>| {
            let values: Vec<f64> = cells.iter().filter_map(|cell| value(&cell.measures)).collect();
            crate::stats::sum::mean(&values).map_or("-".to_string(), |mean| format!("{mean:.4}"))
        };
        let (r_h, r_r) = (mean(&|m| m.r_h.clone().ok()), mean(&|m| m.r_r.clone().ok()));
        let ehe = mean(&|m| m.ehe[study.pack.headline].clone().ok());
        lines.push(format!("  {group:<16} {:>6} {r_h:>8} {r_r:>8} {ehe:>8}", cells.len()));
    }
    lines
}
