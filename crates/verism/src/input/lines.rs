//! Raw lines of a file, in blocks that are worked on at the same time and handed on in order.

use std::io::{self, Read};
use std::ops::ControlFlow;

use memchr::{memchr, memchr_iter, memrchr};
use rayon::prelude::*;

use super::Watch;
use super::blocks::{BLOCK, line_cuts};
use super::feed::Feed;

/// Bytes for each thread that are read at a time. What is made of them waits in memory until all of it is there.
const BATCH: usize = BLOCK;

/// Lines of a file that stand together.
#[derive(Clone, Copy, Debug)]
pub struct Lines<'a> {
    bytes: &'a [u8],
    /// Lines of the file before them.
    pub before: u64,
}

impl<'a> Lines<'a> {
    /// The lines without their line feeds.
    pub fn iter(self) -> impl Iterator<Item = &'a [u8]> {
        let unfinished = !self.bytes.is_empty() && !self.bytes.ends_with(b"\n");
        let ends = memchr_iter(b'\n', self.bytes).chain(unfinished.then_some(self.bytes.len()));
        let mut start = 0;
        ends.map(move |end| {
            let line = &self.bytes[start..end];
            start = end + 1;
            line
        })
    }
}

/// Reads a stream of lines. `work` turns a block of lines into something, many blocks at a time; `take` gets the results
/// in the order of the file with the number of lines before each, and may end the reading. Gives size and SHA-256.
///
/// A byte order mark at the very start is not part of the first line. Of a line that is longer than
/// [`Limits::record_bytes`](super::Limits) so many bytes and one more are handed on, and the rest is passed over.
pub fn read_lines<T: Send>(
    reader: Box<dyn Read + Send + '_>,
    watch: &dyn Watch,
    work: &(dyn Fn(Lines<'_>) -> T + Sync),
    take: &mut dyn FnMut(T, u64) -> ControlFlow<()>,
) -> io::Result<(u64, String)> {
    let batch = BATCH * rayon::current_num_threads();
    let longest = watch.limits().record_bytes;
    let mut feed = Feed::new(reader, watch);
    feed.refill(0, BLOCK)?;
    let mut consumed = if feed.buffer.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut lines = 0;
    loop {
        // Told to stop, the feed ends where it is: what looks like a last line may be half of one.
        if watch.stop() {
            return feed.finish();
        }
        let bytes = &feed.buffer[consumed..];
        let end = if feed.ended { bytes.len() } else { memrchr(b'\n', bytes).map_or(0, |at| at + 1) };
        // A line that goes on beyond what may be kept.
        if end == 0 && bytes.len() > longest {
            let cut = Lines { bytes: &bytes[..longest + 1], before: lines };
            if take(work(cut), lines).is_break() {
                return feed.finish();
            }
            lines += 1;
            consumed = skip_line(&mut feed, consumed + longest)?;
            continue;
        }
        let cuts = line_cuts(&bytes[..end]);
        let bounds: Vec<usize> = [0].into_iter().chain(cuts).chain([end]).collect();
        let mut some = vec![];
        for (&start, &stop) in bounds.iter().zip(&bounds[1..]) {
            let block = Lines { bytes: &bytes[start..stop], before: lines };
            lines += memchr_iter(b'\n', block.bytes).count() as u64;
            some.push(block);
        }
        let before: Vec<u64> = some.iter().map(|block| block.before).collect();
        let done: Vec<T> = match some.len() {
            1 => some.into_iter().map(work).collect(),
            _ => some.into_par_iter().map(work).collect(),
        };
        for (result, before) in done.into_iter().zip(before) {
            if take(result, before).is_break() {
                return feed.finish();
            }
        }
        if feed.ended {
            return feed.finish();
        }
        feed.refill(consumed + end, batch)?;
        consumed = 0;
    }
}

/// Drops the rest of a line and gives where the next one begins in the buffer.
fn skip_line(feed: &mut Feed<'_>, mut at: usize) -> io::Result<usize> {
    loop {
        match memchr(b'\n', &feed.buffer[at..]) {
            Some(end) => return Ok(at + end + 1),
            None if feed.ended => return Ok(feed.buffer.len()),
            None => feed.refill(feed.buffer.len(), BLOCK)?,
        }
        at = 0;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use proptest::prelude::*;

    use super::super::Unwatched;
    use super::*;

    fn all(bytes: &[u8]) -> Vec<(u64, Vec<u8>)> {
        let mut found = vec![];
        let work = |lines: Lines<'_>| lines.iter().map(<[u8]>::to_vec).collect::<Vec<_>>();
        let mut take = |lines: Vec<Vec<u8>>, before: u64| {
            found.extend(lines.into_iter().zip(before..).map(|(line, number)| (number, line)));
            ControlFlow::Continue(())
        };
        read_lines(Box::new(bytes), &Unwatched, &work, &mut take).expect("read");
        found
    }

    #[test]
    fn a_mark_is_dropped_and_a_missing_last_line_feed_is_forgiven() {
        let line = |number, text: &str| (number, text.as_bytes().to_vec());
        assert_eq!(all(b"\xef\xbb\xbfa\n\nb"), [line(0, "a"), line(1, ""), line(2, "b")]);
        assert_eq!(all(b""), []);
    }

    #[test]
    fn long_files_are_cut_at_lines() {
        let text: Vec<u8> = (0..400_000).flat_map(|i| format!("line number {i}\n").into_bytes()).collect();
        let found = all(&text);
        assert_eq!(found.len(), 400_000);
        assert!(found.iter().enumerate().all(|(i, (number, _))| *number == i as u64));
        assert_eq!(found[399_999].1, b"line number 399999");
    }

    /// Says stop once some bytes have been read.
    struct Impatient(AtomicU64);

    impl Watch for Impatient {
        fn advance(&self, bytes: u64) {
            self.0.fetch_add(bytes, Ordering::Relaxed);
        }

        fn stop(&self) -> bool {
            self.0.load(Ordering::Relaxed) > BLOCK as u64
        }
    }

    #[test]
    fn told_to_stop_it_hands_on_no_half_line() {
        let line = "a line that will be cut somewhere\n";
        let text = line.repeat(9 * BLOCK / line.len());
        let mut handed = 0;
        let whole = |lines: Lines<'_>| lines.iter().all(|found| found == line.trim_end().as_bytes());
        let mut take = |all_whole: bool, _: u64| {
            assert!(all_whole, "half a line");
            handed += 1;
            ControlFlow::Continue(())
        };
        let watch = Impatient(AtomicU64::new(0));
        // One thread, so that a batch is smaller than the text on every machine.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        pool.install(|| read_lines(Box::new(text.as_bytes()), &watch, &whole, &mut take)).expect("read");
        assert!(handed > 0);
    }

    /// Allows lines of a few bytes.
    struct Narrow(usize);

    impl Watch for Narrow {
        fn limits(&self) -> super::super::Limits {
            super::super::Limits { record_bytes: self.0, ..Default::default() }
        }
    }

    #[test]
    fn a_line_beyond_the_limit_is_cut_and_the_next_one_is_whole() {
        let long = 3 * BLOCK;
        for end in ["\n", ""] {
            let text = format!("a\n{}\nb\n{}{end}", "x".repeat(long), "y".repeat(long));
            let mut found = vec![];
            let work = |lines: Lines<'_>| lines.iter().map(<[u8]>::len).collect::<Vec<_>>();
            let mut take = |lengths: Vec<usize>, before: u64| {
                found.extend(lengths.into_iter().zip(before..).map(|(length, line)| (line, length)));
                ControlFlow::Continue(())
            };
            let (bytes, _) = read_lines(Box::new(text.as_bytes()), &Narrow(1000), &work, &mut take).expect("read");
            assert_eq!(bytes, text.len() as u64);
            assert_eq!(found.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [0, 1, 2, 3]);
            assert_eq!((found[0].1, found[2].1), (1, 1));
            assert!(found[1].1 > 1000 && found[3].1 > 1000);
        }
    }

    proptest! {
        #[test]
        fn lines_are_those_between_line_feeds(bytes in prop::collection::vec(prop_oneof![Just(b'\n'), any::<u8>()], 0..200)) {
            prop_assume!(!bytes.starts_with(b"\xef\xbb\xbf"));
            let mut expected: Vec<Vec<u8>> = bytes.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
            if expected.last().is_some_and(Vec::is_empty) {
                expected.pop();
            }
            let found: Vec<Vec<u8>> = all(&bytes).into_iter().map(|(_, line)| line).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
