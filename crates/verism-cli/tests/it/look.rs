//! Finds a value in a report by a path.

use serde_json::Value;

/// The value at a path such as `a.b[3].c`, `a[key=value,key=value].b` (first such row) or `a.#` (how many).
pub(crate) fn look(report: &Value, path: &str) -> Option<Value> {
    let mut now = vec![report.clone()];
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix('[') {
            let (inside, after) = inner.split_once(']')?;
            let rows = now.first()?.as_array()?.clone();
            now = match inside.parse::<usize>() {
                Ok(i) => vec![rows.get(i)?.clone()],
                Err(_) => {
                    let fits = |row: &Value| {
                        inside.split(',').all(|pair| {
                            let (key, value) = pair.split_once('=').unwrap();
                            row[key].as_str().map_or_else(|| row[key].to_string(), String::from) == value
                        })
                    };
                    rows.into_iter().filter(fits).collect()
                }
            };
            rest = after.strip_prefix('.').unwrap_or(after);
            continue;
        }
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        let (key, after) = rest.split_at(end);
        if key == "#" {
            let count = if now.len() == 1 { now[0].as_array().map_or(1, Vec::len) } else { now.len() };
            return Some(count.into());
        }
        now = vec![now.first()?.get(key)?.clone()];
        rest = after.strip_prefix('.').unwrap_or(after);
    }
    now.into_iter().next()
}
