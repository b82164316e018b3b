//! SQLite's one writer. A task owns the connection and lends it from job to job: `BEGIN
//! IMMEDIATE`, a savepoint for each job that waits, one commit for the batch. Jobs run in their
//! callers' tasks, so they can borrow; answers and live events go out after the commit.

use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteSynchronous,
};
use sqlx::{ConnectOptions, Executor};
use tokio::sync::{broadcast, mpsc, oneshot};

use crate::tx::{LONGEST, close_quietly};
use crate::{DbError, LiveEvent};

/// A batch takes no more jobs after so many or so long, so that the first does not wait forever.
const BATCH_JOBS: usize = 512;
const BATCH_TIME: Duration = Duration::from_millis(20);

/// How long another process (a backup, the command line) may keep the writer waiting.
const PATIENCE: Duration = Duration::from_secs(10);

/// Options that every connection to the file shares.
pub(crate) fn options(url: &str) -> Result<SqliteConnectOptions, DbError> {
    Ok(SqliteConnectOptions::from_str(url)?
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(PATIENCE)
        .statement_cache_capacity(500)
        .pragma("temp_store", "memory")
        .pragma("mmap_size", "268435456")
        .pragma("journal_size_limit", "67108864")
        .disable_statement_logging())
}

/// Connections that cannot write.
pub(crate) async fn readers(options: &SqliteConnectOptions, count: u32) -> Result<SqlitePool, DbError> {
    let options =
        options.clone().row_buffer_size(256).pragma("cache_size", "-16384").pragma("query_only", "on");
    Ok(SqlitePoolOptions::new()
        .max_connections(count)
        .test_before_acquire(false)
        .idle_timeout(None)
        .max_lifetime(None)
        .connect_with(options)
        .await?)
}

type Verdict = Result<(), String>;

enum Order {
    Lend(oneshot::Sender<Loan>),
    Close(oneshot::Sender<()>),
}

struct Loan {
    lent: Lent,
    verdict: oneshot::Receiver<Verdict>,
}

/// The writer's connection in a job's hands; wherever it is dropped, it goes home.
pub(crate) struct Lent {
    connection: Option<SqliteConnection>,
    home: Option<oneshot::Sender<Return>>,
    verdict: Option<oneshot::Receiver<Verdict>>,
}

struct Return {
    connection: SqliteConnection,
    keep: bool,
    events: Vec<LiveEvent>,
}

impl Lent {
    pub fn connection(&mut self) -> &mut SqliteConnection {
        self.connection.as_mut().expect("lent until it is given back")
    }

    fn give_back(&mut self, keep: bool, events: Vec<LiveEvent>) {
        if let (Some(connection), Some(home)) = (self.connection.take(), self.home.take()) {
            // If the writer is gone, so is the connection.
            home.send(Return { connection, keep, events }).ok();
        }
    }

    /// Gives the connection back with the job done, and waits for the batch's commit.
    pub async fn commit(mut self, events: Vec<LiveEvent>) -> Result<(), DbError> {
        self.give_back(true, events);
        let verdict = self.verdict.take().expect("taken once");
        match verdict.await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(reason)) => Err(DbError::NotCommitted(reason)),
            Err(_) => Err(DbError::Closed),
        }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        self.give_back(false, Vec::new());
    }
}

/// Where jobs queue for the connection.
pub(crate) struct Writer {
    orders: mpsc::UnboundedSender<Order>,
}

impl Writer {
    pub async fn start(
        options: SqliteConnectOptions,
        live: broadcast::Sender<Arc<LiveEvent>>,
    ) -> Result<Writer, DbError> {
        let options = options.pragma("cache_size", "-65536").pragma("wal_autocheckpoint", "4000");
        let connection = options.connect().await?;
        let (orders, queue) = mpsc::unbounded_channel();
        let lender = Lender { options, queue, live };
        tokio::spawn(lender.run(connection));
        Ok(Writer { orders })
    }

    /// Waits for the connection; a savepoint is open on it.
    pub async fn lend(&self) -> Result<Lent, DbError> {
        let (to, loan) = oneshot::channel();
        self.orders.send(Order::Lend(to)).map_err(|_| DbError::Closed)?;
        match tokio::time::timeout(LONGEST, loan).await {
            Ok(Ok(Loan { mut lent, verdict })) => {
                lent.verdict = Some(verdict);
                Ok(lent)
            }
            // The writer could not begin, or somebody else holds the connection for too long.
            Ok(Err(_)) | Err(_) => Err(DbError::Busy),
        }
    }

