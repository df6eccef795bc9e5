//! Values of nested Parquet columns, put together from what their leaves hold.
//!
//! Each value of a leaf comes with two levels: how much of its path is there (definition), and at which list it goes on
//! (repetition). The rules for lists are those of the format's documentation, the older forms of lists included.

use std::sync::Arc;

use parquet::basic::{ConvertedType, Repetition};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::file::reader::RowGroupReader;
use parquet::schema::types::Type;

use super::kind::{self, Kind};
use super::unreadable;
use crate::error::Defect;
use crate::input::value::Json;

/// Rows of a leaf that are decoded at a time.
const BATCH_ROWS: usize = 1024;

/// Asked before a value is copied or a list grows; an error ends the reading.
pub(crate) trait Admit {
    fn text(&mut self, bytes: usize) -> Result<(), Defect>;
    fn item(&mut self) -> Result<(), Defect>;
}

/// A column with its leaves.
pub(crate) struct Column {
    node: Node,
    leaves: Vec<Box<dyn Leaf>>,
}

impl Column {
    /// Opens a column of a row group; `first` is the place of its first leaf among those of the file.
    pub(crate) fn open(field: &Type, first: usize, group: &dyn RowGroupReader) -> Result<Column, Defect> {
        let mut count = 0;
        let node = node(field, 0, 0, &mut count);
        let open = |place| -> Result<Box<dyn Leaf>, Defect> {
            let kind = kind::of(group.metadata().column(place).column_descr().self_type());
            Ok(leaf(kind, group.get_column_reader(place).map_err(|_| unreadable())?))
        };
        let leaves = (first..first + count).map(open).collect::<Result<_, Defect>>()?;
        Ok(Column { node, leaves })
    }

    /// Whether all values of a column are of a kind that is read.
    pub(crate) fn is_readable(field: &Type) -> bool {
        node(field, 0, 0, &mut 0).is_readable()
    }

    /// How many leaves a column has.
    pub(crate) fn leaves(field: &Type) -> usize {
        let mut count = 0;
        node(field, 0, 0, &mut count);
        count
    }

    /// The value of the next row.
    pub(crate) fn next(&mut self, admit: &mut dyn Admit) -> Result<Json<'static>, Defect> {
        value(&self.node, &mut self.leaves, admit)
    }
}

/// A part of a column.
struct Node {
    /// The definition level from which it is there.
    there: i16,
    /// Its leaves among those of the column.
    leaves: std::ops::Range<usize>,
    shape: Shape,
}

enum Shape {
    Value,
    /// Of a kind that is not read, with its name.
    Refused(String),
    /// The levels from which it has items and at which it goes on.
    List {
        some: i16,
        again: i16,
        item: Box<Node>,
    },
    Object(Vec<(String, Node)>),
}

impl Node {
    fn is_readable(&self) -> bool {
        match &self.shape {
            Shape::Value => true,
            Shape::Refused(_) => false,
            Shape::List { item, .. } => item.is_readable(),
            Shape::Object(fields) => fields.iter().all(|(_, field)| field.is_readable()),
        }
    }
}

/// The part of a column that a field is, below parts of the given levels.
fn node(field: &Type, definition: i16, repetition: i16, leaves: &mut usize) -> Node {
    match field.get_basic_info().repetition() {
        Repetition::REQUIRED => once(field, definition, repetition, leaves),
        Repetition::OPTIONAL => once(field, definition + 1, repetition, leaves),
        // Without an annotation around it: a list that is always there.
        Repetition::REPEATED => {
            let first = *leaves;
            let item = Box::new(once(field, definition + 1, repetition + 1, leaves));
            let shape = Shape::List { some: definition + 1, again: repetition + 1, item };
            Node { there: definition, leaves: first..*leaves, shape }
        }
    }
}

