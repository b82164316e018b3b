//! One outgoing request with its redirects and its response.

use std::collections::HashMap;
use std::io::Read as _;
use std::net::SocketAddr;
use std::sync::Mutex;
use std::time::Duration;

use bytes::Bytes;
use reqwest::header::{self, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Url};

use super::addresses::{Allowed, is_public};

/// The largest response accepted, in bytes, compressed or not.
pub const MOST_BYTES: usize = 64 << 20;
/// Redirects followed.
const MOST_REDIRECTS: usize = 5;
const CONNECT_WITHIN: Duration = Duration::from_secs(10);
const ANSWER_WITHIN: Duration = Duration::from_secs(120);

/// Why a request failed, worded for the user who set the address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// The address may not be called; a retry is pointless.
    Refused(String),
    /// The network or the server failed; a retry may help.
    Failed(String),
}

impl Trouble {
    /// The message for the user.
    #[must_use]
    pub fn words(&self) -> &str {
        match self {
            Self::Refused(words) | Self::Failed(words) => words,
        }
    }
}

/// A request.
#[derive(Debug, Clone)]
pub struct Ask {
    pub method: Method,
    pub url: String,
    pub headers: Vec<(String, String)>,
    pub body: Option<Vec<u8>>,
}

/// A response of any status.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    /// Decompressed.
    pub body: Bytes,
}

/// HTTP client. Keep one per run: it reuses connections.
pub struct Caller {
    allowed: Allowed,
    clients: Mutex<HashMap<(String, String, u16), reqwest::Client>>,
    most: usize,
}

impl Caller {
    /// With the addresses a setting allows besides public ones.
    #[must_use]
    pub fn new(allowed: Allowed) -> Self {
        Self { allowed, clients: Mutex::default(), most: MOST_BYTES }
    }

    /// As [`Caller::new`], with responses of at most `most` bytes.
    #[must_use]
    pub fn with_most(allowed: Allowed, most: usize) -> Self {
        Self { most, ..Self::new(allowed) }
    }

    /// Parses an address and refuses what can be refused without resolving a name.
    ///
    /// # Errors
    /// A message for the user who typed it.
    pub fn check(&self, url: &str) -> Result<Url, Trouble> {
        let refuse = |words: &str| Err(Trouble::Refused(words.to_owned()));
        let Ok(url) = Url::parse(url) else {
            return refuse("This is no address. Write it as https://host/path.");
        };
        if !matches!(url.scheme(), "https" | "http") {
            return refuse("Only addresses that begin with https:// can be called.");
        }
        if !url.username().is_empty() || url.password().is_some() {
            return refuse(
                "Leave the user name and password out of the address; they have fields of their own.",
            );
        }
        let (host, literal) = host_of(&url);
        if host.is_empty() {
            return refuse("The address names no host.");
        }
        let inside = literal.is_some_and(|it| !is_public(it) && !self.allowed.holds(it));
        if inside && !self.allowed.names(&host) {
            return Err(Trouble::Refused(private(&host)));
        }
        let named = self.allowed.names(&host) || literal.is_some_and(|it| self.allowed.holds(it));
        // What an allowed name resolves to is checked later; a public literal needs encryption at once.
        if url.scheme() == "http" && literal.is_some() && !named {
            return Err(plain_text(&host));
        }
        Ok(url)
    }

    /// Sends a request and reads the whole response. Redirects of a GET are followed; credentials go to no
    /// other host.
    ///
    /// # Errors
    /// [`Trouble`].
    pub async fn send(&self, ask: &Ask) -> Result<Answer, Trouble> {
        let mut url = self.check(&ask.url)?;
        let mut headers = ask.headers.clone();
        for _ in 0..=MOST_REDIRECTS {
            let answer = tokio::time::timeout(ANSWER_WITHIN, self.once(ask, &url, &headers)).await;
            let answer = answer.map_err(|_| failed("The server did not answer within two minutes."))??;
            let Some(next) = redirect(&answer, &url)? else { return Ok(answer) };
            if ask.method != Method::GET {
                return Err(Trouble::Refused(
                    "The server redirects. Only GET requests follow; enter the new address.".to_owned(),
                ));
            }
            let next = self.check(next.as_str())?;
            if next.origin() != url.origin() {
                headers.clear();
            }
            url = next;
        }
        Err(Trouble::Refused(format!("The server redirected more than {MOST_REDIRECTS} times.")))
    }

