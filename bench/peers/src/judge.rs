//! Answers read and judged: every measure with its evidence as values, nothing as text, nothing in order.

use std::fs::File;
use std::io::{BufRead, BufReader};

use verism::suites::Options;
use verism::suites::clinical::Judging;

/// Answers, and measures with a value.
pub(crate) fn count(log: &str) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("{log}: {error}");
    let mut lines = BufReader::with_capacity(1 << 20, File::open(log).map_err(failed)?);
    let mut judging = Judging::open(&Options::default()).map_err(|error| format!("{error:?}"))?;
    let (mut answers, mut values) = (0_u64, 0);
    let mut line = vec![];
    while lines.read_until(b'\n', &mut line).map_err(failed)? > 0 {
        values += judging.judge(&line).map_err(|error| format!("{error:?}"))?;
        answers += 1;
        line.clear();
    }
    Ok(format!("{answers} answers, {values} values"))
}
