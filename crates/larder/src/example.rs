//! Loads the example group, and throws it away, while the server does not serve.

use std::net::TcpListener;

#[cfg(feature = "demo")]
use anyhow::Context as _;
use larder_platform::Config;
#[cfg(feature = "demo")]
use larder_platform::example::{self, Wish};

/// Does what was asked for before the server stopped, while requests are told to come back. Returns whether this server
/// has an example: only with SQLite in the data folder.
///
/// # Errors
/// If the data folder cannot be written. An example that cannot be loaded leaves the group as it was.
#[cfg(feature = "demo")]
pub async fn prepare(config: &Config, listener: &TcpListener) -> anyhow::Result<bool> {
    use tokio_util::sync::CancellationToken;

    if config.database.is_some() {
        return Ok(false);
    }
    let folder = &config.data_dir;
    let Some(wish) = example::asked(folder) else { return Ok(true) };
    let meanwhile = CancellationToken::new();
    let waiting = tokio::spawn(say_when(listener, &meanwhile)?);
    match wish {
        Wish::Discard => example::put_back(folder).context("the example cannot be thrown away")?,
        Wish::Load => {
            if let Err(error) = load(config).await {
                tracing::error!(error = format!("{error:#}"), "the example cannot be loaded");
                example::put_back(folder).context("the database cannot be put back")?;
            }
        }
    }
    example::done(folder)?;
    meanwhile.cancel();
    waiting.await?;
    Ok(true)
}

#[cfg(feature = "demo")]
async fn load(config: &Config) -> anyhow::Result<()> {
    if !example::is_there(&config.data_dir) {
        // After a crash, changes are in the write-ahead log only: closing the database writes them to its file.
        larder_app::open_database(config, 1).await?.close().await;
    }
    example::keep(&config.data_dir).context("the database cannot be kept as it is")?;
    let state = larder_app::open(config.clone()).await?;
    let loaded = larder_demo::load_as_example(&state).await;
    state.db.close().await;
    loaded
}

/// Answers every request with 503 until the token is cancelled: consoles ask again.
#[cfg(feature = "demo")]
fn say_when(
    listener: &TcpListener,
    stop: &tokio_util::sync::CancellationToken,
) -> anyhow::Result<impl Future<Output = ()> + Send + use<>> {
    use axum::http::{StatusCode, header};
    use larder_platform::http::serve::{Limits, serve_within};

    let listener = tokio::net::TcpListener::from_std(listener.try_clone()?)?;
    let router = axum::Router::new().fallback(async || {
        let soon = [(header::RETRY_AFTER, "2"), (header::CACHE_CONTROL, "no-store")];
        (StatusCode::SERVICE_UNAVAILABLE, soon, "Larder prepares the example group. Come back in a minute.\n")
    });
    let stop = stop.clone();
    Ok(async move { serve_within(listener, router, Limits::default(), stop).await })
}

/// There is no example without the demo data.
///
/// # Errors
/// None.
#[cfg(not(feature = "demo"))]
#[expect(clippy::unused_async, reason = "as with the demo data")]
pub async fn prepare(_: &Config, _: &TcpListener) -> anyhow::Result<bool> {
    Ok(false)
}
