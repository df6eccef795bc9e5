//! Progress where there is no terminal for a bar: a line now and then.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Time between two lines.
const PAUSE: Duration = Duration::from_secs(10);

/// Counts what is done and says how far it is.
pub(crate) struct Lines {
    what: &'static str,
    started: Instant,
    said: Mutex<Instant>,
    total: AtomicU64,
    done: AtomicU64,
}

impl Lines {
    pub(crate) fn new(what: &'static str) -> Lines {
        let started = Instant::now();
        Lines { what, started, said: Mutex::new(started), total: AtomicU64::new(0), done: AtomicU64::new(0) }
    }

    pub(crate) fn expect(&self, more: u64) {
        self.total.fetch_add(more, Ordering::Relaxed);
    }

    /// Counts; gives a line if it is time for one.
    pub(crate) fn advance(&self, more: u64) -> Option<String> {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        let mut said = self.said.try_lock().ok()?;
        if said.elapsed() < PAUSE {
            return None;
        }
        *said = Instant::now();
        Some(line(self.what, done, self.total.load(Ordering::Relaxed), self.started.elapsed()))
    }
}

/// How far it is, how fast, and how long it will take.
fn line(what: &str, done: u64, total: u64, passed: Duration) -> String {
    let rate = done as f64 / passed.as_secs_f64().max(1e-9);
    let left = total.saturating_sub(done) as f64 / rate.max(1e-9);
    format!("{done} of {total} {what}, {rate:.0} per second, {} left", clock(left))
}

/// Seconds as people say them.
fn clock(seconds: f64) -> String {
    match seconds.ceil() as u64 {
        s @ 0..=119 => format!("{s} s"),
        s @ 120..=7199 => format!("{} min", s.div_ceil(60)),
        s => format!("{} h", s.div_ceil(3600)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_and_time_left_by_hand() {
        // 300 in 20 s are 15 per second; 1,200 are left: 80 s.
        let text = line("dialogues", 300, 1500, Duration::from_secs(20));
        assert_eq!(text, "300 of 1500 dialogues, 15 per second, 80 s left");
        assert_eq!([clock(119.5), clock(121.0), clock(7201.0)], ["2 min", "3 min", "3 h"]);
    }
}
