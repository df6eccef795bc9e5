//! YAML as a tree whose entries know their lines.

use std::borrow::Cow;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A value of a pack. Plain `true`, `false` and decimal numbers are what they look like; all else is text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    Text(String),
    Int(i64),
    Float(f64),
    Bool(bool),
    List(Vec<Entry>),
    /// In the order of the file.
    Map(Vec<(String, Entry)>),
}

/// A value with the line of its entry: of its key, or of the item of a list.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) line: u64,
    pub(crate) node: Node,
}

/// Entries are equal whatever their lines.
impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node
    }
}

impl Node {
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.node)
    }

    pub(crate) fn entry(&self, key: &str) -> Option<&Entry> {
        self.map()?.iter().find(|(name, _)| name == key).map(|(_, entry)| entry)
    }

    pub(crate) fn map(&self) -> Option<&[(String, Entry)]> {
        match self {
            Node::Map(entries) => Some(entries),
            _ => None,
        }
    }

    pub(crate) fn list(&self) -> Option<&[Entry]> {
        match self {
            Node::List(items) => Some(items),
            _ => None,
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Node::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Node::Int(x) => Some(*x as f64),
            Node::Float(x) => Some(*x),
            _ => None,
        }
    }

    /// The texts of a list that holds nothing else.
    pub(crate) fn texts(&self) -> Option<Vec<&str>> {
        self.list()?.iter().map(|item| item.node.text()).collect()
    }

    /// The value as it stands in a message.
    pub(crate) fn shown(&self) -> String {
        match self {
            Node::Text(text) => text.clone(),
            other => crate::score::json::text(other),
        }
    }

    /// A text or a number as an id.
    pub(crate) fn id(&self) -> Option<Cow<'_, str>> {
        match self {
            Node::Text(text) => Some(Cow::Borrowed(text)),
            Node::Int(x) => Some(Cow::Owned(x.to_string())),
            Node::Float(x) => Some(Cow::Owned(x.to_string())),
            _ => None,
        }
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Node::Text(text) => serializer.serialize_str(text),
            Node::Int(x) => serializer.serialize_i64(*x),
            Node::Float(x) => serializer.serialize_f64(*x),
            Node::Bool(x) => serializer.serialize_bool(*x),
            Node::List(items) => serializer.collect_seq(items.iter().map(|item| &item.node)),
            Node::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, entry) in entries {
                    map.serialize_entry(key, &entry.node)?;
                }
                map.end()
            }
        }
    }
}

/// The line at which reading failed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NoYaml(pub(crate) u64);

/// Deepest nesting that is read.
const DEEPEST: usize = 64;

/// Reads one YAML document.
pub(crate) fn parse(text: &str) -> Result<Node, NoYaml> {
    let mut reader = Reader { parser: Parser::new_from_str(text), depth: 0 };
    loop {
        let (event, span) = reader.next()?;
        match event {
            Event::StreamStart | Event::DocumentStart(_) | Event::Nothing => {}
            Event::StreamEnd => return Err(NoYaml(1)),
            first => {
                let node = reader.node(first, span)?;
                return reader.nothing_more().map(|()| node);
            }
        }
    }
}

struct Reader<'t> {
    parser: Parser<'t, saphyr_parser::StrInput<'t>>,
    depth: usize,
}

fn line(span: Span) -> u64 {
    span.start.line() as u64
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Result<(Event<'t>, Span), NoYaml> {
        match self.parser.next_event() {
            Some(Ok(event)) => Ok(event),
            Some(Err(error)) => Err(NoYaml(error.marker().line() as u64)),
            None => Ok((Event::StreamEnd, Span::default())),
        }
    }

    /// A second document is none of ours.
    fn nothing_more(&mut self) -> Result<(), NoYaml> {
        loop {
            match self.next()? {
                (Event::DocumentEnd | Event::Nothing, _) => {}
                (Event::StreamEnd, _) => return Ok(()),
                (_, span) => return Err(NoYaml(line(span))),
            }
        }
    }

    fn node(&mut self, event: Event<'t>, span: Span) -> Result<Node, NoYaml> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(NoYaml(line(span)));
        }
        let node = match event {
            Event::Scalar(text, ScalarStyle::Plain, ..) => plain(&text).ok_or(NoYaml(line(span)))?,
            Event::Scalar(text, ..) => Node::Text(text.into_owned()),
            Event::SequenceStart(..) => self.list()?,
            Event::MappingStart(..) => self.map()?,
            // An alias would make a place in the file mean another one.
            _ => return Err(NoYaml(line(span))),
        };
        self.depth -= 1;
        Ok(node)
    }

    fn list(&mut self) -> Result<Node, NoYaml> {
        let mut items = vec![];
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(Node::List(items)),
                (event, span) => {
                    let at = line(span);
                    items.push(Entry { line: at, node: self.node(event, span)? });
                }
            }
        }
    }

    fn map(&mut self) -> Result<Node, NoYaml> {
        let mut entries: Vec<(String, Entry)> = vec![];
        loop {
            match self.next()? {
                (Event::MappingEnd, _) => return Ok(Node::Map(entries)),
                (Event::Scalar(key, ..), span) => {
                    let at = line(span);
                    if entries.iter().any(|(name, _)| *name == key) {
                        return Err(NoYaml(at));
                    }
                    let (event, span) = self.next()?;
                    // A key without a value says nothing, and its line is that of the key.
                    let empty = matches!(&event, Event::Scalar(text, ScalarStyle::Plain, ..) if text.is_empty());
                    if empty {
                        return Err(NoYaml(at));
                    }
                    entries.push((key.into_owned(), Entry { line: at, node: self.node(event, span)? }));
                }
                (_, span) => return Err(NoYaml(line(span))),
            }
        }
    }
}

/// What a plain scalar is; an empty one is nothing.
fn plain(text: &str) -> Option<Node> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let float = unsigned.split_once('.').is_some_and(|(whole, part)| digits(whole) && digits(part));
    Some(match text {
        "" => return None,
        "true" => Node::Bool(true),
        "false" => Node::Bool(false),
        _ if digits(unsigned) => text.parse().map_or_else(|_| Node::Text(text.to_string()), Node::Int),
        _ if float => Node::Float(text.parse().ok().filter(|x: &f64| x.is_finite())?),
        _ => Node::Text(text.to_string()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_know_their_lines_and_kinds() {
        let node = parse("a: 1\nb:\n  - {id: x, w: -2.5}\n  - yes\n# more\nc: [true, \"1\", 예*]\n").expect("YAML");
        let b = node.entry("b").expect("b");
        assert_eq!(b.line, 2);
        let items = b.node.list().expect("a list");
        assert_eq!((items[0].line, items[1].line), (3, 4));
        assert_eq!(items[0].node.get("w"), Some(&Node::Float(-2.5)));
        assert_eq!(items[1].node, Node::Text("yes".into()));
        let c = node.entry("c").expect("c");
        let texts = [Node::Bool(true), Node::Text("1".into()), Node::Text("예*".into())];
        assert_eq!(
            (c.line, c.node.list().map(|items| items.iter().map(|x| x.node.clone()).collect())),
            (6, Some(texts.to_vec()))
        );
    }

    #[test]
    fn what_is_no_yaml_names_its_line() {
        for (text, line) in
            [("a: 1\na: 2\n", 2), ("a: 1\nb: [1, 2]]\n", 2), ("a: 1\nb:\n", 2), ("", 1), ("a: &x 1\nb: *x\n", 2)]
        {
            assert_eq!(parse(text), Err(NoYaml(line)), "{text:?}");
        }
    }
}
