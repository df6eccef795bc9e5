//! Options from `key=value` pairs.

use super::choices::{ClusterBy, DesignChoice, FactorChoice, RunChoice, TestChoice};
use super::list::OPTIONS;
use super::settings::Options;
use super::words::{DESIGNS, DIRECTIONS, TESTS, Words, choice, word};
use crate::compare::error::bad_option;
use crate::compare::read::names::nfc;
use crate::compare::read::row::AGGREGATES;
use crate::error::{Defect, Result};

/// An option as it was given.
pub(super) struct GivenOption<'a> {
    key: &'a str,
    value: &'a str,
}

impl GivenOption<'_> {
    fn bad<T>(&self, expected: impl Into<String>) -> Result<T> {
        Err(bad_option(self.key, self.value, expected))
    }

    fn number(&self, expected: &str, holds: impl Fn(f64) -> bool) -> Result<f64> {
        match self.value.trim().parse::<f64>() {
            Ok(x) if !x.is_finite() => self.bad("a number"),
            Err(_) => self.bad("a number"),
            Ok(x) if holds(x) => Ok(x + 0.0),
            Ok(_) => self.bad(expected),
        }
    }

    pub(super) fn between_0_and_1(&self) -> Result<f64> {
        self.number("a number between 0 and 1", |x| x > 0.0 && x < 1.0)
    }

    pub(super) fn not_negative(&self) -> Result<f64> {
        self.number("a number of at least 0", |x| x >= 0.0)
    }

    pub(super) fn whole(&self, least: u64) -> Result<u64> {
        match self.value.trim().parse() {
            Ok(n) if n >= least => Ok(n),
            _ => self.bad(format!("a whole number of at least {least}")),
        }
    }

    pub(super) fn choice<T: Copy>(&self, words: Words<T>) -> Result<T> {
        choice(self.key, self.value, words)
    }

    pub(super) fn level(&self) -> Result<Option<String>> {
        if AGGREGATES.contains(&self.value) {
            return self.bad("a level that is tested; groups and experiments are aggregates");
        }
        Ok(Some(nfc(self.value)).filter(|level| level != "auto"))
    }

    /// The number of a part, or its name.
    pub(super) fn factor(&self) -> Result<FactorChoice> {
        let value = self.value.trim();
        match (value.parse::<usize>(), value.parse::<f64>()) {
            (Ok(k), _) if k >= 1 => Ok(FactorChoice::Part(k)),
            (Err(_), Err(_)) if !value.is_empty() => Ok(FactorChoice::Named(nfc(value))),
            _ => self.bad("a whole number of at least 1, or the name of a part"),
        }
    }

    /// A range such as `0..1`; `auto` is none.
    pub(super) fn range(&self) -> Result<Option<(f64, f64)>> {
        if self.value.trim() == "auto" {
            return Ok(None);
        }
        let ends = self.value.split_once("..").map(|(low, high)| (low.trim().parse(), high.trim().parse()));
        match ends {
            Some((Ok(low), Ok(high))) if f64::is_finite(low) && f64::is_finite(high) && low < high => {
                Ok(Some((low + 0.0, high + 0.0)))
            }
            _ => self.bad("the smallest and the largest possible value, such as 0..1"),
        }
    }

    /// What stands together: nothing, or what a column says.
    pub(super) fn cluster(&self) -> Result<ClusterBy> {
        match self.value.trim() {
            "" => self.bad("auto, none, or the name of a column"),
            "auto" => Ok(ClusterBy::Auto),
            "none" => Ok(ClusterBy::None),
            name => Ok(ClusterBy::Column(nfc(name))),
        }
    }

    /// A name; an empty one is none.
    pub(super) fn name(&self) -> Result<Option<String>> {
        Ok(Some(nfc(self.value)).filter(|name| !name.is_empty()))
    }

    pub(super) fn names(&self) -> Result<Vec<String>> {
        Ok(self.value.split(',').map(nfc).collect())
    }
}

