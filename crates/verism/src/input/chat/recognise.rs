//! Which format a file is in, by what it holds.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use super::{FORMATS, Format, messages};
use crate::input::Limits;
use crate::input::value::Json;

/// A chat log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A conversation of `messages` on each line.
    Lines,
    /// One JSON document.
    Document(Format),
    /// An archive.
    Archive,
}

/// Recognises the chat log in a file by its content; none if it is something else, or larger than a record may be.
///
/// `is_native` says whether a first record with `messages` needs no conversion, on a line or, where the second value is
/// true, in a document.
pub fn recognise(path: &Path, limits: Limits, is_native: &dyn Fn(&Json<'_>, bool) -> bool) -> Option<Shape> {
    let mut file = BufReader::new(File::open(path).ok()?);
    if file.fill_buf().ok()?.starts_with(b"PK\x03\x04") {
        return Some(Shape::Archive);
    }
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    if !["json", "jsonl"].contains(&ending.as_str()) {
        return None;
    }
    let most = limits.record_bytes as u64 + 1;
    let mut bytes = vec![];
    while trimmed(&bytes).is_empty() {
        bytes.clear();
        if file.by_ref().take(most).read_until(b'\n', &mut bytes).ok()? == 0 {
            return None;
        }
    }
    let first = read(trimmed(&bytes), limits);
    if let Some(record) = &first
        && record.object().is_some()
        && messages::is_conversation(record)
    {
        return (!is_native(record, false)).then_some(Shape::Lines);
    }
    if ending == "jsonl" {
        return None;
    }
    // One document, over one line or many.
    drop(first);
    file.take(most.saturating_sub(bytes.len() as u64)).read_to_end(&mut bytes).ok()?;
    if bytes.len() as u64 >= most {
        return None;
    }
    let document = read(trimmed(&bytes), limits)?;
    let format = FORMATS.into_iter().find(|format| format.is(&document))?;
    let first = document.list().and_then(|items| items.first()).unwrap_or(&document);
    (format != Format::Chat || !is_native(first, true)).then_some(Shape::Document(format))
}

/// JSON with no more values than a record may have.
fn read(bytes: &[u8], limits: Limits) -> Option<Json<'_>> {
    limits.check_values(bytes).ok()?;
    Some(Json::parse_cut_off(std::str::from_utf8(bytes).ok()?)?.0)
}

/// Without a byte order mark and blanks around it.
fn trimmed(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_recognised_by_what_it_holds() {
        let home = tempfile::tempdir().expect("a folder");
        let shape = |name: &str, text: &str| {
            let path = home.path().join(name);
            std::fs::write(&path, text).expect("written");
            recognise(&path, Limits { record_bytes: 500, ..Limits::default() }, &|record, _| {
                record.get("case").is_some()
            })
        };
        let line = r#"{"messages":[{"role":"user","content":"Hi"}]}"#;
        assert_eq!(shape("a.jsonl", &format!("\u{feff}\n{line}\n{line}\n")), Some(Shape::Lines));
        assert_eq!(shape("a.json", line), Some(Shape::Lines));
        assert_eq!(shape("b.json", &format!("[\n{line},\n{line}\n]")), Some(Shape::Document(Format::Chat)));
        let tau = r#"[{"task_id":1,"traj":[]}]"#;
        assert_eq!(shape("c.json", tau), Some(Shape::Document(Format::TauBench)));
        assert_eq!(shape("c.json", r#"{"eval":{"task":"t"}}"#), Some(Shape::Document(Format::Inspect)));
        assert_eq!(shape("d.eval", "PK\u{3}\u{4}…"), Some(Shape::Archive));
        // Native, no log, too large, another ending.
        assert_eq!(shape("e.jsonl", r#"{"case":1,"messages":[{"role":"user","content":"Hi"}]}"#), None);
        assert_eq!(shape("e.jsonl", tau), None);
        assert_eq!(shape("e.json", r#"{"complete_sentences":[]}"#), None);
        assert_eq!(shape("e.json", &format!("[{line},{line}\n,{}]", " ".repeat(500))), None);
        assert_eq!(shape("e.csv", line), None);
        assert_eq!(shape("e.jsonl", ""), None);
    }
}
