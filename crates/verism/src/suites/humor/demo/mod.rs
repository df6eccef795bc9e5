//! Synthetic cards with vectors: three generators answer the same prompts for two people.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::error::{Error, Result};

/// Topics: the axes of the demo's vectors.
const TOPICS: usize = 6;

/// A prompt and its topic.
const PROMPTS: [(&str, usize); 12] = [
    ("The office goldfish now runs _.", 0),
    ("The printer stopped working because of _.", 0),
    ("Our team meeting was interrupted by _.", 0),
    ("The recipe calls for salt, patience and _.", 1),
    ("Nothing ruins a picnic like _.", 1),
    ("In the future every kettle will come with _.", 1),
    ("What did the pigeons leave on the balcony? _.", 2),
    ("The cat has asked us to stop buying _.", 2),
    ("Nobody expected the choir to sing about _.", 3),
    ("The captain always asks for _ before breakfast.", 4),
    ("Somewhere in the attic there is _.", 5),
    ("The moon is made of _.", 5),
];

/// What the plain generator says: few words, again and again.
const PLAIN: [(&str, usize); 4] =
    [("A tiny hat.", 5), ("The last biscuit.", 1), ("A tiny biscuit.", 1), ("An angry goose.", 2)];

/// What the wild generator says: something else each time.
const WILD: [(&str, usize); 12] = [
    ("An escape room for geese with unpaid invoices.", 2),
    ("The soup of the day before yesterday, in court.", 1),
    ("Seven owls arguing over one accordion.", 3),
    ("A lighthouse keeper who only answers to Steve.", 4),
    ("Whatever the hamster saw.", 2),
    ("The printer's tell-all memoir.", 0),
    ("Three pigeons in a trench coat, nervous.", 2),
    ("Legally distinct cheese.", 1),
    ("A trombone solo nobody can stop.", 3),
    ("One slipper, still warm.", 5),
    ("The ghost of a spreadsheet.", 0),
    ("A second, smaller moon with opinions.", 5),
];

/// What the fitting generator says, for each person's favourite topics.
const FITTING: [[(&str, usize); 6]; 2] = [
    [
        ("Two geese and a trumpet.", 2),
        ("A committee of owls with a plan.", 2),
        ("The cat's lawyer, in feathers.", 2),
        ("A goose that keeps the receipts.", 2),
        ("The pigeon union's demands.", 2),
        ("An owl on night shift.", 2),
    ],
    [
        ("A meeting about meetings.", 0),
        ("The biscuit inspector's spreadsheet.", 0),
        ("The secret life of staplers.", 0),
        ("A kettle with a calendar invite.", 1),
        ("Unpaid invoices in a warm drawer.", 0),
        ("The printer's revenge.", 0),
    ],
];

/// Two people: what they laughed at, and about what.
const PEOPLE: [(&str, [(&str, usize); 3]); 2] = [
    ("ada", [("Geese do not queue.", 2), ("The owls vote on Thursdays.", 2), ("The cat's lawyer.", 2)]),
    ("bo", [("A meeting about meetings.", 0), ("The printer's revenge.", 0), ("The biscuit was innocent.", 1)]),
];

/// A vector that leans towards a topic; the text's bytes decide how it leaves it.
fn vector(text: &str, topic: usize) -> Vec<f64> {
    let sum = text.bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    let lean = |axis: usize| {
        let noise = (sum >> (8 * axis)) % 64;
        noise as f64 / 256.0 + if axis == topic { 1.0 } else { 0.0 }
    };
    (0..TOPICS).map(lean).collect()
}

/// Writes the cards and a configuration that names the built-in corpus.
pub(crate) fn write(folder: &Path) -> Result<()> {
    let mut lines = String::new();
    for (i, (prompt, topic)) in PROMPTS.iter().enumerate() {
        for (p, (person, liked)) in PEOPLE.iter().enumerate() {
            let number = 2 * i + p;
            let (fitting, said) = (FITTING[p][i % 6], WILD[(i + 5 * p) % 12]);
            let cards = [("plain", PLAIN[number % 4]), ("wild", said), ("fitting", fitting)];
            for (experiment, (text, about)) in cards {
                let profile: Vec<&str> = liked.iter().map(|(text, _)| *text).collect();
                let profile_vectors: Vec<Vec<f64>> = liked.iter().map(|(text, topic)| vector(text, *topic)).collect();
                let funny = experiment != "plain" && (about != *topic || number % 3 == 0);
                let record = json!({
                    "id": format!("{experiment}-{:02}", number + 1),
                    "experiment": experiment, "case": format!("{:02}", number + 1),
                    "batch": if i < 6 { "night-1" } else { "night-2" }, "user": person,
                    "context": prompt, "text": text, "profile": profile, "label": u8::from(funny),
                    "embedding": vector(text, about), "context_embedding": vector(prompt, *topic),
                    "profile_embeddings": profile_vectors,
                });
                lines += &format!("{record}\n");
            }
        }
    }
    let config =
        "# Read by `verism score humor` where it lies beside the input.\n[suite.humor]\ncorpus = [\"builtin\"]\n";
    for (name, text) in [("cards.jsonl", lines.as_str()), ("verism.toml", config)] {
        let path = folder.join(name);
        fs::write(&path, text).map_err(Error::write(path.display().to_string()))?;
    }
    Ok(())
}
