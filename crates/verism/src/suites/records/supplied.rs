//! Ids that options supply where records lack them: `--option experiment=NAME`, `run`, `case`, `level`.
//!
//! A value may take what it needs from the record and its place: `{file}` (the file's name without its ending), `{line}`
//! (the line, or the number of the conversation in a document), or a field of the record such as `{model}` or
//! `{metadata.task}`.

use std::borrow::Cow;
use std::path::Path;

use crate::error::Defect;
use crate::input::chat::Conversation;
use crate::input::value::Json;
use crate::suites::{OptionFacts, Options};

/// An id that options can supply.
#[derive(Debug)]
pub struct Id {
    /// What people read about the option; its name is that of the field.
    pub facts: OptionFacts,
    /// Where else a record may have it; `a.b` stands under `a`.
    pub also: &'static [&'static str],
}

/// The experiment of records that name none.
pub const EXPERIMENT: Id = Id {
    facts: facts("experiment", "experiment of records that name none: a text, `{file}`, or a field `{model}`"),
    also: &[],
};
/// The repetition of records that name none.
pub const RUN: Id = Id { facts: facts("run", "run of records that name none, written as for `experiment`"), also: &[] };
/// The case of records that name none.
pub const CASE: Id = Id {
    facts: facts("case", "case of records that name none, written as for `experiment`; also `{line}`"),
    also: &[],
};

const fn facts(name: &'static str, says: &'static str) -> OptionFacts {
    OptionFacts { name, default: "from the record", says }
}

/// Where a record stands.
#[derive(Clone, Copy, Debug)]
pub struct RecordLine<'a> {
    /// The file's name.
    pub file: &'a str,
    /// The line, or the number of the conversation in a document; counted from 1.
    pub line: u64,
}

/// The ids that the options of a job supply.
#[derive(Clone, Debug, Default)]
pub struct Supplied {
    given: Vec<(&'static Id, String)>,
}

impl Supplied {
    /// Takes the options that supply ids out of those of a suite; later ones win.
    pub(super) fn take(options: &mut Options, ids: &'static [Id]) -> Supplied {
        let mut given: Vec<(&'static Id, String)> = vec![];
        for id in ids {
            let named = options.take(&[id.facts.name]);
            let last = named.iter().last().map(|(_, value)| value.text());
            given.extend(last.map(|text| (id, text)));
        }
        Supplied { given }
    }

    /// What was given for an id, as it was written.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.given.iter().find(|(id, _)| id.facts.name == name).map(|(_, text)| text.as_str())
    }

    /// Whether nothing was given.
    pub fn is_empty(&self) -> bool {
        self.given.is_empty()
    }

    /// Gives a record the ids that it lacks.
    pub fn fill(&self, record: &mut Json<'_>, at: RecordLine<'_>) -> Result<(), Defect> {
        for (id, text) in &self.given {
            let name = id.facts.name;
            let named = |path: &str| lookup(record, path).is_some_and(|value| value.text() != Some(""));
            if named(name) || id.also.iter().any(|path| named(path)) {
                continue;
            }
            let value = resolve(text, name, at, &|path| lookup(record, path).and_then(as_text))?;
            if let Json::Object(entries) = record {
                entries.retain(|(key, _)| key != name);
                entries.push((name.into(), value));
            }
        }
        Ok(())
    }

