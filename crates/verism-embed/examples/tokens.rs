//! Prints the token numbers of texts: one JSON text per line in, one JSON list per line out.
//!
//! `cargo run --release -p verism-embed --example tokens -- FOLDER < TEXTS.jsonl`
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::path::Path;

use verism_embed::Embedder;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: tokens FOLDER")?;
    let embedder = Embedder::open(Path::new(&folder))?;
    for line in std::io::stdin().lines() {
        let text: String = serde_json::from_str(&line?)?;
        println!("{}", serde_json::to_string(&embedder.tokens(&text))?);
    }
    Ok(())
}
