//! The options of the suite.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::dialogue::Role;
use crate::error::Defect;
use crate::score::signature;
use crate::score::table::python_repr;
use crate::suites::{Given, Options};
use crate::text::fold::fold;

/// Declares an option that takes one of a few words.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub(super) enum $name { $(#[serde(rename = $word)] $variant),+ }

        impl $name {
            const WORDS: &'static [(&'static str, $name)] = &[$(($word, $name::$variant)),+];

            fn read(key: &str, given: &Given) -> Result<$name, Defect> {
                let text = given.text();
                let known: Vec<&str> = Self::WORDS.iter().map(|(word, _)| *word).collect();
                let found = Self::WORDS.iter().find(|(word, _)| *word == text);
                found.map(|(_, value)| *value).ok_or_else(|| wrong(key, &known.join("|"), given))
            }
        }
    };
}

choice!(
    /// Whether recorded values or tool results say what the guest did.
    StateSource { StoredFirst = "stored_first", ToolsFirst = "tools_first", StoredOnly = "stored_only" }
);
choice!(
    /// What a component of MS adds that one side lacks.
    MissingComponent { Zero = "zero", Renormalise = "renormalise" }
);
choice!(
    /// What a part of CRRS does that is undefined.
    MissingPart { Undefined = "undefined", Renormalise = "renormalise" }
);
choice!(
    /// What a message without a state does to PAS.
    NoState { Skip = "skip", Zero = "zero" }
);
choice!(
    /// Which snapshot is the final order.
    OrderChoice { LastNonempty = "last_nonempty", Last = "last" }
);
choice!(
    /// Whether the snapshot of an exit counts.
    ExitSnapshot { Include = "include", Exclude = "exclude" }
);
choice!(
    /// Off or on.
    Switch { Off = "off", On = "on" }
);
choice!(
    /// How single files are written.
    FileFormat { Auto = "auto", Jsonl = "jsonl", OriginalCsv = "original_csv" }
);

/// Names of the tools of each kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Tools {
    pub(super) basic: Vec<String>,
    pub(super) behavioral_tracking: Vec<String>,
    pub(super) order_tracking: Vec<String>,
}

/// Weights of the parts of CRRS: PAS, BVS, ORA, DEI.
pub(super) type Weights = [f64; 4];

/// Names of the parts of CRRS in the order of its terms.
pub(super) const PARTS: [&str; 4] = ["pas", "bvs", "ora", "dei"];

/// The options in force.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Params {
    /// Folded and sorted.
    pub(super) exit_words: Vec<String>,
    pub(super) state_source: StateSource,
    pub(super) pas_missing_component: MissingComponent,
    pub(super) pas_no_state: NoState,
    pub(super) bvs_peak: f64,
    pub(super) order_choice: OrderChoice,
    pub(super) ora_exit_snapshot: ExitSnapshot,
    pub(super) weights: Weights,
    pub(super) crrs_missing: MissingPart,
    pub(super) sta: Switch,
    pub(super) tools: Tools,
    pub(super) levels: BTreeMap<String, u8>,
    pub(super) role_map: BTreeMap<String, Role>,
    pub(super) format: FileFormat,
    pub(super) experiment: Option<String>,
    pub(super) states: Option<String>,
    pub(super) attributes: Option<String>,
}

/// Every option: name, default, what it does.
pub(super) const OPTIONS: &[(&str, &str, &str)] = &[
    ("exit_words", "exit", "words that mean leaving: `exit,bye`"),
    ("state_source", "stored_first", "`stored_first`, `tools_first` or `stored_only`: recorded states or tool results"),
    ("pas_missing_component", "zero", "`zero` or `renormalise`: a component that one side lacks"),
    ("pas_no_state", "skip", "`skip` or `zero`: a message without a state"),
    ("bvs_peak", "0.2", "the most natural rate of change, between 0 and 1"),
    ("order_choice", "last_nonempty", "`last_nonempty` or `last`: the snapshot that is the final order"),
    ("ora_exit_snapshot", "include", "`include` or `exclude`: the snapshot of an exit"),
    ("weights", "pas:0.25,bvs:0.2,ora:0.35,dei:0.2", "weights of CRRS, sum 1"),
    ("crrs_missing", "undefined", "`undefined` or `renormalise`: a part of CRRS that is undefined"),
    ("sta", "off", "`on` adds the stability of the order"),
    ("tools.order_tracking", "update_order_tracking", "names of tools that track the order"),
    (
        "tools.behavioral_tracking",
        "get_message_generation_attributes_for_next_message",
        "names of tools that decide on behaviour",
    ),
    (
        "tools.basic",
        "get_name_of_self,get_persona_of_self,get_target_order,get_past_messages_history",
        "names of basic tools",
    ),
    ("levels", "none", "levels of experiments whose records name none: `name:1..5,…`"),
    ("role_map", "user:guest,assistant:staff,developer:system", "further roles: `name:guest|staff|system|tool,…`"),
    ("format", "auto", "of single files: `auto`, `jsonl`, `original_csv`"),
    ("experiment", "from the path", "experiment of single CSV logs"),
    ("states", "none", "folder with the states of single CSV logs"),
    ("attributes", "from the tree", "file with the expected attributes of personas"),
];

