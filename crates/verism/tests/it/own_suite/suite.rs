//! A suite of one metric, as somebody's own crate would write it: how brief is a text?

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::json;
use verism::input::value::Json;
use verism::input::{Input, Watch};
use verism::score::json::text as to_json;
use verism::score::ledger::{Account, Ledger};
use verism::score::output::Output;
use verism::score::signature::signature;
use verism::score::{Measure, Row, Undefined};
use verism::suites::records::{
    Dropped, Finished, Gather, Key, NoFiles, Opening, RecordSuite, Source, SourceLine, base_name, json_lines,
};
use verism::suites::setting::{self, Setting};
use verism::suites::{Better, Metric, SuiteFacts};
use verism::{Defect, Error, Result};

/// The suite.
pub struct Brevity;

/// The options in force.
pub struct Limits {
    words: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { words: 10 }
    }
}

static SETTINGS: &[Setting<Limits>] = &[Setting::new(
    "words",
    "10",
    "words from which on a text is too long",
    |limits, value| value.to(&mut limits.words),
    |limits| json!(limits.words),
)];

/// How brief a text is.
///
/// ```math
/// brevity = min(1, limit / words)
/// ```
/// Without a word: undefined, `empty_text`.
fn brevity(words: u64, limit: u64) -> Measure {
    match words {
        0 => Err(Undefined::new("empty_text")),
        words => Ok((limit as f64 / words as f64).min(1.0)),
    }
}

static FACTS: SuiteFacts = SuiteFacts {
    id: "brevity",
    title: "How brief is a text?",
    reads: "JSON lines with experiment, id and text",
    spec_version: "1",
    metrics: &[Metric {
        id: "brevity",
        title: "Brevity",
        says: "how brief the text is",
        range: (Some(0.0), Some(1.0)),
        better: Better::Higher,
        level: "item",
        headline: true,
        formula: "min(1, limit / words)",
        empty: "undefined: empty_text",
        source: "an example",
    }],
    options: || setting::facts(SETTINGS),
    files: &[],
    columns: &[],
    demo: ("", "a1"),
    rows_match: false,
    optional_fields: false,
    made_of_parts: &[],
    decisions: &[],
    readme: "",
};

/// What a record becomes. It is written down when a job is split into shards.
#[derive(Serialize, Deserialize)]
pub struct Judged {
    experiment: String,
    id: String,
    words: u64,
    value: Measure,
}

/// What the measure rests on.
#[derive(Serialize)]
struct Evidence {
    words: u64,
}

fn text<'a>(record: &'a Json<'_>, key: &str) -> std::result::Result<&'a str, Defect> {
    let found = record.get(key).and_then(Json::text);
    found.ok_or_else(|| Defect::new("bad_record", "a text").field(key))
}

impl RecordSuite for Brevity {
    type Setup = Limits;
    type Entry = Judged;
    type Admission = ();
    type File = NoFiles;

    fn facts(&self) -> &'static SuiteFacts {
        &FACTS
    }

    fn open(&self, opening: &Opening<'_>) -> Result<Limits> {
        Ok(setting::read(SETTINGS, opening.options)?)
    }

    fn signature(&self, limits: &Limits) -> String {
        signature(FACTS.id, FACTS.spec_version, &setting::changed(SETTINGS, limits))
    }

    fn options(&self, limits: &Limits) -> String {
        to_json(&setting::report(SETTINGS, limits))
    }

    fn sources(&self, _: &Limits, inputs: Vec<Input>) -> Vec<Source<NoFiles>> {
        let missing = |path: &Path| Defect::new("no_input", "an existing file or folder").file(base_name(path));
        json_lines(inputs, &[".jsonl"], &missing)
    }

    fn read(&self, limits: &Limits, record: &Json<'_>) -> std::result::Result<Judged, Defect> {
        let words = text(record, "text")?.split_whitespace().count() as u64;
        let (experiment, id) = (text(record, "experiment")?.to_string(), text(record, "id")?.to_string());
        Ok(Judged { experiment, id, words, value: brevity(words, limits.words) })
    }

    fn key(&self, judged: &Judged) -> Option<Key> {
        let (experiment, unit) = (judged.experiment.clone(), judged.id.clone());
        Some(Key { experiment, run: String::new(), case: String::new(), unit })
    }

    fn gather<'a>(&'a self, _: &'a Limits, output: &'a mut Output) -> Result<Box<dyn Gather<Judged> + 'a>> {
        Ok(Box::new(Gathering { output, account: Account::default() }))
    }

    fn write_demo(&self, folder: &Path) -> Result<()> {
        let path = folder.join("texts.jsonl");
        let lines = (1..=20).map(|i| {
            let (a, b) = (format!("{}end", "very ".repeat(i)), format!("{}end", "quite ".repeat(2 * i)));
            format!(
                "{}\n{}\n",
                json!({"experiment": "a", "id": format!("a{i}"), "text": a}),
                json!({"experiment": "b", "id": format!("b{i}"), "text": b})
            )
        });
        std::fs::write(&path, lines.collect::<String>()).map_err(Error::write(path.display().to_string()))
    }
}

/// Writes rows as they come, and counts.
struct Gathering<'a> {
    output: &'a mut Output,
    account: Account,
}

impl Gather<Judged> for Gathering<'_> {
    fn take(&mut self, entries: Vec<(SourceLine, Judged)>) -> Result<()> {
        for (_, judged) in entries {
            self.account.book(&judged.value);
            self.output.score(&Row {
                suite: FACTS.id,
                metric: "brevity",
                experiment: &judged.experiment,
                extra: &[],
                run: None,
                case: None,
                dialogue: None,
                turn: None,
                level: "item",
                unit: &judged.id,
                value: judged.value.clone(),
                n: Some(judged.words),
                band: None,
                evidence: &to_json(&Evidence { words: judged.words }),
            })?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, dropped: &Dropped, _watch: &dyn Watch) -> Result<Finished> {
        self.account.exclude_many("bad_record", dropped.total());
        let mut ledger = Ledger::default();
        let counts = vec![("texts", self.account.total)];
        ledger.add("brevity", "item", self.account);
        Ok(Finished { counts, ledger: ledger.to_json(), ..Finished::default() })
    }
}
