//! A connection's socket: responses must be read at a minimum throughput, and a dead peer is detected.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::limits::Limits;
use super::min_throughput::Meter;
use super::timeouts::Timeouts;

/// A peer that acknowledges nothing for this long is considered gone. An open stream sends something every 15
/// s.
const GONE_AFTER: Duration = Duration::from_secs(60);

/// Sets the options of an accepted socket.
pub(super) fn prepare(stream: &TcpStream) {
    let socket = socket2::SockRef::from(stream);
    let outcome = socket.set_tcp_nodelay(true);
    #[cfg(target_os = "linux")]
    let outcome = outcome.and_then(|()| socket.set_tcp_user_timeout(Some(GONE_AFTER)));
    if let Err(error) = outcome {
        tracing::debug!(%error, "could not set socket options");
    }
}

pub(super) struct Socket {
    stream: TcpStream,
    timeouts: Arc<Timeouts>,
    meter: Meter,
}

impl Socket {
    pub fn new(stream: TcpStream, timeouts: Arc<Timeouts>, limits: &Limits) -> Self {
        Self { stream, timeouts, meter: Meter::new(limits.response_throughput) }
    }

    fn written(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if written.is_pending() && self.meter.is_too_slow(cx) {
            return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the answer was not taken")));
        }
        let written = ready!(written);
        if let Ok(bytes) = written {
            self.meter.moved(bytes as u64);
            self.timeouts.sent();
        }
        Poll::Ready(written)
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}

impl AsyncWrite for Socket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.written(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.written(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
