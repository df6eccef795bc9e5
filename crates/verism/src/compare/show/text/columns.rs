//! Cells side by side.

use crate::compare::show::numbers::decimals;

/// What stands for a number that is not there.
const NOTHING: &str = "-";

/// A table of text: a header, rows, and lines of their own between them.
pub(crate) struct Columns {
    right: Vec<bool>,
    lines: Vec<Line>,
}

enum Line {
    Cells(Vec<String>),
    Title(String),
}

impl Columns {
    /// A table with these columns; those whose names begin with `>` are set to the right.
    pub(crate) fn new(header: &[&str]) -> Columns {
        let right = header.iter().map(|name| name.starts_with('>')).collect();
        let names = header.iter().map(|name| name.trim_start_matches('>').to_string()).collect();
        Columns { right, lines: vec![Line::Cells(names)] }
    }

    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.lines.push(Line::Cells(cells));
    }

    pub(crate) fn title(&mut self, text: String) {
        self.lines.push(Line::Title(text));
    }

    /// Two spaces between columns, a blank line above titles, no trailing blanks.
    pub(crate) fn text(&self) -> String {
        let mut widths = vec![0; self.right.len()];
        for line in &self.lines {
            if let Line::Cells(cells) = line {
                for (width, cell) in widths.iter_mut().zip(cells) {
                    *width = (*width).max(cell.chars().count());
                }
            }
        }
        let mut out = String::new();
        for line in &self.lines {
            match line {
                Line::Title(text) => out.push_str(&format!("\n{text}")),
                Line::Cells(cells) => {
                    let padded =
                        cells.iter().zip(&widths).zip(&self.right).map(|((cell, &width), right)| match right {
                            true => format!("{cell:>width$}"),
                            false => format!("{cell:width$}"),
                        });
                    out.push_str(padded.collect::<Vec<String>>().join("  ").trim_end());
                }
            }
            out.push('\n');
        }
        out
    }
}

/// Four decimals, or `-`.
pub(crate) fn value(x: Option<f64>) -> String {
    x.map_or_else(|| NOTHING.to_string(), |x| decimals(x, 4))
}

/// Intervals as `[lo, hi]`, their ends below each other.
pub(crate) fn intervals(ends: impl Iterator<Item = Option<(f64, f64)>>) -> Vec<String> {
    let shown: Vec<Option<(String, String)>> =
        ends.map(|ends| ends.map(|(lo, hi)| (decimals(lo, 4), decimals(hi, 4)))).collect();
    let widest = |of: fn(&(String, String)) -> usize| shown.iter().flatten().map(of).max().unwrap_or(0);
    let (first, second) = (widest(|ends| ends.0.len()), widest(|ends| ends.1.len()));
    let cell = |ends: &Option<(String, String)>| match ends {
        Some((lo, hi)) => format!("[{lo:>first$}, {hi:>second$}]"),
        None => NOTHING.to_string(),
    };
    shown.iter().map(cell).collect()
}
