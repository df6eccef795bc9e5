//! The ledger: what became of every row and of every unit that could have been scored.

use std::collections::BTreeMap;

use serde_json::json;

use crate::score::Measure;
use crate::score::json::{push, push_field};
use crate::score::ledger::Account;
use crate::suites::adaptation::pack::OTHER;
use crate::suites::adaptation::read::discover::CellId;
use crate::suites::adaptation::tables::study::Study;

/// Accounts of all metrics, in the order of the scores.
pub(crate) struct Accounts {
    ids: Vec<String>,
    places: BTreeMap<String, usize>,
    accounts: Vec<Account>,
}

impl Accounts {
    /// Accounts with everything booked that has no score at all.
    pub(crate) fn new(study: &Study<'_>) -> Accounts {
        let mut accounts = Accounts { ids: vec![], places: BTreeMap::new(), accounts: vec![] };
        let expected = study.expected();
        let reason = |id: &CellId, versus: bool| {
            let Some(cell) = study.cells.get(id) else { return Some("no_log".to_string()) };
            if let Some(code) = &cell.broken {
                return Some(format!("bad_input:{code}"));
            }
            (versus && study.get(&study.baseline_of(id)).is_none()).then(|| "no_baseline".to_string())
        };
        let excluded = |versus: bool| {
            let mut account = Account::default();
            for id in expected.iter().filter(|id| !versus || id[1] != study.params.baseline) {
                if let Some(why) = reason(id, versus) {
                    account.exclude(why);
                }
            }
            account
        };
        let per_run = excluded(false);
        for run in &study.catalogue.runs {
            accounts.open(&run.entry.id, per_run.clone());
        }
        let per_change = excluded(true);
        for change in &study.catalogue.changes {
            accounts.open(&change.entry.id, per_change.clone());
        }
        let mut per_group = Account::default();
        for group in &study.axes[1] {
            if !study.scored.iter().any(|scored| scored.id[1] == *group) {
                per_group.exclude("no_cell");
            }
        }
        for mean in &study.catalogue.means {
            accounts.open(&mean.entry.id, per_group.clone());
        }
        accounts
    }

    fn open(&mut self, id: &str, account: Account) {
        self.places.insert(id.to_string(), self.ids.len());
        self.ids.push(id.to_string());
        self.accounts.push(account);
    }

    /// Books a score.
    pub(crate) fn book(&mut self, id: &str, value: &Measure) {
        if let Some(&place) = self.places.get(id) {
            self.accounts[place].book(value);
        }
    }
}

/// The ledger as JSON.
pub(crate) fn json(study: &Study<'_>, accounts: Accounts, ignored: &BTreeMap<String, u64>) -> String {
    let mut out = b"{\"rows\":[".to_vec();
    for (i, scored) in study.scored.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        let tally = scored.cell.tally.open();
        let other = study.pack.actions.len();
        let mut excluded = tally.bad.clone();
        for (reason, count) in [("placeholder", tally.placeholder), ("exited", tally.exited)] {
            if count > 0 {
                excluded.insert(reason.into(), count);
            }
        }
        let states = study.pack.states.iter().zip(&tally.reversals).filter(|(_, count)| **count > 0);
        let reversals: BTreeMap<&str, u64> = states.map(|(state, count)| (state.id.as_str(), *count)).collect();
        let row = json!({
            "model": scored.id[0], "group": scored.id[1], "run": scored.id[2], "rows": tally.total_rows(),
            "active": scored.known(tally.core.active), "excluded": excluded,
            "format": scored.cell.format.map(|format| &study.pack.formats[format].id),
            format!("{OTHER}_action"): scored.known(tally.core.action[other]),
            format!("{OTHER}_intent"): scored.known(tally.core.intent[other]),
            "state_reversals": reversals, "no_history": scored.known(tally.first_active),
        });
        push(&mut out, &row);
    }
    out.extend_from_slice(b"],\"metrics\":{");
    for (id, account) in accounts.ids.iter().zip(&accounts.accounts) {
        push_field(&mut out, id, account);
    }
    out.push(b'}');
    push_field(&mut out, "without_baseline", &without_baseline(study));
    push_field(&mut out, "undeclared_cells", ignored);
    let broken = study.cells.iter().filter_map(|(id, cell)| Some((id.join("/"), cell.broken.as_ref()?)));
    push_field(&mut out, "broken_cells", &broken.collect::<BTreeMap<_, _>>());
    out.push(b'}');
    String::from_utf8(out).expect("JSON is UTF-8")
}

/// Cells that have no baseline to be compared with.
pub(crate) fn without_baseline(study: &Study<'_>) -> Vec<String> {
    let lacking = study.compared().into_iter().filter(|scored| study.get(&study.baseline_of(scored.id)).is_none());
    lacking.map(|scored| scored.id.join("/")).collect()
}
