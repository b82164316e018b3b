//! Minimum throughput. Only time spent waiting for the peer counts.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use tokio::time::{Instant, Sleep};

/// At least this many bytes per period.
#[derive(Debug, Clone, Copy)]
pub struct MinThroughput {
    pub least: u64,
    /// The period.
    pub within: Duration,
}

/// Measures throughput.
pub(super) struct Meter {
    throughput: MinThroughput,
    /// Bytes of the current period, and time spent waiting.
    bytes: u64,
    waited: Duration,
    waiting_since: Option<Instant>,
    bell: Option<Pin<Box<Sleep>>>,
}

impl Meter {
    pub fn new(throughput: MinThroughput) -> Self {
        Self { throughput, bytes: 0, waited: Duration::ZERO, waiting_since: None, bell: None }
    }

    /// Counts bytes transferred.
    pub fn moved(&mut self, bytes: u64) {
        if let Some(since) = self.waiting_since.take() {
            self.waited += since.elapsed();
        }
        self.bytes += bytes;
        if self.bytes >= self.throughput.least {
            (self.bytes, self.waited) = (0, Duration::ZERO);
        }
    }

    /// Called while waiting for the peer; returns whether it is too slow.
    pub fn is_too_slow(&mut self, cx: &mut Context<'_>) -> bool {
        let begun = self.waiting_since.is_none();
        let since = *self.waiting_since.get_or_insert_with(Instant::now);
        let until = since + self.throughput.within.saturating_sub(self.waited);
        let bell = self.bell.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(until)));
        if begun {
            bell.as_mut().reset(until);
        }
        bell.as_mut().poll(cx).is_ready()
    }
}

/// A request body with a minimum throughput.
pub(super) struct MeteredBody {
    body: Incoming,
    meter: Meter,
}

impl MeteredBody {
    pub fn new(body: Incoming, throughput: MinThroughput) -> Self {
        Self { body, meter: Meter::new(throughput) }
    }
}

impl Body for MeteredBody {
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::BoxError>>> {
        match Pin::new(&mut self.body).poll_frame(cx) {
            Poll::Ready(frame) => {
                let data = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref().map(Bytes::len));
                self.meter.moved(data.unwrap_or(0) as u64);
                Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
            }
            Poll::Pending if self.meter.is_too_slow(cx) => {
                Poll::Ready(Some(Err("it came too slowly".into())))
            }
            Poll::Pending => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
