//! What a pack holds, as types. Only a pack that passed the checks is read into them.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::{Deserialize as Derive, Serialize};

/// A map in the order of the file.
#[derive(Clone, Debug)]
pub(crate) struct Ordered<V>(pub(crate) Vec<(String, V)>);

impl<V> Default for Ordered<V> {
    fn default() -> Self {
        Ordered(vec![])
    }
}

impl<V> Ordered<V> {
    pub(crate) fn get(&self, key: &str) -> Option<&V> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    pub(crate) fn place(&self, key: &str) -> Option<usize> {
        self.0.iter().position(|(name, _)| name == key)
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Ordered<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<V>(PhantomData<V>);

        impl<'de, V: Deserialize<'de>> Visitor<'de> for Entries<V> {
            type Value = Ordered<V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Ordered<V>, A::Error> {
                let mut entries = vec![];
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Ordered(entries))
            }
        }

        deserializer.deserialize_map(Entries(PhantomData))
    }
}

/// An id written as text or as a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Id(pub(crate) String);

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        Ok(Id(value.as_str().map_or_else(|| value.to_string(), String::from)))
    }
}

/// Korean and English phrases.
#[derive(Clone, Debug, Default, Derive)]
pub(crate) struct Pair {
    #[serde(default)]
    pub(crate) ko: Vec<String>,
    #[serde(default)]
    pub(crate) en: Vec<String>,
}

impl Pair {
    /// Korean first.
    pub(crate) fn both(&self) -> impl Iterator<Item = &String> {
        self.ko.iter().chain(&self.en)
    }
}

#[derive(Clone, Debug, Derive)]
pub(crate) struct Pack {
    pub(crate) id: String,
    pub(crate) version: serde_json::Number,
    pub(crate) notice: String,
    pub(crate) text: TextRules,
    pub(crate) cues: Cues,
    pub(crate) numeric: Numeric,
    pub(crate) units: Vec<Unit>,
    pub(crate) other_units_not: Vec<String>,
    pub(crate) other_units: Vec<String>,
    pub(crate) age: Age,
    pub(crate) sex: Sex,
    pub(crate) decoys: Vec<String>,
    pub(crate) drug_classes: Vec<Name>,
    pub(crate) drugs: Vec<Name>,
    pub(crate) conditions: Vec<Name>,
    pub(crate) labs: Vec<Name>,
    pub(crate) vitals: Vec<Name>,
    pub(crate) procedures: Vec<Name>,
    pub(crate) symptoms: Vec<Name>,
    pub(crate) slot_aliases: Ordered<Vec<String>>,
    pub(crate) placeholder_values: Vec<String>,
    pub(crate) snomed_tags: Vec<String>,
    pub(crate) partial_stopwords: Vec<String>,
    pub(crate) patient_flags: Ordered<PatientFlag>,
    pub(crate) question_flags: Ordered<Pair>,
    pub(crate) answer_patterns: Ordered<Pattern>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) requirements: Vec<Requirement>,
    pub(crate) concepts: Ordered<Concept>,
    pub(crate) ordinals: Vec<Vec<String>>,
    pub(crate) turns: Vec<Profile>,
    pub(crate) provided: Ordered<Provided>,
    pub(crate) weights: Weights,
    pub(crate) bands: Ordered<Vec<(f64, String)>>,
}

#[derive(Clone, Debug, Derive)]
pub(crate) struct TextRules {
    pub(crate) abbreviations: Vec<String>,
    pub(crate) ko_prefixes: Vec<String>,
    pub(crate) ko_tails_closed: Vec<String>,
    pub(crate) ko_tails_open: Vec<String>,
}

#[derive(Clone, Debug, Derive)]
pub(crate) struct Cues {
    pub(crate) pseudo: Pair,
    pub(crate) ko_pred: Ordered<Vec<String>>,
    pub(crate) ko_chain: Ordered<Vec<String>>,
    pub(crate) ko_fwd: Ordered<Vec<String>>,
    pub(crate) ko_fwd_chain: ForwardChain,
    pub(crate) en_fwd: Ordered<Vec<String>>,
    pub(crate) en_fwd_chain_only: Vec<String>,
    pub(crate) en_back: Ordered<Vec<String>>,
    pub(crate) en_back_final: Vec<String>,
    pub(crate) en_back_adjacent: Vec<String>,
    pub(crate) first_person: FirstPerson,
    pub(crate) en_pronoun_back: Vec<String>,
    pub(crate) en_pronoun_plus: Vec<String>,
    pub(crate) en_pronoun_continue: Vec<String>,
    pub(crate) en_cut: Vec<String>,
    pub(crate) en_limit: Vec<String>,
    pub(crate) en_absorb_max_words: f64,
    pub(crate) en_absorb_stop: Vec<String>,
    pub(crate) risk: Pair,
    pub(crate) praise: Pair,
    pub(crate) direct_neg_ko: Vec<String>,
    pub(crate) pred_neg: PredicateNegation,
    pub(crate) chain_number_regex: String,
    pub(crate) chain_figure_regex: String,
    pub(crate) en_push_ignore: Vec<String>,
    pub(crate) plan: Plan,
    pub(crate) ko_aux_starts: Vec<String>,
    pub(crate) ko_honorific_endings: Vec<String>,
    pub(crate) ko_stop_endings: Vec<String>,
    pub(crate) ko_stop_exceptions: Vec<String>,
    pub(crate) ko_soft_endings: Vec<String>,
    pub(crate) ko_argument_particles: Vec<String>,
    pub(crate) ko_argument_exceptions: Vec<String>,
    pub(crate) chain_fillers_ko: Vec<String>,
    pub(crate) chain_fillers_en: Vec<String>,
}

