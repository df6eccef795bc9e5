//! The tidy scores with their evidence.

use serde_json::{Map, Value, json};

use super::cacr::Coherent;
use super::finish::{Scored, Study};
use super::ground::Ground;
use super::h_norm::{Labelled, ehe, h_norm};
use super::ledger::Accounts;
use super::measures::Measures;
use super::names::Name;
use super::pack::RuleKind;
use super::r_r::{executed, r_r_informed};
use super::tables::{cells_of, group_values};
use super::tally::{Core, Events, STATUSES, Tally};
use super::versus;
use super::workload::Count;
use crate::error::Result;
use crate::score::measure::{EMPTY_DENOMINATOR, NOT_APPLICABLE, ratio};
use crate::score::output::Output;
use crate::score::{Measure, Row, Undefined};
use crate::stats::sum::mean;

/// Advisory bands: lower bounds and names.
const RATE_BANDS: &[(f64, &str)] = &[(0.0, "rare"), (0.01, "occasional"), (0.05, "frequent"), (0.10, "pervasive")];
const ENTROPY_BANDS: &[(f64, &str)] = &[(0.0, "collapsed"), (0.1, "narrow"), (0.5, "varied"), (0.9, "near-uniform")];
const CACR_BANDS: &[(f64, &str)] = &[(0.0, "incoherent"), (0.5, "weak"), (0.75, "coherent")];

/// The advisory band of a metric's value. Means have none.
fn band(metric: &str, value: &Measure) -> Option<&'static str> {
    let bands = match metric {
        "r_h" | "r_r" => RATE_BANDS,
        "cacr" => CACR_BANDS,
        entropy
            if (entropy.starts_with("h_norm_") || entropy.starts_with("h_intent_norm_"))
                && !entropy.ends_with("_mean") =>
        {
            ENTROPY_BANDS
        }
        _ => return None,
    };
    let value = *value.as_ref().ok()?;
    bands.iter().rev().find(|(low, _)| value >= *low).map(|(_, name)| *name)
}

/// Writes score rows and books them.
struct Pen<'a, 'o> {
    output: &'o mut Output,
    accounts: &'o mut Accounts,
    experiment: String,
    model: Option<&'a str>,
    group: &'a str,
    run: Option<&'a str>,
    case: Option<&'a str>,
    level: &'static str,
    unit: &'a str,
}

impl Pen<'_, '_> {
    fn write(&mut self, name: &Name, value: Measure, n: Option<u64>, evidence: &str) -> Result<()> {
        if self.case.is_none() {
            self.accounts.book(&name.id, &value);
        }
        self.output.score(&Row {
            suite: super::ID,
            metric: &name.id,
            experiment: &self.experiment,
            extra: &[("model", self.model), ("group", Some(self.group))],
            run: self.run,
            case: self.case,
            dialogue: None,
            turn: None,
            level: self.level,
            unit: self.unit,
            band: band(&name.id, &value),
            value,
            n,
            evidence,
        })
    }
}

pub(super) fn write(study: &Study<'_>, output: &mut Output, accounts: &mut Accounts) -> Result<()> {
    groups(study, output, accounts)?;
    comparisons(study, output, accounts)?;
    for scored in &study.scored {
        cell(study, scored, output, accounts)?;
    }
    Ok(())
}

fn groups(study: &Study<'_>, output: &mut Output, accounts: &mut Accounts) -> Result<()> {
    for group in &study.axes[1] {
        let cells = cells_of(study, group);
        if cells.is_empty() {
            continue;
        }
        let (experiment, level) = (group.clone(), "group");
        let mut pen =
            Pen { output, accounts, experiment, model: None, group, run: None, case: None, level, unit: group };
        for (name, values) in study.names.means.iter().zip(group_values(&cells)) {
            let value = mean(&values).ok_or(Undefined::new("no_defined_cell"));
            let evidence = json!({"cells": cells.len(), "defined": values.len()}).to_string();
            pen.write(name, value, Some(values.len() as u64), &evidence)?;
        }
    }
    Ok(())
}

fn pen<'a, 'o>(scored: &Scored<'a>, output: &'o mut Output, accounts: &'o mut Accounts) -> Pen<'a, 'o> {
    let [model, group, run] = scored.id;
    let experiment = format!("{model}/{group}");
    Pen { output, accounts, experiment, model: Some(model), group, run: Some(run), case: None, level: "run", unit: run }
}

