//! Orders: items with quantities and modifiers, under normalised names.

use std::fmt;
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::names::normalise;
use crate::error::Defect;
use crate::input::value::Json;
use crate::suites::guest::bad;
use crate::text::normalize::trim;
use crate::text::numbered::Numbered;

/// Largest quantity of a line.
const MAX_QUANTITY: i128 = 999;

/// Most lines of an order.
const MOST_LINES: usize = 10_000;
/// Most different lines of one name: what SOM pairs with each other takes their number to the third power.
const MOST_ALIKE: usize = 400;

/// Number of a normalised name within a conversation.
pub(crate) type Name = u32;

/// The names of a conversation: each raw text is normalised once.
#[derive(Debug, Default)]
pub(crate) struct Names {
    raw: Numbered,
    /// The number of each raw name once it is normalised; none if nothing is left of it.
    of_raw: Vec<Option<Name>>,
    normalised: Numbered,
}

impl Names {
    /// No names yet, and room for those of a usual conversation.
    pub(crate) fn new() -> Names {
        const USUAL: usize = 28;
        let (raw, normalised) = (Numbered::with_capacity(USUAL), Numbered::with_capacity(USUAL));
        Names { raw, of_raw: Vec::with_capacity(USUAL), normalised }
    }

    /// The number of a raw name; none if nothing is left of it.
    pub(crate) fn number(&mut self, raw: &str) -> Option<Name> {
        let place = self.raw.number(raw) as usize;
        if place == self.of_raw.len() {
            let text = normalise(raw);
            let number = (!text.is_empty()).then(|| self.of_normalised(&text));
            self.of_raw.push(number);
        }
        self.of_raw[place]
    }

    /// The number of a text that is normalised already.
    pub(crate) fn of_normalised(&mut self, text: &str) -> Name {
        self.normalised.number(text)
    }

    pub(crate) fn text(&self, name: Name) -> &str {
        self.normalised.name(name)
    }

    /// The texts of some names in code point order.
    pub(crate) fn texts<'n>(&'n self, names: impl IntoIterator<Item = &'n Name>) -> Vec<&'n str> {
        let mut texts: Vec<&str> = names.into_iter().map(|name| self.text(*name)).collect();
        texts.sort_unstable();
        texts
    }
}

/// A line of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// None if nothing is left of the name.
    pub(crate) name: Option<Name>,
    /// Where its modifiers stand among those of the order.
    modifiers: Range<usize>,
    pub(crate) quantity: u32,
}

/// An order as far as it can be compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) lines: Vec<Line>,
    /// The modifier options of all lines; those of a line are sorted, each once.
    pub(crate) modifiers: Vec<Name>,
    /// The set C or T of ORA: names of items and modifiers, sorted.
    pub(crate) set: Vec<Name>,
}

impl Order {
    /// An order of nothing.
    pub(crate) const EMPTY: Order = Order { lines: vec![], modifiers: vec![], set: vec![] };

    /// The modifier options of a line, sorted, each once.
    pub(crate) fn modifiers(&self, line: &Line) -> &[Name] {
        &self.modifiers[line.modifiers.clone()]
    }

    /// Gathers the set.
    fn complete(mut self) -> Order {
        let mut set = Vec::with_capacity(self.lines.len() + self.modifiers.len());
        for line in self.lines.iter().filter(|line| line.quantity > 0) {
            set.extend(line.name);
            set.extend_from_slice(self.modifiers(line));
        }
        set.sort_unstable();
        set.dedup();
        self.set = set;
        self
    }

    /// The largest number of different lines that share a name.
    fn most_alike(&self) -> usize {
        let mut kinds: FxHashMap<Option<Name>, FxHashSet<&[Name]>> = FxHashMap::default();
        for line in &self.lines {
            kinds.entry(line.name).or_default().insert(self.modifiers(line));
        }
        kinds.values().map(FxHashSet::len).max().unwrap_or(0)
    }
}

/// Sorts the numbers from a place on and drops repeated ones.
fn sort_from(numbers: &mut Vec<Name>, from: usize) {
    numbers[from..].sort_unstable();
    let mut kept = from;
    for place in from..numbers.len() {
        if place == from || numbers[place] != numbers[kept - 1] {
            numbers[kept] = numbers[place];
            kept += 1;
        }
    }
    numbers.truncate(kept);
}

/// How many names two sets share.
pub(crate) fn common(a: &[Name], b: &[Name]) -> usize {
    a.iter().filter(|name| b.binary_search(name).is_ok()).count()
}

