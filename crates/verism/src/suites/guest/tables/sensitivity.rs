//! Does the ranking of experiments by CRRS hang on its weights?

use super::by_experiment;
use crate::error::Result;
use crate::score::output::TableFile;
use crate::score::table::{Cell, Dialect};
use crate::stats::sum::{mean, neumaier};
use crate::suites::guest::gather::Gathered;
use crate::suites::guest::options::{PARTS, Weights};

/// Means this close share a rank.
const TIE: f64 = 1e-12;
/// Steps of the grid of weights.
const STEPS: u32 = 20;

/// Means of the parts over the conversations of an experiment that have all four.
struct Experiment<'g> {
    name: &'g str,
    n: u64,
    parts: [f64; 4],
}

/// The weighted mean of each experiment.
fn under(experiments: &[Experiment<'_>], weights: &Weights) -> Vec<f64> {
    experiments.iter().map(|e| neumaier(e.parts.iter().zip(weights).map(|(part, weight)| part * weight))).collect()
}

/// Ranks, 1 being the best; a mean within a hair of the first of its rank shares it: 1, 1, 3.
fn ranks(means: &[f64]) -> Vec<u64> {
    let mut order: Vec<usize> = (0..means.len()).collect();
    order.sort_by(|&a, &b| means[b].total_cmp(&means[a]).then(a.cmp(&b)));
    let mut ranks = vec![0; means.len()];
    let mut lead: Option<usize> = None;
    for (place, &i) in order.iter().enumerate() {
        match lead.filter(|&lead| (means[lead] - means[i]).abs() <= TIE) {
            Some(lead) => ranks[i] = ranks[lead],
            None => {
                lead = Some(i);
                ranks[i] = place as u64 + 1;
            }
        }
    }
    ranks
}

/// The share of all weights on the grid under which each experiment is first; ties are split.
fn shares_first(experiments: &[Experiment<'_>]) -> Vec<f64> {
    let mut wins = vec![vec![]; experiments.len()];
    let mut points = 0_u32;
    for a in 0..=STEPS {
        for b in 0..=STEPS - a {
            for c in 0..=STEPS - a - b {
                let weights = [a, b, c, STEPS - a - b - c].map(|step| f64::from(step) / f64::from(STEPS));
                let ranks = ranks(&under(experiments, &weights));
                let first: Vec<usize> = (0..ranks.len()).filter(|&i| ranks[i] == 1).collect();
                first.iter().for_each(|&i| wins[i].push(1.0 / first.len() as f64));
                points += 1;
            }
        }
    }
    wins.into_iter().map(|wins| neumaier(wins) / f64::from(points)).collect()
}

/// Weights with one of them changed by a factor, all rescaled to sum 1; none if nothing is left.
fn changed(weights: &Weights, part: usize, factor: f64) -> Option<Weights> {
    let mut weights = *weights;
    weights[part] *= factor;
    let total = neumaier(weights);
    (total > 0.0).then(|| weights.map(|weight| weight / total))
}

/// Writes the table.
pub(crate) fn write(gathered: &mut Gathered<'_>) -> Result<()> {
    let mut columns = vec!["scenario".to_string(), "experiment".into(), "n".into()];
    columns.extend(PARTS.map(String::from));
    columns.extend(PARTS.map(|part| format!("w_{part}")));
    columns.extend(["mean", "rank", "ranking_changed", "share_first"].map(String::from));
    let mut file = gathered.output.table("sensitivity", columns, Dialect::Plain)?;
    let groups = by_experiment(&gathered.kept, &gathered.names);
    let experiments: Vec<Experiment<'_>> = groups
        .iter()
        .filter_map(|(name, group)| {
            let full: Vec<[f64; 4]> = group
                .iter()
                .filter_map(|kept| match kept.values[..4] {
                    [Some(pas), Some(bvs), Some(ora), Some(dei)] => Some([pas, bvs, ora, dei]),
                    _ => None,
                })
                .collect();
            let part = |i: usize| mean(&full.iter().map(|parts| parts[i]).collect::<Vec<_>>());
            let parts = [part(0)?, part(1)?, part(2)?, part(3)?];
            Some(Experiment { name, n: full.len() as u64, parts })
        })
        .collect();
    if experiments.is_empty() {
        return file.finish();
    }
    let base = gathered.params.weights;
    let first = ranks(&under(&experiments, &base));
    scenario(&mut file, "base", &experiments, &base, &first)?;
    for (i, part) in PARTS.iter().enumerate() {
        for (factor, label) in [(0.0, "x0"), (0.5, "x0.5"), (2.0, "x2")] {
            if let Some(weights) = changed(&base, i, factor) {
                scenario(&mut file, &format!("{part}_{label}"), &experiments, &weights, &first)?;
            }
        }
    }
    for (experiment, share) in experiments.iter().zip(shares_first(&experiments)) {
        let mut cells = head("simplex", experiment);
        cells.extend([Cell::Empty; 7]);
        cells.push(share.into());
        file.row(&cells)?;
    }
    file.finish()
}

/// The first cells of a row.
fn head<'c>(scenario: &'c str, experiment: &'c Experiment<'_>) -> Vec<Cell<'c>> {
    let mut cells = vec![scenario.into(), experiment.name.into(), experiment.n.into()];
    cells.extend(experiment.parts.map(Cell::from));
    cells
}

/// Writes the rows of a set of weights; `first` are the ranks under the weights in force.
fn scenario(
    file: &mut TableFile,
    name: &str,
    experiments: &[Experiment<'_>],
    weights: &Weights,
    first: &[u64],
) -> Result<()> {
    let means = under(experiments, weights);
    let ranks = ranks(&means);
    let changed = ranks != first;
    for (i, experiment) in experiments.iter().enumerate() {
        let mut cells = head(name, experiment);
        cells.extend(weights.map(Cell::from));
        cells.extend([means[i].into(), ranks[i].into(), Cell::Bool(changed), Cell::Empty]);
        file.row(&cells)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_by_hand() {
        // Worked example 7 of the specification: 1265 wins and 66 ties of 1771.
        let of = |name, parts| Experiment { name, n: 1, parts };
        let experiments = [of("A", [1.0, 0.0, 1.0, 0.0]), of("B", [0.0, 1.0, 0.0, 0.0])];
        let shares = shares_first(&experiments);
        assert!((shares[0] - 1298.0 / 1771.0).abs() < 1e-12);
        assert!((shares[0] + shares[1] - 1.0).abs() < 1e-12);
        let means = under(&experiments, &[0.25, 0.2, 0.35, 0.2]);
        assert!((means[0] - 0.6).abs() < 1e-15 && (means[1] - 0.2).abs() < 1e-15);
    }

    #[test]
    fn equal_means_share_a_rank() {
        assert_eq!(ranks(&[0.5, 0.7, 0.5 + 1e-13, 0.1]), [2, 1, 2, 4]);
    }

    #[test]
    fn a_factor_rescales_the_others() {
        let without = changed(&[0.25, 0.2, 0.35, 0.2], 3, 0.0).expect("something is left");
        assert!((without[2] - 0.35 / 0.8).abs() < 1e-15 && without[3] == 0.0);
        assert_eq!(changed(&[0.0, 0.0, 0.0, 1.0], 3, 0.0), None);
    }
}
