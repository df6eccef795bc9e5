//! What the program prints for people: messages, warnings, progress.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use verism::error::STANDARD_OUTPUT;
use verism::input::{Limits, Watch};
use verism::{Error, Result};

use crate::args::Common;
use crate::escaping::{EscapingWriter, shown};
use crate::interruptible::{InterruptibleReader, LazyFile};
use crate::progress::Lines;
use crate::signals::on_interrupt;

/// Exit code of an error in usage, input or run.
const ERROR: u8 = 2;
/// Exit code when the user stopped the job.
const INTERRUPTED: u8 = 130;

/// The terminal: standard error for people, standard output for data.
pub(crate) struct Terminal {
    quiet: bool,
    pub(crate) verbose: bool,
    bar: ProgressBar,
    /// Whether progress is said in lines where it is counted, since no bar is seen.
    in_lines: bool,
    lines: OnceLock<Lines>,
    limits: Limits,
    stopped: Arc<AtomicBool>,
    /// Whether there is something to end in an orderly way.
    heeded: Arc<AtomicBool>,
}

impl Terminal {
    pub(crate) fn new(common: &Common) -> Terminal {
        let wanted = !common.no_progress && !common.quiet;
        let seen = wanted && std::io::stderr().is_terminal() && !in_ci();
        let target = if seen { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes} {bytes_per_sec} {eta}") {
            bar.set_style(style);
        }
        let (quiet, verbose) = (common.quiet, common.verbose);
        let limits = Limits { record_bytes: common.max_record_bytes, fields: common.max_fields };
        let (in_lines, lines) = (wanted && !seen, OnceLock::new());
        let (stopped, heeded) = Default::default();
        let terminal = Terminal { quiet, verbose, bar, in_lines, lines, limits, stopped, heeded };
        let (stopped, heeded) = (terminal.stopped.clone(), terminal.heeded.clone());
        let handler = move || {
            if stopped.swap(true, Ordering::SeqCst) || !heeded.load(Ordering::SeqCst) {
                std::process::exit(INTERRUPTED.into());
            }
        };
        if on_interrupt(handler).is_err() {
            terminal.warn("interrupts cannot be caught; a stopped job leaves a hidden folder behind");
        }
        terminal
    }

    /// From here on an interrupt stops the job in an orderly way; a second one at once.
    pub(crate) fn heed_interrupts(&self) {
        self.heeded.store(true, Ordering::SeqCst);
    }

    /// From here on progress is counted in something else than bytes; where no bar is seen, a line says it now and then.
    pub(crate) fn count(&self, what: &'static str) {
        self.bar.set_style(counted(what));
        if self.in_lines {
            self.lines.get_or_init(|| Lines::new(what));
        }
    }

    /// Standard input, which ends when the job is stopped.
    pub(crate) fn standard_input(&self) -> Result<InterruptibleReader> {
        InterruptibleReader::new(std::io::stdin(), self.stopped.clone()).map_err(Error::write("standard input"))
    }

    /// A pipe that does not keep a stopped job waiting, not even until somebody writes to it.
    pub(crate) fn pipe(&self, path: &Path) -> Result<InterruptibleReader> {
        InterruptibleReader::new(LazyFile(Err(path.to_path_buf())), self.stopped.clone())
            .map_err(Error::write(path.display().to_string()))
    }

    /// Ends the job if the user has stopped it: the last look before a result is put in place.
    pub(crate) fn stopped_is_an_error(&self) -> Result<()> {
        if self.stop() { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// Says something on standard error unless told to be quiet.
    pub(crate) fn say(&self, text: &str) {
        if !self.quiet {
            self.bar.suspend(|| write_error(text));
        }
    }

    /// Says something only if asked to say more.
    pub(crate) fn tell(&self, text: &str) {
        if self.verbose {
            self.say(text);
        }
    }

    /// How many columns of text fit: as COLUMNS says, else as wide as the terminal is; none where nobody looks.
    pub(crate) fn width(&self) -> Option<usize> {
        let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let seen = || terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0));
        told.or_else(seen).filter(|width| *width > 0)
    }

    pub(crate) fn warn(&self, text: &str) {
        self.say(&format!("warning: {text}"));
    }

    pub(crate) fn done(&self) {
        self.bar.finish_and_clear();
    }

    /// Writes data to standard output; a closed pipe is not an error.
    pub(crate) fn print(&self, text: &str) -> Result<()> {
        self.write(|out| out.write_all(text.as_bytes()))
    }

    /// Standard output, for those who write it bit by bit.
    pub(crate) fn output(&self) -> impl Write {
        EscapingWriter::new(std::io::BufWriter::new(std::io::stdout().lock()))
    }

    /// Writes data to standard output by a function.
    pub(crate) fn write(&self, work: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<()> {
        let mut out = self.output();
        match work(&mut out).and_then(|()| out.flush()) {
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Error::write(STANDARD_OUTPUT)(error)),
            _ => Ok(()),
        }
    }

    /// Reports an error and gives the exit code.
    pub(crate) fn fail(&self, error: &Error, json: bool) -> ExitCode {
        self.done();
        if json && !matches!(error, Error::Interrupted) {
            let mut document = serde_json::json!({ "error": error.defect() });
            for (list, passed) in error.passed() {
                document[list] = serde_json::json!(passed);
            }
            let _ = self.print(&format!("{document:#}\n"));
        }
        write_error(&format!("error: {error}"));
        for (_, passed) in error.passed() {
            for defect in passed.iter().take(10) {
                write_error(&format!("  dropped: {defect}"));
            }
            if passed.len() > 10 {
                write_error(&format!("  … and {} more", passed.len() - 10));
            }
        }
        ExitCode::from(if matches!(error, Error::Interrupted) { INTERRUPTED } else { ERROR })
    }
}

/// Standard error may be closed; there is nobody left to tell then.
fn write_error(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", shown(text));
}

fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}

/// A bar that counts things.
fn counted(what: &str) -> ProgressStyle {
    let template = format!("{{bar:40}} {{pos}}/{{len}} {what} {{per_sec}} {{eta}}");
    ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

impl Watch for Terminal {
    fn expect(&self, bytes: u64) {
        self.bar.inc_length(bytes);
        if let Some(lines) = self.lines.get() {
            lines.expect(bytes);
        }
    }

    fn advance(&self, bytes: u64) {
        self.bar.inc(bytes);
        if let Some(line) = self.lines.get().and_then(|lines| lines.advance(bytes)) {
            self.say(&line);
        }
    }

    fn walk(&self, what: &'static str, things: u64) {
        self.bar.disable_steady_tick();
        self.bar.set_style(counted(what));
        self.bar.set_length(things);
        self.bar.set_position(0);
    }

    fn busy_with(&self, what: &'static str) {
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
            self.bar.set_style(style);
        }
        self.bar.set_message(what);
        self.bar.enable_steady_tick(Duration::from_millis(100));
    }

    fn stop(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn limits(&self) -> Limits {
        self.limits
    }
}
