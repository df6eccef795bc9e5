//! Parquet, read through the text form of its values.

pub(super) mod assembly;
mod columns;
mod kind;
#[cfg(test)]
pub(crate) mod written;

use std::cell::Cell;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataReader};
use parquet::file::properties::ReaderProperties;
use parquet::file::reader::RowGroupReader;
use parquet::file::serialized_reader::SerializedRowGroupReader;

use self::columns::{Texts, texts};
use super::pages::largest_page;
use super::table::repeated;
use super::{Limits, Sink};
use crate::error::Defect;

/// Rows decoded at a time.
const BATCH_ROWS: usize = 4096;
/// Groups whose wanted columns are larger are read one after the other.
const LARGE_BYTES: u64 = 128 << 20;
/// A page, which is taken into memory whole, may be so many times as large as a record.
pub(super) const PAGES_PER_RECORD: u64 = 4;

/// An open Parquet file: its columns and the rows of each of its groups.
pub(super) struct Groups {
    path: PathBuf,
    metadata: ParquetMetaData,
    pub(super) columns: Vec<String>,
    /// Rows of each row group.
    pub(super) rows: Vec<u64>,
    limits: Limits,
}

pub(super) fn unreadable() -> Defect {
    Defect::new("unreadable", "a whole Parquet file").hint("the file is damaged or was cut off; write it anew")
}

/// Refuses columns that are packed in a way that takes a crate of its own.
pub(super) fn check_packing(metadata: &ParquetMetaData) -> Result<(), Defect> {
    let mut chunks = metadata.row_groups().iter().flat_map(|group| group.columns());
    let unknown = chunks.find(|chunk| matches!(chunk.compression(), Compression::BROTLI(_) | Compression::LZO));
    unknown.map_or(Ok(()), |chunk| {
        let defect = Defect::new("unsupported", "columns packed by zstd, snappy, gzip or lz4, or not at all");
        let name = chunk.column_path().parts().first().cloned().unwrap_or_default();
        let found = format!("{:?}", chunk.compression()).chars().take_while(|c| c.is_alphabetic()).collect::<String>();
        Err(defect.field(name).value(found).hint("write the file anew with one of them"))
    })
}

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread reads foreign bytes with a crate that may panic on damaged ones. Such a panic is caught and told as a
/// defect of the file: whoever prints panics can leave it out.
pub fn is_guarded() -> bool {
    GUARDED.get()
}

/// Runs a reader of foreign bytes; should it panic on damaged ones, that is a defect of the file.
pub(super) fn guarded<T>(read: impl FnOnce() -> Result<T, Defect>) -> Result<T, Defect> {
    let before = GUARDED.replace(true);
    let read = catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Err(unreadable()));
    GUARDED.set(before);
    read
}

/// The names of the columns, each of which may hold further columns.
pub(super) fn names(metadata: &ParquetMetaData) -> Vec<String> {
    metadata.file_metadata().schema().get_fields().iter().map(|field| field.name().to_string()).collect()
}

impl Groups {
    pub(super) fn open(path: &Path, file: &File, limits: Limits) -> Result<Groups, Defect> {
        guarded(|| {
            let metadata = ParquetMetaDataReader::new().parse_and_finish(file).map_err(|_| unreadable())?;
            let columns = names(&metadata);
            if columns.len() > limits.fields {
                return Err(limits.too_wide(columns.len()));
            }
            check_packing(&metadata)?;
            if let Some(twice) = repeated(&columns) {
                return Err(twice);
            }
            let rows = metadata.row_groups().iter().map(|group| u64::try_from(group.num_rows()));
            let rows = rows.collect::<Result<_, _>>().map_err(|_| unreadable())?;
            Ok(Groups { path: path.to_path_buf(), columns, rows, metadata, limits })
        })
    }

    /// The parts of a group that hold wanted columns.
    fn chunks<'a>(&'a self, group: usize, wanted: &'a [String]) -> impl Iterator<Item = &'a ColumnChunkMetaData> {
        let is_wanted = |name: &String| wanted.contains(name);
        let columns = self.metadata.row_group(group).columns().iter();
        columns.filter(move |column| column.column_path().parts().first().is_some_and(is_wanted))
    }

    /// Whether some group takes more memory than several should at the same time.
    pub(super) fn are_large(&self, wanted: &[String]) -> bool {
        let size = |group| self.chunks(group, wanted).map(|chunk| chunk.uncompressed_size().max(0) as u64).sum::<u64>();
        (0..self.rows.len()).any(|group| size(group) > LARGE_BYTES)
    }

