//! How large the parts of an input may be.

use crate::error::Defect;

/// What a job takes in one piece. Whatever is larger is a defect of its record.
///
/// A file that is read as a whole (a JSON document, a table of some suites, a catalog, a pack) counts as one record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a record, and so of each of its fields.
    pub record_bytes: usize,
    /// Fields of a record: cells of a table, values of JSON at any depth.
    pub fields: usize,
}

/// Fields that a row of a table counts for at least where all rows are held: it takes memory of its own beside its cells.
pub const FIELDS_OF_A_ROW: usize = 4;

impl Default for Limits {
    fn default() -> Limits {
        Limits { record_bytes: 64 << 20, fields: 1 << 22 }
    }
}

impl Limits {
    /// The defect of a record with too many bytes.
    pub fn too_long(&self) -> Defect {
        let expected = format!("a record of at most {} bytes (--max-record-bytes)", self.record_bytes);
        let hint = "a quote may be open, or a line end missing; if the record is right, raise --max-record-bytes";
        Defect::new("too_large", expected).hint(hint)
    }

    /// The defect of a file with too many bytes to be read as a whole.
    pub fn too_long_a_file(&self) -> Defect {
        let expected =
            format!("a file of at most {} bytes, since it is read as a whole (--max-record-bytes)", self.record_bytes);
        let hint = "if the file is right, raise --max-record-bytes; of JSON lines every line is a record of its own";
        Defect::new("too_large", expected).hint(hint)
    }

    /// Refuses a JSON text that may have too many values.
    pub fn check_values(&self, text: &[u8]) -> Result<(), Defect> {
        // Each but the first takes two bytes at least: most texts need no counting.
        match text.len() / 2 >= self.fields {
            true => self.check_fields(values(text)),
            false => Ok(()),
        }
    }

    /// Refuses a text of YAML or TOML that may have too many values: each stands on a line or behind a sign of its own.
    pub fn check_nodes(&self, text: &[u8]) -> Result<(), Defect> {
        self.check_fields(text.iter().filter(|byte| matches!(byte, b'\n' | b',' | b'[' | b'{' | b':')).count())
    }

    /// Refuses a record with too many fields.
    pub fn check_fields(&self, fields: usize) -> Result<(), Defect> {
        if fields > self.fields { Err(self.too_wide(fields)) } else { Ok(()) }
    }

    /// The defect of a record with too many fields.
    pub fn too_wide(&self, fields: usize) -> Defect {
        let expected = format!("a record of at most {} fields (--max-fields)", self.fields);
        let hint = "if the record is right, raise --max-fields";
        Defect::new("too_large", expected).value(format!("{fields} fields")).hint(hint)
    }
}

/// The values of a JSON text, or a few more: one, and one for every comma and every bracket that opens.
fn values(text: &[u8]) -> usize {
    let (mut count, mut quoted, mut escaped) = (1, false, false);
    for byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = quoted,
            b'"' => quoted = !quoted,
            b',' | b'[' | b'{' if !quoted => count += 1,
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_outside_of_texts() {
        // By hand: the object, its list, the three values in it, the text.
        assert_eq!(values(br#"{"a": [1, 2, null], "b": "[,{\", ,"}"#), 6);
        assert_eq!(values(b"0"), 1);
        assert_eq!(values(br#"["\\","\\"]"#), 3);
    }

    #[test]
    fn a_pack_with_too_many_values_is_refused() {
        let limits = Limits { record_bytes: 100, fields: 4 };
        assert_eq!(limits.check_nodes(b"a: [b, c]\n"), Ok(()));
        assert_eq!(limits.check_nodes(b"a: [b, c, d]\n").map_err(|defect| defect.code), Err("too_large".into()));
    }

    #[test]
    fn a_text_with_too_many_values_is_refused() {
        let limits = Limits { record_bytes: 100, fields: 4 };
        assert_eq!(limits.check_values(b"[0,0,0]"), Ok(()));
        assert_eq!(limits.check_values(b"[0,0,0,0]").map_err(|defect| defect.code), Err("too_large".into()));
        assert_eq!(limits.check_values(b"[\"0,0,0,0,0,0\"]"), Ok(()));
    }
}
