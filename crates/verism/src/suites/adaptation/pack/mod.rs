//! Domain packs: which columns, actions, states, constructs and rules a domain has.

pub(crate) mod construct;
mod load;
mod pack_table;

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use toml::Table;

use self::construct::Construct;
use self::load::load;
use crate::error::Defect;
use crate::text::lexicon::{CueSet, Negation};

/// The built-in pack.
pub(crate) const FLOOD: &str = include_str!("flood.toml");

/// The label of an action that the pack does not know.
pub(crate) const OTHER: &str = "other";

/// A kind of log: which columns hold the action, the intent and the proposal.
#[derive(Debug)]
pub(crate) struct Format {
    pub(crate) id: String,
    pub(crate) action: String,
    pub(crate) intent: Option<String>,
    pub(crate) proposed: Option<String>,
    /// Whether actions are read from free text, not from aliases alone.
    pub(crate) free_text: bool,
    pub(crate) placeholders: FxHashSet<String>,
}

/// An action that agents can choose.
#[derive(Debug)]
pub(crate) struct Action {
    pub(crate) id: String,
    /// Actions that it combines, as bits.
    pub(crate) components: u64,
    /// States that are true after it was carried out; none if nothing is declared.
    pub(crate) effect: Option<Vec<usize>>,
}

/// A state of an agent.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) id: String,
    pub(crate) column: String,
    pub(crate) irreversible: bool,
    pub(crate) exit: bool,
    /// Whether the row's cell is the state before the year rather than after it.
    pub(crate) observed_before: bool,
}

/// What a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuleKind {
    Feasibility,
    Thinking,
}

impl RuleKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            RuleKind::Feasibility => "feasibility",
            RuleKind::Thinking => "thinking",
        }
    }
}

/// A rule: under its condition, these intents break it.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) id: String,
    pub(crate) kind: RuleKind,
    /// State before the year and the value it must have.
    pub(crate) state: Option<(usize, bool)>,
    /// Construct and the levels it must have, as bits.
    pub(crate) construct: Option<(usize, u32)>,
    /// Intents that break the rule, as bits.
    pub(crate) actions: u64,
}

/// A way to group actions into classes whose variety is measured.
#[derive(Debug)]
pub(crate) struct Scheme {
    pub(crate) id: String,
    /// Whether tables 1 to 3 have its columns.
    pub(crate) table: bool,
    /// Class of each action.
    pub(crate) class_of: Vec<usize>,
    /// Number of classes.
    pub(crate) k: usize,
    /// Class that each action's own name stands for, if any; for the order of the published program.
    pub(crate) named_class: Vec<Option<usize>>,
}

/// Which intents fit which labels.
#[derive(Debug)]
pub(crate) struct Coherence {
    pub(crate) constructs: Vec<usize>,
    /// For each entry the levels of every construct and the actions that fit, as bits.
    pub(crate) entries: Vec<(Vec<u32>, u64)>,
}

/// A domain pack, checked and ready for use.
#[derive(Debug)]
pub(crate) struct Pack {
    pub(crate) id: String,
    pub(crate) version: serde_json::Value,
    pub(crate) agent: String,
    pub(crate) step: String,
    pub(crate) missing: FxHashSet<String>,
    pub(crate) empty_is_missing: bool,
    /// Bytes of the longest word for missing.
    pub(crate) longest_missing: usize,
    pub(crate) headline: usize,
    pub(crate) group_formats: BTreeMap<String, usize>,
    pub(crate) intervention: Option<String>,
    pub(crate) retries: Option<String>,
    pub(crate) negation: Negation,
    pub(crate) formats: Vec<Format>,
    pub(crate) actions: Vec<Action>,
    pub(crate) aliases: FxHashMap<String, u8>,
    pub(crate) action_cues: CueSet,
    pub(crate) states: Vec<State>,
    pub(crate) constructs: Vec<Construct>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) schemes: Vec<Scheme>,
    pub(crate) coherence: Option<Coherence>,
    /// Keys that mean nothing here; probably misspelt.
    pub(crate) unknown_keys: Vec<String>,
}

