//! A runner's context: arguments, progress, checkpoint, cancellation.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use larder_db::{Actor, DbError, Tx};
use larder_domain::Timestamp;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::queries::{self, Claimed, Progress};
use crate::AppState;
use crate::http::ApiError;

/// Why a runner stopped.
#[derive(Debug)]
pub enum JobError {
    /// It was cancelled.
    Cancelled,
    /// Another worker has the lease, or the server is stopping: the job resumes from its checkpoint.
    Interrupted,
    /// Retry after a delay; given up after five attempts.
    Again {
        after_ms: i64,
        /// The reason, for display.
        why: String,
    },
    /// Retry after a delay, as often as the runner wants: it decides itself when to give up.
    Later {
        after_ms: i64,
        /// The reason, for display.
        why: String,
    },
    /// It cannot be done; the message is for the user.
    Failed(String),
    /// An internal error; details are in the log.
    Broken(anyhow::Error),
}

impl From<DbError> for JobError {
    fn from(error: DbError) -> Self {
        Self::from(ApiError::from(error))
    }
}

impl From<ApiError> for JobError {
    fn from(error: ApiError) -> Self {
        if error.status.is_server_error() { Self::Broken(error.into()) } else { Self::Failed(error.detail) }
    }
}

impl From<anyhow::Error> for JobError {
    fn from(error: anyhow::Error) -> Self {
        Self::Broken(error)
    }
}

/// Context passed to a runner.
#[derive(Clone)]
pub struct JobCtx {
    pub state: AppState,
    claimed: Arc<Claimed>,
    owner: Arc<str>,
    pub(super) shown: Arc<Mutex<Progress>>,
    pub(super) cancelled: Arc<AtomicBool>,
    pub(super) lost: Arc<AtomicBool>,
}

impl JobCtx {
    pub(super) fn new(state: AppState, claimed: Claimed, owner: Arc<str>) -> Self {
        Self {
            state,
            claimed: Arc::new(claimed),
            owner,
            shown: Arc::default(),
            cancelled: Arc::default(),
            lost: Arc::default(),
        }
    }

    /// The job's id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.claimed.id
    }

    /// The arguments it was queued with.
    ///
    /// # Errors
    /// If they do not deserialize into `T`.
    pub fn args<T: DeserializeOwned>(&self) -> Result<T, JobError> {
        serde_json::from_value(self.claimed.args.0.clone()).map_err(|e| JobError::Broken(e.into()))
    }

    /// The last checkpoint of an earlier attempt.
    #[must_use]
    pub fn last_checkpoint<T: DeserializeOwned>(&self) -> Option<T> {
        self.claimed.checkpoint.as_ref().and_then(|c| serde_json::from_value(c.0.clone()).ok())
    }

    /// When it was queued.
    #[must_use]
    pub fn queued_at(&self) -> Timestamp {
        self.claimed.created_at
    }

    /// Number of attempts, this one included.
    #[must_use]
    pub fn attempt(&self) -> i64 {
        self.claimed.attempts
    }

    /// Whether there is no retry after this attempt.
    #[must_use]
    pub fn is_last_attempt(&self) -> bool {
        self.claimed.attempts >= super::worker::ATTEMPTS
    }

    /// The user who started it, as the author of its changes.
    #[must_use]
    pub fn actor(&self) -> Actor {
        let owner = &self.claimed.actor.0;
        Actor {
            uid: owner.uid.clone(),
            name: owner.name.clone(),
            email: owner.email.clone(),
            from: "job".into(),
            at: self.state.now(),
        }
    }

    /// Reports progress. Cheap: written at most twice a second.
    pub fn progress(&self, done: u64, total: u64, message: &str) {
        let mut shown = self.shown.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        shown.done = i64::try_from(done).unwrap_or(i64::MAX);
        shown.total = i64::try_from(total).unwrap_or(i64::MAX);
        if shown.message != message {
            message.clone_into(&mut shown.message);
        }
    }

    /// Stops a runner that was cancelled or lost its lease. Call it between parts of the work.
    ///
    /// # Errors
    /// [`JobError::Cancelled`] or [`JobError::Interrupted`], to be passed on with `?`.
    pub fn go_on(&self) -> Result<(), JobError> {
        if self.lost.load(Ordering::Relaxed) {
            Err(JobError::Interrupted)
        } else if self.cancelled.load(Ordering::Relaxed) {
            Err(JobError::Cancelled)
        } else {
            Ok(())
        }
    }

    /// Saves checkpoint and progress inside the transaction that did the work. `false`: another worker has
    /// the job, and the transaction must be rolled back.
    ///
    /// # Errors
    /// If the statement fails.
    pub async fn checkpoint(&self, tx: &mut Tx<'_>, checkpoint: &Value) -> Result<bool, DbError> {
        let shown = self.shown.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
        queries::save_checkpoint(tx, &self.claimed.id, &self.owner, checkpoint, &shown).await
    }
}

/// A part of a job: its changes and the checkpoint are one transaction.
///
/// # Errors
/// [`JobError::Cancelled`], [`JobError::Interrupted`], or the part's own error.
pub async fn part<T, F>(ctx: &JobCtx, checkpoint: Value, work: F) -> Result<T, JobError>
where
    F: AsyncFnOnce(&mut Tx<'_>) -> Result<T, JobError> + Clone,
{
    ctx.go_on()?;
    let (checkpoint, work) = (&checkpoint, &work);
    ctx.state
        .db
        .write(&ctx.actor(), async |tx| -> Result<T, JobError> {
            if !ctx.checkpoint(tx, checkpoint).await? {
                return Err(JobError::Interrupted);
            }
            (work.clone())(tx).await
        })
        .await
}