    /// Names a conversation: by the log itself, by what was given, or as its format usually means it.
    pub(super) fn name(&self, conversation: &mut Conversation<'_>, at: RecordLine<'_>) -> Result<(), Defect> {
        for (id, text) in &self.given {
            let name = id.facts.name;
            let known = match name {
                "experiment" => conversation.ids.experiment.is_some(),
                "run" => conversation.ids.run.is_some(),
                "case" => conversation.ids.case.is_some(),
                other => conversation.field(other).is_some(),
            };
            if known {
                continue;
            }
            let field = |path: &str| match path.split_once('.') {
                None => conversation.field(path).and_then(as_text),
                Some((first, rest)) => conversation
                    .field(first)
                    .and_then(|value| lookup(value, rest))
                    .or_else(|| conversation.field(path.strip_prefix("metadata.")?))
                    .and_then(as_text),
            };
            let value = resolve(text, name, at, &field)?;
            let told = as_text(&value).map(|text| Cow::Owned(text.into_owned()));
            match name {
                "experiment" => conversation.ids.experiment = told,
                "run" => conversation.ids.run = told,
                "case" => conversation.ids.case = told,
                other => conversation.fields.push((other.into(), value)),
            }
        }
        let (ids, usual) = (&mut conversation.ids, std::mem::take(&mut conversation.usual));
        ids.experiment = ids.experiment.take().or(usual.experiment);
        ids.run = ids.run.take().or(usual.run);
        ids.case = ids.case.take().or(usual.case);
        missing(ids.experiment.is_none(), ids.case.is_none()).map_or(Ok(()), Err)
    }
}

/// The defect of a conversation that nothing names.
fn missing(experiment: bool, case: bool) -> Option<Defect> {
    let (field, what, supply) = match (experiment, case) {
        (false, false) => return None,
        (true, false) => ("experiment", "experiment is missing", "--option experiment=NAME (or experiment={file})"),
        (false, true) => ("case", "case is missing", "--option case={line} (or case=NAME)"),
        (true, true) => {
            ("experiment", "experiment and case are missing", "--option experiment=NAME --option case={line}")
        }
    };
    Some(Defect::new("bad_record", "text or a whole number").field(field).hint(format!("{what}: supply with {supply}")))
}

/// Adds to a defect of an id that a record lacks the option that supplies it.
pub(super) fn hinted(ids: &[Id], record: &Json<'_>, defect: Defect) -> Defect {
    let lacks = |name: &str| {
        let id = ids.iter().find(|id| id.facts.name == name);
        id.is_some_and(|id| record.get(name).is_none() && id.also.iter().all(|path| lookup(record, path).is_none()))
    };
    let field = defect.field.as_deref().unwrap_or_default();
    if defect.hint.is_some() || !lacks(field) {
        return defect;
    }
    let said = match missing(field == "experiment", field == "case" || lacks("case")) {
        Some(Defect { hint: Some(said), .. }) if ["experiment", "case"].contains(&field) => said,
        _ => format!("{field} is missing: supply with --option {field}=NAME"),
    };
    defect.hint(said)
}

/// Adds to a defect of an unknown option the one that is nearest among those that supply ids.
pub(super) fn meant(ids: &[Id], defect: Defect) -> Defect {
    let name = defect.field.clone().unwrap_or_default();
    if defect.code != "bad_option" || defect.hint.is_some() || defect.value.is_some() {
        return defect;
    }
    let near = Defect::default().value(name).did_you_mean(ids.iter().map(|id| id.facts.name)).hint;
    Defect { hint: near, ..defect }
}

/// The value under `a.b`; none if there is none or it is null.
fn lookup<'v, 'a>(value: &'v Json<'a>, path: &str) -> Option<&'v Json<'a>> {
    path.split('.').try_fold(value, |value, key| value.get(key))
}

fn as_text<'v>(value: &'v Json<'_>) -> Option<Cow<'v, str>> {
    match value {
        Json::Text(text) if !text.is_empty() => Some(Cow::Borrowed(text)),
        Json::Int(x) => Some(Cow::Owned(x.to_string())),
        _ => None,
    }
}

/// What an option supplies to a file that is read as a whole; only what the file itself tells can be filled in.
pub(crate) fn for_file(text: &str, file: &str) -> String {
    let resolved = resolve(text, "", RecordLine { file, line: 1 }, &|_| None).ok();
    resolved.as_ref().and_then(Json::text).unwrap_or(text).to_string()
}

/// Fills in what stands in braces. Whole numbers of a level stay numbers.
fn resolve<'v>(
    text: &str,
    name: &str,
    at: RecordLine<'_>,
    field: &dyn Fn(&str) -> Option<Cow<'v, str>>,
) -> Result<Json<'static>, Defect> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((path, after)) = after.split_once('}') else { break };
        out.push_str(before);
        match path {
            "file" => out.push_str(&Path::new(at.file).file_stem().map_or("-".into(), |stem| stem.to_string_lossy())),
            "line" => out.push_str(&at.line.to_string()),
            path => out.push_str(&field(path).ok_or_else(|| {
                let hint = format!(
                    "the record has no such field; --option {name}= takes a text, {{file}}, {{line}} or a field"
                );
                Defect::new("bad_record", format!("the field {path} of --option {name}={text}")).field(path).hint(hint)
            })?),
        }
        rest = after;
    }
    out.push_str(rest);
    match out.parse() {
        Ok(level) if name == "level" => Ok(Json::Int(level)),
        _ => Ok(Json::Text(out.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static IDS: &[Id] = &[
        Id { also: &["metadata.experiment"], ..EXPERIMENT },
        RUN,
        CASE,
        Id { facts: facts("level", "level"), also: &[] },
    ];

    fn supplied(pairs: &[&str]) -> Supplied {
        let mut options = Options::default();
        pairs.iter().for_each(|pair| options.add(pair).expect("a pair"));
        let supplied = Supplied::take(&mut options, IDS);
        assert_eq!(options.iter().map(|(name, _)| name).collect::<Vec<_>>(), Vec::<&str>::new());
        supplied
    }

    fn filled(pairs: &[&str], record: &str) -> Result<String, Defect> {
        let mut record = Json::parse(record).expect("JSON");
        supplied(pairs).fill(&mut record, RecordLine { file: "gpt-4.jsonl", line: 7 })?;
        Ok(crate::score::json::text(&record))
    }

    #[test]
    fn a_record_keeps_what_it_has_and_is_given_what_it_lacks() {
        let given = ["experiment=e", "run=2", "case={file}-{line}", "level=3", "run=4"];
        let record = r#"{"case":"c","run":null,"level":""}"#;
        assert_eq!(filled(&given, record).expect("filled"), r#"{"case":"c","experiment":"e","run":"4","level":3}"#);
        let record = r#"{"metadata":{"experiment":"m"}}"#;
        let expected = r#"{"metadata":{"experiment":"m"},"run":"4","case":"gpt-4-7","level":3}"#;
        assert_eq!(filled(&given, record).expect("filled"), expected);
        assert_eq!(
            filled(&["case={a.b}/{n}"], r#"{"a":{"b":"x"},"n":3}"#).expect("filled"),
            r#"{"a":{"b":"x"},"n":3,"case":"x/3"}"#
        );
    }

    #[test]
    fn a_field_that_is_not_there_is_named() {
        let defect = filled(&["case={task}"], r#"{"run":1}"#).expect_err("no task");
        assert_eq!((defect.field.as_deref(), defect.hint.is_some()), (Some("task"), true));
    }

    #[test]
    fn a_conversation_is_named_by_itself_by_options_or_as_usual() {
        let named = |pairs: &[&str], text: &str| {
            let json = Json::parse(text).expect("JSON");
            let mut one = crate::input::chat::Format::Chat.conversations(json).remove(0).expect("a conversation");
            supplied(pairs).name(&mut one, RecordLine { file: "a.json", line: 2 })?;
            Ok([one.ids.experiment, one.ids.run, one.ids.case].map(|id| id.map(Cow::into_owned).unwrap_or_default()))
        };
        let text = r#"{"messages":[],"model":"m","id":"i","metadata":{"task":"t","case":"c"}}"#;
        assert_eq!(named(&[], text), Ok(["m", "", "c"].map(String::from)));
        assert_eq!(
            named(&["experiment={metadata.task}", "case=x", "run={line}"], text),
            Ok(["t", "2", "c"].map(String::from))
        );
        let bare = r#"{"messages":[]}"#;
        let both: Defect = named(&[], bare).expect_err("nothing names it");
        assert!(both.hint.is_some_and(|hint| hint.contains("experiment and case are missing")));
        let case = named(&["experiment=e"], bare).expect_err("no case");
        assert_eq!((case.field.as_deref(), case.code.as_ref()), (Some("case"), "bad_record"));
    }

    #[test]
    fn a_missing_id_is_told_with_its_option() {
        let hint = |record: &str, field: &str| {
            hinted(IDS, &Json::parse(record).expect("JSON"), Defect::new("bad_record", "text").field(field)).hint
        };
        let case = "case is missing: supply with --option case={line} (or case=NAME)";
        assert_eq!(hint(r#"{"experiment":"e"}"#, "case").as_deref(), Some(case));
        assert!(hint("{}", "experiment").is_some_and(|said| said.starts_with("experiment and case are missing")));
        assert_eq!(hint("{}", "level").as_deref(), Some("level is missing: supply with --option level=NAME"));
        assert_eq!(hint(r#"{"case":1.5}"#, "case"), None);
        assert_eq!(hint("{}", "answer"), None);
    }

    #[test]
    fn a_mistyped_option_is_told_what_was_meant() {
        let defect = meant(IDS, Defect::new("bad_option", "a|b").field("experimnt"));
        assert_eq!(defect.hint.as_deref(), Some("did you mean experiment?"));
        assert_eq!(meant(IDS, Defect::new("bad_option", "a|b").field("weights").value("x")).hint, None);
    }
}
