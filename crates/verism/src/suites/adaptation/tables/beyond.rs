//! The tables beyond the published four: rules, years, schemes, execution, labels, coherence.

use super::names;
use super::study::{Scored, Study};
use crate::error::Result;
use crate::score::Measure;
use crate::score::measure::ratio;
use crate::score::output::Output;
use crate::score::table::{Cell, Dialect};
use crate::suites::adaptation::judge::tally::STATUSES;
use crate::suites::adaptation::measures::h_norm::{EHE, H_INTENT, H_NORM, Labelled, diversity, ehe, h_norm};
use crate::suites::adaptation::measures::r_r::executed;
use crate::suites::adaptation::measures::rates::Rates;
use crate::suites::adaptation::row::SOURCES;

pub(super) fn write(study: &Study<'_>, output: &mut Output) -> Result<()> {
    rules(study, output)?;
    trajectory(study, output)?;
    k_sensitivity(study, output)?;
    execution(study, output)?;
    labels(study, output)?;
    coherence(study, output)
}

const WHO: [&str; 3] = ["model", "group", "run"];

fn columns(more: &[&str]) -> Vec<String> {
    names(&[&WHO, more].concat())
}

fn who<'a>(scored: &Scored<'a>) -> Vec<Cell<'a>> {
    scored.id.iter().map(|id| id.as_str().into()).collect()
}

fn defined(measure: &Measure) -> Cell<'static> {
    measure.as_ref().ok().copied().into()
}

fn rules(study: &Study<'_>, output: &mut Output) -> Result<()> {
    let mut columns = columns(&["rule", "kind", "n_exposed", "n_violations", "rate_active", "rate_exposed"]);
    columns.extend(STATUSES.map(|status| format!("n_{status}")));
    let mut table = output.table("adaptation_rules", columns, Dialect::Plain)?;
    for scored in &study.scored {
        let tally = scored.cell.tally.open();
        for (i, rule) in study.pack.rules.iter().enumerate() {
            let (exposed, broken) = (tally.exposed[i], tally.broken[i].iter().sum());
            let unknown = tally.rows > 0 && scored.filled.field_gap(rule.kind).is_some();
            let rate = |denominator: u64| ratio(broken, denominator).ok().filter(|_| !unknown);
            let mut row = who(scored);
            row.extend([Cell::from(rule.id.as_str()), rule.kind.name().into()]);
            row.extend([Cell::from(scored.known(exposed)), scored.known(broken).into()]);
            row.extend([Cell::from(rate(tally.core.active)), rate(exposed).into()]);
            row.extend(tally.broken[i].map(|count| Cell::from(scored.known(count))));
            table.row(&row)?;
        }
    }
    table.finish()
}

fn trajectory(study: &Study<'_>, output: &mut Output) -> Result<()> {
    let mut columns = columns(&["year", "n_active", "n_id_violation", "n_think_violation", "R_H", "R_R"]);
    let title = |measure, scheme| study.catalogue.run(measure, scheme).title.clone();
    columns.extend(study.pack.table_schemes().flat_map(|(i, _)| [title(&H_NORM, i), title(&EHE, i)]));
    columns.extend(study.pack.table_schemes().map(|(i, _)| title(&H_INTENT, i)));
    let mut table = output.table("adaptation_trajectory", columns, Dialect::Plain)?;
    for scored in &study.scored {
        for (year, core) in &scored.cell.tally.open().years {
            let rates = Rates::of(&scored.filled, core);
            let mut row = who(scored);
            row.push((*year).into());
            row.extend([core.active, core.id, core.think].map(|count| Cell::from(scored.known(count))));
            row.extend([defined(&rates.r_h), defined(&rates.r_r)]);
            for (i, _) in study.pack.table_schemes() {
                row.extend([defined(&rates.h_norm[i]), defined(&rates.ehe[i])]);
            }
            for (_, scheme) in study.pack.table_schemes() {
                row.push(defined(&h_norm(&scored.filled, core, Labelled::Intent, scheme)));
            }
            table.row(&row)?;
        }
    }
    table.finish()
}

