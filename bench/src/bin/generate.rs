//! `generate --rows N --seed S --out DIR [--threads T] [--flat]`: synthetic adaptation logs.
#![allow(clippy::print_stdout, clippy::print_stderr)] // a command-line tool

use std::path::PathBuf;
use std::process::ExitCode;
use verism_bench::tree::{write_flat, write_tree};

const USAGE: &str = "usage: generate --rows N --out DIR [--seed S] [--threads T] [--flat]";

struct Arguments {
    rows: usize,
    seed: u64,
    threads: usize,
    flat: bool,
    out: PathBuf,
}

fn arguments(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let (mut rows, mut out) = (None, None);
    let (mut seed, mut threads, mut flat) = (1, 2, false);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        let number =
            |text: String| text.parse().map_err(|_| format!("{word}: expected a whole number, found {text:?}"));
        match word.as_str() {
            "--rows" => rows = Some(number(value()?)?),
            "--seed" => seed = number(value()?)? as u64,
            "--threads" => threads = number(value()?)?,
            "--out" => out = Some(PathBuf::from(value()?)),
            "--flat" => flat = true,
            _ => return Err(format!("unknown argument {word:?}")),
        }
    }
    Ok(Arguments { rows: rows.ok_or("--rows is missing")?, seed, threads, flat, out: out.ok_or("--out is missing")? })
}

fn main() -> ExitCode {
    let arguments = match arguments(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(problem) => {
            eprintln!("{problem}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let Arguments { rows, seed, threads, flat, out } = arguments;
    let written = if flat { write_flat(&out, rows, seed) } else { write_tree(&out, rows, seed, threads) };
    match written {
        Ok(bytes) => {
            println!("{rows} rows, {bytes} bytes, {} bytes a row", bytes / (rows as u64).max(1));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{}: {error}", out.display());
            ExitCode::from(2)
        }
    }
}
