//! Tries numbers one after the other until the time is over or enough were tried, and prints what was counted.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Numbers tried between two looks at the clock.
const AT_A_TIME: u64 = 64;
/// Faults that are printed.
const SHOWN: usize = 20;

/// What a run is asked for.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    /// Seconds for each attack.
    pub seconds: Option<u64>,
    /// Tries of each attack.
    pub count: Option<u64>,
    /// The first number.
    pub from: u64,
    /// One number only.
    pub seed: Option<u64>,
    /// One attack only.
    pub name: Option<String>,
}

impl Arguments {
    /// Reads the command line; `name` is the option that picks an attack. None if it is wrong.
    pub fn read(name: &str) -> Option<Arguments> {
        let mut read = Arguments::default();
        let mut given = std::env::args().skip(1);
        while let Some(option) = given.next() {
            let value = given.next()?;
            match option.as_str() {
                "--seconds" => read.seconds = Some(value.parse().ok()?),
                "--count" => read.count = Some(value.parse().ok()?),
                "--from" => read.from = value.parse().ok()?,
                "--seed" => read.seed = Some(value.parse().ok()?),
                option if option == name => read.name = Some(value),
                _ => return None,
            }
        }
        if read.seconds.is_none() && read.count.is_none() {
            read.seconds = Some(10);
        }
        Some(read)
    }

    /// Whether an attack is asked for.
    pub fn wants(&self, name: &str) -> bool {
        self.name.as_deref().is_none_or(|wanted| wanted == name)
    }
}

/// Says nothing about panics that a reader of foreign bytes catches.
pub fn quiet_where_guarded() {
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !verism::input::is_guarded() {
            told(panic);
        }
    }));
}

/// Runs an attack; gives whether nothing was found.
#[allow(clippy::print_stdout)]
pub fn run(name: &str, arguments: &Arguments, attempt: &mut dyn FnMut(u64) -> Result<(), String>) -> bool {
    let (mut count, mut faults) = (0_u64, vec![]);
    let started = Instant::now();
    let most = if arguments.seed.is_some() { 1 } else { arguments.count.unwrap_or(u64::MAX) };
    let share = arguments.seconds.filter(|_| arguments.seed.is_none()).map(Duration::from_secs);
    let first = arguments.seed.unwrap_or(arguments.from);
    while count < most && (count % AT_A_TIME != 0 || share.is_none_or(|share| started.elapsed() < share)) {
        let seed = first + count;
        let fault = match catch_unwind(AssertUnwindSafe(|| attempt(seed))) {
            Ok(Ok(())) => None,
            Ok(Err(fault)) => Some(fault),
            Err(_) => Some("panic".into()),
        };
        faults.extend(fault.map(|fault| (seed, fault)));
        count += 1;
    }
    let (seconds, found) = (started.elapsed().as_secs_f64(), faults.len());
    println!("{{\"attack\": \"{name}\", \"executions\": {count}, \"seconds\": {seconds:.1}, \"faults\": {found}}}");
    for (seed, fault) in faults.iter().take(SHOWN) {
        println!("{{\"attack\": \"{name}\", \"seed\": {seed}, \"fault\": {}}}", serde_json::json!(fault));
    }
    faults.is_empty()
}
