//! Reads a pack from its TOML and checks it.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use toml::{Table, Value};

use super::construct::Construct;
use super::part::{PackTable, bad, texts};
use super::{Action, Coherence, Format, OTHER, Pack, Rule, RuleKind, Scheme, State};
use crate::error::Defect;
use crate::suites::adaptation::row::{MOST_CONSTRUCTS, MOST_LEVELS, MOST_STATES};
use crate::text::lexicon::{CueSet, Negation, NegationLists};
use crate::text::normalize::lookup_key;

/// Reads a pack.
pub(crate) fn load(raw: Table) -> Result<Pack, Defect> {
    let mut load = Load { unknown: vec![] };
    let pack = load.pack(raw)?;
    Ok(Pack { unknown_keys: load.unknown, ..pack })
}

/// A pack being read; collects the keys that mean nothing.
struct Load {
    unknown: Vec<String>,
}

/// Refuses a cue that begins with a bare `*`: it would mean any word.
fn refuse_bare(cue: &str, field: &str) -> Result<(), Defect> {
    match cue.split_whitespace().next() {
        Some("*") => Err(bad(field, format!("letters before the *, not {cue:?}"))),
        _ => Ok(()),
    }
}

/// The bits of names in a list.
fn bits(names: &[String], known: &[String], field: &str, what: &str) -> Result<u64, Defect> {
    names.iter().try_fold(0, |bits, name| {
        let place = known.iter().position(|k| k == name).ok_or_else(|| bad(field, format!("{what}, not {name:?}")))?;
        Ok(bits | 1 << place)
    })
}

