//! What people should know before they believe a score.

use super::SuiteFacts;
use crate::score::ledger::{not_asked, read_accounts};

/// Gives a caution for every headline metric that is undefined for more than half of the units that count.
///
/// Reasons that do not count against coverage are left out, as are levels other than the metric's own.
pub(super) fn undefined_headlines(facts: &SuiteFacts, ledger: &str) -> Vec<String> {
    let Ok(accounts) = read_accounts(ledger) else { return vec![] };
    let mut out = vec![];
    for booked in accounts {
        let Some(metric) = facts.metrics.iter().find(|m| m.headline && m.describes(&booked.metric)) else { continue };
        if booked.level.as_ref().is_some_and(|level| level != metric.level) {
            continue;
        }
        let counted = |reason: &&String| !not_asked(reason, facts.optional_fields);
        let reasons: Vec<(&String, &u64)> =
            booked.account.undefined.iter().filter(|(reason, _)| counted(reason)).collect();
        let undefined: u64 = reasons.iter().map(|(_, n)| **n).sum();
        let of = undefined + booked.account.scored;
        if 2 * undefined > of {
            let listed: Vec<String> = reasons.iter().map(|(reason, n)| format!("{reason} {n}")).collect();
            let name = &booked.metric;
            out.push(format!(
                "{name} is undefined for {undefined} of {of} units ({}); `verism explain {}.{name}` says what it needs",
                listed.join(", "),
                facts.id
            ));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::suite;

    // 3 of 5 that count are undefined; the two that were not asked for do not count; 1 of 2 is not more than half.
    #[test]
    fn a_headline_metric_that_is_mostly_undefined_is_named_with_its_reasons() {
        let facts = suite("guest").unwrap().facts();
        let entry = |metric: &str, level: &str, scored: u64, undefined: &str| {
            format!(
                r#"{{"metric":"{metric}","level":"{level}","total":9,"scored":{scored},"undefined":{{{undefined}}},"excluded":{{}}}}"#
            )
        };
        let ledger = [
            entry("ora", "dialogue", 2, r#""no_state":3,"not_applicable":2"#),
            entry("pas", "dialogue", 1, r#""missing_field:persona":1"#),
            entry("dei", "turn", 0, r#""no_state":3"#),
            entry("som", "dialogue", 0, r#""no_state":3"#),
        ];
        let said = undefined_headlines(facts, &format!("[{}]", ledger.join(",")));
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].starts_with("ora is undefined for 3 of 5 units (no_state 3)"), "{said:?}");
    }
}
