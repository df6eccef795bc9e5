//! One measure of one unit.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::json::{push, push_field, push_number, push_text, push_whole};
use super::measure::{Measure, Undefined};

/// A row of the tidy score table.
#[derive(Clone, Debug)]
pub struct Row<'a> {
    /// Suite id.
    pub suite: &'a str,
    /// Metric id: the published name in lower case.
    pub metric: &'a str,
    /// What is compared with what.
    pub experiment: &'a str,
    /// Columns that the suite's spec adds.
    pub extra: &'a [(&'static str, Option<&'a str>)],
    /// Repetition of the experiment.
    pub run: Option<&'a str>,
    /// What is held equal across experiments.
    pub case: Option<&'a str>,
    /// Dialogue the unit belongs to.
    pub dialogue: Option<&'a str>,
    /// Turn the unit belongs to.
    pub turn: Option<i64>,
    /// Kind of unit.
    pub level: &'a str,
    /// The unit's id.
    pub unit: &'a str,
    /// The number or the reason.
    pub value: Measure,
    /// How many observations it rests on.
    pub n: Option<u64>,
    /// Advisory band.
    pub band: Option<&'a str>,
    /// What the value was made of: a JSON object.
    pub evidence: &'a str,
}

impl<'a> Row<'a> {
    /// Appends the row as one line of JSON.
    pub fn push_line(&self, out: &mut Vec<u8>) {
        let mut ids = vec![];
        self.push_ids(&mut ids);
        self.push_line_with(&ids, out);
    }

    /// A row with the ids of a dialogue and nothing else, to be completed.
    pub fn of_dialogue(suite: &'a str, [experiment, run, case, dialogue]: [&'a str; 4]) -> Row<'a> {
        Row {
            suite,
            metric: "",
            experiment,
            extra: &[],
            run: Some(run),
            case: Some(case),
            dialogue: Some(dialogue),
            turn: None,
            level: "",
            unit: "",
            value: Ok(0.0),
            n: None,
            band: None,
            evidence: "{}",
        }
    }

    /// Appends the ids that all rows of a dialogue share, from `experiment` to `dialogue`.
    pub fn push_ids(&self, out: &mut Vec<u8>) {
        push_field(out, "experiment", &self.experiment);
        for (name, value) in self.extra {
            push_field(out, name, value);
        }
        push_field(out, "run", &self.run);
        push_field(out, "case", &self.case);
        push_field(out, "dialogue", &self.dialogue);
    }

    /// Appends what names the unit, from `turn` to `unit`.
    fn push_unit(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b",\"turn\":");
        match self.turn {
            Some(turn) => push(out, &turn),
            None => out.extend_from_slice(b"null"),
        }
        out.extend_from_slice(b",\"level\":");
        push_text(out, self.level);
        out.extend_from_slice(b",\"unit\":");
        push_text(out, self.unit);
    }

    /// What all rows of one unit share, for [`Row::push_line_of`].
    pub fn of_unit(&self) -> Vec<u8> {
        let mut out = vec![];
        self.push_ids(&mut out);
        self.push_unit(&mut out);
        out
    }

    /// Appends the row as one line of JSON; its ids are those that [`Row::push_ids`] gave.
    pub fn push_line_with(&self, ids: &[u8], out: &mut Vec<u8>) {
        self.push_line_by(ids, out, |out| out.extend_from_slice(self.evidence.as_bytes()));
    }

    /// The same, but `evidence` appends a JSON object.
    pub fn push_line_by(&self, ids: &[u8], out: &mut Vec<u8>, evidence: impl FnOnce(&mut Vec<u8>)) {
        self.push_metric(out);
        out.extend_from_slice(ids);
        self.push_unit(out);
        self.push_measure(out);
        evidence(out);
        out.extend_from_slice(b"}\n");
    }

    /// Appends the row as one line of JSON; [`Row::of_unit`] gave what it shares with others of its unit, and `evidence`
    /// appends a JSON object.
    pub fn push_line_of(&self, unit: &[u8], out: &mut Vec<u8>, evidence: impl FnOnce(&mut Vec<u8>)) {
        self.push_metric(out);
        out.extend_from_slice(unit);
        self.push_measure(out);
        evidence(out);
        out.extend_from_slice(b"}\n");
    }

    fn push_metric(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"suite\":");
        push_text(out, self.suite);
        out.extend_from_slice(b",\"metric\":");
        push_text(out, self.metric);
        out.push(b',');
    }

    fn push_measure(&self, out: &mut Vec<u8>) {
        match &self.value {
            Ok(value) => {
                out.extend_from_slice(b",\"value\":");
                push_number(out, *value);
                out.extend_from_slice(b",\"undefined\":null");
            }
            Err(why) => {
                out.extend_from_slice(b",\"value\":null,\"undefined\":");
                push_text(out, why.reason());
            }
        }
        match self.n {
            Some(n) => {
                out.extend_from_slice(b",\"n\":");
                push_whole(out, n);
            }
            None => out.extend_from_slice(b",\"n\":null"),
        }
        match self.band {
            Some(band) => {
                out.extend_from_slice(b",\"band\":");
                push_text(out, band);
            }
            None => out.extend_from_slice(b",\"band\":null"),
        }
        out.extend_from_slice(b",\"evidence\":");
    }
}

