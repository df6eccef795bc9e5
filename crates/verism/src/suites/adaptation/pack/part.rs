//! A table of a pack's TOML, read key by key.

use toml::{Table, Value};

use crate::error::Defect;

/// A defect of a pack.
pub(super) fn bad(field: impl Into<String>, expected: impl Into<String>) -> Defect {
    Defect::new("bad_pack", expected).field(field)
}

/// A table of the pack with its name, from which known keys are taken.
pub(super) struct PackTable<'l> {
    pub(super) name: &'static str,
    pub(super) table: Table,
    /// Keys that mean nothing.
    pub(super) unknown: &'l mut Vec<String>,
}

impl PackTable<'_> {
    pub(super) fn text(&mut self, key: &'static str) -> Result<Option<String>, Defect> {
        match self.table.remove(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(bad(self.path(key), "a text")),
        }
    }

    pub(super) fn needed(&mut self, key: &'static str) -> Result<String, Defect> {
        self.text(key)?.ok_or_else(|| bad(key, "this key in the pack"))
    }

    pub(super) fn texts(&mut self, key: &'static str) -> Result<Option<Vec<String>>, Defect> {
        let field = self.path(key);
        self.table.remove(key).map(|value| texts(value, &field)).transpose()
    }

    pub(super) fn flag(&mut self, key: &'static str, default: bool) -> Result<bool, Defect> {
        match self.table.remove(key) {
            None => Ok(default),
            Some(Value::Boolean(flag)) => Ok(flag),
            Some(_) => Err(bad(self.path(key), "true or false")),
        }
    }

    pub(super) fn table(&mut self, key: &'static str) -> Result<Table, Defect> {
        match self.table.remove(key) {
            None => Ok(Table::new()),
            Some(Value::Table(table)) => Ok(table),
            Some(_) => Err(bad(self.path(key), "a table")),
        }
    }

    fn path(&self, key: &str) -> String {
        format!("{}.{key}", self.name)
    }

    /// Notes the keys that nobody took.
    pub(super) fn close(self) {
        self.unknown.extend(self.table.keys().map(|key| format!("{}.{key}", self.name)));
    }
}

/// A list of texts.
pub(super) fn texts(value: Value, field: &str) -> Result<Vec<String>, Defect> {
    let wrong = || bad(field, "a list of texts");
    let Value::Array(items) = value else { return Err(wrong()) };
    let text = |item| if let Value::String(text) = item { Ok(text) } else { Err(wrong()) };
    items.into_iter().map(text).collect()
}
