//! From counts to results: the tables, the scores with their evidence, the bootstrap and the ledger.
//!
//! `study` orders the cells and computes their measures once; the other files write.

mod beyond;
mod bootstrap;
pub(crate) mod catalogue;
pub(crate) mod ledger;
mod published;
mod scores;
pub(crate) mod study;
pub(crate) mod summary;

use std::collections::BTreeMap;

use self::study::Study;
use crate::error::Result;
use crate::score::output::Output;

/// Writes tables and scores, and gives the ledger as JSON.
pub(crate) fn write(study: &Study<'_>, ignored: &BTreeMap<String, u64>, output: &mut Output) -> Result<String> {
    let mut accounts = ledger::Accounts::new(study);
    published::write(study, output)?;
    beyond::write(study, output)?;
    if study.params.bootstrap > 0 {
        bootstrap::write(study, output)?;
    }
    scores::write(study, output, &mut accounts)?;
    Ok(ledger::json(study, accounts, ignored))
}

/// Column names as a table takes them.
fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| name.to_string()).collect()
}
