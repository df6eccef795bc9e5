//! Feeds damaged logs to the readers for a stated time and prints what was counted.
//!
//! Every input is made from a number alone, so that a number is all that has to be kept of one that fails:
//! `fuzz --seconds 60 --from 0` tries 0, 1, 2, …; `fuzz --seed N --reader csv` shows one again.
#![allow(clippy::print_stdout)]

mod damage;
mod readers;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::damage::Random;
use crate::readers::READERS;

/// Inputs between two looks at the clock.
const AT_A_TIME: u64 = 256;

struct Arguments {
    seconds: u64,
    from: u64,
    seed: Option<u64>,
    reader: Option<String>,
}

fn arguments() -> Option<Arguments> {
    let mut read = Arguments { seconds: 10, from: 0, seed: None, reader: None };
    let mut given = std::env::args().skip(1);
    while let Some(name) = given.next() {
        let value = given.next()?;
        match name.as_str() {
            "--seconds" => read.seconds = value.parse().ok()?,
            "--from" => read.from = value.parse().ok()?,
            "--seed" => read.seed = Some(value.parse().ok()?),
            "--reader" => read.reader = Some(value),
            _ => return None,
        }
    }
    Some(read)
}

fn main() -> ExitCode {
    let Some(arguments) = arguments() else {
        println!("usage: fuzz [--seconds N] [--from SEED] [--seed SEED] [--reader csv|jsonl|json|lines|parquet]");
        return ExitCode::from(2);
    };
    let wanted: Vec<_> =
        READERS.iter().filter(|reader| arguments.reader.as_deref().is_none_or(|name| name == reader.name)).collect();
    let share = Duration::from_secs(arguments.seconds) / wanted.len().max(1) as u32;
    let mut failed = false;
    for reader in wanted {
        let (mut count, mut bytes, mut faults) = (0_u64, 0_u64, vec![]);
        let started = Instant::now();
        let mut seed = arguments.seed.unwrap_or(arguments.from);
        loop {
            for _ in 0..if arguments.seed.is_some() { 1 } else { AT_A_TIME } {
                let input = (reader.input)(&mut Random::new(seed));
                bytes += input.len() as u64;
                let outcome = catch_unwind(AssertUnwindSafe(|| (reader.read)(&input)));
                match outcome {
                    Ok(Ok(())) => {}
                    Ok(Err(fault)) => faults.push((seed, fault)),
                    Err(_) => faults.push((seed, "panic".to_string())),
                }
                count += 1;
                seed += 1;
            }
            if arguments.seed.is_some() || started.elapsed() >= share {
                break;
            }
        }
        println!(
            "{{\"reader\": \"{}\", \"executions\": {count}, \"bytes\": {bytes}, \"seconds\": {:.1}, \"faults\": {}}}",
            reader.name,
            started.elapsed().as_secs_f64(),
            faults.len()
        );
        for (seed, fault) in faults.iter().take(20) {
            println!("{{\"reader\": \"{}\", \"seed\": {seed}, \"fault\": {fault:?}}}", reader.name);
        }
        failed |= !faults.is_empty();
    }
    ExitCode::from(u8::from(failed))
}
