//! The options of the suite.

use serde_json::{Value, json};

use crate::error::Defect;
use crate::suites::Options;
use crate::suites::setting::{self, NamedValue, Setting, choice};

choice!(
    /// What a drug or condition without any claim is.
    AssertionDefault { NeedsClaim = "needs_claim", Asserted = "asserted" }
);
choice!(
    /// Whose word makes a fact true.
    KnownFacts { Slots = "slots", SlotsAndDialogue = "slots_and_dialogue" }
);
choice!(
    /// What a stated number is that the record does not have.
    AbsentNumber { Hallucinated = "hallucinated", Ignored = "ignored" }
);
choice!(
    /// How near a number must be.
    Tolerance { Rounding = "rounding", Absolute = "absolute" }
);
choice!(
    /// Whether SFS has the published ε in its denominators.
    Epsilon { None = "none", Seed = "seed" }
);
choice!(
    /// Whether advice against a pattern is told from advice for it.
    Negation { Scoped = "scoped", Off = "off" }
);
choice!(
    /// Which rules count.
    RuleSet { Extended = "extended", Core = "core" }
);
choice!(
    /// When a requirement is in the denominator of CSP.
    Requirements { Always = "always", ViolatedOnly = "violated_only", Off = "off" }
);
choice!(
    /// Whether a judge is heard about slots that no words use.
    CusSemantic { Off = "off", Judge = "judge" }
);

/// The options in force.
#[derive(Clone, Debug)]
pub(super) struct Params {
    pub(super) assertion_default: AssertionDefault,
    pub(super) known_facts: KnownFacts,
    pub(super) absent_number: AbsentNumber,
    pub(super) tolerance: Tolerance,
    pub(super) epsilon: Epsilon,
    pub(super) negation: Negation,
    pub(super) rule_set: RuleSet,
    pub(super) requirements: Requirements,
    pub(super) cus_semantic: CusSemantic,
    /// The corpus of the n-gram model, as a path.
    pub(super) corpus: Option<String>,
    /// Its hash, once it was read.
    pub(super) corpus_sha256: Option<String>,
    /// A pack file other than the built-in one.
    pub(super) pack: Option<String>,
    /// What the pack calls itself.
    pub(super) pack_name: String,
    pub(super) pack_sha256: String,
}

impl Default for Params {
    fn default() -> Self {
        Params {
            assertion_default: AssertionDefault::NeedsClaim,
            known_facts: KnownFacts::Slots,
            absent_number: AbsentNumber::Hallucinated,
            tolerance: Tolerance::Rounding,
            epsilon: Epsilon::None,
            negation: Negation::Scoped,
            rule_set: RuleSet::Extended,
            requirements: Requirements::Always,
            cus_semantic: CusSemantic::Off,
            corpus: None,
            corpus_sha256: None,
            pack: None,
            pack_name: String::new(),
            pack_sha256: String::new(),
        }
    }
}