#[derive(Clone, Debug, Derive)]
pub(crate) struct ForwardChain {
    pub(crate) strong: Vec<String>,
    pub(crate) claim: Vec<String>,
}

#[derive(Clone, Debug, Derive)]
pub(crate) struct FirstPerson {
    pub(crate) ko: Vec<String>,
    pub(crate) en: Vec<String>,
    pub(crate) en_not: Vec<String>,
}

#[derive(Clone, Debug, Derive)]
pub(crate) struct PredicateNegation {
    pub(crate) ko: Vec<String>,
    pub(crate) en_after: Vec<String>,
    pub(crate) en: Vec<String>,
}

#[derive(Clone, Debug, Derive)]
pub(crate) struct Plan {
    pub(crate) item_max_chars: f64,
    pub(crate) ko: Vec<String>,
    pub(crate) en: Vec<String>,
    pub(crate) regex: Vec<String>,
}

#[derive(Clone, Debug, Derive)]
pub(crate) struct Numeric {
    pub(crate) approx_rel_tol: f64,
    pub(crate) near_rel_tol: f64,
    pub(crate) near_age: f64,
    pub(crate) abs_tol_compat: f64,
    pub(crate) age_tol_compat: f64,
    pub(crate) slack: f64,
    pub(crate) max_gap: f64,
    pub(crate) free_gap_words: f64,
    pub(crate) approx_ko: Vec<String>,
    pub(crate) approx_en: Vec<String>,
    pub(crate) per_tails: Vec<String>,
    pub(crate) limit_words: Vec<String>,
    pub(crate) after_fillers: Vec<String>,
    pub(crate) after_particles: Vec<String>,
    pub(crate) before_joins: Vec<String>,
    pub(crate) of_exempt: Vec<String>,
    pub(crate) bp_words: Vec<String>,
    pub(crate) range_seps: Vec<String>,
    pub(crate) gap_ko: Vec<String>,
    pub(crate) gap_en: Vec<String>,
    pub(crate) target_gap_ko: Vec<String>,
    pub(crate) target_gap_en: Vec<String>,
    pub(crate) target_signs: Vec<String>,
    pub(crate) target_before: Pair,
    pub(crate) target_after: Pair,
}

#[derive(Clone, Debug, Derive)]
pub(crate) struct Unit {
    pub(crate) id: String,
    pub(crate) forms: Vec<String>,
}

#[derive(Clone, Debug, Derive)]
pub(crate) struct Age {
    pub(crate) min: f64,
    pub(crate) max: f64,
    pub(crate) ko_suffix: Vec<String>,
    pub(crate) ko_threshold_tails: Vec<String>,
    pub(crate) en_suffix: Vec<String>,
    pub(crate) en_prefix: Vec<String>,
    pub(crate) en_bare_prefix: Vec<String>,
    pub(crate) en_bare_next: Vec<String>,
    pub(crate) en_threshold_before: Vec<String>,
    pub(crate) en_threshold_after: Vec<String>,
    pub(crate) ko_decade: Vec<String>,
    pub(crate) en_decade_before: Vec<String>,
    pub(crate) en_decade_generic: Vec<String>,
    pub(crate) themes: Vec<AgeTheme>,
}

#[derive(Clone, Debug, Derive)]
pub(crate) struct AgeTheme {
    pub(crate) min: f64,
    pub(crate) max: f64,
    pub(crate) ko: Vec<String>,
    pub(crate) en: Vec<String>,
}

#[derive(Clone, Debug, Derive)]
pub(crate) struct Sex {
    pub(crate) m: SexNames,
    pub(crate) f: SexNames,
    pub(crate) age_gap_max: f64,
    pub(crate) age_gap_words: Vec<String>,
    pub(crate) ko_claim_tails: Vec<String>,
    pub(crate) en_claim_before: Vec<String>,
    pub(crate) en_claim_after: Vec<String>,
}

#[derive(Clone, Debug, Derive)]
pub(crate) struct SexNames {
    pub(crate) ko: Vec<String>,
    pub(crate) en: Vec<String>,
    pub(crate) codes: Vec<String>,
}

/// A unit of an entity: id, factor, offset, lowest and highest plausible value.
pub(crate) type UnitRow = (String, f64, f64, f64, f64);