    /// Lets what has been queued finish and closes the connection.
    pub async fn close(&self) {
        let (to, closed) = oneshot::channel();
        if self.orders.send(Order::Close(to)).is_ok() {
            closed.await.ok();
        }
    }
}

/// The task behind [`Writer`].
struct Lender {
    options: SqliteConnectOptions,
    queue: mpsc::UnboundedReceiver<Order>,
    live: broadcast::Sender<Arc<LiveEvent>>,
}

impl Lender {
    async fn run(mut self, mut connection: SqliteConnection) {
        while let Some(order) = self.queue.recv().await {
            let mut next = Some(order);
            while let Some(order) = next.take() {
                match order {
                    Order::Lend(to) => match self.batch(connection, to).await {
                        Ok((back, over)) => (connection, next) = (back, over),
                        Err(()) => match self.reconnect().await {
                            Some(new) => connection = new,
                            None => return,
                        },
                    },
                    Order::Close(closed) => {
                        close_quietly(connection).await;
                        closed.send(()).ok();
                        return;
                    }
                }
            }
        }
        close_quietly(connection).await;
    }

    /// Runs the first job and those that wait behind it, and commits them together. Returns the
    /// connection, or nothing if it cannot be trusted any more.
    async fn batch(
        &mut self,
        mut connection: SqliteConnection,
        first: oneshot::Sender<Loan>,
    ) -> Result<(SqliteConnection, Option<Order>), ()> {
        if first.is_closed() {
            return Ok((connection, None));
        }
        if let Err(error) = connection.execute("begin immediate; savepoint job").await {
            tracing::warn!(%error, "a write could not begin");
            drop(first); // Its caller hears that the database is busy, and so does everyone behind.
            let mut over = None;
            while let Ok(order) = self.queue.try_recv() {
                if matches!(order, Order::Close(_)) {
                    over = Some(order);
                }
            }
            connection.execute("rollback").await.ok();
            return Ok((connection, over));
        }
        let begun = Instant::now();
        let mut done: Vec<(oneshot::Sender<Verdict>, Vec<LiveEvent>)> = Vec::new();
        let mut next = Some(Order::Lend(first));
        let mut failure = None;
        let mut close = None;
        while let Some(order) = next.take() {
            match order {
                Order::Lend(to) => {
                    let (home, back) = oneshot::channel();
                    let (verdict, judged) = oneshot::channel();
                    let lent = Lent { connection: Some(connection), home: Some(home), verdict: None };
                    // If the caller is gone, dropping the loan sends the connection home.
                    to.send(Loan { lent, verdict: judged }).ok();
                    let Ok(back) = back.await else { return Err(()) };
                    connection = back.connection;
                    let text = match back.keep {
                        true => "release job; savepoint job",
                        false => "rollback to job",
                    };
                    if back.keep {
                        done.push((verdict, back.events));
                    }
                    if let Err(error) = connection.execute(text).await {
                        failure = Some(error);
                        break;
                    }
                }
                order @ Order::Close(_) => {
                    close = Some(order);
                    break;
                }
            }
            if done.len() < BATCH_JOBS && begun.elapsed() < BATCH_TIME {
                next = self.queue.try_recv().ok();
            }
        }
        if failure.is_none() {
            failure = connection.execute("release job; commit").await.err();
        }
        match failure {
            None => {
                for (verdict, events) in done {
                    for event in events {
                        self.live.send(Arc::new(event)).ok();
                    }
                    verdict.send(Ok(())).ok();
                }
                Ok((connection, close))
            }
            Some(error) => {
                tracing::error!(%error, jobs = done.len(), "a batch of writes was lost");
                for (verdict, _) in done {
                    verdict.send(Err(error.to_string())).ok();
                }
                // Whether a transaction is still open depends on the error.
                connection.execute("rollback").await.ok();
                Ok((connection, close))
            }
        }
    }

    /// A new connection, tried until it works or nobody wants one any more.
    async fn reconnect(&mut self) -> Option<SqliteConnection> {
        loop {
            match self.options.connect().await {
                Ok(connection) => return Some(connection),
                Err(error) => tracing::error!(%error, "the database cannot be opened"),
            }
            if self.queue.is_closed() {
                return None;
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }
}
