//! Files that options name, that other programs wrote, or that other verbs read: packs, catalogs, chat logs, models, scores.
//!
//! Each is a sound one, damaged; it must be read without a panic, twice alike, and where `score` goes on past what is wrong,
//! `validate` must name the same.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::LazyLock;

use twox_hash::XxHash64;
use verism::input::{Input, Unwatched};
use verism::stats::calculator::answer_line;
use verism::suites::suite;
use verism::text::model::{CardType, Counts, Model, Reading};
use verism::text::tokens::{Blanks, Tokenizer};

use crate::damage::{Random, damage};
use crate::laws::{Case, checked_as_scored};
use crate::readers::Reader;

/// Readers of files.
pub static FILES: &[Reader] = &[
    Reader {
        name: "pack_yaml",
        input: |r| of(r, &[PACK]),
        read: |bytes| by_option(bytes, "clinical", "pack", "pack.yaml"),
    },
    Reader {
        name: "pack_toml",
        input: |r| of(r, &[FLOOD]),
        read: |bytes| by_option(bytes, "adaptation", "pack", "pack.toml"),
    },
    Reader {
        name: "catalog_json",
        input: |r| of(r, &[CATALOG, CATALOG_LIST]),
        read: |bytes| by_option(bytes, "recommender", "catalog", "catalog.json"),
    },
    Reader {
        name: "catalog_csv",
        input: |r| of(r, &[CATALOG_CSV]),
        read: |bytes| by_option(bytes, "recommender", "catalog", "catalog.csv"),
    },
    Reader {
        name: "labels",
        input: |r| of(r, &[b"aspect,value,case\ntas,0.5,1\ntas,1,2\n"]),
        read: |bytes| by_option(bytes, "recommender", "labels", "labels.csv"),
    },
    Reader {
        name: "corpus",
        input: |r| of(r, &[b"text,card_type\na tiny hat,white\nMy cat wants _.,black\n\"two\nlines\",\n"]),
        read: |bytes| by_option(bytes, "humor", "corpus", "corpus.csv"),
    },
    Reader { name: "chat", input: |r| of(r, CHATS), read: |bytes| as_log(bytes, "guest", "log.json") },
    Reader { name: "chat_archive", input: |r| of(r, &[ARCHIVE]), read: |bytes| as_log(bytes, "guest", "log.eval") },
    Reader { name: "turn_table", input: |r| of(r, &[TURNS]), read: |bytes| as_log(bytes, "recommender", "turns.csv") },
    Reader { name: "model", input: |r| of(r, &[&VRM]), read: model },
    Reader { name: "weights", input: |r| of(r, &[WEIGHTS]), read: |bytes| embedder(bytes, "model.safetensors") },
    Reader { name: "tokenizer", input: |r| of(r, &[TOKENIZER]), read: |bytes| embedder(bytes, "tokenizer.json") },
    Reader { name: "scores", input: |r| of(r, SCORES), read: scores },
    Reader { name: "request", input: |r| of(r, REQUESTS), read: request },
    Reader { name: "config", input: |r| of(r, &[CONFIG]), read: config },
];

const PACK: &[u8] = include_bytes!("../../../crates/verism/src/suites/clinical/cases/75_pack_overlay/pack.yaml");
const FLOOD: &[u8] = include_bytes!("../../../crates/verism/src/suites/adaptation/pack/flood.toml");
const CATALOG: &[u8] = br#"{"k1": {"name": "Night Ferry (2001)", "genre": ["Comedy", "Drama"], "actor": "Ada Lark"},
 "k2": {"title": "War", "genre": "war", "year": 1999, "director": ["B. C."]}}"#;
const CATALOG_LIST: &[u8] =
    br#"[{"id": "k1", "title": "Night Ferry", "genre": ["Comedy"], "year": 2001}, {"name": "x"}]"#;
