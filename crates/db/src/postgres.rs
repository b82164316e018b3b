//! PostgreSQL's pools, the start of a transaction, and the listener.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use sqlx::ConnectOptions;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPool, PgPoolOptions};
use sqlx::types::Json;
use sqlx::{Postgres, Transaction};
use tokio::sync::broadcast;

use crate::{DbError, LiveEvent};

/// Where live events travel between nodes.
pub(crate) const CHANNEL: &str = "larder";

/// How often a job may lose against others before it gets the database for itself.
pub(crate) const TRIES: u32 = 4;

pub(crate) fn options(url: &str) -> Result<PgConnectOptions, DbError> {
    Ok(PgConnectOptions::from_str(url)?
        .application_name("larder")
        .statement_cache_capacity(500)
        .disable_statement_logging())
}

fn pool(size: u32) -> PgPoolOptions {
    PgPoolOptions::new().max_connections(size).acquire_timeout(crate::tx::LONGEST).test_before_acquire(true)
}

/// Connections that cannot write.
pub(crate) async fn readers(url: &str, count: u32) -> Result<PgPool, DbError> {
    let options = options(url)?.options([("default_transaction_read_only", "on")]);
    Ok(pool(count).connect_with(options).await?)
}

/// Connections for transactions.
pub(crate) async fn writers(url: &str, count: u32) -> Result<PgPool, DbError> {
    let options =
        options(url)?.options([("statement_timeout", "30s"), ("idle_in_transaction_session_timeout", "60s")]);
    Ok(pool(count).connect_with(options).await?)
}

/// Begins a transaction that sees and leaves the database as if it ran alone, like SQLite's. One
/// that has lost several times really runs alone: it waits for the gate that all others share.
pub(crate) async fn begin(writers: &PgPool, attempt: u32) -> Result<Transaction<'static, Postgres>, DbError> {
    let text = match attempt < TRIES {
        true => "begin isolation level serializable; lock table write_gate in row share mode",
        false => "begin isolation level serializable; lock table write_gate in exclusive mode",
    };
    Ok(writers.begin_with(text).await?)
}

/// Whether the database asks for the transaction to be run again.
pub(crate) fn is_lost(error: &sqlx::Error) -> bool {
    error
        .as_database_error()
        .and_then(|error| error.code())
        .is_some_and(|code| code == "40001" || code == "40P01")
}

/// Turns notifications into live events for as long as the pool is open.
pub(crate) async fn listen(pool: &PgPool, live: broadcast::Sender<Arc<LiveEvent>>) -> Result<(), DbError> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.listen(CHANNEL).await?;
    let pool = pool.clone();
    tokio::spawn(async move {
        loop {
            let event = match listener.try_recv().await {
                Ok(Some(notification)) => match serde_json::from_str(notification.payload()) {
                    Ok(event) => event,
                    Err(error) => {
                        tracing::warn!(%error, "a notification is not a live event");
                        continue;
                    }
                },
                // The connection was lost and there is a new one; what was said in between is gone.
                Ok(None) => LiveEvent::refetch(),
                Err(_) if pool.is_closed() => return,
                Err(error) => {
                    tracing::warn!(%error, "live events are interrupted");
                    tokio::time::sleep(Duration::from_millis(500)).await;
                    continue;
                }
            };
            live.send(Arc::new(event)).ok();
        }
    });
    Ok(())
}

/// Sends the live events and commits; an error of nothing means that the job should run again.
pub(crate) async fn commit(
    mut transaction: Transaction<'static, Postgres>,
    events: Vec<LiveEvent>,
) -> Result<(), Option<DbError>> {
    let judge = |error: sqlx::Error| match is_lost(&error) {
        true => None,
        false => Some(DbError::NotCommitted(error.to_string())),
    };
    if !events.is_empty() {
        sqlx::query("select pg_notify($1, e) from jsonb_array_elements_text($2) e")
            .bind(CHANNEL)
            .bind(Json(events.iter().map(|event| json!(event).to_string()).collect::<Vec<_>>()))
            .execute(&mut *transaction)
            .await
            .map_err(judge)?;
    }
    transaction.commit().await.map_err(judge)
}
