//! A record of the native format, in the order in which it is written.

use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Record {
    pub(super) experiment: String,
    pub(super) case: String,
    pub(super) dialogue: String,
    pub(super) level: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) persona: Option<Persona>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) target_order: Option<Order>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) final_order: Option<Order>,
    pub(super) messages: Vec<Message>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<Note>,
}

#[derive(Serialize)]
pub(super) struct Persona {
    pub(super) id: &'static str,
    pub(super) bio: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) expected: Option<Expected>,
}

#[derive(Serialize)]
pub(super) struct Expected {
    pub(super) exploration: &'static str,
    pub(super) moods: &'static [&'static str],
    pub(super) ordering: &'static str,
    pub(super) complete: &'static str,
}

/// A message; `content` stands in the place of `text` in chat style.
#[derive(Default, Serialize)]
pub(super) struct Message {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<String>,
    pub(super) role: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) state: Option<State>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) order: Option<Order>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tool_calls: Option<Vec<Call>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tool_call_id: Option<&'static str>,
    /// How the guest behaved, whoever saw it.
    #[serde(skip)]
    pub(super) truth: Option<State>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct State {
    pub(super) exploration: &'static str,
    pub(super) mood: &'static str,
    pub(super) ordering: &'static str,
    pub(super) complete: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<&'static str>,
}

#[derive(Clone, Default, Serialize)]
pub(super) struct Order {
    pub(super) items: Vec<Line>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<&'static str>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Line {
    pub(super) name: &'static str,
    pub(super) quantity: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) modifiers: Vec<Modifier>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Modifier {
    pub(super) r#type: &'static str,
    pub(super) option: &'static str,
}

#[derive(Serialize)]
pub(super) struct Call {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<&'static str>,
    pub(super) name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) agent: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<serde_json::Value>,
}

#[derive(Serialize)]
pub(super) struct Note {
    pub(super) audit: &'static str,
    pub(super) turn: Option<usize>,
    pub(super) detail: Option<&'static str>,
}

/// The name of the tool that reports the order.
pub(super) const ORDER_TOOL: &str = "update_order_tracking";
/// The name of the tool that plans the style of the next message.
pub(super) const STYLE_TOOL: &str = "get_message_generation_attributes_for_next_message";
/// Tools that only look something up.
pub(super) const BASIC_TOOLS: [&str; 3] = ["get_persona_of_self", "get_target_order", "get_past_messages_history"];

impl Call {
    pub(super) fn new(name: &'static str, result: Option<serde_json::Value>) -> Call {
        Call { id: None, name, agent: None, result }
    }
}

impl State {
    /// What a style tool answers in the original project: an enumeration per field.
    pub(super) fn as_original_text(&self) -> String {
        let field =
            |name: &str, kind: &str, value: &str| format!("{name}=<{kind}.{}: '{value}'>", value.to_uppercase());
        let fields = [
            field("is_ordering_complete", "IsOrderingComplete", self.complete),
            field("next_message_menu_exploration_style", "MenuExplorationStyle", self.exploration),
            field("next_message_mood_tone", "MessageMoodTone", self.mood),
            field("next_message_ordering_style", "OrderingStyle", self.ordering),
        ];
        format!("Message generation attributes for your next message: {}", fields.join(" "))
    }
}

/// What an order tool answers in the original project: the items so far and the items wanted, as Python writes them.
pub(super) fn orders_as_original_text(current: &[Line], target: &[Line]) -> String {
    let items = |lines: &[Line]| lines.iter().map(Line::as_python).collect::<Vec<_>>().join(", ");
    format!(
        "Latest Order tracking : current_items_in_order=[{}] target_items_to_order=[{}]",
        items(current),
        items(target)
    )
}

impl Line {
    fn as_python(&self) -> String {
        let options: Vec<String> = self
            .modifiers
            .iter()
            .map(|m| {
                format!("Modifier(modifier_type_name={}, modifier_option_name={})", quoted(m.r#type), quoted(m.option))
            })
            .collect();
        format!("OrderItem(name={}, quantity={}, modifiers=[{}])", quoted(self.name), self.quantity, options.join(", "))
    }
}

/// A text in the quotes that Python prefers.
fn quoted(text: &str) -> String {
    if text.contains('\'') { format!("\"{text}\"") } else { format!("'{text}'") }
}
