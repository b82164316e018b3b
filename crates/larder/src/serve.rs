//! Serving: sockets, logs, metrics, graceful shutdown.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context as _;
use larder_app as app;
use larder_pages_people::first_start;
use larder_platform::example::Example;
use larder_platform::http::serve::{Limits, open_files};
use larder_platform::{AppState, Config, http, mail};
use tokio_util::sync::CancellationToken;

use crate::{Serve, config, example, log};

/// Time for background work to finish after a stop request.
const FINISH_WITHIN: Duration = Duration::from_secs(10);

/// Serves until a signal.
pub async fn serve(args: Serve) -> anyhow::Result<()> {
    let mut config = config::load(&args.common)?;
    if let Some(listen) = args.listen {
        config.listen = listen;
    }
    config.metrics_listen = args.metrics_listen.or(config.metrics_listen);
    log::start()?;
    let metrics = start_metrics(config.metrics_listen)?;
    mail::check_settings(&config)?;
    let listener = std::net::TcpListener::bind(config.listen)
        .with_context(|| format!("cannot listen on {}", config.listen))?;
    listener.set_nonblocking(true)?;
    // Links in emails use the actual port.
    config.listen = listener.local_addr()?;
    let stop = CancellationToken::new();
    tokio::spawn({
        let stop = stop.clone();
        async move {
            asked_to_stop().await;
            stop.cancel();
        }
    });
    if let Some((address, render)) = metrics {
        tokio::spawn(serve_metrics(address, render, stop.clone()));
    }
    // Once, or again each time the example is loaded or thrown away.
    loop {
        let example = example::prepare(&config, &listener).await?;
        let restart = stop.child_token();
        let listener = tokio::net::TcpListener::from_std(listener.try_clone()?)?;
        serve_until(&restart, listener, &config, &args, example).await?;
        if stop.is_cancelled() {
            tracing::info!("stopped");
            return Ok(());
        }
    }
}

/// Opens the database and serves until `stop`.
async fn serve_until(
    stop: &CancellationToken,
    listener: tokio::net::TcpListener,
    config: &Config,
    args: &Serve,
    with_example: bool,
) -> anyhow::Result<()> {
    let state = app::open(config.clone()).await?;
    if with_example {
        state.example.get_or_init(|| Example::with_restart(stop.clone()));
    }
    let welcome = welcome(&state, args).await?;
    let address = state.config.listen;
    let first = first_start::make_link(&state, &base(&state, &address)).await?;
    announce(&address, welcome.as_deref(), first.as_deref(), &state.config);

    let background = app::start_background(&state, stop);
    let limits = Limits::of(&state.config, open_files());
    tracing::info!(connections = limits.connections, per_address = limits.per_address, "listening");
    http::serve::serve_within(listener, app::service(&state), limits, stop.clone()).await;
    let _ = tokio::time::timeout(FINISH_WITHIN, background.wait()).await;
    state.db.close().await;
    Ok(())
}

/// Loads the demo when that was asked for. Answers who can sign in to it.
#[cfg(feature = "demo")]
async fn welcome(state: &AppState, args: &Serve) -> anyhow::Result<Option<String>> {
    if args.demo_if_empty { larder_demo::load_if_empty(state).await } else { Ok(None) }
}

#[cfg(not(feature = "demo"))]
async fn welcome(_: &AppState, _: &Serve) -> anyhow::Result<Option<String>> {
    Ok(None)
}

type Render = metrics_exporter_prometheus::PrometheusHandle;

fn start_metrics(listen: Option<SocketAddr>) -> anyhow::Result<Option<(SocketAddr, Render)>> {
    let Some(address) = listen else { return Ok(None) };
    let render = metrics_exporter_prometheus::PrometheusBuilder::new()
        .set_buckets(&[0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0])?
        .install_recorder()?;
    Ok(Some((address, render)))
}

async fn serve_metrics(address: SocketAddr, render: Render, stop: CancellationToken) {
    let route = axum::Router::new()
        .route("/metrics", axum::routing::get(move || std::future::ready(render.render())));
    match tokio::net::TcpListener::bind(address).await {
        Ok(listener) => {
            // Metrics have a single reader: a few connections, separate from the console's.
            let limits = Limits { connections: 32, per_address: 32, proxy_hops: 0, ..Limits::default() };
            http::serve::serve_within(listener, route, limits, stop).await;
        }
        Err(error) => tracing::error!(%error, %address, "cannot serve metrics"),
    }
}

/// The console's base URL.
fn base(state: &AppState, address: &SocketAddr) -> String {
    state.config.public_url.clone().unwrap_or_else(|| format!("http://{address}"))
}

/// On standard output, apart from the log; the link is printed nowhere else.
fn announce(address: &SocketAddr, welcome: Option<&str>, first: Option<&str>, config: &Config) {
    println!("Larder is at http://{address}");
    if let Some(link) = first {
        println!(
            "Nobody can sign in yet. Make the first administrator here, once, within 24 hours:\n  {link}"
        );
    }
    if mail::goes_to_outbox(config) {
        let folder = mail::outbox_folder(config);
        println!("Emails are not sent but kept in {}; set smtp-url to send them.", folder.display());
    }
    if let Some(words) = welcome {
        println!("{words}");
    }
}

async fn asked_to_stop() {
    let interrupt = tokio::signal::ctrl_c();
    match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        Ok(mut terminate) => tokio::select! {
            _ = interrupt => {}
            _ = terminate.recv() => {}
        },
        Err(_) => {
            let _ = interrupt.await;
        }
    }
}
