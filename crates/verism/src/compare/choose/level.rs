//! The level at which a metric is tested.

use std::collections::BTreeSet;

use super::facts::Registry;
use super::metrics::MetricKey;
use crate::compare::options::Options;
use crate::compare::read::names::{Id, Names};
use crate::compare::read::row::{AGGREGATES, Row};

/// The levels in the order in which they are preferred; others follow by name.
const PREFERRED: [&str; 8] = ["dialogue", "item", "case", "run", "batch", "turn", "segment", "shift"];

/// Gives the level at which a metric is tested, `None` where it has only aggregates.
pub(crate) fn choose_level(
    rows: &[Row],
    key: MetricKey,
    names: &Names,
    registry: &Registry,
    options: &Options,
) -> Option<String> {
    if let Some(level) = &options.level {
        return Some(level.clone());
    }
    let levels = |with_value: bool| {
        let found: BTreeSet<Id> =
            rows.iter().filter(|row| !with_value || row.value.is_some()).map(|row| row.level).collect();
        found.into_iter().map(|id| names.text(id)).filter(|level| !AGGREGATES.contains(level)).collect::<Vec<&str>>()
    };
    let valued = levels(true);
    let home = registry.metric(names.text(key.suite), names.text(key.metric)).and_then(|facts| facts.home_level);
    if let Some(home) = home.filter(|home| valued.contains(home)) {
        return Some(home.to_string());
    }
    let rank = |level: &&str| PREFERRED.iter().position(|l| l == level).unwrap_or(PREFERRED.len());
    let first =
        |levels: Vec<&str>| levels.into_iter().min_by_key(|level| (rank(level), level.to_string())).map(str::to_string);
    first(valued).or_else(|| first(levels(false)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::choose::metrics::metric_keys;
    use crate::compare::read::table::Table;

    #[test]
    fn the_home_level_counts_where_it_has_values() {
        let level = |csv: &str| {
            let t = Table::of_csv(csv);
            let key = metric_keys(&t.rows)[0];
            let registry = Registry::of([t.names.text(key.suite)]);
            choose_level(&t.rows, key, &t.names, &registry, &Options::default())
        };
        let head = "suite,metric,experiment,level,run,unit,value\nadaptation,r_h,A,dialogue,1,d,1\n";
        assert_eq!(level(head).as_deref(), Some("dialogue"));
        assert_eq!(level(&format!("{head}adaptation,r_h,A,run,1,,1\n")).as_deref(), Some("run"));
        assert_eq!(level(&format!("{head}adaptation,r_h,A,run,1,,\n")).as_deref(), Some("dialogue"));
        assert_eq!(level("suite,metric,experiment,level,unit,value\nadaptation,r_h,A,group,g,1\n").as_deref(), None);
    }
}
