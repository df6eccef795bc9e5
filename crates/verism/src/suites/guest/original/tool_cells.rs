//! The `tool_calls` cell of an original log: strictly as Python wrote it, or scanned where its quotes are broken.

use memchr::memmem;

use super::python_repr;
use crate::input::value::Json;
use crate::text::normalize::trim;

/// A call that a cell tells of.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub(crate) name: String,
    /// The guest's own, not a sub-agent's.
    pub(crate) own: bool,
    pub(crate) result: Json<'static>,
}

/// How a cell was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellReading {
    /// It is blank: none made.
    Empty,
    /// As it stands; it may hold no call.
    Strict,
    /// By scanning for calls.
    Repaired,
    /// In neither way.
    Unreadable,
}

/// The calls of a cell in their order, and how it was read.
pub(crate) fn read(cell: &str) -> (Vec<Call>, CellReading) {
    if trim(cell).is_empty() {
        return (vec![], CellReading::Empty);
    }
    if let Some(calls) = read_strictly(cell) {
        return (calls, CellReading::Strict);
    }
    let mut calls = scan(cell);
    let how = if calls.is_empty() { CellReading::Unreadable } else { CellReading::Repaired };
    // A call without a name is a sign of calls, but no call that anything could be said about.
    calls.retain(|call| !call.name.is_empty());
    (calls, how)
}

/// The calls of `{'guest_agent': {'tool_calls': {ID: CALL}}, 'sub_agents': [{'tool_calls': …}]}`; none if it is anything else.
fn read_strictly(cell: &str) -> Option<Vec<Call>> {
    let tree = python_repr::parse(cell)?;
    let mut calls = vec![];
    if tree.is_nothing() {
        return Some(calls);
    }
    tree.object()?;
    if let Some(own) = filled(&tree, "guest_agent") {
        add_calls(own, true, &mut calls)?;
    }
    if let Some(groups) = filled(&tree, "sub_agents") {
        groups.list()?.iter().try_for_each(|group| add_calls(group, false, &mut calls))?;
    }
    Some(calls)
}

/// The value under a key, unless it counts as nothing.
fn filled<'a, 'j>(object: &'a Json<'j>, key: &str) -> Option<&'a Json<'j>> {
    object.get(key).filter(|value| !value.is_nothing())
}

fn add_calls(group: &Json<'_>, own: bool, calls: &mut Vec<Call>) -> Option<()> {
    group.object()?;
    let Some(recorded) = filled(group, "tool_calls") else { return Some(()) };
    for (_, call) in recorded.object()? {
        let name = call.get("tool_name")?.text().filter(|name| !name.is_empty())?;
        let result = call.get("result").cloned().unwrap_or_default().into_owned();
        calls.push(Call { name: name.to_string(), own, result });
    }
    Some(())
}

const SUB_AGENTS: &str = "'sub_agents': [";
const NAME: &str = "'tool_name': '";
const RESULT: &str = "'result': ";
const LATENCY: &str = ", 'decision_latency_sec'";

/// The calls of a cell whose quotes are broken: each runs from its name to the next one's.
fn scan(cell: &str) -> Vec<Call> {
    let (own, others) = cell.split_at(cell.rfind(SUB_AGENTS).unwrap_or(cell.len()));
    let mut calls = vec![];
    for (part, own) in [(own, true), (others, false)] {
        let starts: Vec<usize> = memmem::find_iter(part.as_bytes(), NAME).collect();
        let ends = starts.iter().skip(1).copied().chain([part.len()]);
        for (start, end) in starts.iter().zip(ends) {
            let stretch = &part[start + NAME.len()..end];
            calls.push(Call { name: scanned_name(stretch).to_string(), own, result: scanned_result(stretch) });
        }
    }
    calls
}

/// The name at the start of a stretch. One that never ends is cut short: half a name must not pass for a whole one.
fn scanned_name(stretch: &str) -> &str {
    match stretch.split_once('\'') {
        Some((name, _)) => name,
        None => stretch.char_indices().next_back().map_or("", |(last, _)| &stretch[..last]),
    }
}

