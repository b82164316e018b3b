//! Assembles the server: routes, layers, background work.

pub mod entity_types;
pub mod health;
pub mod names;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{HeaderName, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use larder_db::{Db, DbConfig};
use tokio_util::sync::CancellationToken;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};

use larder_lists as lists;
use larder_pages_home::{dashboard, notifications};
use larder_pages_operations::{branch_ops, commissary, products, stock, stores};
use larder_pages_people::{apply, first_start, identity, users};
use larder_pages_reports as reports;
use larder_pages_sales as sales;
use larder_pages_tools as tools;
use larder_pages_tools::{import_data, import_sales_product};
use larder_platform::calculations::Calculations;
use larder_platform::config::Config;
use larder_platform::encryption;
use larder_platform::encryption::{Cipher, Source};
use larder_platform::files::{Files, private};
use larder_platform::http::serve::Slots;
use larder_platform::http::{ApiError, Routes, assets, compression, headers};
use larder_platform::jobs::{JobKinds, Jobs, Lane};
use larder_platform::state::Inner;
use larder_platform::{AppState, Clock, SystemClock, SystemRandom, calculations, jobs, live, mail};

/// Body limit of ordinary requests in bytes; uploads have their own.
const BODY_LIMIT: usize = 1 << 20;
/// Timeout to the first byte of a response.
const ANSWER_WITHIN: Duration = Duration::from_secs(30);

/// Every route with its guard. What is not listed here does not exist.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .merge(health::routes(state))
        .merge(identity::routes(state))
        .merge(jobs::routes(state))
        .merge(live::routes(state))
        .merge(lists::routes(state))
        .merge(larder_pages_operations::lists::routes(state))
        .merge(larder_pages_home::history::routes(state))
        .merge(larder_pages_home::search::routes(state))
        .merge(names::routes(state))
        .merge(products::routes(state))
        .merge(reports::routes(state))
        .merge(sales::routes(state))
        .merge(stores::routes(state))
        .merge(commissary::routes(state))
        .merge(branch_ops::routes(state))
        .merge(stock::routes(state))
        .merge(larder_pages_sales::z_reading::routes(state))
        .merge(import_sales_product::routes(state))
        .merge(import_data::routes(state))
        .merge(tools::import_sales_product_bq::routes(state))
        .merge(tools::test_api::routes(state))
        .merge(tools::services::routes(state))
        .merge(tools::services::zreading_ocr::routes(state))
        .merge(tools::services::ocr::routes(state))
        .merge(tools::replay::routes(state))
        .merge(tools::forecast::routes(state))
        .merge(dashboard::drp_new::routes(state))
        .merge(dashboard::main::routes(state))
        .merge(notifications::routes(state))
        .merge(tools::root_item_weekly_snapshot::routes(state))
        .merge(tools::transaction_insights::routes(state))
        .merge(users::routes(state))
        .merge(apply::routes(state))
        .merge(first_start::routes(state))
}

/// Every job kind.
#[must_use]
pub fn job_kinds() -> JobKinds {
    let kinds = import_data::job_kinds(import_sales_product::job_kinds(JobKinds::default()));
    let kinds = tools::services::zreading_ocr::job_kinds(kinds);
    let kinds = tools::transaction_insights::job_kinds(kinds);
    let kinds = larder_engines::connectors::job_kinds(kinds);
    let kinds = reports::custom::job_kinds(kinds);
    calculations::job_kinds(users::job_kinds(identity::job_kinds(mail::job_kinds(kinds))))
}

/// Every service, in the order of the hub.
#[must_use]
pub fn all_calculations() -> Calculations {
    let calculations = tools::services::calculations(tools::forecast::calculations(Calculations::default()));
    let calculations = tools::replay::calculations(dashboard::drp_new::calculations(calculations));
    tools::root_item_weekly_snapshot::calculations(calculations)
}

