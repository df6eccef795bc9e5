//! A catalog from a file: a JSON object or list, JSON lines, CSV or Parquet. The order of the file is kept.

use std::fs::File;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::build::{Builder, CatalogPath};
use super::items::{Catalog, Rules};
use crate::error::Defect;
use crate::input::value::Json;
use crate::input::{Limits, hexadecimal, read_whole};
use crate::suites::recommender::extract::lexicon::Lexicon;
use crate::suites::recommender::options::{FileFacts, Params};
use crate::suites::recommender::record::rows;

/// The built-in catalog: 300 invented movies.
pub(crate) const BUILTIN: &str = include_str!("../catalog.json");

/// The name of a file without its folders.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// What is known of a file from its bytes.
pub(crate) fn facts_of(path: &Path, bytes: &[u8]) -> FileFacts {
    FileFacts { name: file_name(path), sha256: hexadecimal(&Sha256::digest(bytes)) }
}

/// The bytes of a file that an option names.
pub(crate) fn read_bytes(path: &Path, limits: Limits) -> Result<Vec<u8>, Defect> {
    let unreadable = |error: std::io::Error| {
        Defect::new("no_file", "a readable file").file(file_name(path)).value(error.to_string())
    };
    read_whole(path, limits, unreadable)
}

/// Bytes as text without a byte order mark.
pub(crate) fn as_text<'b>(bytes: &'b [u8], path: &Path) -> Result<&'b str, Defect> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let line = memchr::memchr_iter(b'\n', &bytes[..error.valid_up_to()]).count() as u64 + 1;
        Defect::new("bad_record", "UTF-8").file(file_name(path)).line(line).value("other bytes")
    })
}

/// Strict JSON, or where it stops being JSON.
pub(crate) fn parse<'t>(text: &'t str, path: &Path, limits: Limits) -> Result<Json<'t>, Defect> {
    limits.check_values(text.as_bytes()).map_err(|defect| defect.file(file_name(path)))?;
    Json::parse(text).ok_or_else(|| {
        // Our reader does not say where it stopped; a second look, which only a defect needs, does.
        let stopped = serde_json::from_str::<serde::de::IgnoredAny>(text).err();
        let line = stopped.map_or(1, |error| error.line().max(1) as u64);
        Defect::new("bad_record", "JSON").file(file_name(path)).line(line).value("text that does not parse")
    })
}

impl Catalog {
    /// The built-in catalog.
    pub(crate) fn builtin(params: &Params, lexicon: Lexicon) -> Result<(Catalog, FileFacts), Defect> {
        let facts = FileFacts { name: "builtin".into(), sha256: hexadecimal(&Sha256::digest(BUILTIN)) };
        let made =
            from_json(BUILTIN, Path::new("builtin"), Limits::default(), Builder::new(Rules::of(params), lexicon))?;
        Ok((made.finish()?, facts))
    }

    /// The catalog of a file; its ending tells how it is written.
    pub(crate) fn open(
        path: &Path,
        params: &Params,
        lexicon: Lexicon,
        limits: Limits,
    ) -> Result<(Catalog, FileFacts), Defect> {
        let bytes = read_bytes(path, limits)?;
        let facts = facts_of(path, &bytes);
        let builder = Builder::new(Rules::of(params), lexicon);
        let ending = path.extension().map_or(String::new(), |ending| ending.to_string_lossy().to_lowercase());
        let builder = match ending.as_str() {
            "jsonl" => from_lines(as_text(&bytes, path)?, path, limits, builder),
            "csv" => from_table(rows::csv(as_text(&bytes, path)?, limits), path, builder),
            "parquet" => {
                let file = File::open(path).map_err(|_| Defect::new("no_file", "a readable file"));
                from_table(file.and_then(|file| rows::parquet(file, limits)), path, builder)
            }
            _ => from_json(as_text(&bytes, path)?, path, limits, builder),
        };
        drop(bytes);
        let catalog = builder.and_then(Builder::finish);
        catalog.map(|catalog| (catalog, facts)).map_err(|defect| in_file(defect, path))
    }
}

/// The defect with its file, unless it knows it.
fn in_file(defect: Defect, path: &Path) -> Defect {
    if defect.file.is_some() { defect } else { defect.file(file_name(path)) }
}

