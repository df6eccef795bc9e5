//! Downloads a file from a web server, in as many attempts as it takes.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ureq::http::{Response, StatusCode};
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, Proxy};
use verism::input::Watch;
use verism::{Defect, Error, Result};

use super::answer::{Answer, Said};

/// Goes without a single new byte before we give up.
const VAIN_GOES: u32 = 4;

/// Time in which a server has to say something.
const PATIENCE: Duration = Duration::from_secs(30);

/// Downloads a file of at most so many bytes to a place. What is there already, from the same address, is kept and gone on with, in this run and
/// in the next.
///
/// The caller checks the contents: a server can change its mind between two goes.
pub(super) fn download(url: &str, place: &Path, most: u64, watch: &dyn Watch) -> Result<()> {
    let agent = agent(url)?;
    let note = Note::beside(place);
    let mut part = Partial::open(url, place, most, &note)?;
    watch.expect(part.bytes);
    watch.advance(part.bytes);
    let mut vain = 0;
    loop {
        let before = part.bytes;
        let failed = match go(&agent, url, &mut part, &note, watch)? {
            Attempt::Done => return part.file.sync_all().map_err(Error::write(place.display().to_string())),
            Attempt::Refused(found) => return Err(unreachable(url, found).into()),
            Attempt::Again => "an answer that does not fit what is here".into(),
            Attempt::Failed(found) => found,
        };
        vain = if part.bytes > before { 0 } else { vain + 1 };
        if vain == VAIN_GOES {
            let kept = if part.bytes > 0 { "; what has come is kept, and the next run goes on from there" } else { "" };
            return Err(unreachable(url, failed).hint(format!("check the connection and HTTPS_PROXY{kept}")).into());
        }
        // A server that is busy is given a moment, longer each time.
        for _ in 0..(1_u32 << vain) {
            if watch.stop() {
                return Err(Error::Interrupted);
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

fn unreachable(url: &str, found: String) -> Defect {
    Defect::new("unreachable", "the file from the server").file(without_secrets(url)).value(found)
}

/// An address as it may be shown and kept: without the name and password before its host, and without its query.
pub(super) fn without_secrets(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    format!("{scheme}://{host}{path}")
}

/// What has come so far.
struct Partial {
    file: File,
    bytes: u64,
    /// Bytes that it may have.
    most: u64,
    /// Bytes that the watch has been told to expect.
    told: u64,
    place: PathBuf,
}

impl Partial {
    fn open(url: &str, place: &Path, most: u64, note: &Note) -> Result<Partial> {
        let open = || {
            let file = OpenOptions::new().create(true).append(true).open(place)?;
            let foreign = note.read().is_none_or(|(from, _)| from != without_secrets(url));
            if foreign || file.metadata()?.len() > most {
                file.set_len(0)?;
            }
            let bytes = file.metadata()?.len();
            Ok(Partial { file, bytes, most, told: bytes, place: place.into() })
        };
        open().map_err(Error::write(place.display().to_string()))
    }

    fn restart(&mut self) -> Result<()> {
        self.bytes = 0;
        self.file.set_len(0).map_err(Error::write(self.place.display().to_string()))
    }
}

/// Where a part comes from and which version of the file it is, kept beside it.
struct Note(PathBuf);

impl Note {
    fn beside(place: &Path) -> Note {
        Note(place.with_extension("from"))
    }

    fn read(&self) -> Option<(String, Option<String>)> {
        let text = fs::read_to_string(&self.0).ok()?;
        let (url, version) = text.split_once('\n')?;
        Some((url.into(), Some(version.trim_end().to_string()).filter(|version| !version.is_empty())))
    }

    fn write(&self, url: &str, version: Option<&str>) -> Result<()> {
        let text = format!("{}\n{}\n", without_secrets(url), version.unwrap_or_default());
        fs::write(&self.0, text).map_err(Error::write(self.0.display().to_string()))
    }
}

/// How one go ended.
enum Attempt {
    /// The file is complete.
    Done,
    /// The server will not give it.
    Refused(String),
    /// What is here does not go with the file there; it was dropped.
    Again,
    /// Something came in between.
    Failed(String),
}

fn go(agent: &Agent, url: &str, part: &mut Partial, note: &Note, watch: &dyn Watch) -> Result<Attempt> {
    let mut request = agent.get(url);
    if part.bytes > 0 {
        request = request.header("Range", format!("bytes={}-", part.bytes));
        if let Some((_, Some(version))) = note.read() {
            request = request.header("If-Range", version);
        }
    }
    let answer = match Answer::to(request) {
        Ok(answer) => answer,
        Err(error) => return Ok(Attempt::Refused(error.to_string())),
    };
    let response = match answer.next(watch)? {
        Said::Head(response) => response,
        Said::Silent(error @ (ureq::Error::BadUri(_) | ureq::Error::Http(_) | ureq::Error::Tls(_))) => {
            return Ok(Attempt::Refused(error.to_string()));
        }
        Said::Silent(error) => return Ok(Attempt::Failed(error.to_string())),
        Said::Bytes(_) | Said::End | Said::Cut(_) => return Ok(Attempt::Failed("no answer".into())),
    };
    match response.status() {
        StatusCode::PARTIAL_CONTENT if header(&response, "content-range").and_then(first_byte) == Some(part.bytes) => {}
        StatusCode::OK => part.restart()?,
        StatusCode::RANGE_NOT_SATISFIABLE
            if header(&response, "content-range").and_then(all_bytes) == Some(part.bytes) =>
        {
            return Ok(Attempt::Done);
        }
        StatusCode::PARTIAL_CONTENT | StatusCode::RANGE_NOT_SATISFIABLE => {
            part.restart()?;
            return Ok(Attempt::Again);
        }
        status if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS => {
            return Ok(Attempt::Failed(status.to_string()));
        }
        status => return Ok(Attempt::Refused(status.to_string())),
    }
    let version = header(&response, "etag").filter(|version| !version.starts_with("W/"));
    note.write(url, version)?;
    let length = header(&response, "content-length").and_then(|length| length.parse::<u64>().ok());
    let whole = length.map(|length| part.bytes + length);
    let more = whole.map_or(0, |whole| whole.saturating_sub(part.told));
    watch.expect(more);
    part.told += more;
    receive(&answer, whole, part, watch)
}

/// Appends the body of an answer to the part.
fn receive(answer: &Answer, whole: Option<u64>, part: &mut Partial, watch: &dyn Watch) -> Result<Attempt> {
    loop {
        match answer.next(watch)? {
            Said::Bytes(piece) => {
                part.file.write_all(&piece).map_err(Error::write(part.place.display().to_string()))?;
                part.bytes += piece.len() as u64;
                watch.advance(piece.len() as u64);
                if part.bytes > part.most {
                    return Ok(Attempt::Refused(format!("more than {} bytes", part.most)));
                }
            }
            Said::Cut(error) => return Ok(Attempt::Failed(error.to_string())),
            _ if whole.is_some_and(|whole| whole != part.bytes) => {
                return Ok(Attempt::Failed("the connection was cut".into()));
            }
            _ => return Ok(Attempt::Done),
        }
    }
}

fn header<'a>(response: &'a Response<()>, name: &str) -> Option<&'a str> {
    response.headers().get(name)?.to_str().ok()
}

/// 7 of `bytes 7-99/100`.
fn first_byte(range: &str) -> Option<u64> {
    range.strip_prefix("bytes ")?.split_once('-')?.0.parse().ok()
}

/// 100 of `bytes */100`.
fn all_bytes(range: &str) -> Option<u64> {
    range.strip_prefix("bytes */")?.parse().ok()
}

/// Asks as the environment says: proxies as everywhere, and the certificates of `SSL_CERT_FILE` instead of those built in.
fn agent(url: &str) -> Result<Agent> {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    // A proxy for https alone is none for http.
    let secure = url.starts_with("https://");
    let proxied = secure || ["ALL_PROXY", "all_proxy", "HTTP_PROXY", "http_proxy"].into_iter().any(set);
    let mut config = Agent::config_builder()
        .http_status_as_error(false)
        .user_agent(concat!("verism/", env!("CARGO_PKG_VERSION")))
        .proxy(if proxied { Proxy::try_from_env() } else { None })
        .timeout_resolve(Some(PATIENCE))
        .timeout_connect(Some(PATIENCE))
        .timeout_recv_response(Some(PATIENCE))
        .timeout_per_read(Some(PATIENCE));
    if let Some(file) = std::env::var_os("SSL_CERT_FILE").filter(|file| secure && !file.is_empty()) {
        let bad = |found: String| {
            let defect = Defect::new("bad_option", "a file with certificates in PEM form").field("SSL_CERT_FILE");
            defect.file(file.to_string_lossy()).value(found)
        };
        let text = fs::read(&file).map_err(|error| bad(error.to_string()))?;
        let certificates: Vec<_> = parse_pem(&text)
            .filter_map(|item| match item {
                Ok(PemItem::Certificate(certificate)) => Some(certificate),
                _ => None,
            })
            .collect();
        if certificates.is_empty() {
            return Err(bad("none".into()).into());
        }
        let tls = TlsConfig::builder().root_certs(RootCerts::new_with_certs(&certificates)).build();
        config = config.tls_config(tls);
    }
    Ok(config.build().new_agent())
}

#[cfg(test)]
#[path = "download_tests.rs"]
mod tests;