/// Every option, in the order of the guide.
pub(super) static SETTINGS: &[Setting<Params>] = &[
    Setting::new(
        "assertion_default",
        "needs_claim",
        "`needs_claim` or `asserted`: a drug or condition that nothing claims or denies",
        |p, v| v.to(&mut p.assertion_default),
        |p| json!(p.assertion_default),
    ),
    Setting::new(
        "known_facts",
        "slots",
        "`slots` or `slots_and_dialogue`: whether what the patient states in questions is true too",
        |p, v| v.to(&mut p.known_facts),
        |p| json!(p.known_facts),
    ),
    Setting::new(
        "absent_number",
        "hallucinated",
        "`hallucinated` or `ignored`: a stated number that the record does not have",
        |p, v| v.to(&mut p.absent_number),
        |p| json!(p.absent_number),
    ),
    Setting::new(
        "tolerance",
        "rounding",
        "`rounding` or `absolute`: numbers agree to the precision stated, or within 0.1 (ages within 2)",
        |p, v| v.to(&mut p.tolerance),
        |p| json!(p.tolerance),
    ),
    Setting::new(
        "epsilon",
        "none",
        "`none` or `seed`: the published 1e-6 in the denominators of SFS",
        |p, v| v.to(&mut p.epsilon),
        |p| json!(p.epsilon),
    ),
    Setting::new(
        "negation",
        "scoped",
        "`scoped` or `off`: off, every occurrence of a pattern counts as recommended",
        |p, v| v.to(&mut p.negation),
        |p| json!(p.negation),
    ),
    Setting::new(
        "rule_set",
        "extended",
        "`extended` or `core`: all rules of the pack, or the core ones",
        |p, v| v.to(&mut p.rule_set),
        |p| json!(p.rule_set),
    ),
    Setting::new(
        "requirements",
        "always",
        "`always`, `violated_only` or `off`: when a requirement is in the denominator of CSP",
        |p, v| v.to(&mut p.requirements),
        |p| json!(p.requirements),
    ),
    Setting::new(
        "cus_semantic",
        "off",
        "`off` or `judge`: whether recorded replies of a judge count for slots that no words use",
        |p, v| v.to(&mut p.cus_semantic),
        |p| json!(p.cus_semantic),
    ),
    Setting::<Params>::new(
        "perplexity",
        "none",
        "`none` or `ngram:<file>`: a corpus for an n-gram model",
        read_corpus,
        |p| {
            json!(
                p.corpus_sha256
                    .as_ref()
                    .or(p.corpus.as_ref())
                    .map_or("none".into(), |corpus| format!("ngram:{corpus}"))
            )
        },
    )
    .signed_by(|p| format!("ngram:{}", p.corpus_sha256.as_deref().unwrap_or_default().get(..12).unwrap_or_default())),
    Setting::<Params>::new("pack", "default", "`default` or a file: the rule pack", read_pack, |p| json!(p.pack_name))
        .unsigned(),
];

fn read_corpus(params: &mut Params, value: NamedValue<'_>) -> Result<(), Defect> {
    let text = value.given.text();
    params.corpus = match text.strip_prefix("ngram:") {
        Some(path) => Some(path.to_string()),
        None if text == "none" => None,
        None => return Err(value.wrong("none or ngram:<file>")),
    };
    Ok(())
}

fn read_pack(params: &mut Params, value: NamedValue<'_>) -> Result<(), Defect> {
    params.pack = Some(value.given.text()).filter(|text| text != "default");
    Ok(())
}

impl Params {
    pub(super) fn read(given: &Options) -> Result<Params, Defect> {
        setting::read(SETTINGS, given)
    }

    /// Suite, version of the specification, the pack, the options that differ from their defaults, the program's version.
    pub(super) fn signature(&self) -> String {
        let base = Params { pack_name: self.pack_name.clone(), ..Params::default() };
        let changed = setting::changed_from(SETTINGS, self, &base);
        let plain = crate::score::signature::signature(super::ID, super::SPEC_VERSION, &changed);
        let head = format!("{}|v{}", super::ID, super::SPEC_VERSION);
        let hash = self.pack_sha256.get(..12).unwrap_or_default();
        plain.replacen(&head, &format!("{head}|pack:{}:{hash}", self.pack_name), 1)
    }

    /// Every option in force; files by what they hold.
    pub(super) fn report(&self) -> Value {
        let mut report = setting::report(SETTINGS, self);
        report.insert("suite".into(), json!(super::ID));
        report.insert("version".into(), json!(1));
        report.insert("pack_sha256".into(), json!(self.pack_sha256));
        Value::Object(report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_names_the_pack_and_what_differs() {
        let mut given = Options::default();
        for pair in ["epsilon=seed", "perplexity=ngram:x.txt", "rule_set=extended"] {
            given.add(pair).expect("a pair");
        }
        let mut params = Params::read(&given).expect("options");
        params.pack_name = "default@1".into();
        params.pack_sha256 = "0123456789abcdef".into();
        params.corpus_sha256 = Some("fedcba9876543210".into());
        let version = crate::score::signature::VERSION;
        let expected = format!(
            "clinical|v1|pack:default@1:0123456789ab|epsilon:seed|perplexity:ngram:fedcba987654|verism:{version}"
        );
        assert_eq!(params.signature(), expected);
        assert_eq!(params.report()["perplexity"], "ngram:fedcba9876543210");
        let wrong = |pair: &str| {
            let mut given = Options::default();
            given.add(pair).expect("a pair");
            Params::read(&given).expect_err("refused").field
        };
        assert_eq!(wrong("tolerance=loose").as_deref(), Some("tolerance"));
        assert_eq!(wrong("perplexity=big").as_deref(), Some("perplexity"));
    }
}
