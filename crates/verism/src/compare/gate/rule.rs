//! Rules of the gate, as people write them.

use std::fmt;

use crate::compare::read::names::nfc;
use crate::error::{Defect, Result};
use crate::stats::margin::Margin;

/// A comparison with a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// `>=`
    AtLeast(f64),
    /// `<=`
    AtMost(f64),
    /// `>`
    Above(f64),
    /// `<`
    Below(f64),
}

impl Bound {
    /// Tells whether a number satisfies the bound; what differs from it by float noise is equal to it.
    pub fn holds(self, x: f64) -> bool {
        let at = |bound: f64| Margin::of(bound, 0.0);
        match self {
            Bound::AtLeast(bound) => !at(bound).is_above(x),
            Bound::AtMost(bound) => !at(bound).is_below(x),
            Bound::Above(bound) => at(bound).is_below(x),
            Bound::Below(bound) => at(bound).is_above(x),
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Bound::AtLeast(bound) => write!(f, ">= {bound}"),
            Bound::AtMost(bound) => write!(f, "<= {bound}"),
            Bound::Above(bound) => write!(f, "> {bound}"),
            Bound::Below(bound) => write!(f, "< {bound}"),
        }
    }
}

/// What is held against a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    /// The interval of the mean.
    Interval,
    /// The mean of units.
    Mean,
    /// The median of units.
    Median,
    /// The smallest unit.
    Min,
    /// The largest unit.
    Max,
    /// The share of rows with a value.
    Coverage,
}

const STATISTICS: [(&str, Statistic); 5] = [
    ("mean", Statistic::Mean),
    ("median", Statistic::Median),
    ("min", Statistic::Min),
    ("max", Statistic::Max),
    ("coverage", Statistic::Coverage),
];

/// How one experiment has to stand to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Shown to be better.
    BetterThan,
    /// Shown to be worse by less than the smallest effect of interest.
    NoWorseThan,
}

/// What a rule asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Demand {
    /// Coverage of all headline metrics together.
    Coverage(Bound),
    /// A metric in every experiment or in one. `name` may still end with a statistic's name that belongs to the metric.
    Metric {
        /// The metric, `metric` or `suite.metric`.
        name: String,
        /// One experiment; none: every one.
        experiment: Option<String>,
        /// What its interval, or statistic, has to satisfy.
        bound: Bound,
    },
    /// One experiment against another.
    Against {
        /// The metric, `metric` or `suite.metric`.
        name: String,
        /// The experiment that is judged.
        experiment: String,
        /// How it has to compare.
        relation: Relation,
        /// The one it is held against.
        baseline: String,
    },
}

/// A rule: what it asks for, and its text.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The rule as it was written.
    pub text: String,
    /// What it asks for.
    pub demand: Demand,
}

impl Rule {
    /// Reads a rule such as `guest.crrs@exp5 >= 0.7`, `coverage >= 0.95` or `guest.crrs: exp5 better_than exp1`.
    pub fn parse(text: &str) -> Result<Rule> {
        let demand = match against(text) {
            Some(demand) => demand,
            None => bounded(text)?,
        };
        Ok(Rule { text: text.trim().to_string(), demand })
    }
}

fn against(text: &str) -> Option<Demand> {
    let relations = [(" better_than ", Relation::BetterThan), (" no_worse_than ", Relation::NoWorseThan)];
    let (before, relation, baseline) =
        relations.iter().find_map(|(word, relation)| text.split_once(word).map(|(a, b)| (a, *relation, b)))?;
    let (name, experiment) = before.split_once(':')?;
    let [name, experiment, baseline] = [name, experiment, baseline].map(|part| nfc(part.trim()));
    let complete = ![&name, &experiment, &baseline].iter().any(|part| part.is_empty());
    complete.then_some(Demand::Against { name, experiment, relation, baseline })
}

