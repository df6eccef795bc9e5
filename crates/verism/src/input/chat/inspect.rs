//! Logs of Inspect AI: one JSON document, or an archive with a head and a document for each sample.
//!
//! A sample is of a case (`id`) and a repetition (`epoch`); the model stands in the head.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read;

use zip::ZipArchive;

use super::messages::of_entries;
use super::{Conversation, Entries, Ids, bad, below, id};
use crate::error::Defect;
use crate::input::Limits;
use crate::input::value::Json;

pub(super) fn is_log(document: &Json<'_>) -> bool {
    document.get("eval").is_some_and(|eval| eval.get("task").is_some() || eval.get("model").is_some())
}

pub(super) fn conversations(document: Json<'_>) -> Vec<Result<Conversation<'_>, Defect>> {
    let model = model_of(&document);
    let Json::Object(entries) = document else {
        return vec![Err(bad("", "a log of Inspect AI (an object)", Some(&document)))];
    };
    let samples = match entries.into_iter().find(|(key, _)| key == "samples") {
        Some((_, Json::List(samples))) => samples,
        other => {
            let hint = "the log may hold its head alone; score the .eval file, or dump the log with its samples";
            return vec![Err(bad("samples", "a list of samples", other.as_ref().map(|(_, v)| v)).hint(hint))];
        }
    };
    let read = |(i, one)| sample(one, model.as_deref()).map_err(|defect| below(&format!("samples[{i}]."), defect));
    samples.into_iter().enumerate().map(read).collect()
}

fn model_of(head: &Json<'_>) -> Option<String> {
    id(head.get("eval").and_then(|eval| eval.get("model"))).map(Cow::into_owned)
}

fn sample<'a>(value: Json<'a>, model: Option<&str>) -> Result<Conversation<'a>, Defect> {
    let Json::Object(entries) = value else { return Err(bad("", "a sample (an object)", Some(&value))) };
    // Transcripts and attachments are large, and nothing in them is said.
    let kept: Entries<'a> = entries
        .into_iter()
        .filter(|(key, _)| !["events", "attachments", "output", "store", "timelines"].contains(&key.as_ref()))
        .collect();
    let mut conversation = of_entries(kept)?;
    let usual = conversation.usual;
    conversation.ids = Ids {
        run: conversation.ids.run.or_else(|| id(field(&conversation.fields, "epoch"))),
        case: conversation.ids.case.or_else(|| usual.case.clone()),
        ..conversation.ids
    };
    conversation.usual = Ids { experiment: model.map(|model| model.to_string().into()), ..Ids::default() };
    let scores = field(&conversation.fields, "scores").and_then(Json::object).unwrap_or_default();
    let scores = scores.iter().filter_map(|(name, score)| Some((name.clone(), score_value(score.get("value")?)?)));
    conversation.scores = scores.collect();
    Ok(conversation)
}

fn field<'e, 'a>(entries: &'e [(Cow<'a, str>, Json<'a>)], name: &str) -> Option<&'e Json<'a>> {
    entries.iter().find(|(key, _)| key == name).map(|(_, value)| value)
}

/// A score as a number: correct is 1, partly 0.5, incorrect or no answer 0.
fn score_value(value: &Json<'_>) -> Option<f64> {
    match value {
        Json::Int(x) => Some(*x as f64),
        Json::Float(x) => Some(*x),
        Json::Bool(x) => Some(f64::from(*x)),
        Json::Text(text) => match text.as_ref() {
            "C" => Some(1.0),
            "P" => Some(0.5),
            "I" | "N" => Some(0.0),
            _ => None,
        },
        _ => None,
    }
}

