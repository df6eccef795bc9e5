//! The tidy scores with their evidence.

use super::catalogue::{Entry, NO_DEFINED_CELL, RunEntry};
use super::ledger::Accounts;
use super::study::{Scored, Study, averaged};
use crate::error::Result;
use crate::score::output::Output;
use crate::score::{Measure, Row};
use crate::stats::sum::mean;
use crate::suites::adaptation::judge::tally::Tally;
use crate::suites::adaptation::measures::bands::band;
use crate::suites::adaptation::measures::evidence::{
    CellEvidence, ChangeEvidence, Evidence, NoEvidence, RatioEvidence,
};
use crate::suites::adaptation::measures::r_h::R_H;
use crate::suites::adaptation::measures::r_r::R_R;
use crate::suites::adaptation::measures::rates::Rates;
use crate::suites::adaptation::measures::{Block, OfChange};

/// Writes score rows and books them.
struct ScoreWriter<'a, 'o> {
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

impl<'a, 'o> ScoreWriter<'a, 'o> {
    fn of_run(scored: &Scored<'a>, output: &'o mut Output, accounts: &'o mut Accounts) -> ScoreWriter<'a, 'o> {
        let [model, group, run] = scored.id;
        let experiment = format!("{model}/{group}");
        let (model, run) = (Some(model.as_str()), Some(run.as_str()));
        let unit = run.unwrap_or_default();
        ScoreWriter { output, accounts, experiment, model, group, run, case: None, level: "run", unit }
    }

    fn write(&mut self, entry: &Entry, value: Measure, n: Option<u64>, evidence: &Evidence) -> Result<()> {
        if self.case.is_none() {
            self.accounts.book(&entry.id, &value);
        }
        self.output.score(&Row {
            suite: crate::suites::adaptation::ID,
            metric: &entry.id,
            experiment: &self.experiment,
            extra: &[("model", self.model), ("group", Some(self.group))],
            run: self.run,
            case: self.case,
            dialogue: None,
            turn: None,
            level: self.level,
            unit: self.unit,
            band: band(entry.measure.bands, &value),
            value,
            n,
            evidence: &evidence.json(),
        })
    }
}

/// Writes the scores: groups, comparisons, then runs with their agents.
pub(super) fn write(study: &Study<'_>, output: &mut Output, accounts: &mut Accounts) -> Result<()> {
    groups(study, output, accounts)?;
    comparisons(study, output, accounts)?;
    for scored in &study.scored {
        let tally = scored.cell.tally.open();
        run(study, scored, &tally, output, accounts)?;
        if study.params.score_cases {
            cases(study, scored, &tally, output, accounts)?;
        }
    }
    Ok(())
}

fn groups(study: &Study<'_>, output: &mut Output, accounts: &mut Accounts) -> Result<()> {
    for group in &study.axes[1] {
        let cells = study.cells_of(group);
        if cells.is_empty() {
            continue;
        }
        let (experiment, level, unit) = (group.clone(), "group", group);
        let mut writer =
            ScoreWriter { output, accounts, experiment, model: None, group, run: None, case: None, level, unit };
        for (entry, values) in study.catalogue.means.iter().zip(averaged(study, &cells)) {
            let value = mean(&values).ok_or(NO_DEFINED_CELL);
            let evidence = CellEvidence { cells: cells.len() as u64, defined: values.len() as u64 };
            writer.write(&entry.entry, value, Some(values.len() as u64), &Evidence::Cells(evidence))?;
        }
    }
    Ok(())
}

fn comparisons(study: &Study<'_>, output: &mut Output, accounts: &mut Accounts) -> Result<()> {
    for scored in study.compared() {
        let base_id = study.baseline_of(scored.id);
        let Some(base) = study.get(&base_id) else { continue };
        let mut writer = ScoreWriter::of_run(scored, output, accounts);
        for change in &study.catalogue.changes {
            let subject = |rates| (change.of.subject)(rates, change.entry.scheme);
            let (base, value) = (subject(&base.rates), subject(&scored.rates));
            let evidence = Evidence::Change(ChangeEvidence {
                base: base.clone().ok(),
                base_cell: base_id.join("/"),
                value: value.clone().ok(),
            });
            let changed = changed(study, change.of, base, value);
            writer.write(&change.entry, changed, scored.known(scored.active), &evidence)?;
        }
    }
    Ok(())
}

/// A change as it is given: the published program has no undefined percentage.
pub(super) fn changed(study: &Study<'_>, of: &OfChange, base: &Measure, value: &Measure) -> Measure {
    let change = (of.change)(base, value);
    if of.percent { study.params.reading.or_zero(change) } else { change }
}

fn run(
    study: &Study<'_>,
    scored: &Scored<'_>,
    tally: &Tally,
    output: &mut Output,
    accounts: &mut Accounts,
) -> Result<()> {
    let run = scored.run(tally);
    let mut writer = ScoreWriter::of_run(scored, output, accounts);
    for RunEntry { entry, of } in &study.catalogue.runs {
        // Workload is counted over all valid rows, active or not.
        let told = of.block == Block::Workload || scored.filled.exit_gap().is_none();
        let n = told.then(|| (of.n)(&run, entry.scheme));
        let evidence = if told { (of.evidence)(&run, entry.scheme) } else { Evidence::Nothing(NoEvidence {}) };
        writer.write(entry, (of.value)(&run, entry.scheme).value, n, &evidence)?;
    }
    Ok(())
}

fn cases(
    study: &Study<'_>,
    scored: &Scored<'_>,
    tally: &Tally,
    output: &mut Output,
    accounts: &mut Accounts,
) -> Result<()> {
    let mut writer = ScoreWriter { level: "case", ..ScoreWriter::of_run(scored, output, accounts) };
    let known = scored.filled.exit_gap().is_none();
    for (agent, core) in &tally.agents {
        (writer.case, writer.unit) = (Some(agent.as_str()), agent);
        let rates = Rates::of(&scored.filled, core);
        for (measure, value, numerator) in [(&R_H, rates.r_h, core.id), (&R_R, rates.r_r, core.think)] {
            let ratio = RatioEvidence { denominator: core.active, numerator };
            let evidence = if known { Evidence::Ratio(ratio) } else { Evidence::Nothing(NoEvidence {}) };
            writer.write(study.catalogue.run(measure, 0), value, scored.known(core.active), &evidence)?;
        }
    }
    Ok(())
}
