//! What a text says: names, values, ages and sexes with their status, and which patterns it recommends.

mod age;
pub(crate) mod analysis;
mod chain;
mod clusters;
pub(crate) mod cue;
pub(crate) mod engine;
mod english;
mod first_person;
pub(crate) mod mention;
mod number_status;
pub(crate) mod numbers;
mod pressure;
mod pushed;
mod sex;
mod status;
mod tokens;
pub(crate) mod units;
mod values;
mod words;

use self::analysis::{Analysis, Named, OWN, OwnName};
use self::engine::{Engine, Kind};
use self::mention::{Mention, MentionSpan, Status};
pub(crate) use self::status::ByDefault;
use self::status::People;
use self::values::{Valued, needs_unit};

/// The facts of a text, and the names that stand for slots.
#[derive(Debug, Default)]
pub(crate) struct Extracted<'a> {
    /// By start, end, type and id.
    pub(crate) facts: Vec<Mention<'a>>,
    /// In the order of the text; a lab or vital that needs a unit counts only with a value.
    pub(crate) names: Vec<Named>,
}

/// The id of an entity, or of a name of the patient.
pub(crate) fn id_of<'a>(engine: &'a Engine, own: &'a [OwnName], entity: u32) -> &'a str {
    if entity >= OWN { &own[(entity - OWN) as usize].id } else { &engine.entity(entity).id }
}

impl Analysis {
    /// Every fact of the text with its status.
    pub(crate) fn extract<'a>(
        &'a self,
        engine: &'a Engine,
        own: &'a [OwnName],
        by_default: ByDefault,
    ) -> Extracted<'a> {
        let mut ages: Vec<Mention<'a>> = vec![];
        let mut tail_ok = |at: usize| engine.edges.tail_ok(self.doc.bytes(), at, &mut self.parsed.borrow_mut());
        self.ages(engine, &mut tail_ok, &mut ages);
        let mut facts: Vec<Mention<'a>> = Vec::with_capacity(self.names.len() + 4);
        for name in self.names.iter().filter(|name| name.kind == Kind::Sex) {
            let (status, why) = self.sex_status(engine, name, &ages);
            facts.push(Mention { status, why, ..plain(name) });
        }
        let asserted = |mention: &&Mention<'_>| mention.status == Status::Asserted;
        let mut ends: Vec<usize> = ages.iter().chain(&facts).filter(asserted).map(|mention| mention.end).collect();
        ends.sort_unstable();
        let people = People { ends: &ends };
        let mut names = Vec::with_capacity(self.names.len());
        let mut used = vec![];
        let mut values: Vec<Valued<'a>> = vec![];
        for name in &self.names {
            names.push(*name);
            match name.kind {
                Kind::Lab | Kind::Vital => {
                    values.clear();
                    self.values(engine, name, &mut values);
                    if values.is_empty() && needs_unit(engine.entity(name.entity), &self.text()[name.start..name.end]) {
                        names.pop();
                    }
                    used.extend(values.iter().map(|value| (value.mention.start, value.value_end)));
                    self.judge_values(engine, &values, &mut facts);
                }
                Kind::Med | Kind::Condition => {
                    let Some(place) = MentionSpan::of(self, name.start, name.end) else { continue };
                    let (status, why) = self.entity_status(engine, name.kind, &place, &people, by_default);
                    facts.push(Mention { status, why, ..plain(name) });
                }
                _ => {}
            }
        }
        values.clear();
        self.nameless(engine, &mut used, &mut values);
        self.judge_values(engine, &values, &mut facts);
        facts.append(&mut ages);
        let id = |mention: &Mention<'_>| id_of(engine, own, mention.entity);
        facts.sort_by(|a, b| (a.start, a.end, a.kind).cmp(&(b.start, b.end, b.kind)).then_with(|| id(a).cmp(id(b))));
        Extracted { facts, names }
    }

    fn judge_values<'a>(&'a self, engine: &'a Engine, values: &[Valued<'a>], facts: &mut Vec<Mention<'a>>) {
        for value in values {
            let (status, why) = self.number_status(engine, value);
            facts.push(Mention { status, why, ..value.mention });
        }
    }
}

fn plain<'a>(name: &Named) -> Mention<'a> {
    Mention {
        kind: name.kind,
        entity: name.entity,
        start: name.start,
        end: name.end,
        value: None,
        status: Status::Unasserted,
        why: None,
        name_start: None,
    }
}

/// How a question is asked about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuestionUse {
    pub(crate) blanked: analysis::Blanked,
}

/// Whether a question denies what a phrase in it says: a chain cue, a glued negation, or an English denial before it.
pub(crate) fn question_denies(engine: &Engine, analysis: &Analysis, place: &MentionSpan, asking: QuestionUse) -> bool {
    use super::text::list::{Class, List};
    let deny = Class::Deny.bit();
    analysis.chain_cue(engine, place, deny, asking.blanked).is_some()
        || analysis.close_behind(engine, List::DirectNeg, place).is_some()
        || analysis.before(engine, place, english::Before::Flag, asking.blanked).is_some()
}
