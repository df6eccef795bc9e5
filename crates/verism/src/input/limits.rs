//! How large the parts of an input may be.

use crate::error::Defect;

/// What a job takes in one piece. Whatever is larger is a defect of its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a record, and so of each of its fields.
    pub record_bytes: usize,
    /// Fields of a record.
    pub fields: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { record_bytes: 64 << 20, fields: 1 << 20 }
    }
}

impl Limits {
    /// The defect of a record with too many bytes.
    pub fn too_long(&self) -> Defect {
        let expected = format!("a record of at most {} bytes (--max-record-bytes)", self.record_bytes);
        let hint = "a quote may be open, or a line end missing; if the record is right, raise --max-record-bytes";
        Defect::new("too_large", expected).hint(hint)
    }

    /// The defect of a record with too many fields.
    pub fn too_wide(&self, fields: usize) -> Defect {
        let expected = format!("a record of at most {} fields (--max-fields)", self.fields);
        let hint = "if the record is right, raise --max-fields";
        Defect::new("too_large", expected).value(format!("{fields} fields")).hint(hint)
    }
}
