//! One cell of the benchmark: the log of 100 agents over 10 years, ungoverned or governed.

use crate::agent::{Action, Decision, Level, State};
use crate::grammar::{Grammar, push_digits};
use crate::memory::Memory;
use crate::phrases::{LISTS, NUMBERS};
use crate::random::Random;

/// Agents in a cell.
pub(crate) const AGENTS: usize = 100;
/// Years in a cell.
pub(crate) const YEARS: usize = 10;
/// Rows in a cell.
pub(crate) const ROWS: usize = AGENTS * YEARS;

/// The two layouts of the original logs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    Ungoverned,
    Governed,
}

impl Format {
    /// The header line without its end.
    pub(crate) fn header(self) -> &'static str {
        match self {
            Self::Ungoverned => {
                "agent_id,year,decision,raw_llm_code,raw_llm_decision,threat_appraisal,coping_appraisal,memory,\
                 trust_in_insurance,trust_in_neighbors,elevated,has_insurance,relocated,flooded_this_year"
            }
            Self::Governed => {
                "agent_id,year,cumulative_state,yearly_decision,proposed_skill,governance_intervention,failed_rules,\
                 hallucination_types,retry_count,threat_appraisal,coping_appraisal,elevated,has_insurance,relocated,\
                 trust_insurance,trust_neighbors,memory"
            }
        }
    }
}

/// Writes the rows of cells; keeps the compiled grammar and a buffer for texts.
pub(crate) struct Writer {
    grammar: Grammar,
    text: String,
}

impl Default for Writer {
    fn default() -> Self {
        Self { grammar: Grammar::new(LISTS, NUMBERS), text: String::new() }
    }
}

impl Writer {
    /// Appends the first `rows` rows of a cell, years outside and agents inside, each line after `prefix`.
    pub(crate) fn cell(&mut self, format: Format, rows: usize, prefix: &str, random: &mut Random, out: &mut String) {
        let mut states = [State::default(); AGENTS];
        let mut memories: Vec<Memory> = (0..AGENTS).map(|_| Memory::default()).collect();
        for year in 1..=YEARS {
            let flooded_year = random.chance(350);
            for agent in 0..AGENTS {
                if (year - 1) * AGENTS + agent >= rows {
                    return;
                }
                out.push_str(prefix);
                out.push_str("Agent_");
                push_digits(agent + 1, 1, out);
                out.push(',');
                push_digits(year, 1, out);
                let before = states[agent];
                let flooded = flooded_year && random.chance(700);
                let decision = Decision::draw(before, flooded, random);
                let row = Row { before, flooded, decision };
                states[agent] = match format {
                    Format::Ungoverned => self.ungoverned(row, &mut memories[agent], random, out),
                    Format::Governed => self.governed(row, &mut memories[agent], random, out),
                };
                out.push('\n');
            }
        }
    }

    fn ungoverned(&mut self, row: Row, memory: &mut Memory, random: &mut Random, out: &mut String) -> State {
        if row.before.relocated {
            out.push_str(",Already relocated,,,N/A,N/A,,,,,,,");
            return row.before;
        }
        let after = row.before.after(row.decision.action);
        out.push(',');
        out.push_str(cumulative(after));
        if random.chance(5) && !row.decision.violates(row.before) {
            out.push_str(",,Unknown,");
        } else {
            let (code, intent) = raw_decision(row.decision.action, row.before);
            for part in [",", code, ",", intent, ","] {
                out.push_str(part);
            }
        }
        self.appraisal(["threat_low", "threat_medium", "threat_high"], "threat_more", row.decision.threat, random);
        push_field(&self.text, out);
        out.push(',');
        self.appraisal(["coping_low", "coping_medium", "coping_high"], "coping_more", row.decision.coping, random);
        push_field(&self.text, out);
        out.push(',');
        memory.learn(&self.grammar, random, 1, 3);
        self.remember(memory, out);
        push_share(random, 3, out);
        push_share(random, 3, out);
        for flag in [after.elevated, after.insured, after.relocated, row.flooded] {
            push_flag(flag, out);
        }
        after
    }

    fn governed(&mut self, row: Row, memory: &mut Memory, random: &mut Random, out: &mut String) -> State {
        if row.before.relocated {
            out.push_str(",Relocated,relocated,N/A,False,,,0,N/A,N/A");
            for flag in [row.before.elevated, row.before.insured, true] {
                push_flag(flag, out);
            }
            push_share(random, 2, out);
            push_share(random, 2, out);
            out.push(',');
            self.remember(memory, out);
            return row.before;
        }
        let skill = skill(row.decision.action);
        let intervened = random.chance(60);
        let rejected = intervened && random.chance(250);
        let after = row.before.after(if rejected { Action::Nothing } else { row.decision.action });
        let proposed = if intervened && random.chance(600) { random.pick(&SKILLS) } else { skill };
        for part in [",", cumulative(after), ",", skill, ",", proposed] {
            out.push_str(part);
        }
        push_flag(intervened, out);
        out.push(',');
        if intervened {
            out.push_str(random.pick(&["elevation_block", "low_threat_block", "extreme_threat_block"]));
            out.push(',');
            out.push_str(random.pick(&["", "thinking", "identity"]));
        } else {
            out.push(',');
        }
        out.push(',');
        push_digits(if intervened { 1 + random.below(3) } else { usize::from(random.chance(30)) }, 1, out);
        for part in [",", row.decision.threat.token(), ",", row.decision.coping.token()] {
            out.push_str(part);
        }
        for flag in [after.elevated, after.insured, after.relocated] {
            push_flag(flag, out);
        }
        push_share(random, 2, out);
        push_share(random, 2, out);
        out.push(',');
        memory.learn(&self.grammar, random, 2, 6);
        self.remember(memory, out);
        after
    }

