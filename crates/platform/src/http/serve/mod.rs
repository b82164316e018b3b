//! The accept loop. Connections are limited in number, and closed if they send no request, drip its body or
//! do not read the response. Health checks are answered even when all slots are taken, and a stop lets
//! running requests finish.

mod connection_slots;
mod limits;
mod min_throughput;
mod socket;
mod timeouts;

use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderValue, Request, Response, StatusCode, header};
use axum::response::IntoResponse;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt as _;

use super::ApiError;
use super::origin::forwarded;

pub use connection_slots::{Slot, Slots};
pub use limits::{Limits, open_files};
pub use min_throughput::MinThroughput;

use min_throughput::MeteredBody;
use socket::Socket;
use timeouts::{Answering, Timeouts};

/// Running requests get this long to finish after a stop.
const FINISH_WITHIN: Duration = Duration::from_secs(10);
/// Timeout for the request on a spare connection.
const SPARE_HEAD_WITHIN: Duration = Duration::from_secs(3);
/// Health checks.
const HEALTH: [&str; 2] = ["/healthz", "/readyz"];

/// Serves until `stop` within the default limits, then lets running requests finish.
pub async fn serve(listener: TcpListener, router: Router, stop: CancellationToken) {
    serve_within(listener, router, Limits::default(), stop).await;
}

/// As [`serve`], with other limits.
pub async fn serve_within(listener: TcpListener, router: Router, limits: Limits, stop: CancellationToken) {
    let gate = Gate {
        all: Slots::of(limits.connections),
        by_address: Slots::of(limits.per_address),
        proxied: Arc::new(Slots::of(limits.per_address)),
        spare: VecDeque::with_capacity(limits.spare),
        limits: Arc::new(limits),
        router,
        open: TaskTracker::new(),
        stop: stop.clone(),
    };
    gate.run(&listener).await;
    drop(listener);
}

/// Admits connections.
struct Gate {
    all: Slots<()>,
    by_address: Slots<IpAddr>,
    /// Running requests by the address the trusted proxies saw.
    proxied: Arc<Slots<IpAddr>>,
    /// Spare connections for health checks, oldest first.
    spare: VecDeque<(Arc<Timeouts>, CancellationToken)>,
    limits: Arc<Limits>,
    router: Router,
    open: TaskTracker,
    stop: CancellationToken,
}

impl Gate {
    async fn run(mut self, listener: &TcpListener) {
        let stop = self.stop.clone();
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                accepted = listener.accept() => match accepted {
                    Ok((stream, peer)) => self.let_in(stream, peer),
                    Err(error) => {
                        // Most likely out of file descriptors: give others time to close theirs.
                        tracing::warn!(%error, "cannot accept a connection");
                        tokio::time::sleep(Duration::from_millis(100)).await;
                    }
                },
            }
        }
        self.open.close();
        if tokio::time::timeout(FINISH_WITHIN, self.open.wait()).await.is_err() {
            tracing::warn!("some requests did not finish in time");
        }
    }

    fn let_in(&mut self, stream: TcpStream, peer: SocketAddr) {
        socket::prepare(&stream);
        let slots = self.all.take(()).zip(self.slot_of(peer.ip()));
        let mut connection = Connection {
            timeouts: Arc::new(Timeouts::new(self.limits.head_within, self.limits.idle_within)),
            limits: Arc::clone(&self.limits),
            proxied: Arc::clone(&self.proxied),
            router: self.router.clone(),
            peer,
            spare: false,
            stop: self.stop.clone(),
            make_room: CancellationToken::new(),
        };
        if slots.is_none() {
            let within = SPARE_HEAD_WITHIN.min(self.limits.head_within);
            connection.spare = true;
            connection.timeouts = Arc::new(Timeouts::new(within, within));
            if !self.find_spare(&connection) {
                return;
            }
        }
        self.open.spawn(async move {
            connection.run(stream).await;
            drop(slots);
        });
    }

    /// A slot of one address. Behind proxies all connections are theirs, so requests are counted instead.
    fn slot_of(&self, address: IpAddr) -> Option<Option<Slot<IpAddr>>> {
        if self.limits.proxy_hops > 0 {
            return Some(None);
        }
        self.by_address.take(network(address)).map(Some)
    }

    /// Room among the spare connections: the oldest without a request is closed.
    fn find_spare(&mut self, newcomer: &Connection) -> bool {
        // Once a connection has ended, only this list holds its watch.
        self.spare.retain(|(timeouts, _)| Arc::strong_count(timeouts) > 1);
        if self.spare.len() >= self.limits.spare {
            let Some(silent) = self.spare.iter().position(|(timeouts, _)| !timeouts.is_answering()) else {
                return false;
            };
            if let Some((_, make_room)) = self.spare.remove(silent) {
                make_room.cancel();
            }
        }
        self.spare.push_back((Arc::clone(&newcomer.timeouts), newcomer.make_room.clone()));
        true
    }
}

