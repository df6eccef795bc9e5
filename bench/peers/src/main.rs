//! Parts of verism's work, done by other crates and by verism, each in a process of its own:
//!
//! ```text
//! peers parse LOG                                 every line of a log into values, one thread (other crates: bench/parse)
//! peers split csv-core|verism LOG                 every field of a CSV file
//! peers cues aho-corasick|verism PACK LOG         every cue of an adaptation pack in every line of a text
//! peers cues aho-corasick-words PACK LOG          the same, and the words of lines with a cue, which verism's search has cut
//! peers score SUITE LOG                           a whole job of verism whose results are dropped as they come
//! peers judge LOG                                 answers of `clinical` read and judged, results as values, one thread
//! ```
//!
//! Each prints what it counted, so that programs that do the same work can be told from those that do not.

mod cues;
mod judge;
mod parse;
mod score;
mod split;

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let counted = match args[..] {
        ["parse", log] => read(log).and_then(parse::count),
        ["split", with, log] => read(log).and_then(|bytes| split::count(with, bytes)),
        ["cues", with, pack, log] => read(pack).and_then(|pack| cues::count(with, pack, read(log)?)),
        ["score", suite, log] => score::count(suite, log),
        ["judge", log] => judge::count(log),
        _ => Err("peers parse|split|cues|score|judge …; see bench/README.md".to_string()),
    };
    match counted {
        Ok(counted) => {
            #[expect(clippy::print_stdout, reason = "it is what the program is for")]
            {
                println!("{counted}");
            }
            ExitCode::SUCCESS
        }
        Err(why) => {
            #[expect(clippy::print_stderr, reason = "somebody called it wrongly")]
            {
                eprintln!("{why}");
            }
            ExitCode::FAILURE
        }
    }
}

fn read(path: &str) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("{path}: {error}"))
}

/// A text without copying it.
fn text(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|error| error.to_string())
}
