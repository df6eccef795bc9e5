//! The statistics as a calculator: one JSON request in, one JSON result out.
//!
//! A request names an operation and its arguments, `{"op": "welch", "x": [...], "y": [...]}`; the result holds the fields of
//! that operation's struct. Arguments that are unknown, missing, of the wrong kind or out of range are refused by name. An
//! `id` (text or whole number) comes back with the answer.

mod help;
mod plans;
mod random;
mod request;
mod samples;
mod tables;

use serde_json::{Map, Value, json};

pub use help::{help, operations};

use request::{BadRequest, Request};

/// An operation: its name, the arguments it knows, and what answers it.
#[derive(Debug)]
struct Operation {
    name: &'static str,
    arguments: &'static [&'static str],
    answer: fn(&Request) -> Result<Value, BadRequest>,
}

const fn op(
    name: &'static str,
    arguments: &'static [&'static str],
    answer: fn(&Request) -> Result<Value, BadRequest>,
) -> Operation {
    Operation { name, arguments, answer }
}

/// Every operation there is.
#[rustfmt::skip]
const OPERATIONS: &[Operation] = &[
    op("describe", &["x", "alpha", "ci", "ddof"], samples::describe),
    op("proportion", &["k", "n", "alpha"], samples::proportion),
    op("welch", &["x", "y", "alpha", "ci"], samples::welch),
    op("student", &["x", "y", "alpha", "ci"], samples::student),
    op("paired_t", &["x", "y", "d", "alpha", "ci"], samples::paired_t),
    op("wilcoxon", &["x", "y", "d", "zero", "exact"], samples::wilcoxon),
    op("mannwhitney", &["x", "y", "exact"], samples::mannwhitney),
    op("signflip", &["x", "y", "d", "resamples", "seed"], samples::signflip),
    op("permutation", &["x", "y", "resamples", "seed", "first"], samples::permutation),
    op("mcnemar", &["x", "y", "b", "c"], samples::mcnemar),
    op("effect", &["x", "y", "alpha", "d_sd", "ddof"], samples::effect),
    op("effect_paired", &["x", "y", "d", "alpha"], samples::effect_paired),
    op("pearson", &["x", "y", "alpha"], tables::pearson),
    op("spearman", &["x", "y", "alpha", "resamples", "seed", "ci", "boot"], tables::spearman),
    op("kendall", &["x", "y"], tables::kendall),
    op("adjust", &["p", "log10_p", "method"], tables::adjust),
    op("cluster_mean", &["values", "clusters", "se", "alpha"], tables::cluster_mean),
    op("cluster_diff", &["x", "x_clusters", "y", "y_clusters", "crossed", "se", "alpha", "ci"], tables::cluster_diff),
    op("anova", &["groups"], tables::anova),
    op("kruskal", &["groups"], tables::kruskal),
    op("friedman", &["groups"], tables::friedman),
    op("icc", &["groups", "alpha"], tables::icc),
    op("noise", &["cells", "alpha"], tables::noise),
    op("power", &["design", "effect_d", "n", "n_x", "n_y", "alpha"], plans::power),
    op("mde", &["design", "n", "n_x", "n_y", "sd", "se", "df", "alpha", "power"], plans::mde),
    op("required_n", &["design", "effect_d", "alpha", "power"], plans::required_n),
    op("tost", &["delta", "diff", "se", "df", "x", "y", "d", "design", "alpha"], plans::tost),
    op("verdict", &["diff", "lo", "hi", "p_adj", "sesoi", "equivalent", "direction", "alpha", "reason"], plans::verdict),
    op("bootstrap", &["x", "y", "stat", "paired", "method", "resamples", "seed", "alpha", "streams", "clusters", "x_clusters",
        "y_clusters", "crossed"], random::bootstrap),
    op("rng", &["key", "counter"], random::rng),
    op("rng_indices", &["seed", "domain", "resample", "stream", "n", "count"], random::rng_indices),
    op("rng_signs", &["seed", "resample", "n"], random::rng_signs),
    op("rng_shuffle", &["seed", "domain", "resample", "n"], random::rng_shuffle),
    op("dist", &["fn", "t", "df", "z", "x", "f", "df1", "df2", "q", "ncp"], random::dist),
];

/// Gives the answer to one request: the fields of its result, or `{"error": "..."}`.
pub fn answer(request: &Value) -> Value {
    let mut fields = match respond(request) {
        Ok(Value::Object(fields)) => fields,
        Ok(other) => Map::from_iter([("value".to_string(), other)]),
        Err(problem) => Map::from_iter([("error".to_string(), json!(problem.to_string()))]),
    };
    if let Some(id) = request.get("id").filter(|id| id.is_string() || id.is_i64() || id.is_u64()) {
        fields.insert("id".to_string(), id.clone());
    }
    Value::Object(fields)
}

/// Gives the answer to one line of input, `None` for a blank one.
pub fn answer_line(line: &str) -> Option<Value> {
    if line.trim().is_empty() {
        return None;
    }
    let parsed = serde_json::from_str::<Value>(line).ok().filter(Value::is_object);
    Some(parsed.map_or_else(|| json!({"error": "record: expected a JSON object"}), |request| answer(&request)))
}

fn respond(request: &Value) -> Result<Value, BadRequest> {
    let fields = request.as_object().ok_or_else(|| BadRequest::expected("record", "a JSON object"))?;
    let name = fields.get("op").ok_or_else(|| BadRequest::missing("op"))?;
    let operation = OPERATIONS.iter().find(|operation| name.as_str() == Some(operation.name));
    let operation = operation.ok_or_else(|| {
        let names: Vec<&str> = OPERATIONS.iter().map(|operation| operation.name).collect();
        BadRequest::expected("op", &format!("one of {}", names.join("|")))
    })?;
    let arguments: Map<String, Value> =
        fields.iter().filter(|(k, _)| *k != "op" && *k != "id").map(|(k, v)| (k.clone(), v.clone())).collect();
    for argument in arguments.keys() {
        if !operation.arguments.contains(&argument.as_str()) {
            return Err(BadRequest::expected(argument, &format!("no argument of this name for {}", operation.name)));
        }
    }
    (operation.answer)(&Request { arguments: &arguments })
}

#[cfg(test)]
mod tests;