fn comparisons(study: &Study<'_>, output: &mut Output, accounts: &mut Accounts) -> Result<()> {
    for scored in study.compared() {
        let Some(changes) = versus::changes(study, scored) else { continue };
        let base_cell = study.baseline_of(scored.id).join("/");
        let mut pen = pen(scored, output, accounts);
        let n = scored.known(scored.active);
        for ((percent, delta), change) in study.names.versus.iter().zip(changes) {
            let evidence = json!({"base": change.base, "value": change.value, "base_cell": base_cell}).to_string();
            pen.write(percent, change.percent, n, &evidence)?;
            pen.write(delta, change.delta, n, &evidence)?;
        }
    }
    Ok(())
}

/// Evidence of a rate: the counts it is made of, by rule, and the first events.
fn rate_evidence(study: &Study<'_>, tally: &Tally, kind: RuleKind) -> String {
    let by_rule = |count: &dyn Fn(usize) -> u64| -> Value {
        study.pack.rules_of(kind).map(|(i, rule)| (rule.id.clone(), json!(count(i)))).collect::<Map<_, _>>().into()
    };
    let (numerator, events, own): (u64, &Events, (&str, u64)) = match kind {
        RuleKind::Feasibility => (tally.core.id, &tally.first_id, ("no_history", tally.first_active)),
        RuleKind::Thinking => {
            (tally.core.think, &tally.first_think, ("other_intent", tally.core.intent[study.pack.actions.len()]))
        }
    };
    let events: Vec<String> = events.iter().map(|(agent, year)| format!("{agent}@{year}")).collect();
    json!({
        "numerator": numerator, "denominator": tally.core.active,
        "rules": by_rule(&|i| tally.broken[i].iter().sum()), "exposed": by_rule(&|i| tally.exposed[i]),
        own.0: own.1, "events": events,
    })
    .to_string()
}

fn count_evidence(study: &Study<'_>, counts: &[u64]) -> String {
    let by_action: Map<String, Value> =
        study.pack.actions.iter().zip(counts).map(|(action, count)| (action.id.clone(), json!(count))).collect();
    json!({"counts": by_action, "other": counts[study.pack.actions.len()]}).to_string()
}

fn share_evidence(numerator: u64, denominator: u64) -> String {
    json!({"numerator": numerator, "denominator": denominator}).to_string()
}

fn real(count: &Count) -> Measure {
    count.clone().map(|count| count as f64)
}

