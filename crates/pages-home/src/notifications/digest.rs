//! The daily digest email: a subscriber's open tasks, if there are any.

use std::time::Duration;

use larder_domain::{BusinessDay, Timestamp};
use tokio_util::sync::CancellationToken;

use super::list::{kinds, limited};
use super::queries;
use crate::tasks;
use crate::tasks::{Task, TaskContext};
use larder_platform::AppState;
use larder_platform::http::session::system_actor;
use larder_platform::http::{ApiResult, Who};
use larder_platform::mail;
use larder_platform::mail::{DigestPart, Email, Recipient};
use larder_platform::people::authentication::standing;

/// Interval between checks for due digests.
const LOOK_EVERY: Duration = Duration::from_secs(60);
/// Number of tasks listed per type.
const NAMED: usize = 5;

/// The hour in UTC+8, from 0 to 23.
pub(super) fn hour(at: Timestamp) -> i64 {
    (at.0 + 8 * 3_600_000).rem_euclid(86_400_000) / 3_600_000
}

/// Sends the digests that are due. Returns how many were sent.
///
/// # Errors
/// When the database does not answer.
pub async fn send_due(state: &AppState) -> ApiResult<usize> {
    let now = state.now();
    let today = BusinessDay::of(now);
    let mut written = 0;
    for (uid, muted) in queries::due(&state.db, today, hour(now)).await? {
        match send(state, &uid, &muted.0, today).await {
            Ok(sent) => written += usize::from(sent),
            Err(error) => tracing::warn!(%error, "a daily digest could not be sent"),
        }
    }
    if written > 0 {
        state.jobs.wake();
    }
    Ok(written)
}

/// Sends one user's digest. Of several nodes, the one that claims it sends it, in the claim's transaction.
/// With no open tasks, or if the user may no longer sign in, the day is marked done without one.
async fn send(state: &AppState, uid: &str, muted: &[String], today: BusinessDay) -> ApiResult<bool> {
    let who = standing(state, uid).await?;
    let parts = match &who {
        Some(who) => parts(state, who, muted).await,
        None => Vec::new(),
    };
    let email = &Email::Digest { link: state.config.address("/dashboard/main"), parts };
    let to = who.map(|who| Recipient { name: who.name, email: who.email });
    let to = to.as_ref().filter(|_| !matches!(email, Email::Digest { parts, .. } if parts.is_empty()));
    let actor = system_actor("digest", state.now());
    state
        .db
        .write(&actor, async |tx| -> ApiResult<bool> {
            if !queries::claim(tx, uid, today).await? {
                return Ok(false);
            }
            let Some(to) = to else { return Ok(false) };
            mail::queue(tx, state, to, email).await?;
            Ok(true)
        })
        .await
}

/// A user's open tasks now, by type.
async fn parts(state: &AppState, who: &Who, muted: &[String]) -> Vec<DigestPart> {
    let mut parts = Vec::new();
    for (kind, found) in tasks::read(&TaskContext::of(state, who, NAMED + 1), kinds(muted)).await {
        match found.map(|found| limited(kind, found)) {
            Ok(found) if found.count > 0 => {
                let line = |item: &Task| format!("{}: {}", item.title, item.text);
                parts.push(DigestPart {
                    title: kind.title.to_owned(),
                    count: found.count,
                    lines: found.items.iter().take(NAMED).map(line).collect(),
                    more: found.items.len() > NAMED,
                    link: Some(state.config.address(&found.href)),
                });
            }
            Ok(_) => {}
            Err(error) => tracing::warn!(kind = kind.name, %error, "tasks of a type could not be read"),
        }
    }
    parts
}

/// Checks every minute for due digests. Runs on every node.
pub async fn follow(state: AppState, stop: CancellationToken) {
    let mut turns = tokio::time::interval(LOOK_EVERY);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = turns.tick() => {}
        }
        if let Err(error) = send_due(&state).await {
            tracing::warn!(%error, "could not send the daily digests");
        }
    }
}
