//! What `score` found wrong in the logs behind the scores: the table of audits in a score folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::input::csv::{After, Found, Scanner};

/// A share of units with error audits above this is worth a caution: one in a hundred.
const TOLERATED: usize = 100;

/// An experiment of which more than 1 % of the units have audits of severity `error`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caution {
    /// The experiment.
    pub experiment: String,
    /// Its units.
    pub units: usize,
    /// Those with an error audit.
    pub with_errors: usize,
    /// How often each audit was found.
    pub audits: BTreeMap<String, usize>,
}

impl std::fmt::Display for Caution {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Caution { experiment, units, with_errors, audits } = self;
        let percent = 100.0 * *with_errors as f64 / *units as f64;
        let listed: Vec<String> = audits.iter().map(|(audit, n)| format!("{audit} {n}")).collect();
        let of = format!("{with_errors} of {units} units ({percent:.1} %)");
        write!(
            f,
            "{experiment}: {of} have error audits ({}); tables/audits.csv of the scores lists them",
            listed.join(", ")
        )
    }
}

/// The error audits of one experiment.
#[derive(Clone, Debug, Default)]
pub(super) struct Errors {
    units: BTreeSet<String>,
    audits: BTreeMap<String, usize>,
}

impl Errors {
    /// Adds those of another name for the same experiment; `from` keeps units of both apart.
    pub(super) fn join(&mut self, from: &str, other: &Errors) {
        self.units.extend(other.units.iter().map(|unit| format!("{from}\u{1f}{unit}")));
        for (audit, n) in &other.audits {
            *self.audits.entry(audit.clone()).or_default() += n;
        }
    }

    /// Gives the caution that the errors call for among so many units.
    pub(super) fn caution(&self, experiment: &str, units: usize) -> Option<Caution> {
        let with_errors = self.units.len();
        let many = units > 0 && with_errors * TOLERATED > units;
        many.then(|| Caution { experiment: experiment.into(), units, with_errors, audits: self.audits.clone() })
    }
}

/// Reads the error audits of a score folder by experiment; a folder without such a table has none.
pub(super) fn read_errors(folder: &Path) -> BTreeMap<String, Errors> {
    std::fs::read_to_string(folder.join("tables").join("audits.csv")).map_or_else(|_| BTreeMap::new(), |t| errors(&t))
}

fn errors(text: &str) -> BTreeMap<String, Errors> {
    let mut out: BTreeMap<String, Errors> = BTreeMap::new();
    let mut scanner = Scanner::new(text, After::End);
    let mut spans = Vec::new();
    let mut names: Option<Vec<String>> = None;
    while let Found::Record(_) = scanner.next(&mut spans) {
        let cells: Vec<String> = spans.iter().map(|span| span.text(text).into_owned()).collect();
        let Some(names) = &names else {
            names = Some(cells);
            continue;
        };
        let cell = |name: &str| names.iter().position(|n| n == name).and_then(|at| cells.get(at)).map_or("", |c| c);
        let experiment = cell("experiment");
        if cell("severity") == "error" && !experiment.is_empty() {
            let errors = out.entry(experiment.to_string()).or_default();
            errors.units.insert(["run", "case", "dialogue"].map(cell).join("\u{1f}"));
            *errors.audits.entry(cell("audit").to_string()).or_default() += 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    // Two errors in one dialogue are one unit; information and warnings do not count; 1 of 100 is not more than 1 %.
    #[test]
    fn units_with_errors_are_counted_once() {
        let found = errors(
            "audit,severity,experiment,run,case,dialogue,turn\nleak,error,A,1,c1,d1,1\nleak,error,A,1,c1,d1,2\n\
             odd,warn,A,1,c2,d2,\nleak,error,,1,c1,d1,1\n",
        );
        let caution = found["A"].caution("A", 99).unwrap();
        assert_eq!((caution.with_errors, caution.audits["leak"]), (1, 2));
        assert_eq!(found["A"].caution("A", 100), None);
        assert_eq!(found.len(), 1);
        assert!(caution.to_string().starts_with("A: 1 of 99 units (1.0 %) have error audits (leak 2)"));
    }
}
