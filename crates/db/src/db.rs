//! The database: open, read, write, listen to changes.

use std::sync::Arc;
#[cfg(feature = "testing")]
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sqlx::postgres::PgPool;
use sqlx::sqlite::SqlitePool;
use tokio::sync::broadcast;

use crate::query::Target;
use crate::tx::{self, Conn};
use crate::{Actor, DbError, LiveEvent, Query, Tx, migrate, postgres, sqlite};

/// The database engine of a [`Db`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// A local file: the default.
    Sqlite,
    /// A server that several nodes share.
    Postgres,
}

/// The database's address and the connections to use.
#[derive(Debug, Clone)]
pub struct DbConfig {
    /// `sqlite:/path/larder.db` or `postgres://…`.
    pub url: String,
    /// Number of read connections.
    pub readers: u32,
}

/// A database; clones are the same one.
#[derive(Clone)]
pub struct Db {
    inner: Arc<Inner>,
}

struct Inner {
    backend: Backend,
    live: broadcast::Sender<Arc<LiveEvent>>,
    url: String,
    #[cfg(feature = "testing")]
    statements: Arc<AtomicU64>,
}

enum Backend {
    Sqlite { readers: SqlitePool, writer: sqlite::Writer },
    Postgres { readers: PgPool, writers: PgPool },
}

/// Events a slow listener may lag behind before it must refetch everything.
const LIVE_BACKLOG: usize = 4096;

impl Db {
    /// Connects; see [`migrate`](Self::migrate) for the schema.
    pub async fn open(config: &DbConfig) -> Result<Db, DbError> {
        let (live, _) = broadcast::channel(LIVE_BACKLOG);
        let backend = match Engine::of_url(&config.url) {
            Some(Engine::Sqlite) => {
                let options = sqlite::options(&config.url)?;
                // The writer first: it creates the file and enables the write-ahead log.
                let writer = sqlite::Writer::start(options.clone(), live.clone()).await?;
                let readers = sqlite::readers(&options, config.readers).await?;
                Backend::Sqlite { readers, writer }
            }
            Some(Engine::Postgres) => {
                let writers = postgres::writers(&config.url, config.readers.max(8)).await?;
                let readers = postgres::readers(&config.url, config.readers).await?;
                postgres::listen(&writers, live.clone()).await?;
                Backend::Postgres { readers, writers }
            }
            None => {
                let words = "the database URL begins with neither sqlite: nor postgres:";
                return Err(DbError::Invalid(words.into()));
            }
        };
        let url = config.url.clone();
        let inner = Inner {
            backend,
            live,
            url,
            #[cfg(feature = "testing")]
            statements: Arc::default(),
        };
        Ok(Db { inner: Arc::new(inner) })
    }

    /// Applies pending migrations and returns their names. Several processes may do so concurrently.
    pub async fn migrate(&self) -> Result<Vec<&'static str>, DbError> {
        migrate::run(&self.inner.url).await
    }

    /// The database engine.
    pub fn engine(&self) -> Engine {
        match self.inner.backend {
            Backend::Sqlite { .. } => Engine::Sqlite,
            Backend::Postgres { .. } => Engine::Postgres,
        }
    }

    /// The number of statements requested, including those of transactions: for tests that a page needs no more
    /// statements for more rows.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn statements(&self) -> u64 {
        self.inner.statements.load(Ordering::Relaxed)
    }

    /// A query on the read-only connections.
    pub fn sql(&self, text: &'static str) -> Query<'_> {
        #[cfg(feature = "testing")]
        self.inner.statements.fetch_add(1, Ordering::Relaxed);
        Query::new(
            text,
            match &self.inner.backend {
                Backend::Sqlite { readers, .. } => Target::SqliteReaders(readers),
                Backend::Postgres { readers, .. } => Target::PostgresReaders(readers),
            },
        )
    }

    /// Changes the database: the whole job or nothing, returning after the commit.
    ///
    /// The job may borrow from its surroundings. On PostgreSQL it is rerun after a conflict, so it should only work
    /// with the database. It has 30 seconds.
    ///
    /// # Panics
    /// If called inside a job: the inner one would wait for the outer one forever.
    pub async fn write<T, E, F>(&self, actor: &Actor, f: F) -> Result<T, E>
    where
        F: AsyncFnOnce(&mut Tx<'_>) -> Result<T, E> + Clone,
        E: From<DbError>,
    {
        assert!(!tx::writing(), "a write inside a write: use the transaction at hand");
        let mut job = Some(f);
        let mut attempt = 0;
        loop {
            let mut tx = Tx::new(self.begin(attempt).await?, actor);
            #[cfg(feature = "testing")]
            tx.count_with(&self.inner.statements);
            let run = match tx.session.conn {
                Conn::Sqlite(_) => job.take(), // It never runs twice.
                Conn::Postgres(..) => job.clone(),
            };
            let run = run.expect("SQLite's jobs run once");
            let answer = tx.run(run).await;
            let lost = match answer {
                Ok(value) => match self.commit(tx).await {
                    Ok(()) => return Ok(value),
                    Err(Some(error)) => return Err(error.into()),
                    Err(None) => None,
                },
                Err(error) => match self.roll_back(tx).await {
                    true => Some(error),
                    false => return Err(error),
                },
            };
            attempt += 1;
            if attempt > postgres::TRIES + 2 {
                return Err(lost.unwrap_or_else(|| DbError::Busy.into()));
            }
            // Staggered, so that the losers do not conflict again.
            let mut apart = u64::from(attempt) * 3;
            apart += (Arc::as_ptr(&self.inner).addr() as u64 ^ actor.at.0 as u64) % 7;
            tokio::time::sleep(Duration::from_millis(apart)).await;
        }
    }

    async fn begin(&self, attempt: u32) -> Result<Conn, DbError> {
        Ok(match &self.inner.backend {
            Backend::Sqlite { writer, .. } => Conn::Sqlite(writer.begin().await?),
            Backend::Postgres { readers, writers } => {
                Conn::Postgres(postgres::begin(writers, attempt).await?, readers.clone())
            }
        })
    }

    /// Commits; `Err(None)` means that the job should run again.
    async fn commit(&self, tx: Tx<'_>) -> Result<(), Option<DbError>> {
        let session = tx.session;
        match session.conn {
            Conn::Sqlite(lent) => lent.commit(session.traces).await.map_err(Some),
            Conn::Postgres(transaction, _) => postgres::commit(transaction, session.traces).await,
        }
    }

    /// Rolls back and returns whether the job should run again.
    async fn roll_back(&self, tx: Tx<'_>) -> bool {
        let session = tx.session;
        match session.conn {
            Conn::Sqlite(lent) => drop(lent),
            Conn::Postgres(transaction, _) => {
                transaction.rollback().await.ok();
            }
        }
        session.lost
    }

    /// Live events of committed changes, including those of other nodes.
    pub fn changes(&self) -> broadcast::Receiver<Arc<LiveEvent>> {
        self.inner.live.subscribe()
    }

    /// Lets started work finish and closes all connections.
    pub async fn close(&self) {
        match &self.inner.backend {
            Backend::Sqlite { readers, writer } => {
                readers.close().await;
                writer.close().await;
            }
            Backend::Postgres { readers, writers } => {
                readers.close().await;
                writers.close().await;
            }
        }
    }
}
