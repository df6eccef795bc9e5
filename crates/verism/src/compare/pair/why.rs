//! The sentence beside a comparison: design, unit, test, and the reason for each.

use crate::compare::design::unit::Unit;
use crate::compare::options::{DesignChoice, Options, TestChoice, Weight};
use crate::compare::pair::result::Pair;
use crate::stats::reason::Reason;

/// What the sentence needs beyond the pair itself.
pub(crate) struct Story<'a> {
    pub common_cases: usize,
    pub options: &'a Options,
}

/// Gives one sentence such as "paired by case: 12 of 12 cases shared; paired t".
pub(crate) fn why(pair: &Pair, story: &Story) -> String {
    let options = story.options;
    let unit = pair.unit.name();
    let ground = match (options.design, pair.n_pairs) {
        (DesignChoice::Paired | DesignChoice::Unpaired, _) => "asked for".to_string(),
        (DesignChoice::Auto, Some(n)) => format!("{n} of {} {unit}s shared", pair.n_baseline.min(pair.n_experiment)),
        (DesignChoice::Auto, None) if story.common_cases > 0 => format!("{} case(s) shared", story.common_cases),
        (DesignChoice::Auto, None) => "no shared cases".to_string(),
    };
    let asked = if options.unit.is_some() { " (asked for)" } else { "" };
    let mut text = format!("{} by {unit}{asked}: {ground}; {}", pair.design, pair.test.replace('_', " "));
    match pair.reason {
        _ if options.test != TestChoice::Auto => text.push_str(" (asked for)"),
        _ if options.weight == Weight::Row => text.push_str(" because rows are weighted equally"),
        Some(reason @ (Reason::ZeroVariance | Reason::Identical)) => {
            text.push_str(&format!(" because the values do not vary ({})", reason.text()));
        }
        _ => {}
    }
    if pair.reason == Some(Reason::FewerThanTwo) {
        text.push_str("; fewer than 2 units, so no test");
        if pair.unit == Unit::Dialogue {
            text.push_str(" (unit=turn would take the pieces of a dialogue as independent)");
        }
    }
    text
}
