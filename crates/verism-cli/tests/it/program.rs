//! Runs the binary.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("no JSON ({e}): {}\n{}", self.out, self.err))
    }
}

/// Runs `verism` in a folder with nothing on standard input.
pub(crate) fn verism(folder: &Path, arguments: &[&str]) -> Ran {
    fed(folder, arguments, b"")
}

/// Runs `verism` in a folder with bytes on standard input.
pub(crate) fn fed(folder: &Path, arguments: &[&str], input: &[u8]) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_verism"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let bytes = input.to_vec();
    let feeder = std::thread::spawn(move || drop(stdin.write_all(&bytes)));
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    Ran {
        code: status.code().unwrap_or(-1),
        out: String::from_utf8(stdout).unwrap(),
        err: String::from_utf8(stderr).unwrap(),
    }
}

/// A small sound tree: one model, two groups, one run.
pub(crate) fn write_tree(root: &Path) {
    let governed = "agent_id,year,yearly_decision,threat_appraisal,coping_appraisal,elevated,has_insurance,relocated,governance_intervention,retry_count\n\
        a1,1,elevate_house,H,M,True,False,False,False,0\n\
        a1,2,elevate_house,L,M,True,False,False,True,2\n\
        a2,1,do_nothing,VH,M,False,False,False,False,0\n\
        a2,2,buy_insurance,M,M,False,True,False,False,0\n";
    for group in ["Group_A", "Group_B"] {
        let folder = root.join("m").join(group).join("Run_1");
        std::fs::create_dir_all(&folder).unwrap();
        let text = if group == "Group_A" {
            "agent_id,year,decision,raw_llm_decision,threat_appraisal,coping_appraisal,elevated,has_insurance,relocated\n\
             a1,1,Do Nothing,do nothing,\"I'm afraid, the water rises\",I can manage,False,False,False\n\
             a2,1,Only House Elevation,elevate,The risk is low,prepared,True,False,False\n\
             a1,2,Only Flood Insurance,insure,moderate,prepared,False,True,False\n\
             a2,2,Only House Elevation,do nothing,a minimal danger,prepared,True,False,False\n"
        } else {
            governed
        };
        std::fs::write(folder.join("simulation_log.csv"), text).unwrap();
    }
}
