//! Every line of a log into values, on one thread: `parse serde_json|simd LOG`. Prints how many keys the outermost objects have.

use std::error::Error;

use simd_json::prelude::ValueAsObject;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [with, log] = &args[..] else { return Err("parse serde_json|simd LOG".into()) };
    let mut bytes = std::fs::read(log)?;
    let mut keys = 0;
    for line in bytes.split_mut(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        keys += match with.as_str() {
            "serde_json" => {
                let value: serde_json::Value = serde_json::from_slice(line)?;
                value.as_object().map_or(0, serde_json::Map::len)
            }
            "simd" => simd_json::to_borrowed_value(line)?.as_object().map_or(0, |object| object.len()),
            other => return Err(format!("{other}: no such parser").into()),
        };
    }
    #[expect(clippy::print_stdout, reason = "it is what the program is for")]
    {
        println!("{keys}");
    }
    Ok(())
}
