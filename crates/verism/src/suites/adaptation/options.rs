//! The options of the suite.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::pack::Pack;
use super::published::rules::Reading;
use crate::error::Defect;
use crate::score::signature;
use crate::suites::Options;
use crate::suites::setting::{self, NamedValue, Setting};

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

/// Every option, in the order of the guide.
pub(super) static SETTINGS: &[Setting<Params>] = &[
    Setting::new(
        "reading",
        "spec",
        "`spec`, or `v6-script` to reproduce the published program bit for bit",
        |p, v| v.to(&mut p.reading),
        |p| json!(p.reading),
    ),
    // The pack enters signature and report by what it says of itself.
    Setting::<Params>::new(
        "pack",
        "flood",
        "domain pack: `flood` or the path of a TOML file",
        |p, v| v.to(&mut p.pack),
        |p| json!(p.pack),
    )
    .of_input(),
    Setting::new(
        "baseline",
        "Group_A",
        "the group that others are compared with",
        |p, v| v.to(&mut p.baseline),
        |p| json!(p.baseline),
    ),
    Setting::new(
        "models",
        "all found",
        "models to score, in this order: `a,b`",
        |p, v| v.to(&mut p.models),
        |p| json!(p.models),
    ),
    Setting::new(
        "groups",
        "all found",
        "groups to score, in this order: `a,b`",
        |p, v| v.to(&mut p.groups),
        |p| json!(p.groups),
    ),
    Setting::new(
        "runs",
        "all found",
        "runs to score, in this order: `a,b`",
        |p, v| v.to(&mut p.runs),
        |p| json!(p.runs),
    ),
    Setting::new(
        "formats",
        "by group or header",
        "format of groups: `G:governed,H:ungoverned`",
        |p, v| v.to(&mut p.formats),
        |p| json!(p.formats),
    ),
    Setting::new(
        "bootstrap",
        "0",
        "resamples of the cluster bootstrap by agent; 0 is off",
        |p, v| v.to(&mut p.bootstrap),
        |p| json!(p.bootstrap),
    ),
    Setting::new("seed", "12345", "seed of the bootstrap", read_seed, |p| p.seed_number()),
    Setting::<Params>::new(
        "rows",
        "false",
        "`true` writes the audit of every row (rows.jsonl)",
        |p, v| v.to(&mut p.rows),
        |p| json!(p.rows),
    )
    .unsigned(),
    Setting::<Params>::new(
        "score_cases",
        "false",
        "`true` scores every agent too",
        |p, v| v.to(&mut p.score_cases),
        |p| json!(p.score_cases),
    )
    .unsigned(),
];

fn read_seed(params: &mut Params, value: NamedValue<'_>) -> Result<(), Defect> {
    let seed = value.given.text().trim().parse().ok().filter(|seed| SEEDS.contains(seed));
    params.seed = seed.ok_or_else(|| value.wrong("a whole number from -2^63 to 2^64 - 1"))?;
    Ok(())
}

impl Default for Params {
    fn default() -> Params {
        Params::defaults(Reading::Spec)
    }
}

impl Params {
    fn defaults(reading: Reading) -> Params {
        let [groups, runs] = reading.default_axes();
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
        let mut params = setting::read(SETTINGS, given)?;
        if !params.reading.knows_pack(&params.pack) {
            return Err(bad("pack", &params.pack, "flood (the v6-script reading knows no other pack)"));
        }
        let [groups, runs] = params.reading.default_axes();
        if params.groups.is_empty() {
            params.groups = groups;
        }
        if params.runs.is_empty() {
            params.runs = runs;
        }
        Ok(params)
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
        let mut report = setting::report(SETTINGS, self);
        report.insert("spec_version".into(), json!(super::SPEC_VERSION));
        report.insert("pack".into(), json!(pack.id));
        report.insert("pack_version".into(), json!(pack.version));
        Value::Object(report)
    }

    /// The signature; `digest` is the SHA-256 of a pack that is not built in.
    pub(super) fn signature(&self, pack: &Pack, digest: Option<&str>) -> String {
        // The published program has defaults of its own; that it is followed is said by `reading`.
        let base = Params { reading: Reading::Spec, ..Params::defaults(self.reading) };
        let mut changed = setting::changed_from(SETTINGS, self, &base);
        if let Some(digest) = digest {
            let version = pack.version.as_str().map_or_else(|| pack.version.to_string(), String::from);
            changed.insert("pack".into(), format!("{}@{version}:{}", pack.id, &digest[..12]));
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
