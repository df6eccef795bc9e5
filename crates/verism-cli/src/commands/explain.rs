//! `verism explain`.

use std::process::ExitCode;

use verism::suites::{Metric, suite};
use verism::{Defect, Result};

use crate::args::{Common, Explain};
use crate::terminal::Terminal;

pub(crate) fn run(what: &Explain, common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    let (id, metric) =
        what.what.split_once('.').map_or((what.what.as_str(), None), |(suite, metric)| (suite, Some(metric)));
    let suite = suite(id)?;
    let facts = suite.facts();
    let options = || (facts.options)().into_iter().chain(suite.supplied());
    let Some(name) = metric else {
        if common.json {
            let options: Vec<_> =
                options().map(|option| serde_json::json!({"name": option.name, "default": option.default, "meaning": option.says})).collect();
            let document = serde_json::json!({"suite": facts.id, "metrics": facts.metrics, "options": options, "decisions": facts.decisions});
            terminal.print(&format!("{document:#}\n"))?;
            return Ok(ExitCode::SUCCESS);
        }
        terminal.write(|out| {
            writeln!(
                out,
                "{}: {}\nreads {}\n\nmetrics (explain one: verism explain {}.METRIC)",
                facts.id, facts.title, facts.reads, facts.id
            )?;
            for metric in facts.metrics {
                let mark = if metric.headline { "*" } else { " " };
                writeln!(out, " {mark}{:<26} {}", metric.id, metric.says)?;
            }
            writeln!(out, "  (* headline: compared by default)")?;
            writeln!(out, "  (intervals: `compare` and `gate` give Student's t, tables those of the specification)")?;
            writeln!(out, "\noptions (--option KEY=VALUE)")?;
            for option in options() {
                writeln!(out, "  {:<12} {} [{}]", option.name, option.says, option.default)?;
            }
            writeln!(out, "\ndecisions")?;
            facts.decisions.iter().try_for_each(|(id, decision)| writeln!(out, "  {id:<4} {decision}"))
        })?;
        return Ok(ExitCode::SUCCESS);
    };
    let lower = name.to_lowercase();
    let Some(metric) = facts.metrics.iter().find(|metric| metric.id == lower || metric.describes(&lower)) else {
        let known: Vec<&str> = facts.metrics.iter().map(|metric| metric.id).collect();
        return Err(Defect::new("unknown_metric", known.join("|"))
            .field("metric")
            .value(name)
            .did_you_mean(known)
            .into());
    };
    if common.json {
        terminal.print(&format!("{:#}\n", serde_json::json!(metric)))?;
    } else {
        terminal.write(|out| describe(out, metric))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn describe(out: &mut dyn std::io::Write, metric: &Metric) -> std::io::Result<()> {
    writeln!(out, "{}: {}\n", metric.title, metric.says)?;
    let headline = if metric.headline { ", headline" } else { "" };
    for (name, text) in [
        ("formula", metric.formula.to_string()),
        ("range", metric.range_text()),
        ("better", metric.better.name().to_string()),
        ("level", format!("{}{headline}", metric.level)),
        ("empty case", metric.empty.to_string()),
        ("source", metric.source.to_string()),
    ] {
        writeln!(out, "  {name:<11} {text}")?;
    }
    Ok(())
}
