//! What the values of a Parquet column are, as the schema of its file says.

use parquet::basic::{ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::schema::types::Type;

/// Kinds of values that are read; how wide numbers are is told by their reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Always null.
    Nothing,
    Text,
    Bool,
    Signed,
    Unsigned,
    Float,
}

/// The kind of a column; none if it holds further columns, or values that are not read (dates, decimals, bytes).
pub(super) fn of(column: &Type) -> Option<Kind> {
    if !column.is_primitive() {
        return None;
    }
    let info = column.get_basic_info();
    let logical = info.logical_type_ref();
    match (column.get_physical_type(), logical) {
        (_, Some(LogicalType::Unknown)) => Some(Kind::Nothing),
        (Physical::BOOLEAN, _) => Some(Kind::Bool),
        (Physical::FLOAT | Physical::DOUBLE, _) => Some(Kind::Float),
        (Physical::INT32 | Physical::INT64, Some(LogicalType::Integer(whole))) => {
            Some(if whole.is_signed { Kind::Signed } else { Kind::Unsigned })
        }
        (Physical::BYTE_ARRAY, Some(LogicalType::String | LogicalType::Json | LogicalType::Enum)) => Some(Kind::Text),
        (_, Some(_)) => None,
        (physical, None) => by_converted(physical, info.converted_type()),
    }
}

/// The kind by the older form of annotation.
fn by_converted(physical: Physical, converted: ConvertedType) -> Option<Kind> {
    use ConvertedType::{ENUM, INT_8, INT_16, INT_32, INT_64, JSON, NONE, UINT_8, UINT_16, UINT_32, UINT_64, UTF8};
    match (physical, converted) {
        (Physical::INT32 | Physical::INT64, NONE | INT_8 | INT_16 | INT_32 | INT_64) => Some(Kind::Signed),
        (Physical::INT32 | Physical::INT64, UINT_8 | UINT_16 | UINT_32 | UINT_64) => Some(Kind::Unsigned),
        (Physical::BYTE_ARRAY, UTF8 | JSON | ENUM) => Some(Kind::Text),
        _ => None,
    }
}

/// Whether a row holds any number of values of a column.
pub(super) fn is_repeated(column: &Type) -> bool {
    column.get_basic_info().repetition() == Repetition::REPEATED
}

/// The name of a kind, for messages.
pub(super) fn name(column: &Type) -> String {
    let info = column.get_basic_info();
    match (info.logical_type_ref(), info.converted_type()) {
        // Without what stands in brackets, such as a unit of time.
        (Some(logical), _) => format!("{logical:?}").chars().take_while(|c| c.is_alphanumeric()).collect(),
        (None, ConvertedType::NONE) if column.is_primitive() => column.get_physical_type().to_string(),
        (None, ConvertedType::NONE) => "Struct".to_string(),
        (None, converted) => converted.to_string(),
    }
}