/// The key of an address: an IPv6 customer has a whole /64.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(ip) => {
            let [a, b, c, d, ..] = ip.segments();
            IpAddr::from([a, b, c, d, 0, 0, 0, 0])
        }
        v4 => v4,
    }
}

struct Connection {
    timeouts: Arc<Timeouts>,
    limits: Arc<Limits>,
    proxied: Arc<Slots<IpAddr>>,
    router: Router,
    peer: SocketAddr,
    /// Whether only health checks are answered.
    spare: bool,
    stop: CancellationToken,
    /// Cancelled when another connection needs its slot.
    make_room: CancellationToken,
}

impl Connection {
    async fn run(self, stream: TcpStream) {
        let socket = TokioIo::new(Socket::new(stream, Arc::clone(&self.timeouts), &self.limits));
        let (timeouts, stop, make_room) =
            (Arc::clone(&self.timeouts), self.stop.clone(), self.make_room.clone());
        let mut http = http1::Builder::new();
        // The watch is the one timer for the first request and the next ones.
        http.timer(TokioTimer::new())
            .header_read_timeout(None)
            .max_buf_size(64 * 1024)
            .keep_alive(!self.spare);
        let this = Arc::new(self);
        let service = hyper::service::service_fn(move |request| {
            let this = Arc::clone(&this);
            // Now, not when the future is first polled: the head has arrived.
            let answering = Timeouts::answer(&this.timeouts);
            async move { Ok::<_, Infallible>(this.answer(request, answering).await) }
        });
        let mut connection = pin!(http.serve_connection(socket, service));
        let mut stopping = false;
        loop {
            tokio::select! {
                ended = connection.as_mut() => {
                    if let Err(error) = ended {
                        tracing::debug!(%error, "a connection ended with an error");
                    }
                    return;
                }
                () = stop.cancelled(), if !stopping => {
                    stopping = true;
                    connection.as_mut().graceful_shutdown();
                }
                () = make_room.cancelled() => return,
                () = tokio::time::sleep_until(timeouts.look_at()) => {
                    if timeouts.is_over() {
                        tracing::debug!("closed a connection without a request");
                        return;
                    }
                }
            }
        }
    }

    async fn answer(&self, request: Request<Incoming>, answering: Answering) -> Response<Body> {
        let limits = &self.limits;
        let mut request = request.map(|body| Body::new(MeteredBody::new(body, limits.body_throughput)));
        request.extensions_mut().insert(ConnectInfo(self.peer));
        if self.spare && !HEALTH.contains(&request.uri().path()) {
            return answering
                .hold(refuse("The server has no room for more connections. Try again in a moment."));
        }
        let caller = forwarded(request.headers(), limits.proxy_hops).map(network);
        let slot = match caller.map(|caller| self.proxied.take(caller)) {
            Some(None) => {
                return answering
                    .hold(refuse("Too many requests from your address are under way. Try again."));
            }
            Some(Some(slot)) => Some(slot),
            None => None,
        };
        let response = match self.router.clone().oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        };
        answering.with(slot).hold(response)
    }
}

fn refuse(words: &str) -> Response<Body> {
    let mut response = ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", words).into_response();
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}
