//! Options from `key=value` pairs.

use super::error::bad_option;
use super::names::nfc;
use super::options::{DesignChoice, Options, TestChoice};
use super::row::AGGREGATES;
use super::words::{
    ADJUSTS, CLUSTER_SES, CLUSTERS, D_SDS, DDOFS, DESIGNS, DIRECTIONS, FAMILIES, INTERVALS, MATCHINGS, SWITCHES,
    TEST_SETS, TESTS, UNITS, WEIGHTS, ZEROS, choice, word,
};
use crate::error::{Defect, Result};

fn number(key: &str, value: &str) -> Result<f64> {
    let parsed: Option<f64> = value.trim().parse().ok().filter(|x: &f64| x.is_finite());
    parsed.ok_or_else(|| bad_option(key, value, "a number"))
}

fn between_0_and_1(key: &str, value: &str) -> Result<f64> {
    let x = number(key, value)?;
    if x > 0.0 && x < 1.0 { Ok(x) } else { Err(bad_option(key, value, "a number between 0 and 1")) }
}

fn not_negative(key: &str, value: &str) -> Result<f64> {
    let x = number(key, value)?;
    if x >= 0.0 { Ok(x + 0.0) } else { Err(bad_option(key, value, "a number of at least 0")) }
}

fn whole(key: &str, value: &str, least: u64) -> Result<u64> {
    let parsed: Option<u64> = value.trim().parse().ok().filter(|n| *n >= least);
    parsed.ok_or_else(|| bad_option(key, value, format!("a whole number of at least {least}")))
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
        let names = |value: &str| value.split(',').map(nfc).collect::<Vec<String>>();
        match key {
            "alpha" => self.alpha = between_0_and_1(key, value)?,
            "power" => self.power = between_0_and_1(key, value)?,
            "sesoi" => self.sesoi = not_negative(key, value)?,
            "design" => self.design = choice(key, value, DESIGNS)?,
            "unit" => self.unit = choice(key, value, UNITS)?,
            "weight" => self.weight = choice(key, value, WEIGHTS)?,
            "level" if AGGREGATES.contains(&value) => {
                return Err(bad_option(key, value, "a level that is tested; groups and experiments are aggregates"));
            }
            "level" => self.level = Some(nfc(value)).filter(|level| level != "auto"),
            "test" => self.test = choice(key, value, TESTS)?,
            "ci" => self.ci = choice(key, value, INTERVALS)?,
            "ddof" => self.ddof = choice(key, value, DDOFS)?,
            "d_sd" => self.d_sd = choice(key, value, D_SDS)?,
            "adjust" => self.adjust = choice(key, value, ADJUSTS)?,
            "family" => self.family = choice(key, value, FAMILIES)?,
            "zero" => self.zero = choice(key, value, ZEROS)?,
            "cluster_se" => self.cluster_se = choice(key, value, CLUSTER_SES)?,
            "resamples" => self.resamples = whole(key, value, 99)?,
            "seed" => self.seed = whole(key, value, 0)?,
            "direction" => self.direction = choice(key, value, DIRECTIONS)?,
            "tests" => self.all_tests = choice(key, value, TEST_SETS)?,
            "baseline" => self.baseline = Some(nfc(value)).filter(|name| !name.is_empty()),
            "experiments" => self.experiments = Some(names(value)),
            "metrics" => self.metrics = Some(names(value)),
            "cluster" => self.cluster = choice(key, value, CLUSTERS)?,
            "factor" => self.factor = Some(whole(key, value, 1)? as usize),
            "match" => self.matching = choice(key, value, MATCHINGS)?,
            "mixed_signatures" => self.mixed_signatures = choice(key, value, SWITCHES)?,
            "lenient" => self.lenient = choice(key, value, SWITCHES)?,
            _ => match key.split_once('.') {
                Some(("sesoi", name)) => {
                    self.sesoi_of.insert(nfc(name), not_negative(key, value)?);
                }
                Some(("direction", name)) => {
                    self.direction_of.insert(nfc(name), choice(key, value, DIRECTIONS)?);
                }
                _ => return Err(bad_option(key, value, "an option of compare (docs/statistics.md lists them)")),
            },
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
