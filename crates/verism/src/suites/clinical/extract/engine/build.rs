//! From a pack to an engine: every phrase into one automaton, every id to a number.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{ConceptInfo, CueInfo, DECOY, Engine, Entity, Filtered, GapWords, Kind, PatternInfo};
use crate::suites::clinical::extract::tokens::Endings;
use crate::suites::clinical::extract::units::{EntityUnit, Forms};
use crate::suites::clinical::extract::values::most_numbers;
use crate::suites::clinical::pack::{Name, Pack, PatternKind, compile};
use crate::suites::clinical::text::edges::Edges;
use crate::suites::clinical::text::list::{Class, LISTS, List};
use crate::suites::clinical::text::matcher::{Builder, Looseness};
use crate::suites::clinical::text::norm::norm;
use crate::suites::clinical::text::phrase::{Body, Phrase};

impl Engine {
    pub(crate) fn new(pack: Pack) -> Engine {
        let mut make = Make::default();
        make.cues(&pack);
        make.lexicon(&pack);
        let (patterns, pattern_of) = make.patterns(&pack);
        let concepts = make.concepts(&pack);
        let loose = Looseness { plural: true, free_left: false };
        let mut question = Builder::default();
        let mut flag_of = vec![];
        for (number, (_, flag)) in pack.question_flags.0.iter().enumerate() {
            for text in flag.both() {
                make.builder.add(List::QuestionFlags, text, loose);
                question.add(List::QuestionFlags, text, loose);
                flag_of.push(number as u32);
            }
        }
        let age_themes = pack.age.themes.iter();
        let age_themes =
            age_themes.map(|theme| make.range(List::AgeThemes, theme.ko.iter().chain(&theme.en))).collect();
        let ordinals = pack.ordinals.iter().map(|words| make.range(List::Ordinals, words.iter())).collect();
        let words = GapWords::of(&pack);
        let mut range_seps = pack.numeric.range_seps.clone();
        range_seps.sort_by_key(|sep| (std::cmp::Reverse(sep.chars().count()), sep.clone()));
        let mmhg = pack.units.iter().find(|unit| unit.id == "mmhg").map(|unit| Forms::new(&unit.forms));
        let pressure = |id: &str| make.by_id.get(&(Kind::Vital, id.to_string())).copied();
        let pressures = pressure("bp_systolic").zip(pressure("bp_diastolic")).map(|(high, low)| [high, low]);
        let tails = pack.sex.ko_claim_tails.iter().map(|tail| (tail.clone(), Body::new(&norm(tail)))).collect();
        let suffixes = pack.age.en_suffix.iter().map(|x| Body::new(x.trim_start_matches('-'))).collect();
        let sexes = ["M", "F"].map(|id| make.by_id[&(Kind::Sex, id.to_string())]);
        let age = make.by_id[&(Kind::Age, "age".to_string())];
        let strong = pack.cues.ko_fwd_chain.strong.len() as u32;
        let Make { builder, mut entities, by_id, names, measured, cue_infos, .. } = make;
        ancestors(&mut entities, &by_id);
        lexicon_patterns(&mut entities, &patterns);
        Engine {
            edges: Edges::new(&pack),
            matcher: builder.build(),
            question: question.build(),
            abbreviations: pack.text.abbreviations.iter().cloned().collect(),
            entities,
            by_id,
            names,
            measured,
            cues: cue_infos,
            strong,
            patterns,
            pattern_of,
            concepts,
            flag_of,
            age_themes,
            ordinals,
            words,
            plan: pack.cues.plan.regex.iter().filter_map(|x| compile(x)).collect(),
            other_units: Forms::new(&pack.other_units),
            other_units_not: pack.other_units_not.iter().map(|x| Phrase::new(x).body).collect(),
            range_seps,
            mmhg,
            pressures,
            absorb_stop: set(&[&pack.cues.en_absorb_stop]),
            first_not: set(&[&pack.cues.first_person.en_not]),
            age_gap: set(&[&pack.sex.age_gap_words]),
            threshold_tails: pack.age.ko_threshold_tails.iter().map(|x| Body::new(x)).collect(),
            age_suffixes: suffixes,
            sex_tails: tails,
            sexes,
            age,
            token_ends: Endings::new(&pack.cues),
            most_numbers: most_numbers(pack.units.iter().flat_map(|u| u.forms.iter().map(String::as_str))),
            pack,
        }
    }
}

