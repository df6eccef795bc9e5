//! Evidence: what a score is made of. It is written into the score's row and read back by `why`.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};

use crate::score::json;

/// Counts by name.
pub(crate) type Named = BTreeMap<String, u64>;

/// What a score is made of. Each kind has fields of its own, by which it is known again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Evidence {
    Rate(RateEvidence),
    Coherence(CoherenceEvidence),
    Ratio(RatioEvidence),
    Chance(ChanceEvidence),
    Labels(LabelEvidence),
    Rows(RowEvidence),
    Statuses(StatusEvidence),
    Years(YearEvidence),
    Change(ChangeEvidence),
    Cells(CellEvidence),
    /// Nobody knows which rows are active.
    Nothing(NoEvidence),
}

/// A rate of broken rules: the counts behind it, by rule, and the first events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RateEvidence {
    pub(crate) denominator: u64,
    /// The first events as `<agent>@<year>`.
    pub(crate) events: Vec<String>,
    /// Active rows under the condition of each rule.
    pub(crate) exposed: Named,
    /// Agents whose first row is active: no state before it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) no_history: Option<u64>,
    pub(crate) numerator: u64,
    /// Active rows whose intent is `other`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) other_intent: Option<u64>,
    /// Rows that break each rule.
    pub(crate) rules: Named,
}

/// Coherent rows among the eligible ones, and the active rows that are not eligible, by reason.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CoherenceEvidence {
    pub(crate) denominator: u64,
    pub(crate) numerator: u64,
    pub(crate) skipped: Named,
}

/// A share of rows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RatioEvidence {
    pub(crate) denominator: u64,
    pub(crate) numerator: u64,
}

/// A share in numbers that may be larger than those of rows: squares of them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChanceEvidence {
    #[serde(deserialize_with = "wide")]
    pub(crate) numerator: u128,
    #[serde(deserialize_with = "wide")]
    pub(crate) denominator: u128,
}

/// A whole number of any size. Beyond 64 bits it comes back rounded to 53, which is what people are told.
fn wide<'de, D: Deserializer<'de>>(json: D) -> Result<u128, D::Error> {
    f64::deserialize(json).map(|number| number as u128)
}

/// Rows by label.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LabelEvidence {
    pub(crate) counts: Named,
    /// Rows without a known label.
    pub(crate) other: u64,
}

/// The rows that were looked at.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RowEvidence {
    pub(crate) rows: u64,
}

/// Rows by what came of the intent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StatusEvidence {
    pub(crate) by_status: Named,
}

/// The years that have a value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct YearEvidence {
    pub(crate) years: u64,
}

/// A cell and its baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChangeEvidence {
    pub(crate) base: Option<f64>,
    pub(crate) base_cell: String,
    pub(crate) value: Option<f64>,
}

/// The cells of a group, and those with a value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CellEvidence {
    pub(crate) cells: u64,
    pub(crate) defined: u64,
}

/// Nothing is known.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoEvidence {}

