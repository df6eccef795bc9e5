//! Words that the extractor knows: ordinary words, cues, stop values, aliases, Korean particles.

use std::path::Path;
use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::words::{key_of, lower, tidy};
use crate::error::Defect;
use crate::input::Limits;
use crate::input::value::Json;
use crate::suites::recommender::catalog::field::Field;

/// The built-in lexicon; see the suite's README for what each table is for.
const BUILTIN: &str = include_str!("../lexicon.json");

static TABLES: LazyLock<Json<'static>> = LazyLock::new(|| Json::parse(BUILTIN).expect("our own lexicon is JSON"));

static FOLDS: LazyLock<FxHashMap<char, String>> = LazyLock::new(|| {
    let table = TABLES.get("fold").and_then(Json::object).unwrap_or_default();
    table.iter().filter_map(|(from, to)| Some((from.chars().next()?, to.text()?.to_string()))).collect()
});

/// What letters without an accent to remove become: `ß` is `ss`.
pub(crate) fn folds() -> &'static FxHashMap<char, String> {
    &FOLDS
}

/// A set of word keys.
type Keys = FxHashSet<String>;

/// The tables as the extractor uses them.
#[derive(Debug)]
pub struct Lexicon {
    /// Small words that titles leave in lower case.
    pub(crate) small: Keys,
    common: Keys,
    /// Ordinary words that are genres all the same.
    pub(crate) genre_words: Keys,
    /// Words that make the word before them a genre.
    cues_after: Keys,
    /// Those of them in Korean, which may carry a tail.
    hangul_cues: Vec<String>,
    /// Words that make the word after them a genre.
    pub(crate) cues_before: Keys,
    tails: Keys,
    longest_tail: usize,
    stop: [StopValues; 8],
    /// Of genre and language: name key and the label it means, in the order of the file.
    aliases: [Vec<(String, String)>; 2],
    /// The same as written: alias and target.
    written: [Vec<(String, String)>; 2],
    pub(crate) plot_stopwords: Keys,
}

/// Values that never fire.
#[derive(Debug, Default)]
struct StopValues {
    keys: Keys,
    last_words: Keys,
}

impl Lexicon {
    /// The built-in lexicon.
    pub fn builtin() -> Lexicon {
        Lexicon::of(&TABLES)
    }

