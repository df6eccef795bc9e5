//! Cues of a lexicon in lines of text: words, phrases and prefixes, in any case of letters.

use aho_corasick::{AhoCorasick, MatchKind};
use verism::text::lexicon::{CueSet, Negation, NegationLists};
use verism::text::words::Words;

/// Cues found in all lines; nothing negates them.
pub(crate) fn count(with: &str, pack: Vec<u8>, log: Vec<u8>) -> Result<String, String> {
    let (pack, log) = (crate::text(pack)?, crate::text(log)?);
    let pack: toml::Table = pack.parse().map_err(|error: toml::de::Error| error.to_string())?;
    let mut cues = vec![];
    collect(&toml::Value::Table(pack), &mut cues);
    cues.sort();
    cues.dedup();
    let found = match with {
        "aho-corasick" => with_aho_corasick(&cues, &log, |_| ())?,
        "aho-corasick-words" => {
            let mut words = Words::default();
            with_aho_corasick(&cues, &log, |line| words.read(line))?
        }
        "verism" => with_verism(&cues, &log),
        other => return Err(format!("{other}: no such search")),
    };
    Ok(format!("{} cues, {found} found", cues.len()))
}

/// Every list named `cues`.
fn collect(value: &toml::Value, cues: &mut Vec<String>) {
    match value {
        toml::Value::Table(entries) => {
            for (key, value) in entries {
                match value {
                    toml::Value::Array(items) if key == "cues" => {
                        cues.extend(items.iter().filter_map(|item| item.as_str().map(str::to_lowercase)));
                    }
                    other => collect(other, cues),
                }
            }
        }
        toml::Value::Array(items) => items.iter().for_each(|item| collect(item, cues)),
        _ => {}
    }
}

fn with_verism(cues: &[String], log: &str) -> u64 {
    let mut set = CueSet::default();
    for cue in cues {
        set.add(0, cue);
    }
    let negation = Negation::new(&NegationLists::default());
    let (mut words, mut worth, mut hits) = (Words::default(), vec![], vec![]);
    let mut found = 0;
    for line in log.lines() {
        words.read(line);
        set.sieve().sift(&words, &mut worth);
        set.find(&words, &worth, &negation, &mut hits);
        found += hits.len() as u64;
    }
    found
}

/// The automaton finds the texts; whether they are whole words is looked at behind it. `read` gets the lines with a cue: to
/// tell whether it is negated one must know the words and clauses around it.
fn with_aho_corasick(cues: &[String], log: &str, mut read: impl FnMut(&str)) -> Result<u64, String> {
    let texts = cues.iter().map(|cue| cue.trim_end_matches('*'));
    let automaton = AhoCorasick::builder()
        .match_kind(MatchKind::Standard)
        .ascii_case_insensitive(true)
        .build(texts)
        .map_err(|error| error.to_string())?;
    let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut found = 0;
    for line in log.lines() {
        let before = found;
        for hit in automaton.find_overlapping_iter(line) {
            let prefix = cues[hit.pattern().as_usize()].ends_with('*');
            let starts = !word(line[..hit.start()].chars().next_back());
            let ends = prefix || !word(line[hit.end()..].chars().next());
            found += u64::from(starts && ends);
        }
        if found > before {
            read(line);
        }
    }
    Ok(found)
}
