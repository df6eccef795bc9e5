//! Options as a slice: each is one entry with its description and how it is set, shown and signed.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::options::{OptionValue, Options};
use crate::error::Defect;
use crate::text::number::python_repr;

/// What people read about an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionFacts {
    /// Its name on the command line and in the configuration.
    pub name: &'static str,
    /// Its default as one would write it, or a word for it.
    pub default: &'static str,
    /// What it does.
    pub says: &'static str,
}

/// An option of a suite whose options in force are `P`.
pub struct Setting<P: 'static> {
    facts: OptionFacts,
    read: fn(&mut P, NamedValue<'_>) -> Result<(), Defect>,
    show: fn(&P) -> Value,
    sign: Sign<P>,
    reported: bool,
}

/// How an option enters the signature.
enum Sign<P: 'static> {
    /// As it is shown, where that differs from the default.
    AsShown,
    /// By a text of its own, where it is shown otherwise than the default.
    By(fn(&P) -> String),
    /// Not at all: it touches no score.
    Never,
}

/// A value with the name under which it was given.
#[derive(Clone, Copy, Debug)]
pub struct NamedValue<'a> {
    /// The name.
    pub name: &'a str,
    /// The value.
    pub given: &'a OptionValue,
}

impl NamedValue<'_> {
    /// Puts the value where it belongs.
    pub fn to<T: Readable>(self, place: &mut T) -> Result<(), Defect> {
        *place = self.read()?;
        Ok(())
    }

    /// The value as a type.
    pub fn read<T: Readable>(self) -> Result<T, Defect> {
        T::read(self.given).ok_or_else(|| self.wrong(&T::expected()))
    }

    /// The defect of a value that means nothing here.
    pub fn wrong(self, expected: &str) -> Defect {
        Defect::new("bad_option", expected).field(self.name).value(self.given.text())
    }
}

/// What an option's value can be read as.
pub trait Readable: Sized {
    /// What is expected, in words.
    fn expected() -> String;
    /// The value, if it is one.
    fn read(given: &OptionValue) -> Option<Self>;
}

impl Readable for bool {
    fn expected() -> String {
        "true or false".into()
    }

    fn read(given: &OptionValue) -> Option<bool> {
        given.text().parse().ok()
    }
}

impl Readable for u64 {
    fn expected() -> String {
        "a whole number >= 0".into()
    }

    fn read(given: &OptionValue) -> Option<u64> {
        given.text().trim().parse().ok()
    }
}

impl Readable for f64 {
    fn expected() -> String {
        "a number".into()
    }

    fn read(given: &OptionValue) -> Option<f64> {
        decimal(given.text().trim())
    }
}

impl Readable for String {
    fn expected() -> String {
        "a text".into()
    }

    fn read(given: &OptionValue) -> Option<String> {
        Some(given.text())
    }
}

/// A text that may be left empty.
impl Readable for Option<String> {
    fn expected() -> String {
        "a text".into()
    }

    fn read(given: &OptionValue) -> Option<Option<String>> {
        Some(Some(given.text()).filter(|text| !text.is_empty()))
    }
}

impl Readable for Vec<String> {
    fn expected() -> String {
        "a list of texts".into()
    }

    fn read(given: &OptionValue) -> Option<Vec<String>> {
        given.list("").ok()
    }
}

impl Readable for BTreeMap<String, String> {
    fn expected() -> String {
        "name:value,...".into()
    }

    fn read(given: &OptionValue) -> Option<BTreeMap<String, String>> {
        given.pairs("").ok()
    }
}

/// A decimal number without words such as `inf`.
pub fn decimal(text: &str) -> Option<f64> {
    let plain = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'e' | b'E'));
    text.parse().ok().filter(|x: &f64| plain && x.is_finite())
}

