//! `verism validity`.

use std::io::{self, Write};
use std::process::ExitCode;

use verism::Result;
use verism::input::Watch;
use verism::suites::recommender::{Agreement, Validity, ValidityQuestion, validity};

use crate::args::{self, Common};
use crate::terminal::Terminal;

/// Metrics that are shown beside the baselines.
const SHOWN: [&str; 5] = ["tas", "tas_expressed", "recovery_rate", "focus_item", "fidelity"];

pub(crate) fn run(what: &args::Validity, common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    let found = validity(&ValidityQuestion {
        folder: &what.folder,
        labels: what.labels.as_deref(),
        metrics: what.metrics.clone(),
        resamples: what.resamples,
        seed: what.seed,
        lenient: what.lenient,
        limits: terminal.limits(),
    })?;
    if common.json {
        let text = serde_json::to_string_pretty(&found).expect("correlations have a JSON form");
        terminal.print(&(text + "\n"))?;
    } else {
        terminal.write(|out| tell(out, &found))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn tell(out: &mut dyn Write, found: &Validity) -> io::Result<()> {
    if found.correlations.is_empty() {
        writeln!(out, "no labels: give a file with --labels FILE, or score dialogues that hold `labels` or `judge`")?;
    } else {
        let heads = ["metric", "label", "level", "scope", "n", "rho", "95 % interval", "p"];
        let [metric, label, level, scope, n, rho, interval, p] = heads;
        writeln!(out, "{metric:<26} {label:<24} {level:<9} {scope:<16} {n:>6} {rho:>8} {interval:>18} {p:>10}")?;
        found.correlations.iter().try_for_each(|row| agreement(out, row))?;
    }
    for (name, count) in &found.notes {
        writeln!(out, "{name}: {count}")?;
    }
    for defect in &found.label_errors {
        writeln!(out, "left out: {defect}")?;
    }
    writeln!(out, "\nCan the metrics be gamed? Trivial replies on the same user turns:")?;
    let Some(baselines) = &found.baselines else {
        return writeln!(out, "  not known: score the folder again with --option baselines=true");
    };
    let heads: Vec<String> = SHOWN.iter().map(|metric| format!("{metric:>14}")).collect();
    writeln!(out, "{:<26}{}", "", heads.concat())?;
    let named = [("baseline", baselines), ("experiment", &found.experiments)];
    for (kind, row) in named.iter().flat_map(|(kind, rows)| rows.iter().map(move |row| (kind, row))) {
        let value = |metric: &&str| row[*metric].as_f64().map_or("–".to_string(), |x| format!("{x:.4}"));
        let values: Vec<String> = SHOWN.iter().map(|metric| format!("{:>14}", value(metric))).collect();
        let name = format!("{kind} {}", row["experiment"].as_str().unwrap_or_default());
        writeln!(out, "{name:<26}{}", values.concat())?;
    }
    Ok(())
}

fn agreement(out: &mut dyn Write, row: &Agreement) -> io::Result<()> {
    let number = |x: Option<f64>| x.map_or("–".to_string(), |x| format!("{x:.4}"));
    let interval = match (row.ci_lo, row.ci_hi) {
        (Some(low), Some(high)) => format!("{low:.4} .. {high:.4}"),
        _ => "–".to_string(),
    };
    let why = serde_json::json!(row.reason);
    let p = row.p.map_or_else(|| why.as_str().unwrap_or("–").to_string(), |p| format!("{p:.4}"));
    let label = format!("{} ({})", row.aspect, row.source);
    let scope = row.experiment.as_deref().unwrap_or(row.scope);
    writeln!(
        out,
        "{:<26} {label:<24} {:<9} {scope:<16} {:>6} {:>8} {interval:>18} {p:>10}",
        row.metric,
        row.level,
        row.n,
        number(row.rho),
    )
}
