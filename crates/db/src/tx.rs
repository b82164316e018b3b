//! Operations of a job inside its transaction.

use std::cell::Cell;
use std::future::{Future as _, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use sqlx::postgres::PgPool;
use sqlx::{AssertSqlSafe, Connection, Executor, Postgres, Transaction};

use crate::change::Traces;
use crate::query::Target;
use crate::sqlite::WriterConnection;
use crate::{Actor, DbError, Engine, Query};

/// Maximum duration of a job's transaction.
pub(crate) const LONGEST: Duration = Duration::from_secs(30);

thread_local! {
    /// Set while this thread polls a job.
    static WRITING: Cell<bool> = const { Cell::new(false) };
}

/// Whether the caller is already inside a job.
pub(crate) fn writing() -> bool {
    WRITING.get()
}

/// Marks the thread for as long as it polls a job.
struct Inside(bool);

impl Inside {
    fn enter() -> Self {
        Self(WRITING.replace(true))
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        WRITING.set(self.0);
    }
}

/// A running transaction. It is committed if the job returns `Ok` and none of its statements failed unnoticed;
/// otherwise all of it is rolled back.
pub struct Tx<'a> {
    pub(crate) session: Session,
    actor: &'a Actor,
}

pub(crate) struct Session {
    pub conn: Conn,
    pub traces: Traces,
    /// The database asked for the transaction to be tried again.
    pub lost: bool,
    /// The database ended the transaction; another statement would run outside it.
    pub broken: bool,
    /// The first failure not yet handled.
    spoiled: Option<String>,
    /// A statement has started and not finished.
    under_way: bool,
    /// Parts started and not finished.
    parts: u32,
    #[cfg(feature = "testing")]
    statements: std::sync::Arc<std::sync::atomic::AtomicU64>,
}

pub(crate) enum Conn {
    Sqlite(WriterConnection),
    /// With the readers, for look-ups that an aborted transaction cannot do.
    Postgres(Transaction<'static, Postgres>, PgPool),
}

impl Conn {
    /// The database engine.
    pub fn engine(&self) -> Engine {
        match self {
            Conn::Sqlite(_) => Engine::Sqlite,
            Conn::Postgres(..) => Engine::Postgres,
        }
    }

    async fn run(&mut self, text: String) -> Result<(), sqlx::Error> {
        let text = AssertSqlSafe(text);
        match self {
            Conn::Sqlite(writer) => writer.connection().execute(text).await.map(drop),
            Conn::Postgres(transaction, _) => (**transaction).execute(text).await.map(drop),
        }
    }
}

impl Session {
    /// Marks the transaction as failed. It can then only be rolled back, unless a part contained the failure.
    pub fn spoil(&mut self, error: &DbError) {
        if matches!(error, DbError::NotFound) {
            return; // The statement succeeded.
        }
        self.spoiled.get_or_insert_with(|| error.to_string());
    }

    /// Called before a statement; refuses it if the previous one never finished: its future was dropped, and its effect
    /// is unknown.
    pub fn enter(&mut self) -> Result<(), DbError> {
        #[cfg(feature = "testing")]
        self.statements.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        if self.broken {
            return Err(DbError::NotCommitted("the database gave the transaction up".into()));
        }
        if std::mem::replace(&mut self.under_way, true) {
            self.spoiled.get_or_insert_with(|| ABANDONED.into());
        }
        Ok(())
    }

    /// Called after a statement.
    pub fn leave(&mut self) {
        self.under_way = false;
    }

