//! Other reports than scores: what the extractor finds, what is recommended, what the catalog holds.

use serde_json::{Map, Value, json};

use super::catalog::build::scalar;
use super::catalog::field::Field;
use super::catalog::read::{as_text, parse, read_bytes};
use super::catalog::recommend::{groups, recommend};
use super::extract::heard::{Heard, Scratch, extract};
use super::measures::turn::ReadMessage;
use super::options::View;
use super::record::read;
use super::setup::Setup;
use super::tables::hits::CharCounter;
use crate::error::{Defect, Error, Result};
use crate::input::value::Json;
use crate::input::{Input, read_stream};
use crate::score::output::Output;
use crate::suites::{Job, Report};

/// The report that a view asks for; none for scores.
pub(super) fn view(setup: &Setup, job: &mut Job<'_>, output: &mut Output) -> Option<Result<Report>> {
    let written = match setup.params.view {
        View::Scores => return None,
        View::Catalog => write_catalog(setup, output),
        View::Extract => write_each(job, "texts", output, |json| extracted(setup, json)),
        View::Recommend => write_each(job, "calls", output, |json| recommended(setup, json)),
    };
    let report = |()| Report {
        signature: setup.params.signature(&setup.files),
        options: setup.params.report(&setup.files).to_string(),
        inputs: vec![],
        counts: Default::default(),
        ledger: "[]".into(),
        warnings: vec![],
        summary: vec!["another view than scores: `--json` prints it".into()],
    };
    Some(written.map(report))
}

/// Counts and rarity of every value, and how many patterns each guard has.
fn write_catalog(setup: &Setup, output: &mut Output) -> Result<()> {
    let catalog = &setup.catalog;
    let mut fields = Map::new();
    for field in &Field::ALL[..7] {
        fields.insert(field.name().into(), json!([]));
    }
    for concept in 0..catalog.concepts.len() as u32 {
        let of = catalog.concepts.get(concept);
        if let Some(Value::Array(list)) = fields.get_mut(of.field.name()) {
            let (df, idf) = (catalog.concepts.items(concept).len(), catalog.concepts.idf(concept));
            list.push(json!({"value": of.label, "display": catalog.display(concept), "df": df, "idf": idf}));
        }
    }
    output.object("items", catalog.items.len().to_string())?;
    output.object("fields", Value::Object(fields).to_string())?;
    output.object("patterns", json!(catalog.patterns.guards()).to_string())?;
    output.object("notes", json!(catalog.notes).to_string())
}

/// Answers each line of the first input.
fn write_each(
    job: &mut Job<'_>,
    name: &str,
    output: &mut Output,
    answer: impl Fn(&Json<'_>) -> std::result::Result<Value, Defect>,
) -> Result<()> {
    let limits = job.watch.limits();
    let (path, bytes) = match std::mem::take(&mut job.inputs).into_iter().next() {
        None => return Err(Defect::new("no_input", "at least one file").field("INPUT").into()),
        Some(Input::Path(path)) => {
            let bytes = read_bytes(&path, job.watch.limits())?;
            (path, bytes)
        }
        Some(Input::Stream(name, stream)) => {
            let wrong = |error: std::io::Error| Defect::new("unreadable", "a stream").value(error.to_string());
            let bytes = read_stream(stream, limits).map_err(wrong)?;
            let bytes = bytes.ok_or_else(|| limits.too_long_a_file().file(&name))?;
            (name.into(), bytes)
        }
    };
    let text = as_text(&bytes, &path)?;
    let mut list = output.list(name)?;
    for (number, line) in text.split('\n').enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let at =
            |defect: Defect| Error::from(defect.file(super::catalog::read::file_name(&path)).line(number as u64 + 1));
        let json = parse(line, &path, limits).map_err(at)?;
        let answer = answer(&json).map_err(at)?;
        list.write(format!("{answer}\n").as_bytes())?;
    }
    list.finish()
}

