//! Feeds damaged files to the readers for a stated time or count and prints what was counted.
//!
//! `fuzz --seconds 60 --from 0` tries 0, 1, 2, … for a minute each; `fuzz --seed N --reader csv` shows one again.
#![allow(clippy::print_stdout)]

use std::process::ExitCode;

use verism_campaign::clock::{Arguments, quiet_where_guarded, run};
use verism_campaign::damage::Random;
use verism_campaign::files::FILES;
use verism_campaign::readers::READERS;

fn main() -> ExitCode {
    quiet_where_guarded();
    let readers = || READERS.iter().chain(FILES);
    let Some(arguments) = Arguments::read("--reader") else {
        let names: Vec<&str> = readers().map(|reader| reader.name).collect();
        println!("usage: fuzz [--seconds N] [--count N] [--from SEED] [--seed SEED] [--reader {}]", names.join("|"));
        return ExitCode::from(2);
    };
    // Inputs of a few hundred bytes are nothing to share: handing them to other threads takes longer than reading them.
    if rayon::ThreadPoolBuilder::new().num_threads(1).build_global().is_err() {
        return ExitCode::from(2);
    }
    let mut sound = true;
    for reader in readers().filter(|reader| arguments.wants(reader.name)) {
        sound &= run(reader.name, &arguments, &mut |seed| (reader.read)(&(reader.input)(&mut Random::new(seed))));
    }
    ExitCode::from(u8::from(!sound))
}
