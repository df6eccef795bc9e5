//! What is summed over texts and batches: the tables of experiments and users, labels, the ledger.

use std::collections::BTreeMap;

use super::auc::auc;
use super::card::Card;
use super::found::Outcome;
use super::metrics::{ITEM, SCORES, item};
use crate::error::Result;
use crate::score::ledger::{Account, Ledger};
use crate::score::measure::Undefined;
use crate::score::output::Output;
use crate::score::table::{Cell, Dialect};
use crate::stats::sum::neumaier;

/// Values of a metric in an experiment.
#[derive(Clone, Debug, Default)]
struct Values {
    total: u64,
    /// Defined ones in reading order.
    values: Vec<f64>,
}

impl Values {
    fn add(&mut self, outcome: &Outcome) {
        self.total += 1;
        self.values.extend(outcome.value.as_ref().ok());
    }
}

/// What is known of an experiment.
#[derive(Clone, Debug, Default)]
struct Experiment {
    items: Vec<Values>,
    batches: Vec<Values>,
    texts: u64,
    /// Values of [`SCORES`] with their labels.
    labels: Vec<Vec<(f64, bool)>>,
    labelled: bool,
}

/// Group (if any), then user, of an experiment.
type UserKey = (String, (String, bool), String);

/// Sums of one user.
#[derive(Clone, Debug, Default)]
struct User {
    texts: u64,
    values: Vec<Vec<f64>>,
}

/// Everything that is summed.
#[derive(Debug)]
pub(super) struct Sums {
    batch_metrics: Vec<String>,
    experiments: BTreeMap<String, Experiment>,
    users: BTreeMap<UserKey, User>,
    item_accounts: Vec<(Account, u64)>,
    batch_accounts: Vec<(Account, u64)>,
}

fn book((account, by_convention): &mut (Account, u64), outcome: &Outcome) {
    account.book(&outcome.value);
    *by_convention += u64::from(outcome.by_convention);
}

impl Sums {
    pub(super) fn new(batch_metrics: &[String]) -> Sums {
        Sums {
            batch_metrics: batch_metrics.to_vec(),
            experiments: BTreeMap::new(),
            users: BTreeMap::new(),
            item_accounts: vec![Default::default(); ITEM.len()],
            batch_accounts: vec![Default::default(); batch_metrics.len()],
        }
    }

    fn experiment(&mut self, name: &str) -> &mut Experiment {
        if !self.experiments.contains_key(name) {
            let experiment = Experiment {
                items: vec![Values::default(); ITEM.len()],
                batches: vec![Values::default(); self.batch_metrics.len()],
                labels: vec![vec![]; SCORES.len()],
                ..Experiment::default()
            };
            self.experiments.insert(name.to_string(), experiment);
        }
        self.experiments.get_mut(name).expect("inserted above")
    }

    /// Adds a batch.
    pub(super) fn batch(&mut self, experiment: &str, outcomes: &[Outcome]) {
        self.batch_accounts.iter_mut().zip(outcomes).for_each(|(account, outcome)| book(account, outcome));
        let values = &mut self.experiment(experiment).batches;
        values.iter_mut().zip(outcomes).for_each(|(values, outcome)| values.add(outcome));
    }

    /// Adds a text.
    pub(super) fn item(&mut self, card: &Card, outcomes: &[Outcome]) {
        self.item_accounts.iter_mut().zip(outcomes).for_each(|(account, outcome)| book(account, outcome));
        let experiment = self.experiment(&card.experiment);
        experiment.texts += 1;
        experiment.items.iter_mut().zip(outcomes).for_each(|(values, outcome)| values.add(outcome));
        if let Some(label) = card.label {
            experiment.labelled = true;
            for (values, metric) in experiment.labels.iter_mut().zip(SCORES) {
                values.extend(outcomes[item(metric)].value.as_ref().ok().map(|value| (*value, label)));
            }
        }
        if let Some(user) = &card.user {
            let group = (card.user_group.clone().unwrap_or_default(), card.user_group.is_some());
            let user = self.users.entry((card.experiment.clone(), group, user.clone())).or_default();
            user.texts += 1;
            user.values.resize(SCORES.len(), vec![]);
            for (values, metric) in user.values.iter_mut().zip(SCORES) {
                values.extend(outcomes[item(metric)].value.as_ref().ok());
            }
        }
    }

    /// Agreement with the labels: experiment, metric, outcome.
    pub(super) fn aucs(&self) -> Vec<(String, String, Outcome)> {
        let mut all = vec![];
        for (name, experiment) in &self.experiments {
            for (values, metric) in experiment.labels.iter().zip(SCORES) {
                let outcome = match experiment.labelled {
                    false => Outcome::undefined(Undefined::missing_field("label")),
                    true => Outcome::of(&auc(values)),
                };
                all.push((name.clone(), format!("auc_{metric}"), outcome));
            }
        }
        all
    }

