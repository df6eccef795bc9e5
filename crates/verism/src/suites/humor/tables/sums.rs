//! What is summed over texts and batches: the tables of experiments and users, labels, the ledger.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::error::Result;
use crate::score::ledger::{Account, Ledger};
use crate::score::measure::Undefined;
use crate::score::output::Output;
use crate::score::table::{Cell, Dialect};
use crate::stats::sum::{RunningSum, mean};
use crate::suites::humor::facts::ids::{ITEM, SCORE_PLACES, SCORES};
use crate::suites::humor::measures::auc::auc;
use crate::suites::humor::measures::found::Outcome;
use crate::suites::humor::record::card::Card;
use crate::suites::humor::tables::columns::{Column, Columns};

/// Values of a metric in an experiment.
#[derive(Clone, Copy, Debug)]
struct Values {
    total: u64,
    /// Defined ones in reading order.
    defined: Column,
}

/// What is known of an experiment.
#[derive(Debug)]
struct Experiment {
    items: Vec<Values>,
    batches: Vec<Values>,
    texts: u64,
    /// Values of [`SCORES`] with label 0 and with label 1; none without labels.
    labelled: Option<Vec<[Column; 2]>>,
}

/// Group (if any), then user, of an experiment.
type UserKey = (String, (String, bool), String);

/// Sums of one user: of each of [`SCORES`] the sum and the number of values.
#[derive(Clone, Debug, Default)]
struct User {
    texts: u64,
    sums: [(RunningSum, u64); SCORES.len()],
}

/// Everything that is summed.
#[derive(Debug)]
pub(crate) struct Sums {
    batch_metrics: Vec<String>,
    columns: Columns,
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
    /// Nothing yet; `scratch` is a folder for what does not fit into memory.
    pub(crate) fn new(batch_metrics: &[String], scratch: PathBuf) -> Sums {
        Sums {
            batch_metrics: batch_metrics.to_vec(),
            columns: Columns::new(scratch),
            experiments: BTreeMap::new(),
            users: BTreeMap::new(),
            item_accounts: vec![Default::default(); ITEM.len()],
            batch_accounts: vec![Default::default(); batch_metrics.len()],
        }
    }

    fn open(&mut self, name: &str) {
        if !self.experiments.contains_key(name) {
            let mut values = || Values { total: 0, defined: self.columns.column() };
            let items = (0..ITEM.len()).map(|_| values()).collect();
            let batches = (0..self.batch_metrics.len()).map(|_| values()).collect();
            self.experiments.insert(name.to_string(), Experiment { items, batches, texts: 0, labelled: None });
        }
    }

    /// Adds a batch.
    pub(crate) fn batch(&mut self, name: &str, outcomes: &[Outcome]) -> Result<()> {
        self.batch_accounts.iter_mut().zip(outcomes).for_each(|(account, outcome)| book(account, outcome));
        self.open(name);
        let Some(experiment) = self.experiments.get_mut(name) else { return Ok(()) };
        add(&mut self.columns, &mut experiment.batches, outcomes)
    }

    /// Adds a text.
    pub(crate) fn item(&mut self, card: &Card, outcomes: &[Outcome]) -> Result<()> {
        self.item_accounts.iter_mut().zip(outcomes).for_each(|(account, outcome)| book(account, outcome));
        self.open(&card.experiment);
        let Some(experiment) = self.experiments.get_mut(&card.experiment) else { return Ok(()) };
        experiment.texts += 1;
        add(&mut self.columns, &mut experiment.items, outcomes)?;
        let scores = || SCORE_PLACES.iter().map(|place| outcomes[*place].value.as_ref().ok());
        if let Some(label) = card.label {
            let columns = &mut self.columns;
            let new = || SCORES.map(|_| [columns.column(), columns.column()]).to_vec();
            let labelled = experiment.labelled.get_or_insert_with(new);
            for (value, of_label) in scores().zip(labelled) {
                value.map_or(Ok(()), |value| self.columns.push(of_label[usize::from(label)], *value))?;
            }
        }
        if let Some(user) = &card.user {
            let group = (card.user_group.clone().unwrap_or_default(), card.user_group.is_some());
            let user = self.users.entry((card.experiment.clone(), group, user.clone())).or_default();
            user.texts += 1;
            for (value, (sum, n)) in scores().zip(&mut user.sums) {
                let Some(value) = value else { continue };
                sum.add(*value);
                *n += 1;
            }
        }
        Ok(())
    }

