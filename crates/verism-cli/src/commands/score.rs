//! `verism score`.

use std::process::ExitCode;
use std::time::Instant;

use verism::score::content::Content;
use verism::score::contents::TIMING;
use verism::score::output::Format;
use verism::score::place::{ResultPlace, Stage};
use verism::suites::{Destination, Job, Scored, Suite};
use verism::text::one_line::one_line;
use verism::{Error, Result};

use crate::args::{Common, RowFormat, Score};
use crate::inputs::{prepare, read_by};
use crate::terminal::Terminal;

pub(crate) fn run(what: &Score, common: &Common, terminal: &Terminal) -> Result<ExitCode> {
    let (suite, options, inputs) = prepare(&what.reading, terminal)?;
    let embed = crate::embedding::wanted(suite, &options)?;
    terminal.heed_interrupts();
    let id = suite.facts().id.to_string();
    let content = match what.shard {
        Some(shard) => Content::Shard(id, format!("{}/{}", shard.index, shard.count)),
        None => Content::Scores(id),
    };
    let read = read_by(&inputs, &options, what.reading.config.as_deref());
    let wanted = what.output.clone().map(|place| ResultPlace { place, content, inputs: read, force: what.force });
    write(suite, wanted, &what.format, common, terminal, |to| {
        let job = Job { lenient: what.lenient, shard: what.shard, embed, ..Job::new(inputs, options, terminal) };
        verism::suites::score(suite, job, to)
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a result to its place, to standard output as JSON, or both.
pub(crate) fn write(
    suite: &dyn Suite,
    wanted: Option<ResultPlace>,
    formats: &[RowFormat],
    common: &Common,
    terminal: &Terminal,
    work: impl FnOnce(Destination<'_>) -> Result<Scored>,
) -> Result<()> {
    let started = Instant::now();
    let place = wanted.as_ref().map(|wanted| wanted.place.clone());
    let stage = wanted.map(Stage::beside).transpose()?;
    let folder = stage.as_ref().map(Stage::path);
    let formats: Vec<Format> = formats.iter().map(|&format| format.into()).collect();
    let to = Destination { folder, formats: &formats, memory: common.json };
    let scored = work(to).map_err(|error| match folder.zip(place.as_deref()) {
        Some((folder, place)) => error.in_place(folder, place),
        None => error,
    })?;
    terminal.done();
    if common.json {
        terminal.write(|mut out| scored.write_document(suite.facts().id, &mut out))?;
    }
    for warning in scored.report.warnings.iter().chain(&scored.cautions) {
        terminal.warn(warning);
    }
    if let (Some(stage), Some(place)) = (stage, place) {
        let seconds = started.elapsed().as_secs_f64();
        let timing = stage.path().join(TIMING);
        let text = format!("{{\"seconds\": {seconds:.3}, \"threads\": {}}}\n", rayon::current_num_threads());
        std::fs::write(&timing, text).map_err(Error::write(timing.display().to_string()))?;
        terminal.stopped_is_an_error()?;
        stage.put_in_place()?;
        for line in &scored.report.summary {
            terminal.say(&one_line(line));
        }
        terminal.say(&format!("written to {} in {seconds:.1} s", place.display()));
    }
    Ok(())
}
