//! The real weights against sentence-transformers, and laws that hold with them.
//!
//! `VERISM_TEST_MODEL` names a folder with the weights; `./test` fetches them and sets it.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::Value;
use verism_embed::{Embedder, MINI_LM};

static MODEL: LazyLock<Embedder> = LazyLock::new(|| {
    let folder = std::env::var_os("VERISM_TEST_MODEL").expect("VERISM_TEST_MODEL names a folder with the weights");
    Embedder::open(Path::new(&folder)).unwrap()
});

struct Golden {
    text: String,
    tokens: Vec<u32>,
    vector: Vec<f64>,
}

/// What make.py wrote; see there for the programs and versions.
fn golden() -> (Value, Vec<Golden>) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/golden.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let facts = lines.next().unwrap();
    let list = |value: &Value| value.as_array().unwrap().clone();
    let golden = lines.map(|line| Golden {
        text: line["text"].as_str().unwrap().into(),
        tokens: list(&line["tokens"]).iter().map(|x| x.as_u64().unwrap() as u32).collect(),
        vector: list(&line["vector"]).iter().map(|x| x.as_f64().unwrap()).collect(),
    });
    (facts, golden.collect())
}

fn cosine(a: &[f64], b: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

#[test]
fn the_weights_are_the_same_file() {
    assert_eq!(golden().0["model.safetensors"], MODEL.sha256());
    assert_eq!(MODEL.sha256(), MINI_LM.files[0].2);
    assert_eq!(MODEL.dimension(), 384);
}

#[test]
fn tokens_are_those_of_the_published_tokenizer() {
    for golden in golden().1 {
        assert_eq!(MODEL.tokens(&golden.text), golden.tokens, "{:?}", golden.text);
    }
}

#[test]
fn vectors_are_those_of_sentence_transformers() {
    let (_, golden) = golden();
    assert!(golden.len() >= 30);
    let texts: Vec<&str> = golden.iter().map(|golden| golden.text.as_str()).collect();
    let found: Vec<Vec<f64>> =
        MODEL.embed(&texts).unwrap().into_iter().map(|v| v.into_iter().map(f64::from).collect()).collect();
    let (mut worst, mut worst_cosine) = (0.0_f64, 0.0_f64);
    for (i, (found_i, golden_i)) in found.iter().zip(&golden).enumerate() {
        assert_eq!(found_i.len(), golden_i.vector.len());
        for (x, y) in found_i.iter().zip(&golden_i.vector) {
            worst = worst.max((x - y).abs());
        }
        for j in 0..i {
            let theirs = cosine(&golden_i.vector, &golden[j].vector);
            worst_cosine = worst_cosine.max((cosine(found_i, &found[j]) - theirs).abs());
        }
    }
    // The tolerances of the specification of suite humor, section 2.5.
    assert!(worst < 1e-5, "component {worst:e}");
    assert!(worst_cosine < 2e-6, "cosine {worst_cosine:e}");
}

#[test]
fn vectors_have_unit_length() {
    for golden in golden().1 {
        let vector = &MODEL.embed(&[&golden.text]).unwrap()[0];
        let length = vector.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
        assert!((length - 1.0).abs() < 1e-6, "{:?}: {length}", golden.text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// The texts alone, one by one, against any selection of them in any order on any number of threads: the same bits.
    #[test]
    fn a_vector_depends_on_its_text_alone(
        chosen in prop::collection::vec((0_usize..33, 0_usize..3), 1..24),
        threads in 1_usize..4,
    ) {
        let (_, golden) = golden();
        let texts: Vec<String> = chosen.iter().map(|(i, n)| golden[*i % golden.len()].text.repeat(n + 1)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let together = pool.install(|| MODEL.embed(&texts)).unwrap();
        for (text, vector) in texts.iter().zip(&together) {
            let alone = &MODEL.embed(&[text]).unwrap()[0];
            let bits = |vector: &[f32]| vector.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(alone), bits(vector), "{:?}", text);
        }
    }
}