    /// The ignored failure, if any; asking for it handles it.
    fn ignored(&mut self, parts: u32) -> Result<(), DbError> {
        let abandoned = std::mem::take(&mut self.under_way) || self.parts != parts;
        self.parts = parts;
        match self.spoiled.take() {
            Some(what) => Err(DbError::Swallowed(what)),
            None if abandoned => Err(DbError::Swallowed(ABANDONED.into())),
            None => Ok(()),
        }
    }
}

const ABANDONED: &str = "a statement or a part was dropped half-way";

impl<'a> Tx<'a> {
    pub(crate) fn new(conn: Conn, actor: &'a Actor) -> Tx<'a> {
        let traces = Traces::default();
        let session = Session {
            conn,
            traces,
            lost: false,
            broken: false,
            spoiled: None,
            under_way: false,
            parts: 0,
            #[cfg(feature = "testing")]
            statements: std::sync::Arc::default(),
        };
        Tx { session, actor }
    }

    /// Counts statements, including savepoints, where the database does.
    #[cfg(feature = "testing")]
    pub(crate) fn count_with(&mut self, statements: &std::sync::Arc<std::sync::atomic::AtomicU64>) {
        self.session.statements = statements.clone();
    }

    /// A statement of this transaction.
    pub fn sql(&mut self, text: &'static str) -> Query<'_> {
        Query::new(text, Target::Job(&mut self.session))
    }

    /// The transaction's actor.
    pub fn actor(&self) -> &'a Actor {
        self.actor
    }

    /// The engine of this transaction; only for SQL without a common form.
    pub fn engine(&self) -> Engine {
        self.session.conn.engine()
    }

    /// A savepoint: if `f` fails, only its own effects are undone and the transaction continues.
    pub async fn savepoint<T, E, F>(&mut self, f: F) -> Result<T, E>
    where
        F: AsyncFnOnce(&mut Tx<'_>) -> Result<T, E>,
        E: From<DbError>,
    {
        let (parts, traces) = (self.session.parts, self.session.traces.len());
        if let Err(error) = self.session.ignored(parts) {
            self.session.spoil(&error); // Not this part's failure, so still the job's.
            return Err(error.into());
        }
        // Numbered, so that a rollback never stops at an inner part that was dropped half-way.
        let name = parts + 1;
        self.control(format!("savepoint part_{name}")).await?;
        self.session.parts = name;
        let answer = f(self).await;
        let answer = match (answer, self.session.ignored(name)) {
            (Ok(_), Err(error)) => Err(error.into()),
            (answer, _) => answer,
        };
        match &answer {
            Ok(_) => self.control(format!("release savepoint part_{name}")).await?,
            Err(_) => {
                self.session.traces.truncate(traces);
                let text = format!("rollback to savepoint part_{name}; release savepoint part_{name}");
                self.control(text).await?;
            }
        }
        self.session.parts = parts;
        answer
    }

    async fn control(&mut self, text: String) -> Result<(), DbError> {
        self.session.enter()?;
        let done = self.session.conn.run(text).await.map_err(DbError::from);
        self.session.leave();
        done.inspect_err(|error| self.session.spoil(error))
    }

    /// Runs the job within the time limit.
    pub(crate) async fn run<T, E, F>(&mut self, f: F) -> Result<T, E>
    where
        F: AsyncFnOnce(&mut Tx<'_>) -> Result<T, E>,
        E: From<DbError>,
    {
        // Written out, not composed of `timeout` and a task-local: those were generated once for each of 3,333 jobs, 2.3 MB
        // of the binary.
        let answer = {
            let (mut job, mut end) = (pin!(f(self)), pin!(tokio::time::sleep(LONGEST)));
            poll_fn(|cx| {
                let inside = Inside::enter();
                if let Poll::Ready(answer) = job.as_mut().poll(cx) {
                    return Poll::Ready(Ok(answer));
                }
                drop(inside);
                end.as_mut().poll(cx).map(Err)
            })
            .await
        };
        match answer {
            Err(()) => Err(DbError::TooLong.into()),
            Ok(Err(error)) => Err(error),
            Ok(Ok(_)) if self.session.lost => Err(DbError::Busy.into()), // It will run again.
            Ok(Ok(value)) => self.session.ignored(0).map(|()| value).map_err(E::from),
        }
    }
}

/// Closes an unused connection; errors are ignored.
pub(crate) async fn close_quietly<C: Connection>(connection: C) {
    if let Err(error) = connection.close().await {
        tracing::debug!(%error, "closing a connection failed");
    }
}