const CATALOG_CSV: &[u8] = b"id,name,genre,actor,year\nk1,Night Ferry,Comedy|Drama,Ada Lark,2001\nk2,War,war,,1999\n";
const CHATS: &[&[u8]] = &[
    include_bytes!("../../../examples/chat-logs/inspect.json"),
    include_bytes!("../../../examples/chat-logs/tau2-bench.json"),
    include_bytes!("../../../examples/chat-logs/jokes.json"),
    include_bytes!("../../../examples/chat-logs/tool-calling-small-0.0_range_0--1_user-large-llm.json"),
];
const ARCHIVE: &[u8] = include_bytes!("../../../examples/chat-logs/inspect.eval");
const TURNS: &[u8] = b"experiment,case,turn,user,system,shift_event,constraints\na,1,1,a comedy please,War,,\n\
    a,1,2,no,Night,true,\"{\"\"genre\"\": \"\"war\"\"}\"\nb,1,1,x,y,false,\n";
const WEIGHTS: &[u8] = include_bytes!("../../../crates/verism-embed/tests/tiny/model.safetensors");
const TOKENIZER: &[u8] = include_bytes!("../../../crates/verism-embed/tests/tiny/tokenizer.json");
const SCORES: &[&[u8]] = &[
    b"metric,experiment,case,value\nm,a,1,0.5\nm,a,2,0.25\nm,b,1,1\nm,b,2,0.75\nm,b,3,\n",
    b"{\"metric\":\"m\",\"experiment\":\"a\",\"case\":\"1\",\"value\":0.5,\"undefined\":null}\n\
      {\"metric\":\"m\",\"experiment\":\"b\",\"case\":\"1\",\"value\":null,\"undefined\":\"empty\"}\n",
];
const REQUESTS: &[&[u8]] = &[
    br#"{"op":"describe","x":[1,2,3.5,-4e3]}"#,
    br#"{"op":"compare","x":[1,2,3],"y":[2,3,4],"paired":true}"#,
    br#"{"op":"power","n":20,"d":0.5,"alpha":0.05}"#,
];
const CONFIG: &[u8] =
    b"[suite.guest]\nsta = \"on\"\nbvs_peak = 0.3\n[compare]\nseed = 7\n[gate]\nrules = [\"tas >= 0.5\"]\n";

fn of(random: &mut Random, sound: &[&[u8]]) -> Vec<u8> {
    let one = sound[random.below(sound.len())].to_vec();
    damage(random, one)
}

thread_local! {
    static HOME: RefCell<tempfile::TempDir> = RefCell::new(tempfile::tempdir().expect("a temporary folder"));
}

/// Puts bytes into a file.
fn put(bytes: &[u8], name: &str) -> Result<PathBuf, String> {
    let path = HOME.with_borrow(|home| home.path().join(name));
    std::fs::write(&path, bytes).map_err(|error| error.to_string())?;
    Ok(path)
}

/// A record that the suite can read.
fn log_of(id: &str) -> &'static [u8] {
    match id {
        "adaptation" => b"model,group,run,agent_id,year,decision\nm,Group_A,Run_1,a,1,relocate\n",
        "clinical" => br#"{"experiment":"e","case":"1","turn":"1","turn_type":"sleep","answer":"BP 120/80"}"#,
        "humor" => br#"{"id":"1","text":"a tiny cat"}"#,
        _ => br#"{"experiment":"e","case":"1","conversation":[{"speaker":"USER","text":"a comedy"}]}"#,
    }
}

fn by_option(bytes: &[u8], id: &str, option: &str, name: &str) -> Result<(), String> {
    let log = put(log_of(id), if id == "adaptation" { "log.csv" } else { "log.jsonl" })?;
    let options = vec![format!("{option}={}", put(bytes, name)?.display())];
    let suite = suite(id).map_err(|error| error.to_string())?;
    checked_as_scored(&Case { suite, inputs: vec![log], options, lenient: true })
}

fn as_log(bytes: &[u8], id: &str, name: &str) -> Result<(), String> {
    let suite = suite(id).map_err(|error| error.to_string())?;
    checked_as_scored(&Case { suite, inputs: vec![put(bytes, name)?], options: vec![], lenient: true })
}

/// A small model file.
static VRM: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut counts = Counts::new(Reading { tokens: Tokenizer::Words, blanks: Blanks::Joined }, 1);
    ["a b c a", "b b", "c", "My cat wants _."].iter().for_each(|text| counts.add(CardType::White, text));
    let file = counts.finish().to_bytes().expect("small");
    assert_eq!(sealed(&file).as_ref(), Some(&file), "the checksum is made as verism makes it");
    file
});