/// What an order holds its items under, if it is not their list itself.
fn inner<'a, 'j>(order: &'a Json<'j>) -> Option<(&'static str, &'a Json<'j>)> {
    let keys = ["items", "order_items", "current_items_in_order", "target_order"];
    keys.into_iter().find_map(|key| Some((key, order.entry(key)?)))
}

/// The list of items of an order; none if there is no such list.
pub(crate) fn items_of<'a, 'j>(order: &'a Json<'j>) -> Option<&'a [Json<'j>]> {
    std::iter::successors(Some(order), |value| Some(inner(value)?.1)).find_map(Json::list)
}

/// The path at which the items of an order stand or should stand, and what stands there.
pub(crate) fn innermost<'a, 'j>(order: &'a Json<'j>, at: &str) -> (String, &'a Json<'j>) {
    let (mut path, mut value) = (at.to_string(), order);
    while let Some((key, inner)) = inner(value) {
        path = format!("{path}.{key}");
        value = inner;
    }
    (path, value)
}

/// Reads an order; none for null.
pub(crate) fn read_order(order: &Json<'_>, at: &str, names: &mut Names) -> Result<Option<Order>, Defect> {
    if matches!(order, Json::Null) {
        return Ok(None);
    }
    let Some(items) = items_of(order) else {
        let (path, value) = innermost(order, at);
        return Err(bad(path, "a list of items, or an object with items", Some(value)));
    };
    let path = || innermost(order, at).0;
    if items.len() > MOST_LINES {
        let defect = Defect::new("too_large", format!("an order of at most {MOST_LINES} lines"));
        return Err(defect.field(path()).value(format!("{} lines", items.len())));
    }
    let mut read = Order { lines: Vec::with_capacity(items.len()), ..Order::EMPTY };
    for (i, item) in items.iter().enumerate() {
        let line = read_line(item, names, &mut read.modifiers);
        read.lines.push(line.map_err(|fault| fault.at(&format!("{}[{i}]", path())))?);
    }
    if items.len() > MOST_ALIKE && read.most_alike() > MOST_ALIKE {
        let expected = format!("at most {MOST_ALIKE} different lines of one name in an order");
        return Err(Defect::new("too_large", expected).field(path()).value(format!("{} lines", read.most_alike())));
    }
    Ok(Some(read.complete()))
}

/// What is wrong with an item, with the path below it.
struct Fault<'a> {
    below: String,
    expected: &'static str,
    value: &'a Json<'a>,
}

impl Fault<'_> {
    fn at(&self, item: &str) -> Defect {
        bad(format!("{item}{}", self.below), self.expected, Some(self.value))
    }
}

/// Reads a line; its modifiers are added to those of the order.
fn read_line<'a>(item: &'a Json<'a>, names: &mut Names, modifiers: &mut Vec<Name>) -> Result<Line, Fault<'a>> {
    let from = modifiers.len();
    let fault = |below: &str, expected, value| Fault { below: below.into(), expected, value };
    if let Json::Text(text) = item {
        return Ok(Line { name: names.number(text), modifiers: from..from, quantity: 1 });
    }
    if !matches!(item, Json::Object(_)) {
        return Err(fault("", "text or an object", item));
    }
    let name = ["name", "item_name", "item"].iter().find_map(|key| filled(item.get(key)?));
    let name = name.ok_or_else(|| fault(".name", "the item's name (text)", item))?;
    for key in ["modifiers", "modifier"] {
        if let Some(value) = item.get(key) {
            let below = ItemPath::Key(key);
            options_of(value, &below, &mut |option| modifiers.extend(names.number(option)))?;
        }
    }
    sort_from(modifiers, from);
    let quantity = match item.get("quantity") {
        None => 1,
        Some(value) => match value.whole().filter(|q| (0..=MAX_QUANTITY).contains(q)) {
            Some(q) => q as u32,
            None => return Err(fault(".quantity", "a whole number 0..999", value)),
        },
    };
    Ok(Line { name: names.number(name), modifiers: from..modifiers.len(), quantity })
}

/// A text that is not blank.
fn filled<'a>(value: &'a Json<'_>) -> Option<&'a str> {
    value.text().filter(|text| !trim(text).is_empty())
}

/// A path below an item, put into words only where something is wrong.
enum ItemPath<'b> {
    Key(&'static str),
    Item(&'b ItemPath<'b>, usize),
}