impl Options {
    /// Gives the options of `key=value` pairs over the defaults; later ones win.
    pub fn parse<'a>(pairs: impl IntoIterator<Item = &'a str>) -> Result<Options> {
        let mut options = Options::default();
        for pair in pairs {
            let (key, value) =
                pair.split_once('=').ok_or_else(|| Defect::new("bad_option", "key=value").field(pair))?;
            options.set(key, value)?;
        }
        options.settle()
    }

    /// Sets one option.
    pub fn set(&mut self, key: &str, value: &str) -> Result<()> {
        let given = GivenOption { key, value };
        if let Some(option) = OPTIONS.iter().find(|option| option.key == key) {
            return (option.set)(self, &given);
        }
        match key.split_once('.') {
            Some(("sesoi", name)) => {
                self.sesoi_of.insert(nfc(name), given.not_negative()?);
            }
            Some(("range", name)) => {
                self.range_of.insert(nfc(name), given.range()?);
            }
            Some(("direction", name)) => {
                self.direction_of.insert(nfc(name), given.choice(DIRECTIONS)?);
            }
            _ => {
                let known = OPTIONS.iter().map(|option| option.key);
                let hint = "`verism docs compare` lists the options";
                let defect = Defect::new("bad_option", "an option of compare").field(key).value(value).hint(hint);
                // The key is at fault, not its value.
                let meant = Defect::new("bad_option", "").value(key).did_you_mean(known).hint;
                return Err(match meant {
                    Some(meant) => defect.hint(format!("{meant} {hint}")).into(),
                    None => defect.into(),
                });
            }
        }
        Ok(())
    }

    /// A test fixes the design; a contradiction is refused.
    fn settle(mut self) -> Result<Options> {
        let fixed = match self.test {
            TestChoice::Auto => return Ok(self),
            TestChoice::Welch | TestChoice::Student | TestChoice::MannWhitney | TestChoice::Permutation => {
                DesignChoice::Unpaired
            }
            TestChoice::PairedT | TestChoice::Wilcoxon | TestChoice::SignFlip => DesignChoice::Paired,
        };
        if self.design != DesignChoice::Auto && self.design != fixed {
            let (test, design) = (word(self.test, TESTS), word(self.design, DESIGNS));
            return Err(bad_option("test", test, format!("a test that fits design={design}")));
        }
        let by_unit = [TestChoice::Wilcoxon, TestChoice::MannWhitney, TestChoice::SignFlip, TestChoice::Permutation];
        if by_unit.contains(&self.test) {
            let test = word(self.test, TESTS);
            let expected = |key: &str| format!("no option {key}, since test={test} takes every unit by itself");
            if self.runs == RunChoice::Random {
                return Err(bad_option("runs", "random", expected("runs=random")));
            }
            if !["auto", "none"].contains(&self.cluster.text()) {
                return Err(bad_option("cluster", self.cluster.text(), expected("cluster")));
            }
        }
        self.design = fixed;
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_fixes_the_design() {
        assert_eq!(Options::parse(["test=wilcoxon"]).unwrap().design, DesignChoice::Paired);
        assert!(Options::parse(["test=welch", "design=paired"]).is_err());
    }

    #[test]
    fn bad_options_are_named() {
        for (pair, name) in [
            ("adjust=sidak", "adjust"),
            ("resamples=98", "resamples"),
            ("alpha=2", "alpha"),
            ("sesoi=-1", "sesoi"),
            ("sesoi.x=nan", "sesoi.x"),
            ("range=1..0", "range"),
            ("range.x=0-1", "range.x"),
            ("runs=some", "runs"),
            ("level=group", "level"),
            ("colour=red", "colour"),
            ("adjust.x=bh", "adjust.x"),
            ("nothing", "nothing"),
            ("factor=0", "factor"),
        ] {
            let problem = Options::parse([pair]).unwrap_err().to_string();
            assert!(problem.contains(name), "{problem}");
        }
    }
}