impl Default for Params {
    fn default() -> Params {
        let list = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
        let roles = [
            ("assistant", Role::Staff),
            ("developer", Role::System),
            ("guest", Role::Guest),
            ("staff", Role::Staff),
            ("system", Role::System),
            ("tool", Role::Tool),
            ("user", Role::Guest),
        ];
        Params {
            exit_words: list(&["exit"]),
            state_source: StateSource::StoredFirst,
            pas_missing_component: MissingComponent::Zero,
            pas_no_state: NoState::Skip,
            bvs_peak: 0.2,
            order_choice: OrderChoice::LastNonempty,
            ora_exit_snapshot: ExitSnapshot::Include,
            weights: [0.25, 0.2, 0.35, 0.2],
            crrs_missing: MissingPart::Undefined,
            sta: Switch::Off,
            tools: Tools {
                basic: list(&[
                    "get_name_of_self",
                    "get_persona_of_self",
                    "get_target_order",
                    "get_past_messages_history",
                ]),
                behavioral_tracking: list(&["get_message_generation_attributes_for_next_message"]),
                order_tracking: list(&["update_order_tracking"]),
            },
            levels: BTreeMap::new(),
            role_map: roles.into_iter().map(|(name, role)| (name.to_string(), role)).collect(),
            format: FileFormat::Auto,
            experiment: None,
            states: None,
            attributes: None,
        }
    }
}

impl Params {
    /// Reads options as given; later ones win.
    pub(super) fn read(given: &Options) -> Result<Params, Defect> {
        let mut params = Params::default();
        for (key, value) in given.iter() {
            params.set(key, value)?;
        }
        Ok(params)
    }

    fn set(&mut self, key: &str, value: &Given) -> Result<(), Defect> {
        match key {
            "exit_words" => {
                let mut words: Vec<String> = value.list(key)?.iter().map(|word| fold(word).into_owned()).collect();
                words.sort();
                words.dedup();
                self.exit_words = words;
            }
            "state_source" => self.state_source = StateSource::read(key, value)?,
            "pas_missing_component" => self.pas_missing_component = MissingComponent::read(key, value)?,
            "pas_no_state" => self.pas_no_state = NoState::read(key, value)?,
            "bvs_peak" => {
                let peak = decimal(value.text().trim()).filter(|p| *p > 0.0 && *p < 1.0);
                self.bvs_peak = peak.ok_or_else(|| wrong(key, "a number between 0 and 1, both excluded", value))?;
            }
            "order_choice" => self.order_choice = OrderChoice::read(key, value)?,
            "ora_exit_snapshot" => self.ora_exit_snapshot = ExitSnapshot::read(key, value)?,
            "weights" => self.weights = read_weights(key, value)?,
            "crrs_missing" => self.crrs_missing = MissingPart::read(key, value)?,
            "sta" => self.sta = Switch::read(key, value)?,
            "tools.order_tracking" => self.tools.order_tracking = value.list(key)?,
            "tools.behavioral_tracking" => self.tools.behavioral_tracking = value.list(key)?,
            "tools.basic" => self.tools.basic = value.list(key)?,
            "tools" => {
                let Given::Config(toml::Value::Table(table)) = value else {
                    return Err(wrong(key, "tools.order_tracking|tools.behavioral_tracking|tools.basic", value));
                };
                for (kind, names) in table {
                    self.set(&format!("tools.{kind}"), &Given::Config(names.clone()))?;
                }
            }
            "levels" => {
                for (name, level) in value.pairs(key)? {
                    let level = decimal(&level).filter(|x| x.fract() == 0.0 && (1.0..=5.0).contains(x));
                    let level = level.ok_or_else(|| wrong(key, "experiment:1..5,…", value))?;
                    self.levels.insert(name, level as u8);
                }
            }
            "role_map" => {
                for (name, role) in value.pairs(key)? {
                    let role = Role::read(&role).ok_or_else(|| wrong(key, "role:guest|staff|system|tool,…", value))?;
                    self.role_map.insert(name, role);
                }
            }
            "format" => self.format = FileFormat::read(key, value)?,
            "experiment" => self.experiment = Some(value.text()).filter(|text| !text.is_empty()),
            "states" => self.states = Some(value.text()).filter(|text| !text.is_empty()),
            "attributes" => self.attributes = Some(value.text()).filter(|text| !text.is_empty()),
            _ => {
                let known: Vec<&str> = OPTIONS.iter().map(|(name, _, _)| *name).collect();
                return Err(Defect::new("bad_option", known.join("|")).field(key));
            }
        }
        Ok(())
    }

