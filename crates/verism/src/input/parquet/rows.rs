//! Rows of a Parquet file as JSON values: texts, numbers, booleans, lists and structures of them.

use std::fs::File;

use parquet::file::reader::FileReader;
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::record::reader::RowIter;
use parquet::record::{Field, Row};
use parquet::schema::types::Type;

use super::{guarded, kind, names};
use crate::input::value::Json;

/// Why a file is not read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// It is damaged, or something else than Parquet.
    Damaged,
    /// A column has a value of a kind that is not read.
    Kind { column: String, row: u64, kind: String },
}

/// The cells of a row with the names of their columns.
pub(crate) type Cells = Vec<(String, Json<'static>)>;

/// An open Parquet file.
pub(crate) struct Rows {
    reader: SerializedFileReader<File>,
    pub(crate) columns: Vec<String>,
}

impl Rows {
    pub(crate) fn open(file: File) -> Result<Rows, Unread> {
        guarded(damaged, || {
            let reader = SerializedFileReader::new(file).map_err(|_| damaged())?;
            let columns = names(reader.metadata());
            Ok(Rows { reader, columns })
        })
    }

    /// The cells of all rows in the columns that are wanted.
    pub(crate) fn read(&self, is_wanted: impl Fn(&str) -> bool) -> Result<Vec<Cells>, Unread> {
        guarded(damaged, || {
            let schema = self.reader.metadata().file_metadata().schema();
            let fields: Vec<_> = schema.get_fields().iter().filter(|field| is_wanted(field.name())).cloned().collect();
            let not_read: Vec<Option<String>> = fields.iter().map(|field| kind::not_read(field)).collect();
            let wanted = Type::group_type_builder(schema.name()).with_fields(fields).build().map_err(|_| damaged())?;
            let rows = RowIter::from_file(Some(wanted), &self.reader).map_err(|_| damaged())?;
            rows.zip(1..).map(|(row, number)| cells(row.map_err(|_| damaged())?, number, &not_read)).collect()
        })
    }
}

fn damaged() -> Unread {
    Unread::Damaged
}

/// The cells of a row, unless a column that cannot be read has a value there.
fn cells(row: Row, number: u64, not_read: &[Option<String>]) -> Result<Cells, Unread> {
    let cell = |((column, field), not_read): ((String, Field), &Option<String>)| match not_read {
        Some(kind) if field != Field::Null => Err(Unread::Kind { column, row: number, kind: kind.clone() }),
        _ => Ok((column, json(field)?)),
    };
    row.into_columns().into_iter().zip(not_read).map(cell).collect()
}

fn json(field: Field) -> Result<Json<'static>, Unread> {
    Ok(match field {
        Field::Null => Json::Null,
        Field::Bool(truth) => Json::Bool(truth),
        Field::Byte(n) => Json::Int(n.into()),
        Field::Short(n) => Json::Int(n.into()),
        Field::Int(n) => Json::Int(n.into()),
        Field::Long(n) => Json::Int(n.into()),
        Field::UByte(n) => Json::Int(n.into()),
        Field::UShort(n) => Json::Int(n.into()),
        Field::UInt(n) => Json::Int(n.into()),
        Field::ULong(n) => Json::Int(n.into()),
        Field::Float(x) => Json::Float(x.into()),
        Field::Double(x) => Json::Float(x),
        Field::Str(text) => Json::Text(text.into()),
        Field::ListInternal(list) => {
            Json::List(list.elements().iter().cloned().map(json).collect::<Result<_, Unread>>()?)
        }
        Field::Group(row) => {
            let entry = |(name, field): (String, Field)| Ok((name.into(), json(field)?));
            Json::Object(row.into_columns().into_iter().map(entry).collect::<Result<_, Unread>>()?)
        }
        // The schema says that there are none of the others.
        _ => return Err(damaged()),
    })
}

#[cfg(test)]
mod tests {
    use parquet::data_type::{ByteArrayType, FloatType, Int32Type, Int64Type};

    use super::super::written::write_group;
    use super::*;

    #[test]
    fn lists_structures_and_numbers_without_sign_become_json() {
        let schema = "message m {
            optional group tags (LIST) { repeated group list { optional binary element (STRING); } }
            optional group inner { required int32 a (INTEGER(32, false)); }
            required int64 n (INTEGER(64, false));
            optional float x;
        }";
        let file = tempfile::tempfile().expect("a file");
        // Rows by hand: ["p", null], null, []; the levels are those of the Parquet documentation for a list of three levels.
        write_group(
            file.try_clone().expect("a copy"),
            schema,
            &[
                &|tags| {
                    let column = tags.typed::<ByteArrayType>();
                    column.write_batch(&["p".into()], Some(&[3, 2, 0, 1]), Some(&[0, 1, 0, 0]))
                },
                &|a| a.typed::<Int32Type>().write_batch(&[-1, 7], Some(&[1, 0, 1]), None),
                &|n| n.typed::<Int64Type>().write_batch(&[-1, 2, 3], None, None),
                &|x| x.typed::<FloatType>().write_batch(&[0.5], Some(&[0, 1, 0]), None),
            ],
        );
        let rows = Rows::open(file).expect("Parquet");
        assert_eq!(rows.columns, ["tags", "inner", "n", "x"]);
        let object = |a: i128| Json::Object(vec![("a".into(), Json::Int(a))]);
        let row = |tags, inner, n, x| -> Cells {
            let cells = [("tags", tags), ("inner", inner), ("n", Json::Int(n)), ("x", x)];
            cells.map(|(name, cell)| (name.to_string(), cell)).to_vec()
        };
        let tags = Json::List(vec![Json::Text("p".into()), Json::Null]);
        let expected = [
            row(tags, object(i128::from(u32::MAX)), i128::from(u64::MAX), Json::Null),
            row(Json::Null, Json::Null, 2, Json::Float(0.5)),
            row(Json::List(vec![]), object(7), 3, Json::Null),
        ];
        assert_eq!(rows.read(|_| true).expect("rows"), expected);
        let numbers = rows.read(|name| name == "n").expect("rows");
        assert_eq!(numbers[1], [("n".to_string(), Json::Int(2))]);
    }

    #[test]
    fn a_value_of_another_kind_is_told_with_its_place() {
        let schema = "message m { required int64 a; optional int64 t (TIMESTAMP(NANOS, true)); }";
        let file = tempfile::tempfile().expect("a file");
        write_group(
            file.try_clone().expect("a copy"),
            schema,
            &[&|a| a.typed::<Int64Type>().write_batch(&[1, 2], None, None), &|t| {
                t.typed::<Int64Type>().write_batch(&[5], Some(&[0, 1]), None)
            }],
        );
        let rows = Rows::open(file).expect("Parquet");
        let told = Unread::Kind { column: "t".to_string(), row: 2, kind: "Timestamp".to_string() };
        assert_eq!(rows.read(|_| true), Err(told));
        assert_eq!(rows.read(|name| name == "a").map(|rows| rows.len()), Ok(2));
    }
}
