//! Tries the laws of every suite on random logs under random options, and prints what was counted.
//!
//! `trials --count 10000 --from 0` tries 0, 1, 2, …; `trials --seed N --law bytes` shows one again. `TMPDIR` should name a
//! folder in memory: every trial writes a few small files.
#![allow(clippy::print_stdout)]

use std::path::PathBuf;
use std::process::ExitCode;

use rayon::ThreadPool;
use verism::suites::SUITES;
use verism_campaign::clock::{Arguments, quiet_where_guarded, run};
use verism_campaign::damage::Random;
use verism_campaign::laws::{Case, checked_as_scored, same_bytes, same_values};
use verism_campaign::logs::Stock;

/// Threads that results must not depend on.
const THREADS: [usize; 5] = [1, 2, 3, 5, 8];

fn main() -> ExitCode {
    quiet_where_guarded();
    let Some(arguments) = Arguments::read("--law") else {
        println!("usage: trials [--seconds N] [--count N] [--from SEED] [--seed SEED] [--law bytes|validate|order]");
        return ExitCode::from(2);
    };
    match attack(&arguments) {
        Ok(sound) => ExitCode::from(u8::from(!sound)),
        Err(error) => {
            println!("{error}");
            ExitCode::from(2)
        }
    }
}

fn attack(arguments: &Arguments) -> std::io::Result<bool> {
    let home = tempfile::tempdir()?;
    let mut stocks = vec![];
    for suite in SUITES {
        let folder = home.path().join("demo").join(suite.facts().id);
        std::fs::create_dir_all(&folder)?;
        stocks.push(Stock::of(*suite, &folder)?);
    }
    let pools: Vec<ThreadPool> =
        THREADS.iter().filter_map(|n| rayon::ThreadPoolBuilder::new().num_threads(*n).build().ok()).collect();
    let (logs, shares) = (home.path().join("logs"), home.path().join("shares"));
    let mut sound = true;
    for law in ["bytes", "validate", "order"].into_iter().filter(|law| arguments.wants(law)) {
        sound &= run(law, arguments, &mut |seed| {
            let random = &mut Random::new(seed);
            let stock = &stocks[random.below(stocks.len())];
            let options = stock.options(random);
            let lenient = random.below(10) < 7;
            let _ = std::fs::remove_dir_all(&logs);
            let files = stock.write(&logs, random).map_err(|error| error.to_string())?;
            let inputs: Vec<PathBuf> = if law == "order" { files } else { vec![logs.clone()] };
            let case = Case { suite: stock.suite, inputs, options, lenient };
            let held = match law {
                "bytes" => same_bytes(&case, &pools, &shares, random),
                "validate" => pools[0].install(|| checked_as_scored(&case)),
                _ => pools[0].install(|| same_values(&case)),
            };
            let at = || format!("{} {:?} lenient {lenient}", stock.suite.facts().id, case.options);
            held.map_err(|fault| format!("{}: {fault}", at()))
        });
    }
    Ok(sound)
}
