//! CSV into fields.

use csv_core::{ReadRecordResult, Reader};
use verism::input::csv::{After, Found, Scanner};

/// Records, fields and bytes of field texts.
pub(crate) fn count(with: &str, bytes: Vec<u8>) -> Result<String, String> {
    let (records, fields, size) = match with {
        "csv-core" => with_csv_core(&bytes),
        "verism" => with_verism(&crate::text(bytes)?),
        other => return Err(format!("{other}: no such splitter")),
    };
    Ok(format!("{records} records, {fields} fields, {size} bytes"))
}

fn with_csv_core(mut input: &[u8]) -> (u64, u64, u64) {
    let mut reader = Reader::new();
    let (mut out, mut ends) = (vec![0; 1 << 20], vec![0; 1 << 10]);
    let (mut records, mut fields, mut size) = (0, 0, 0);
    loop {
        let (result, read, written, ended) = reader.read_record(input, &mut out, &mut ends);
        input = &input[read..];
        size += written as u64;
        fields += ended as u64;
        match result {
            ReadRecordResult::Record => records += 1,
            ReadRecordResult::End => return (records, fields, size),
            _ => {}
        }
    }
}

fn with_verism(text: &str) -> (u64, u64, u64) {
    let mut scanner = Scanner::new(text, After::End);
    let (mut records, mut fields, mut size) = (0, 0, 0);
    let mut spans = vec![];
    while let Found::Record(_) = scanner.next(&mut spans) {
        records += 1;
        fields += spans.len() as u64;
        size += spans.iter().map(|span| span.text(text).len() as u64).sum::<u64>();
    }
    (records, fields, size)
}
