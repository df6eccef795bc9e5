//! The states that were recorded for an original log, brought to its messages.

use super::python_repr;
use super::table::{Row, read_rows};
use super::{Reading, order, text};
use crate::error::Defect;
use crate::input::value::Json;
use crate::suites::guest::bad;
use crate::suites::guest::record::vocabulary::{FIELDS, read_state};
use crate::text::normalize::trim;

const COLUMNS: [&str; 7] = [
    "message_index",
    "message_id",
    "current_items_in_order",
    "is_ordering_complete",
    "menu_exploration_style",
    "mood_tone",
    "ordering_style",
];

/// Adds the states and orders of a states file to the messages of its log.
pub(crate) fn add_states(bytes: &[u8], reading: &mut Reading) -> Result<(), Defect> {
    for row in read_rows(bytes, COLUMNS)? {
        add_row(&row, reading).map_err(|defect| defect.line(row.line))?;
    }
    Ok(())
}

/// Adds a row to the guest message with its id, or at its index where it has no id.
fn add_row(row: &Row<'_, 7>, reading: &mut Reading) -> Result<(), Defect> {
    let [index, id, items, ..] = &row.cells;
    let place = match id.as_ref() {
        "" => read_index(index)?,
        id => reading.ids.get(id).copied(),
    };
    let message = place.and_then(|place| reading.messages.get_mut(place)).filter(|message| message.role == "guest");
    let Some(message) = message else {
        reading.note("orphan_state", None, Some(format!("state row {index}")));
        return Ok(());
    };
    // A later row replaces an earlier one: its state whole, its order only if it has one.
    message.state = state(row)?;
    if !trim(items).is_empty() {
        message.order = read_items(items)?;
    }
    Ok(())
}

/// A place among the messages, written `3` or `3.0`; none if it is beyond all of them.
fn read_index(cell: &str) -> Result<Option<usize>, Defect> {
    let (whole, zeros) = cell.split_once('.').unwrap_or((cell, ""));
    let fits = !whole.is_empty() && whole.bytes().all(|b| b.is_ascii_digit()) && zeros.bytes().all(|b| b == b'0');
    if !fits {
        return Err(bad("message_index", "a whole number, as the row has no message_id", Some(&text(cell))));
    }
    Ok(whole.parse().ok())
}

/// The state of a row in the words of the suite; none if nothing is recorded.
fn state(row: &Row<'_, 7>) -> Result<Option<Json<'static>>, Defect> {
    let recorded = COLUMNS.iter().zip(&row.cells).skip(3).filter(|(_, cell)| !cell.is_empty());
    let cells = Json::Object(recorded.map(|(column, cell)| ((*column).into(), text(cell))).collect());
    let Some(state) = read_state(&cells, "state")? else { return Ok(None) };
    let values = FIELDS.iter().filter_map(|field| Some((field.name().into(), text(state.get(*field)?))));
    Ok(Some(Json::Object(values.collect())))
}

/// The order of a cell that is JSON or a Python literal; none for null.
fn read_items(cell: &str) -> Result<Option<Json<'static>>, Defect> {
    const AT: &str = "current_items_in_order";
    match Json::parse(cell).or_else(|| python_repr::parse(cell)) {
        Some(value) => order(&value, AT),
        None => Err(bad(AT, "JSON or a Python literal", Some(&text(cell)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_a_whole_number_with_or_without_zero_fraction() {
        for (cell, index) in [("3", Some(3)), ("3.0", Some(3)), ("3.", Some(3)), ("007", Some(7))] {
            assert_eq!(read_index(cell), Ok(index), "{cell}");
        }
        assert_eq!(read_index("99999999999999999999999"), Ok(None));
        for cell in ["", "x", "-1", "1.5", " 1", ".0", "1.0.0", "+1", "٣"] {
            assert_eq!(read_index(cell).expect_err("no index").field.as_deref(), Some("message_index"), "{cell}");
        }
    }

    #[test]
    fn items_are_json_or_a_python_literal() {
        let json = |cell: &str| read_items(cell).expect("items").map(|items| crate::score::json::text(&items));
        assert_eq!(json(r#"[{"name": "Tea"}]"#).as_deref(), Some(r#"{"items":[{"name":"Tea"}]}"#));
        assert_eq!(
            json("{'items': [{'name': \"Chef's Tea\"}]}").as_deref(),
            Some(r#"{"items":[{"name":"Chef's Tea"}]}"#)
        );
        assert_eq!((json("null"), json("None")), (None, None));
        assert_eq!(read_items("[").expect_err("no list").field.as_deref(), Some("current_items_in_order"));
    }
}
