//! Embeds the texts of a JSON list with one thread and prints how long that took, the last vectors on request.
//!
//! `embed FOLDER TEXTS.json [VECTORS.json]`
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use rustix::time::{ClockId, clock_gettime};
use verism_embed::Embedder;

/// As in the program itself.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Texts that are embedded before the clock starts.
const WARM_UP: usize = 64;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(texts)) = (arguments.next(), arguments.next()) else {
        return Err("usage: embed FOLDER TEXTS.json [VECTORS.json]".into());
    };
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    let texts: Vec<String> = serde_json::from_slice(&std::fs::read(texts)?)?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let embedder = Embedder::open(Path::new(&folder))?;
    embedder.embed(&texts[..texts.len().min(WARM_UP)])?;
    let (start, cpu) = (Instant::now(), cpu_seconds());
    let vectors = embedder.embed(&texts)?;
    let (seconds, cpu) = (start.elapsed().as_secs_f64(), cpu_seconds() - cpu);
    if let Some(place) = arguments.next() {
        std::fs::write(place, serde_json::to_vec(&vectors)?)?;
    }
    println!("{}", serde_json::json!({"texts": vectors.len(), "seconds": seconds, "cpu": cpu}));
    Ok(())
}

/// CPU time of this process: what counts on a machine that others use too.
fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