/// A model file with the checksum that its bytes should have.
fn sealed(bytes: &[u8]) -> Option<Vec<u8>> {
    let body = bytes.len().checked_sub(size_of::<u64>())?;
    let checksum = XxHash64::oneshot(0, &bytes[..body]);
    Some([&bytes[..body], &checksum.to_le_bytes()].concat())
}

/// A damaged model is refused; with its checksum set right it is refused or answers.
fn model(bytes: &[u8]) -> Result<(), String> {
    if Model::from_bytes(bytes).is_ok() && bytes != VRM.as_slice() {
        return Err("a damaged model was taken".into());
    }
    let Some(sealed) = sealed(bytes) else { return Ok(()) };
    if let Ok(model) = Model::from_bytes(&sealed) {
        let [a, b, c] = ["a", "b", "cat"].map(|word| model.look_up(word));
        let run = model.follow([a, b, c].into_iter());
        model.kneser_ney_probability(&run);
        model.summary();
        // Alone, and added to another, as `corpus=` does.
        let whole = Model::from_bytes(&VRM).map_err(|refused| refused.to_string())?;
        let sum = (model.reading() == whole.reading()).then(|| model.tables().plus(whole.tables()).to_bytes());
        let added = match sum {
            Some(Ok(sum)) => Some(Model::from_bytes(&sum).map_err(|refused| format!("what was added up: {refused}"))?),
            _ => None,
        };
        for model in [Some(&model), added.as_ref()].into_iter().flatten() {
            let [a, b, c] = ["a", "b", "cat"].map(|word| model.look_up(word));
            let mut finite = [a, b, c].iter().all(|word| model.neighbour_entropy(*word).is_none_or(f64::is_finite));
            model.similarities(&[a, b], &[b, c], |_, found| finite &= found.iter().all(|x| x.is_finite()));
            if !finite {
                return Err("a number that is not finite".into());
            }
        }
    }
    Ok(())
}

fn embedder(bytes: &[u8], name: &str) -> Result<(), String> {
    put(WEIGHTS, "model.safetensors")?;
    put(TOKENIZER, "tokenizer.json")?;
    put(include_bytes!("../../../crates/verism-embed/tests/tiny/config.json"), "config.json")?;
    let path = put(bytes, name)?;
    let Ok(embedder) = verism_embed::Embedder::open(path.parent().unwrap_or(&path)) else { return Ok(()) };
    match embedder.embed(&["a tiny hat", ""]) {
        Ok(vectors) if vectors.iter().flatten().any(|x| !x.is_finite()) => Err("a number that is not finite".into()),
        _ => Ok(()),
    }
}

fn scores(bytes: &[u8]) -> Result<(), String> {
    let input = || verism::compare::Input { bytes: Some(bytes.to_vec()), ..verism::compare::Input::at("-") };
    let options =
        verism::compare::Options::parse(["lenient=true", "resamples=99"]).map_err(|error| error.to_string())?;
    let compared = || match verism::compare::compare(&[input()], &options, &Unwatched) {
        Ok(comparison) => format!("{comparison:?}"),
        Err(error) => format!("{:?}", error.defect()),
    };
    if compared() == compared() { Ok(()) } else { Err("two comparisons differ".into()) }
}

fn request(bytes: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(bytes);
    match text.lines().map(answer_line).eq(text.lines().map(answer_line)) {
        true => Ok(()),
        false => Err("two answers differ".into()),
    }
}

fn config(bytes: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(bytes);
    let _ = verism::suites::Options::default().add_config(&text, "verism.toml", "guest");
    let _ = verism::compare::options_of_config(&text, "verism.toml");
    let _ = verism::compare::gate::rules_of_config(&text, "verism.toml");
    let _ = verism::compare::gate::rules_of_text(&text, "rules.txt");
    Ok(())
}

/// Inputs of a job.
pub(crate) fn paths(inputs: &[PathBuf]) -> Vec<Input> {
    inputs.iter().cloned().map(Input::Path).collect()
}
