//! The options of the suite.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::pack::Pack;
use crate::error::Defect;
use crate::score::signature;
use crate::suites::Options;

/// Which rules are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Reading {
    /// The specification.
    Spec,
    /// The published program, bit for bit.
    V6Script,
}

/// The options in force.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Params {
    pub(super) reading: Reading,
    pub(super) pack: String,
    pub(super) baseline: String,
    pub(super) models: Vec<String>,
    pub(super) groups: Vec<String>,
    pub(super) runs: Vec<String>,
    pub(super) formats: BTreeMap<String, String>,
    pub(super) bootstrap: u64,
    pub(super) seed: i128,
    pub(super) rows: bool,
    pub(super) score_cases: bool,
}

/// Seeds that have a number of 64 bits of their own.
const SEEDS: std::ops::RangeInclusive<i128> = i64::MIN as i128..=u64::MAX as i128;

/// Every option: name, default, what it does.
pub(super) const OPTIONS: &[(&str, &str, &str)] = &[
    ("reading", "spec", "`spec`, or `v6-script` to reproduce the published program bit for bit"),
    ("pack", "flood", "domain pack: `flood` or the path of a TOML file"),
    ("baseline", "Group_A", "the group that others are compared with"),
    ("models", "all found", "models to score, in this order: `a,b`"),
    ("groups", "all found", "groups to score, in this order: `a,b`"),
    ("runs", "all found", "runs to score, in this order: `a,b`"),
    ("formats", "by group or header", "format of groups: `G:governed,H:ungoverned`"),
    ("bootstrap", "0", "resamples of the cluster bootstrap by agent; 0 is off"),
    ("seed", "12345", "seed of the bootstrap"),
    ("rows", "false", "`true` writes the audit of every row (rows.jsonl)"),
    ("score_cases", "false", "`true` scores every agent too"),
];

impl Params {
    fn defaults(reading: Reading) -> Params {
        let list = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
        let (groups, runs): (Vec<String>, Vec<String>) = match reading {
            Reading::Spec => (vec![], vec![]),
            Reading::V6Script => (list(&["Group_A", "Group_B", "Group_C"]), list(&["Run_1", "Run_2", "Run_3"])),
        };
        Params {
            reading,
            pack: "flood".into(),
            baseline: "Group_A".into(),
            models: vec![],
            groups,
            runs,
            formats: BTreeMap::new(),
            bootstrap: 0,
            seed: 12345,
            rows: false,
            score_cases: false,
        }
    }

    /// Reads options as given, last ones first in force.
    pub(super) fn read(given: &Options) -> Result<Params, Defect> {
        let mut params = Params::defaults(Reading::Spec);
        for (key, value) in given.iter() {
            match key {
                "reading" => {
                    params.reading = match value.text().as_str() {
                        "spec" => Reading::Spec,
                        "v6-script" => Reading::V6Script,
                        other => return Err(bad(key, other, "spec|v6-script")),
                    }
                }
                "pack" => params.pack = value.text(),
                "baseline" => params.baseline = value.text(),
                "models" => params.models = value.list(key)?,
                "groups" => params.groups = value.list(key)?,
                "runs" => params.runs = value.list(key)?,
                "formats" => params.formats = value.pairs(key)?,
                "bootstrap" => {
                    let wrong = || bad(key, &value.text(), "a whole number >= 0");
                    params.bootstrap = value.text().trim().parse().map_err(|_| wrong())?;
                }
                "seed" => {
                    let seed = value.text().trim().parse().ok().filter(|seed| SEEDS.contains(seed));
                    let expected = "a whole number from -2^63 to 2^64 - 1";
                    params.seed = seed.ok_or_else(|| bad(key, &value.text(), expected))?;
                }
                "rows" => params.rows = value.flag(key)?,
                "score_cases" => params.score_cases = value.flag(key)?,
                _ => {
                    let known: Vec<&str> = OPTIONS.iter().map(|(name, _, _)| *name).collect();
                    return Err(Defect::new("bad_option", known.join("|")).field(key));
                }
            }
        }
        if params.reading == Reading::V6Script {
            if params.pack != "flood" {
                return Err(bad("pack", &params.pack, "flood (the v6-script reading knows no other pack)"));
            }
            let defaults = Params::defaults(Reading::V6Script);
            if params.groups.is_empty() {
                params.groups = defaults.groups;
            }
            if params.runs.is_empty() {
                params.runs = defaults.runs;
            }
        }
        Ok(params)
    }

