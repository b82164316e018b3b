//! Attacks by connections alone have no lasting effect.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::routing::{get, post};
use bytes::Bytes;
use futures::StreamExt as _;
use larder_platform::http::serve::{Limits, MinThroughput, serve_within};
use rstest::rstest;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio_util::sync::CancellationToken;

/// No step takes this long; waiting longer means failure.
const PATIENCE: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(300);

/// A server that stops when the test ends.
struct Edge {
    address: SocketAddr,
    stop: CancellationToken,
}

impl Drop for Edge {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// Generous limits; each test shortens one.
fn limits() -> Limits {
    let throughput = MinThroughput { least: 1_000, within: PATIENCE };
    let (head_within, idle_within) = (PATIENCE * 2, PATIENCE * 2);
    Limits {
        head_within,
        idle_within,
        body_throughput: throughput,
        response_throughput: throughput,
        ..Limits::default()
    }
}

async fn start(limits: Limits) -> Edge {
    start_with(limits, Router::new()).await
}

async fn start_with(limits: Limits, more: Router) -> Edge {
    let router = more
        .route("/healthz", get(async || "ok"))
        .route("/hello", get(async || "hello"))
        .route(
            "/waiting",
            get(async || Body::from_stream(futures::stream::pending::<Result<Bytes, axum::Error>>())),
        )
        .route("/body", post(async |body: Bytes| body.len().to_string()));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
    let (address, stop) = (listener.local_addr().expect("an address"), CancellationToken::new());
    tokio::spawn(serve_within(listener, router, limits, stop.clone()));
    Edge { address, stop }
}

impl Edge {
    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.expect("a connection")
    }

    /// Status line of a GET on a connection of its own.
    async fn get(&self, path: &str) -> String {
        ask(self.connect().await, path, "").await.1
    }
}

/// Sends a request and reads the status line.
async fn ask(mut stream: TcpStream, path: &str, headers: &str) -> (TcpStream, String) {
    let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut line = Vec::new();
    let reading = async {
        while !line.ends_with(b"\r\n") {
            line.push(stream.read_u8().await.expect("an answer"));
        }
    };
    tokio::time::timeout(PATIENCE, reading).await.expect("answered in time");
    (stream, String::from_utf8_lossy(&line).trim_end().to_owned())
}

/// Reads until the server closes.
async fn until_closed(mut stream: TcpStream) -> String {
    let mut heard = Vec::new();
    // A reset closes the connection too.
    let reading = async { stream.read_to_end(&mut heard).await.unwrap_or(0) };
    tokio::time::timeout(PATIENCE, reading).await.expect("the server closed");
    String::from_utf8_lossy(&heard).into_owned()
}

#[rstest]
#[case::nothing(b"")]
#[case::half_a_head(b"GET /hello HTTP/1.1\r\nhost: x\r\n")]
#[case::half_a_preface(b"PRI * HTTP/2.0\r\n")]
#[case::http2_and_silence(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00")]
#[tokio::test]
async fn a_connection_without_a_request_is_closed(#[case] sent: &[u8]) {
    let edge = start(Limits { head_within: SHORT, ..limits() }).await;
    let mut stream = edge.connect().await;
    stream.write_all(sent).await.expect("sent");
    until_closed(stream).await;
}

#[tokio::test]
async fn an_idle_keep_alive_connection_is_closed() {
    let edge = start(Limits { idle_within: SHORT, ..limits() }).await;
    let (silent, line) = ask(edge.connect().await, "/hello", "").await;
    assert_eq!(line, "HTTP/1.1 200 OK");
    assert!(until_closed(silent).await.ends_with("hello"));
    // A head sent byte by byte does not keep a connection open either.
    let (stream, _) = ask(edge.connect().await, "/hello", "").await;
    let (read, mut write) = stream.into_split();
    let drips = tokio::spawn(async move {
        while write.write_all(b"G").await.is_ok() {
            tokio::time::sleep(SHORT / 20).await;
        }
    });
    let mut read = read;
    let mut heard = Vec::new();
    let reading = async { read.read_to_end(&mut heard).await.unwrap_or(0) };
    tokio::time::timeout(PATIENCE, reading).await.expect("the server closed");
    drips.abort();
}

#[tokio::test]
async fn a_full_server_still_answers_supervisors() {
    let edge = start(Limits { connections: 3, per_address: 3, spare: 2, ..limits() }).await;
    let mut held = Vec::new();
    for _ in 0..3 {
        let (stream, line) = ask(edge.connect().await, "/hello", "").await;
        assert_eq!(line, "HTTP/1.1 200 OK");
        held.push(stream);
    }
    assert_eq!(edge.get("/hello").await, "HTTP/1.1 503 Service Unavailable");
    // Silent connections do not block a supervisor either.
    let mut silent = Vec::new();
    for _ in 0..10 {
        silent.push(edge.connect().await);
    }
    assert_eq!(edge.get("/healthz").await, "HTTP/1.1 200 OK");
    drop(held);
    let answered = async {
        while edge.get("/hello").await != "HTTP/1.1 200 OK" {
            tokio::time::sleep(SHORT / 10).await;
        }
    };
    tokio::time::timeout(PATIENCE, answered).await.expect("there is room again");
}

