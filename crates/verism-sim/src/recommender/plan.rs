//! Everything a user will do, decided before the first reply.

use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use verism::suites::recommender::Field;

use super::templates::{table, texts, weights};
use super::world::RecommenderWorld;
use crate::Stream;

/// A step of a plan: what the user does in a turn.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) turn: u64,
    pub(super) act: &'static str,
    pub(super) focus: u32,
    /// The item that the user has in mind; it satisfies all constraints.
    pub(super) anchor: u32,
    /// The wish of each field.
    pub(super) constraints: [Option<u32>; 6],
    /// A second concept that the message names.
    pub(super) extra: Option<u32>,
    pub(super) shift: Option<Shift>,
}

/// A change of focus over a bridge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shift {
    pub(super) from: u32,
    pub(super) bridge: u32,
    pub(super) from_anchor: u32,
}

/// A plan.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) seed: u64,
    pub(super) style: &'static str,
    taste: &'static str,
    schedule: Vec<u64>,
    skipped: Vec<u64>,
    pub(super) steps: Vec<Step>,
}

/// The streams of random words, by what they decide.
const PERSONA: u64 = 1;
const SCHEDULE: u64 = 2;
const FOCUS: u64 = 3;
const ACTS: u64 = 4;

/// Most wishes at a time that `narrow` may lead to.
const MOST_WISHES: usize = 4;

impl Plan {
    /// Plans the dialogue of a seed.
    pub(super) fn new(world: &RecommenderWorld, seed: u64) -> Plan {
        let mut persona = Stream::new(seed, PERSONA, 0);
        let style = *persona.pick(&texts(&["styles"]));
        let tastes: Vec<&'static str> =
            table(&["tastes"]).object().unwrap_or_default().iter().map(|(name, _)| name.as_ref()).collect();
        let taste = *persona.pick(&tastes);
        let schedule = schedule(world, seed);
        let mut user = Planner::new(world, seed, taste);
        let mut steps: Vec<Step> = vec![];
        let mut skipped = vec![];
        for turn in 1..=world.options.turns {
            let step = match turn {
                1 => user.step(turn, "open", None, None),
                turn if schedule.contains(&turn) => match user.shift() {
                    Some(shift) => user.step(turn, "shift", None, Some(shift)),
                    None => {
                        skipped.push(turn);
                        user.step(turn, "restate", None, None)
                    }
                },
                turn => user.act(turn, steps.last().map_or("", |step| step.act)),
            };
            steps.push(step);
        }
        let schedule = schedule.into_iter().filter(|turn| !skipped.contains(turn)).collect();
        Plan { seed, style, taste, schedule, skipped, steps }
    }

    /// Style and taste.
    pub(super) fn persona(&self) -> String {
        format!("{}-{}", self.style, self.taste)
    }

    /// The plan as JSON.
    pub(super) fn to_json(&self, world: &RecommenderWorld) -> Value {
        let catalog = world.catalog();
        let step = |step: &Step| {
            json!({
                "turn": step.turn, "act": step.act, "focus_field": world.field(step.focus).name(),
                "focus_value": catalog.display(step.focus), "anchor": catalog.items[step.anchor as usize].id,
                "constraints": step.wishes(world),
                "extra": step.extra.map(|extra| catalog.concepts.text(extra)), "shift": step.shift_event(world),
            })
        };
        json!({
            "seed": self.seed, "lang": world.options.lang, "persona": self.persona(), "schedule": self.schedule,
            "skipped_shifts": self.skipped, "steps": self.steps.iter().map(step).collect::<Vec<_>>(),
        })
    }
}

impl Step {
    /// The wishes by field.
    pub(super) fn wishes<'w>(&self, world: &'w RecommenderWorld) -> Wishes<'w> {
        Wishes(self.constraints.map(|wish| wish.map(|concept| world.catalog().display(concept))))
    }

    /// The shift, if there is one.
    pub(super) fn shift_event<'w>(&self, world: &'w RecommenderWorld) -> Option<ShiftEvent<'w>> {
        let shift = self.shift?;
        let (field, value) = (|c: u32| world.field(c).name(), |c: u32| world.catalog().display(c));
        Some(ShiftEvent {
            turn: self.turn,
            from_focus: field(shift.from),
            from_value: value(shift.from),
            to_focus: field(self.focus),
            to_value: value(self.focus),
            bridge_field: field(shift.bridge),
            bridge_value: value(shift.bridge),
            from_anchor: world.name(shift.from_anchor),
            to_anchor: world.name(self.anchor),
        })
    }
}

