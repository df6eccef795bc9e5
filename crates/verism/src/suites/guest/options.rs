//! The options of the suite.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::record::dialogue::Role;
use crate::error::Defect;
use crate::score::signature;
use crate::suites::Options;
use crate::suites::setting::{self, NamedValue, Setting, as_typed, choice, decimal};
use crate::text::fold::fold;

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
    /// The experiment of single CSV logs, if an option names it.
    pub(super) experiment: Option<String>,
    pub(super) states: Option<String>,
    pub(super) attributes: Option<String>,
}

/// Every option, in the order of the guide.
pub(super) static SETTINGS: &[Setting<Params>] = &[
    Setting::new("exit_words", "exit", "words that mean leaving: `exit,bye`", read_exit_words, |p| json!(p.exit_words)),
    Setting::new(
        "state_source",
        "stored_first",
        "`stored_first`, `tools_first` or `stored_only`: recorded states or tool results",
        |p, v| v.to(&mut p.state_source),
        |p| json!(p.state_source),
    ),
    Setting::new(
        "pas_missing_component",
        "zero",
        "`zero` or `renormalise`: a component that one side lacks",
        |p, v| v.to(&mut p.pas_missing_component),
        |p| json!(p.pas_missing_component),
    ),
    Setting::new(
        "pas_no_state",
        "skip",
        "`skip` or `zero`: a message without a state",
        |p, v| v.to(&mut p.pas_no_state),
        |p| json!(p.pas_no_state),
    ),
    Setting::new("bvs_peak", "0.2", "the most natural rate of change, between 0 and 1", read_peak, |p| {
        json!(p.bvs_peak)
    }),
    Setting::new(
        "order_choice",
        "last_nonempty",
        "`last_nonempty` or `last`: the snapshot that is the final order",
        |p, v| v.to(&mut p.order_choice),
        |p| json!(p.order_choice),
    ),
    Setting::new(
        "ora_exit_snapshot",
        "include",
        "`include` or `exclude`: the snapshot of an exit",
        |p, v| v.to(&mut p.ora_exit_snapshot),
        |p| json!(p.ora_exit_snapshot),
    ),
    Setting::new("weights", "pas:0.25,bvs:0.2,ora:0.35,dei:0.2", "weights of CRRS, sum 1", read_weights, |p| {
        json!(PARTS.into_iter().zip(p.weights).collect::<BTreeMap<_, _>>())
    }),
    Setting::new(
        "crrs_missing",
        "undefined",
        "`undefined` or `renormalise`: a part of CRRS that is undefined",
        |p, v| v.to(&mut p.crrs_missing),
        |p| json!(p.crrs_missing),
    ),
    Setting::new("sta", "off", "`on` adds the stability of the order", |p, v| v.to(&mut p.sta), |p| json!(p.sta)),
    Setting::new(
        "tools.order_tracking",
        "update_order_tracking",
        "names of tools that track the order",
        |p, v| v.to(&mut p.tools.order_tracking),
        |p| json!(p.tools.order_tracking),
    ),
    Setting::new(
        "tools.behavioral_tracking",
        "get_message_generation_attributes_for_next_message",
        "names of tools that decide on behaviour",
        |p, v| v.to(&mut p.tools.behavioral_tracking),
        |p| json!(p.tools.behavioral_tracking),
    ),
    Setting::new(
        "tools.basic",
        "get_name_of_self,get_persona_of_self,get_target_order,get_past_messages_history",
        "names of basic tools",
        |p, v| v.to(&mut p.tools.basic),
        |p| json!(p.tools.basic),
    ),
    Setting::new(
        "levels",
        "none",
        "levels of experiments whose records name none: `name:1..5,…`",
        read_levels,
        |p| json!(p.levels),
    ),
    Setting::<Params>::new(
        "role_map",
        "user:guest,assistant:staff,developer:system",
        "further roles: `name:guest|staff|system|tool,…`",
        read_roles,
        |p| json!(p.role_map.iter().map(|(name, role)| (name, role.name())).collect::<BTreeMap<_, _>>()),
    )
    .signed_by(new_roles),
    Setting::<Params>::new(
        "format",
        "auto",
        "of single files: `auto`, `jsonl`, `original_csv`",
        |p, v| v.to(&mut p.format),
        |p| json!(p.format),
    )
    .of_input(),
    Setting::<Params>::new(
        "states",
        "none",
        "folder with the states of single CSV logs",
        |p, v| v.to(&mut p.states),
        |p| json!(p.states),
    )
    .of_input(),
    Setting::<Params>::new(
        "attributes",
        "from the tree",
        "file with the expected attributes of personas",
        |p, v| v.to(&mut p.attributes),
        |p| json!(p.attributes),
    )
    .of_input(),
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
        setting::read(SETTINGS, given)
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
        let mut report = setting::report(SETTINGS, self);
        report.insert("suite".into(), json!(super::ID));
        report.insert("version".into(), json!(1));
        Value::Object(report)
    }

    /// The signature.
    pub(super) fn signature(&self) -> String {
        signature::signature(super::ID, super::SPEC_VERSION, &setting::changed(SETTINGS, self))
    }
}

