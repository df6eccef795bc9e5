//! Small synthetic logs: two models, three groups, three runs, as the original project writes them.

use std::fs;
use std::path::Path;

use crate::error::{Error, Result};
use crate::stats::random::philox;

/// Numbers drawn in order from one stream.
struct Dice {
    key: [u64; 2],
    drawn: u64,
}

impl Dice {
    /// A number in [0, 1).
    fn roll(&mut self) -> f64 {
        let word = philox([self.drawn, 0, 0, 0], self.key)[0];
        self.drawn += 1;
        (word >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[(self.roll() * items.len() as f64) as usize]
    }
}

const AGENTS: usize = 24;
const YEARS: i64 = 8;

const LOW: [&str; 3] = [
    "The river has stayed low for years, so I feel safe here.",
    "Flooding is unlikely on our street; the risk is minimal.",
    "My street lies low, but the threat level seems low too.",
];
const HIGH: [&str; 3] = [
    "I'm worried: last year's water was dangerous, and the danger isn't gone.",
    "The risk is high after two severe floods in a row.",
    "Threat level: High, \"the worst season yet\" as the paper put it.",
];
const MIDDLE: [&str; 2] = ["A moderate threat, I am not worried yet.", "Medium - some streets flooded, ours did not."];
const COPING: [&str; 3] = [
    "I am confident that I can manage.",
    "I cannot afford much; insufficient resources.",
    "Neighbours help, so I feel prepared.",
];

/// An agent's house as the year ends.
#[derive(Default)]
struct House {
    elevated: bool,
    insured: bool,
    relocated: bool,
}

/// Writes the logs below a folder.
pub(super) fn write(folder: &Path) -> Result<()> {
    for (m, model) in ["gemma3_4b", "llama3_8b"].into_iter().enumerate() {
        for (g, group) in ["Group_A", "Group_B", "Group_C"].into_iter().enumerate() {
            for run in 1..=3_u64 {
                // llama3_8b crashed in the last run of Group_C: a run folder without a log.
                let place = folder.join(model).join(group).join(format!("Run_{run}"));
                let failed = || Error::write(place.display().to_string());
                fs::create_dir_all(&place).map_err(failed())?;
                if (m, g, run) == (1, 2, 3) {
                    continue;
                }
                let mut dice = Dice { key: [run + 10 * m as u64, g as u64], drawn: 0 };
                let text = if g == 0 { ungoverned(&mut dice) } else { governed(&mut dice, g == 2) };
                fs::write(place.join("simulation_log.csv"), text).map_err(failed())?;
            }
        }
    }
    Ok(())
}

fn truth(flag: bool) -> &'static str {
    if flag { "True" } else { "False" }
}

/// Agents without a governor: free text, and now and then a decision against their own words or against physics.
fn ungoverned(dice: &mut Dice) -> String {
    let mut text = String::from(
        "\u{feff}agent_id,year,decision,raw_llm_decision,threat_appraisal,coping_appraisal,elevated,has_insurance,relocated\n",
    );
    let mut houses: Vec<House> = (0..AGENTS).map(|_| House::default()).collect();
    for year in 1..=YEARS {
        for (i, house) in houses.iter_mut().enumerate() {
            if house.relocated {
                text.push_str(&format!("Agent_{},{year},Already relocated,,N/A,N/A,,,\n", i + 1));
                continue;
            }
            let level = dice.roll();
            let threat = if level < 0.3 {
                dice.pick(&LOW)
            } else if level < 0.7 {
                dice.pick(&MIDDLE)
            } else {
                dice.pick(&HIGH)
            };
            let choice = dice.roll();
            let raw = match choice {
                c if c < 0.38 => "Do Nothing",
                c if c < 0.62 => "Buy flood insurance",
                c if c < 0.82 => "Elevate the house",
                c if c < 0.90 => "I will buy insurance and elevate my house",
                c if c < 0.96 => "Relocate",
                _ => "Wait and see how the neighbours decide",
            };
            house.elevated |= (0.62..0.90).contains(&choice);
            house.insured = choice < 0.62 && (house.insured || choice >= 0.38) || (0.82..0.90).contains(&choice);
            house.relocated |= (0.90..0.96).contains(&choice);
            let state = match (house.relocated, house.elevated, house.insured) {
                (true, _, _) => "Relocate",
                (_, true, true) => "Both Flood Insurance and House Elevation",
                (_, true, false) => "Only House Elevation",
                (_, false, true) => "Only Flood Insurance",
                _ => "Do Nothing",
            };
            text.push_str(&format!(
                "Agent_{},{year},{state},{raw},\"{}\",\"{}\",{},{},{}\n",
                i + 1,
                threat.replace('"', "\"\""),
                dice.pick(&COPING),
                truth(house.elevated),
                truth(house.insured),
                truth(house.relocated)
            ));
        }
    }
    text
}

/// Agents under a governor, who send back most choices that contradict the stated threat; with memory, fewer are made.
fn governed(dice: &mut Dice, memory: bool) -> String {
    let mut text = String::from(
        "agent_id,year,yearly_decision,proposed_skill,governance_intervention,retry_count,threat_appraisal,coping_appraisal,elevated,has_insurance,relocated\n",
    );
    let mut houses: Vec<House> = (0..AGENTS).map(|_| House::default()).collect();
    for year in 1..=YEARS {
        for (i, house) in houses.iter_mut().enumerate() {
            if house.relocated {
                text.push_str(&format!("Agent_{},{year},relocated,,False,0,N/A,N/A,,,True\n", i + 1));
                continue;
            }
            let threat = dice.pick(&["VL", "L", "M", "M", "H", "VH"]);
            let coping = dice.pick(&["L", "M", "H"]);
            let skills = ["do_nothing", "buy_insurance", "elevate_house", "relocate"];
            let offered = if memory && dice.roll() < 0.6 { 3 } else { 4 };
            let proposed = dice.pick(&skills[..offered]);
            let odd = match (threat, proposed) {
                ("H" | "VH", "do_nothing") | ("L" | "VL", "elevate_house" | "relocate") => true,
                (_, "elevate_house") => house.elevated,
                _ => false,
            };
            let caught = odd && dice.roll() < 0.9;
            let decided = match (caught, threat) {
                (false, _) => proposed,
                (true, "H" | "VH") => "buy_insurance",
                (true, _) => "do_nothing",
            };
            house.elevated |= decided == "elevate_house";
            house.insured = decided == "buy_insurance" || (house.insured && dice.roll() < 0.5);
            house.relocated |= decided == "relocate";
            text.push_str(&format!(
                "Agent_{},{year},{decided},{proposed},{},{},{threat},{coping},{},{},{}\n",
                i + 1,
                truth(caught),
                u8::from(caught) + u8::from(caught && dice.roll() < 0.3),
                truth(house.elevated),
                truth(house.insured),
                truth(house.relocated)
            ));
        }
    }
    text
}
