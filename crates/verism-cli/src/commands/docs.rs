//! `verism docs`.

use std::process::ExitCode;

use verism::{Defect, Result};

use crate::args::{Common, Docs};
use crate::terminal::Terminal;

/// The guides that are built in: name, title, text.
const GUIDES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/guides.rs"));

pub(crate) fn run(what: &Docs, common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    let Some(page) = &what.page else {
        let list: String = GUIDES.iter().map(|(name, about, _)| format!("{name:<12} {about}\n")).collect();
        if common.json {
            let pages: Vec<_> =
                GUIDES.iter().map(|(name, about, _)| serde_json::json!({"page": name, "about": about})).collect();
            terminal.print(&format!("{:#}\n", serde_json::json!({ "pages": pages })))?;
        } else {
            terminal.print(&list)?;
        }
        return Ok(ExitCode::SUCCESS);
    };
    let wanted = page.trim_start_matches("docs/").trim_end_matches(".md").to_lowercase();
    let Some((name, _, text)) = GUIDES.iter().find(|(name, ..)| *name == wanted) else {
        let known: Vec<&str> = GUIDES.iter().map(|(name, ..)| *name).collect();
        return Err(Defect::new("unknown_page", known.join("|")).field("PAGE").value(page).did_you_mean(known).into());
    };
    if common.json {
        terminal.print(&format!("{:#}\n", serde_json::json!({"page": name, "text": text})))?;
    } else {
        terminal.print(text)?;
    }
    Ok(ExitCode::SUCCESS)
}
