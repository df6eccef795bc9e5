//! A few lines for people.

use super::study::Study;
use crate::stats::sum::mean as average;
use crate::suites::adaptation::measures::rates::Rates;

/// What was scored and how the groups compare.
pub(crate) fn summary(study: &Study<'_>, events: u64) -> Vec<String> {
    let rows: u64 = study.scored.iter().map(|scored| scored.rows).sum();
    let plural = |n: u64, one: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") };
    let mut lines = vec![format!(
        "{} in {}, {}",
        plural(rows, "row"),
        plural(study.scored.len() as u64, "cell"),
        plural(events, "broken rule")
    )];
    let headline = &study.pack.schemes[study.pack.headline].id;
    lines.push(format!("  {:<16} {:>6} {:>8} {:>8} {:>8}", "group", "cells", "R_H", "R_R", format!("EHE_{headline}")));
    for group in &study.axes[1] {
        let cells = study.cells_of(group);
        let mean = |value: &dyn Fn(&Rates) -> Option<f64>| {
            let values: Vec<f64> = cells.iter().filter_map(|cell| value(&cell.rates)).collect();
            average(&values).map_or("-".to_string(), |mean| format!("{mean:.4}"))
        };
        let (r_h, r_r) = (mean(&|rates| rates.r_h.clone().ok()), mean(&|rates| rates.r_r.clone().ok()));
        let ehe = mean(&|rates| rates.ehe[study.pack.headline].clone().ok());
        lines.push(format!("  {group:<16} {:>6} {r_h:>8} {r_r:>8} {ehe:>8}", cells.len()));
    }
    lines
}
