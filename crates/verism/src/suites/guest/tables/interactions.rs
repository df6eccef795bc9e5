//! Do the measures trade off? Pearson correlations within, across and between experiments.

use super::{ALL, by_experiment};
use crate::error::Result;
use crate::score::table::{Cell, Dialect};
use crate::stats::constant::is_constant;
use crate::stats::pearson::{Products, correlation_t};
use crate::stats::sum::mean;
use crate::suites::guest::gather::{ConversationValues, Gathered};
use crate::suites::guest::measures::MEASURES;

/// Pairs that the source says depend on each other.
const PAIRS: [(&str, &str); 5] =
    [("pas", "bvs"), ("explore_rate", "ora"), ("dei", "pas"), ("dei", "bvs"), ("dei", "ora")];

/// Two measures of each unit that has both.
type Pairs = Vec<(f64, f64)>;

/// A measure of a conversation by its name.
fn measure(kept: &ConversationValues, name: &str) -> Option<f64> {
    match MEASURES.iter().position(|measure| measure.facts.id == name) {
        Some(place) => kept.values[place],
        None => kept.explore_rate,
    }
}

/// Pearson's r of paired values, or the reason why there is none; `few` is said of fewer than three.
fn correlate(pairs: &[(f64, f64)], few: &'static str) -> std::result::Result<f64, &'static str> {
    if pairs.len() < 3 {
        return Err(few);
    }
    let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    if is_constant(&x) || is_constant(&y) {
        return Err("zero_variance");
    }
    Ok(correlation_t(&Products::of(&x, &y), pairs.len()).r)
}

/// Writes the table.
pub(crate) fn write(gathered: &mut Gathered<'_>) -> Result<()> {
    let columns = ["experiment", "scope", "x", "y", "n", "r", "undefined"];
    let mut file = gathered.output.table("interactions", columns.map(String::from).to_vec(), Dialect::Plain)?;
    let mut rows = |experiment: &str, scope: &str, few, both: &dyn Fn(&str, &str) -> Pairs| -> Result<()> {
        for (x, y) in PAIRS {
            let pairs = both(x, y);
            let r = correlate(&pairs, few);
            let n = pairs.len() as u64;
            let [r, why] = [r.ok().into(), Cell::from(r.err())];
            file.row(&[experiment.into(), scope.into(), x.into(), y.into(), n.into(), r, why])?;
        }
        Ok(())
    };
    let groups = by_experiment(&gathered.kept, &gathered.names);
    let pairs = |group: &[&ConversationValues], x: &str, y: &str| -> Pairs {
        group.iter().filter_map(|kept| measure(kept, x).zip(measure(kept, y))).collect()
    };
    for (experiment, group) in &groups {
        rows(experiment, "within", "too_few_dialogues", &|x, y| pairs(group, x, y))?;
    }
    let all: Vec<&ConversationValues> = groups.values().flatten().copied().collect();
    rows(ALL, "pooled", "too_few_dialogues", &|x, y| pairs(&all, x, y))?;
    let mean_of = |group: &[&ConversationValues], name: &str| {
        mean(&group.iter().filter_map(|kept| measure(kept, name)).collect::<Vec<_>>())
    };
    rows(ALL, "between", "too_few_experiments", &|x, y| {
        groups.values().filter_map(|group| mean_of(group, x).zip(mean_of(group, y))).collect()
    })?;
    file.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_constant_values_have_no_correlation() {
        assert_eq!(correlate(&[(0.0, 1.0), (1.0, 0.0)], "too_few_dialogues"), Err("too_few_dialogues"));
        assert_eq!(correlate(&[(0.5, 1.0), (0.5, 0.0), (0.5, 0.3)], "few"), Err("zero_variance"));
        assert_eq!(correlate(&[(0.0, 1.0), (0.5, 0.5), (1.0, 0.0)], "few"), Ok(-1.0));
        // By hand: x = 0 1 2, y = 0 0 3: Sxy = 3, Sxx = 2, Syy = 6: r = 3/√12.
        let r = correlate(&[(0.0, 0.0), (1.0, 0.0), (2.0, 3.0)], "few").expect("defined");
        assert!((r - 3.0 / 12.0_f64.sqrt()).abs() < 1e-15);
    }
}
