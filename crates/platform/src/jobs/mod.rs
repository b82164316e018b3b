//! Long work: queued in a transaction, claimed under a lease, continued from its checkpoint after
//! a restart, stopped when asked. A job of a kind must be safe to run again from its checkpoint.

mod ctx;
pub mod queries;
pub mod routes;
mod worker;

use std::collections::HashMap;
use std::sync::Arc;

use futures::future::BoxFuture;
use larder_db::{DbError, Tx};
use serde_json::Value;
use tokio::sync::Notify;

pub use ctx::part;
pub use ctx::{JobCtx, JobError};
pub use queries::{Job, JobState};

use crate::AppState;
use crate::http::session::token_hash;
use crate::http::{ApiError, Routes, routes};

/// Does the work of one kind of job; the answer becomes the job's result.
pub type Runner = Arc<dyn Fn(JobCtx) -> BoxFuture<'static, Result<Value, JobError>> + Send + Sync>;

/// Which kinds of job this server can do.
#[derive(Clone, Default)]
pub struct Jobs {
    runners: Arc<HashMap<&'static str, Runner>>,
    long: Arc<[&'static str]>,
    wake: Arc<Notify>,
}

/// Collects the kinds at start.
#[derive(Default)]
pub struct JobKinds {
    runners: HashMap<&'static str, Runner>,
    long: Vec<&'static str>,
}

/// Which kinds a worker takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// All of them.
    All,
    /// Those that somebody waits for.
    Short,
    /// Those that take minutes: nobody's import waits behind them.
    Long,
}

impl JobKinds {
    /// One more kind: `kinds.with("sales.post", post::run)`.
    #[must_use]
    pub fn with<F, Fut>(mut self, kind: &'static str, run: F) -> Self
    where
        F: Fn(JobCtx) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Value, JobError>> + Send + 'static,
    {
        self.runners.insert(kind, Arc::new(move |ctx| Box::pin(run(ctx))));
        self
    }

    /// One more kind whose jobs take minutes; they have a worker of their own.
    #[must_use]
    pub fn with_long<F, Fut>(mut self, kind: &'static str, run: F) -> Self
    where
        F: Fn(JobCtx) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Value, JobError>> + Send + 'static,
    {
        self.long.push(kind);
        self.with(kind, run)
    }

    /// Ready to run.
    #[must_use]
    pub fn build(self) -> Jobs {
        Jobs { runners: Arc::new(self.runners), long: self.long.into(), wake: Arc::default() }
    }
}

/// A job about to be queued.
pub struct NewJob {
    pub kind: &'static str,
    /// Only one open job may have this key.
    pub unique_key: Option<String>,
    /// What its runner is handed.
    pub args: Value,
}

impl Jobs {
    /// Queues a job inside a transaction and answers its id. Call [`Jobs::wake`] after the commit. A job that failed with
    /// the same key, or of the same kind with the same arguments, is told no more: this one is at its work.
    ///
    /// # Errors
    /// A unique violation when an open job has the same key.
    pub async fn enqueue(&self, tx: &mut Tx<'_>, id: String, new: NewJob) -> Result<String, DbError> {
        let work = match &new.unique_key {
            Some(key) => key.clone(),
            None => format!("{}:{}", new.kind, token_hash(&new.args.to_string())),
        };
        self.enqueue_at(tx, id, new, &work).await
    }

    /// The same where jobs of several kinds or arguments are at one work, such as the steps of an import.
    ///
    /// # Errors
    /// As [`Jobs::enqueue`].
    pub async fn enqueue_at(
        &self,
        tx: &mut Tx<'_>,
        id: String,
        new: NewJob,
        work: &str,
    ) -> Result<String, DbError> {
        queries::put_away(tx, work).await?;
        queries::insert(tx, &id, &new, work).await?;
        tx.announce("job", &id, None);
        Ok(id)
    }

    /// Tells this node's workers that there is something to do.
    pub fn wake(&self) {
        self.wake.notify_waiters();
        self.wake.notify_one();
    }

    /// Works until told to stop; what is unfinished then is taken up again by whoever comes next.
    pub async fn run(&self, state: AppState, lane: Lane, stop: tokio_util::sync::CancellationToken) {
        worker::run(self, state, lane, stop).await;
    }

    /// Does everything that is queued, here and now (tests, commands).
    ///
    /// # Errors
    /// When the job table cannot be read or written.
    pub async fn drain(&self, state: &AppState) -> Result<(), ApiError> {
        worker::drain(self, state).await
    }

    fn runner(&self, kind: &str) -> Option<Runner> {
        self.runners.get(kind).cloned()
    }
}

/// The routes of this room.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .any_role("a job is seen by who started it", routes!(routes::get_job))
        .any_role("a job is stopped by who started it", routes!(routes::cancel_job))
}