    /// What became of every text and batch.
    pub(super) fn ledger(&self, bad: u64, rests: u64, aucs: Option<&[(String, String, Outcome)]>) -> String {
        let mut ledger = Ledger::default();
        for ((account, stated), metric) in self.item_accounts.iter().zip(ITEM) {
            let mut account = account.clone();
            account.exclude_many("bad_record", bad);
            ledger.add_stated(metric, "item", account, *stated);
        }
        for ((account, stated), metric) in self.batch_accounts.iter().zip(&self.batch_metrics) {
            let mut account = account.clone();
            account.exclude_many("remainder", rests);
            ledger.add_stated(metric, "batch", account, *stated);
        }
        for metric in SCORES.iter().filter(|_| aucs.is_some()) {
            let metric = format!("auc_{metric}");
            let mut account = (Account::default(), 0);
            let mine = aucs.into_iter().flatten().filter(|(_, other, _)| *other == metric);
            mine.for_each(|(_, _, outcome)| book(&mut account, outcome));
            ledger.add_stated(&metric, "experiment", account.0, account.1);
        }
        ledger.to_json()
    }

    /// A few lines for people: means of the headline measures by experiment.
    pub(super) fn summary(&self, audits: u64) -> Vec<String> {
        const SHOWN: usize = 12;
        let width = self.experiments.keys().map(|name| name.chars().count()).max().unwrap_or(0).max(10);
        let heads = ["surprisal", "ambiguity", "coherence", "pacs", "overall", "distinct_2", "self_bleu_2"];
        let mut lines = vec![format!(
            "{:width$} {:>6} {}",
            "experiment",
            "texts",
            heads.map(|head| format!("{head:>11}")).join(" ")
        )];
        for (name, experiment) in self.experiments.iter().take(SHOWN) {
            let mean = |head: &&str| {
                let of_item = ITEM.iter().position(|metric| metric == head).map(|i| &experiment.items[i]);
                let of_batch =
                    || self.batch_metrics.iter().position(|metric| metric == head).map(|i| &experiment.batches[i]);
                let mean = of_item.or_else(of_batch).and_then(|values| crate::stats::sum::mean(&values.values));
                mean.map_or_else(|| format!("{:>11}", "–"), |mean| format!("{mean:>11.3}"))
            };
            let means: Vec<String> = heads.iter().map(mean).collect();
            lines.push(format!("{name:width$} {:>6} {}", experiment.texts, means.join(" ")));
        }
        if self.experiments.len() > SHOWN {
            lines.push(format!("… and {} more: tables/experiments.csv", self.experiments.len() - SHOWN));
        }
        lines.push(format!("audits: {audits} (audits.jsonl)"));
        lines
    }
}

/// Total, n, mean, median, min, max of values.
fn cells(values: &Values) -> [Cell<'static>; 6] {
    let mut sorted = values.values.clone();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    let float = |x: Option<f64>| x.map_or(Cell::Empty, |x| Cell::Float(x + 0.0));
    let median = (n > 0).then(|| (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0);
    [
        values.total.into(),
        (n as u64).into(),
        float(crate::stats::sum::mean(&values.values)),
        float(median),
        float(sorted.first().copied()),
        float(sorted.last().copied()),
    ]
}

/// Writes the tables of experiments and users.
pub(super) fn write(sums: &Sums, output: &mut Output) -> Result<()> {
    let list = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
    let columns = list(&["experiment", "metric", "level", "total", "n", "mean", "median", "min", "max"]);
    let mut table = output.table("experiments", columns, Dialect::Plain)?;
    for (name, experiment) in &sums.experiments {
        let items = ITEM.iter().map(|metric| (*metric, "item")).zip(&experiment.items);
        let batches = sums.batch_metrics.iter().map(|metric| (metric.as_str(), "batch")).zip(&experiment.batches);
        for ((metric, level), values) in items.chain(batches) {
            let [total, n, mean, median, min, max] = cells(values);
            table.row(&[name.as_str().into(), metric.into(), level.into(), total, n, mean, median, min, max])?;
        }
    }
    table.finish()?;
    let mut columns = list(&["experiment", "user_group", "user", "texts"]);
    columns.extend(SCORES.iter().flat_map(|metric| [metric.to_string(), format!("{metric}_n")]));
    let mut table = output.table("users", columns, Dialect::Plain)?;
    for ((experiment, (group, has_group), name), user) in &sums.users {
        let group = has_group.then_some(group.as_str());
        let mut cells: Vec<Cell<'_>> =
            vec![experiment.as_str().into(), group.into(), name.as_str().into(), user.texts.into()];
        for values in &user.values {
            let n = values.len();
            let mean = (n > 0).then(|| neumaier(values.iter().copied()) / n as f64 + 0.0);
            cells.extend([Cell::from(mean), Cell::from(n as u64)]);
        }
        table.row(&cells)?;
    }
    table.finish()
}