impl fmt::Display for ItemPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ItemPath::Key(key) => write!(f, ".{key}"),
            ItemPath::Item(list, i) => write!(f, "{list}[{i}]"),
        }
    }
}

/// Hands on the options that a modifier names.
fn options_of<'a>(value: &'a Json<'a>, below: &ItemPath<'_>, take: &mut dyn FnMut(&str)) -> Result<(), Fault<'a>> {
    match value {
        Json::Null => Ok(()),
        Json::Text(text) => {
            take(text);
            Ok(())
        }
        Json::List(items) => {
            items.iter().enumerate().try_for_each(|(i, item)| options_of(item, &ItemPath::Item(below, i), take))
        }
        Json::Object(entries) => {
            let named = ["option", "modifier_option_name", "value", "name", "modifier"];
            match named.iter().find_map(|key| filled(value.get(key)?)) {
                Some(option) => take(option),
                None => entries
                    .iter()
                    .filter(|(key, _)| key != "type" && key != "modifier_type_name")
                    .filter_map(|(_, value)| filled(value))
                    .for_each(take),
            }
            Ok(())
        }
        _ => Err(Fault { below: below.to_string(), expected: "text, an object or a list", value }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> Vec<String> {
        let mut names = Names::default();
        let json = Json::parse(text).expect("JSON");
        let order = read_order(&json, "order", &mut names).expect("an order").expect("not null");
        names.texts(&order.set).into_iter().map(String::from).collect()
    }

    fn fault(text: &str) -> String {
        let json = Json::parse(text).expect("JSON");
        let defect = read_order(&json, "order", &mut Names::default()).expect_err("a fault");
        defect.field.expect("a path")
    }

    #[test]
    fn an_order_has_a_stated_size() {
        let line = |i: usize| format!("{{\"name\":\"tea\",\"modifiers\":[\"m{i}\"]}}");
        let order = |n: usize, line: &dyn Fn(usize) -> String| {
            let text = format!("[{}]", (0..n).map(line).collect::<Vec<_>>().join(","));
            let json = Json::parse(&text).expect("JSON");
            read_order(&json, "order", &mut Names::default()).map(drop).map_err(|defect| defect.code.into_owned())
        };
        assert_eq!(order(MOST_ALIKE, &line), Ok(()));
        assert_eq!(order(MOST_ALIKE + 1, &line), Err("too_large".to_string()));
        assert_eq!(order(MOST_LINES, &|i| line(i % 9)), Ok(()), "the same lines again and again");
        assert_eq!(order(MOST_LINES, &|i| format!("\"dish {i}\"")), Ok(()), "one line of each name");
        assert_eq!(order(MOST_LINES + 1, &|i| format!("\"dish {i}\"")), Err("too_large".to_string()));
    }

    #[test]
    fn every_shape_of_a_modifier_yields_its_option() {
        // Section 2.4 of the specification, by hand.
        for modifier in [
            r#""Large""#,
            r#"["Large"]"#,
            r#"{"type":"Size","option":"Large"}"#,
            r#"{"modifier_type_name":"Size","modifier_option_name":"Large"}"#,
            r#"{"name":"Size","value":"Large"}"#,
            r#"{"type":"Size","name":"Large"}"#,
            r#"{"type":"Size","choice":"Large"}"#,
        ] {
            assert_eq!(set(&format!(r#"[{{"name":"Tea","modifiers":{modifier}}}]"#)), ["large", "tea"], "{modifier}");
        }
    }

    #[test]
    fn a_line_of_zero_is_not_in_the_order() {
        assert_eq!(
            set(r#"{"items":[{"item":"Tea","quantity":0},{"item_name":"The Ramen","quantity":2.0}]}"#),
            ["ramen"]
        );
    }

    #[test]
    fn faults_are_named_by_their_path() {
        assert_eq!(fault(r#"{"items":{}}"#), "order.items");
        assert_eq!(fault(r#"{"order_items":[{"name":" "}]}"#), "order.order_items[0].name");
        assert_eq!(fault(r#"["a",{"name":"b","quantity":1.5}]"#), "order[1].quantity");
        assert_eq!(fault(r#"[{"name":"b","quantity":1000}]"#), "order[0].quantity");
        assert_eq!(fault(r#"[{"name":"b","modifiers":["x",7]}]"#), "order[0].modifiers[1]");
        assert_eq!(fault("[3]"), "order[0]");
        assert_eq!(fault("3"), "order");
    }
}