    /// The level of an experiment in a log that cannot name one itself.
    pub(super) fn level_of(&self, experiment: &str) -> Option<u8> {
        let named = self.levels.get(experiment).copied();
        named.or_else(|| match experiment.strip_prefix("exp")?.as_bytes() {
            [level @ b'1'..=b'5'] => Some(level - b'0'),
            _ => None,
        })
    }

    /// The options as the report shows them.
    pub(super) fn report(&self) -> Value {
        let roles: BTreeMap<&str, &str> =
            self.role_map.iter().map(|(name, role)| (name.as_str(), role.name())).collect();
        let weights: BTreeMap<&str, f64> = PARTS.into_iter().zip(self.weights).collect();
        json!({
            "suite": super::ID, "version": 1, "exit_words": self.exit_words, "state_source": self.state_source,
            "pas_missing_component": self.pas_missing_component, "pas_no_state": self.pas_no_state,
            "bvs_peak": self.bvs_peak, "order_choice": self.order_choice,
            "ora_exit_snapshot": self.ora_exit_snapshot, "weights": weights, "crrs_missing": self.crrs_missing,
            "sta": self.sta, "tools": self.tools, "levels": self.levels, "role_map": roles,
        })
    }

    /// The signature.
    pub(super) fn signature(&self) -> String {
        let base = Params::default();
        let mut changed = BTreeMap::new();
        let mut note = |key: &str, differs: bool, value: String| {
            if differs {
                changed.insert(key.to_string(), value);
            }
        };
        let weights: BTreeMap<&str, String> = PARTS.into_iter().zip(self.weights.map(number)).collect();
        let levels: Vec<String> = self.levels.iter().map(|(name, level)| format!("{name}:{level}")).collect();
        let roles = self.role_map.iter().filter(|(name, role)| base.role_map.get(*name) != Some(role));
        let roles: Vec<String> = roles.map(|(name, role)| format!("{name}:{}", role.name())).collect();
        note("exit_words", self.exit_words != base.exit_words, self.exit_words.join(","));
        note("state_source", self.state_source != base.state_source, word(&self.state_source));
        note(
            "pas_missing_component",
            self.pas_missing_component != base.pas_missing_component,
            word(&self.pas_missing_component),
        );
        note("pas_no_state", self.pas_no_state != base.pas_no_state, word(&self.pas_no_state));
        note("bvs_peak", self.bvs_peak != base.bvs_peak, number(self.bvs_peak));
        note("order_choice", self.order_choice != base.order_choice, word(&self.order_choice));
        note("ora_exit_snapshot", self.ora_exit_snapshot != base.ora_exit_snapshot, word(&self.ora_exit_snapshot));
        let weights = weights.iter().map(|(part, weight)| format!("{part}:{weight}"));
        note("weights", self.weights != base.weights, weights.collect::<Vec<_>>().join(","));
        note("crrs_missing", self.crrs_missing != base.crrs_missing, word(&self.crrs_missing));
        note("sta", self.sta != base.sta, word(&self.sta));
        for (kind, mine, theirs) in [
            ("basic", &self.tools.basic, &base.tools.basic),
            ("behavioral_tracking", &self.tools.behavioral_tracking, &base.tools.behavioral_tracking),
            ("order_tracking", &self.tools.order_tracking, &base.tools.order_tracking),
        ] {
            note(&format!("tools.{kind}"), mine != theirs, mine.join(","));
        }
        note("levels", !levels.is_empty(), levels.join(","));
        note("role_map", !roles.is_empty(), roles.join(","));
        signature::signature(super::ID, super::SPEC_VERSION, &changed)
    }
}