    async fn once(&self, ask: &Ask, url: &Url, headers: &[(String, String)]) -> Result<Answer, Trouble> {
        let client = self.client(url).await?;
        let mut request = client.request(ask.method.clone(), url.clone());
        request = request.header(header::ACCEPT_ENCODING, "gzip");
        for (name, value) in headers {
            let name = HeaderName::try_from(name)
                .map_err(|_| Trouble::Refused(format!("«{name}» is no header.")))?;
            let value = HeaderValue::try_from(value)
                .map_err(|_| Trouble::Refused(format!("The header {name} holds a character it cannot.")))?;
            request = request.header(name, value);
        }
        if let Some(body) = &ask.body {
            request = request.body(body.clone());
        }
        let mut answer = request.send().await.map_err(|error| failed(&said(&error)))?;
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        let mut body = Vec::new();
        loop {
            match answer.chunk().await {
                Ok(Some(chunk)) if body.len() + chunk.len() <= self.most => body.extend_from_slice(&chunk),
                Ok(Some(_)) => return Err(too_long(self.most)),
                Ok(None) => break,
                Err(_) => {
                    return Err(failed(&format!("The answer broke off after {} bytes.", body.len())));
                }
            }
        }
        let most = self.most;
        let packing = headers.get(header::CONTENT_ENCODING).cloned();
        // A megabyte can decompress to a thousand, so not on an async thread.
        let unpacking = tokio::task::spawn_blocking(move || unpacked(packing.as_ref(), body, most));
        let body = unpacking.await.map_err(|_| failed("The packed answer cannot be read."))??;
        Ok(Answer { status, headers, body: body.into() })
    }

    /// A client that connects to one host at the checked addresses only.
    async fn client(&self, url: &Url) -> Result<reqwest::Client, Trouble> {
        let (host, literal) = host_of(url);
        let port = url.port_or_known_default().unwrap_or(443);
        let key = (url.scheme().to_owned(), host.clone(), port);
        if let Some(known) = self.lock().get(&key) {
            return Ok(known.clone());
        }
        let addresses: Vec<SocketAddr> = match literal {
            Some(literal) => vec![SocketAddr::new(literal, port)],
            None => tokio::net::lookup_host((host.as_str(), port))
                .await
                .map_err(|_| failed(&format!("«{host}» is not known on the internet. Check the address.")))?
                .collect(),
        };
        if addresses.is_empty() {
            return Err(failed(&format!("«{host}» is not known on the internet. Check the address.")));
        }
        let named = self.allowed.names(&host);
        let outside = |at: &SocketAddr| is_public(at.ip()) || self.allowed.holds(at.ip());
        if !named && !addresses.iter().all(outside) {
            return Err(Trouble::Refused(private(&host)));
        }
        let trusted = named || addresses.iter().all(|at| self.allowed.holds(at.ip()));
        if url.scheme() == "http" && !trusted {
            return Err(plain_text(&host));
        }
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder()
            .resolve_to_addrs(&host, &addresses)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .connect_timeout(CONNECT_WITHIN)
            .read_timeout(Duration::from_secs(60))
            .user_agent("Larder")
            .build()
            .map_err(|error| failed(&said(&error)))?;
        self.lock().insert(key, client.clone());
        Ok(client)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<(String, String, u16), reqwest::Client>> {
        self.clients.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// The host of an address, and its IP address if it is a literal. Decimal, octal and hexadecimal forms are
/// parsed as browsers do.
fn host_of(url: &Url) -> (String, Option<std::net::IpAddr>) {
    let host = url.host_str().unwrap_or_default().to_owned();
    let literal = host.trim_start_matches('[').trim_end_matches(']').parse().ok();
    (host, literal)
}

fn private(host: &str) -> String {
    format!(
        "«{host}» is in a private network, which connectors do not call. This server's operator can allow it with \
         LARDER_OUTGOING_ALLOW."
    )
}

fn plain_text(host: &str) -> Trouble {
    Trouble::Refused(format!("«{host}» would be called without encryption. Use https://."))
}

fn failed(words: &str) -> Trouble {
    Trouble::Failed(words.to_owned())
}

/// An error message without the address, which may contain secrets.
fn said(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        "The server did not answer in time.".to_owned()
    } else if error.is_connect() {
        "No connection to the server.".to_owned()
    } else {
        "The server dropped the connection.".to_owned()
    }
}

fn redirect(answer: &Answer, from: &Url) -> Result<Option<Url>, Trouble> {
    if !matches!(answer.status, 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let place = answer.headers.get(header::LOCATION).and_then(|it| it.to_str().ok());
    let next = place.and_then(|place| from.join(place).ok());
    next.map(Some).ok_or_else(|| Trouble::Refused("The server redirects without an address.".to_owned()))
}

fn unpacked(packing: Option<&HeaderValue>, body: Vec<u8>, most: usize) -> Result<Vec<u8>, Trouble> {
    match packing.map(HeaderValue::as_bytes) {
        None | Some(b"identity" | b"") => Ok(body),
        Some(b"gzip" | b"x-gzip") => {
            let mut out = Vec::new();
            flate2::read::MultiGzDecoder::new(&body[..])
                .take(most as u64 + 1)
                .read_to_end(&mut out)
                .map_err(|_| failed("The packed answer broke off or is damaged."))?;
            if out.len() > most { Err(too_long(most)) } else { Ok(out) }
        }
        Some(_) => Err(Trouble::Refused("The answer is packed in a way that was not asked for.".to_owned())),
    }
}

fn too_long(most: usize) -> Trouble {
    Trouble::Refused(format!(
        "The answer is longer than {} MiB. Ask for less at once, a day or a page.",
        (most >> 20).max(1)
    ))
}
