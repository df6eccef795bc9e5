//! A tiny model with odd sizes: other models of the same layout work, damaged ones are refused, laws hold.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde_json::{Value, json};
use verism_embed::{Embedder, Error};

fn tiny() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/tiny")
}

/// A copy of the tiny model that may be damaged.
fn copy() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    for name in ["model.safetensors", "tokenizer.json", "config.json"] {
        fs::copy(tiny().join(name), home.path().join(name)).unwrap();
    }
    home
}

fn refused(folder: &Path) -> Error {
    Embedder::open(folder).expect_err("a model that is refused")
}

/// What becomes of a tensor; none: it is left out.
type Change = dyn Fn(&TensorView<'_>) -> Option<(Dtype, Vec<usize>, Vec<u8>)>;

/// The model with one tensor changed: left out, of another type or shape, or with a first number that is not finite.
fn with_tensor(name: &str, change: &Change) -> tempfile::TempDir {
    let home = copy();
    let bytes = fs::read(tiny().join("model.safetensors")).unwrap();
    let tensors = SafeTensors::deserialize(&bytes).unwrap();
    let changed: Vec<(String, Dtype, Vec<usize>, Vec<u8>)> = tensors
        .tensors()
        .into_iter()
        .filter_map(|(key, tensor)| {
            let (dtype, shape, data) = match key == name {
                true => change(&tensor)?,
                false => (tensor.dtype(), tensor.shape().to_vec(), tensor.data().to_vec()),
            };
            Some((key, dtype, shape, data))
        })
        .collect();
    let views = changed
        .iter()
        .map(|(key, dtype, shape, data)| (key.clone(), TensorView::new(*dtype, shape.clone(), data).unwrap()));
    let bytes = safetensors::serialize(views, None).unwrap();
    fs::write(home.path().join("model.safetensors"), bytes).unwrap();
    home
}

#[test]
fn tokens_and_vectors_are_those_of_transformers() {
    // make.py: transformers and torch, in double precision; versions in the first line.
    let model = Embedder::open(&tiny()).unwrap();
    assert_eq!(model.dimension(), 20);
    let text = fs::read_to_string(tiny().join("golden.jsonl")).unwrap();
    for line in text.lines().skip(1) {
        let golden: Value = serde_json::from_str(line).unwrap();
        let text = golden["text"].as_str().unwrap();
        assert_eq!(json!(model.tokens(text)), golden["tokens"], "{text}");
        let found = &model.embed(&[text]).unwrap()[0];
        for (x, y) in found.iter().zip(golden["vector"].as_array().unwrap()) {
            assert!((f64::from(*x) - y.as_f64().unwrap()).abs() < 2e-6, "{text}: {x} {y}");
        }
    }
}

#[test]
fn without_a_configuration_the_defaults_of_bert_hold() {
    // Twelve heads do not divide twenty numbers.
    let home = copy();
    fs::remove_file(home.path().join("config.json")).unwrap();
    let error = refused(home.path());
    assert_eq!((error.code, error.value.as_deref()), ("bad_model", Some("[30, 20]")));
    assert!(error.expected.contains("12 heads"));
}

#[test]
fn files_that_are_missing_or_damaged_are_named() {
    for name in ["model.safetensors", "tokenizer.json"] {
        let home = copy();
        fs::remove_file(home.path().join(name)).unwrap();
        let error = refused(home.path());
        assert_eq!(error.code, "not_found");
        assert!(error.file.unwrap().ends_with(name));
    }
    for name in ["model.safetensors", "tokenizer.json", "config.json"] {
        for keep in [0, 7, 100] {
            let home = copy();
            let bytes = fs::read(tiny().join(name)).unwrap();
            fs::write(home.path().join(name), &bytes[..keep.min(bytes.len() - 2)]).unwrap();
            let error = refused(home.path());
            assert_eq!(error.code, "bad_model", "{name} {keep}");
            assert!(error.file.unwrap().ends_with(name));
        }
    }
    assert_eq!(refused(&tiny().join("nowhere")).code, "not_found");
}

#[test]
fn tensors_of_another_shape_or_kind_are_named() {
    let name = "bert.encoder.layer.1.output.dense.weight";
    let cases: [(&Change, &str); 4] = [
        (&|_| None, "no such tensor"),
        (&|t| Some((Dtype::F32, vec![28, 20], t.data().to_vec())), "F32 [28, 20]"),
        (&|t| Some((Dtype::F16, vec![40, 28], t.data().to_vec())), "F16 [40, 28]"),
        (
            &|t| {
                let mut bytes = t.data().to_vec();
                bytes[..4].copy_from_slice(&f32::NAN.to_le_bytes());
                Some((Dtype::F32, vec![20, 28], bytes))
            },
            "NaN",
        ),
    ];
    for (change, found) in cases {
        let error = refused(with_tensor(name, change).path());
        assert_eq!((error.code, error.field.as_deref()), ("bad_model", Some(name)));
        assert_eq!(error.value.as_deref(), Some(found));
        assert!(error.expected.contains("F32 [20, 28]"), "{}", error.expected);
    }
}

#[test]
fn other_kinds_of_networks_are_refused() {
    for (key, value) in [
        ("model_type", json!("roberta")),
        ("hidden_act", json!("gelu_new")),
        ("position_embedding_type", json!("relative_key")),
    ] {
        let home = copy();
        fs::write(home.path().join("config.json"), json!({ "num_attention_heads": 4, key: value }).to_string())
            .unwrap();
        let error = refused(home.path());
        assert_eq!((error.code, error.field.as_deref()), ("bad_model", Some(key)));
    }
    let home = copy();
    fs::create_dir(home.path().join("1_Pooling")).unwrap();
    fs::write(home.path().join("1_Pooling/config.json"), r#"{"pooling_mode_mean_tokens": false}"#).unwrap();
    assert_eq!(refused(home.path()).field.as_deref(), Some("pooling_mode_mean_tokens"));
}

#[test]
fn a_vocabulary_larger_than_the_weights_is_refused() {
    let home = copy();
    let file = home.path().join("tokenizer.json");
    let mut tokenizer: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    tokenizer["model"]["vocab"]["more"] = json!(30);
    fs::write(&file, tokenizer.to_string()).unwrap();
    let error = refused(home.path());
    assert_eq!((error.code, error.value.as_deref()), ("bad_model", Some("30")));
}

#[test]
fn a_repeated_text_is_computed_once_and_a_watch_can_stop() {
    let model = Embedder::open(&tiny()).unwrap();
    let count = AtomicUsize::new(0);
    let watch = |done: usize| {
        count.fetch_add(done, Ordering::Relaxed);
        true
    };
    let vectors = model.embed_watched(&["a", "b", "a", "a"], &watch).unwrap();
    assert_eq!(count.load(Ordering::Relaxed), 2);
    assert!(vectors[0] == vectors[2] && vectors[0] == vectors[3] && vectors[0] != vectors[1]);
    assert_eq!(model.embed(&[]).unwrap(), Vec::<Vec<f32>>::new());
    let texts: Vec<String> = (0..500).map(|i| format!("a {i} room for {i}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    assert_eq!(model.embed_watched(&texts, &|_| false).unwrap_err().code, "stopped");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any texts in any order on any number of threads: the bits of a vector are those of its text alone.
    #[test]
    fn a_vector_depends_on_its_text_alone(
        texts in prop::collection::vec("[abc .,]{0,40}|(the|gold|fish|meeting|room|\\PC){0,30}", 1..120),
        threads in 1_usize..4,
    ) {
        let model = Embedder::open(&tiny()).unwrap();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let together = pool.install(|| model.embed(&texts)).unwrap();
        for (text, vector) in texts.iter().zip(&together) {
            let alone = &model.embed(&[text]).unwrap()[0];
            let bits = |vector: &[f32]| vector.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(alone), bits(vector), "{:?}", text);
        }
    }
}
