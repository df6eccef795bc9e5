//! Standard input that does not keep a stopped job waiting.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// Bytes that are read at a time.
const PIECE: usize = 1 << 17;
/// Pieces that may wait to be taken.
const WAITING: usize = 8;
/// How long a reader waits before it looks whether it was stopped.
const PATIENCE: Duration = Duration::from_millis(50);

/// A file that is opened when it is read first.
pub(crate) struct LazyFile(pub(crate) Result<File, PathBuf>);

impl Read for LazyFile {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if let Err(path) = &self.0 {
            self.0 = Ok(File::open(path)?);
        }
        self.0.as_mut().map_or(Ok(0), |file| file.read(into))
    }
}

/// A reader whose bytes another thread waits for. Told to stop, it ends.
pub(crate) struct InterruptibleReader {
    pieces: Receiver<io::Result<Vec<u8>>>,
    stopped: Arc<AtomicBool>,
    piece: Vec<u8>,
    taken: usize,
}

impl InterruptibleReader {
    /// Reads ahead from a reader. The thread stays with a read that never returns, which ends with the process.
    pub(crate) fn new(
        mut reader: impl Read + Send + 'static,
        stopped: Arc<AtomicBool>,
    ) -> io::Result<InterruptibleReader> {
        let (sender, pieces) = sync_channel(WAITING);
        let forward = move || {
            loop {
                let mut piece = vec![0; PIECE];
                let got = match reader.read(&mut piece) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    got => got,
                };
                let ended = !matches!(got, Ok(1..));
                let sent = sender.send(got.map(|got| {
                    piece.truncate(got);
                    piece
                }));
                if ended || sent.is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new().name("input".into()).spawn(forward)?;
        Ok(InterruptibleReader { pieces, stopped, piece: vec![], taken: 0 })
    }
}

impl Read for InterruptibleReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.piece.len() {
            if self.stopped.load(Ordering::Relaxed) {
                return Ok(0);
            }
            match self.pieces.recv_timeout(PATIENCE) {
                Ok(piece) => (self.piece, self.taken) = (piece?, 0),
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
            if self.piece.is_empty() {
                return Ok(0);
            }
        }
        let count = into.len().min(self.piece.len() - self.taken);
        into[..count].copy_from_slice(&self.piece[self.taken..self.taken + count]);
        self.taken += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes_come_through_in_order() {
        let bytes: Vec<u8> = (0..5 * PIECE + 7).map(|i| (i % 251) as u8).collect();
        let mut read = vec![];
        let mut awaited = InterruptibleReader::new(io::Cursor::new(bytes.clone()), Arc::default()).unwrap();
        awaited.read_to_end(&mut read).unwrap();
        assert!(read == bytes);
        assert_eq!(awaited.read(&mut [0; 8]).unwrap(), 0, "an end stays an end");
    }

    #[test]
    fn a_failed_read_is_told() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        let mut awaited = InterruptibleReader::new(Broken, Arc::default()).unwrap();
        assert_eq!(awaited.read(&mut [0; 8]).unwrap_err().to_string(), "broken");
    }

    #[test]
    fn told_to_stop_it_waits_no_longer() {
        struct Silent;
        impl Read for Silent {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                loop {
                    std::thread::park();
                }
            }
        }
        let stopped = Arc::new(AtomicBool::new(true));
        let mut awaited = InterruptibleReader::new(Silent, stopped).unwrap();
        assert_eq!(awaited.read(&mut [0; 8]).unwrap(), 0);
    }
}
