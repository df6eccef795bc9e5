//! Chat logs of other programs, given by name: each conversation becomes records of the suite.
//!
//! What is scored is always the record: a chat log scores as the file that `convert` makes of it.

use std::path::{Path, PathBuf};

use super::supplied::{RecordLine, Supplied};
use super::{FileReader, RecordSuite, base_name};
use crate::error::Defect;
use crate::input::chat::{Conversation, Format, Shape, recognise, unpack};
use crate::input::value::Json;
use crate::input::{Input, Limits};

/// A chat log.
#[derive(Debug)]
pub struct ChatFile {
    pub(super) path: PathBuf,
    pub(super) shape: Shape,
}

/// Splits off the files that hold chat logs; of the others the order stays.
pub(super) fn split<S: RecordSuite>(suite: &S, inputs: Vec<Input>, limits: Limits) -> (Vec<Input>, Vec<ChatFile>) {
    let (mut others, mut chats) = (vec![], vec![]);
    for input in inputs {
        let shape = match &input {
            Input::Path(path) if path.is_file() => {
                recognise(path, limits, &|record, document| suite.is_native(record, document))
            }
            _ => None,
        };
        match (input, shape) {
            (Input::Path(path), Some(shape)) => chats.push(ChatFile { path, shape }),
            (input, _) => others.push(input),
        }
    }
    (others, chats)
}

/// The records of a conversation, with ids.
pub(super) fn records<'a, S: RecordSuite>(
    suite: &S,
    supplied: &Supplied,
    mut conversation: Conversation<'a>,
    at: RecordLine<'_>,
) -> Result<Vec<Json<'a>>, Defect> {
    supplied.name(&mut conversation, at)?;
    Ok(suite.conversation(conversation))
}

/// The records of a line; usually it is one conversation.
pub(super) fn line<'a, S: RecordSuite>(
    suite: &S,
    supplied: &Supplied,
    json: Json<'a>,
    at: RecordLine<'_>,
) -> Result<Vec<Json<'a>>, Defect> {
    let mut all = vec![];
    for conversation in Format::Chat.conversations(json) {
        all.extend(records(suite, supplied, conversation?, at)?);
    }
    Ok(all)
}

/// Hands on the conversations of a log that is read as a whole, each with its number.
///
/// Tells whether it holds half of a surrogate pair.
pub(super) fn each(
    file: &ChatFile,
    cut_off: bool,
    reader: &mut FileReader,
    take: &mut dyn FnMut(Result<Conversation<'_>, Defect>, u64),
) -> Result<bool, Defect> {
    let mut number = 0;
    let mut numbered = |one: Result<Conversation<'_>, Defect>| {
        number += 1;
        take(one, number);
    };
    match file.shape {
        Shape::Archive => {
            reader.hash(&file.path)?;
            unpack(&file.path, reader.limits, &mut numbered)?;
            Ok(false)
        }
        Shape::Lines => Ok(false),
        Shape::Document(format) => {
            let bytes = reader.bytes(&file.path)?;
            let text = std::str::from_utf8(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes));
            let text = text.map_err(|_| Defect::new("bad_record", "UTF-8 text").field("input"))?;
            reader.limits.check_values(text.as_bytes()).map_err(|defect| defect.field("input"))?;
            let parsed = if cut_off { Json::parse_cut_off(text) } else { Json::parse(text).map(|json| (json, false)) };
            let Some((json, was_cut_off)) = parsed else {
                return Err(Defect::new("bad_record", "one JSON document").field("input"));
            };
            for one in format.conversations(json) {
                numbered(one.map(|conversation| named_by_file(conversation, format, &file.path)));
            }
            Ok(was_cut_off)
        }
    }
}

/// tau-bench writes a file for each agent and names it nowhere else.
fn named_by_file<'a>(mut conversation: Conversation<'a>, format: Format, path: &Path) -> Conversation<'a> {
    if format == Format::TauBench && conversation.usual.experiment.is_none() {
        let name = base_name(path);
        let stem = name.strip_suffix(".json").unwrap_or(&name);
        conversation.usual.experiment = Some(stem.to_string().into());
    }
    conversation
}
