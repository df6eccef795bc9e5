//! Wide tables: a column for each metric, a row for each unit.

use super::bad_row::BadRow;
use super::block::{Block, Last, column_at, few};
use super::field::{COLUMNS, Field, Fields, VALUE, is_nothing};
use crate::compare::error::bad_option;
use crate::error::Result;
use crate::input::csv::{After, Found, Scanner};

/// Where `metric` stands among the columns of a score row.
const METRIC: usize = 1;

/// What a column of a wide table can be, if it is not a metric.
fn roles() -> impl Iterator<Item = (usize, &'static str)> {
    COLUMNS.into_iter().enumerate().filter(|(at, _)| *at != METRIC && *at < VALUE)
}

/// The columns of a wide table that are not metrics, each with what it holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wide {
    /// The field of a score row, and the column that fills it.
    given: Vec<(usize, String)>,
}

impl Wide {
    /// Reads `experiment=model,case=id`: what a column holds, and its name.
    pub fn parse(text: &str) -> Result<Wide> {
        let known: Vec<&str> = roles().map(|(_, role)| role).collect();
        let wrong = || {
            let expected = format!("experiment=COLUMN, with commas between such pairs; known are {}", known.join(", "));
            bad_option("wide", text, expected)
        };
        let pair = |part: &str| {
            let (role, column) = part.split_once('=')?;
            let (at, _) = roles().find(|(_, known)| *known == role.trim())?;
            (!column.trim().is_empty()).then(|| (at, column.trim().to_string()))
        };
        let given: Option<Vec<(usize, String)>> = text.split(',').map(pair).collect();
        Ok(Wide { given: given.ok_or_else(wrong)? })
    }

    /// For each column what it holds; a column called like a role holds it.
    fn columns(&self, names: &[String]) -> std::result::Result<Vec<Option<usize>>, BadRow> {
        let mut out = vec![None; names.len()];
        let found = || few(names);
        for (role, column) in &self.given {
            let expected = || format!("a column of this name; found: {}", found());
            let at = column_at(names, column).ok_or_else(|| BadRow::at(0, column, expected()))?;
            out[at] = Some(*role);
        }
        for (role, name) in roles() {
            if !out.contains(&Some(role))
                && let Some(at) = column_at(names, name)
                && out[at].is_none()
            {
                out[at] = Some(role);
            }
        }
        let experiment = roles().find(|(_, name)| *name == "experiment").map(|(at, _)| at);
        if !out.contains(&experiment) {
            let expected = format!("a column with the experiment: --wide experiment=COLUMN; found: {}", found());
            return Err(BadRow::at(0, "experiment", expected));
        }
        Ok(out)
    }
}

/// The rows of a wide table, its metrics, and the columns that hold no number at all.
pub(super) struct WideRead {
    pub(super) block: Block,
    pub(super) metrics: Vec<String>,
    pub(super) passed_over: Vec<String>,
}

/// Reads a wide table: every cell of a metric's column is a row.
pub(super) fn read_wide(text: &str, wide: &Wide) -> WideRead {
    let mut out = WideRead { block: Block::default(), metrics: vec![], passed_over: vec![] };
    let mut scanner = Scanner::new(text, After::End);
    let mut spans = Vec::new();
    let mut records: Vec<(u64, Vec<String>)> = Vec::new();
    loop {
        match scanner.next(&mut spans) {
            Found::Record(line) => records.push((line, spans.iter().map(|s| s.text(text).into_owned()).collect())),
            Found::Nothing => break,
            Found::Unfinished(line, _) => {
                out.block.broken.push(BadRow::at(line, "record", "a closing quote"));
                break;
            }
        }
    }
    let mut records = records.into_iter();
    let names: Vec<String> = records.next().map_or_else(Vec::new, |(_, names)| names);
    let records: Vec<(u64, Vec<String>)> = records.collect();
    let roles = match wide.columns(&names) {
        Ok(roles) => roles,
        Err(bad) => {
            out.block.broken.push(bad);
            return out;
        }
    };
    let is_number = |cell: &String| cell.trim().parse::<f64>().is_ok_and(f64::is_finite);
    let has_numbers = |at: usize| records.iter().filter_map(|(_, cells)| cells.get(at)).any(is_number);
    let rest = (0..names.len()).filter(|at| roles[*at].is_none());
    let (metrics, others): (Vec<usize>, Vec<usize>) = rest.partition(|at| has_numbers(*at));
    out.metrics = metrics.iter().map(|at| names[*at].trim().to_string()).collect();
    out.passed_over = others.iter().map(|at| names[*at].trim().to_string()).collect();
    if metrics.is_empty() {
        let expected = format!("a column with numbers; found: {}", few(&names));
        out.block.broken.push(BadRow::at(0, "metric", expected));
    }
    let mut last = Last::default();
    for (line, cells) in &records {
        if cells.len() != names.len() {
            let expected = format!("{} fields, got {}", names.len(), cells.len());
            out.block.broken.push(BadRow::at(*line, "record", expected));
            continue;
        }
        for at in &metrics {
            if !is_nothing(&cells[*at]) && !is_number(&cells[*at]) {
                let bad = BadRow::at(*line, names[*at].trim(), "a finite number or empty");
                out.block.wrong.push(BadRow { found: Some(cells[*at].clone()), ..bad });
                continue;
            }
            let mut fields = Fields::default();
            for (column, role) in roles.iter().enumerate() {
                if let Some(role) = role {
                    fields[*role] = Field::Text(cells[column].as_str().into());
                }
            }
            fields[METRIC] = Field::Text(names[*at].trim().into());
            fields[VALUE] = Field::Text(cells[*at].as_str().into());
            out.block.take(&mut last, *line, &fields, true);
        }
    }
    out.block.lines = scanner.lines;
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "Model,ID,bleu,rouge,comment\na,1,0.5,NA,fine\na,2,0.25,1,\nb,1,,0.75,x\n";

    #[test]
    fn every_cell_of_a_metric_is_a_row() {
        let read = read_wide(TABLE, &Wide::parse("experiment=model,case=id").unwrap());
        assert_eq!(
            (read.metrics, read.passed_over),
            (vec!["bleu".into(), "rouge".into()], vec!["comment".to_string()])
        );
        let rows: Vec<_> = read.block.rows.iter().map(|(line, row)| (*line, row.value)).collect();
        let expected = [(1, Some(0.5)), (1, None), (2, Some(0.25)), (2, Some(1.0)), (3, None), (3, Some(0.75))];
        assert_eq!(rows, expected);
    }

    #[test]
    fn a_text_among_numbers_names_its_column_and_a_missing_column_those_there_are() {
        let bad = read_wide(&TABLE.replace("0.25", "high"), &Wide::parse("experiment=model,case=id").unwrap());
        assert_eq!((bad.block.wrong[0].line, bad.block.wrong[0].field.as_str()), (2, "bleu"));
        let none = read_wide(TABLE, &Wide::parse("experiment=system").unwrap());
        assert!(none.block.broken[0].expected.contains("found: Model, ID, bleu"), "{:?}", none.block.broken);
        assert!(read_wide(TABLE, &Wide::parse("case=id").unwrap()).block.broken[0].field == "experiment");
        for text in ["", "id", "colour=id", "case="] {
            assert!(Wide::parse(text).is_err(), "{text}");
        }
    }
}
