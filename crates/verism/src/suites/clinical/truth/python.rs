//! JSON values as Python prints them: the form in which records of the original project name what cannot be read.

use crate::input::value::Json;
use crate::score::json;
use crate::score::table::python_repr;

/// A value as `str` prints it.
pub(crate) fn text_of(value: &Json<'_>) -> String {
    match value {
        Json::Text(text) => text.to_string(),
        Json::Null => "None".into(),
        Json::Bool(true) => "True".into(),
        Json::Bool(false) => "False".into(),
        Json::Int(x) => x.to_string(),
        Json::Float(x) => python_repr(*x),
        other => dumps(other),
    }
}

/// A value as `json.dumps` prints it, letters as they are.
pub(crate) fn dumps(value: &Json<'_>) -> String {
    match value {
        Json::List(items) => format!("[{}]", items.iter().map(dumps).collect::<Vec<_>>().join(", ")),
        Json::Object(entries) => {
            let pair = |(key, value): &(_, Json<'_>)| format!("{}: {}", json::text(key), dumps(value));
            format!("{{{}}}", entries.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
        Json::Float(x) => python_repr(*x),
        other => json::text(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_look_as_in_python() {
        // CPython 3.11: str(x) and json.dumps(x, ensure_ascii=False).
        let json = Json::parse(r#"[1, 2.0, true, null, "가", {"a": [1e22]}]"#).expect("JSON");
        assert_eq!(dumps(&json), r#"[1, 2.0, true, null, "가", {"a": [1e+22]}]"#);
        let items: Vec<String> = json.list().expect("a list").iter().take(5).map(text_of).collect();
        assert_eq!(items, ["1", "2.0", "True", "None", "가"]);
    }
}
