//! The options of the simulator.

use serde_json::{Map, Value, json};
use verism::Defect;
use verism::suites::Options;
use verism::suites::recommender::Field;
use verism::suites::setting::{self, NamedValue, Setting};

/// The options in force.
#[derive(Clone, Debug)]
pub struct SimOptions {
    pub(super) lang: String,
    pub(super) turns: u64,
    pub(super) shifts: u64,
    pub(super) first_shift: u64,
    pub(super) gap: u64,
    pub(super) tail: u64,
    pub(super) keep: u64,
    pub(super) min_support: u64,
    pub(super) focus_fields: Vec<Field>,
    pub(super) opening_field: Field,
    pub(super) limit: u64,
    /// Who puts messages into words; templates alone so far.
    phrasing: String,
}

impl Default for SimOptions {
    fn default() -> SimOptions {
        SimOptions {
            lang: "en".into(),
            turns: 20,
            shifts: 4,
            first_shift: 3,
            gap: 4,
            tail: 3,
            keep: 50,
            min_support: 2,
            focus_fields: Field::SCORED.to_vec(),
            opening_field: Field::Genre,
            limit: 2,
            phrasing: "template".into(),
        }
    }
}

/// Every option of this simulator; those of the cast and of the suite come beside them.
pub(super) static SETTINGS: &[Setting<SimOptions>] = &[
    Setting::new("lang", "en", "`en` or `ko`", |p, v| one_of(v, &mut p.lang, &["en", "ko"]), |p| json!(p.lang)),
    Setting::new("turns", "20", "turns of a dialogue", |p, v| within(v, &mut p.turns, 1, 100_000), |p| json!(p.turns)),
    Setting::new("shifts", "4", "changes of focus", |p, v| within(v, &mut p.shifts, 0, 100_000), |p| json!(p.shifts)),
    Setting::new(
        "first_shift",
        "3",
        "the first turn that may change the focus",
        |p, v| within(v, &mut p.first_shift, 2, 100_000),
        |p| json!(p.first_shift),
    ),
    Setting::new(
        "gap",
        "4",
        "turns between two shifts at least",
        |p, v| within(v, &mut p.gap, 1, 100_000),
        |p| json!(p.gap),
    ),
    Setting::new(
        "tail",
        "3",
        "turns from the last shift on at least",
        |p, v| within(v, &mut p.tail, 1, 100_000),
        |p| json!(p.tail),
    ),
    Setting::new(
        "keep",
        "50",
        "percent of old wishes that outlive a shift",
        |p, v| within(v, &mut p.keep, 0, 100),
        |p| json!(p.keep),
    ),
    Setting::new(
        "min_support",
        "2",
        "items that a value must have to be wished for",
        |p, v| within(v, &mut p.min_support, 1, 1_000_000),
        |p| json!(p.min_support),
    ),
    Setting::new("focus_fields", "the six", "fields that a shift may lead to", read_focus_fields, |p| {
        json!(p.focus_fields.iter().map(|field| field.name()).collect::<Vec<_>>())
    }),
    Setting::new("opening_field", "genre", "field of the first wish", read_opening_field, |p| {
        json!(p.opening_field.name())
    }),
    Setting::new("limit", "2", "titles of a reply", |p, v| within(v, &mut p.limit, 1, 50), |p| json!(p.limit)),
    Setting::new(
        "phrasing",
        "template",
        "who words the messages",
        |p, v| one_of(v, &mut p.phrasing, &["template"]),
        |p| json!(p.phrasing),
    ),
];

impl SimOptions {
    /// Takes the simulator's options out of all that are given.
    pub fn take(given: &mut Options) -> Result<SimOptions, Defect> {
        let names: Vec<&str> = setting::facts(SETTINGS).iter().map(|option| option.name).collect();
        setting::read(SETTINGS, &given.take(&names))
    }

    /// The options as the report shows them.
    pub fn report(&self) -> Map<String, Value> {
        setting::report(SETTINGS, self)
    }
}

fn scored_field(name: &str) -> Option<Field> {
    Field::SCORED.into_iter().find(|field| field.name() == name)
}

fn read_focus_fields(options: &mut SimOptions, value: NamedValue<'_>) -> Result<(), Defect> {
    let fields: Option<Vec<Field>> = value.read::<Vec<String>>()?.iter().map(|name| scored_field(name)).collect();
    options.focus_fields = fields.ok_or_else(|| value.wrong("genre|actor|director|writer|language|year"))?;
    Ok(())
}

fn read_opening_field(options: &mut SimOptions, value: NamedValue<'_>) -> Result<(), Defect> {
    let field = scored_field(&value.given.text());
    options.opening_field = field.ok_or_else(|| value.wrong("genre|actor|director|writer|language|year"))?;
    Ok(())
}

fn within(value: NamedValue<'_>, place: &mut u64, least: u64, most: u64) -> Result<(), Defect> {
    let number = value.read::<u64>().ok().filter(|x| (least..=most).contains(x));
    *place = number.ok_or_else(|| value.wrong(&format!("a whole number {least}..{most}")))?;
    Ok(())
}

fn one_of(value: NamedValue<'_>, place: &mut String, words: &[&str]) -> Result<(), Defect> {
    let text = value.given.text();
    if !words.contains(&text.as_str()) {
        return Err(value.wrong(&words.join("|")));
    }
    *place = text;
    Ok(())
}