/// What a text says.
fn extracted(setup: &Setup, json: &Json<'_>) -> std::result::Result<Value, Defect> {
    let refuse = || Defect::new("bad_record", "a text").field("text");
    let raw = json.get("text").and_then(Json::text).ok_or_else(refuse)?;
    let catalog = &setup.catalog;
    let scratch = &mut Scratch::default();
    let Heard { text, hits, titles, off_catalog } = extract(catalog, raw, scratch);
    let said = ReadMessage::hear(raw, catalog, scratch);
    let mut ruler = CharCounter::new(&text);
    let hits: Vec<Value> = hits
        .iter()
        .map(|hit| {
            let surface = &text[hit.start..hit.end];
            let start = ruler.characters(hit.start);
            json!({
                "concept": catalog.concepts.text(hit.concept), "start": start,
                "end": start + surface.chars().count(), "surface": surface, "guard": hit.guard.name(),
            })
        })
        .collect();
    let concepts: Vec<String> = said.concepts.iter().map(|concept| catalog.scored().text(*concept)).collect();
    let keys = |titles: &[super::extract::heard::Title]| {
        let mut out: Vec<String> = vec![];
        for title in titles {
            if !out.contains(&title.key) {
                out.push(title.key.clone());
            }
        }
        out
    };
    Ok(json!({
        "text": raw, "concepts": concepts, "hits": hits, "titles": keys(&titles), "off_catalog": keys(&off_catalog),
    }))
}

/// What is recommended for a call: `constraints`, `must` (fields), `limit`, `exclude` (ids).
fn recommended(setup: &Setup, call: &Json<'_>) -> std::result::Result<Value, Defect> {
    let catalog = &setup.catalog;
    let bad = |expected: &str, field: &str| Defect::new("bad_record", expected).field(field);
    if call.object().is_none() {
        return Err(Defect::new("bad_record", "an object"));
    }
    let wanted = match call.get("constraints") {
        None => &[],
        Some(table) => table.object().ok_or_else(|| bad("an object of fields and values", "constraints"))?,
    };
    let mut constraints = vec![];
    for (name, values) in wanted {
        let Some(field) = Field::named(name) else { continue };
        let values = values.list().unwrap_or(std::slice::from_ref(values));
        let told = values.iter().filter(|value| !matches!(value, Json::Null) && value.text() != Some(""));
        constraints.extend(told.filter_map(read::raw).map(|value| (field, value)));
    }
    let (groups, unknown) = groups(catalog, &constraints);
    let texts = |key: &str| match call.get(key) {
        None => Ok(vec![]),
        Some(value) => {
            let list = value.list().and_then(|list| list.iter().map(scalar).collect::<Option<Vec<String>>>());
            list.ok_or_else(|| bad("a list of texts", key))
        }
    };
    let (needed, excluded) = (texts("must")?, texts("exclude")?);
    let is_needed = |field: &Field| needed.iter().any(|name| name == field.name());
    let must: Vec<usize> = (0..groups.len()).filter(|number| is_needed(&groups[*number].0)).collect();
    let exclude = (0..catalog.items.len()).filter(|item| excluded.iter().any(|id| **id == *catalog.items[*item].id));
    let exclude: Vec<u32> = exclude.map(|item| item as u32).collect();
    let limit = match call.get("limit") {
        None => 10,
        Some(limit) => match limit.whole().and_then(|limit| i64::try_from(limit).ok()) {
            Some(limit) => limit,
            None => return Err(bad("a whole number", "limit")),
        },
    };
    let groups: Vec<Vec<u32>> = groups.into_iter().map(|(_, group)| group).collect();
    let found = match groups.is_empty() && !unknown.is_empty() {
        true => vec![],
        false => recommend(catalog, &groups, &must, limit, &exclude),
    };
    let reason = found.is_empty().then_some("no_match");
    let items: Vec<&str> = found.iter().map(|item| &*catalog.items[*item as usize].id).collect();
    Ok(json!({"items": items, "unknown": unknown, "reason": reason}))
}
