//! The options of the simulator.

use serde_json::{Map, Value, json};
use verism::Defect;
use verism::suites::Options;
use verism::suites::recommender::Field;
use verism::suites::setting::{self, Named, Setting};

/// The agents there are.
pub(super) const AGENTS: [&str; 5] = ["rules", "constant", "echo", "random", "oracle"];

/// The options in force.
#[derive(Clone, Debug)]
pub struct SimOptions {
    pub(super) agents: Vec<String>,
    /// As given: `7`, `1..100`, several joined by commas.
    seeds: String,
    pub(super) runs: u64,
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
    /// Print plans instead of dialogues.
    pub(super) plan: bool,
    /// Score the dialogues.
    pub(super) score: bool,
    /// Print words of the generator: seed, stream, count.
    pub(super) rng: Option<[u64; 3]>,
}

impl Default for SimOptions {
    fn default() -> SimOptions {
        SimOptions {
            agents: vec!["rules".into()],
            seeds: "0".into(),
            runs: 1,
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
            plan: false,
            score: false,
            rng: None,
        }
    }
}

/// Every option of the simulator; those of the suite come beside them.
pub static SETTINGS: &[Setting<SimOptions>] = &[
    Setting::new("agents", "rules", "who answers: rules, constant, echo, random, oracle", read_agents, |p| {
        json!(p.agents)
    }),
    Setting::new("seeds", "0", "users: `7`, `1..100`, several joined by commas", read_seeds, |p| json!(p.seeds)),
    Setting::new(
        "runs",
        "1",
        "how often each user talks to each agent",
        |p, v| within(v, &mut p.runs, 1, 1_000_000),
        |p| json!(p.runs),
    ),
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
    Setting::<SimOptions>::new("plan", "false", "print plans instead", |p, v| v.to(&mut p.plan), |p| json!(p.plan))
        .of_input(),
    Setting::<SimOptions>::new(
        "score",
        "false",
        "print the scores of the dialogues",
        |p, v| v.to(&mut p.score),
        |p| json!(p.score),
    )
    .of_input(),
    Setting::<SimOptions>::new("rng", "none", "print words of the generator: seed,stream,count", read_rng, |_| {
        json!(null)
    })
    .of_input(),
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

    /// The seeds in order.
    pub fn seeds(&self) -> Vec<u64> {
        seeds_of(&self.seeds).unwrap_or_default()
    }
}

/// Most seeds of a job.
const MOST_SEEDS: u64 = 10_000_000;

/// `7`, `1..100` or `1-100` with both ends, several joined by commas, each once.
fn seeds_of(text: &str) -> Option<Vec<u64>> {
    let mut out: Vec<u64> = vec![];
    for part in text.split(',').map(str::trim) {
        let (first, last) = part.split_once("..").or_else(|| part.split_once('-')).unwrap_or((part, part));
        let number = |text: &str| {
            let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            text.parse::<u64>().ok().filter(|_| plain)
        };
        let (first, last) = (number(first)?, number(last)?);
        if first > last || last - first >= MOST_SEEDS {
            return None;
        }
        out.extend(first..=last);
    }
    let mut sorted = out.clone();
    sorted.sort_unstable();
    sorted.dedup();
    (sorted.len() == out.len()).then_some(out)
}

fn read_seeds(options: &mut SimOptions, value: Named<'_>) -> Result<(), Defect> {
    let text = value.given.text();
    seeds_of(&text).ok_or_else(|| value.wrong("7, 1..100, or several joined by commas, each once"))?;
    options.seeds = text;
    Ok(())
}

fn read_agents(options: &mut SimOptions, value: Named<'_>) -> Result<(), Defect> {
    let agents = value.read::<Vec<String>>()?;
    let known = agents.iter().all(|agent| AGENTS.contains(&agent.as_str()));
    let twice = (1..agents.len()).any(|place| agents[..place].contains(&agents[place]));
    if agents.is_empty() || !known || twice {
        return Err(value.wrong(&AGENTS.join("|")));
    }
    options.agents = agents;
    Ok(())
}

fn scored_field(name: &str) -> Option<Field> {
    Field::SCORED.into_iter().find(|field| field.name() == name)
}

fn read_focus_fields(options: &mut SimOptions, value: Named<'_>) -> Result<(), Defect> {
    let fields: Option<Vec<Field>> = value.read::<Vec<String>>()?.iter().map(|name| scored_field(name)).collect();
    options.focus_fields = fields.ok_or_else(|| value.wrong("genre|actor|director|writer|language|year"))?;
    Ok(())
}

fn read_opening_field(options: &mut SimOptions, value: Named<'_>) -> Result<(), Defect> {
    let field = scored_field(&value.given.text());
    options.opening_field = field.ok_or_else(|| value.wrong("genre|actor|director|writer|language|year"))?;
    Ok(())
}

fn read_rng(options: &mut SimOptions, value: Named<'_>) -> Result<(), Defect> {
    let parts: Vec<Option<u64>> = value.given.text().split(',').map(|part| part.trim().parse().ok()).collect();
    let [Some(seed), Some(stream), Some(count)] = parts[..] else { return Err(value.wrong("seed,stream,count")) };
    options.rng = Some([seed, stream, count.min(1_000_000)]);
    Ok(())
}

fn within(value: Named<'_>, place: &mut u64, least: u64, most: u64) -> Result<(), Defect> {
    let number = value.read::<u64>().ok().filter(|x| (least..=most).contains(x));
    *place = number.ok_or_else(|| value.wrong(&format!("a whole number {least}..{most}")))?;
    Ok(())
}

fn one_of(value: Named<'_>, place: &mut String, words: &[&str]) -> Result<(), Defect> {
    let text = value.given.text();
    if !words.contains(&text.as_str()) {
        return Err(value.wrong(&words.join("|")));
    }
    *place = text;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_include_both_ends_and_stand_once() {
        assert_eq!(seeds_of("1..3, 7"), Some(vec![1, 2, 3, 7]));
        assert_eq!(seeds_of("4-5"), Some(vec![4, 5]));
        for wrong in ["5..2", "1,1", "x", "", "1..", "0..99999999999"] {
            assert_eq!(seeds_of(wrong), None, "{wrong}");
        }
    }
}
