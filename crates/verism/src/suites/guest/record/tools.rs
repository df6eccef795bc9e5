//! States and orders that a tool's result reports.

use std::borrow::Cow;

use memchr::{memchr_iter, memmem};

use super::dialogue::CallResult;
use super::order::{Names, Order, read_order};
use super::vocabulary::{FIELDS, State, read_state};
use crate::input::value::Json;
use crate::suites::guest::original::python_repr;
use crate::text::normalize::is_blank;

/// A result as an object: as it is, or as JSON text.
fn with_object<T>(
    result: &CallResult<'_>,
    object: impl FnOnce(&Json<'_>) -> Option<T>,
    text: impl FnOnce(&str) -> Option<T>,
) -> Option<T> {
    let words = match result {
        CallResult::None => return None,
        CallResult::Json(json @ Json::Object(_)) => return object(json),
        CallResult::Json(json) => json.text()?,
        CallResult::Text(text) => text,
    };
    // Anything but an object is not worth a parser's time.
    let braced = words.trim_start_matches(is_blank).starts_with('{');
    match braced.then(|| Json::parse(words)).flatten() {
        Some(json @ Json::Object(_)) => object(&json),
        _ => text(words),
    }
}

/// The behaviour that a result reports.
pub(crate) fn state_from_result(result: &CallResult<'_>) -> Option<State<'static>> {
    let read = |object: &Json<'_>| read_state(object, "result").ok().flatten().map(State::into_owned);
    with_object(result, read, |text| {
        let all: Vec<(&str, &str)> = assignments(text).collect();
        let found = FIELDS.iter().filter_map(|field| {
            field.keys().iter().find_map(|key| {
                let (_, value) = all.iter().find(|(name, _)| name == key)?;
                Some((Cow::Borrowed(*key), Json::Text(Cow::Borrowed(*value))))
            })
        });
        read(&Json::Object(found.collect()))
    })
}

/// The keys of fields that stand before `=<Enum.NAME…`, `='value'` or `="value"` in a text as whole words, and the values.
fn assignments(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_name = |c: char| c == '_' || c.is_alphanumeric();
    memchr_iter(b'=', text.as_bytes()).filter_map(move |at| {
        let (before, value) = (&text[..at], &text[at + 1..]);
        let key = &before[before.trim_end_matches(is_name).len()..];
        if !FIELDS.iter().any(|field| field.keys().contains(&key)) {
            return None;
        }
        let found = match value.chars().next() {
            Some('<') => {
                let class = value[1..].find(|c| !is_name(c)).unwrap_or(value.len() - 1);
                let name = value[1 + class..].strip_prefix('.').filter(|_| class > 0);
                let name = name.map(|name| &name[..name.find(|c| !is_name(c)).unwrap_or(name.len())]);
                name.filter(|name| !name.is_empty())
            }
            Some(quote @ ('\'' | '"')) => value[1..].split_once(quote).map(|(inner, _)| inner),
            _ => None,
        };
        Some((key, found?))
    })
}

/// The order that a result reports, and the target as the tool saw it.
pub(crate) fn order_from_result(result: &CallResult<'_>, names: &mut Names) -> Option<(Order, Option<Order>)> {
    let names = std::cell::RefCell::new(names);
    let read = |value: &Json<'_>| read_order(value, "result", &mut names.borrow_mut()).ok();
    with_object(
        result,
        |object| {
            let current = ["items", "current_items_in_order"].iter().find_map(|key| object.entry(key))?;
            let target = object.get("target_items_to_order");
            Some((read(current)??, target.map_or(Some(None), read)?))
        },
        |text| {
            let list = |key: &str| match memmem::find(text.as_bytes(), key.as_bytes()) {
                Some(at) => python_repr::parse_start(&text[at + key.len()..]).and_then(|value| read(&value)),
                None => Some(None),
            };
            let current = list("current_items_in_order=")?;
            let target = list("target_items_to_order=")?;
            Some((current?, target))
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &'static str) -> CallResult<'static> {
        CallResult::Text(text.into())
    }

    #[test]
    fn behaviour_is_read_from_json_and_from_the_originals_text() {
        let json = text(r#" {"mood": "Casual", "ordering_style": "one by one"}"#);
        let own = text("next_message_mood_tone=<MoodTone.CASUAL: 'x'> ordering_style=\"One by one\" xmood_tone='no'");
        assert_eq!(state_from_result(&json), state_from_result(&own));
        assert!(state_from_result(&json).is_some());
        assert_eq!(state_from_result(&text("nothing here")), None);
        assert_eq!(state_from_result(&text("[1]")), None);
    }

    #[test]
    fn orders_are_read_from_json_and_from_the_originals_text() {
        let mut names = Names::default();
        let json = text(r#"{"items":[{"name":"Tea","modifiers":["Hot"]}],"target_items_to_order":["Tea"]}"#);
        let own = text(
            "current_items_in_order=[OrderItem(name='Tea', modifiers=[Modifier(name='Hot')])] \
             target_items_to_order=[OrderItem(name='Tea', modifiers=[])]",
        );
        let first = order_from_result(&json, &mut names);
        assert!(first.as_ref().is_some_and(|(order, target)| order.set.len() == 2 && target.is_some()));
        assert_eq!(first, order_from_result(&own, &mut names));
        assert_eq!(order_from_result(&text("current_items_in_order=[OrderItem("), &mut names), None);
        assert_eq!(order_from_result(&text(r#"{"mood":"casual"}"#), &mut names), None);
    }
}