fn k_sensitivity(study: &Study<'_>, output: &mut Output) -> Result<()> {
    let columns =
        columns(&["source", "scheme", "k", "n", "classes_observed", "H_bits", "H_norm", "effective_actions", "EHE"]);
    let mut table = output.table("adaptation_k_sensitivity", columns, Dialect::Plain)?;
    for scored in &study.scored {
        let core = &scored.cell.tally.open().core;
        for (source, labelled) in [("action", Labelled::Action), ("intent", Labelled::Intent)] {
            for scheme in &study.pack.schemes {
                let found = diversity(&scored.filled, core, labelled, scheme);
                let norm = h_norm(&scored.filled, core, labelled, scheme);
                let mut row = who(scored);
                row.extend([Cell::from(source), scheme.id.as_str().into(), (scheme.k as u64).into()]);
                row.extend([Cell::from(scored.known(found.n)), scored.known(found.seen).into()]);
                row.extend([Cell::from(found.bits), defined(&norm), found.bits.map(libm::exp2).into()]);
                row.push(defined(&ehe(&norm, &scored.rates.r_h)));
                table.row(&row)?;
            }
        }
    }
    table.finish()
}

fn execution(study: &Study<'_>, output: &mut Output) -> Result<()> {
    let mut columns = columns(&["n_active"]);
    for prefix in ["n_", "n_id_", "n_think_"] {
        columns.extend(STATUSES.map(|status| format!("{prefix}{status}")));
    }
    columns.extend(names(&["n_with_proposal", "n_substituted", "R_R_executed", "R_H_executed"]));
    let mut table = output.table("adaptation_execution", columns, Dialect::Plain)?;
    for scored in &study.scored {
        let (tally, rates) = (scored.cell.tally.open(), &scored.rates);
        let active = tally.core.active;
        let mut row = who(scored);
        row.push(scored.known(active).into());
        for counts in [&tally.status, &tally.id_status, &tally.think_status] {
            row.extend(counts.map(|count| Cell::from(scored.known(count))));
        }
        row.extend([tally.with_proposal, tally.substituted].map(|count| Cell::from(scored.known(count))));
        row.push(defined(&executed(&rates.r_r, tally.think_status[0], active)));
        row.push(defined(&executed(&rates.r_h, tally.id_status[0], active)));
        table.row(&row)?;
    }
    table.finish()
}

/// Levels of all constructs: the columns of the table of labels, where constructs share them.
fn levels<'a>(study: &Study<'a>) -> Vec<&'a str> {
    let mut levels: Vec<&str> = vec![];
    for level in study.pack.constructs.iter().flat_map(|construct| &construct.levels) {
        if !levels.contains(&level.as_str()) {
            levels.push(level);
        }
    }
    levels
}

fn labels(study: &Study<'_>, output: &mut Output) -> Result<()> {
    let levels = levels(study);
    let mut columns = columns(&["construct"]);
    columns.extend(levels.iter().map(|level| format!("n_{level}")));
    columns.extend(SOURCES.map(|source| format!("src_{source}")));
    let mut table = output.table("adaptation_labels", columns, Dialect::Plain)?;
    for scored in &study.scored {
        let tally = scored.cell.tally.open();
        for (c, construct) in study.pack.constructs.iter().enumerate() {
            let mut row = who(scored);
            row.push(construct.id.as_str().into());
            row.extend(levels.iter().map(|level| {
                let place = construct.levels.iter().position(|known| known == level);
                Cell::from(place.and_then(|place| scored.known(tally.levels[c][place])))
            }));
            row.extend(tally.sources[c].map(|count| Cell::from(scored.known(count))));
            table.row(&row)?;
        }
    }
    table.finish()
}

fn coherence(study: &Study<'_>, output: &mut Output) -> Result<()> {
    let constructs: Vec<usize> = study.pack.coherence.as_ref().map_or(vec![], |coherence| coherence.constructs.clone());
    let mut columns = columns(&[]);
    columns.extend(constructs.iter().map(|&c| study.pack.constructs[c].id.clone()));
    columns.extend(names(&["n", "n_coherent", "rate"]));
    let mut table = output.table("adaptation_coherence", columns, Dialect::Plain)?;
    for scored in study.scored.iter().filter(|scored| scored.filled.exit_gap().is_none()) {
        for (levels, n, coherent) in &scored.cell.tally.open().coherence.grid {
            let mut row = who(scored);
            let named =
                |(&c, &level): (&usize, &u8)| Cell::from(study.pack.constructs[c].levels[usize::from(level)].as_str());
            row.extend(constructs.iter().zip(levels.iter()).map(named));
            row.extend([Cell::from(*n), (*coherent).into(), ratio(*coherent, *n).ok().into()]);
            table.row(&row)?;
        }
    }
    table.finish()
}