    pub(super) fn v6(&self) -> bool {
        self.reading == Reading::V6Script
    }

    fn reading_name(&self) -> &'static str {
        if self.v6() { "v6-script" } else { "spec" }
    }

    /// Whether the declared axes allow these ids: a cell, or the beginning of one.
    pub(super) fn wants(&self, ids: &[String]) -> bool {
        [&self.models, &self.groups, &self.runs].iter().zip(ids).all(|(axis, id)| axis.is_empty() || axis.contains(id))
    }

    fn seed_number(&self) -> Value {
        u64::try_from(self.seed).map_or_else(|_| (self.seed as i64).into(), Value::from)
    }

    /// The options as the report shows them.
    pub(super) fn report(&self, pack: &Pack) -> Value {
        json!({
            "spec_version": super::SPEC_VERSION, "reading": self.reading_name(), "pack": pack.id,
            "pack_version": pack.version, "baseline": self.baseline, "models": self.models, "groups": self.groups,
            "runs": self.runs, "formats": self.formats, "bootstrap": self.bootstrap, "seed": self.seed_number(),
            "rows": self.rows, "score_cases": self.score_cases,
        })
    }

    /// The signature; `digest` is the SHA-256 of a pack that is not built in.
    pub(super) fn signature(&self, pack: &Pack, digest: Option<&str>) -> String {
        let base = Params::defaults(self.reading);
        let mut changed = BTreeMap::new();
        let mut note = |key: &str, differs: bool, value: String| {
            if differs {
                changed.insert(key.to_string(), value);
            }
        };
        let formats: Vec<String> = self.formats.iter().map(|(group, format)| format!("{group}:{format}")).collect();
        note("reading", self.v6(), self.reading_name().into());
        note("baseline", self.baseline != base.baseline, self.baseline.clone());
        note("models", self.models != base.models, self.models.join(","));
        note("groups", self.groups != base.groups, self.groups.join(","));
        note("runs", self.runs != base.runs, self.runs.join(","));
        note("formats", !formats.is_empty(), formats.join(","));
        note("bootstrap", self.bootstrap != base.bootstrap, self.bootstrap.to_string());
        note("seed", self.seed != base.seed, self.seed.to_string());
        if let Some(digest) = digest {
            let version = pack.version.as_str().map_or_else(|| pack.version.to_string(), String::from);
            note("pack", true, format!("{}@{version}:{}", pack.id, &digest[..12]));
        }
        signature::signature(super::ID, super::SPEC_VERSION, &changed)
    }
}

fn bad(key: &str, value: &str, expected: &str) -> Defect {
    Defect::new("bad_option", expected).field(key).value(value)
}

#[cfg(test)]
mod tests {
    use super::super::pack::FLOOD;
    use super::*;

    #[test]
    fn seeds_are_shown_as_given_or_refused() {
        let pack = Pack::parse(FLOOD, "flood.toml").expect("a sound pack");
        let read = |seed: &str| {
            let mut options = Options::default();
            options.add(&format!("seed={seed}")).expect("a pair");
            Params::read(&options).map(|params| params.report(&pack)["seed"].to_string())
        };
        for seed in ["0", "12345", "9223372036854775808", "18446744073709551615", "-1", "-9223372036854775808"] {
            assert_eq!(read(seed).as_deref(), Ok(seed));
        }
        for seed in ["18446744073709551616", "-9223372036854775809", "1.5", ""] {
            assert_eq!(read(seed).expect_err("refused").code, "bad_option", "{seed}");
        }
    }
}