    /// Agreement with the labels: experiment, metric, outcome.
    pub(crate) fn aucs(&mut self) -> Result<Vec<(String, String, Outcome)>> {
        let mut all = vec![];
        for (name, experiment) in &self.experiments {
            for (i, metric) in SCORES.iter().enumerate() {
                let outcome = match &experiment.labelled {
                    None => Outcome::undefined(Undefined::missing_field("label")),
                    Some(columns) => {
                        let [negative, positive] = columns[i];
                        Outcome::of(&auc(&self.columns.read(positive)?, &self.columns.read(negative)?))
                    }
                };
                all.push((name.clone(), format!("auc_{metric}"), outcome));
            }
        }
        Ok(all)
    }

    /// What became of every text and batch.
    pub(crate) fn ledger(&self, bad: u64, rests: u64, aucs: Option<&[(String, String, Outcome)]>) -> String {
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
    pub(crate) fn summary(&mut self, audits: u64) -> Result<Vec<String>> {
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
            let columns = &mut self.columns;
            let mut shown = |head: &&str| {
                let of_item = ITEM.iter().position(|metric| metric == head).map(|i| &experiment.items[i]);
                let of_batch =
                    || self.batch_metrics.iter().position(|metric| metric == head).map(|i| &experiment.batches[i]);
                let values = of_item.or_else(of_batch).map_or(Ok(vec![]), |values| columns.read(values.defined))?;
                Ok(mean(&values).map_or_else(|| format!("{:>11}", "–"), |mean| format!("{mean:>11.3}")))
            };
            let means: Vec<String> = heads.iter().map(&mut shown).collect::<Result<_>>()?;
            lines.push(format!("{name:width$} {:>6} {}", experiment.texts, means.join(" ")));
        }
        if self.experiments.len() > SHOWN {
            lines.push(format!("… and {} more: tables/experiments.csv", self.experiments.len() - SHOWN));
        }
        lines.push(format!("audits: {audits} (audits.jsonl)"));
        Ok(lines)
    }
}

/// Adds the outcomes of a text or batch, metric by metric.
fn add(columns: &mut Columns, all: &mut [Values], outcomes: &[Outcome]) -> Result<()> {
    for (values, outcome) in all.iter_mut().zip(outcomes) {
        values.total += 1;
        if let Ok(value) = outcome.value {
            columns.push(values.defined, value)?;
        }
    }
    Ok(())
}

/// n, mean, median, min, max of values.
fn cells(mut values: Vec<f64>) -> [Cell<'static>; 5] {
    let float = |x: Option<f64>| x.map_or(Cell::Empty, |x| Cell::Float(x + 0.0));
    let mean = mean(&values);
    values.sort_unstable_by(f64::total_cmp);
    let n = values.len();
    let median = (n > 0).then(|| (values[(n - 1) / 2] + values[n / 2]) / 2.0);
    [(n as u64).into(), float(mean), float(median), float(values.first().copied()), float(values.last().copied())]
}

/// Writes the tables of experiments and users.
pub(crate) fn write(sums: &mut Sums, output: &mut Output) -> Result<()> {
    let list = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
    let columns = list(&["experiment", "metric", "level", "total", "n", "mean", "median", "min", "max"]);
    let mut table = output.table("experiments", columns, Dialect::Plain)?;
    for (name, experiment) in &sums.experiments {
        let items = ITEM.iter().map(|metric| (*metric, "item")).zip(&experiment.items);
        let batches = sums.batch_metrics.iter().map(|metric| (metric.as_str(), "batch")).zip(&experiment.batches);
        for ((metric, level), values) in items.chain(batches) {
            let [n, mean, median, min, max] = cells(sums.columns.read(values.defined)?);
            let total = values.total.into();
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
        for (sum, n) in &user.sums {
            let mean = (*n > 0).then(|| sum.value() / *n as f64 + 0.0);
            cells.extend([Cell::from(mean), Cell::from(*n)]);
        }
        table.row(&cells)?;
    }
    table.finish()
}
