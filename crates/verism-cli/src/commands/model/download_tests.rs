//! Downloads from a server that misbehaves.
#![allow(clippy::unwrap_used)]

#[path = "../../../tests/it/web.rs"]
mod web;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use verism::input::Unwatched;
use web::{Act, Web};

use super::*;

fn bytes(seed: u8) -> Vec<u8> {
    (0..300_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8 ^ seed).collect()
}

/// Downloads `f` from a server that acts like this; gives the result and what was asked of the server.
fn pull(acts: &[Act]) -> (Result<Vec<u8>>, Vec<String>) {
    let home = tempfile::tempdir().unwrap();
    let place = home.path().join("f.part");
    let web = Web::serve(&[("f", bytes(0))], acts);
    let ended = download(&format!("{}f", web.url), &place, 300_000, &Unwatched);
    (ended.map(|()| fs::read(&place).unwrap()), web.asked())
}

#[test]
fn a_whole_file_comes_in_one_go() {
    let (found, asked) = pull(&[]);
    assert_eq!((found.unwrap() == bytes(0), asked), (true, vec!["f".to_string()]));
}

#[test]
fn a_cut_connection_is_taken_up_where_it_ended() {
    let (found, asked) = pull(&[Act::CutAfter(100_000), Act::Fail(503), Act::CutAfter(50_000)]);
    assert!(found.unwrap() == bytes(0));
    assert_eq!(asked, ["f", "f 100000-", "f 100000-", "f 150000-"]);
}

#[test]
fn a_server_without_ranges_starts_from_the_beginning() {
    let (found, asked) = pull(&[Act::CutAfter(100_000), Act::IgnoreRange]);
    assert!(found.unwrap() == bytes(0));
    assert_eq!(asked, ["f", "f 100000-"]);
}

#[test]
fn what_is_not_there_is_said_at_once_and_a_broken_server_after_a_few_goes() {
    let (found, asked) = pull(&[Act::Fail(404)]);
    let defect = found.unwrap_err().defect();
    assert_eq!((defect.code.as_ref(), asked.len()), ("unreachable", 1));
    assert!(defect.value.unwrap().contains("404"));
    let (found, asked) = pull(&[Act::Fail(500); 9]);
    assert_eq!((found.unwrap_err().defect().code.as_ref(), asked.len()), ("unreachable", 4));
}

#[test]
fn a_server_that_does_not_stop_is_left() {
    let home = tempfile::tempdir().unwrap();
    let web = Web::serve(&[("f", bytes(0))], &[]);
    let ended = download(&format!("{}f", web.url), &home.path().join("f.part"), 1000, &Unwatched);
    assert!(ended.unwrap_err().defect().value.unwrap().contains("more than 1000 bytes"));
    assert_eq!(web.asked(), ["f"]);
}

#[test]
fn nobody_at_home_is_unreachable() {
    let home = tempfile::tempdir().unwrap();
    // Port 9 of the loopback address: nobody listens there.
    let ended = download("http://127.0.0.1:9/f", &home.path().join("f.part"), 300_000, &Unwatched);
    assert_eq!(ended.unwrap_err().defect().code, "unreachable");
}

/// Stops after some bytes, as an interrupt does.
struct Impatient(AtomicU64);

impl Watch for Impatient {
    fn advance(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }

    fn stop(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 100_000
    }
}

/// Stops a first run half way; gives the folder, the server and the place.
fn stopped() -> (tempfile::TempDir, Web, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let place = home.path().join("f.part");
    let web = Web::serve(&[("f", bytes(0)), ("g", bytes(9))], &[]);
    let ended = download(&format!("{}f", web.url), &place, 300_000, &Impatient(AtomicU64::new(0)));
    assert!(matches!(ended, Err(Error::Interrupted)));
    let kept = fs::metadata(&place).unwrap().len();
    assert!((100_000..300_000).contains(&kept), "{kept}");
    (home, web, place)
}

#[test]
fn the_next_run_goes_on_where_an_interrupt_came() {
    let (_home, web, place) = stopped();
    let kept = fs::metadata(&place).unwrap().len();
    download(&format!("{}f", web.url), &place, 300_000, &Unwatched).unwrap();
    assert!(fs::read(&place).unwrap() == bytes(0));
    assert_eq!(web.asked(), ["f".to_string(), format!("f {kept}-")]);
    // Once more: the file is complete, and the server says so.
    download(&format!("{}f", web.url), &place, 300_000, &Unwatched).unwrap();
    assert!(fs::read(&place).unwrap() == bytes(0));
    assert_eq!(web.asked()[2], "f 300000-");
}

/// Stops after some time.
struct Until(Instant);

impl Watch for Until {
    fn stop(&self) -> bool {
        Instant::now() > self.0
    }
}

#[test]
fn an_interrupt_does_not_wait_for_a_server_that_says_nothing() {
    let home = tempfile::tempdir().unwrap();
    let place = home.path().join("f.part");
    let web = Web::serve(&[("f", bytes(0))], &[Act::StallAfter(100_000)]);
    let start = Instant::now();
    let ended = download(&format!("{}f", web.url), &place, 300_000, &Until(start + Duration::from_secs(1)));
    assert!(matches!(ended, Err(Error::Interrupted)));
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert_eq!(fs::metadata(&place).unwrap().len(), 100_000);
}

#[test]
fn another_version_or_address_is_not_mixed_with_what_is_here() {
    let (_home, web, place) = stopped();
    web.replace("f", bytes(7));
    download(&format!("{}f", web.url), &place, 300_000, &Unwatched).unwrap();
    assert!(fs::read(&place).unwrap() == bytes(7));
    let (_home, web, place) = stopped();
    download(&format!("{}g", web.url), &place, 300_000, &Unwatched).unwrap();
    assert!(fs::read(&place).unwrap() == bytes(9));
    assert_eq!(web.asked()[1], "g");
}

#[test]
fn a_password_in_an_address_is_neither_shown_nor_kept() {
    let home = tempfile::tempdir().unwrap();
    let place = home.path().join("f.part");
    let web = Web::serve(&[("f", bytes(0))], &[]);
    let url = format!("{}f?token=hush", web.url.replace("://", "://me:hush@"));
    let told = match download(&url, &place, 10, &Unwatched) {
        Ok(()) => String::new(),
        Err(error) => error.defect().to_string(),
    };
    let kept = fs::read_to_string(place.with_extension("from")).unwrap_or_default();
    assert!(!told.contains("hush") && !kept.contains("hush"), "{told} {kept}");
    assert!(told.contains("/f"), "{told}");
    assert_eq!(without_secrets("https://a:b@c.org/x@y/z?q=1#f"), "https://c.org/x@y/z");
    assert_eq!(without_secrets("http://c.org"), "http://c.org");
}
