//! PostgreSQL's pools, the start of a transaction, and the listener.

use std::borrow::Cow;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use crate::Json;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPool, PgPoolOptions};
use sqlx::{ConnectOptions, Connection, Postgres, Transaction};
use tokio::sync::broadcast;

use crate::change::Traces;
use crate::{DbError, LiveEvent};

/// The notification channel for live events between nodes.
pub(crate) const CHANNEL: &str = "larder";

/// Conflicts of a job before it gets the database exclusively.
pub(crate) const TRIES: u32 = 4;

pub(crate) fn options(url: &str) -> Result<PgConnectOptions, DbError> {
    Ok(PgConnectOptions::from_str(url)?
        .application_name("larder")
        // JIT compilation takes PostgreSQL longer than any of our queries, and it compiles whenever it expects much
        // work, as for tables without statistics.
        .options([("jit", "off")])
        .statement_cache_capacity(500)
        .disable_statement_logging())
}

fn pool(size: u32) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(size)
        .acquire_timeout(crate::tx::LONGEST)
        .test_before_acquire(false)
        // A ping costs a round trip, so only connections idle for some time are pinged.
        .before_acquire(|connection, meta| {
            Box::pin(async move {
                if meta.idle_for > Duration::from_secs(2) {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
}

/// Read-only connections.
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

/// Begins a serializable transaction, like SQLite's. One with several conflicts really runs alone: it waits for the
/// gate that all others share.
pub(crate) async fn begin(writers: &PgPool, attempt: u32) -> Result<Transaction<'static, Postgres>, DbError> {
    let text = match attempt < TRIES {
        true => "begin isolation level serializable; lock table write_gate in row share mode",
        false => "begin isolation level serializable; lock table write_gate in exclusive mode",
    };
    match writers.begin_with(text).await {
        Err(error) if code(&error).as_deref() == Some("57014") => Err(DbError::Busy), // Lock timeout.
        begun => Ok(begun?),
    }
}

fn code(error: &sqlx::Error) -> Option<Cow<'_, str>> {
    error.as_database_error().and_then(|error| error.code())
}

/// Whether the database asks for a retry of the transaction.
pub(crate) fn is_lost(error: &sqlx::Error) -> bool {
    // Serialization failure, deadlock.
    matches!(code(error).as_deref(), Some("40001" | "40P01"))
}

/// Turns notifications into live events while the pool is open.
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
                // The connection was lost and replaced; notifications in between are gone.
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

/// Audit rows and notifications in one statement; both have the same number.
const LEAVE_TRACES: &str = "with numbered as materialized (\
      select value, case when value->1 <> 'null' then nextval(pg_get_serial_sequence('audit', 'seq')) end as seq \
      from jsonb_array_elements($1) as t (value)), \
    kept as (\
      insert into audit (seq, at, uid, name, email, origin, kind, record_id, store_id, action, changes) \
      select seq, cast(value->1->>0 as bigint), value->1->>1, value->1->>2, value->1->>3, value->1->>4, \
      value->1->>5, value->1->>6, value->1->>7, value->1->>8, value->1->9 from numbered where seq is not null) \
    select pg_notify($2, cast(value->0 || jsonb_build_object('seq', coalesce(seq, 0)) as text)) from numbered";

/// Writes the audit rows, sends the live events and commits; `Err(None)` means that the job should run again.
pub(crate) async fn commit(
    mut transaction: Transaction<'static, Postgres>,
    traces: Traces,
) -> Result<(), Option<DbError>> {
    let judge = |error: sqlx::Error| match is_lost(&error) {
        true => None,
        false => Some(DbError::NotCommitted(error.to_string())),
    };
    if !traces.is_empty() {
        let query = sqlx::query(LEAVE_TRACES).bind(Json(traces.document())).bind(CHANNEL);
        query.execute(&mut *transaction).await.map_err(judge)?;
    }
    transaction.commit().await.map_err(judge)
}