/// The same, whether it is there or repeated aside.
fn once(field: &Type, definition: i16, repetition: i16, leaves: &mut usize) -> Node {
    let first = *leaves;
    let shape = if field.is_primitive() {
        *leaves += 1;
        match kind::of(field) {
            Some(_) => Shape::Value,
            None => Shape::Refused(kind::name(field)),
        }
    } else {
        group(field, definition, repetition, leaves)
    };
    Node { there: definition, leaves: first..*leaves, shape }
}

fn group(field: &Type, definition: i16, repetition: i16, leaves: &mut usize) -> Shape {
    let fields = field.get_fields();
    match (field.get_basic_info().converted_type(), fields) {
        (ConvertedType::LIST, [repeated]) if kind::is_repeated(repeated) => {
            let (some, again) = (definition + 1, repetition + 1);
            let item = match item_of(field, repeated) {
                Some(item) => node(item, some, again, leaves),
                None => once(repeated, some, again, leaves),
            };
            Shape::List { some, again, item: Box::new(item) }
        }
        (ConvertedType::MAP | ConvertedType::MAP_KEY_VALUE, _) => {
            fields.iter().for_each(|field| drop(node(field, definition, repetition, leaves)));
            Shape::Refused(kind::name(field))
        }
        _ => {
            let entry = |field: &Arc<Type>| (field.name().to_string(), node(field, definition, repetition, leaves));
            Shape::Object(fields.iter().map(entry).collect())
        }
    }
}

/// What the items of a list are, unless the repeated field is itself the item, as in older files.
fn item_of<'a>(list: &Type, repeated: &'a Type) -> Option<&'a Type> {
    let older = repeated.name() == "array" || repeated.name() == format!("{}_tuple", list.name());
    match repeated.is_primitive() || older {
        true => None,
        false => match repeated.get_fields() {
            [item] => Some(item),
            _ => None,
        },
    }
}

fn value(node: &Node, leaves: &mut [Box<dyn Leaf>], admit: &mut dyn Admit) -> Result<Json<'static>, Defect> {
    let Some(first) = node.leaves.clone().next() else { return Ok(Json::Object(vec![])) };
    let (_, definition) = leaves[first].levels()?.ok_or_else(unreadable)?;
    let is_there = definition >= node.there;
    match &node.shape {
        Shape::Value if is_there => leaves[first].take(admit),
        Shape::Object(fields) if is_there => {
            let entry = |(name, field): &(String, Node)| Ok((name.clone().into(), value(field, leaves, admit)?));
            Ok(Json::Object(fields.iter().map(entry).collect::<Result<_, Defect>>()?))
        }
        Shape::List { some, again, item } if definition >= *some => {
            let mut items = vec![];
            loop {
                admit.item()?;
                items.push(value(item, leaves, admit)?);
                if leaves[first].levels()?.is_none_or(|(repetition, _)| repetition != *again) {
                    return Ok(Json::List(items));
                }
            }
        }
        Shape::Refused(kind) if is_there => {
            let expected = "a column of texts, numbers, booleans, lists or objects of them";
            Err(Defect::new("unsupported", expected).value(kind))
        }
        shape => {
            leaves[node.leaves.clone()].iter_mut().try_for_each(|leaf| leaf.pass())?;
            Ok(if is_there && matches!(shape, Shape::List { .. }) { Json::List(vec![]) } else { Json::Null })
        }
    }
}

/// A leaf, at one of its values or at a place where it has none.
trait Leaf {
    /// Levels of repetition and definition; none at the end.
    fn levels(&mut self) -> Result<Option<(i16, i16)>, Defect>;
    /// Gives the value and goes on.
    fn take(&mut self, admit: &mut dyn Admit) -> Result<Json<'static>, Defect>;
    /// Goes on from a place without a value.
    fn pass(&mut self) -> Result<(), Defect>;
}

