//! A few of each attack, so that the campaign itself works, and what it has found once stays found.

use verism::suites::SUITES;
use verism_campaign::damage::Random;
use verism_campaign::files::FILES;
use verism_campaign::laws::{Case, checked_as_scored, same_bytes, same_values};
use verism_campaign::logs::Stock;
use verism_campaign::readers::READERS;

fn try_all(readers: &[verism_campaign::readers::Reader], count: u64) {
    for reader in readers {
        for seed in 0..count {
            let input = (reader.input)(&mut Random::new(seed));
            if let Err(fault) = (reader.read)(&input) {
                panic!("{} {seed}: {fault}", reader.name);
            }
        }
    }
}

#[test]
fn damaged_logs_are_read_alike_in_any_pieces() {
    try_all(READERS, 300);
}

#[test]
fn damaged_files_are_read_or_refused() {
    try_all(FILES, 25);
}

#[test]
fn random_jobs_keep_the_laws() {
    let home = tempfile::tempdir().expect("a folder");
    let pools: Vec<_> = [1, 3]
        .iter()
        .map(|threads| rayon::ThreadPoolBuilder::new().num_threads(*threads).build().expect("threads"))
        .collect();
    for suite in SUITES {
        let id = suite.facts().id;
        let demo = home.path().join(id);
        std::fs::create_dir(&demo).expect("a folder");
        let stock = Stock::of(*suite, &demo).expect("a demo");
        for seed in 0..12 {
            let random = &mut Random::new(seed);
            let (options, lenient) = (stock.options(random), random.below(2) == 0);
            let logs = home.path().join(format!("{id}-{seed}"));
            let files = stock.write(&logs, random).expect("logs");
            let case = Case { suite: *suite, inputs: vec![logs], options, lenient };
            let held = same_bytes(&case, &pools, &home.path().join("shares"), random)
                .and_then(|()| checked_as_scored(&case))
                .and_then(|()| same_values(&Case { inputs: files, ..case.clone() }));
            if let Err(fault) = held {
                panic!("{id} {seed} {:?}: {fault}", case.options);
            }
        }
    }
}