/// An option's value as it is written.
fn word(value: &impl Serialize) -> String {
    json!(value).as_str().unwrap_or_default().to_string()
}

/// A number as one writes it: `1`, `0.25`.
fn number(x: f64) -> String {
    if x.fract() == 0.0 { format!("{x:.0}") } else { python_repr(x) }
}

/// A decimal number without words such as `inf`.
fn decimal(text: &str) -> Option<f64> {
    let plain = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'e' | b'E'));
    text.parse().ok().filter(|x: &f64| plain && x.is_finite())
}

fn read_weights(key: &str, given: &Given) -> Result<Weights, Defect> {
    let refuse = || wrong(key, "pas:…,bvs:…,ora:…,dei:…, none negative, sum 1", given);
    let pairs = given.pairs(key)?;
    let mut weights = [None; 4];
    for (name, value) in &pairs {
        let part = PARTS.iter().position(|part| *part == name.to_lowercase()).ok_or_else(refuse)?;
        weights[part] = Some(decimal(value).filter(|weight| *weight >= 0.0).ok_or_else(refuse)?);
    }
    let [Some(pas), Some(bvs), Some(ora), Some(dei)] = weights else { return Err(refuse()) };
    let weights = [pas, bvs, ora, dei];
    if (crate::stats::sum::neumaier(weights) - 1.0).abs() > 1e-9 { Err(refuse()) } else { Ok(weights) }
}

fn wrong(key: &str, expected: &str, given: &Given) -> Defect {
    Defect::new("bad_option", expected).field(key).value(given.text())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[&str]) -> Result<Params, Defect> {
        let mut options = Options::default();
        pairs.iter().for_each(|pair| options.add(pair).expect("a pair"));
        Params::read(&options)
    }

    #[test]
    fn the_signature_names_what_differs() {
        // Section 8 of the specification.
        let version = crate::score::signature::VERSION;
        let params = read(&["weights=PAS:0.4,BVS:0.1,ORA:0.5,DEI:0", "bvs_peak=0.5", "sta=off"]).expect("options");
        let expected = format!("guest|v1|bvs_peak:0.5|weights:bvs:0.1,dei:0,ora:0.5,pas:0.4|verism:{version}");
        assert_eq!(params.signature(), expected);
        assert_eq!(read(&[]).expect("options").signature(), format!("guest|v1|verism:{version}"));
        let params = read(&["role_map=user:guest,waiter:staff", "levels=a:b:3", "exit_words=Bye,EXIT"]);
        let expected = format!("guest|v1|exit_words:bye,exit|levels:a:b:3|role_map:waiter:staff|verism:{version}");
        assert_eq!(params.expect("options").signature(), expected);
    }

    #[test]
    fn the_configuration_file_says_the_same() {
        let mut options = Options::default();
        let config = "[suite.guest]\nbvs_peak = 0.5\nweights = { pas = 0.4, bvs = 0.1, ora = 0.5, dei = 0 }\n\
                      levels = { a = 3 }\nexit_words = [\"bye\"]\n[suite.guest.tools]\nbasic = [\"x\"]\n";
        options.add_config(config, "verism.toml", "guest").expect("a table");
        let from_file = Params::read(&options).expect("options");
        let weights = "weights=pas:0.4,bvs:0.1,ora:0.5,dei:0";
        let typed = read(&["bvs_peak=0.5", weights, "levels=a:3", "exit_words=bye", "tools.basic=x"]).expect("options");
        assert_eq!(from_file, typed);
    }

    #[test]
    fn what_means_nothing_is_refused_by_its_key() {
        for pair in [
            "bvs_peak=1",
            "bvs_peak=nan",
            "weights=pas:1",
            "weights=pas:1,bvs:1,ora:-1,dei:0",
            "weights=pas:0.5,bvs:0.5,ora:0.5,dei:0",
            "weights=pas",
            "levels=a:6",
            "role_map=x:cook",
            "state_source=both",
            "crrs_missing=zero",
            "pas_missing_component=undefined",
            "tools.other=x",
            "sta=yes",
        ] {
            let defect = read(&[pair]).expect_err(pair);
            assert_eq!((defect.code.as_ref(), defect.field.as_deref()), ("bad_option", pair.split('=').next()));
        }
    }
}
