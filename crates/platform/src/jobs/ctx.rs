//! What a runner has in hand: its arguments, its progress, its checkpoint, the wish to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use larder_db::{Actor, DbError, Tx};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::queries::{self, Claimed, Progress};
use crate::AppState;
use crate::http::ApiError;

/// Why a runner gave up.
#[derive(Debug)]
pub enum JobError {
    /// It was asked to stop.
    Cancelled,
    /// The lease went to another worker, or the server stops: somebody goes on from the checkpoint.
    Interrupted,
    /// Not now: somebody tries again after this long.
    Again {
        /// How long to wait.
        after_ms: i64,
        /// Why, for whoever looks.
        why: String,
    },
    /// It cannot be done; the words are for whoever started it.
    Failed(String),
    /// Something of ours broke; the log has the rest.
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

/// Handed to a runner.
#[derive(Clone)]
pub struct JobCtx {
    /// The server.
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
    /// When they are of another shape.
    pub fn args<T: DeserializeOwned>(&self) -> Result<T, JobError> {
        serde_json::from_value(self.claimed.args.0.clone()).map_err(|e| JobError::Broken(e.into()))
    }

    /// Where an earlier run left off.
    #[must_use]
    pub fn last_checkpoint<T: DeserializeOwned>(&self) -> Option<T> {
        self.claimed.checkpoint.as_ref().and_then(|c| serde_json::from_value(c.0.clone()).ok())
    }

    /// How often it was begun, this time included.
    #[must_use]
    pub fn attempt(&self) -> i64 {
        self.claimed.attempts
    }

    /// Whether nobody will try again after this time.
    #[must_use]
    pub fn is_last_attempt(&self) -> bool {
        self.claimed.attempts >= super::worker::ATTEMPTS
    }

    /// Who started it, as the author of what it changes.
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

    /// Shows how far it is. Cheap: what is shown is written twice a second.
    pub fn progress(&self, done: u64, total: u64, message: &str) {
        let mut shown = self.shown.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        shown.done = i64::try_from(done).unwrap_or(i64::MAX);
        shown.total = i64::try_from(total).unwrap_or(i64::MAX);
        if shown.message != message {
            message.clone_into(&mut shown.message);
        }
    }

    /// Leaves, when it was asked to stop or is no longer ours. Call it between parts of the work.
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

    /// Notes where to go on after a restart, and how far it is, inside the transaction that did the work up to there.
    /// `false`: another worker has the job, and the transaction must be given up.
    ///
    /// # Errors
    /// As any statement.
    pub async fn checkpoint(&self, tx: &mut Tx<'_>, checkpoint: &Value) -> Result<bool, DbError> {
        let shown = self.shown.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
        queries::save_checkpoint(tx, &self.claimed.id, &self.owner, checkpoint, &shown).await
    }
}

/// A part of a job: the work and the note how far the job is are one transaction.
///
/// # Errors
/// [`JobError::Cancelled`] or [`JobError::Interrupted`], and what the work says.
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