/// The result in a stretch: a value if it reads as one, else its text without outer quotes.
fn scanned_result(stretch: &str) -> Json<'static> {
    let (Some(start), Some(end)) = (stretch.find(RESULT), stretch.rfind(LATENCY)) else { return Json::Null };
    let Some(raw) = stretch.get(start + RESULT.len()..end) else { return Json::Null };
    let raw = trim(raw);
    if let Some(value) = python_repr::parse(raw) {
        return value.into_owned();
    }
    let inner = ['\'', '"'].iter().find_map(|&quote| raw.strip_prefix(quote)?.strip_suffix(quote));
    Json::Text(inner.unwrap_or(raw).to_string().into())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(cell: &str) -> (Vec<String>, CellReading) {
        let (calls, how) = read(cell);
        let show = |call: Call| {
            let agent = if call.own { "own" } else { "sub" };
            format!("{} {agent} {}", call.name, crate::score::json::text(&call.result))
        };
        (calls.into_iter().map(show).collect(), how)
    }

    const SOUND: &str = "{'guest_agent': {'name': 'g', 'tool_calls': {'c1': {'tool_name': 'track', 'tool_args': {}, \
        'result': 'mood=<M.CASUAL: \\'x\\'>', 'decision_latency_sec': 0.5}, 'c2': {'tool_name': 'basic'}}}, \
        'sub_agents': [{'tool_calls': {'c3': {'tool_name': 'track', 'result': {'items': []}, \
        'decision_latency_sec': 1}}}, {}]}";

    #[test]
    fn a_sound_cell_is_read_as_it_stands() {
        // By hand, section 2.3 of the specification.
        let calls = ["track own \"mood=<M.CASUAL: 'x'>\"", "basic own null", "track sub {\"items\":[]}"];
        assert_eq!(shown(SOUND), (calls.map(String::from).into(), CellReading::Strict));
    }

    #[test]
    fn a_cell_with_lost_escapes_is_scanned() {
        let broken = SOUND.replace("\\'", "'");
        let calls = ["track own \"mood=<M.CASUAL: 'x'>\"", "basic own null", "track sub {\"items\":[]}"];
        assert_eq!(shown(&broken), (calls.map(String::from).into(), CellReading::Repaired));
    }

    #[test]
    fn no_call_and_no_reading_are_told_apart() {
        for (cell, how) in [
            ("", CellReading::Empty),
            (" \n", CellReading::Empty),
            ("{}", CellReading::Strict),
            ("[]", CellReading::Strict),
            ("None", CellReading::Strict),
            ("{'guest_agent': None, 'sub_agents': []}", CellReading::Strict),
            ("{'guest_agent': {'tool_calls': {}}}", CellReading::Strict),
            ("no calls could be logged", CellReading::Unreadable),
            ("[1]", CellReading::Unreadable),
            ("{'guest_agent': {'tool_calls': {'c': {}}}}", CellReading::Unreadable),
            ("{'sub_agents': {'a': 1}}", CellReading::Unreadable),
        ] {
            assert_eq!(shown(cell), (vec![], how), "{cell}");
        }
    }

    #[test]
    fn a_scan_takes_the_last_list_of_sub_agents_and_drops_outer_quotes() {
        // CPython 3.11, the reference's scan_tool_calls.
        let cell = "'tool_name': 'a', 'result': \"it's 'x\"y\", 'decision_latency_sec': 1 'sub_agents': [ \
                    'tool_name': 'b', 'result': None, 'decision_latency_sec': 'sub_agents': [ 'tool_name': 'c'";
        let calls = [r#"a own "it's 'x\"y""#, "b own null", "c sub null"];
        assert_eq!(shown(cell), (calls.map(String::from).into(), CellReading::Repaired));
    }

    #[test]
    fn half_a_name_is_not_a_name() {
        assert_eq!(shown("x 'tool_name': 'track"), (vec!["trac own null".into()], CellReading::Repaired));
        assert_eq!(shown("x 'tool_name': '"), (vec![], CellReading::Repaired));
    }

    #[test]
    fn hostile_cells_are_read_in_linear_time() {
        // Megabytes of what could be looked through again and again: seconds if anything were quadratic, hours if worse.
        for piece in
            [NAME, RESULT, LATENCY, SUB_AGENTS, "'", "\\", "{'a': ", "<A.", "f(a", "'tool_name': 'a', 'result': ["]
        {
            let (_, how) = read(&piece.repeat(1_000_000 / piece.len()));
            assert_ne!(how, CellReading::Strict);
        }
    }

    proptest! {
        #[test]
        fn a_scan_finds_what_a_strict_reading_finds(
            own in prop::collection::vec(("[a-z_]{1,6}", "[a-z ]{0,6}"), 0..4),
            others in prop::collection::vec(("[a-z_]{1,6}", "[a-z ]{0,6}"), 0..3),
        ) {
            let group = |calls: &[(String, String)]| {
                let call = |(i, (name, result)): (usize, &(String, String))| {
                    format!("'c{i}': {{'tool_name': '{name}', 'result': '{result}', 'decision_latency_sec': 0.1}}")
                };
                format!("{{'tool_calls': {{{}}}}}", calls.iter().enumerate().map(call).collect::<Vec<_>>().join(", "))
            };
            let cell = format!("{{'guest_agent': {}, 'sub_agents': [{}]}}", group(&own), group(&others));
            prop_assert_eq!(read_strictly(&cell), Some(scan(&cell)));
        }

        #[test]
        fn any_cell_is_read_somehow(pieces in prop::collection::vec(prop_oneof![
            Just(NAME.to_string()), Just(RESULT.to_string()), Just(LATENCY.to_string()), Just(SUB_AGENTS.to_string()),
            "(?s).{0,6}",
        ], 0..12)) {
            let _ = read(&pieces.concat());
        }
    }
}
