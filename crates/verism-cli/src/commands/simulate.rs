//! `verism simulate`.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use rayon::prelude::*;
use serde_json::{Value, json};
use verism::input::{Input, Watch};
use verism::score::content::Content;
use verism::score::contents::{TIMING, files_of};
use verism::score::place::{Stage, Wanted};
use verism::suites::{Destination, Job, Options, suite};
use verism::{Defect, Error, Result};
use verism_sim::recommender::{Asked, SimOptions, World, random_words};

use crate::args::{Common, Simulate};
use crate::terminal::Terminal;

/// Dialogues that are played at the same time.
const AT_ONCE: usize = 256;

pub(crate) fn run(what: &Simulate, common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    if what.suite != "recommender" {
        let defect = Defect::new("unknown_suite", "recommender").field("suite").value(&what.suite);
        return Err(defect.hint("recommender is the one suite with a simulator").into());
    }
    let mut options = Options::default();
    for pair in &what.options {
        options.add(pair)?;
    }
    for (key, value) in [("agents", &what.agents), ("seeds", &what.seeds), ("runs", &what.runs)] {
        if let Some(value) = value {
            options.add(&format!("{key}={value}"))?;
        }
    }
    let simulator = SimOptions::take(&mut options)?;
    if let Some(words) = random_words(&simulator) {
        terminal.print(&format!("{words:#}\n"))?;
        return Ok(ExitCode::SUCCESS);
    }
    terminal.heed_interrupts();
    let seeds = simulator.seeds();
    let world = World::open(&options, simulator)?;
    match world.asked() {
        Asked::Plans => {
            let plans: Vec<Value> = seeds.par_iter().map(|seed| world.plan(*seed)).collect();
            terminal.print(&format!("{:#}\n", json!({ "plans": plans })))?;
        }
        Asked::Scores => score(&world, options, terminal)?,
        Asked::Dialogues => match (&what.output, common.json) {
            (None, false) => {
                return Err(Defect::new("bad_argument", "-o DIR or --json").field("output").into());
            }
            (place, json) => {
                let content = Content::Dialogues(what.suite.clone());
                let wanted = place.clone().map(|place| Wanted { place, content, inputs: vec![], force: what.force });
                write(&world, wanted, json, terminal)?;
            }
        },
    }
    Ok(ExitCode::SUCCESS)
}

/// Plays all dialogues, block by block, and hands them on in order.
fn each(world: &World, terminal: &Terminal, mut take: impl FnMut(Vec<String>) -> Result<()>) -> Result<u64> {
    let mut jobs = world.jobs();
    let mut count = 0;
    loop {
        let some: Vec<_> = jobs.by_ref().take(AT_ONCE).collect();
        if some.is_empty() {
            return Ok(count);
        }
        let lines: Result<Vec<String>> = some.par_iter().map(|job| Ok(world.simulate(job)?.to_string())).collect();
        let lines = lines?;
        count += lines.len() as u64;
        take(lines)?;
        if terminal.stop() {
            return Err(Error::Interrupted);
        }
    }
}

/// Writes the folder, the document on standard output, or both.
fn write(world: &World, wanted: Option<Wanted>, json: bool, terminal: &Terminal) -> Result<()> {
    let started = Instant::now();
    let place = wanted.as_ref().map(|wanted| wanted.place.clone());
    let stage = wanted.map(Stage::beside).transpose()?;
    let failed = |path: &Path| Error::write(path.display().to_string());
    let log = stage.as_ref().map(|stage| stage.path().join("dialogues.jsonl"));
    let mut file = match &log {
        None => None,
        Some(path) => Some(std::io::BufWriter::new(std::fs::File::create(path).map_err(failed(path))?)),
    };
    let mut shown: Vec<String> = vec![];
    let count = each(world, terminal, |lines| {
        if let (Some(file), Some(path)) = (&mut file, &log) {
            lines.iter().try_for_each(|line| writeln!(file, "{line}")).map_err(failed(path))?;
        }
        if json {
            shown.extend(lines);
        }
        Ok(())
    })?;
    if let (Some(mut file), Some(path)) = (file, &log) {
        file.flush().map_err(failed(path))?;
    }
    if json {
        let dialogues = shown.join(",\n");
        terminal.print(&format!("{{\"options\": {},\n\"dialogues\": [\n{dialogues}]}}\n", world.report()))?;
    }
    if let (Some(stage), Some(place)) = (stage, place) {
        let seconds = started.elapsed().as_secs_f64();
        let write = |name: &str, bytes: &[u8]| {
            let path = stage.path().join(name);
            std::fs::write(&path, bytes).map_err(failed(&path))
        };
        write("catalog.json", &world.catalog_json())?;
        write("calls.jsonl", b"")?;
        write("failed.jsonl", b"")?;
        write(TIMING, format!("{{\"seconds\": {seconds:.3}}}\n").as_bytes())?;
        let manifest = json!({
            "tool": "verism", "version": verism::score::signature::VERSION, "simulated": "recommender",
            "options": world.report(), "counts": {"dialogues": count, "calls": 0, "failed": 0},
            "files": files_of(stage.path())?,
        });
        write("manifest.json", format!("{manifest:#}\n").as_bytes())?;
        terminal.stopped_is_an_error()?;
        stage.put_in_place()?;
        terminal.say(&format!("{count} dialogues written to {} in {seconds:.1} s", place.display()));
    }
    Ok(())
}

/// Scores the dialogues as they come and prints the report.
fn score(world: &World, options: Options, terminal: &Terminal) -> Result<()> {
    let mut log = vec![];
    each(world, terminal, |lines| {
        lines.iter().for_each(|line| log.extend(line.bytes().chain([b'\n'])));
        Ok(())
    })?;
    let inputs = vec![Input::Stream("simulated".into(), Box::new(std::io::Cursor::new(log)))];
    let job = Job::new(inputs, options, terminal);
    let suite = suite("recommender")?;
    let scored = verism::suites::score(suite, job, Destination { memory: true, ..Destination::default() })?;
    terminal.done();
    terminal.write(|mut out| scored.write_document("recommender", &mut out))
}
