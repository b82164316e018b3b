//! Background jobs: queued in a transaction, claimed under a lease, resumed from their checkpoint after a
//! restart, cancellable. Every kind must be safe to rerun from its checkpoint.

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

/// Executes one kind of job; its return value becomes the job's result.
pub type Runner = Arc<dyn Fn(JobCtx) -> BoxFuture<'static, Result<Value, JobError>> + Send + Sync>;

/// The job kinds this server can execute.
#[derive(Clone, Default)]
pub struct Jobs {
    runners: Arc<HashMap<&'static str, Runner>>,
    /// The kinds with a worker of their own.
    lanes: Arc<HashMap<&'static str, Lane>>,
    wake: Arc<Notify>,
}

/// Builder for [`Jobs`].
#[derive(Default)]
pub struct JobKinds {
    runners: HashMap<&'static str, Runner>,
    lanes: HashMap<&'static str, Lane>,
}

/// Which kinds a worker takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    All,
    /// Short ones that a user waits for.
    Short,
    /// Those that take minutes, so that they do not delay short ones.
    Long,
    /// Emails, so that a mail server that does not answer delays nothing else. Those due first go first: new
    /// ones before those that wait for their next try.
    Mail,
}

impl JobKinds {
    /// Registers a kind: `kinds.with("sales.post", post::run)`.
    #[must_use]
    pub fn with<F, Fut>(mut self, kind: &'static str, run: F) -> Self
    where
        F: Fn(JobCtx) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Value, JobError>> + Send + 'static,
    {
        self.runners.insert(kind, Arc::new(move |ctx| Box::pin(run(ctx))));
        self
    }

    /// Registers a kind whose jobs take minutes; they have their own worker.
    #[must_use]
    pub fn with_long<F, Fut>(mut self, kind: &'static str, run: F) -> Self
    where
        F: Fn(JobCtx) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Value, JobError>> + Send + 'static,
    {
        self.lanes.insert(kind, Lane::Long);
        self.with(kind, run)
    }

    /// Registers the kind that sends emails; it has its own worker.
    #[must_use]
    pub fn with_mail<F, Fut>(mut self, kind: &'static str, run: F) -> Self
    where
        F: Fn(JobCtx) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Value, JobError>> + Send + 'static,
    {
        self.lanes.insert(kind, Lane::Mail);
        self.with(kind, run)
    }

    /// Finishes the set of kinds.
    #[must_use]
    pub fn build(self) -> Jobs {
        Jobs { runners: Arc::new(self.runners), lanes: Arc::new(self.lanes), wake: Arc::default() }
    }
}

/// A job to queue.
pub struct NewJob {
    pub kind: &'static str,
    /// At most one open job may have this key.
    pub unique_key: Option<String>,
    pub args: Value,
}

impl Jobs {
    /// Queues a job inside a transaction and returns its id. Call [`Jobs::wake`] after the commit. Failed
    /// jobs with the same key, or of the same kind with the same arguments, leave the inbox: this one retries
    /// them.
    ///
    /// # Errors
    /// A unique violation if an open job has the same key.
    pub async fn enqueue(&self, tx: &mut Tx<'_>, id: String, new: NewJob) -> Result<String, DbError> {
        let work = match &new.unique_key {
            Some(key) => key.clone(),
            None => format!("{}:{}", new.kind, token_hash(&new.args.to_string())),
        };
        self.enqueue_at(tx, id, new, &work).await
    }

    /// As [`Jobs::enqueue`], for jobs of several kinds or arguments that do the same work, such as the steps
    /// of an import.
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

    /// Wakes this node's workers.
    pub fn wake(&self) {
        self.wake.notify_waiters();
        self.wake.notify_one();
    }

    /// Works until stopped; unfinished jobs are resumed by the next worker.
    pub async fn run(&self, state: AppState, lane: Lane, stop: tokio_util::sync::CancellationToken) {
        worker::run(self, state, lane, stop).await;
    }

    /// Executes everything that is queued, inline (tests, commands).
    ///
    /// # Errors
    /// If the job table cannot be read or written.
    pub async fn drain(&self, state: &AppState) -> Result<(), ApiError> {
        worker::drain(self, state).await
    }

    /// The kinds with a worker of their own: all of them, or those of one lane.
    fn kinds_apart(&self, lane: Option<Lane>) -> Vec<&'static str> {
        let of_lane = self.lanes.iter().filter(|(_, of)| lane.is_none_or(|lane| **of == lane));
        of_lane.map(|(kind, _)| *kind).collect()
    }

    fn runner(&self, kind: &str) -> Option<Runner> {
        self.runners.get(kind).cloned()
    }
}

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .any_role("a job is visible to the user who started it", routes!(routes::get_job))
        .any_role("a job is cancelled by the user who started it", routes!(routes::cancel_job))
}
