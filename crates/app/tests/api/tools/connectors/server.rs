//! A server with real-world faults: dropped connections, truncated and repeated responses, refusals.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

/// A request.
#[derive(Debug, Clone)]
pub struct Request {
    pub method: String,
    /// Path and query.
    pub target: String,
    pub headers: String,
    pub body: String,
}

impl Request {
    /// A query parameter.
    pub fn query(&self, name: &str) -> Option<String> {
        let (_, query) = self.target.split_once('?')?;
        query.split('&').find_map(|pair| pair.strip_prefix(&format!("{name}=")).map(str::to_owned))
    }
}

/// A response.
#[derive(Debug, Clone)]
pub enum Reply {
    /// Status, further headers, body.
    Whole(u16, Vec<(&'static str, String)>, String),
    /// Announces the complete body, but sends only the first bytes.
    Half(String, usize),
    /// Truncated JSON in a body of the announced length.
    Cut(String, usize),
    /// Drops the connection.
    Drop,
}

impl Reply {
    pub fn json(body: &serde_json::Value) -> Self {
        Self::Whole(200, Vec::new(), body.to_string())
    }

    pub fn status(status: u16) -> Self {
        Self::Whole(status, Vec::new(), "{}".to_owned())
    }
}

pub struct Hostile {
    pub url: String,
    pub port: u16,
    seen: Arc<Mutex<Vec<Request>>>,
}

impl Hostile {
    /// Answers each request with `reply`, given the request and the number of previous ones.
    pub async fn start(reply: impl Fn(&Request, usize) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let seen: Arc<Mutex<Vec<Request>>> = Arc::default();
        let (kept, reply) = (seen.clone(), Arc::new(reply));
        tokio::spawn(async move {
            loop {
                let Ok((mut stream, _)) = listener.accept().await else { return };
                let (kept, reply) = (kept.clone(), reply.clone());
                tokio::spawn(async move {
                    let mut bytes = Vec::new();
                    let head = loop {
                        if let Some(at) = bytes.windows(4).position(|it| it == b"\r\n\r\n") {
                            break at;
                        }
                        if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
                            return;
                        }
                    };
                    let text = String::from_utf8_lossy(&bytes[..head]).into_owned();
                    let length = text
                        .lines()
                        .find_map(|line| {
                            line.to_ascii_lowercase().strip_prefix("content-length: ").map(str::to_owned)
                        })
                        .and_then(|it| it.trim().parse::<usize>().ok())
                        .unwrap_or(0);
                    while bytes.len() < head + 4 + length {
                        if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
                            return;
                        }
                    }
                    let mut first = text.lines().next().unwrap_or_default().split(' ').map(str::to_owned);
                    let request = Request {
                        method: first.next().unwrap_or_default(),
                        target: first.next().unwrap_or_default(),
                        headers: text.clone(),
                        body: String::from_utf8_lossy(&bytes[head + 4..]).into_owned(),
                    };
                    let before = {
                        let mut seen = kept.lock().expect("the list");
                        seen.push(request.clone());
                        seen.len() - 1
                    };
                    let (status, headers, body, send) = match reply(&request, before) {
                        Reply::Drop => return,
                        Reply::Whole(status, headers, body) => (status, headers, body.clone(), body.len()),
                        Reply::Half(body, bytes) => {
                            let sent = bytes.min(body.len() / 2);
                            (200, Vec::new(), body, sent)
                        }
                        Reply::Cut(body, bytes) => {
                            let sent = bytes.min(body.len() / 2);
                            (200, Vec::new(), body[..sent].to_owned(), sent)
                        }
                    };
                    let mut out = format!(
                        "HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {}\r\n",
                        body.len()
                    );
                    for (name, value) in headers {
                        out.push_str(&format!("{name}: {value}\r\n"));
                    }
                    out.push_str("\r\n");
                    out.push_str(&body[..send.min(body.len())]);
                    let _ = stream.write_all(out.as_bytes()).await;
                    let _ = stream.shutdown().await;
                });
            }
        });
        Self { url: format!("http://127.0.0.1:{port}"), port, seen }
    }

    pub fn seen(&self) -> Vec<Request> {
        self.seen.lock().expect("the list").clone()
    }
}