/// Declares an option that takes one of a few words.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub(crate) enum $name { $(#[serde(rename = $word)] #[allow(missing_docs)] $variant),+ }

        impl $crate::suites::setting::Readable for $name {
            fn expected() -> String {
                [$($word),+].join("|")
            }

            fn read(given: &$crate::suites::OptionValue) -> Option<$name> {
                match given.text().as_str() {
                    $($word => Some($name::$variant),)+
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use choice;

impl<P: 'static> Setting<P> {
    /// An option that is reported and signed as it is shown.
    pub const fn new(
        name: &'static str,
        default: &'static str,
        says: &'static str,
        read: fn(&mut P, NamedValue<'_>) -> Result<(), Defect>,
        show: fn(&P) -> Value,
    ) -> Setting<P> {
        let facts = OptionFacts { name, default, says };
        Setting { facts, read, show, sign: Sign::AsShown, reported: true }
    }

    /// It enters the signature as another text.
    pub const fn signed_by(mut self, sign: fn(&P) -> String) -> Setting<P> {
        self.sign = Sign::By(sign);
        self
    }

    /// It touches no score.
    pub const fn unsigned(mut self) -> Setting<P> {
        self.sign = Sign::Never;
        self
    }

    /// It says where to find the input: neither reported nor signed.
    pub const fn of_input(mut self) -> Setting<P> {
        self.sign = Sign::Never;
        self.reported = false;
        self
    }
}

/// What people read about the options of a slice.
pub fn facts<P>(settings: &[Setting<P>]) -> Vec<OptionFacts> {
    settings.iter().map(|setting| setting.facts).collect()
}

/// The options in force: the defaults, then those given; later ones win.
pub fn read<P: Default>(settings: &[Setting<P>], given: &Options) -> Result<P, Defect> {
    let mut params = P::default();
    for (name, value) in given.iter() {
        set(settings, &mut params, name, value).map_err(|defect| given.located(value, defect))?;
    }
    Ok(params)
}

fn set<P>(settings: &[Setting<P>], params: &mut P, name: &str, given: &OptionValue) -> Result<(), Defect> {
    if let Some(setting) = settings.iter().find(|setting| setting.facts.name == name) {
        return (setting.read)(params, NamedValue { name, given });
    }
    // A table of the configuration: `[suite.guest.tools]` holds `tools.basic`.
    let group = format!("{name}.");
    if settings.iter().any(|setting| setting.facts.name.starts_with(&group)) {
        let OptionValue::Config(toml::Value::Table(table)) = given else {
            let known = settings.iter().map(|setting| setting.facts.name).filter(|name| name.starts_with(&group));
            let known: Vec<&str> = known.collect();
            return Err(Defect::new("bad_option", known.join("|")).field(name).value(given.text()));
        };
        for (key, value) in table {
            set(settings, params, &format!("{group}{key}"), &OptionValue::Config(value.clone()))?;
        }
        return Ok(());
    }
    let known: Vec<&str> = settings.iter().map(|setting| setting.facts.name).collect();
    Err(unknown(name, &known))
}

/// The defect of an option that nobody knows, with the known one that is nearest to it.
pub(crate) fn unknown(name: &str, known: &[&str]) -> Defect {
    let near = Defect::default().value(name).did_you_mean(known).hint;
    Defect { hint: near, ..Defect::new("bad_option", known.join("|")).field(name) }
}

/// The options in force as the report shows them; `a.b` stands under `a`.
pub fn report<P>(settings: &[Setting<P>], params: &P) -> Map<String, Value> {
    let mut shown = Map::new();
    for setting in settings.iter().filter(|setting| setting.reported) {
        let value = (setting.show)(params);
        match setting.facts.name.split_once('.') {
            None => drop(shown.insert(setting.facts.name.to_string(), value)),
            Some((group, name)) => {
                let group = shown.entry(group).or_insert_with(|| json!({}));
                if let Some(group) = group.as_object_mut() {
                    group.insert(name.to_string(), value);
                }
            }
        }
    }
    shown
}

/// The options that differ from their defaults, as the signature writes them.
pub fn changed<P: Default>(settings: &[Setting<P>], params: &P) -> BTreeMap<String, String> {
    changed_from(settings, params, &P::default())
}

/// The options that differ from some others, as the signature writes them.
pub fn changed_from<P>(settings: &[Setting<P>], params: &P, base: &P) -> BTreeMap<String, String> {
    let differs = |setting: &&Setting<P>| (setting.show)(params) != (setting.show)(base);
    let signed = |setting: &Setting<P>| {
        let text = match setting.sign {
            Sign::Never => return None,
            Sign::AsShown => as_typed(&(setting.show)(params)),
            Sign::By(sign) => sign(params),
        };
        Some((setting.facts.name.to_string(), text))
    };
    settings.iter().filter(differs).filter_map(signed).collect()
}

/// A value as one would type it: `0.5`, `1`, `a,b`, `a:1,b:2`.
pub fn as_typed(value: &Value) -> String {
    match value {
        Value::Null => "none".into(),
        Value::Bool(x) => x.to_string(),
        Value::Number(x) => match x.as_f64().filter(|_| x.is_f64()) {
            Some(x) if x.fract() == 0.0 && x.abs() < 1e15 => format!("{x:.0}"),
            Some(x) => python_repr(x),
            None => x.to_string(),
        },
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(as_typed).collect::<Vec<_>>().join(","),
        Value::Object(entries) => {
            let pair = |(name, value): (&String, &Value)| format!("{name}:{}", as_typed(value));
            entries.iter().map(pair).collect::<Vec<_>>().join(",")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Params {
        peak: f64,
        names: Vec<String>,
        place: Option<String>,
    }

    static SETTINGS: &[Setting<Params>] = &[
        Setting::new("peak", "0", "where it peaks", |p, v| v.to(&mut p.peak), |p| json!(p.peak)),
        Setting::new("tools.basic", "none", "names", |p, v| v.to(&mut p.names), |p| json!(p.names)),
        Setting::<Params>::new("place", "none", "where", |p, v| v.to(&mut p.place), |p| json!(p.place)).of_input(),
    ];

    fn given(pairs: &[&str]) -> Result<Params, Defect> {
        let mut options = Options::default();
        pairs.iter().for_each(|pair| options.add(pair).expect("a pair"));
        read(SETTINGS, &options)
    }

    #[test]
    fn an_entry_reads_shows_and_signs() {
        let params = given(&["peak=0.50", "tools.basic=a, b", "place=x"]).expect("options");
        assert_eq!(Value::Object(report(SETTINGS, &params)), json!({"peak": 0.5, "tools": {"basic": ["a", "b"]}}));
        let changed = changed(SETTINGS, &params);
        assert_eq!(changed, BTreeMap::from([("peak".into(), "0.5".into()), ("tools.basic".into(), "a,b".into())]));
    }

    #[test]
    fn what_means_nothing_is_refused_by_its_name() {
        for (pair, name, expected) in [
            ("peak=inf", "peak", "a number"),
            ("tools=x", "tools", "tools.basic"),
            ("other=1", "other", "peak|tools.basic|place"),
        ] {
            let defect = given(&[pair]).err().expect("a defect");
            assert_eq!((defect.field.as_deref(), defect.expected.as_deref()), (Some(name), Some(expected)));
        }
    }

    #[test]
    fn a_mistyped_option_is_told_what_was_meant() {
        let hint = |pair: &str| given(&[pair]).err().expect("a defect").hint;
        assert_eq!(hint("paek=1").as_deref(), Some("did you mean peak?"));
        assert_eq!(hint("tools.basics=1").as_deref(), Some("did you mean tools.basic?"));
        assert_eq!(hint("something_else=1"), None);
    }

    #[test]
    fn a_table_of_the_configuration_sets_what_stands_under_it() {
        let mut options = Options::default();
        options.add_config("[suite.s.tools]\nbasic = [\"x\"]\n", "verism.toml", "s").expect("a table");
        assert_eq!(read(SETTINGS, &options).expect("options").names, ["x"]);
    }
}
