//! `verism gate`.

use std::path::Path;
use std::process::ExitCode;

use verism::compare::gate::{Rule, View, judge, overall};
use verism::compare::{Input, Options, compare};
use verism::{Defect, Result};

use super::why::whole;
use crate::args::{Common, Gate};
use crate::inputs::comparison_options;
use crate::terminal::Terminal;

pub(crate) fn run(what: &Gate, common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    let rules = what.rules.iter().map(|text| Rule::parse(text)).collect::<Result<Vec<_>>>()?;
    let mut source = Source::open(what, terminal)?;
    let mut findings = vec![];
    for rule in &rules {
        findings.extend(judge(std::slice::from_ref(rule), source.view(rule, terminal)?)?);
    }
    terminal.done();
    let outcome = overall(&findings);
    if common.json {
        terminal.print(&format!("{:#}\n", serde_json::json!({"verdict": outcome, "findings": findings})))?;
    } else {
        terminal.write(|out| findings.iter().try_for_each(|finding| writeln!(out, "{finding}")))?;
    }
    Ok(ExitCode::from(outcome.exit_code()))
}

/// Where comparisons come from: one that was written, or one made now of the folder's headline metrics. Rules about other
/// metrics get a comparison of all, so that they do not cost the headline metrics power.
struct Source {
    main: View,
    all: Option<View>,
    scores: Option<(Input, Options)>,
}

impl Source {
    fn open(what: &Gate, terminal: &Terminal) -> Result<Source> {
        let written = what.folder.join("comparison.json");
        if written.is_file() {
            return Source::written(&written, what);
        }
        let manifest = whole(&what.folder)?;
        let options = comparison_options(&what.comparing, &[&what.folder], &[], terminal)?;
        let input = Input { label: None, path: what.folder.clone() };
        let main = View::of(&compare(std::slice::from_ref(&input), &options, terminal)?)?.with_ledger(&manifest)?;
        let scores = options.metrics.is_none().then_some((input, options));
        Ok(Source { main, all: None, scores })
    }

    fn written(path: &Path, what: &Gate) -> Result<Source> {
        let shown = path.display().to_string();
        if let Some(option) = what.comparing.options.first() {
            let hint = "give options to `verism compare`, or point the gate at the scores";
            return Err(Defect::new("bad_option", "no options for a comparison that is written already")
                .file(shown)
                .value(option)
                .hint(hint)
                .into());
        }
        let unreadable = |error: std::io::Error| {
            Defect::new("not_a_comparison", "a comparison written by verism").file(&shown).value(error.to_string())
        };
        let text = std::fs::read_to_string(path).map_err(unreadable)?;
        Ok(Source { main: View::read(&text)?, all: None, scores: None })
    }

    fn view(&mut self, rule: &Rule, terminal: &Terminal) -> Result<&View> {
        if self.main.knows(rule) {
            return Ok(&self.main);
        }
        if let (None, Some((input, options))) = (&self.all, &self.scores) {
            let every = Options { metrics: Some(vec!["all".to_string()]), ..options.clone() };
            self.all = Some(View::of(&compare(std::slice::from_ref(input), &every, terminal)?)?);
        }
        Ok(self.all.as_ref().unwrap_or(&self.main))
    }
}
