//! `verism simulate`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use serde_json::{Value, json};
use verism::error::STANDARD_OUTPUT;
use verism::input::Input;
use verism::score::content::Content;
use verism::score::place::ResultPlace;
use verism::suites::{Destination, Job, Options, suite};
use verism::{Defect, Error, Result};
use verism_sim::{Cast, Played, Simulation, View, simulator, words};

use crate::args::{Common, Simulate};
use crate::inputs::{configuration, read_by};
use crate::terminal::Terminal;

pub(crate) fn run(what: &Simulate, common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    let simulator = simulator(&what.suite)?;
    let mut options = Options::default();
    if let Some((text, shown)) = configuration(&what.config, Path::new("-"), terminal)? {
        options.add_config(&text, &shown, simulator.suite())?;
    }
    for pair in &what.options {
        options.add(pair)?;
    }
    for (key, value) in [("agents", &what.agents), ("seeds", &what.seeds), ("runs", &what.runs)] {
        if let Some(value) = value {
            options.add(&format!("{key}={value}"))?;
        }
    }
    let read = read_by(&[], &options, what.config.as_deref());
    let cast = Cast::take(&mut options, simulator)?;
    let view = cast.view;
    if let View::Words(wanted) = view {
        terminal.print(&format!("{:#}\n", json!({ "words": words(wanted) })))?;
        return Ok(ExitCode::SUCCESS);
    }
    terminal.heed_interrupts();
    let simulation = Simulation::open(simulator, cast, &mut options, terminal)?;
    match (view, &what.output, common.json) {
        (View::Plans, ..) => plans(&simulation, terminal)?,
        (View::Scores, ..) => score(&simulation, simulator.suite(), options, terminal)?,
        (_, None, false) => return Err(Defect::new("bad_argument", "-o DIR or --json").field("output").into()),
        (_, None, true) => print(&simulation, terminal)?,
        (_, Some(place), json) => {
            let content = Content::Dialogues(simulator.suite().into());
            write(
                &simulation,
                ResultPlace { place: place.clone(), content, inputs: read, force: what.force },
                terminal,
            )?;
            if json {
                print_folder(&simulation, place, terminal)?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the folder and says what is in it.
fn write(simulation: &Simulation, wanted: ResultPlace, terminal: &Terminal) -> Result<()> {
    let started = Instant::now();
    let place = wanted.place.display().to_string();
    terminal.count("dialogues");
    let written = simulation.write(wanted, terminal, &|text| terminal.say(text))?;
    terminal.done();
    let count = |n: u64| if n == 1 { "1 dialogue".to_string() } else { format!("{n} dialogues") };
    match written.found == written.dialogues {
        true => terminal.say(&format!("{place} has all of its {} already", count(written.dialogues))),
        false => {
            let seconds = started.elapsed().as_secs_f64();
            terminal.say(&format!("{} written to {place} in {seconds:.1} s", count(written.dialogues)));
        }
    }
    if written.failed > 0 {
        let hint = format!("{place}/failed.jsonl lists them; the same command tries them again");
        let defect = Defect::new("failed_dialogues", "a reply to every message").file(place);
        return Err(defect.value(count(written.failed)).hint(hint).into());
    }
    Ok(())
}

/// Prints a list as its entries come, with what stands before it. A reader who goes away ends it.
fn document(
    terminal: &Terminal,
    head: &str,
    fill: impl FnOnce(&mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()>,
) -> Result<()> {
    let mut out = terminal.output();
    let mut write = |bytes: &[u8]| out.write_all(bytes).map_err(Error::write(STANDARD_OUTPUT));
    let mut between: &[u8] = b"";
    let printed = write(head.as_bytes()).and_then(|()| {
        fill(&mut |entry| {
            write(std::mem::replace(&mut between, b",\n"))?;
            write(entry)
        })
    });
    let printed =
        printed.and_then(|()| out.write_all(b"]}\n").and_then(|()| out.flush()).map_err(Error::write(STANDARD_OUTPUT)));
    match printed {
        Err(Error::Write { source, .. }) if source.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

fn head(simulation: &Simulation) -> String {
    format!("{{\"options\": {},\n\"dialogues\": [\n", Value::Object(simulation.options()))
}

/// Prints dialogues as they are played.
fn print(simulation: &Simulation, terminal: &Terminal) -> Result<()> {
    document(terminal, &head(simulation), |entry| {
        simulation.play(0, terminal, |block| {
            let lines = block.iter().filter_map(|played| match played {
                Played::Dialogue(line) => Some(line),
                Played::Failed(_) => None,
            });
            lines.into_iter().try_for_each(|line| entry(line))
        })
    })
}

/// Prints the dialogues of a folder.
fn print_folder(simulation: &Simulation, place: &Path, terminal: &Terminal) -> Result<()> {
    let path = place.join("dialogues.jsonl");
    let failed = |error| Error::write(path.display().to_string())(error);
    let mut reader = BufReader::new(File::open(&path).map_err(failed)?);
    document(terminal, &head(simulation), |entry| {
        let mut line = vec![];
        while reader.read_until(b'\n', &mut line).map_err(failed)? > 0 {
            entry(line.trim_ascii_end())?;
            line.clear();
        }
        Ok(())
    })
}

/// Prints the plans.
fn plans(simulation: &Simulation, terminal: &Terminal) -> Result<()> {
    document(terminal, "{\"plans\": [\n", |entry| {
        simulation.plans(terminal, |plans| plans.iter().try_for_each(|plan| entry(format!("{plan:#}").as_bytes())))
    })
}

/// Scores the dialogues and prints the report.
fn score(simulation: &Simulation, id: &str, options: Options, terminal: &Terminal) -> Result<()> {
    let mut log = vec![];
    simulation.play(0, terminal, |block| {
        for played in block {
            if let Played::Dialogue(line) = played {
                log.extend(line);
                log.push(b'\n');
            }
        }
        Ok(())
    })?;
    let inputs = vec![Input::Stream("simulated".into(), Box::new(io::Cursor::new(log)))];
    let job = Job::new(inputs, options, terminal);
    let scored = verism::suites::score(suite(id)?, job, Destination { memory: true, ..Destination::default() })?;
    terminal.done();
    terminal.write(|mut out| scored.write_document(id, &mut out))
}
