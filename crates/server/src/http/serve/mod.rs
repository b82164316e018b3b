//! The accept loop: slow senders are cut off, a stop lets requests under way finish.

use std::time::Duration;

use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

/// A client must have sent its headers within this time.
const HEADERS_WITHIN: Duration = Duration::from_secs(10);
/// Requests under way get this long to finish after a stop was asked for.
const FINISH_WITHIN: Duration = Duration::from_secs(10);

/// Serves until `stop`, then lets what is under way finish.
pub async fn serve(listener: TcpListener, router: axum::Router, stop: CancellationToken) {
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEADERS_WITHIN).max_buf_size(64 * 1024);
    let open = GracefulShutdown::new();
    loop {
        let (stream, peer) = tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => match accepted {
                Ok(connection) => connection,
                Err(error) => {
                    // Out of file descriptors, most likely: give others time to close theirs.
                    tracing::warn!(%error, "cannot accept a connection");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            },
        };
        let _ = stream.set_nodelay(true);
        let service =
            TowerToHyperService::new(router.clone().map_request(move |mut request: Request<Incoming>| {
                request.extensions_mut().insert(ConnectInfo(peer));
                request
            }));
        let connection = builder.serve_connection(TokioIo::new(stream), service).into_owned();
        let watched = open.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = watched.await {
                tracing::debug!(error, "a connection ended early");
            }
        });
    }
    drop(listener);
    if tokio::time::timeout(FINISH_WITHIN, open.shutdown()).await.is_err() {
        tracing::warn!("some requests did not finish in time");
    }
}
