//! Orders in the forms that logs have: JSON of a record, JSON of a tool, and the original's text.

use super::menu::Line;
use crate::grammar::push_digits;

/// Appends a text as a JSON string.
pub(crate) fn push_text(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c => out.push(c),
        }
    }
    out.push('"');
}

fn push_list<T>(items: &[T], separator: &str, out: &mut String, mut each: impl FnMut(&T, &mut String)) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push_str(separator);
        }
        each(item, out);
    }
}

/// How much of a line is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Name, quantity, modifiers by kind and option.
    Short,
    /// Prices and flags too, as a target has them.
    Full,
}

/// Appends lines as a JSON list.
pub(crate) fn push_items(lines: &[Line], detail: Detail, out: &mut String) {
    let mut name = String::new();
    out.push('[');
    push_list(lines, ", ", out, |line, out| {
        name.clear();
        line.push_name(&mut name);
        out.push_str("{\"name\": ");
        push_text(&name, out);
        out.push_str(", \"quantity\": ");
        push_digits(line.quantity, 1, out);
        if detail == Detail::Full {
            out.push_str(", \"base_price\": 9.5");
        }
        out.push_str(", \"modifiers\": [");
        push_list(&line.modifiers, ", ", out, |(kind, option), out| {
            out.push_str("{\"modifier_type_name\": ");
            push_text(kind, out);
            out.push_str(", \"modifier_option_name\": ");
            push_text(option, out);
            out.push_str(if detail == Detail::Full { ", \"is_required\": true, \"price\": 0.0}" } else { "}" });
        });
        out.push_str(if detail == Detail::Full { "], \"item_total_price\": 9.5}" } else { "]}" });
    });
    out.push(']');
}

/// Appends lines as the original prints its objects.
pub(crate) fn push_python(lines: &[Line], out: &mut String) {
    let mut name = String::new();
    out.push('[');
    push_list(lines, ", ", out, |line, out| {
        name.clear();
        line.push_name(&mut name);
        out.push_str("OrderItem(name=");
        push_quoted(&name, out);
        out.push_str(", quantity=");
        push_digits(line.quantity, 1, out);
        out.push_str(", base_price=0.0, modifiers=[");
        push_list(&line.modifiers, ", ", out, |(kind, option), out| {
            out.push_str("Modifier(modifier_type_name=");
            push_quoted(kind, out);
            out.push_str(", modifier_option_name=");
            push_quoted(option, out);
            out.push_str(", is_required=False, price=0.0)");
        });
        out.push_str("], item_total_price=0.0)");
    });
    out.push(']');
}

/// A text in the quotes that Python prefers.
fn push_quoted(text: &str, out: &mut String) {
    let quote = if text.contains('\'') { '"' } else { '\'' };
    out.push(quote);
    out.push_str(text);
    out.push(quote);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped() {
        let mut out = String::new();
        push_text("a\"b\\c\nd\te é", &mut out);
        assert_eq!(out, r#""a\"b\\c\nd\te é""#);
    }

    #[test]
    fn python_takes_the_other_quotes_for_an_apostrophe() {
        let mut out = String::new();
        push_quoted("Chef's Sauce", &mut out);
        push_quoted("Large", &mut out);
        assert_eq!(out, "\"Chef's Sauce\"'Large'");
    }
}