/// Hands on the samples of an archive in the order of their names' places in it.
pub(super) fn unpack(
    file: File,
    limits: Limits,
    take: &mut dyn FnMut(Result<Conversation<'_>, Defect>),
) -> Result<(), Defect> {
    let wrong = |error: String| Defect::new("bad_record", "a log of Inspect AI (.eval)").field("input").value(error);
    let mut archive = ZipArchive::new(file).map_err(|error| wrong(error.to_string()))?;
    let names: Vec<String> = archive.file_names().flatten().map(Cow::into_owned).collect();
    let mut text = String::new();
    let read = |archive: &mut ZipArchive<File>, name: &str, text: &mut String| -> Result<(), Defect> {
        let at = |defect: Defect| defect.field(name);
        let entry = archive.by_name(name).map_err(|error| at(wrong(error.to_string())))?;
        let mut bytes = vec![];
        // What an archive says about sizes may be wrong.
        let most = limits.record_bytes as u64 + 1;
        entry.take(most).read_to_end(&mut bytes).map_err(|error| at(wrong(error.to_string())))?;
        if bytes.len() as u64 == most {
            return Err(at(limits.too_long()));
        }
        limits.check_values(&bytes).map_err(at)?;
        *text = String::from_utf8(bytes).map_err(|_| at(Defect::new("bad_record", "UTF-8 text")))?;
        Ok(())
    };
    // The last of them is the fullest; `start.json` is all that an interrupted run has.
    let head =
        ["header.json", "_journal/start.json", "start.json"].into_iter().find(|head| names.iter().any(|n| n == head));
    let head = head.ok_or_else(|| wrong("an archive without header.json".into()))?;
    read(&mut archive, head, &mut text)?;
    let model = Json::parse(&text).and_then(|head| model_of(&head));
    for name in names.iter().filter(|name| name.starts_with("samples/") && name.ends_with(".json")) {
        if let Err(defect) = read(&mut archive, name, &mut text) {
            take(Err(defect));
            continue;
        }
        let one = match Json::parse(&text) {
            Some(value) => sample(value, model.as_deref()).map_err(|defect| below(&format!("{name}: "), defect)),
            None => Err(Defect::new("bad_record", "one JSON object").field(name)),
        };
        take(one);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const SAMPLE: &str = r#"{"id":"q1","epoch":2,"input":"Hi","target":"x","metadata":{"persona":"p"},
        "messages":[{"id":"a","role":"user","content":"Hi","source":"input"},{"id":"b","role":"assistant",
        "content":[{"type":"reasoning","reasoning":"hm"},{"type":"text","text":"Hello"}]}],
        "scores":{"match":{"value":"C"},"grade":{"value":0.25},"note":{"value":"see"}},"events":[{}]}"#;

    fn check(conversation: &Conversation<'_>) {
        assert_eq!((conversation.ids.case.as_deref(), conversation.ids.run.as_deref()), (Some("q1"), Some("2")));
        assert_eq!(conversation.usual.experiment.as_deref(), Some("openai/gpt-4o"));
        assert_eq!(conversation.messages[1].text, "Hello");
        assert_eq!(conversation.scores, [("match".into(), 1.0), ("grade".into(), 0.25)]);
        assert_eq!(conversation.field("persona").and_then(Json::text), Some("p"));
        assert!(conversation.field("events").is_none());
    }

    #[test]
    fn a_document_has_a_head_and_samples() {
        let text = format!(
            r#"{{"version":2,"status":"success","eval":{{"task":"t","model":"openai/gpt-4o"}},"samples":[{SAMPLE}]}}"#
        );
        let json = Json::parse(&text).expect("JSON");
        assert!(is_log(&json));
        check(&conversations(json).remove(0).expect("a sample"));
        let head = Json::parse(r#"{"eval":{"task":"t"}}"#).expect("JSON");
        let defect = conversations(head).remove(0).expect_err("no samples");
        assert_eq!(defect.field.as_deref(), Some("samples"));
    }

    /// An archive as Inspect AI writes it.
    fn archive(entries: &[(&str, &str)]) -> File {
        let mut writer = zip::ZipWriter::new(tempfile::tempfile().expect("a file"));
        for (name, text) in entries {
            writer.start_file(*name, zip::write::SimpleFileOptions::default()).expect("an entry");
            writer.write_all(text.as_bytes()).expect("room");
        }
        writer.finish().expect("an archive")
    }

    #[test]
    fn an_archive_says_the_same_and_a_bad_sample_costs_itself_alone() {
        let head = r#"{"eval":{"task":"t","model":"openai/gpt-4o"}}"#;
        let file = archive(&[
            ("_journal/start.json", "{}"),
            ("samples/q1_epoch_2.json", SAMPLE),
            ("samples/q2_epoch_1.json", "{"),
            ("summaries.json", "[]"),
            ("header.json", head),
        ]);
        let mut seen = vec![];
        unpack(file, Limits::default(), &mut |one| {
            seen.push(one.map(|conversation| check(&conversation)).map_err(|defect| defect.field));
        })
        .expect("an archive");
        assert_eq!(seen, [Ok(()), Err(Some("samples/q2_epoch_1.json".into()))]);
    }

    #[test]
    fn a_sample_larger_than_a_record_may_be_is_not_kept() {
        let file = archive(&[("header.json", "{}"), ("samples/a_epoch_1.json", &" ".repeat(2000))]);
        let mut codes = vec![];
        let limits = Limits { record_bytes: 1000, ..Limits::default() };
        unpack(file, limits, &mut |one| codes.push(one.expect_err("too large").code.to_string())).expect("an archive");
        assert_eq!(codes, ["too_large"]);
    }

    #[test]
    fn a_sample_with_more_values_than_a_record_may_have_is_not_parsed() {
        let file = archive(&[("header.json", "{}"), ("samples/a_epoch_1.json", &format!("[{}0]", "0,".repeat(50)))]);
        let mut codes = vec![];
        let limits = Limits { fields: 40, ..Limits::default() };
        unpack(file, limits, &mut |one| codes.push(one.expect_err("too large").code.to_string())).expect("an archive");
        assert_eq!(codes, ["too_large"]);
    }

    #[test]
    fn what_is_no_archive_or_has_no_head_is_refused() {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(b"PK\x03\x04 not really").expect("room");
        assert!(unpack(file, Limits::default(), &mut |_| {}).is_err());
        assert!(unpack(archive(&[("samples/a.json", "{}")]), Limits::default(), &mut |_| {}).is_err());
    }
}
