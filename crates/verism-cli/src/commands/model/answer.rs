//! What a server answers, awaited in such a way that an interrupt is heeded at once.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use ureq::http::Response;
use ureq::typestate::WithoutBody;
use ureq::{Body, RequestBuilder};
use verism::input::Watch;
use verism::{Error, Result};

/// Bytes of a body that are read at a time.
const PIECE: usize = 1 << 16;
/// Pieces that may wait to be taken.
const WAITING: usize = 8;
/// How long we wait before we look whether the job was stopped.
const PATIENCE: Duration = Duration::from_millis(50);

/// A part of an answer, in the order in which they come.
pub(super) enum Said {
    /// Status and headers.
    Head(Box<Response<()>>),
    /// Some of the body.
    Bytes(Vec<u8>),
    /// The end of the body.
    End,
    /// There is no answer.
    Silent(ureq::Error),
    /// The body broke off.
    Cut(io::Error),
}

/// An answer on its way. Another thread waits for the server: one that says nothing keeps that thread, which ends with the
/// process, but not us.
pub(super) struct Answer(Receiver<Said>);

impl Answer {
    pub(super) fn to(request: RequestBuilder<WithoutBody>) -> io::Result<Answer> {
        let (sender, said) = sync_channel(WAITING);
        let listen = move || match request.call() {
            Ok(response) => pass_on(response, &sender),
            Err(error) => drop(sender.send(Said::Silent(error))),
        };
        std::thread::Builder::new().name("download".into()).spawn(listen)?;
        Ok(Answer(said))
    }

    /// The next part.
    pub(super) fn next(&self, watch: &dyn Watch) -> Result<Said> {
        loop {
            if watch.stop() {
                return Err(Error::Interrupted);
            }
            match self.0.recv_timeout(PATIENCE) {
                Ok(said) => return Ok(said),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(Said::Cut(io::ErrorKind::UnexpectedEof.into())),
            }
        }
    }
}

/// Sends head and body for as long as somebody takes them.
fn pass_on(response: Response<Body>, sender: &SyncSender<Said>) {
    let (head, body) = response.into_parts();
    let mut body = body.into_reader();
    let mut said = Said::Head(Box::new(Response::from_parts(head, ())));
    while sender.send(said).is_ok() {
        let mut piece = vec![0; PIECE];
        said = match body.read(&mut piece) {
            Ok(0) => return drop(sender.send(Said::End)),
            Ok(got) => {
                piece.truncate(got);
                Said::Bytes(piece)
            }
            Err(error) => return drop(sender.send(Said::Cut(error))),
        };
    }
}
