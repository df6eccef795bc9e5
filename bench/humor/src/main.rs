//! Self-BLEU-4 of tokenised texts, and how long it took: from lists of tokens to a score for each text.
//!
//! `self_bleu TEXTS.json`, a list of lists of tokens
#![allow(clippy::print_stdout)]

use std::error::Error;

use rustix::time::{ClockId, clock_gettime};
use verism::text::bleu::{ORDERS, Smoothing, add_matches, bleu, lengths};
use verism::text::ngrams::Grams;
use verism::text::numbered::TokenTexts;

/// As in the program itself.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: self_bleu TEXTS.json")?;
    let texts: Vec<Vec<String>> = serde_json::from_slice(&std::fs::read(path)?)?;
    let start = cpu_seconds();
    let scores = self_bleu(&texts);
    let cpu = cpu_seconds() - start;
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    println!("{}", serde_json::json!([cpu, mean]));
    Ok(())
}

/// BLEU-4 of each text against all others.
fn self_bleu(texts: &[Vec<String>]) -> Vec<f64> {
    let mut numbered = TokenTexts::default();
    texts.iter().for_each(|text| numbered.push(text.iter().map(String::as_str)));
    let mut matches = lengths(&numbered);
    let mut grams = Grams::of(&numbered);
    add_matches(&grams, &mut matches);
    for _ in 1..ORDERS {
        grams = grams.longer();
        add_matches(&grams, &mut matches);
    }
    matches.iter().map(|found| bleu(found, ORDERS, Smoothing::Method1)).collect()
}

/// CPU time of this process: what counts on a machine that others use too.
fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