fn read_exit_words(params: &mut Params, value: NamedValue<'_>) -> Result<(), Defect> {
    let mut words: Vec<String> = value.read::<Vec<String>>()?.iter().map(|word| fold(word).into_owned()).collect();
    words.sort();
    words.dedup();
    params.exit_words = words;
    Ok(())
}

fn read_peak(params: &mut Params, value: NamedValue<'_>) -> Result<(), Defect> {
    let peak = value.read::<f64>().ok().filter(|peak| *peak > 0.0 && *peak < 1.0);
    params.bvs_peak = peak.ok_or_else(|| value.wrong("a number between 0 and 1, both excluded"))?;
    Ok(())
}

fn read_weights(params: &mut Params, value: NamedValue<'_>) -> Result<(), Defect> {
    let refuse = || value.wrong("pas:…,bvs:…,ora:…,dei:…, none negative, sum 1");
    let mut weights = [None; 4];
    for (name, weight) in &value.read::<BTreeMap<String, String>>()? {
        let part = PARTS.iter().position(|part| *part == name.to_lowercase()).ok_or_else(refuse)?;
        weights[part] = Some(decimal(weight).filter(|weight| *weight >= 0.0).ok_or_else(refuse)?);
    }
    let [Some(pas), Some(bvs), Some(ora), Some(dei)] = weights else { return Err(refuse()) };
    let weights = [pas, bvs, ora, dei];
    if (crate::stats::sum::neumaier(weights) - 1.0).abs() > 1e-9 {
        return Err(refuse());
    }
    params.weights = weights;
    Ok(())
}

fn read_levels(params: &mut Params, value: NamedValue<'_>) -> Result<(), Defect> {
    for (name, level) in value.read::<BTreeMap<String, String>>()? {
        let level = decimal(&level).filter(|x| x.fract() == 0.0 && (1.0..=5.0).contains(x));
        params.levels.insert(name, level.ok_or_else(|| value.wrong("experiment:1..5,…"))? as u8);
    }
    Ok(())
}

fn read_roles(params: &mut Params, value: NamedValue<'_>) -> Result<(), Defect> {
    for (name, role) in value.read::<BTreeMap<String, String>>()? {
        let role = Role::read(&role).ok_or_else(|| value.wrong("role:guest|staff|system|tool,…"))?;
        params.role_map.insert(name, role);
    }
    Ok(())
}

/// The roles that are not the usual ones.
fn new_roles(params: &Params) -> String {
    let base = Params::default().role_map;
    let new = params.role_map.iter().filter(|(name, role)| base.get(*name) != Some(role));
    as_typed(&json!(new.map(|(name, role)| (name, role.name())).collect::<BTreeMap<_, _>>()))
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