/// Wishes as a record shows them: by field, in the order of fields.
pub(super) struct Wishes<'w>([Option<&'w str>; 6]);

impl Serialize for Wishes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let by_field = Field::SCORED.iter().zip(self.0);
        serializer.collect_map(by_field.filter_map(|(field, value)| Some((field.name(), value?))))
    }
}

/// A shift as a record shows it.
#[derive(Serialize)]
pub(super) struct ShiftEvent<'w> {
    turn: u64,
    from_focus: &'w str,
    from_value: &'w str,
    to_focus: &'w str,
    to_value: &'w str,
    bridge_field: &'w str,
    bridge_value: &'w str,
    from_anchor: &'w str,
    to_anchor: &'w str,
}

/// The turns of the shifts: places drawn by a partial shuffle, spread by the gap.
fn schedule(world: &RecommenderWorld, seed: u64) -> Vec<u64> {
    let options = &world.options;
    let shifts = options.shifts as usize;
    if shifts == 0 {
        return vec![];
    }
    let mut stream = Stream::new(seed, SCHEDULE, 0);
    let room = usize::try_from(world.room()).unwrap_or(0);
    let mut places: Vec<usize> = (0..room).collect();
    for i in 0..shifts {
        let j = i + stream.below(room - i);
        places.swap(i, j);
    }
    places.truncate(shifts);
    places.sort_unstable();
    let turn = |(n, place): (usize, &usize)| options.first_shift + *place as u64 + n as u64 * (options.gap - 1);
    places.iter().enumerate().map(turn).collect()
}

/// What the user wants as the plan goes on.
struct Planner<'w> {
    world: &'w RecommenderWorld,
    /// How likely each field is to be shifted to.
    taste: Vec<(&'static str, usize)>,
    focuses: Stream,
    acts: Stream,
    focus: u32,
    anchor: u32,
    constraints: [Option<u32>; 6],
    narrowed: bool,
}

