//! Is the statistics module right about chance? Error rates under known truths, and how often intervals hold it.
//!
//! ```text
//! calibrate designs [D01 …] [--reps N]     the designs of the specification: rejections against limits and reference counts
//! calibrate coverage [--reps N]            how often each interval holds the true value, at small and large n
//! ```
//!
//! Both print Markdown tables; `designs` ends with exit code 1 if a count is outside its limits.

#![allow(clippy::print_stdout, clippy::print_stderr)] // a command-line tool

mod coverage;
mod data;
mod designs;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let reps_at = arguments.iter().position(|word| word == "--reps");
    let reps = reps_at.and_then(|at| arguments.get(at + 1)).and_then(|n| n.parse().ok()).unwrap_or(10_000);
    let names: Vec<&str> = arguments.iter().skip(1).map(String::as_str).filter(|word| word.starts_with('D')).collect();
    match arguments.first().map(String::as_str) {
        Some("designs") => designs::print(&names, reps),
        Some("coverage") => coverage::print(reps),
        _ => {
            eprintln!("usage: calibrate designs [D01 ...] [--reps N] | calibrate coverage [--reps N]");
            ExitCode::from(2)
        }
    }
}