impl GapWords {
    fn of(pack: &Pack) -> GapWords {
        let (cues, numeric) = (&pack.cues, &pack.numeric);
        GapWords {
            fillers: set(&[&cues.chain_fillers_ko, &cues.chain_fillers_en]),
            chain_number: Filtered::new(&cues.chain_number_regex),
            chain_figure: Filtered::new(&cues.chain_figure_regex),
            limit: set(&[&numeric.limit_words]),
            gap: set(&[&numeric.gap_ko, &numeric.gap_en]),
            target: set(&[&numeric.target_gap_ko, &numeric.target_gap_en]),
            approx: set(&[&numeric.approx_ko, &numeric.approx_en]),
        }
    }
}

/// The words of several lists.
fn set(lists: &[&[String]]) -> FxHashSet<String> {
    lists.iter().flat_map(|list| list.iter().cloned()).collect()
}

/// Puts the ancestors of every entity in place, nearest first.
fn ancestors(entities: &mut [Entity], by_id: &FxHashMap<(Kind, String), u32>) {
    for number in 0..entities.len() {
        let kind = entities[number].kind;
        let mut found: Vec<u32> = vec![];
        let mut waiting: std::collections::VecDeque<String> = entities[number].parents.iter().cloned().collect();
        while let Some(id) = waiting.pop_front() {
            let Some(&above) = by_id.get(&(kind, id)) else { continue };
            if !found.contains(&above) {
                found.push(above);
                waiting.extend(entities[above as usize].parents.iter().cloned());
            }
        }
        entities[number].ancestors = found;
    }
}

/// Notes for every drug the patterns of which its mentions are occurrences.
fn lexicon_patterns(entities: &mut [Entity], patterns: &[PatternInfo]) {
    for (number, entity) in entities.iter_mut().enumerate().filter(|(_, entity)| entity.kind == Kind::Med) {
        let number = number as u32;
        let fits = |pattern: &&PatternInfo| {
            let named = |id: &u32| pattern.lexicon.contains(id);
            pattern.is_lexicon
                && !pattern.except.contains(&number)
                && (named(&number) || entity.ancestors.iter().any(named))
        };
        let own = patterns.iter().zip(0..).filter(|(pattern, _)| fits(pattern));
        entity.patterns = own.map(|(_, pattern)| pattern).collect();
    }
}

/// An engine under construction.
struct Make {
    builder: Builder,
    entities: Vec<Entity>,
    by_id: FxHashMap<(Kind, String), u32>,
    names: Vec<(u32, bool)>,
    measured: FxHashMap<String, u32>,
    cue_infos: [Vec<CueInfo>; LISTS],
}

impl Default for Make {
    fn default() -> Self {
        Make {
            builder: Builder::default(),
            entities: vec![],
            by_id: FxHashMap::default(),
            names: vec![],
            measured: FxHashMap::default(),
            cue_infos: std::array::from_fn(|_| vec![]),
        }
    }
}

const PLAIN: Looseness = Looseness { free_left: false, plural: false };
const FREE_LEFT: Looseness = Looseness { free_left: true, plural: false };
const PLURAL: Looseness = Looseness { free_left: false, plural: true };

