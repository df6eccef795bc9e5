//! The sentence beside a comparison: design, unit, test, and the reason for each.

use super::analysis::TestBasis;
use super::run_tables::RunTables;
use crate::compare::design::unit::Unit;
use crate::compare::options::{DesignChoice, Options, TestChoice, Weight};
use crate::compare::pair::result::Pair;
use crate::stats::reason::Reason;

/// What the sentence needs beyond the pair itself.
pub(crate) struct SentenceParts<'a> {
    pub common_cases: usize,
    /// Why the test was taken.
    pub basis: TestBasis,
    /// Dialogues stand for cases.
    pub dialogues: bool,
    /// Shifts of whole runs that stand in the error.
    pub runs: Option<&'a RunTables>,
    pub options: &'a Options,
}

/// With fewer units than this, skewness is hard to see.
pub(super) const ENOUGH_FOR_SKEW: usize = 10;

/// Gives one sentence such as "paired by case: 12 of 12 cases shared; paired t; about new cases like these".
///
/// Numbers beyond n are left to the fields of the pair, so that pairs of one kind share a sentence.
pub(crate) fn why(pair: &Pair, parts: &SentenceParts) -> String {
    let options = parts.options;
    let unit = pair.unit.name();
    let design_reason = match (options.design, pair.n_pairs) {
        (DesignChoice::Paired | DesignChoice::Unpaired, _) => "asked for".to_string(),
        (DesignChoice::Auto, Some(n)) => format!("{n} of {} {unit}s shared", pair.n_baseline.min(pair.n_experiment)),
        (DesignChoice::Auto, None) if parts.common_cases > 0 => format!("{} case(s) shared", parts.common_cases),
        (DesignChoice::Auto, None) => "no shared cases".to_string(),
    };
    let asked = match (options.unit, parts.dialogues) {
        (Some(_), _) => " (asked for)",
        (None, true) => " (there are no cases)",
        (None, false) => "",
    };
    let mut text = format!("{} by {unit}{asked}: {design_reason}; {}", pair.design, test_words(pair.test));
    match parts.basis {
        _ if options.test != TestChoice::Auto => text.push_str(" (asked for)"),
        TestBasis::ConstantInClusters => text.push_str(
            "; one side does not vary, so that nothing tells the error of its mean: no interval, and no verdict; with weight=unit and \
             cluster=none there is a test",
        ),
        _ if options.weight == Weight::Row => text.push_str(" because rows are weighted equally"),
        TestBasis::Shares => text.push_str(" because all values are 0 or 1"),
        TestBasis::NoSpread => {
            let reason = pair.reason.map(Reason::text).unwrap_or_default();
            text.push_str(&format!(" because the values do not vary ({reason})"));
            text.push_str(match pair.ci.lo {
                Some(_) => "; the interval is what equal values in the range of the metric allow",
                None if pair.tests.cluster_t.is_some() => "; in clusters they have no interval, and no verdict",
                None => "; without the range of the metric (option range) no interval, and no verdict",
            });
        }
        TestBasis::OneConstant => text.push_str(" because one side does not vary"),
        TestBasis::Skew(_) => {
            text.push_str(" because the values are skewed");
            let n = pair.n_pairs.unwrap_or(pair.n_baseline.min(pair.n_experiment));
            if n < ENOUGH_FOR_SKEW {
                text.push_str(
                    "; with so few units skewness can hide and up to 13 % false verdicts remain, more units help",
                );
            }
        }
        TestBasis::FewOnOneSide => text.push_str(" because one side has fewer than 4 units"),
        TestBasis::Usual if pair.test == "cluster_t" => text.push_str(" because units stand together"),
        TestBasis::Usual => {}
    }
    if let Some(runs) = parts.runs {
        text.push_str(match runs.weight == 1.0 {
            true => "; whole runs shift together, which the error includes",
            false => "; whole runs may shift together, which the error includes by as much as there is evidence for it",
        });
        if runs.fewest == 2 {
            text.push_str("; with two runs up to 10 % false verdicts remain, more runs help");
        }
    }
    if pair.reason == Some(Reason::FewerThanTwo) {
        text.push_str("; fewer than 2 units, so no test");
        if pair.unit == Unit::Dialogue {
            text.push_str(" (unit=turn would take the pieces of a dialogue as independent)");
        }
        return text;
    }
    text.push_str("; about ");
    text.push_str(&population(pair, parts));
    text
}

/// The test in words.
fn test_words(test: &str) -> String {
    match test {
        "fisher" => "Fisher's exact test".to_string(),
        "mcnemar" => "McNemar's exact test".to_string(),
        "skew_t" => "skew-adjusted t".to_string(),
        "permutation_t" => "permutation of Welch's t".to_string(),
        "skew_t_runs" => "skew-adjusted t with run effects".to_string(),
        "permutation_t_runs" => "permutation of Welch's t with run effects".to_string(),
        "paired_t_runs" => "paired t with run effects".to_string(),
        "welch_runs" => "welch with run effects".to_string(),
        "student_runs" => "student with run effects".to_string(),
        "welch_student" => "the larger p of Welch's and Student's t".to_string(),
        "welch_student_runs" => "the larger p of Welch's and Student's t with run effects".to_string(),
        "cluster_t_runs" => "cluster t with run effects".to_string(),
        other => other.replace('_', " "),
    }
}

/// What the answer is about: what would be drawn anew if the comparison were repeated.
fn population(pair: &Pair, parts: &SentenceParts) -> String {
    let runs = if parts.runs.is_some() { " and new runs" } else { "" };
    if pair.tests.cluster_t.is_some() && parts.options.weight == Weight::Unit {
        return format!("new clusters of cases like these{runs}");
    }
    match pair.unit {
        Unit::Case => format!("new cases like these{runs}"),
        Unit::Run => "new runs on these cases".to_string(),
        Unit::CaseRun => "new runs of new cases like these".to_string(),
        Unit::Dialogue => format!("new dialogues like these{runs}"),
        Unit::Turn => "turns, as if each were drawn by itself".to_string(),
        Unit::Experiment => "these experiments".to_string(),
    }
}