/// An entry of the lexicon.
#[derive(Clone, Debug, Derive)]
pub(crate) struct Name {
    pub(crate) id: String,
    pub(crate) en: Vec<String>,
    pub(crate) ko: Vec<String>,
    #[serde(default)]
    pub(crate) brand: Vec<String>,
    #[serde(default)]
    pub(crate) class: Vec<String>,
    pub(crate) parent: Option<String>,
    #[serde(default)]
    pub(crate) themes: Vec<String>,
    #[serde(default)]
    pub(crate) implied_by: Vec<String>,
    #[serde(default)]
    pub(crate) units: Vec<UnitRow>,
    #[serde(default)]
    pub(crate) needs_unit: Vec<String>,
    #[serde(default)]
    pub(crate) composite: bool,
}

#[derive(Clone, Debug, Derive)]
pub(crate) struct PatientFlag {
    pub(crate) any: Option<Vec<FlagTest>>,
    #[serde(default)]
    pub(crate) all: Vec<FlagTest>,
    #[serde(default)]
    pub(crate) aliases: Vec<String>,
}

#[derive(Clone, Debug, Derive)]
pub(crate) struct FlagTest {
    pub(crate) field: String,
    pub(crate) op: String,
    pub(crate) value: f64,
    pub(crate) unit: Option<String>,
}

#[derive(Clone, Debug, Derive)]
pub(crate) struct Pattern {
    #[serde(default)]
    pub(crate) kind: PatternKind,
    #[serde(default)]
    pub(crate) ko: Vec<String>,
    #[serde(default)]
    pub(crate) en: Vec<String>,
    #[serde(default)]
    pub(crate) lexicon: Vec<String>,
    #[serde(default)]
    pub(crate) except: Vec<String>,
    #[serde(default)]
    pub(crate) aliases: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Derive)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PatternKind {
    /// Counts when recommended.
    #[default]
    Push,
    /// Its words carry the verdict.
    Predicate,
}

#[derive(Clone, Debug, Derive)]
pub(crate) struct Rule {
    pub(crate) id: String,
    #[serde(default)]
    pub(crate) core: bool,
    pub(crate) when: AnyAll<When>,
    pub(crate) violation_if: AnyAll<String>,
    pub(crate) penalty: f64,
    #[serde(default)]
    pub(crate) rationale: String,
}

#[derive(Clone, Debug, Derive)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AnyAll<T> {
    Any(Vec<T>),
    All(Vec<T>),
}

impl<T> AnyAll<T> {
    pub(crate) fn parts(&self) -> &[T] {
        match self {
            AnyAll::Any(parts) | AnyAll::All(parts) => parts,
        }
    }

    pub(crate) fn holds(&self, mut test: impl FnMut(&T) -> bool) -> bool {
        match self {
            AnyAll::Any(parts) => parts.iter().any(&mut test),
            AnyAll::All(parts) => parts.iter().all(&mut test),
        }
    }
}

#[derive(Clone, Debug, Derive)]
#[serde(rename_all = "snake_case")]
pub(crate) enum When {
    PatientFlag(String),
    QuestionFlag(String),
    Condition(Vec<String>),
    ConditionContains(Vec<String>),
    Drug(Vec<String>),
    /// Whatever its value: the patient takes something.
    HasMeds(serde::de::IgnoredAny),
}

#[derive(Clone, Debug, Derive)]
pub(crate) struct Requirement {
    pub(crate) id: String,
    #[serde(default)]
    pub(crate) core: bool,
    pub(crate) turns: Vec<Id>,
    pub(crate) concept: String,
    pub(crate) penalty: f64,
    #[serde(default)]
    pub(crate) rationale: String,
}

#[derive(Clone, Debug, Default, Derive)]
pub(crate) struct Concept {
    #[serde(default)]
    pub(crate) ko: Vec<String>,
    #[serde(default)]
    pub(crate) en: Vec<String>,
    #[serde(default)]
    pub(crate) regex: Vec<String>,
}

/// What a turn asks for.
#[derive(Clone, Debug, Derive)]
pub(crate) struct Profile {
    pub(crate) turn: Id,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) required_slots: Vec<(String, f64)>,
    pub(crate) cus_min_expected: f64,
    pub(crate) elements: Vec<(String, f64)>,
}

#[derive(Clone, Debug, Derive)]
pub(crate) struct Provided {
    pub(crate) min: f64,
    pub(crate) max: f64,
    pub(crate) better: Direction,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Derive, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Direction {
    Higher,
    Lower,
}

#[derive(Clone, Debug, Derive)]
pub(crate) struct Weights {
    pub(crate) sfs: FactWeights,
    pub(crate) aggregate: Ordered<f64>,
    pub(crate) perplexity_range: (f64, f64),
    pub(crate) epsilon: f64,
}

#[derive(Clone, Copy, Debug, Derive)]
pub(crate) struct FactWeights {
    pub(crate) med: f64,
    pub(crate) lab: f64,
    pub(crate) vital: f64,
    pub(crate) condition: f64,
    pub(crate) age: f64,
    pub(crate) sex: f64,
    pub(crate) minor: f64,
}