/// Something that a score is made of: its name, and what it is.
type Detail = (&'static str, String);

impl Evidence {
    /// Reads the evidence of a row.
    pub(crate) fn read(text: &str) -> serde_json::Result<Evidence> {
        serde_json::from_str(text)
    }

    /// The evidence as JSON.
    pub(crate) fn json(&self) -> String {
        json::text(self)
    }

    /// Numerator and denominator, if it is a ratio.
    pub(crate) fn ratio(&self) -> Option<(u128, u128)> {
        let of_rows = |numerator: u64, denominator: u64| Some((numerator.into(), denominator.into()));
        match self {
            Evidence::Rate(rate) => of_rows(rate.numerator, rate.denominator),
            Evidence::Coherence(rows) => of_rows(rows.numerator, rows.denominator),
            Evidence::Ratio(rows) => of_rows(rows.numerator, rows.denominator),
            Evidence::Chance(chance) => Some((chance.numerator, chance.denominator)),
            _ => None,
        }
    }

    /// What is left of a ratio: the rows that are not in its numerator.
    pub(crate) fn complement(&self) -> Option<(u128, u128)> {
        self.ratio().map(|(numerator, denominator)| (denominator.saturating_sub(numerator), denominator))
    }

    /// Everything but the ratio, in words; counts of 0 only `in_full`.
    pub(crate) fn details(&self, in_full: bool) -> Vec<Detail> {
        let counts = |counts: &Named| {
            let shown = counts.iter().filter(|(_, count)| in_full || **count != 0);
            shown.map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
        };
        let number = |number: &Option<f64>| number.map_or_else(String::new, |number| json::text(&number));
        let count = |count: &Option<u64>| count.map_or_else(String::new, |count| count.to_string());
        let details = match self {
            Evidence::Rate(rate) => vec![
                ("events", rate.events.join(" ")),
                ("exposed", counts(&rate.exposed)),
                ("no_history", count(&rate.no_history)),
                ("other_intent", count(&rate.other_intent)),
                ("rules", counts(&rate.rules)),
            ],
            Evidence::Coherence(rows) => vec![("skipped", counts(&rows.skipped))],
            Evidence::Ratio(_) | Evidence::Chance(_) | Evidence::Nothing(_) => vec![],
            Evidence::Labels(labels) => vec![("counts", counts(&labels.counts)), ("other", labels.other.to_string())],
            Evidence::Rows(rows) => vec![("rows", rows.rows.to_string())],
            Evidence::Statuses(statuses) => vec![("by_status", counts(&statuses.by_status))],
            Evidence::Years(years) => vec![("years", years.years.to_string())],
            Evidence::Change(change) => vec![
                ("base", number(&change.base)),
                ("base_cell", change.base_cell.clone()),
                ("value", number(&change.value)),
            ],
            Evidence::Cells(cells) => vec![("cells", cells.cells.to_string()), ("defined", cells.defined.to_string())],
        };
        details.into_iter().filter(|(_, text)| !text.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_known_again() {
        let named = || Named::from([("a".to_string(), 0), ("b".to_string(), 2)]);
        let rate = RateEvidence {
            denominator: 4,
            events: vec!["a1@2".into()],
            exposed: named(),
            no_history: Some(1),
            numerator: 1,
            other_intent: None,
            rules: named(),
        };
        for evidence in [
            Evidence::Rate(RateEvidence { no_history: None, other_intent: Some(0), ..rate.clone() }),
            Evidence::Rate(rate),
            Evidence::Coherence(CoherenceEvidence { denominator: 4, numerator: 1, skipped: Named::new() }),
            Evidence::Ratio(RatioEvidence { denominator: 4, numerator: 1 }),
            Evidence::Labels(LabelEvidence { counts: named(), other: 0 }),
            Evidence::Rows(RowEvidence { rows: 3 }),
            Evidence::Statuses(StatusEvidence { by_status: named() }),
            Evidence::Years(YearEvidence { years: 3 }),
            Evidence::Change(ChangeEvidence { base: None, base_cell: "m/A/1".into(), value: Some(0.25) }),
            Evidence::Cells(CellEvidence { cells: 3, defined: 2 }),
            Evidence::Nothing(NoEvidence {}),
        ] {
            assert_eq!(Evidence::read(&evidence.json()).expect("evidence"), evidence);
        }
        assert_eq!(Evidence::Nothing(NoEvidence {}).json(), "{}");
    }

    #[test]
    fn squares_of_rows_are_told_whatever_their_size() {
        let told = |numerator: u128, denominator: u128| {
            let evidence = Evidence::Chance(ChanceEvidence { numerator, denominator });
            Evidence::read(&evidence.json()).expect("evidence").ratio()
        };
        assert_eq!(told(7, 9), Some((7, 9)));
        // 2^70: a power of two survives the rounding.
        assert_eq!(told(1, 1 << 70), Some((1, 1 << 70)));
    }

    #[test]
    fn counts_of_nothing_are_told_in_full_only() {
        let labels = LabelEvidence { counts: Named::from([("a".into(), 0), ("b".into(), 2)]), other: 0 };
        let evidence = Evidence::Labels(labels);
        assert_eq!(evidence.details(false), [("counts", "b 2".to_string()), ("other", "0".to_string())]);
        assert_eq!(evidence.details(true)[0].1, "a 0, b 2");
    }
}
