//! Correlations for people at a terminal.

use super::columns::{Column, Columns, intervals, value};
use super::left_out;
use crate::compare::correlate::{CorrelationRow, Correlations};
use crate::compare::pair::flag::Flag;
use crate::compare::show::numbers::p_text;

/// The columns; Kendall's go first for lack of room, then Pearson's.
fn header() -> Vec<Column> {
    let column = Column::new;
    vec![
        column("scope"),
        column("n").right(),
        column("spearman").right(),
        column("interval"),
        column("p").right(),
        column("pearson").right().rank(5),
        column("interval").rank(3),
        column("p").right().rank(4),
        column("kendall").right().rank(2),
        column("p").right().rank(1),
    ]
}

/// Gives the table of correlations: each with its interval where it has one, and its p-value; in so many columns of text.
///
/// Experiments without a unit that has both metrics (aggregates, say) are named below the table.
pub fn correlations_to_text(correlations: &Correlations, width: Option<usize>) -> String {
    let (rows, empty): (Vec<&CorrelationRow>, Vec<&CorrelationRow>) =
        correlations.rows.iter().partition(|row| row.spearman.n > 0 || row.scope == "pooled");
    let of_rho = intervals(rows.iter().map(|row| row.spearman.ci_lo.zip(row.spearman.ci_hi)));
    let of_r = intervals(rows.iter().map(|row| row.pearson.ci_lo.zip(row.pearson.ci_hi)));
    let p = |p: Option<f64>, log10: Option<f64>| if log10.is_none() { "-".to_string() } else { p_text(p) };
    let mut table = Columns::new(header());
    let mut notes = String::new();
    for (CorrelationRow { scope, spearman: s, pearson: r, kendall: k, rho_within, flags }, (in_rho, in_r)) in
        rows.into_iter().zip(of_rho.into_iter().zip(of_r))
    {
        table.row(vec![
            scope.clone(),
            s.n.to_string(),
            value(s.rho),
            in_rho,
            p(s.p, s.log10_p),
            value(r.r),
            in_r,
            p(r.p, r.log10_p),
            value(k.tau),
            p(k.p, k.log10_p),
        ]);
        if let Some(reason) = s.reason.or(r.reason).or(k.reason) {
            notes.push_str(&format!("{scope}: {}\n", reason.text()));
        }
        if let (true, Some(within)) = (flags.contains(&Flag::PoolContradictsParts), rho_within) {
            notes.push_str(&format!(
                "{scope}: pool_contradicts_parts: within experiments the correlation is {within:.2}; the experiments differ in \
                 both metrics, so read each by itself\n"
            ));
        }
    }
    let unit = correlations.unit.name();
    if !empty.is_empty() {
        let names: Vec<&str> = empty.iter().map(|row| row.scope.as_str()).collect();
        notes.push_str(&format!("no {unit} with a value of both: {}\n", names.join(", ")));
    }
    let gone = width.map(|width| table.fit(width)).unwrap_or_default();
    notes.extend(left_out(&gone).map(|line| line + "\n"));
    let table = table.text();
    let gap = if notes.is_empty() { "" } else { "\n" };
    let clusters = match correlations.cluster.as_str() {
        "none" => String::new(),
        cluster => format!("; p-values and intervals allow for units of one {cluster} being alike"),
    };
    format!("{} and {}, matched by {unit}{clusters}\n\n{table}{gap}{notes}", correlations.x, correlations.y)
}
