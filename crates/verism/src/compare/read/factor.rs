//! Names for the parts of experiments' names: the columns that a suite's rows have for them.

use crate::input::csv::{After, Found, Scanner};

/// How many records are looked at.
const LOOK: usize = 1000;

/// The named parts of an experiment's name, by number from 1.
pub(super) type Parts = Vec<(String, usize)>;

/// Gives the columns that hold a part of the experiment's name, with the part's number: those that no record contradicts.
pub(super) fn named_parts(text: &str, json_lines: bool) -> Parts {
    let records = if json_lines { of_lines(text) } else { of_csv(text) };
    let mut found: Option<Parts> = None;
    for record in records {
        let experiment = record.iter().find(|(key, _)| key == "experiment").map_or("", |(_, value)| value);
        let parts: Vec<&str> = experiment.split('/').collect();
        if parts.len() < 2 {
            continue;
        }
        let holds = |key: &str, k: usize| record.iter().any(|(other, value)| other == key && value == parts[k - 1]);
        found = Some(match found {
            Some(found) => found.into_iter().filter(|(key, k)| *k <= parts.len() && holds(key, *k)).collect(),
            None => {
                let others = record.iter().filter(|(key, _)| !["experiment", "unit"].contains(&key.as_str()));
                let places = others.flat_map(|(key, _)| (1..=parts.len()).map(move |k| (key.clone(), k)));
                places.filter(|(key, k)| holds(key, *k)).collect()
            }
        });
    }
    found.unwrap_or_default()
}

type Record = Vec<(String, String)>;

fn of_lines(text: &str) -> Vec<Record> {
    let records = text.lines().take(LOOK).filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let texts = |record: serde_json::Value| {
        let fields = record.as_object()?.iter();
        Some(fields.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_string()))).collect())
    };
    records.filter_map(texts).collect()
}

fn of_csv(text: &str) -> Vec<Record> {
    let mut scanner = Scanner::new(text, After::End);
    let mut spans = Vec::new();
    let mut next = || match scanner.next(&mut spans) {
        Found::Record(_) => Some(spans.iter().map(|span| span.text(text).into_owned()).collect::<Vec<String>>()),
        Found::Nothing | Found::Unfinished(..) => None,
    };
    let header: Vec<String> = next().unwrap_or_default().iter().map(|name| name.trim().to_lowercase()).collect();
    let records = std::iter::from_fn(next).take(LOOK);
    records.map(|cells| header.iter().cloned().zip(cells).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    // In the first record the run is called like the model; the second tells them apart.
    #[test]
    fn columns_name_the_parts() {
        let csv = "experiment,model,group,run\nm/A,m,A,m\nm/B,m,B,1\nm,,,\n";
        let lines = "{\"experiment\":\"m/A\",\"model\":\"m\",\"group\":\"A\",\"n\":3}\n{\"experiment\":\"m\"}\n";
        for (text, json_lines) in [(csv, false), (lines, true)] {
            let mut parts = named_parts(text, json_lines);
            parts.sort();
            assert_eq!(parts, [("group".to_string(), 2), ("model".to_string(), 1)]);
        }
        assert!(named_parts("experiment,model\nm,m\n", false).is_empty());
    }
}
