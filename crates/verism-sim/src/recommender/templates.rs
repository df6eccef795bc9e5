//! The words of users and agents, as `templates.json` has them.

use std::sync::LazyLock;

use verism::input::value::Json;

/// The texts of users and agents; see `templates.json`.
pub(super) const TEMPLATES: &str = include_str!("templates.json");

static PARSED: LazyLock<Json<'static>> = LazyLock::new(|| Json::parse(TEMPLATES).expect("our own templates are JSON"));

/// The table of a language, or a table that is the same for all.
pub(super) fn table(path: &[&str]) -> &'static Json<'static> {
    const NOTHING: &Json<'static> = &Json::Null;
    path.iter().fold(&*PARSED, |json, key| json.get(key).unwrap_or(NOTHING))
}

/// The texts of a list.
pub(super) fn texts(path: &[&str]) -> Vec<&'static str> {
    table(path).list().unwrap_or_default().iter().filter_map(Json::text).collect()
}

/// One text.
pub(super) fn text(path: &[&str]) -> &'static str {
    table(path).text().unwrap_or_default()
}

/// Names with weights, in the order of the file.
pub(super) fn weights(path: &[&str]) -> Vec<(&'static str, usize)> {
    let entries = table(path).object().unwrap_or_default();
    entries.iter().map(|(name, weight)| (name.as_ref(), weight.whole().unwrap_or(0) as usize)).collect()
}