/// Opens and migrates the database, opens the file store and everything in between.
///
/// # Errors
/// If the data folder or the database cannot be used.
#[expect(
    clippy::manual_async_fn,
    reason = "a public `async fn` is generated in the unit tests, too, with all it reaches"
)]
pub fn open(config: Config) -> impl Future<Output = anyhow::Result<AppState>> + Send {
    async move {
        let db = open_database(&config, config.readers).await?;
        db.migrate().await?;
        check_key(&config, &db).await?;
        assemble(config, db)
    }
}

/// Opens the database as it is, and restricts the data folder to the operator's account.
///
/// # Errors
/// If the data folder or the database cannot be used.
#[expect(clippy::manual_async_fn, reason = "as for `open`")]
pub fn open_database(config: &Config, readers: u32) -> impl Future<Output = anyhow::Result<Db>> + Send {
    async move {
        let url = config.database_url();
        private::prepare(&config.data_dir, &url)?;
        Ok(Db::open(&DbConfig { url, readers }).await?)
    }
}

/// Encrypts secrets still in clear, and refuses to start with a key that does not decrypt the others.
async fn check_key(config: &Config, db: &Db) -> anyhow::Result<()> {
    let source = Source::of(config);
    if !source.is_there() && encryption::is_in_use(db).await? {
        anyhow::bail!(
            "the key of this database is missing: its secrets were sealed with one. Put {source} back, from where you \
             keep a copy of it, or set LARDER_KEY. Where the key is lost, see «The key» in docs/operating.md"
        );
    }
    if !encryption::begin(db, &Cipher::of(config)?, SystemClock::of(config).now()).await? {
        anyhow::bail!(
            "the key in {source} is not the one that this database's secrets were sealed with. Put that one back. Nodes \
             of one PostgreSQL need the same key: set LARDER_KEY for each. See «The key» in docs/operating.md"
        );
    }
    Ok(())
}

/// The state over an open, migrated database.
///
/// # Errors
/// If the folder for files cannot be created.
pub fn assemble(config: Config, db: Db) -> anyhow::Result<AppState> {
    assemble_with(config, db, job_kinds())
}

/// As [`assemble`], with other job kinds.
///
/// # Errors
/// If the folder for files cannot be created.
pub fn assemble_with(config: Config, db: Db, kinds: JobKinds) -> anyhow::Result<AppState> {
    let clock = Arc::new(SystemClock::of(&config));
    assemble_at(config, db, kinds, clock)
}

/// As [`assemble_with`], with another clock.
///
/// # Errors
/// If the folder for files cannot be created.
pub fn assemble_at(
    config: Config,
    db: Db,
    kinds: JobKinds,
    clock: Arc<dyn Clock>,
) -> anyhow::Result<AppState> {
    assemble_of(config, db, kinds, all_calculations(), clock)
}

/// As [`assemble_at`], with other services.
///
/// # Errors
/// If the folder for files cannot be created.
pub fn assemble_of(
    config: Config,
    db: Db,
    kinds: JobKinds,
    calculations: Calculations,
    clock: Arc<dyn Clock>,
) -> anyhow::Result<AppState> {
    let cipher = Arc::new(Cipher::of(&config)?);
    let files = Files::in_folder(&config.data_dir.join("files"))?;
    Ok(AppState::new(Inner {
        live: live::Hub::follow(db.changes()),
        streams: Slots::of(config.streams_per_person),
        search: larder_platform::search::Index::follow(&db),
        db,
        files,
        jobs: kinds.build(),
        calculations,
        started_at: clock.now(),
        entity_types: crate::entity_types::all(),
        cipher,
        keys: larder_platform::people::keys::Keys::default(),
        secrets: larder_platform::people::secret::Secrets::default(),
        limits: larder_platform::people::limits::Limits::default(),
        openid: larder_platform::openid::OpenId::default(),
        authenticator: &larder_platform::people::authentication::Accounts,
        contract: contract_text,
        sessions: larder_platform::people::session_cache::SessionCache::default(),
        clock,
        random: Arc::new(SystemRandom),
        example: OnceLock::new(),
        config,
    }))
}

