//! What people should know before they believe a score.

use std::collections::BTreeMap;

use super::SuiteFacts;
use crate::score::ledger::{not_asked, read_accounts};
use crate::score::output::Missing;

/// Gives a caution for every headline metric that is undefined for more than half of the units that count.
///
/// Reasons that do not count against coverage are left out, as are levels other than the metric's own. Where records lack
/// what a metric needs (`missing`), its caution says so. Where no headline metric has any value, the last one says that.
pub(super) fn undefined_headlines(facts: &SuiteFacts, ledger: &str, missing: &[Missing]) -> Vec<String> {
    let Ok(accounts) = read_accounts(ledger) else { return vec![] };
    let mut out = vec![];
    let (mut asked, mut scored) = (0, 0);
    for booked in accounts {
        let Some(metric) = facts.metrics.iter().find(|m| m.headline && m.describes(&booked.metric)) else { continue };
        if booked.level.as_ref().is_some_and(|level| level != metric.level) {
            continue;
        }
        asked += booked.account.total;
        scored += booked.account.scored;
        let counted = |reason: &&String| !not_asked(reason, facts.optional_fields);
        let reasons: Vec<(&String, &u64)> =
            booked.account.undefined.iter().filter(|(reason, _)| counted(reason)).collect();
        let undefined: u64 = reasons.iter().map(|(_, n)| **n).sum();
        let of = undefined + booked.account.scored;
        if 2 * undefined > of {
            let listed: Vec<String> = reasons.iter().map(|(reason, n)| format!("{reason} {n}")).collect();
            let name = &booked.metric;
            let lacking: Vec<&str> = missing
                .iter()
                .filter(|(metrics, _)| metrics.contains(&metric.id))
                .map(|(_, said)| said.as_str())
                .collect();
            let what = match lacking.is_empty() {
                true => format!("`verism explain {}.{name}` says what it needs", facts.id),
                false => format!("it needs {}", lacking.join(", ")),
            };
            out.push(format!("{name} is undefined for {undefined} of {of} units ({}); {what}", listed.join(", ")));
        }
    }
    if asked > 0 && scored == 0 {
        let id = facts.id;
        out.push(format!(
            "no headline metric of {id} has a value for these logs: they may lack what it needs; `verism docs {id}` \
             describes its records"
        ));
    }
    out
}

/// Gives a caution where logs contradict themselves.
pub(super) fn error_audits(audits: &BTreeMap<String, u64>) -> Option<String> {
    let all: u64 = audits.values().sum();
    let listed: Vec<String> = audits.iter().map(|(audit, n)| format!("{audit} {n}")).collect();
    (all > 0).then(|| {
        format!(
            "the logs contradict themselves in {all} place(s): {}; `verism score` lists them in tables/audits.csv",
            listed.join(", ")
        )
    })
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
        let ledger = format!("[{}]", ledger.join(","));
        let said = undefined_headlines(facts, &ledger, &[]);
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].starts_with("ora is undefined for 3 of 5 units (no_state 3)"), "{said:?}");
        let missing: [Missing; 2] = [(&["ora"], "target_order (in 2 of 5 records)".into()), (&["pas"], "x".into())];
        let said = undefined_headlines(facts, &ledger, &missing);
        assert!(said[0].ends_with("; it needs target_order (in 2 of 5 records)"), "{said:?}");
    }
}
