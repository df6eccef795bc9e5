//! `generate_guest --conversations N --seed S -o FILE`: synthetic conversations of simulated guests.
#![allow(clippy::print_stdout, clippy::print_stderr)] // a command-line tool

use std::path::PathBuf;
use std::process::ExitCode;
use verism_bench::guest;

const USAGE: &str = "usage: generate_guest --conversations N -o FILE [--seed S]";

fn arguments(mut words: impl Iterator<Item = String>) -> Result<(usize, u64, PathBuf), String> {
    let (mut conversations, mut seed, mut out) = (None, 1, None);
    while let Some(word) = words.next() {
        let value = words.next().ok_or(format!("{word} needs a value"))?;
        let wrong = |_| format!("{word}: expected a whole number, found {value:?}");
        match word.as_str() {
            "--conversations" => conversations = Some(value.parse().map_err(wrong)?),
            "--seed" => seed = value.parse().map_err(wrong)?,
            "-o" | "--out" => out = Some(PathBuf::from(value)),
            _ => return Err(format!("unknown argument {word:?}")),
        }
    }
    Ok((conversations.ok_or("--conversations is missing")?, seed, out.ok_or("-o is missing")?))
}

fn main() -> ExitCode {
    let (conversations, seed, out) = match arguments(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(problem) => {
            eprintln!("{problem}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match guest::write(&out, conversations, seed) {
        Ok(written) => {
            let each = written.bytes / (conversations as u64).max(1);
            println!(
                "{conversations} conversations, {} guest messages, {} bytes, {each} bytes a conversation",
                written.guest_messages, written.bytes
            );
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{}: {error}", out.display());
            ExitCode::from(2)
        }
    }
}