impl<'w> Planner<'w> {
    fn new(world: &'w RecommenderWorld, seed: u64, taste: &str) -> Planner<'w> {
        let mut focuses = Stream::new(seed, FOCUS, 0);
        let focus = *focuses.pick(world.pool(world.options.opening_field));
        let anchor = *focuses.pick(&world.items(focus).collect::<Vec<_>>());
        let mut constraints = [None; 6];
        constraints[world.field(focus) as usize] = Some(focus);
        let taste = weights(&["tastes", taste]);
        let acts = Stream::new(seed, ACTS, 0);
        Planner { world, taste, focuses, acts, focus, anchor, constraints, narrowed: false }
    }

    fn step(&self, turn: u64, act: &'static str, extra: Option<u32>, shift: Option<Shift>) -> Step {
        let (focus, anchor, constraints) = (self.focus, self.anchor, self.constraints);
        Step { turn, act, focus, anchor, constraints, extra, shift }
    }

    /// A turn without a shift: an act drawn by its weight.
    fn act(&mut self, turn: u64, before: &str) -> Step {
        let acts = weights(&["acts"]);
        let drawn = self.acts.weighted(&acts.iter().map(|(_, weight)| *weight).collect::<Vec<_>>());
        let mut act = acts[drawn].0;
        let mut extra = None;
        if act == "narrow" {
            let free = self.free_values();
            if self.narrowed || free.is_empty() || self.constraints.iter().flatten().count() >= MOST_WISHES {
                act = "restate";
            } else {
                let more = *self.acts.pick(&free);
                self.constraints[self.world.field(more) as usize] = Some(more);
                self.narrowed = true;
                extra = Some(more);
            }
        }
        if matches!(act, "detail" | "hesitate") && before == act {
            act = "more";
        }
        if act == "restate" {
            let others: Vec<u32> = self
                .constraints
                .iter()
                .flatten()
                .copied()
                .filter(|c| self.world.field(*c) != self.world.field(self.focus))
                .collect();
            let n = self.acts.below(others.len() + 1);
            extra = n.checked_sub(1).map(|place| others[place]);
        }
        self.step(turn, act, extra, None)
    }

    /// Usable values of the anchor in fields without a wish, in the order of concepts.
    fn free_values(&self) -> Vec<u32> {
        let free = |concept: &u32| {
            let field = self.world.field(*concept);
            Field::SCORED.contains(&field)
                && self.constraints[field as usize].is_none()
                && self.world.is_usable(*concept)
        };
        let mut out: Vec<u32> = self.anchor_values().into_iter().filter(free).collect();
        out.sort_unstable();
        out
    }

    fn anchor_values(&self) -> Vec<u32> {
        let all = &self.world.catalog().items[self.anchor as usize].concepts;
        all.iter().copied().filter(|concept| Field::SCORED.contains(&self.world.field(*concept))).collect()
    }

    /// Changes the focus over a bridge; none if no field works.
    fn shift(&mut self) -> Option<Shift> {
        let (bridge, value, anchor) = self.find_shift()?;
        let shift = Shift { from: self.focus, bridge, from_anchor: self.anchor };
        let world = self.world;
        let mut kept = [None; 6];
        for field in Field::SCORED {
            let Some(old) = self.constraints[field as usize] else { continue };
            if field == world.field(value) || field == world.field(bridge) {
                continue;
            }
            if world.catalog().concepts.has(anchor, old) && (self.focuses.below(100) as u64) < world.options.keep {
                kept[field as usize] = Some(old);
            }
        }
        kept[world.field(bridge) as usize] = Some(bridge);
        kept[world.field(value) as usize] = Some(value);
        (self.constraints, self.focus, self.anchor, self.narrowed) = (kept, value, anchor, false);
        Some(shift)
    }

    /// A bridge, a new value and a new anchor that has both, for the first field that has any.
    fn find_shift(&mut self) -> Option<(u32, u32, u32)> {
        let world = self.world;
        let mut context: Vec<u32> = self.constraints.iter().flatten().copied().chain(self.anchor_values()).collect();
        context.sort_unstable();
        context.dedup();
        for field in self.field_order() {
            let linked = |bridge: u32| world.items(bridge).filter(|item| *item != self.anchor);
            let values = |bridge: u32| {
                let offered = linked(bridge).flat_map(|item| world.offers(item, field)).copied();
                offered.filter(|value| self.constraints[field as usize] != Some(*value))
            };
            let may_lead = |bridge: &u32| {
                world.field(*bridge) != field && world.is_usable(*bridge) && values(*bridge).next().is_some()
            };
            let bridges: Vec<u32> = context.iter().copied().filter(may_lead).collect();
            if !bridges.is_empty() {
                let bridge = bridges[self.focuses.below(bridges.len())];
                let mut values: Vec<u32> = values(bridge).collect();
                values.sort_unstable();
                values.dedup();
                let both = |value: u32| linked(bridge).filter(move |item| world.catalog().concepts.has(*item, value));
                let value = values[self.focuses.below(values.len())];
                let anchors: Vec<u32> = both(value).collect();
                return Some((bridge, value, anchors[self.focuses.below(anchors.len())]));
            }
        }
        None
    }

    /// The other fields, likelier ones first; the last is not drawn.
    fn field_order(&mut self) -> Vec<Field> {
        let mut fields: Vec<Field> = self.world.options.focus_fields.clone();
        fields.retain(|field| *field != self.world.field(self.focus));
        let mut order = vec![];
        while !fields.is_empty() {
            let weight = |field: &Field| {
                let found = self.taste.iter().find(|(name, _)| *name == field.name());
                found.map_or(0, |(_, weight)| *weight)
            };
            let weights: Vec<usize> = fields.iter().map(weight).collect();
            let place = if fields.len() > 1 { self.focuses.weighted(&weights) } else { 0 };
            order.push(fields.remove(place));
        }
        order
    }
}
