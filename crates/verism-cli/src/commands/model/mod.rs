//! `verism model`: the sentence-embedding model.

mod answer;
mod archive;
mod download;
mod embed;
mod list;
mod pull;
mod read;
mod record;

use std::process::ExitCode;

use verism::Result;

use crate::args::{Common, Model, ModelVerb};
use crate::terminal::Terminal;

pub(crate) fn run(what: &Model, common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    match &what.verb {
        ModelVerb::Pull(pull) => pull::run(pull, common, terminal),
        ModelVerb::List => list::list(common, terminal),
        ModelVerb::Path => list::path(common, terminal),
        ModelVerb::Embed(embed) => embed::run(embed, common, terminal),
    }
}