    fn remember(&mut self, memory: &Memory, out: &mut String) {
        self.text.clear();
        memory.tell(&mut self.text);
        push_field(&self.text, out);
    }

    /// An appraisal of one to three sentences in the text buffer: the first carries the level.
    fn appraisal(&mut self, first: [&str; 3], more: &str, level: Level, random: &mut Random) {
        self.text.clear();
        let list = match level {
            Level::VeryLow | Level::Low => first[0],
            Level::Medium => first[1],
            Level::High | Level::VeryHigh => first[2],
        };
        self.grammar.say(self.grammar.list(list), random, &mut self.text);
        if let Some(head) = self.text.get_mut(..1) {
            head.make_ascii_uppercase();
        }
        for _ in 0..random.weighted(&[(0, 45), (1, 43), (2, 12)]) {
            self.text.push_str(random.weighted(&[(" ", 96), ("\n", 1), ("\n\n", 1), (" \u{2014} ", 2)]));
            let start = self.text.len();
            self.grammar.say(self.grammar.list(more), random, &mut self.text);
            if let Some(head) = self.text.get_mut(start..=start) {
                head.make_ascii_uppercase();
            }
        }
        if random.chance(150) && self.text.contains(['\'', '"']) {
            self.text = self.text.replace('\'', "\u{2019}").replace(" \"", " \u{201c}").replace('"', "\u{201d}");
        }
    }
}

/// What the writers of both formats know about a row.
#[derive(Clone, Copy)]
struct Row {
    before: State,
    flooded: bool,
    decision: Decision,
}

const SKILLS: [&str; 4] = ["do_nothing", "buy_insurance", "elevate_house", "relocate"];

fn skill(action: Action) -> &'static str {
    match action {
        Action::Nothing => "do_nothing",
        Action::Insurance => "buy_insurance",
        Action::Elevation => "elevate_house",
        Action::Both => "both",
        Action::Relocation => "relocate",
    }
}

/// The code and the words of the model's own choice; an elevated house has a shorter menu.
fn raw_decision(action: Action, before: State) -> (&'static str, &'static str) {
    match action {
        Action::Insurance => ("1", "Buy flood insurance"),
        Action::Elevation => ("2", "Elevate the house"),
        Action::Both => ("1", "Both flood insurance and house elevation"),
        Action::Relocation => (if before.elevated { "2" } else { "3" }, "Relocate"),
        Action::Nothing => (if before.elevated { "3" } else { "4" }, "Do nothing"),
    }
}

/// The cumulative label of a state.
fn cumulative(state: State) -> &'static str {
    match (state.relocated, state.elevated, state.insured) {
        (true, _, _) => "Relocate",
        (_, true, true) => "Both Flood Insurance and House Elevation",
        (_, true, false) => "Only House Elevation",
        (_, false, true) => "Only Flood Insurance",
        (_, false, false) => "Do Nothing",
    }
}

fn push_flag(flag: bool, out: &mut String) {
    out.push_str(if flag { ",True" } else { ",False" });
}

/// A number in [0, 1) with the given number of decimals.
fn push_share(random: &mut Random, decimals: usize, out: &mut String) {
    out.push_str(",0.");
    push_digits(random.below(10_usize.pow(u32::try_from(decimals).expect("a few decimals"))), decimals, out);
}

/// Appends a field, in quotes where RFC 4180 wants them.
fn push_field(text: &str, out: &mut String) {
    if !text.bytes().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        out.push_str(text);
        return;
    }
    out.push('"');
    for (index, part) in text.split('"').enumerate() {
        if index > 0 {
            out.push_str("\"\"");
        }
        out.push_str(part);
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(format: Format) -> String {
        let mut out = String::new();
        for part in 0..20 {
            Writer::default().cell(format, ROWS, "", &mut Random::new(7, part), &mut out);
        }
        out
    }

    #[test]
    fn a_row_has_480_bytes_on_average() {
        let bytes = (rows(Format::Ungoverned).len() + rows(Format::Governed).len()) / (40 * ROWS);
        assert!((465..=495).contains(&bytes), "{bytes} bytes a row");
    }

    #[test]
    fn same_seed_same_bytes() {
        assert_eq!(rows(Format::Ungoverned), rows(Format::Ungoverned));
    }

    #[test]
    fn fields_with_commas_quotes_and_line_breaks_are_quoted() {
        let mut out = String::new();
        push_field("plain", &mut out);
        push_field("a \"b\",\nc", &mut out);
        assert_eq!(out, "plain\"a \"\"b\"\",\nc\"");
    }

    #[test]
    fn a_row_of_each_format_has_as_many_cells_as_its_header() {
        // Commas inside quotes belong to a text.
        for format in [Format::Ungoverned, Format::Governed] {
            let mut out = String::new();
            Writer::default().cell(format, 1, "", &mut Random::new(3, 1), &mut out);
            let mut quoted = false;
            let commas = out.chars().filter(|&c| {
                quoted ^= c == '"';
                c == ',' && !quoted
            });
            assert_eq!(commas.count(), format.header().matches(',').count(), "{out}");
        }
    }
}