/// The router with all layers.
pub fn service(state: &AppState) -> axum::Router {
    let mut router = routes(state).into_router();
    for prefix in identity::HOSTED {
        router = router.nest(prefix, identity::wire(state).into_router());
    }
    let request_id = HeaderName::from_static("x-request-id");
    router
        .fallback(assets::serve)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(
            ServiceBuilder::new()
                .layer(SetRequestIdLayer::new(request_id.clone(), MakeRequestUuid))
                .layer(from_fn(log))
                .layer(PropagateRequestIdLayer::new(request_id))
                .layer(from_fn(headers::secure))
                .layer(compression::layer())
                .layer(from_fn(identity::say_plainly))
                .layer(CatchPanicLayer::custom(panicked))
                .layer(from_fn(in_time))
                .layer(DefaultBodyLimit::max(BODY_LIMIT)),
        )
        .with_state(state.clone())
}

/// The contract as in `openapi.json`.
///
/// # Errors
/// If the temporary state cannot be created.
#[cfg(feature = "contract")]
#[expect(clippy::manual_async_fn, reason = "as for `open`")]
pub fn openapi_text() -> impl Future<Output = anyhow::Result<String>> + Send {
    async move {
        let folder = tempfile::tempdir()?;
        let config = Config { data_dir: folder.path().to_owned(), ..Config::default() };
        let state = open(config).await?;
        let text = contract_text(&state);
        state.db.close().await;
        Ok(text)
    }
}

/// The contract as in `openapi.json`.
///
/// # Errors
/// None: it is part of the binary.
#[cfg(not(feature = "contract"))]
pub fn openapi_text() -> impl Future<Output = anyhow::Result<String>> + Send {
    std::future::ready(Ok(committed_contract()))
}

/// The contract, generated from the routes.
#[cfg(feature = "contract")]
fn contract_text(state: &AppState) -> String {
    let mut whole = larder_platform::http::openapi::base();
    whole.merge(routes(state).contract());
    larder_platform::http::openapi::to_text(&whole)
}

/// The contract as it was committed: what generates it is not compiled into released binaries.
#[cfg(not(feature = "contract"))]
fn contract_text(_: &AppState) -> String {
    committed_contract()
}

#[cfg(not(feature = "contract"))]
fn committed_contract() -> String {
    static COMMITTED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/openapi.json.gz"));
    let mut text = String::new();
    let read = std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(COMMITTED), &mut text);
    read.expect("what build.rs compressed");
    text
}

/// Runs background work until stopped: jobs, and dropping cached sessions whose permissions changed.
pub fn start_background(state: &AppState, stop: &CancellationToken) -> tokio_util::task::TaskTracker {
    let tasks = tokio_util::task::TaskTracker::new();
    for _ in 0..state.config.job_workers {
        let (jobs, state, stop): (Jobs, _, _) = (state.jobs.clone(), state.clone(), stop.clone());
        tasks.spawn(async move { jobs.run(state, Lane::Short, stop).await });
    }
    for lane in [Lane::Long, Lane::Mail] {
        let (jobs, state, stop): (Jobs, _, _) = (state.jobs.clone(), state.clone(), stop.clone());
        tasks.spawn(async move { jobs.run(state, lane, stop).await });
    }
    tasks.spawn(calculations::follow_schedules(state.clone(), stop.clone()));
    tasks.spawn(larder_engines::connectors::follow(state.clone(), stop.clone()));
    tasks.spawn(reports::custom::follow(state.clone(), stop.clone()));
    tasks.spawn(notifications::follow(state.clone(), stop.clone()));
    tasks.spawn(follow_rights(state.clone(), stop.clone()));
    tasks.spawn(larder_platform::people::upkeep::run(state.clone(), stop.clone()));
    tasks.spawn(users::tidy(state.clone(), stop.clone()));
    tasks.spawn(import_sales_product::count_tickets(state.clone(), stop.clone()));
    tasks.spawn(import_sales_product::settle_duplicates(state.clone(), stop.clone()));
    tasks.close();
    tasks
}