impl Row<'_> {
    /// Reads a line that [`Row::push_line`] wrote; `columns` are those that the suite adds.
    pub fn read_line<'l>(line: &'l [u8], columns: &'static [&'static str]) -> serde_json::Result<RowLine<'l>> {
        let mut row: RowLine<'l> = serde_json::from_slice(line)?;
        if !columns.is_empty() {
            let mut deserializer = serde_json::Deserializer::from_slice(line);
            row.extra = deserializer.deserialize_map(ExtraColumns(columns))?;
        }
        Ok(row)
    }
}

/// Columns that a suite adds, with their texts.
type Extra<'a> = Vec<(&'static str, Option<Cow<'a, str>>)>;

/// Reads the columns that a suite adds and passes over all others.
struct ExtraColumns(&'static [&'static str]);

impl<'de> Visitor<'de> for ExtraColumns {
    type Value = Extra<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a score row")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Extra<'de>, A::Error> {
        let mut found: Extra<'de> = self.0.iter().map(|name| (*name, None)).collect();
        while let Some(key) = map.next_key::<Text<'de>>()? {
            match found.iter_mut().find(|(name, _)| *name == key.0) {
                Some((_, value)) => *value = map.next_value::<Option<Text<'de>>>()?.map(|text| text.0),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(found)
    }
}

/// A text that borrows where it can.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// A row read from its line.
#[derive(Clone, Debug, Deserialize)]
pub struct RowLine<'a> {
    #[serde(borrow)]
    suite: Cow<'a, str>,
    #[serde(borrow)]
    metric: Cow<'a, str>,
    #[serde(borrow)]
    experiment: Cow<'a, str>,
    #[serde(skip)]
    extra: Extra<'a>,
    #[serde(borrow)]
    run: Option<Cow<'a, str>>,
    #[serde(borrow)]
    case: Option<Cow<'a, str>>,
    #[serde(borrow)]
    dialogue: Option<Cow<'a, str>>,
    turn: Option<i64>,
    #[serde(borrow)]
    level: Cow<'a, str>,
    #[serde(borrow)]
    unit: Cow<'a, str>,
    value: Option<f64>,
    undefined: Option<Undefined>,
    n: Option<u64>,
    #[serde(borrow)]
    band: Option<Cow<'a, str>>,
    #[serde(borrow)]
    evidence: &'a RawValue,
}

impl RowLine<'_> {
    /// The columns that the suite adds, for [`RowLine::as_row`].
    pub fn extra(&self) -> Vec<(&'static str, Option<&str>)> {
        self.extra.iter().map(|(name, value)| (*name, value.as_deref())).collect()
    }

    /// The row, with the columns that [`RowLine::extra`] gave.
    pub fn as_row<'r>(&'r self, extra: &'r [(&'static str, Option<&'r str>)]) -> Row<'r> {
        Row {
            suite: &self.suite,
            metric: &self.metric,
            experiment: &self.experiment,
            extra,
            run: self.run.as_deref(),
            case: self.case.as_deref(),
            dialogue: self.dialogue.as_deref(),
            turn: self.turn,
            level: &self.level,
            unit: &self.unit,
            value: self.value.ok_or_else(|| self.undefined.clone().unwrap_or(Undefined::new("unknown"))),
            n: self.n,
            band: self.band.as_deref(),
            evidence: self.evidence.get(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::measure::EMPTY_DENOMINATOR;
    use super::*;

    #[test]
    fn a_row_is_a_line_with_the_keys_of_the_contract() {
        let row = Row {
            suite: "guest",
            metric: "pas",
            experiment: "exp5",
            extra: &[("model", Some("m"))],
            run: Some("1"),
            case: None,
            dialogue: None,
            turn: Some(3),
            level: "turn",
            unit: "u",
            value: Ok(0.8125),
            n: Some(4),
            band: None,
            evidence: "{}",
        };
        let mut out = vec![];
        row.push_line(&mut out);
        let mut again = vec![];
        let read = Row::read_line(&out, &["model"]).expect("a row");
        read.as_row(&read.extra()).push_line(&mut again);
        assert_eq!(out, again);
        Row { value: Err(EMPTY_DENOMINATOR), ..row }.push_line(&mut out);
        let text = String::from_utf8(out).expect("UTF-8");
        assert_eq!(
            text.lines().next(),
            Some(
                r#"{"suite":"guest","metric":"pas","experiment":"exp5","model":"m","run":"1","case":null,"dialogue":null,"turn":3,"level":"turn","unit":"u","value":0.8125,"undefined":null,"n":4,"band":null,"evidence":{}}"#
            )
        );
        assert!(text.lines().nth(1).is_some_and(|l| l.contains(r#""value":null,"undefined":"empty_denominator""#)));
    }
}
