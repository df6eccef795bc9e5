//! `verism merge`.

use std::path::Path;
use std::process::ExitCode;

use verism::Result;
use verism::score::content::Content;
use verism::score::manifest::Manifest;
use verism::score::place::ResultPlace;
use verism::suites::{Joined, Options, suite};

use super::score::write;
use crate::args::{Common, Merge};
use crate::embedding;
use crate::terminal::Terminal;

pub(crate) fn run(what: &Merge, common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    let folders: Vec<&Path> = what.folders.iter().map(|folder| folder.as_path()).collect();
    let suite = suite(&Manifest::read(folders[0])?.suite)?;
    let mut options = Options::default();
    what.options.iter().try_for_each(|pair| options.add(pair))?;
    let embed = embedding::wanted_by_shards(suite, folders[0], &options)?;
    terminal.heed_interrupts();
    let content = Content::Scores(suite.facts().id.to_string());
    let inputs = what.folders.clone();
    let wanted = what.output.clone().map(|place| ResultPlace { place, content, inputs, force: what.force });
    write(suite, wanted, &what.format, common, terminal, |to| {
        verism::suites::merge(suite, &Joined { folders: &folders, options: &options, embed }, terminal, to)
    })?;
    Ok(ExitCode::SUCCESS)
}