#[tokio::test]
async fn one_address_cannot_use_all_connections() {
    let edge = start(Limits { per_address: 2, ..limits() }).await;
    let _held = [edge.connect().await, edge.connect().await];
    assert_eq!(edge.get("/hello").await, "HTTP/1.1 503 Service Unavailable");
    assert_eq!(edge.get("/healthz").await, "HTTP/1.1 200 OK");
    let neighbour = TcpSocket::new_v4().expect("a socket");
    neighbour.bind((Ipv4Addr::new(127, 0, 0, 2), 0).into()).expect("another address of this machine");
    let neighbour = neighbour.connect(edge.address).await.expect("a connection");
    assert_eq!(ask(neighbour, "/hello", "").await.1, "HTTP/1.1 200 OK");
}

/// All connections come from the proxy: requests are counted by the address it reports.
#[tokio::test]
async fn behind_a_proxy_one_address_cannot_use_all_requests() {
    let edge = start(Limits { per_address: 2, proxy_hops: 1, ..limits() }).await;
    let from = async |address: &str, path: &str| {
        ask(edge.connect().await, path, &format!("x-forwarded-for: {address}\r\n")).await
    };
    let _idle = [edge.connect().await, edge.connect().await, edge.connect().await];
    let held = [from("192.0.2.1", "/waiting").await, from("192.0.2.1", "/waiting").await];
    assert!(held.iter().all(|(_, line)| line == "HTTP/1.1 200 OK"));
    assert_eq!(from("192.0.2.1", "/hello").await.1, "HTTP/1.1 503 Service Unavailable");
    assert_eq!(from("192.0.2.2", "/hello").await.1, "HTTP/1.1 200 OK");
    drop(held);
    let answered = async {
        while from("192.0.2.1", "/hello").await.1 != "HTTP/1.1 200 OK" {
            tokio::time::sleep(SHORT / 10).await;
        }
    };
    tokio::time::timeout(PATIENCE, answered).await.expect("there is room again");
}

#[tokio::test]
async fn a_slow_body_is_cut_off() {
    let edge =
        start(Limits { body_throughput: MinThroughput { least: 1_000, within: SHORT }, ..limits() }).await;
    let mut stream = edge.connect().await;
    stream
        .write_all(b"POST /body HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n")
        .await
        .expect("sent");
    // No single pause is too long.
    let drips = async {
        while stream.write_all(b"x").await.is_ok() {
            let mut heard = [0; 512];
            match tokio::time::timeout(SHORT / 20, stream.read(&mut heard)).await {
                Ok(Ok(n)) if n > 0 => return String::from_utf8_lossy(&heard[..n]).into_owned(),
                Ok(_) => return String::new(),
                Err(_) => {}
            }
        }
        String::new()
    };
    let heard = tokio::time::timeout(PATIENCE, drips).await.expect("cut off");
    assert!(heard.is_empty() || heard.starts_with("HTTP/1.1 4"), "{heard}");
    // A body sent fast enough is accepted, in however many pieces.
    let mut stream = edge.connect().await;
    stream.write_all(b"POST /body HTTP/1.1\r\nhost: x\r\ncontent-length: 30000\r\n\r\n").await.expect("sent");
    for _ in 0..10 {
        stream.write_all(&[b'x'; 3000]).await.expect("sent");
        tokio::time::sleep(SHORT / 20).await;
    }
    let mut heard = [0; 15];
    stream.read_exact(&mut heard).await.expect("answered");
    assert_eq!(&heard, b"HTTP/1.1 200 OK");
}

/// Reports when it is dropped.
struct Gone(Arc<AtomicBool>);

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[tokio::test]
async fn an_unread_response_is_aborted() {
    let gone = Arc::<AtomicBool>::default();
    let endless = {
        let gone = Arc::clone(&gone);
        async move || {
            let gone = Gone(gone);
            let part = futures::stream::repeat_with(move || {
                let _ = &gone;
                Ok::<_, axum::Error>(Bytes::from(vec![0; 1 << 16]))
            });
            Body::from_stream(part.boxed())
        }
    };
    let limits = Limits { response_throughput: MinThroughput { least: 1_000, within: SHORT }, ..limits() };
    let edge = start_with(limits, Router::new().route("/endless", get(endless))).await;
    let _unread = ask(edge.connect().await, "/endless", "").await;
    let ended = async {
        while !gone.load(Ordering::SeqCst) {
            tokio::time::sleep(SHORT / 10).await;
        }
    };
    tokio::time::timeout(PATIENCE, ended).await.expect("aborted");
}
