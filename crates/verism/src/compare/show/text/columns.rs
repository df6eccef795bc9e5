//! Cells side by side.

use crate::compare::show::numbers::decimals;
use crate::text::one_line::one_line;

/// What stands for a number that is not there.
const NOTHING: &str = "-";

/// What stands between two columns.
const GAP: usize = 2;

/// A column of a text table.
pub(super) struct Column {
    name: String,
    right: bool,
    /// When it goes for lack of room: the lowest first; none: never.
    rank: Option<u8>,
}

impl Column {
    /// A column of text that always stays.
    pub(super) fn new(name: impl Into<String>) -> Column {
        Column { name: name.into(), right: false, rank: None }
    }

    /// The same, set to the right.
    pub(super) fn right(self) -> Column {
        Column { right: true, ..self }
    }

    /// The same, dropped for lack of room in this order: the lowest first.
    pub(super) fn rank(self, rank: u8) -> Column {
        Column { rank: Some(rank), ..self }
    }
}

/// A table of text: a header, rows, and lines of their own between them.
pub(super) struct Columns {
    columns: Vec<Column>,
    lines: Vec<Line>,
}

enum Line {
    Cells(Vec<String>),
    Title(String),
}

impl Columns {
    pub(super) fn new(columns: Vec<Column>) -> Columns {
        let names = columns.iter().map(|column| column.name.clone()).collect();
        Columns { columns, lines: vec![Line::Cells(names)] }
    }

    pub(super) fn row(&mut self, cells: Vec<String>) {
        self.lines.push(Line::Cells(cells.iter().map(|cell| one_line(cell).into_owned()).collect()));
    }

    pub(super) fn title(&mut self, text: String) {
        self.lines.push(Line::Title(one_line(&text).into_owned()));
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths = vec![0; self.columns.len()];
        for line in &self.lines {
            if let Line::Cells(cells) = line {
                for (width, cell) in widths.iter_mut().zip(cells) {
                    *width = (*width).max(cell.chars().count());
                }
            }
        }
        widths
    }

    /// Drops columns by rank until the table fits; gives the names of those that went.
    pub(super) fn fit(&mut self, width: usize) -> Vec<String> {
        let mut gone = vec![];
        loop {
            let widths = self.widths();
            let used = widths.iter().sum::<usize>() + GAP * widths.iter().filter(|w| **w > 0).count().saturating_sub(1);
            let ranked = self.columns.iter().enumerate().filter_map(|(at, column)| Some((column.rank?, at)));
            let Some((_, at)) = ranked.min().filter(|_| used > width) else { return gone };
            gone.push(self.columns.remove(at).name);
            for line in &mut self.lines {
                if let Line::Cells(cells) = line {
                    cells.remove(at);
                }
            }
        }
    }

    /// Two spaces between columns, a blank line above titles, no trailing blanks.
    pub(super) fn text(&self) -> String {
        let widths = self.widths();
        let mut out = String::new();
        for line in &self.lines {
            match line {
                Line::Title(text) => out.push_str(&format!("\n{text}")),
                Line::Cells(cells) => {
                    let sides = self.columns.iter().map(|column| column.right);
                    let padded = cells.iter().zip(&widths).zip(sides).map(|((cell, &width), right)| match right {
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
pub(super) fn value(x: Option<f64>) -> String {
    x.map_or_else(|| NOTHING.to_string(), |x| decimals(x, 4))
}

/// Intervals as `[lo, hi]`, their ends below each other.
pub(super) fn intervals(ends: impl Iterator<Item = Option<(f64, f64)>>) -> Vec<String> {
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
