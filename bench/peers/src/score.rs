//! A whole job of verism: read, judged, rows and evidence made as text, and dropped.

use std::path::PathBuf;

use verism::input::{Input, Unwatched};
use verism::score::output::{Destination, Output};
use verism::suites::{Job, Options, all};

/// Rows of scores.
pub(crate) fn count(suite: &str, log: &str) -> Result<String, String> {
    let found = all().find(|known| known.facts().id == suite).ok_or(format!("{suite}: no such suite"))?;
    let mut output =
        Output::new(Destination::default(), found.facts().columns).map_err(|error| format!("{error:?}"))?;
    let job = Job::new(vec![Input::Path(PathBuf::from(log))], Options::default(), &Unwatched);
    found.score(job, &mut output).map_err(|error| format!("{error:?}"))?;
    Ok(format!("{} rows", output.score_rows))
}