/// A leaf; one without a kind has values that nobody asks for.
fn leaf(kind: Option<Kind>, reader: ColumnReader) -> Box<dyn Leaf> {
    use ColumnReader as Of;
    match (kind, reader) {
        (Some(Kind::Text), Of::ByteArrayColumnReader(reader)) => values(reader, text),
        (_, Of::ByteArrayColumnReader(reader)) => values(reader, |_, _| Err(unreadable())),
        (_, Of::FixedLenByteArrayColumnReader(reader)) => values(reader, |_, _| Err(unreadable())),
        (_, Of::Int96ColumnReader(reader)) => values(reader, |_, _| Err(unreadable())),
        (_, Of::BoolColumnReader(reader)) => values(reader, |truth, _| Ok(Json::Bool(*truth))),
        (Some(Kind::Unsigned), Of::Int32ColumnReader(reader)) => {
            values(reader, |n, _| Ok(Json::Int((*n as u32).into())))
        }
        (Some(Kind::Unsigned), Of::Int64ColumnReader(reader)) => {
            values(reader, |n, _| Ok(Json::Int((*n as u64).into())))
        }
        (_, Of::Int32ColumnReader(reader)) => values(reader, |n, _| Ok(Json::Int((*n).into()))),
        (_, Of::Int64ColumnReader(reader)) => values(reader, |n, _| Ok(Json::Int((*n).into()))),
        (_, Of::FloatColumnReader(reader)) => values(reader, |x, _| Ok(Json::Float((*x).into()))),
        (_, Of::DoubleColumnReader(reader)) => values(reader, |x, _| Ok(Json::Float(*x))),
    }
}

fn text(bytes: &ByteArray, admit: &mut dyn Admit) -> Result<Json<'static>, Defect> {
    admit.text(bytes.len())?;
    let text = simdutf8::basic::from_utf8(bytes.data()).map_err(|_| unreadable())?;
    Ok(Json::Text(text.to_string().into()))
}

/// A value as JSON.
type Show<T> = fn(&T, &mut dyn Admit) -> Result<Json<'static>, Defect>;

struct Values<T: DataType> {
    reader: ColumnReaderImpl<T>,
    show: Show<T::T>,
    values: Vec<T::T>,
    definitions: Vec<i16>,
    repetitions: Vec<i16>,
    /// Places at hand, and the one it is at.
    places: usize,
    at: usize,
    /// Values taken of those at hand.
    taken: usize,
}

fn values<T: DataType>(reader: ColumnReaderImpl<T>, show: Show<T::T>) -> Box<dyn Leaf> {
    let (values, definitions, repetitions) = (vec![], vec![], vec![]);
    Box::new(Values { reader, show, values, definitions, repetitions, places: 0, at: 0, taken: 0 })
}

impl<T: DataType> Leaf for Values<T> {
    fn levels(&mut self) -> Result<Option<(i16, i16)>, Defect> {
        if self.at == self.places {
            self.values.clear();
            self.definitions.clear();
            self.repetitions.clear();
            let (definitions, repetitions) = (Some(&mut self.definitions), Some(&mut self.repetitions));
            let read = self.reader.read_records(BATCH_ROWS, definitions, repetitions, &mut self.values);
            let (_, _, places) = read.map_err(|_| unreadable())?;
            (self.places, self.at, self.taken) = (places, 0, 0);
        }
        // A leaf that is always there, or never repeated, has no such levels.
        let level = |levels: &[i16]| levels.get(self.at).copied().unwrap_or(0);
        Ok((self.at < self.places).then(|| (level(&self.repetitions), level(&self.definitions))))
    }

    fn take(&mut self, admit: &mut dyn Admit) -> Result<Json<'static>, Defect> {
        let value = self.values.get(self.taken).ok_or_else(unreadable)?;
        self.at += 1;
        self.taken += 1;
        (self.show)(value, admit)
    }

    fn pass(&mut self) -> Result<(), Defect> {
        // Of an object that is not there only the first leaf has been asked: the others may have to read on.
        self.levels()?.ok_or_else(unreadable)?;
        self.at += 1;
        Ok(())
    }
}
