//! Interrupts: Ctrl-C, and the signal that asks a process to end.

use std::io;

/// Calls a function at every interrupt, from a thread of its own.
#[cfg(unix)]
pub(crate) fn on_interrupt(call: impl Fn() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    std::thread::Builder::new().name("signals".into()).spawn(move || signals.forever().for_each(|_| call()))?;
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn on_interrupt(call: impl Fn() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(call).map_err(io::Error::other)
}
