//! What became of every unit: scored, undefined, excluded.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::json;
use super::measure::Measure;

/// The account of one metric; total = scored + undefined + excluded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// Units that could have been scored.
    pub total: u64,
    /// Units with a value.
    pub scored: u64,
    /// Units without a value, by reason.
    pub undefined: BTreeMap<String, u64>,
    /// Units never tried, by reason.
    pub excluded: BTreeMap<String, u64>,
}

/// Whether a reason says that the measure was never asked for: then it does not lower coverage. Where a suite's fields
/// are optional, one that is missing says so too.
pub fn not_asked(reason: &str, optional_fields: bool) -> bool {
    matches!(reason, "not_applicable" | "no_model" | "no_corpus")
        || (optional_fields && reason.starts_with("missing_field:"))
}

impl Account {
    /// Books a measure.
    pub fn book(&mut self, measure: &Measure) {
        self.total += 1;
        match measure {
            Ok(_) => self.scored += 1,
            // Looked up by reference first: a reason is new only once.
            Err(why) => match self.undefined.get_mut(why.reason()) {
                Some(count) => *count += 1,
                None => drop(self.undefined.insert(why.reason().to_string(), 1)),
            },
        }
    }

    /// Books a unit that was not tried.
    pub fn exclude(&mut self, reason: impl Into<String>) {
        self.total += 1;
        *self.excluded.entry(reason.into()).or_default() += 1;
    }

    /// Books units that were not tried.
    pub fn exclude_many(&mut self, reason: impl Into<String>, units: u64) {
        if units > 0 {
            self.total += units;
            *self.excluded.entry(reason.into()).or_default() += units;
        }
    }

    /// (scored, units that count): those for which the measure was [not asked for](not_asked) are left out.
    pub fn coverage(&self, optional_fields: bool) -> (u64, u64) {
        let left_out = self.undefined.iter().filter(|(reason, _)| not_asked(reason, optional_fields));
        (self.scored, self.total - left_out.map(|(_, units)| units).sum::<u64>())
    }
}

/// An account as a ledger has it: of a metric, at a level where the ledger names one.
#[derive(Clone, Debug)]
pub struct LedgerEntry {
    /// The metric.
    pub metric: String,
    /// The level, if the ledger has one.
    pub level: Option<String>,
    /// What became of its units.
    pub account: Account,
}

/// Reads the accounts of a ledger: by id, or as a list, as the suite's specification has it.
pub fn read_accounts(ledger: &str) -> Result<Vec<LedgerEntry>, serde_json::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Accounts {
        ById { metrics: BTreeMap<String, Account> },
        List(Vec<Listed>),
    }
    #[derive(Deserialize)]
    struct Listed {
        metric: String,
        level: Option<String>,
        #[serde(flatten)]
        account: Account,
    }
    Ok(match serde_json::from_str(ledger)? {
        Accounts::ById { metrics } => {
            metrics.into_iter().map(|(metric, account)| LedgerEntry { metric, level: None, account }).collect()
        }
        Accounts::List(list) => {
            list.into_iter().map(|Listed { metric, level, account }| LedgerEntry { metric, level, account }).collect()
        }
    })
}

/// The accounts of a result, one for each metric and level.
#[derive(Clone, Debug, Default)]
pub struct Ledger(Vec<Entry>);

/// An account with what it is about.
#[derive(Clone, Debug, Serialize)]
struct Entry {
    /// Of the scored, those whose value a stated rule gave.
    #[serde(skip_serializing_if = "Option::is_none")]
    by_convention: Option<u64>,
    excluded: BTreeMap<String, u64>,
    level: String,
    metric: String,
    scored: u64,
    total: u64,
    undefined: BTreeMap<String, u64>,
}

impl Ledger {
    /// Adds the account of a metric at a level.
    pub fn add(&mut self, metric: &str, level: &str, account: Account) {
        let Account { total, scored, undefined, excluded } = account;
        let (metric, level) = (metric.to_string(), level.to_string());
        self.0.push(Entry { by_convention: None, excluded, level, metric, scored, total, undefined });
    }

    /// The same for a metric some of whose values a stated rule gives.
    pub fn add_stated(&mut self, metric: &str, level: &str, account: Account, by_convention: u64) {
        self.add(metric, level, account);
        if let Some(entry) = self.0.last_mut() {
            entry.by_convention = Some(by_convention);
        }
    }

    /// The accounts as a JSON list.
    pub fn to_json(&self) -> String {
        json::text(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::measure::{EMPTY_DENOMINATOR, NOT_APPLICABLE, Undefined};
    use super::*;

    #[test]
    fn an_account_adds_up() {
        let mut account = Account::default();
        account.book(&Ok(0.5));
        account.book(&Err(EMPTY_DENOMINATOR));
        account.book(&Err(NOT_APPLICABLE));
        account.book(&Err(Undefined::missing_field("context")));
        account.exclude("no_log");
        let parts = account.scored + account.undefined.values().sum::<u64>() + account.excluded.values().sum::<u64>();
        assert_eq!(account.total, parts);
        assert_eq!(account.coverage(false), (1, 4)); // 1 / (5 - 1 that does not apply)
        assert_eq!(account.coverage(true), (1, 3)); // and without the one whose field was not given
    }
}
