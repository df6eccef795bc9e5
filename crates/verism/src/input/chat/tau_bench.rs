//! Runs of tau-bench (a list of runs, each with `traj`) and tau2-bench (an object with `simulations`).
//!
//! A run is of a task (the case) and a trial (the run). The user is simulated: what it was told is the brief. tau-bench
//! names no model in its files; in tau2-bench it is that of the agent.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::content::{are_messages, read_messages};
use super::{Conversation, Entries, Ids, bad, below, id};
use crate::error::Defect;
use crate::input::value::Json;

pub(super) fn is_log(document: &Json<'_>) -> bool {
    let run = |item: &Json<'_>| item.entry("task_id").is_some() && item.get("traj").is_some_and(are_messages);
    match document {
        Json::List(items) => items.first().is_some_and(run),
        Json::Object(_) => document.get("simulations").and_then(Json::list).is_some() || run(document),
        _ => false,
    }
}

pub(super) fn conversations(document: Json<'_>) -> Vec<Result<Conversation<'_>, Defect>> {
    match document {
        Json::List(items) => {
            let read = |(i, item)| run(item).map_err(|defect| below(&format!("[{i}]."), defect));
            items.into_iter().enumerate().map(read).collect()
        }
        document if document.get("simulations").is_some() => simulations(document),
        one => vec![run(one)],
    }
}

/// A run of tau-bench.
fn run(item: Json<'_>) -> Result<Conversation<'_>, Defect> {
    let task = item.get("info").and_then(|info| info.get("task"));
    let brief = task.and_then(|task| text(task.get("instruction")));
    let reward = number(item.get("reward"));
    of_run(item, "traj", brief, reward)
}

/// The runs of tau2-bench.
fn simulations<'a>(document: Json<'a>) -> Vec<Result<Conversation<'a>, Defect>> {
    let agent = document.get("info").and_then(|info| info.get("agent_info"));
    let model = agent.and_then(|agent| id(agent.get("llm")).or_else(|| id(agent.get("implementation"))));
    let tasks = document.get("tasks").and_then(Json::list).unwrap_or_default();
    // Of tasks with one id the first counts.
    let mut briefs: FxHashMap<String, Option<String>> = FxHashMap::default();
    for task in tasks.iter().filter(|task| task.get("id").is_some()) {
        let scenario = task.get("user_scenario");
        let brief = || scenario.and_then(|scenario| text(scenario.get("instructions"))).map(Cow::into_owned);
        briefs.entry(key(task.get("id"))).or_insert_with(brief);
    }
    let Json::Object(entries) = document else { return vec![] };
    let runs = match entries.into_iter().find(|(key, _)| key == "simulations") {
        Some((_, Json::List(runs))) => runs,
        other => return vec![Err(bad("simulations", "a list of runs", other.as_ref().map(|(_, value)| value)))],
    };
    let read = |(i, item): (usize, Json<'a>)| {
        let brief = briefs.get(&key(item.get("task_id"))).cloned().flatten();
        let reward = number(item.get("reward_info").and_then(|info| info.get("reward")));
        let mut conversation = of_run(item, "messages", brief.map(Cow::Owned), reward)
            .map_err(|defect| below(&format!("simulations[{i}]."), defect))?;
        conversation.usual.experiment = model.clone().map(|model| model.into_owned().into());
        Ok(conversation)
    };
    runs.into_iter().enumerate().map(read).collect()
}

fn of_run<'a>(
    item: Json<'a>,
    messages: &str,
    brief: Option<Cow<'a, str>>,
    reward: Option<f64>,
) -> Result<Conversation<'a>, Defect> {
    let Json::Object(entries) = item else { return Err(bad("", "a run (an object)", Some(&item))) };
    let mut said = None;
    let mut fields: Entries<'a> = vec![];
    for (key, value) in entries {
        if key == messages { said = Some(value) } else { fields.push((key, value)) }
    }
    let mut conversation = Conversation { fields, brief, ..Conversation::default() };
    conversation.messages = read_messages(said, messages)?;
    conversation.ids =
        Ids { run: id(conversation.field("trial")), case: id(conversation.field("task_id")), ..Ids::default() };
    conversation.scores.extend(reward.map(|reward| ("reward".into(), reward)));
    Ok(conversation)
}

/// What tells values apart, of any kind.
fn key(value: Option<&Json<'_>>) -> String {
    value.map_or(String::new(), crate::text::json::text)
}

/// A text, or JSON that stands in for one.
fn text<'a>(value: Option<&Json<'a>>) -> Option<Cow<'a, str>> {
    match value? {
        Json::Text(text) => Some(text.clone()),
        Json::Null => None,
        other => Some(crate::text::json::text(other).into()),
    }
}

fn number(value: Option<&Json<'_>>) -> Option<f64> {
    match value? {
        Json::Int(x) => Some(*x as f64),
        Json::Float(x) => Some(*x),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_tau_bench_is_of_a_task_and_a_trial() {
        let text = r#"[{"task_id":0,"reward":1.0,"info":{"task":{"instruction":"You are Mia.","user_id":"mia"}},"trial":2,
            "traj":[{"role":"system","content":"policy"},{"role":"user","content":"Hi"},
            {"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"look","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"c","name":"look","content":"{}"}]}]"#;
        let json = Json::parse(text).expect("JSON");
        assert!(is_log(&json));
        let run = conversations(json).remove(0).expect("a run");
        assert_eq!((run.ids.case.as_deref(), run.ids.run.as_deref()), (Some("0"), Some("2")));
        assert_eq!((run.ids.experiment, run.brief.as_deref()), (None, Some("You are Mia.")));
        assert_eq!((run.messages.len(), run.scores), (4, vec![("reward".into(), 1.0)]));
    }

    #[test]
    fn a_simulation_of_tau2_bench_knows_its_agent_and_its_user() {
        let text = r#"{"info":{"agent_info":{"implementation":"llm_agent","llm":"gpt-4.1"}},
            "tasks":[{"id":"5","user_scenario":{"persona":null,"instructions":{"reason_for_call":"refund"}}}],
            "simulations":[{"id":"s1","task_id":"5","trial":0,"reward_info":{"reward":0.0},
            "messages":[{"role":"assistant","content":"Hi!"},{"role":"user","content":"Hello","turn_idx":1}]}]}"#;
        let json = Json::parse(text).expect("JSON");
        assert!(is_log(&json));
        let run = conversations(json).remove(0).expect("a run");
        assert_eq!((run.ids.case.as_deref(), run.ids.run.as_deref()), (Some("5"), Some("0")));
        assert_eq!(run.usual.experiment.as_deref(), Some("gpt-4.1"));
        assert_eq!((run.brief.as_deref(), run.scores[0].1), (Some(r#"{"reason_for_call":"refund"}"#), 0.0));
    }

    #[test]
    fn a_bad_run_is_named_by_its_place() {
        let text = r#"[{"task_id":0,"traj":[]},{"task_id":1},{"task_id":2,"traj":[{"role":"user","content":1}]}]"#;
        let read = conversations(Json::parse(text).expect("JSON"));
        let fields: Vec<Option<String>> = read.into_iter().map(|one| one.err().and_then(|d| d.field)).collect();
        assert_eq!(fields, [None, Some("[1].traj".into()), Some("[2].traj[0].content".into())]);
    }
}