/// A changed user, role or session takes effect on the next request, on every node.
async fn follow_rights(state: AppState, stop: CancellationToken) {
    let mut changes = state.db.changes();
    loop {
        let event = tokio::select! {
            () = stop.cancelled() => return,
            event = changes.recv() => event,
        };
        match event {
            Ok(event) if live::changes_rights(&event.kind) || event.kind == "*" => state.sessions.clear(),
            Ok(_) => {}
            Err(tokio::sync::broadcast::error::RecvError::Lagged(_)) => state.sessions.clear(),
            Err(tokio::sync::broadcast::error::RecvError::Closed) => return,
        }
    }
}

async fn method_not_allowed() -> ApiError {
    ApiError::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "methodNotAllowed",
        "This address does not take this method.",
    )
}

fn panicked(panic: Box<dyn std::any::Any + Send>) -> Response {
    let said = panic
        .downcast_ref::<&str>()
        .map(|s| (*s).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    ApiError::internal(anyhow::anyhow!("panic: {}", said.unwrap_or_default())).into_response()
}

/// Streams (live events, exports, uploads) may take longer: only the time to the first byte counts.
async fn in_time(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let uploads = ["/uploads", "/picture", "/photos", "/zreading-ocr/read", "/services/ocr"]
        .iter()
        .any(|end| path.ends_with(end));
    if uploads {
        return next.run(request).await;
    }
    match tokio::time::timeout(ANSWER_WITHIN, next.run(request)).await {
        Ok(response) => response,
        Err(_) => ApiError::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "busy",
            "This took too long and was given up. Try again.",
        )
        .into_response(),
    }
}

async fn log(request: Request, next: Next) -> Response {
    let started = std::time::Instant::now();
    let method = request.method().clone();
    let route = request
        .extensions()
        .get::<axum::extract::MatchedPath>()
        .map_or("(console)", |p| p.as_str())
        .to_owned();
    let id =
        request.headers().get("x-request-id").and_then(|v| v.to_str().ok()).unwrap_or_default().to_owned();
    let span = tracing::info_span!("request", id, %method, route);
    let response = tracing::Instrument::instrument(next.run(request), span.clone()).await;
    let seconds = started.elapsed().as_secs_f64();
    let status = response.status().as_u16();
    metrics::histogram!("larder_http_seconds", "route" => route.clone(), "method" => method.to_string())
        .record(seconds);
    metrics::counter!("larder_http_requests", "route" => route, "status" => status.to_string()).increment(1);
    // In a target of its own, so that human-readable logs can leave it out.
    span.in_scope(|| tracing::info!(target: "larder::request", status, ms = seconds * 1000.0, "answered"));
    with_request_id(response, &id)
}

/// A problem carries its request id, so that a user can quote it and the log be searched for it.
fn with_request_id(response: Response, id: &str) -> Response {
    if !response.status().is_server_error() || id.is_empty() {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    parts.headers.remove(axum::http::header::CONTENT_LENGTH);
    let id = id.to_owned();
    let body = axum::body::Body::from_stream(futures::stream::once(async move {
        let bytes = axum::body::to_bytes(body, BODY_LIMIT).await.unwrap_or_default();
        let mut text = bytes.to_vec();
        if let Ok(serde_json::Value::Object(mut map)) = serde_json::from_slice(&bytes) {
            map.insert("requestId".into(), id.into());
            text = serde_json::Value::Object(map).to_string().into_bytes();
        }
        Ok::<_, std::convert::Infallible>(text)
    }));
    Response::from_parts(parts, body)
}
