//! Where the gate looks: scores, which it compares itself, or a comparison that was written.

use std::path::Path;

use super::finding::Judgement;
use super::judge::{Gate, named, need_named};
use super::named_pairs::NamedPairs;
use super::rule::{Demand, Rule};
use super::view::{PairLine, View};
use crate::compare::comparison::compare_table;
use crate::compare::error::unknown;
use crate::compare::options::Options;
use crate::compare::read::inputs::{Input, read_inputs};
use crate::compare::read::table::Table;
use crate::error::{Defect, Result};
use crate::input::Watch;
use crate::score::manifest::Manifest;

/// What rules are held against.
pub struct Source {
    /// The comparison of the headline metrics, or the one that was written.
    main: View,
    /// The comparison of all metrics, for rules about others: it costs the headline metrics no power.
    all: Option<View>,
    scores: Option<(Table, Options)>,
}

impl Source {
    /// Reads a folder of scores, to be compared with these options.
    pub fn scores(folder: &Path, manifest: &Manifest, options: &Options, watch: &dyn Watch) -> Result<Source> {
        let (table, options) = read_inputs(&[Input::at(folder)], options, watch)?;
        let main = View::of(&compare_table(table.clone(), &options)?)?.with_ledger(manifest)?;
        Ok(Source { main, all: None, scores: Some((table, options)) })
    }

    /// Reads `comparison.json`.
    pub fn written(path: &Path) -> Result<Source> {
        let shown = path.display().to_string();
        let unreadable = |error: std::io::Error| {
            Defect::new("not_a_comparison", "a comparison written by verism").file(&shown).value(error.to_string())
        };
        let text = std::fs::read_to_string(path).map_err(unreadable)?;
        Ok(Source { main: View::read(&text)?, all: None, scores: None })
    }

    #[cfg(test)]
    pub(super) fn of_table(table: Table, options: &Options) -> Result<Source> {
        let main = View::of(&compare_table(table.clone(), options)?)?;
        Ok(Source { main, all: None, scores: Some((table, options.clone())) })
    }

    /// Holds rules against the comparisons. A statistic without a value fails, an interval without ends stays open.
    pub fn judge(mut self, rules: &[Rule]) -> Result<Judgement> {
        let mut pairs = NamedPairs::default();
        for rule in rules {
            if let Demand::Against { name, experiment, baseline, .. } = &rule.demand {
                pairs.add(self.pair(rule, name, experiment, baseline)?);
            }
        }
        pairs.conclude(&self.main);
        let mut findings = Vec::new();
        for rule in rules {
            let view = self.view(rule)?;
            let gate = Gate { rule, view, pairs: &pairs };
            match &rule.demand {
                Demand::Coverage(bound) => findings.push(gate.coverage(*bound)),
                Demand::Metric { name, experiment, bound } => {
                    findings.extend(gate.metric(name, experiment.as_deref(), *bound)?);
                }
                Demand::Against { name, experiment, relation, baseline } => {
                    findings.push(gate.against(name, experiment, *relation, baseline)?);
                }
            }
        }
        Ok(Judgement::of(findings, self.main.cautions))
    }

    /// The comparison that knows a rule's metric.
    fn view(&mut self, rule: &Rule) -> Result<&View> {
        if self.main.knows(rule) {
            return Ok(&self.main);
        }
        if let (None, Some((table, options))) = (&self.all, &self.scores)
            && options.metrics.is_none()
        {
            let every = Options { metrics: Some(vec!["all".to_string()]), ..options.clone() };
            self.all = Some(View::of(&compare_table(table.clone(), &every)?)?);
        }
        Ok(self.all.as_ref().unwrap_or(&self.main))
    }

    /// The comparison of two experiments on a metric: made of these two alone, or as it was written.
    fn pair(&mut self, rule: &Rule, name: &str, experiment: &str, baseline: &str) -> Result<PairLine> {
        let view = self.view(rule)?;
        let metric = need_named(view, name)?;
        let written = view.pair(&metric, experiment, baseline);
        let held: Vec<String> =
            view.ledger.iter().filter(|line| line.name == metric).map(|line| line.experiment.clone()).collect();
        let known: Vec<String> = view.pair_names(&metric);
        let Some((table, options)) = &self.scores else {
            return written.ok_or_else(|| unknown("rule", "pair", &format!("{experiment} v {baseline}"), &known));
        };
        for wanted in [experiment, baseline] {
            if !held.iter().any(|experiment| experiment == wanted) {
                return Err(unknown("rule", "experiment", wanted, &held));
            }
        }
        let alone = Options {
            metrics: Some(vec![metric.full()]),
            experiments: Some(vec![baseline.to_string(), experiment.to_string()]),
            baseline: None,
            ..options.clone()
        };
        let view = View::of(&compare_table(table.clone(), &alone)?)?;
        let found = named(&view, &metric.full())?.and_then(|metric| view.pair(&metric, experiment, baseline));
        found.ok_or_else(|| unknown("rule", "pair", &format!("{experiment} v {baseline}"), &known))
    }
}
