//! How long a connection has been without a request.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::http::Response;
use hyper::body::{Bytes, Frame, SizeHint};
use tokio::time::Instant;

use super::places::Place;

/// How long a connection has been without a request.
#[derive(Debug)]
pub(super) struct Watch {
    idle_within: Duration,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Requests being answered: their handlers work, or their answers are on the way.
    answering: usize,
    /// Since when there is none, or since when the last part of an answer was taken.
    since: Instant,
    /// How long the next one may take.
    within: Duration,
}

impl Watch {
    /// Of a new connection.
    pub fn new(head_within: Duration, idle_within: Duration) -> Self {
        let state = State { answering: 0, since: Instant::now(), within: head_within };
        Self { idle_within, state: Mutex::new(state) }
    }

    /// A request has come; it is answered until what this gives is dropped.
    pub fn answer(watch: &Arc<Self>) -> Answering {
        watch.state().answering += 1;
        Answering { watch: Arc::clone(watch), place: None }
    }

    /// Whether a request of this connection is being answered.
    pub fn is_answering(&self) -> bool {
        self.state().answering > 0
    }

    /// A part of an answer was taken: the connection is in use, even where all of the answer was handed over already.
    pub fn sent(&self) {
        self.state().since = Instant::now();
    }

    /// When it is worth to look whether the connection is over. Requests come and are answered meanwhile, unseen.
    pub fn look_at(&self) -> Instant {
        let (state, next) = (self.state(), Instant::now() + self.idle_within);
        if state.answering > 0 { next } else { next.min(state.since + state.within) }
    }

    /// Whether a request was waited for long enough.
    pub fn is_over(&self) -> bool {
        let state = self.state();
        state.answering == 0 && state.since.elapsed() >= state.within
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request being answered.
pub(super) struct Answering {
    watch: Arc<Watch>,
    place: Option<Place<std::net::IpAddr>>,
}

impl Answering {
    /// It takes a place meanwhile.
    pub fn with(mut self, place: Option<Place<std::net::IpAddr>>) -> Self {
        self.place = place;
        self
    }

    /// It is answered when all of this has gone.
    pub fn hold(self, response: Response<Body>) -> Response<Body> {
        response.map(|body| Body::new(Held { body, _answering: self }))
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        let mut state = self.watch.state();
        state.answering -= 1;
        state.since = Instant::now();
        state.within = self.watch.idle_within;
    }
}

/// The body of an answer.
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