fn bounded(text: &str) -> Result<Demand> {
    let wrong = |expected: &str| {
        let forms = "rules look like 'guest.crrs >= 0.7', 'guest.crrs.mean@exp5 >= 0.7', 'coverage >= 0.95' or \
                     'guest.crrs: exp5 better_than exp1'";
        Defect::new("bad_rule", expected).field("rule").value(text).hint(forms)
    };
    // The last sign counts, since an experiment's name may hold one.
    let signs = [">=", "<=", ">", "<"];
    let last = signs.iter().filter_map(|sign| Some((text.rfind(sign)?, *sign)));
    let (at, sign) =
        last.max_by_key(|(at, sign)| (at + sign.len(), sign.len())).ok_or_else(|| wrong("one of >= <= > <"))?;
    let (left, right) = (text[..at].trim(), text[at + sign.len()..].trim());
    let number = right.parse::<f64>().ok().filter(|x| x.is_finite()).ok_or_else(|| wrong("a number after the sign"))?;
    let bound = match sign {
        ">=" => Bound::AtLeast(number),
        "<=" => Bound::AtMost(number),
        ">" => Bound::Above(number),
        _ => Bound::Below(number),
    };
    if left == "coverage" {
        return Ok(Demand::Coverage(bound));
    }
    let (name, experiment) = left.split_once('@').map_or((left, None), |(name, e)| (name, Some(nfc(e.trim()))));
    if name.trim().is_empty() || experiment.as_ref().is_some_and(String::is_empty) {
        return Err(wrong("suite.metric, with @experiment or not").into());
    }
    Ok(Demand::Metric { name: nfc(name.trim()), experiment, bound })
}

/// Gives the name without a statistic at its end, and that statistic.
pub(super) fn split_statistic(name: &str) -> (&str, Statistic) {
    let named =
        |(start, end)| STATISTICS.iter().find(|(word, _)| *word == end).map(|(_, statistic)| (start, *statistic));
    name.rsplit_once('.').and_then(named).unwrap_or((name, Statistic::Interval))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_of_the_contract_are_read() {
        let metric = |name: &str, experiment: Option<&str>, bound| Demand::Metric {
            name: name.to_string(),
            experiment: experiment.map(str::to_string),
            bound,
        };
        let cases = [
            ("guest.crrs >= 0.7", metric("guest.crrs", None, Bound::AtLeast(0.7))),
            ("guest.crrs@exp5 >= 0.7", metric("guest.crrs", Some("exp5"), Bound::AtLeast(0.7))),
            ("a.r_r.max@gemma/Group_A<0.1", metric("a.r_r.max", Some("gemma/Group_A"), Bound::Below(0.1))),
            ("coverage >= 0.95", Demand::Coverage(Bound::AtLeast(0.95))),
            ("m@a>b <= 1", metric("m", Some("a>b"), Bound::AtMost(1.0))),
        ];
        for (text, demand) in cases {
            assert_eq!(Rule::parse(text).unwrap().demand, demand, "{text}");
        }
        let rule = Rule::parse("guest.crrs: exp5 no_worse_than exp1").unwrap();
        let Demand::Against { name, experiment, relation, baseline } = rule.demand else { panic!("{rule:?}") };
        assert_eq!((name.as_str(), experiment.as_str(), baseline.as_str()), ("guest.crrs", "exp5", "exp1"));
        assert_eq!(relation, Relation::NoWorseThan);
    }

    #[test]
    fn what_is_no_rule_is_refused() {
        for text in
            ["", "r_h", "r_h <= x", "r_h <= nan", ">= 1", "@e > 1", "m@ > 1", "m: better_than b", "a better_than b"]
        {
            assert!(Rule::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn statistics_stand_at_the_end() {
        assert_eq!(split_statistic("guest.crrs.mean"), ("guest.crrs", Statistic::Mean));
        assert_eq!(split_statistic("guest.crrs"), ("guest.crrs", Statistic::Interval));
    }
}