fn from_json(text: &str, path: &Path, limits: Limits, mut builder: Builder) -> Result<Builder, Defect> {
    // A record that has been added makes room for what the next ones become.
    match parse(text, path, limits)? {
        Json::Object(entries) => {
            for (key, record) in entries {
                builder.add(Some(&key), &record, CatalogPath { path: &key, split: false })?;
            }
        }
        Json::List(records) => {
            for (number, record) in records.into_iter().enumerate() {
                builder.add(None, &record, CatalogPath { path: &format!("[{number}]"), split: false })?;
            }
        }
        _ => return Err(Defect::new("bad_record", "an object or a list of items")),
    }
    Ok(builder)
}

fn from_lines(text: &str, path: &Path, limits: Limits, mut builder: Builder) -> Result<Builder, Defect> {
    for (number, line) in text.split('\n').enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let at = |defect: Defect| defect.line(number as u64 + 1);
        let record = parse(line, path, limits).map_err(at)?;
        builder.add(None, &record, CatalogPath { path: "", split: false }).map_err(at)?;
    }
    Ok(builder)
}

fn from_table(table: Result<rows::TableRows, Defect>, path: &Path, mut builder: Builder) -> Result<Builder, Defect> {
    for row in table.map_err(|defect| in_file(defect, path))?.rows {
        if let Some(defect) = row.defect {
            return Err(defect);
        }
        // An empty cell is not a value, whatever its column.
        let mut record = row.cells;
        if let Json::Object(cells) = &mut record {
            cells.retain(|(name, cell)| !name.is_empty() && !matches!(cell, Json::Null) && cell.text() != Some(""));
        }
        builder.add(None, &record, CatalogPath { path: "", split: true }).map_err(|defect| defect.line(row.line))?;
    }
    Ok(builder)
}

#[cfg(test)]
mod tests {
    use super::super::field::Field;
    use super::*;

    fn open(name: &str, text: &str) -> Result<Catalog, Defect> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        Catalog::open(&path, &Params::default(), Lexicon::builtin(), Limits::default()).map(|(catalog, _)| catalog)
    }

    #[test]
    fn all_forms_say_the_same() {
        let object = r#"{"k1": {"name": "Night Ferry (2001)", "genre": ["Comedy", "Drama"], "actor": "Ada Lark"}}"#;
        let list = r#"[{"id": "k1", "title": "Night Ferry", "genre": ["Comedy", "Drama"], "actor": "Ada Lark", "year": 2001}]"#;
        let line = r#"{"id":"k1","name":"Night Ferry","genre":["comedy","drama"],"actor":["Ada Lark"],"year":"2001"}"#;
        let csv = "id,name,genre,actor,year,plot\nk1,Night Ferry,Comedy|Drama,Ada Lark,2001,\n";
        for (name, text) in [("a.json", object), ("b.json", list), ("c.jsonl", line), ("d.csv", csv)] {
            let catalog = open(name, text).expect(name);
            let told: Vec<String> = catalog.items[0].concepts.iter().map(|c| catalog.concepts.text(*c)).collect();
            let expected = ["genre=comedy", "genre=drama", "actor=ada lark", "year=2001", "name=night ferry"];
            assert_eq!((&*catalog.items[0].id, told), ("k1", expected.map(String::from).to_vec()), "{name}");
            assert!(catalog.concept(Field::Year, "2001").is_some());
        }
    }

    #[test]
    fn defects_name_the_place() {
        for (name, text, code, line, field) in [
            ("a.json", "{}", "bad_record", None, None),
            ("a.json", "3", "bad_record", None, None),
            ("a.json", "{\"a\": ", "bad_record", Some(1), None),
            ("a.json", r#"{"a": {"genre": [true]}}"#, "bad_record", None, Some("a.genre")),
            ("a.json", r#"{"a": {"name": ""}}"#, "bad_record", None, Some("a.name")),
            ("a.json", r#"[{"name": "x"}, {"name": "x"}]"#, "duplicate_id", None, Some("[1].id")),
            ("a.jsonl", "{\"name\":\"x\"}\n\n{\"name\":\"y\",\"year\":2.5}", "bad_record", Some(3), Some("year")),
            ("a.csv", "name,genre\nx,y,z\n", "bad_record", Some(2), None),
        ] {
            let defect = open(name, text).expect_err(text);
            assert_eq!(defect.code, code, "{text}");
            assert_eq!((defect.line, defect.field.as_deref()), (line, field), "{text}");
            assert_eq!(defect.file.as_deref(), Some(name));
        }
    }

    #[test]
    fn the_built_in_catalog_has_300_items() {
        let (catalog, facts) = Catalog::builtin(&Params::default(), Lexicon::builtin()).expect("our own catalog");
        assert_eq!((catalog.items.len(), facts.name.as_str()), (300, "builtin"));
    }
}
