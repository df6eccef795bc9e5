//! Facts about a metric, as data.

use serde::Serialize;

/// Which direction is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// More is better.
    Higher,
    /// Less is better.
    Lower,
    /// It describes; neither is better.
    None,
}

impl Better {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Better::Higher => "higher",
            Better::Lower => "lower",
            Better::None => "none",
        }
    }
}

/// What is known about a metric before anything is scored. Help, documentation, comparisons and reports read it here.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Metric {
    /// The published name in lower case; `*` stands for what a pack or an option fills in.
    pub id: &'static str,
    /// The published spelling.
    pub title: &'static str,
    /// What it says, in a sentence.
    pub says: &'static str,
    /// Smallest and largest value; none where there is no bound.
    pub range: (Option<f64>, Option<f64>),
    /// Which direction is good.
    pub better: Better,
    /// Level whose rows count in comparisons.
    pub level: &'static str,
    /// Whether it is compared and gated by default.
    pub headline: bool,
    /// How it is computed.
    pub formula: &'static str,
    /// What happens when there is nothing to compute it from.
    pub empty: &'static str,
    /// Who defined it.
    pub source: &'static str,
}

impl Metric {
    /// A metric in [0, 1] of which more is better. A suite's metrics differ from it in what they say, and in a few facts more.
    pub const fn at(level: &'static str) -> Metric {
        Metric {
            id: "",
            title: "",
            says: "",
            range: (Some(0.0), Some(1.0)),
            better: Better::Higher,
            level,
            headline: false,
            formula: "",
            empty: "",
            source: "",
        }
    }

    /// Whether this entry describes the metric with that id.
    pub fn describes(&self, id: &str) -> bool {
        describes(self.id, id)
    }

    /// The range as people write it.
    pub fn range_text(&self) -> String {
        match self.range {
            (Some(low), Some(high)) => format!("[{low}, {high}]"),
            (Some(low), None) => format!("≥ {low}"),
            (None, Some(high)) => format!("≤ {high}"),
            (None, None) => "any number".to_string(),
        }
    }
}

/// The ids of the first N metrics, in their order.
pub(crate) const fn ids<const N: usize>(metrics: &[Metric]) -> [&'static str; N] {
    let mut ids = [""; N];
    let mut place = 0;
    while place < N {
        ids[place] = metrics[place].id;
        place += 1;
    }
    ids
}

/// Whether an id, or a pattern with one `*` for at least one character, describes a metric's id.
pub fn describes(pattern: &str, id: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == id,
        Some((start, end)) => id.len() > start.len() + end.len() && id.starts_with(start) && id.ends_with(end),
    }
}