impl Pack {
    /// Reads a pack; `name` is its file as messages show it.
    pub(crate) fn parse(text: &str, name: &str) -> Result<Pack, Defect> {
        let raw: Table = text.parse().map_err(|error: toml::de::Error| {
            Defect::new("bad_pack", format!("valid TOML ({})", error.message())).file(name)
        })?;
        load(raw).map_err(|defect| defect.file(name))
    }

    /// Number of the label `other`.
    pub(crate) fn other(&self) -> u8 {
        self.actions.len() as u8
    }

    /// Name of an action's label; none for no action.
    pub(crate) fn action_name(&self, label: u8) -> Option<&str> {
        match self.actions.get(usize::from(label)) {
            Some(action) => Some(&action.id),
            None => (label == self.other()).then_some(OTHER),
        }
    }

    /// The exit states.
    pub(crate) fn exits(&self) -> impl Iterator<Item = usize> {
        self.states.iter().enumerate().filter(|(_, state)| state.exit).map(|(i, _)| i)
    }

    /// The schemes that have columns in tables 1 to 3.
    pub(crate) fn table_schemes(&self) -> impl Iterator<Item = (usize, &Scheme)> {
        self.schemes.iter().enumerate().filter(|(_, scheme)| scheme.table)
    }

    /// The rules of a kind.
    pub(crate) fn rules_of(&self, kind: RuleKind) -> impl Iterator<Item = (usize, &Rule)> {
        self.rules.iter().enumerate().filter(move |(_, rule)| rule.kind == kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_pack_is_whole() {
        let pack = Pack::parse(FLOOD, "flood.toml").expect("a sound pack");
        assert_eq!((pack.formats.len(), pack.actions.len(), pack.rules.len()), (2, 5, 4));
        assert_eq!(pack.schemes.iter().map(|s| s.k).collect::<Vec<_>>(), [5, 4, 3, 2]);
        assert_eq!(pack.unknown_keys, [""; 0]);
        assert_eq!(pack.schemes[pack.headline].id, "k4");
    }

    fn refused(from: &str, to: &str) -> Option<String> {
        Pack::parse(&FLOOD.replacen(from, to, 1), "p.toml").err().and_then(|defect| defect.field)
    }

    #[test]
    fn defects_name_their_field() {
        assert_eq!(Pack::parse("x = 1", "p.toml").err().and_then(|defect| defect.field).as_deref(), Some("pack"));
        assert_eq!(refused("\"RL\"", "\"FI\"").as_deref(), Some("action.aliases"));
        assert_eq!(refused("kind = \"feasibility\"", "kind = \"taste\"").as_deref(), Some("rule.kind"));
        assert_eq!(refused("headline = \"k4\"", "headline = \"k9\"").as_deref(), Some("pack.headline"));
        assert_eq!(refused("effect = [\"elevated\"]", "effect = [\"raised\"]").as_deref(), Some("action.effect"));
        assert_eq!(refused("state = \"elevated\"", "state = \"raised\"").as_deref(), Some("rule.state"));
        assert_eq!(refused("column = \"relocated\"", "").as_deref(), Some("column"));
        assert_eq!(refused("cues = [", "cues = [\"*\", ").as_deref(), Some("action.cues"));
    }

    #[test]
    fn a_rule_stands_there_once() {
        let rule = &FLOOD[FLOOD.find("[[rule]]").expect("a rule")..];
        let rule = &rule[..rule[1..].find("[[").expect("another") + 1];
        let refused = Pack::parse(&format!("{FLOOD}\n{rule}"), "p.toml").expect_err("refused");
        assert_eq!((refused.code.as_ref(), refused.field.as_deref()), ("bad_pack", Some("rule.id")));
    }

    #[test]
    fn a_misspelt_key_is_noticed() {
        let pack = Pack::parse(&FLOOD.replacen("irreversible", "irreversable", 1), "p.toml").expect("a sound pack");
        assert_eq!(pack.unknown_keys, ["state.irreversable"]);
    }
}
