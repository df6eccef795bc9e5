//! Parquet files for tests.

use std::fs::File;
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;

/// Writes texts into each of the columns, so many in a row group.
pub(crate) fn write_texts(file: File, columns: &[&str], texts: &[String], group: usize, dictionary: bool) {
    let fields: String = columns.iter().map(|name| format!("optional binary {name} (UTF8);")).collect();
    let schema = Arc::new(parse_message_type(&format!("message m {{ {fields} }}")).expect("a schema"));
    let zstd = Compression::ZSTD(ZstdLevel::try_new(3).expect("a level"));
    let properties = WriterProperties::builder().set_compression(zstd).set_dictionary_enabled(dictionary).build();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties)).expect("a writer");
    for texts in texts.chunks(group) {
        let values: Vec<ByteArray> = texts.iter().map(|text| ByteArray::from(text.as_str())).collect();
        let levels = vec![1; values.len()];
        let mut rows = writer.next_row_group().expect("a group");
        while let Some(mut column) = rows.next_column().expect("a column") {
            column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None).expect("written");
            column.close().expect("closed");
        }
        rows.close().expect("closed");
    }
    writer.close().expect("closed");
}

/// Writes the values of a column.
pub(crate) type Write<'a> = &'a dyn Fn(&mut SerializedColumnWriter<'_>) -> Result<usize>;

/// Writes a row group, column by column.
pub(crate) fn write_group(file: File, schema: &str, columns: &[Write<'_>]) {
    let schema = Arc::new(parse_message_type(schema).expect("a schema"));
    let mut writer = SerializedFileWriter::new(file, schema, Arc::default()).expect("a writer");
    let mut group = writer.next_row_group().expect("a group");
    for write in columns {
        let mut column = group.next_column().expect("a group").expect("a column");
        write(&mut column).expect("written");
        column.close().expect("closed");
    }
    group.close().expect("closed");
    writer.close().expect("closed");
}
