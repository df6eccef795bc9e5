//! The command line of verism.

mod args;
mod commands;
mod embedding;
mod escaping;
mod inputs;
mod interruptible;
mod progress;
mod signals;
mod terminal;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Arguments, Verb};
use crate::terminal::Terminal;

/// Records are trees of small values; this allocator spends less on each than the system's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        // Caught where damaged files are read, and told as a defect.
        if !verism::input::is_guarded() {
            told(panic);
        }
    }));
    let arguments = Arguments::parse();
    let terminal = Terminal::new(&arguments.common);
    let json = arguments.common.json;
    let ended = start_threads(arguments.common.threads).and_then(|()| match arguments.verb {
        Verb::Score(what) => commands::score::run(&what, &arguments.common, &terminal),
        Verb::Validate(what) => commands::validate::run(&what, &arguments.common, &terminal),
        Verb::Merge(what) => commands::merge::run(&what, &arguments.common, &terminal),
        Verb::Convert(what) => commands::convert::run(&what, &arguments.common, &terminal),
        Verb::Train(what) => commands::train::run(&what, &arguments.common, &terminal),
        Verb::Why(what) => commands::why::run(&what, &arguments.common, &terminal),
        Verb::Explain(what) => commands::explain::run(&what, &arguments.common, &terminal),
        Verb::Suites => commands::suites::run(&arguments.common, &terminal),
        Verb::Compare(what) => commands::compare::run(&what, &arguments.common, &terminal),
        Verb::Correlate(what) => commands::correlate::run(&what, &arguments.common, &terminal),
        Verb::Simulate(what) => commands::simulate::run(&what, &arguments.common, &terminal),
        Verb::Validity(what) => commands::validity::run(&what, &arguments.common, &terminal),
        Verb::Stats(what) => commands::stats::run(&what, &terminal),
        Verb::Gate(what) => commands::gate::run(&what, &arguments.common, &terminal),
        Verb::Model(what) => commands::model::run(&what, &arguments.common, &terminal),
        Verb::Table(what) => commands::table::run(&what, &arguments.common, &terminal),
        Verb::Docs(what) => commands::docs::run(&what, &arguments.common, &terminal),
        Verb::Completions(what) => commands::shell::completions(&what, &terminal),
        Verb::Man(what) => commands::shell::man(&what, &terminal),
        Verb::Demo(what) => commands::demo::run(&what, &arguments.common, &terminal),
    });
    match ended {
        Ok(code) => code,
        Err(error) => terminal.fail(&error, json),
    }
}

/// Sets the number of threads for everything that follows. This thread is one of them: what is done side by side is
/// otherwise handed to another thread even if there is only one, and comes back through other caches.
fn start_threads(threads: Option<usize>) -> verism::Result<()> {
    let threads = threads.unwrap_or(0);
    rayon::ThreadPoolBuilder::new().num_threads(threads).use_current_thread().build_global().map_err(|error| {
        verism::Defect::new("bad_option", "a number of threads that the system can start")
            .field("threads")
            .value(error.to_string())
            .into()
    })
}
