//! Verbs about the program itself.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  verism docs\n  verism docs compare | less")]
pub(crate) struct Docs {
    /// The guide.
    pub(crate) page: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  verism completions bash > ~/.local/share/bash-completion/completions/verism\n  \
verism completions fish > ~/.config/fish/completions/verism.fish")]
pub(crate) struct Completions {
    /// The shell.
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  verism man -o ~/.local/share/man/man1\n  verism man -o man && man -l man/verism-compare.1"
)]
pub(crate) struct Man {
    /// Folder for the pages.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
}