impl Load {
    fn part(&mut self, name: &'static str, table: Table) -> PackTable<'_> {
        PackTable { name, table, unknown: &mut self.unknown }
    }

    fn list(raw: &mut Table, key: &'static str) -> Result<Vec<Table>, Defect> {
        let wrong = || bad(key, format!("[[{key}]] tables"));
        match raw.remove(key) {
            None => Ok(vec![]),
            Some(Value::Array(items)) => {
                let table = |item| if let Value::Table(table) = item { Ok(table) } else { Err(wrong()) };
                items.into_iter().map(table).collect()
            }
            Some(_) => Err(wrong()),
        }
    }

    fn pack(&mut self, mut raw: Table) -> Result<Pack, Defect> {
        let Some(Value::Table(head)) = raw.remove("pack") else { return Err(bad("pack", "a [pack] table")) };
        let mut head = self.part("pack", head);
        let id = head.text("id")?.unwrap_or_default();
        let version = match head.table.remove("version") {
            None => 1.into(),
            Some(version) => serde_json::to_value(version).unwrap_or_default(),
        };
        let agent = head.text("agent")?.unwrap_or("agent_id".into());
        let step = head.text("step")?.unwrap_or("year".into());
        let missing = head.texts("missing")?;
        let headline = head.text("headline")?;
        let declared = head.table("formats")?;
        head.close();

        let workload = match raw.remove("workload") {
            Some(Value::Table(table)) => table,
            _ => Table::new(),
        };
        let mut workload = self.part("workload", workload);
        let (intervention, retries) = (workload.text("intervention")?, workload.text("retries")?);
        workload.close();

        let lists = match raw.remove("negation") {
            Some(table) => table.try_into().map_err(|e: toml::de::Error| bad("negation", e.message()))?,
            None => NegationLists::default(),
        };

        let formats = self.formats(Self::list(&mut raw, "format")?)?;
        let action_tables = Self::list(&mut raw, "action")?;
        let states = self.states(Self::list(&mut raw, "state")?)?;
        let constructs = self.constructs(Self::list(&mut raw, "construct")?)?;
        let (actions, aliases, action_cues) = self.actions(action_tables, &states)?;
        let names: Vec<String> = actions.iter().map(|action| action.id.clone()).collect();
        let rules = self.rules(Self::list(&mut raw, "rule")?, &names, &states, &constructs)?;
        let schemes = self.schemes(Self::list(&mut raw, "diversity")?, &names)?;
        let coherence = coherence(Self::list(&mut raw, "coherence")?, &names, &constructs)?;
        self.unknown.extend(raw.keys().cloned());

        let mut group_formats = BTreeMap::new();
        for (group, format) in declared {
            let place = formats.iter().position(|f| format.as_str() == Some(&f.id));
            let place = place.ok_or_else(|| bad("pack.formats", format!("a declared format for {group}")))?;
            group_formats.insert(group, place);
        }
        let headline = schemes.iter().position(|scheme| Some(&scheme.id) == headline.as_ref());
        let default_missing = || ["", "n/a", "na", "nan", "none", "null"].map(String::from).to_vec();
        let missing =
            missing.unwrap_or_else(default_missing).iter().map(|text| lookup_key(text)).collect::<FxHashSet<_>>();
        Ok(Pack {
            id,
            version,
            agent,
            step,
            empty_is_missing: missing.contains(""),
            longest_missing: missing.iter().map(String::len).max().unwrap_or(0),
            missing,
            headline: headline.ok_or_else(|| bad("pack.headline", "the id of a diversity scheme"))?,
            group_formats,
            intervention,
            retries,
            negation: Negation::new(&lists),
            formats,
            actions,
            aliases,
            action_cues,
            states,
            constructs,
            rules,
            schemes,
            coherence,
            unknown_keys: vec![],
        })
    }

    fn formats(&mut self, tables: Vec<Table>) -> Result<Vec<Format>, Defect> {
        if tables.is_empty() {
            return Err(bad("format", "at least one [[format]]"));
        }
        let mut formats = vec![];
        for table in tables {
            let mut part = self.part("format", table);
            let placeholders = part.texts("placeholders")?.ok_or_else(|| bad("placeholders", "this key in the pack"));
            let free_text = match part.text("parse")?.as_deref() {
                None | Some("alias") => false,
                Some("text") => true,
                Some(_) => return Err(bad("format.parse", "alias or text")),
            };
            formats.push(Format {
                id: part.needed("id")?,
                action: part.needed("action")?,
                intent: part.text("intent")?,
                proposed: part.text("proposed")?,
                free_text,
                placeholders: placeholders?.iter().map(|text| lookup_key(text)).collect(),
            });
            part.close();
        }
        Ok(formats)
    }

    fn states(&mut self, tables: Vec<Table>) -> Result<Vec<State>, Defect> {
        if tables.len() > MOST_STATES {
            return Err(bad("state", format!("at most {MOST_STATES} states")));
        }
        let mut states = vec![];
        for table in tables {
            let mut part = self.part("state", table);
            let observed_before = match part.text("observed")?.as_deref() {
                None | Some("after") => false,
                Some("before") => true,
                Some(_) => return Err(bad("state.observed", "after or before")),
            };
            states.push(State {
                id: part.needed("id")?,
                column: part.needed("column")?,
                irreversible: part.flag("irreversible", false)?,
                exit: part.flag("exit", false)?,
                observed_before,
            });
            part.close();
        }
        Ok(states)
    }

    fn constructs(&mut self, tables: Vec<Table>) -> Result<Vec<Construct>, Defect> {
        if tables.len() > MOST_CONSTRUCTS {
            return Err(bad("construct", format!("at most {MOST_CONSTRUCTS} constructs")));
        }
        let mut constructs = vec![];
        for table in tables {
            let mut part = self.part("construct", table);
            let (id, column) = (part.needed("id")?, part.needed("column")?);
            let levels = part.texts("levels")?.ok_or_else(|| bad("levels", "this key in the pack"))?;
            if levels.len() > MOST_LEVELS {
                return Err(bad("construct.levels", format!("at most {MOST_LEVELS} levels")));
            }
            let place = |name: &str, field: &str| {
                let found = levels.iter().position(|level| level == name);
                found.map(|i| i as u8).ok_or_else(|| bad(field, format!("a declared level, not {name:?}")))
            };
            let default = place(&part.needed("default")?, "construct.default")?;
            let names = part.texts("names")?.unwrap_or_default();
            let mut priority = vec![];
            for level in part.texts("priority")?.unwrap_or_default() {
                priority.push(place(&level, "construct.priority")?);
            }
            let mut by_level = |key: &'static str, field: &'static str| {
                let lists = part.table(key)?.into_iter();
                lists
                    .map(|(level, list)| Ok((place(&level, field)?, texts(list, field)?)))
                    .collect::<Result<Vec<_>, Defect>>()
            };
            let words = by_level("words", "construct.words")?;
            let cues = by_level("cues", "construct.cues")?;
            cues.iter().flat_map(|(_, list)| list).try_for_each(|cue| refuse_bare(cue, "construct.cues"))?;
            part.close();
            constructs.push(Construct::new(id, column, levels, default, &names, &words, &cues, priority));
        }
        Ok(constructs)
    }

    #[allow(clippy::type_complexity)]
    fn actions(
        &mut self,
        tables: Vec<Table>,
        states: &[State],
    ) -> Result<(Vec<Action>, FxHashMap<String, u8>, CueSet), Defect> {
        if tables.is_empty() {
            return Err(bad("action", "at least one [[action]]"));
        }
        if tables.len() > 63 {
            return Err(bad("action", "at most 63 actions"));
        }
        let mut ids = vec![];
        for table in &tables {
            match table.get("id").and_then(Value::as_str) {
                Some(OTHER) => return Err(bad("action", "`other` is reserved")),
                Some(id) => ids.push(id.to_string()),
                None => return Err(bad("id", "this key in the pack")),
            }
        }
        let state_ids: Vec<String> = states.iter().map(|state| state.id.clone()).collect();
        let (mut actions, mut aliases, mut cues) = (vec![], FxHashMap::default(), CueSet::default());
        for (number, table) in tables.into_iter().enumerate() {
            let mut part = self.part("action", table);
            let id = part.needed("id")?;
            for name in [id.clone()].into_iter().chain(part.texts("aliases")?.unwrap_or_default()) {
                if *aliases.entry(lookup_key(&name)).or_insert(number as u8) != number as u8 {
                    return Err(bad("action.aliases", format!("alias {name:?} to name one action")));
                }
            }
            for cue in part.texts("cues")?.unwrap_or_default() {
                refuse_bare(&cue, "action.cues")?;
                cues.add(number as u16, &cue);
            }
            let components = part.texts("components")?.unwrap_or_default();
            let effect = part.texts("effect")?.map(|names| {
                let place = |name: &String| {
                    let found = state_ids.iter().position(|id| id == name);
                    found.ok_or_else(|| bad("action.effect", format!("a declared state, not {name:?}")))
                };
                names.iter().map(place).collect::<Result<Vec<_>, _>>()
            });
            actions.push(Action {
                id,
                components: bits(&components, &ids, "action.components", "declared actions")?,
                effect: effect.transpose()?,
            });
            part.close();
        }
        Ok((actions, aliases, cues))
    }

    fn rules(
        &mut self,
        tables: Vec<Table>,
        actions: &[String],
        states: &[State],
        constructs: &[Construct],
    ) -> Result<Vec<Rule>, Defect> {
        if tables.len() > 32 {
            return Err(bad("rule", "at most 32 rules"));
        }
        let mut rules = vec![];
        for table in tables {
            let mut part = self.part("rule", table);
            let kind = match part.text("kind")?.as_deref() {
                Some("feasibility") => RuleKind::Feasibility,
                Some("thinking") => RuleKind::Thinking,
                _ => return Err(bad("rule.kind", "feasibility or thinking")),
            };
            let broken_by = part.texts("actions")?.unwrap_or_default();
            let wanted = part.flag("state_is", true)?;
            let state = part.text("state")?.map(|id| {
                let found = states.iter().position(|state| state.id == id);
                found.map(|i| (i, wanted)).ok_or_else(|| bad("rule.state", "a declared state"))
            });
            let levels = part.texts("levels")?;
            let construct = part.text("construct")?.map(|id| {
                let found = constructs.iter().position(|construct| construct.id == id);
                let i = found.ok_or_else(|| bad("rule.construct", "a declared construct"))?;
                let levels = levels.ok_or_else(|| bad("levels", "this key in the pack"))?;
                Ok((i, bits(&levels, &constructs[i].levels, "rule.levels", "declared levels")? as u32))
            });
            let (state, construct) = (state.transpose()?, construct.transpose()?);
            if state.is_none() && construct.is_none() {
                return Err(bad("rule", "a state or a construct condition"));
            }
            let actions = bits(&broken_by, actions, "rule.actions", "declared actions")?;
            let id = part.needed("id")?;
            if rules.iter().any(|rule: &Rule| rule.id == id) {
                return Err(bad("rule.id", format!("each id once, not {id:?} again")));
            }
            rules.push(Rule { id, kind, state, construct, actions });
            part.close();
        }
        Ok(rules)
    }

    fn schemes(&mut self, tables: Vec<Table>, actions: &[String]) -> Result<Vec<Scheme>, Defect> {
        let mut schemes = vec![];
        for table in tables {
            let mut part = self.part("diversity", table);
            let (id, table) = (part.needed("id")?, part.flag("table", false)?);
            let merge = part.table("merge")?;
            if let Some(name) = merge.keys().find(|name| !actions.contains(name)) {
                return Err(bad("diversity.merge", format!("declared actions, not {name:?}")));
            }
            let mut classes: Vec<&str> = vec![];
            let mut class_of = vec![];
            for action in actions {
                let class = merge.get(action).map_or(Some(action.as_str()), Value::as_str);
                let class = class.ok_or_else(|| bad("diversity.merge", "names of classes"))?;
                let place = classes.iter().position(|c| *c == class);
                class_of.push(place.unwrap_or(classes.len()));
                if place.is_none() {
                    classes.push(class);
                }
            }
            let named_class = actions.iter().map(|action| classes.iter().position(|class| class == action)).collect();
            schemes.push(Scheme { id, table, class_of, k: classes.len(), named_class });
            part.close();
        }
        Ok(schemes)
    }
}

fn coherence(tables: Vec<Table>, actions: &[String], constructs: &[Construct]) -> Result<Option<Coherence>, Defect> {
    let Some(first) = tables.first() else { return Ok(None) };
    let mut places = vec![];
    for name in first.keys().filter(|key| *key != "actions") {
        let found = constructs.iter().position(|construct| construct.id == *name);
        places.push(found.ok_or_else(|| bad("coherence", format!("declared constructs, not {name:?}")))?);
    }
    let mut entries = vec![];
    for mut table in tables {
        let mut take = |key: &str| match table.remove(key) {
            Some(value) => texts(value, &format!("coherence.{key}")),
            None => Err(bad(key, "this key in the pack")),
        };
        let fitting = bits(&take("actions")?, actions, "coherence.actions", "declared actions")?;
        let mut levels = vec![];
        for &place in &places {
            let construct = &constructs[place];
            let field = format!("coherence.{}", construct.id);
            levels.push(bits(&take(&construct.id)?, &construct.levels, &field, "declared levels")? as u32);
        }
        entries.push((levels, fitting));
    }
    Ok(Some(Coherence { constructs: places, entries }))
}