    /// The built-in lexicon with a user's tables: lists are appended, tables merged key by key.
    pub fn with(text: &str, path: &Path, limits: Limits) -> Result<Lexicon, Defect> {
        let file = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        let bad = |field: Option<&str>, expected: &str| {
            let defect = Defect::new("bad_record", expected).file(file.clone());
            field.map_or(defect.clone(), |field| defect.field(field))
        };
        limits.check_values(text.as_bytes()).map_err(|defect| defect.file(&file))?;
        let more = Json::parse(text).ok_or_else(|| bad(None, "JSON").line(1))?;
        let more = more.object().ok_or_else(|| bad(None, "an object of tables of the lexicon"))?;
        let mut tables = TABLES.clone();
        let Json::Object(entries) = &mut tables else { return Err(bad(None, "an object")) };
        for (key, value) in more {
            let known = entries.iter_mut().find(|(name, _)| name == key && !matches!(key.as_ref(), "version" | "fold"));
            let merged = known.and_then(|(_, table)| merge(table, value));
            merged.ok_or_else(|| bad(Some(key), "a table of the lexicon"))?;
        }
        // Every particle may follow every suffix.
        let size = |key: &str| tables.get(key).and_then(Json::list).map_or(0, <[Json<'_>]>::len);
        let pairs = size("ko_particles").saturating_mul(size("ko_suffixes"));
        limits.check_fields(pairs).map_err(|defect| defect.file(&file).field("ko_suffixes"))?;
        Ok(Lexicon::of(&tables))
    }

    fn of(tables: &Json<'_>) -> Lexicon {
        let list = |key: &str| texts(tables.get(key));
        let set = |key: &str| list(key).into_iter().collect::<Keys>();
        let (particles, suffixes) = (list("ko_particles"), list("ko_suffixes"));
        let mut tails: Keys = particles.iter().chain(&suffixes).cloned().collect();
        tails.extend(suffixes.iter().flat_map(|suffix| particles.iter().map(move |p| format!("{suffix}{p}"))));
        let cues = list("genre_cues_after");
        let is_korean = |cue: &&String| cue.chars().next().is_some_and(super::chars::is_hangul);
        let stop = Field::ALL.map(|field| {
            let mut stop = StopValues::default();
            for value in texts(tables.get("stop_values").and_then(|table| table.get(field.name()))) {
                match value.strip_prefix("* ") {
                    Some(last) => stop.last_words.insert(key_of(last)),
                    None => stop.keys.insert(key_of(&value)),
                };
            }
            stop
        });
        let written = [Field::Genre, Field::Language].map(|field| {
            let table = tables.get("aliases").and_then(|table| table.get(field.name()));
            let entries = table.and_then(Json::object).unwrap_or_default();
            entries.iter().filter_map(|(alias, to)| Some((alias.to_string(), to.text()?.to_string()))).collect()
        });
        let aliases = [0, 1].map(|i: usize| {
            let mut out: Vec<(String, String)> = vec![];
            let mut places: FxHashMap<String, usize> = FxHashMap::default();
            let written: &Vec<(String, String)> = &written[i];
            for (alias, target) in written {
                let (key, label) = (key_of(alias), lower(&tidy(target)));
                match places.get(&key) {
                    Some(&place) => out[place].1 = label,
                    None => {
                        places.insert(key.clone(), out.len());
                        out.push((key, label));
                    }
                }
            }
            out
        });
        Lexicon {
            small: set("small_words"),
            common: list("common_en").into_iter().chain(list("common_ko")).collect(),
            genre_words: set("genre_words"),
            hangul_cues: cues.iter().filter(is_korean).cloned().collect(),
            cues_after: cues.into_iter().collect(),
            cues_before: set("genre_cues_before"),
            longest_tail: tails.iter().map(|tail| tail.len()).max().unwrap_or(0),
            tails,
            stop,
            aliases,
            written,
            plot_stopwords: set("plot_stopwords"),
        }
    }

    /// Whether a word is ordinary, or the plural in -s of an ordinary one.
    pub(crate) fn is_ordinary(&self, word: &str) -> bool {
        self.common.contains(word) || word.strip_suffix('s').is_some_and(|stem| self.common.contains(stem))
    }

    /// Whether a word is in the list of ordinary words as it stands.
    pub(crate) fn is_listed(&self, word: &str) -> bool {
        self.common.contains(word)
    }

    /// Whether a word may follow a genre that is an ordinary word: `war movies`.
    pub(crate) fn is_cue_after(&self, key: &str) -> bool {
        let with_tail = |cue: &String| key.strip_prefix(cue.as_str()).is_some_and(|tail| self.tails.contains(tail));
        self.cues_after.contains(key) || self.hangul_cues.iter().any(with_tail)
    }

    /// Visits what is left of a Korean word without each tail that it may carry, shortest first.
    pub(crate) fn stems<'k>(&self, key: &'k str, mut visit: impl FnMut(&'k str)) {
        for (at, _) in key.char_indices().skip(1) {
            if key.len() - at <= self.longest_tail && self.tails.contains(&key[at..]) {
                visit(&key[..at]);
            }
        }
    }

    /// Whether a value of a field never fires.
    pub(crate) fn is_stopped(&self, field: Field, key: &str, last_word: &str) -> bool {
        let stop = &self.stop[field as usize];
        stop.keys.contains(key) || stop.last_words.contains(last_word)
    }

    /// The aliases of a field: key and label, in the order of the file.
    pub(crate) fn aliases(&self, field: Field) -> &[(String, String)] {
        alias_table(&self.aliases, field)
    }

    /// The aliases of a field as they are written.
    pub fn written_aliases(&self, field: Field) -> &[(String, String)] {
        alias_table(&self.written, field)
    }
}

fn alias_table(tables: &[Vec<(String, String)>; 2], field: Field) -> &[(String, String)] {
    match field {
        Field::Genre => &tables[0],
        Field::Language => &tables[1],
        _ => &[],
    }
}

fn texts(list: Option<&Json<'_>>) -> Vec<String> {
    list.and_then(Json::list).unwrap_or_default().iter().filter_map(|x| x.text().map(String::from)).collect()
}

/// Puts a user's table into ours; none if it has another shape.
fn merge(table: &mut Json<'static>, more: &Json<'_>) -> Option<()> {
    match (table, more) {
        (Json::List(list), Json::List(more)) => {
            for item in more {
                item.text()?;
                list.push(item.clone().into_owned());
            }
        }
        (Json::Object(entries), Json::Object(more)) => {
            for (key, value) in more {
                match entries.iter_mut().find(|(name, _)| name == key) {
                    Some((_, Json::Text(known))) => *known = value.text()?.to_string().into(),
                    Some((_, known)) => merge(known, value)?,
                    None => {
                        let alike = entries.first().is_none_or(|(_, first)| are_alike(first, value));
                        alike.then(|| entries.push((key.to_string().into(), value.clone().into_owned())))?;
                    }
                }
            }
        }
        _ => return None,
    }
    Some(())
}

/// Whether a new entry of a table has the shape of another one: a text, a list of texts, or a table of texts.
fn are_alike(known: &Json<'_>, new: &Json<'_>) -> bool {
    let is_text = |value: &Json<'_>| value.text().is_some();
    match known {
        Json::List(_) => new.list().is_some_and(|list| list.iter().all(is_text)),
        Json::Object(_) => new.object().is_some_and(|entries| entries.iter().all(|(_, value)| is_text(value))),
        _ => is_text(new),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_words_and_their_plurals() {
        let lexicon = Lexicon::builtin();
        assert!(lexicon.is_ordinary("war") && lexicon.is_ordinary("wars") && !lexicon.is_ordinary("skarnhall"));
    }

    #[test]
    fn a_korean_word_is_looked_up_without_its_tails() {
        // Particle alone, suffix alone, suffix and particle: section 4.2.
        let lexicon = Lexicon::builtin();
        let mut stems = vec![];
        lexicon.stems("전쟁영화를", |stem| stems.push(stem));
        assert_eq!(stems, ["전쟁", "전쟁영화"]);
        assert!(lexicon.is_cue_after("영화를") && lexicon.is_cue_after("movies") && !lexicon.is_cue_after("영화관"));
    }

    #[test]
    fn a_user_adds_words_and_aliases() {
        let more = r#"{"stop_values": {"genre": ["* saga"]}, "aliases": {"genre": {"Kino": "drama"}}}"#;
        let lexicon = Lexicon::with(more, Path::new("x/more.json"), Limits::default()).expect("a lexicon");
        assert!(
            lexicon.is_stopped(Field::Genre, "family saga", "saga") && lexicon.is_stopped(Field::Genre, "ex", "ex")
        );
        assert!(lexicon.aliases(Field::Genre).contains(&("kino".to_string(), "drama".to_string())));
        for bad in [
            r#"{"fold": {}}"#,
            r#"{"moods": []}"#,
            r#"{"small_words": {}}"#,
            "[]",
            r#"{"aliases": {"genre": {"kino": 3}}}"#,
            r#"{"aliases": {"actor": "kino"}}"#,
            r#"{"stop_values": {"plot_kw": "night"}}"#,
        ] {
            let defect = Lexicon::with(bad, Path::new("x/more.json"), Limits::default()).expect_err(bad);
            assert_eq!((defect.code.as_ref(), defect.file.as_deref()), ("bad_record", Some("more.json")));
        }
    }
}
