//! `verism explain`.

use std::process::ExitCode;

use verism::suites::{Metric, OptionFacts, SuiteFacts, suite};
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
            let options: Vec<_> = options().map(|option| option_as_json(&option)).collect();
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
            writeln!(out, "\noptions (--option KEY=VALUE; explain one: verism explain {}.KEY)", facts.id)?;
            for option in options() {
                writeln!(out, "  {:<12} {} [{}]", option.name, option.says, option.default)?;
            }
            writeln!(out, "\ndecisions")?;
            facts.decisions.iter().try_for_each(|(id, decision)| writeln!(out, "  {id:<4} {decision}"))
        })?;
        return Ok(ExitCode::SUCCESS);
    };
    let lower = name.to_lowercase();
    let metric = facts.metrics.iter().find(|metric| metric.id == lower || metric.describes(&lower));
    let option = options().find(|option| option.name == lower);
    match (metric, option) {
        (Some(metric), _) if common.json => terminal.print(&format!("{:#}\n", serde_json::json!(metric)))?,
        (None, Some(option)) if common.json => terminal.print(&format!("{:#}\n", option_as_json(&option)))?,
        (None, None) => {
            let metrics: Vec<&str> = facts.metrics.iter().map(|metric| metric.id).collect();
            return Err(Defect::new("unknown_metric", metrics.join("|"))
                .field("metric")
                .value(name)
                .hint(format!("options are explained, too: `verism explain {id}` lists them"))
                .did_you_mean(metrics.into_iter().chain(options().map(|option| option.name)))
                .into());
        }
        (metric, option) => terminal.write(|out| {
            metric.map_or(Ok(()), |metric| describe(out, metric))?;
            if metric.is_some() && option.is_some() {
                writeln!(out, "\nThere is an option of that name, too.\n")?;
            }
            option.map_or(Ok(()), |option| describe_option(out, facts, &option))
        })?,
    }
    Ok(ExitCode::SUCCESS)
}

fn option_as_json(option: &OptionFacts) -> serde_json::Value {
    serde_json::json!({"name": option.name, "default": option.default, "meaning": option.says})
}

fn describe_option(out: &mut dyn std::io::Write, facts: &SuiteFacts, option: &OptionFacts) -> std::io::Result<()> {
    writeln!(out, "{}: {}\n", option.name, option.says)?;
    writeln!(out, "  {:<11} {}", "default", option.default)?;
    writeln!(out, "  {:<11} --option {}=VALUE, or in [suite.{}] of verism.toml", "given as", option.name, facts.id)?;
    let names = |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == option.name);
    let mut about = facts.decisions.iter().filter(|(_, says)| says.split("(option ").skip(1).any(names));
    about.try_for_each(|(id, says)| writeln!(out, "  {:<11} {id}: {says}", "decision"))
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
