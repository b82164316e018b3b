//! What a job can do inside its transaction.

use std::time::Duration;

use sqlx::postgres::PgPool;
use sqlx::{Connection, Executor, Postgres, Transaction};

use crate::query::Target;
use crate::sqlite::Lent;
use crate::{Actor, DbError, Engine, LiveEvent, Query};

/// The longest a job may hold its transaction.
pub(crate) const LONGEST: Duration = Duration::from_secs(30);

tokio::task_local! {
    /// Set while this task runs a job.
    static WRITING: ();
}

/// Whether this task is inside a job already.
pub(crate) fn writing() -> bool {
    WRITING.try_with(|()| ()).is_ok()
}

/// A transaction under way. What it did stays if the job says `Ok` and none of its statements
/// failed unnoticed; otherwise nothing of it does.
pub struct Tx<'a> {
    pub(crate) session: Session,
    actor: &'a Actor,
}

pub(crate) struct Session {
    pub conn: Conn,
    pub events: Vec<LiveEvent>,
    /// The first error of a statement that nobody has answered for yet.
    spoiled: Option<String>,
    /// The database asked for the transaction to be tried again.
    pub lost: bool,
    /// A statement or a part has begun and not ended.
    pub under_way: bool,
}

pub(crate) enum Conn {
    Sqlite(Lent),
    /// With the readers, for what an aborted transaction cannot look up itself.
    Postgres(Transaction<'static, Postgres>, PgPool),
}

impl Conn {
    pub fn engine(&self) -> Engine {
        match self {
            Conn::Sqlite(_) => Engine::Sqlite,
            Conn::Postgres(..) => Engine::Postgres,
        }
    }

    async fn run(&mut self, text: &'static str) -> Result<(), sqlx::Error> {
        match self {
            Conn::Sqlite(lent) => lent.connection().execute(text).await.map(drop),
            Conn::Postgres(transaction, _) => (**transaction).execute(text).await.map(drop),
        }
    }
}

impl Session {
    /// Remembers that a statement failed. The transaction can then only be rolled back, unless a
    /// part contained the damage.
    pub fn spoil(&mut self, error: &DbError) {
        if matches!(error, DbError::NotFound) {
            return; // The statement did what it was asked.
        }
        self.spoiled.get_or_insert_with(|| error.to_string());
    }

    /// The error that the job has ignored, if it did.
    fn ignored(&mut self) -> Result<(), DbError> {
        if self.under_way {
            return Err(DbError::Swallowed("a statement was abandoned half-way".into()));
        }
        match self.spoiled.take() {
            Some(what) => Err(DbError::Swallowed(what)),
            None => Ok(()),
        }
    }
}

impl<'a> Tx<'a> {
    pub(crate) fn new(conn: Conn, actor: &'a Actor) -> Tx<'a> {
        let session = Session { conn, events: Vec::new(), spoiled: None, lost: false, under_way: false };
        Tx { session, actor }
    }

    /// A statement of this transaction.
    pub fn sql(&mut self, text: &'static str) -> Query<'_> {
        Query::new(text, Target::Job(&mut self.session))
    }

    /// On whose behalf this transaction runs.
    pub fn actor(&self) -> &'a Actor {
        self.actor
    }

    /// Which engine this is; only for what no common text can say.
    pub fn engine(&self) -> Engine {
        self.session.conn.engine()
    }

    pub(crate) fn queue(&mut self, event: LiveEvent) {
        self.session.events.push(event);
    }

    /// Tries something: if it fails, only what it did is undone and the transaction goes on.
    pub async fn part<T, E, F>(&mut self, f: F) -> Result<T, E>
    where
        F: AsyncFnOnce(&mut Tx<'_>) -> Result<T, E>,
        E: From<DbError>,
    {
        let begun = self.session.ignored();
        let events = self.session.events.len();
        if let Err(error) = begun {
            self.session.spoil(&error);
            return Err(error.into());
        }
        self.control("savepoint part").await?;
        let answer = f(self).await;
        let answer = match (answer, self.session.ignored()) {
            (Ok(_), Err(error)) => Err(error.into()),
            (answer, _) => answer,
        };
        match &answer {
            Ok(_) => self.control("release part").await?,
            Err(_) => {
                self.session.events.truncate(events);
                self.control("rollback to part; release part").await?;
            }
        }
        answer
    }

    async fn control(&mut self, text: &'static str) -> Result<(), DbError> {
        self.session.under_way = true;
        let done = self.session.conn.run(text).await.map_err(DbError::from);
        self.session.under_way = false;
        done.inspect_err(|error| self.session.spoil(error))
    }

    /// Runs the job, for so long and no longer.
    pub(crate) async fn run<T, E, F>(&mut self, f: F) -> Result<T, E>
    where
        F: AsyncFnOnce(&mut Tx<'_>) -> Result<T, E>,
        E: From<DbError>,
    {
        let answer = tokio::time::timeout(LONGEST, WRITING.scope((), f(self))).await;
        match answer {
            Err(_) => Err(DbError::TooLong.into()),
            Ok(Err(error)) => Err(error),
            Ok(Ok(value)) => self.session.ignored().map(|()| value).map_err(E::from),
        }
    }
}

/// Closes a connection that was never lent; errors have nobody to go to.
pub(crate) async fn close_quietly<C: Connection>(connection: C) {
    if let Err(error) = connection.close().await {
        tracing::debug!(%error, "closing a connection failed");
    }
}