impl Make {
    /// Adds phrases of a class to a list of cues.
    fn list<'p>(&mut self, list: List, class: Class, texts: impl IntoIterator<Item = &'p String>, loose: Looseness) {
        for text in texts {
            self.builder.add(list, text, loose);
            let text = norm(text).into_owned();
            let multi = text.trim_matches('*').contains(' ');
            let info = CueInfo { class, chain_only: false, push_ignored: false, is_final: false, multi, text };
            self.cue_infos[list as usize].push(info);
        }
    }

    fn range<'p>(&mut self, list: List, texts: impl Iterator<Item = &'p String>) -> std::ops::Range<u32> {
        let places: Vec<u32> = texts.map(|text| self.builder.add(list, text, PLAIN)).collect();
        let size = self.sizes(list);
        size - places.len() as u32..size
    }

    fn sizes(&self, list: List) -> u32 {
        self.builder.size(list)
    }

    fn cues(&mut self, pack: &Pack) {
        let cues = &pack.cues;
        self.list(List::Pseudo, Class::Word, cues.pseudo.both(), PLAIN);
        // Higher classes first, so that places tell ranks.
        let mut pred: Vec<(Class, &Vec<String>)> =
            cues.ko_pred.0.iter().filter_map(|(name, texts)| Some((Class::of(name)?, texts))).collect();
        pred.sort_by_key(|(class, _)| *class);
        for (class, texts) in pred {
            self.list(List::KoPred, class, texts, PLAIN);
        }
        let tables = [
            (List::KoChain, &cues.ko_chain, FREE_LEFT),
            (List::KoFwd, &cues.ko_fwd, PLAIN),
            (List::EnFwd, &cues.en_fwd, PLAIN),
            (List::EnBack, &cues.en_back, PLAIN),
        ];
        for (list, table, loose) in tables {
            for (name, texts) in &table.0 {
                if let Some(class) = Class::of(name) {
                    self.list(list, class, texts, loose);
                }
            }
        }
        self.list(
            List::KoFwdChain,
            Class::Claim,
            cues.ko_fwd_chain.strong.iter().chain(&cues.ko_fwd_chain.claim),
            PLAIN,
        );
        self.list(List::Pronoun, Class::Avoid, &cues.en_pronoun_back, PLAIN);
        for text in &cues.en_pronoun_plus {
            let goes_on = cues.en_pronoun_continue.iter().any(|x| *x == norm(text));
            let class = if goes_on { Class::Continue } else { Class::Recommend };
            self.list(List::Pronoun, class, [text], PLAIN);
        }
        let chain_only: FxHashSet<String> = cues.en_fwd_chain_only.iter().map(|x| norm(x).into_owned()).collect();
        for info in &mut self.cue_infos[List::EnFwd as usize] {
            info.chain_only = chain_only.contains(&info.text);
            info.push_ignored = cues.en_push_ignore.contains(&info.text);
        }
        for info in &mut self.cue_infos[List::EnBack as usize] {
            info.is_final = cues.en_back_final.iter().any(|x| norm(x) == info.text);
        }
        let age = &pack.age;
        let with = ["with".to_string()];
        let lists: [(List, Class, Vec<&String>); 22] = [
            (List::EnCut, Class::Word, cues.en_cut.iter().collect()),
            (List::EnLimit, Class::Limit, cues.en_limit.iter().collect()),
            (List::EnAdjacent, Class::Claim, cues.en_back_adjacent.iter().collect()),
            (List::FirstKo, Class::Word, cues.first_person.ko.iter().collect()),
            (List::FirstEn, Class::Word, cues.first_person.en.iter().collect()),
            (List::Risk, Class::Risk, cues.risk.both().collect()),
            (List::Praise, Class::Praise, cues.praise.both().collect()),
            (List::DirectNeg, Class::Word, cues.direct_neg_ko.iter().collect()),
            (List::PredNegKo, Class::Deny, cues.pred_neg.ko.iter().collect()),
            (List::PredNegEn, Class::Deny, cues.pred_neg.en.iter().collect()),
            (List::PredNegAfter, Class::Deny, cues.pred_neg.en_after.iter().collect()),
            (List::Plan, Class::Plan, cues.plan.ko.iter().chain(&cues.plan.en).collect()),
            (List::TargetBefore, Class::Target, pack.numeric.target_before.both().collect()),
            (List::With, Class::Claim, with.iter().collect()),
            (List::AgePrefix, Class::Age, age.en_prefix.iter().collect()),
            (List::AgeBarePrefix, Class::Age, age.en_bare_prefix.iter().collect()),
            (List::AgeBareNext, Class::Age, age.en_bare_next.iter().collect()),
            (List::AgeDecadeBefore, Class::Age, age.en_decade_before.iter().collect()),
            (List::AgeThresholdBefore, Class::Threshold, age.en_threshold_before.iter().collect()),
            (List::AgeThresholdAfter, Class::Threshold, age.en_threshold_after.iter().collect()),
            (List::SexClaimBefore, Class::Claim, pack.sex.en_claim_before.iter().collect()),
            (List::Themes, Class::Word, vec![]),
        ];
        for (list, class, texts) in lists {
            self.list(list, class, texts, PLAIN);
        }
        self.list(List::TargetAfter, Class::Target, pack.numeric.target_after.both(), FREE_LEFT);
    }

    fn lexicon(&mut self, pack: &Pack) {
        let sections = [
            (Kind::Med, &pack.drugs),
            (Kind::Med, &pack.drug_classes),
            (Kind::Condition, &pack.conditions),
            (Kind::Lab, &pack.labs),
            (Kind::Vital, &pack.vitals),
            (Kind::Procedure, &pack.procedures),
            (Kind::Symptom, &pack.symptoms),
        ];
        for (kind, entries) in sections {
            for entry in entries {
                let entity = self.entity(kind, entry, pack);
                for name in entry.en.iter().chain(&entry.ko).chain(&entry.brand) {
                    self.name(name, entity);
                    if kind.is_number() {
                        let body = norm(name);
                        let body = body.strip_prefix('*').unwrap_or(&body);
                        self.measured.entry(body.strip_suffix('*').unwrap_or(body).to_string()).or_insert(entity);
                    }
                }
            }
        }
        for (id, names) in [("M", &pack.sex.m), ("F", &pack.sex.f)] {
            let sex = self.plain_entity(Kind::Sex, id);
            for name in names.ko.iter().chain(&names.en) {
                self.name(name, sex);
            }
        }
        self.plain_entity(Kind::Age, "age");
        for name in &pack.decoys {
            self.name(name, DECOY);
        }
    }

    fn name(&mut self, name: &str, entity: u32) {
        self.builder.add(List::Names, name, PLURAL);
        self.names.push((entity, name.ends_with('*')));
    }

    fn plain_entity(&mut self, kind: Kind, id: &str) -> u32 {
        let name = Name {
            id: id.to_string(),
            en: vec![],
            ko: vec![],
            brand: vec![],
            class: vec![],
            parent: None,
            themes: vec![],
            implied_by: vec![],
            units: vec![],
            needs_unit: vec![],
            composite: false,
        };
        self.put(Entity::of(kind, &name))
    }

    fn entity(&mut self, kind: Kind, name: &Name, pack: &Pack) -> u32 {
        let mut entity = Entity::of(kind, name);
        entity.implied_by = name.implied_by.iter().filter_map(|flag| pack.patient_flags.place(flag)).collect();
        entity.units = name.units.iter().map(|row| EntityUnit::new(row, &pack.units)).collect();
        entity.themes = name.themes.iter().map(|theme| self.builder.add(List::Themes, theme, PLAIN)).collect();
        self.put(entity)
    }

    /// An id that stands for a drug and a class is one thing; the later entry describes it.
    fn put(&mut self, entity: Entity) -> u32 {
        let key = (entity.kind, entity.id.clone());
        match self.by_id.get(&key) {
            Some(&number) => {
                self.entities[number as usize] = entity;
                number
            }
            None => {
                self.entities.push(entity);
                let number = self.entities.len() as u32 - 1;
                self.by_id.insert(key, number);
                number
            }
        }
    }

    fn patterns(&mut self, pack: &Pack) -> (Vec<PatternInfo>, Vec<u32>) {
        let (mut patterns, mut pattern_of) = (vec![], vec![]);
        for (number, (_, pattern)) in pack.answer_patterns.0.iter().enumerate() {
            let meds = |ids: &[String]| {
                ids.iter().filter_map(|id| self.by_id.get(&(Kind::Med, id.clone())).copied()).collect::<Vec<u32>>()
            };
            patterns.push(PatternInfo {
                predicate: pattern.kind == PatternKind::Predicate,
                lexicon: meds(&pattern.lexicon),
                except: meds(&pattern.except),
                is_lexicon: !pattern.lexicon.is_empty(),
            });
            if pattern.lexicon.is_empty() {
                for text in pattern.ko.iter().chain(&pattern.en) {
                    self.builder.add(List::Patterns, text, PLURAL);
                    pattern_of.push(number as u32);
                }
            }
        }
        (patterns, pattern_of)
    }

    fn concepts(&mut self, pack: &Pack) -> Vec<ConceptInfo> {
        let mut concepts = vec![];
        for (_, concept) in &pack.concepts.0 {
            let first = self.sizes(List::Concepts);
            for text in concept.ko.iter().chain(&concept.en) {
                self.builder.add(List::Concepts, text, PLURAL);
            }
            let regexes = concept.regex.iter().filter_map(|x| compile(x)).collect();
            concepts.push(ConceptInfo { places: first..self.sizes(List::Concepts), regexes });
        }
        concepts
    }
}

impl Entity {
    fn of(kind: Kind, name: &Name) -> Entity {
        let parents = name.class.iter().chain(name.parent.iter().filter(|parent| !parent.is_empty()));
        Entity {
            kind,
            id: name.id.clone(),
            parents: parents.cloned().collect(),
            ancestors: vec![],
            themes: vec![],
            units: vec![],
            needs_unit: name.needs_unit.clone(),
            composite: name.composite,
            implied_by: vec![],
            patterns: vec![],
        }
    }
}