fn cell<'a>(study: &Study<'_>, scored: &Scored<'a>, output: &mut Output, accounts: &mut Accounts) -> Result<()> {
    let (pack, names, ground) = (study.pack, &study.names, &scored.ground);
    let tally = &scored.cell.tally.open();
    let (core, m) = (&tally.core, &scored.measures);
    let lost = ground.lost();
    let n = scored.known(core.active);
    let mut pen = pen(scored, output, accounts);
    let say = |evidence: String| if lost.is_some() { "{}".to_string() } else { evidence };
    let unless_lost = |measure: Measure| lost.clone().map_or(measure, Err);

    pen.write(&names.r_h, m.r_h.clone(), n, &say(rate_evidence(study, tally, RuleKind::Feasibility)))?;
    let thinking = say(rate_evidence(study, tally, RuleKind::Thinking));
    pen.write(&names.r_r, m.r_r.clone(), n, &thinking)?;
    pen.write(&names.rationality_pass, m.rationality_pass.clone(), n, &thinking)?;

    let acted = say(count_evidence(study, &core.action));
    for i in 0..pack.schemes.len() {
        pen.write(&names.h_norm[i], m.h_norm[i].clone(), n, &acted)?;
        pen.write(&names.ehe[i], m.ehe[i].clone(), n, &acted)?;
    }
    let meant = say(count_evidence(study, &core.intent));
    for (place, (_, scheme)) in pack.table_schemes().enumerate() {
        let norm = h_norm(ground, core, Labelled::Intent, scheme);
        let effective = ehe(&norm, &m.r_h);
        pen.write(&names.h_intent[place], norm, n, &meant)?;
        pen.write(&names.ehe_intent[place], effective, n, &meant)?;
    }

    let rows = json!({"rows": tally.rows}).to_string();
    let work = &scored.workload;
    for (name, count) in names.workload.iter().zip([&work.intervention_rows, &work.retry_rows, &work.retry_sum]) {
        pen.write(name, real(count), Some(tally.rows), &rows)?;
    }

    let other = pack.actions.len();
    for (name, count) in [(&names.other_action, core.action[other]), (&names.other_intent, core.intent[other])] {
        let share = unless_lost(ratio(count, core.active));
        pen.write(name, share, n, &say(share_evidence(count, core.active)))?;
    }

    let by_status: Map<String, Value> =
        STATUSES.iter().zip(tally.think_status).map(|(status, count)| (status.to_string(), json!(count))).collect();
    let carried_out = executed(&m.r_r, tally.think_status[0], core.active);
    pen.write(&names.r_r_executed, carried_out, n, &say(json!({"by_status": by_status}).to_string()))?;

    let proposed = scored.known(tally.with_proposal);
    let evidence = say(share_evidence(tally.substituted, tally.with_proposal));
    pen.write(&names.substitution, unless_lost(substitution_rate(scored, tally)), proposed, &evidence)?;

    let evidence = say(share_evidence(core.think, tally.informed));
    let informed = r_r_informed(&m.r_r, tally);
    pen.write(&names.r_r_informed, informed, scored.known(tally.informed), &evidence)?;

    for (place, (i, _)) in pack.table_schemes().enumerate() {
        let values = yearly(ground, tally, i);
        let value = unless_lost(mean(&values).ok_or(EMPTY_DENOMINATOR));
        let evidence = say(json!({"years": values.len()}).to_string());
        pen.write(&names.yearly[place], value, scored.known(values.len() as u64), &evidence)?;
    }

    if let Some(coherent) = Coherent::of(pack, &tally.coherence) {
        let n = scored.known(coherent.n);
        let c = &tally.coherence;
        let skipped = [("no_coherence_rule", c.no_rule), ("no_label", c.no_label), ("other_intent", c.other_intent)];
        let skipped: Map<String, Value> = skipped
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(why, count)| (why.to_string(), json!(count)))
            .collect();
        let evidence = json!({"numerator": coherent.coherent, "denominator": coherent.n, "skipped": skipped});
        pen.write(&names.cacr, unless_lost(coherent.cacr()), n, &say(evidence.to_string()))?;
        let evidence = format!("{{\"numerator\":{},\"denominator\":{}}}", coherent.chance, coherent.squared());
        pen.write(&names.cacr_chance, unless_lost(coherent.chance()), n, &say(evidence))?;
    }

    if study.params.score_cases {
        pen.level = "case";
        for (agent, core) in &tally.agents {
            (pen.case, pen.unit) = (Some(agent.as_str()), agent);
            let m = Measures::of(ground, core);
            let n = scored.known(core.active);
            for (name, value, count) in [(&names.r_h, m.r_h, core.id), (&names.r_r, m.r_r, core.think)] {
                let evidence = say(share_evidence(count, core.active));
                pen.write(name, value, n, &evidence)?;
            }
        }
    }
    Ok(())
}

/// The share of proposals that governance replaced.
///
/// ```math
/// substitution\_rate = n_{substituted} / n_{with\ proposal}
/// ```
/// `not_applicable` in a format without proposals, `missing_field:<column>` if none is filled.
fn substitution_rate(scored: &Scored<'_>, tally: &Tally) -> Measure {
    let ground = &scored.ground;
    let rate = ratio(tally.substituted, tally.with_proposal);
    if rate.is_ok() || tally.core.active == 0 {
        return rate;
    }
    let format = scored.cell.format.filter(|_| !ground.v6).map(|format| &ground.pack.formats[format]);
    match format.and_then(|format| format.proposed.as_ref()) {
        Some(column) => Err(Undefined::missing_field(column)),
        None => Err(NOT_APPLICABLE),
    }
}

/// The yearly values of a scheme's entropy, in the order of years; the published program's zero for a year without
/// active rows is not one of them.
fn yearly(ground: &Ground<'_>, tally: &Tally, scheme: usize) -> Vec<f64> {
    let used = |core: &&Core| !ground.v6 || core.active > 0;
    let value = |core: &Core| h_norm(ground, core, Labelled::Action, &ground.pack.schemes[scheme]).ok();
    tally.years.values().filter(used).filter_map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_begin_at_their_lower_bound() {
        for (metric, value, name) in [
            ("r_h", 0.0, Some("rare")),
            ("r_r", 0.01, Some("occasional")),
            ("r_r", 0.0999, Some("frequent")),
            ("r_h", 1.0, Some("pervasive")),
            ("h_norm_k5", 0.9, Some("near-uniform")),
            ("h_intent_norm_k4", 0.49, Some("narrow")),
            ("h_norm_k5_mean", 0.5, None),
            ("h_norm_k5_yearly_mean", 0.5, None),
            ("cacr", 0.75, Some("coherent")),
            ("rationality_pass", 0.5, None),
        ] {
            assert_eq!(band(metric, &Ok(value)), name, "{metric} {value}");
        }
        assert_eq!(band("r_h", &Err(EMPTY_DENOMINATOR)), None);
    }
}
