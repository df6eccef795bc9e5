//! A pack made ready: one automaton over all phrases, ids as numbers, sets of words.

mod build;
mod filtered;

use regex::Regex;
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) use self::filtered::Filtered;
use super::units::{EntityUnit, Forms};
use crate::suites::clinical::pack::Pack;
use crate::suites::clinical::text::edges::Edges;
use crate::suites::clinical::text::list::{Class, LISTS, List};
use crate::suites::clinical::text::matcher::Matcher;
use crate::suites::clinical::text::phrase::Body;

/// Kinds of things that a lexicon names, in the order of their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    Age,
    Condition,
    Lab,
    Med,
    Procedure,
    Sex,
    Symptom,
    Vital,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Age => "age",
            Kind::Condition => "condition",
            Kind::Lab => "lab",
            Kind::Med => "med",
            Kind::Procedure => "procedure",
            Kind::Sex => "sex",
            Kind::Symptom => "symptom",
            Kind::Vital => "vital",
        }
    }

    pub(crate) fn is_number(self) -> bool {
        matches!(self, Kind::Lab | Kind::Vital)
    }
}

/// Something that the lexicon names.
#[derive(Debug)]
pub(crate) struct Entity {
    pub(crate) kind: Kind,
    pub(crate) id: String,
    parents: Vec<String>,
    /// Nearest first.
    pub(crate) ancestors: Vec<u32>,
    /// Places in the list of themes.
    pub(crate) themes: Vec<u32>,
    pub(crate) units: Vec<EntityUnit>,
    pub(crate) needs_unit: Vec<String>,
    pub(crate) composite: bool,
    /// Patient flags by their places.
    pub(crate) implied_by: Vec<usize>,
    /// Answer patterns of which a mention is an occurrence.
    pub(crate) patterns: Vec<u32>,
}

/// What a phrase of a list of cues means.
#[derive(Debug)]
pub(crate) struct CueInfo {
    pub(crate) text: String,
    pub(crate) class: Class,
    /// Counts only with a chain gap.
    pub(crate) chain_only: bool,
    /// Says whose drug it is, not whether it is recommended.
    pub(crate) push_ignored: bool,
    /// Counts only before a mark or the clause's end.
    pub(crate) is_final: bool,
    /// Of several words.
    pub(crate) multi: bool,
}

/// A decoy: consumes text and yields nothing.
pub(crate) const DECOY: u32 = u32::MAX;

/// An answer pattern.
#[derive(Debug)]
pub(crate) struct PatternInfo {
    pub(crate) predicate: bool,
    /// Drugs or classes whose mentions are its occurrences; their places among the entities.
    lexicon: Vec<u32>,
    except: Vec<u32>,
    /// Whether it takes mentions of drugs.
    pub(crate) is_lexicon: bool,
}

/// Words that may stand in a gap.
#[derive(Debug)]
pub(crate) struct GapWords {
    pub(crate) fillers: FxHashSet<String>,
    pub(crate) chain_number: Filtered,
    pub(crate) chain_figure: Filtered,
    pub(crate) limit: FxHashSet<String>,
    pub(crate) gap: FxHashSet<String>,
    pub(crate) target: FxHashSet<String>,
    pub(crate) approx: FxHashSet<String>,
}

/// A concept: the places of its phrases, and its regular expressions.
#[derive(Debug)]
pub(crate) struct ConceptInfo {
    pub(crate) places: std::ops::Range<u32>,
    pub(crate) regexes: Vec<Regex>,
}

/// A pack made ready.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) pack: Pack,
    pub(crate) edges: Edges,
    pub(crate) matcher: Matcher,
    /// Finds out whether a question may hold a flag at all.
    pub(crate) question: Matcher,
    pub(crate) abbreviations: FxHashSet<String>,
    pub(crate) entities: Vec<Entity>,
    by_id: FxHashMap<(Kind, String), u32>,
    /// The entity of each name, by its place in the list of names.
    pub(crate) names: Vec<(u32, bool)>,
    /// The first lab or vital with a name.
    measured: FxHashMap<String, u32>,
    cues: [Vec<CueInfo>; LISTS],
    pub(crate) strong: u32,
    pub(crate) patterns: Vec<PatternInfo>,
    /// The pattern of each phrase, by its place in the list of patterns.
    pub(crate) pattern_of: Vec<u32>,
    pub(crate) concepts: Vec<ConceptInfo>,
    /// The flag of each phrase, by its place in the list of question flags.
    pub(crate) flag_of: Vec<u32>,
    /// Ends of the places of each age theme.
    pub(crate) age_themes: Vec<std::ops::Range<u32>>,
    pub(crate) ordinals: Vec<std::ops::Range<u32>>,
    pub(crate) words: GapWords,
    pub(crate) plan: Vec<Regex>,
    pub(crate) other_units: Forms,
    pub(crate) other_units_not: Vec<Body>,
    pub(crate) range_seps: Vec<String>,
    pub(crate) mmhg: Option<Forms>,
    pub(crate) pressures: Option<[u32; 2]>,
    pub(crate) absorb_stop: FxHashSet<String>,
    pub(crate) first_not: FxHashSet<String>,
    pub(crate) age_gap: FxHashSet<String>,
    pub(crate) threshold_tails: Vec<Body>,
    pub(crate) age_suffixes: Vec<Body>,
    pub(crate) sex_tails: Vec<(String, Body)>,
    pub(crate) sexes: [u32; 2],
    pub(crate) age: u32,
    pub(crate) token_ends: super::tokens::Endings,
    /// Most numbers that a quantity or pressure may hold.
    pub(crate) most_numbers: usize,
}

impl Engine {
    pub(crate) fn cue(&self, list: List, place: u32) -> &CueInfo {
        &self.cues[list as usize][place as usize]
    }

    pub(crate) fn entity(&self, number: u32) -> &Entity {
        &self.entities[number as usize]
    }

    pub(crate) fn find(&self, kind: Kind, id: &str) -> Option<u32> {
        // Ids are looked up once per patient.
        self.by_id.get(&(kind, id.to_string())).copied()
    }

    /// The lab or vital with this id.
    pub(crate) fn measured_id(&self, id: &str) -> Option<u32> {
        self.find(Kind::Lab, id).or_else(|| self.find(Kind::Vital, id))
    }

    /// The first lab or vital with this name.
    pub(crate) fn measured_name(&self, name: &str) -> Option<u32> {
        self.measured.get(name).copied()
    }
}
