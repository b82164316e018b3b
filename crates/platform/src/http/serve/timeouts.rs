//! Time a connection has been without a request.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::http::Response;
use hyper::body::{Bytes, Frame, SizeHint};
use tokio::time::Instant;

use super::connection_slots::Slot;

/// Time a connection has been without a request.
#[derive(Debug)]
pub(super) struct Timeouts {
    idle_within: Duration,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Requests in progress: being handled, or with the response being sent.
    answering: usize,
    /// Since when there is none, or when the last part of a response was sent.
    since: Instant,
    /// Timeout of the next one.
    within: Duration,
}

impl Timeouts {
    /// For a new connection.
    pub fn new(head_within: Duration, idle_within: Duration) -> Self {
        let state = State { answering: 0, since: Instant::now(), within: head_within };
        Self { idle_within, state: Mutex::new(state) }
    }

    /// A request has arrived; it is in progress until the result is dropped.
    pub fn answer(timeouts: &Arc<Self>) -> Answering {
        timeouts.state().answering += 1;
        Answering { timeouts: Arc::clone(timeouts), slot: None }
    }

    /// Whether a request of this connection is in progress.
    pub fn is_answering(&self) -> bool {
        self.state().answering > 0
    }

    /// A part of a response was sent: the connection is in use, even if the handler has finished.
    pub fn sent(&self) {
        self.state().since = Instant::now();
    }

    /// When to check again whether the connection is over.
    pub fn look_at(&self) -> Instant {
        let (state, next) = (self.state(), Instant::now() + self.idle_within);
        if state.answering > 0 { next } else { next.min(state.since + state.within) }
    }

    /// Whether the timeout for the next request has passed.
    pub fn is_over(&self) -> bool {
        let state = self.state();
        state.answering == 0 && state.since.elapsed() >= state.within
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request in progress.
pub(super) struct Answering {
    timeouts: Arc<Timeouts>,
    slot: Option<Slot<std::net::IpAddr>>,
}

impl Answering {
    /// Holds a slot meanwhile.
    pub fn with(mut self, slot: Option<Slot<std::net::IpAddr>>) -> Self {
        self.slot = slot;
        self
    }

    /// Ends once the whole body was sent.
    pub fn hold(self, response: Response<Body>) -> Response<Body> {
        response.map(|body| Body::new(Held { body, _answering: self }))
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        let mut state = self.timeouts.state();
        state.answering -= 1;
        state.since = Instant::now();
        state.within = self.timeouts.idle_within;
    }
}

/// The body of a response.
struct Held {
    body: Body,
    _answering: Answering,
}

impl hyper::body::Body for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
