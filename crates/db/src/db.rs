//! The database: open it, read it, change it, hear of changes.

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

/// Which database there is behind a [`Db`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// A file of this process: the default.
    Sqlite,
    /// A server that several nodes share.
    Postgres,
}

/// Where the database is and how much of it to use.
#[derive(Debug, Clone)]
pub struct DbConfig {
    /// `sqlite:/path/larder.db` or `postgres://…`.
    pub url: String,
    /// How many reading connections.
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

/// How many events a slow listener may be behind before it has to fetch everything again.
const LIVE_BACKLOG: usize = 4096;

impl Db {
    /// Connects; the schema is [`migrate`](Self::migrate)'s business.
    pub async fn open(config: &DbConfig) -> Result<Db, DbError> {
        let (live, _) = broadcast::channel(LIVE_BACKLOG);
        let backend = match Engine::of_url(&config.url) {
            Some(Engine::Sqlite) => {
                let options = sqlite::options(&config.url)?;
                // The writer first: it makes the file and turns the write-ahead log on.
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

    /// Brings the schema up to date, and says which migrations that took. Several processes may
    /// try at once.
    pub async fn migrate(&self) -> Result<Vec<&'static str>, DbError> {
        migrate::run(&self.inner.url).await
    }

    /// Which engine this is.
    pub fn engine(&self) -> Engine {
        match self.inner.backend {
            Backend::Sqlite { .. } => Engine::Sqlite,
            Backend::Postgres { .. } => Engine::Postgres,
        }
    }

    /// How many statements have been asked for, those of transactions included: for tests that a page asks no more for
    /// more rows.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn statements(&self) -> u64 {
        self.inner.statements.load(Ordering::Relaxed)
    }

    /// A query on the connections that cannot write.
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

    /// Changes the database: all of the job or nothing of it, answered after the commit.
    ///
    /// The job may borrow from its surroundings. On PostgreSQL it runs again when it lost against
    /// another one, so it should only work with the database. It has 30 seconds.
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
                Conn::Sqlite(_) => job.take(), // Never runs twice.
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
            // A little apart from each other, the losers do not meet again.
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

    /// Commits; an error of nothing means that the job should run again.
    async fn commit(&self, tx: Tx<'_>) -> Result<(), Option<DbError>> {
        let session = tx.session;
        match session.conn {
            Conn::Sqlite(lent) => lent.commit(session.traces).await.map_err(Some),
            Conn::Postgres(transaction, _) => postgres::commit(transaction, session.traces).await,
        }
    }

    /// Rolls back and says whether the job should run again.
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

    /// Live events of committed changes, those of other nodes included.
    pub fn changes(&self) -> broadcast::Receiver<Arc<LiveEvent>> {
        self.inner.live.subscribe()
    }

    /// Lets what was begun finish and closes all connections.
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
