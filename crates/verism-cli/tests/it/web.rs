//! A web server on the loopback address that misbehaves on request.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What a request meets; later ones are served as they ask.
#[derive(Clone, Copy, Debug)]
#[allow(dead_code, reason = "two crates use this file, each some of it")]
pub(crate) enum Act {
    /// The answer promises all and is cut after so many bytes of the body.
    CutAfter(usize),
    /// The answer promises all and stops without an end after so many bytes of the body.
    StallAfter(usize),
    /// The whole file, whatever range was asked for.
    IgnoreRange,
    /// This status and nothing else.
    Fail(u16),
}

/// A server; it ends with the test's process.
pub(crate) struct Web {
    /// Its address with a slash at the end.
    pub(crate) url: String,
    shared: Arc<Shared>,
}

struct Shared {
    files: Mutex<BTreeMap<String, (Vec<u8>, &'static str)>>,
    acts: Mutex<VecDeque<Act>>,
    asked: Mutex<Vec<String>>,
}

impl Web {
    /// Serves files by name, with a version each.
    pub(crate) fn serve(files: &[(&str, Vec<u8>)], acts: &[Act]) -> Web {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let files = files.iter().map(|(name, bytes)| (name.to_string(), (bytes.clone(), "\"one\""))).collect();
        let acts = Mutex::new(acts.iter().copied().collect());
        let shared = Arc::new(Shared { files: Mutex::new(files), acts, asked: Mutex::default() });
        let server = shared.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let server = server.clone();
                std::thread::spawn(move || server.answer(stream));
            }
        });
        Web { url, shared }
    }

    /// Puts another version of a file in the place of the first.
    #[allow(dead_code, reason = "two crates use this file, each some of it")]
    pub(crate) fn replace(&self, name: &str, bytes: Vec<u8>) {
        self.shared.files.lock().unwrap().insert(name.into(), (bytes, "\"two\""));
    }

    /// Puts other contents in the place of a file, under the same version.
    #[allow(dead_code, reason = "two crates use this file, each some of it")]
    pub(crate) fn repair(&self, name: &str, bytes: Vec<u8>) {
        self.shared.files.lock().unwrap().insert(name.into(), (bytes, "\"one\""));
    }

    /// The requests so far: name, then the range if one was asked for.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.shared.asked.lock().unwrap().clone()
    }
}

impl Shared {
    fn answer(&self, mut stream: TcpStream) -> Option<()> {
        let mut reader = BufReader::new(stream.try_clone().ok()?);
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let name = line.split(' ').nth(1)?.trim_start_matches('/').to_string();
        let (mut range, mut version_asked) = (None, None);
        loop {
            line.clear();
            reader.read_line(&mut line).ok()?;
            let Some((key, value)) = line.trim().split_once(": ") else { break };
            match key.to_ascii_lowercase().as_str() {
                "range" => range = value.strip_prefix("bytes=")?.strip_suffix('-')?.parse::<usize>().ok(),
                "if-range" => version_asked = Some(value.to_string()),
                _ => {}
            }
        }
        let shown = range.map_or(name.clone(), |start| format!("{name} {start}-"));
        self.asked.lock().unwrap().push(shown);
        let act = self.acts.lock().unwrap().pop_front();
        if let Some(Act::Fail(status)) = act {
            return write!(stream, "HTTP/1.1 {status} no\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").ok();
        }
        let Some((bytes, version)) = self.files.lock().unwrap().get(&name).cloned() else {
            return write!(stream, "HTTP/1.1 404 no\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").ok();
        };
        let range = range.filter(|_| !matches!(act, Some(Act::IgnoreRange)));
        let range = range.filter(|_| version_asked.is_none_or(|asked| asked == version));
        let (size, start) = (bytes.len(), range.unwrap_or(0));
        let status = match range {
            Some(start) if start >= size => {
                let head = format!("HTTP/1.1 416 no\r\nContent-Range: bytes */{size}\r\n");
                return write!(stream, "{head}Content-Length: 0\r\nConnection: close\r\n\r\n").ok();
            }
            Some(start) => format!("206 Partial Content\r\nContent-Range: bytes {start}-{}/{size}", size - 1),
            None => "200 OK".into(),
        };
        let length = size - start;
        let head =
            format!("HTTP/1.1 {status}\r\nETag: {version}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).ok()?;
        let sent = match act {
            Some(Act::CutAfter(most) | Act::StallAfter(most)) => length.min(most),
            _ => length,
        };
        stream.write_all(&bytes[start..start + sent]).ok()?;
        if let Some(Act::StallAfter(_)) = act {
            std::thread::sleep(std::time::Duration::from_secs(60));
        }
        stream.flush().ok()
    }
}