    /// Reads a row group. Lines count its rows from 0.
    pub(super) fn read(&self, group: usize, wanted: &[String], sink: &mut impl Sink) -> Result<(), Defect> {
        guarded(|| {
            // A file of its own: copies of one share their place in it, and groups are read at the same time.
            let file = File::open(&self.path).map_err(|_| unreadable())?;
            let most = PAGES_PER_RECORD * self.limits.record_bytes as u64;
            let suspect = |chunk: &&ColumnChunkMetaData| chunk.uncompressed_size() as u64 > most;
            for chunk in self.chunks(group, wanted).filter(suspect) {
                let (start, length) = chunk.byte_range();
                if largest_page(&file, start, length).is_ok_and(|largest| largest > most) {
                    // Nobody knows which of its rows are too large before the page is in memory.
                    let name = chunk.column_path().parts().first().cloned().unwrap_or_default();
                    (0..self.rows[group]).for_each(|row| sink.defect(row, self.limits.too_long().field(&name)));
                    return Ok(());
                }
            }
            let properties = Arc::new(ReaderProperties::builder().build());
            let (metadata, index) = (self.metadata.row_group(group), self.metadata.page_index_for_row_group(group));
            let reader = SerializedRowGroupReader::new(Arc::new(file), metadata, index, properties);
            let reader = reader.map_err(|_| unreadable())?;
            let mut columns =
                wanted.iter().map(|name| self.column(&reader, name)).collect::<Result<Vec<_>, Defect>>()?;
            let mut line = 0;
            while line < self.rows[group] {
                let rows = BATCH_ROWS.min(usize::try_from(self.rows[group] - line).unwrap_or(usize::MAX));
                hand_over(&mut columns, line, rows, self.limits, sink)?;
                line += rows as u64;
            }
            Ok(())
        })
    }

    /// The texts of a column of a row group, if the file has that column.
    fn column(&self, group: &dyn RowGroupReader, name: &str) -> Result<Option<Box<dyn Texts>>, Defect> {
        let fields = self.metadata.file_metadata().schema().get_fields();
        let Some(field) = fields.iter().find(|field| field.name() == name) else { return Ok(None) };
        let kind = kind::of(field).filter(|_| !kind::is_repeated(field)).ok_or_else(|| {
            let expected = "a column of texts, numbers or booleans";
            Defect::new("unsupported", expected).field(name).value(kind::name(field))
        })?;
        let columns = group.metadata().columns();
        let place = columns.iter().position(|column| column.column_path().parts() == [name]).ok_or_else(unreadable)?;
        let reader = group.get_column_reader(place).map_err(|_| unreadable())?;
        texts(kind, reader).map(Some)
    }
}

/// Hands the next rows to a sink.
fn hand_over(
    columns: &mut [Option<Box<dyn Texts>>],
    first: u64,
    rows: usize,
    limits: Limits,
    sink: &mut impl Sink,
) -> Result<(), Defect> {
    let columns = columns.iter_mut().map(|column| column.as_mut().map(|column| column.next(rows)).transpose());
    let columns = columns.collect::<Result<Vec<_>, Defect>>()?;
    let mut cells = Vec::with_capacity(columns.len());
    for (row, line) in (0..rows).zip(first..) {
        cells.clear();
        cells.extend(columns.iter().map(|column| column.as_ref().map(|texts| texts[row].as_ref())));
        let bytes: usize = cells.iter().flatten().map(|cell: &&str| cell.len()).sum();
        if bytes > limits.record_bytes {
            sink.defect(line, limits.too_long());
        } else {
            sink.record(line, &cells);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use parquet::basic::BrotliLevel;
    use parquet::data_type::Int64Type;

    use super::*;

    #[test]
    fn a_packing_that_is_not_known_is_no_damage() {
        let file = tempfile::tempfile().expect("a file");
        let copy = file.try_clone().expect("a copy");
        let numbers: written::Write<'_> = &|n| n.typed::<Int64Type>().write_batch(&[1], None, None);
        written::write_group(copy, "message m { required int64 n; }", &[numbers]);
        let metadata = ParquetMetaDataReader::new().parse_and_finish(&file).expect("whole");
        assert_eq!(check_packing(&metadata), Ok(()));
        let group = metadata.row_group(0).clone();
        let packed =
            group.column(0).clone().into_builder().set_compression(Compression::BROTLI(BrotliLevel::default()));
        let group = group.into_builder().set_column_metadata(vec![packed.build().expect("a chunk")]);
        let metadata = metadata.into_builder().set_row_groups(vec![group.build().expect("a group")]).build();
        let defect = check_packing(&metadata).expect_err("refused");
        let told = (defect.code.as_ref(), defect.field.as_deref(), defect.value.as_deref());
        assert_eq!(told, ("unsupported", Some("n"), Some("BROTLI")));
    }
}
