//! Sends one email. While the mail server does not take it, it is tried again after 1, 2, 4, … up to 60 minutes, for
//! 48 hours, and not once it would be of no use.

use futures::StreamExt as _;
use larder_domain::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Posted, outbox, render, smtp};
use crate::jobs::{JobCtx, JobError};

/// For how long a mail server may be away.
const GIVE_UP_AFTER_MS: i64 = 48 * HOUR_MS;
/// The longest pause between two tries.
const PAUSE_MS: i64 = HOUR_MS;
/// As above, for an email that is of no use after an hour.
const PAUSE_OF_URGENT_MS: i64 = 10 * MINUTE_MS;
const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;

/// The checkpoint of a job: tries that failed.
#[derive(Debug, Default, Clone, Copy, Serialize, Deserialize)]
struct Tries {
    failed: u32,
}

pub(crate) async fn run(ctx: JobCtx) -> Result<Value, JobError> {
    let posted: Posted = ctx.args()?;
    let config = &ctx.state.config;
    let at = ctx.state.now();
    let email = posted.email(&ctx.state.cipher)?;
    let rendered = render::render(config, &email);
    let along = along(&ctx, &posted).await?;
    let message = render::message(config, &posted.to, &rendered, along, ctx.id(), at)
        .map_err(|error| JobError::Failed(format!("The email cannot be written: {error}.")))?;
    if email.valid_until().is_some_and(|until| until <= at) {
        tracing::error!(job = ctx.id(), "an email was not sent: its link has expired");
        return Err(JobError::Failed("The email was not sent: its link has expired.".to_owned()));
    }
    // Another worker may have taken it over while this one was held up.
    ctx.go_on()?;
    let sent = match &config.smtp_url {
        None => {
            outbox::keep(config, &posted.to, &rendered, &message.formatted(), ctx.id(), at).await?;
            Ok(json!({ "sent": "outbox" }))
        }
        Some(url) => match smtp::send(&url.0, message).await {
            Ok(()) => Ok(json!({ "sent": "smtp" })),
            Err(error) => Err(later(&ctx, &error, email.valid_until()).await?),
        },
    };
    if !matches!(sent, Err(JobError::Later { .. })) {
        for one in &posted.enclosed {
            ctx.state.files.delete(&one.key).await?;
        }
    }
    sent
}

/// Attachments and images, read from the file store.
async fn along(ctx: &JobCtx, posted: &Posted) -> Result<Vec<render::Along>, JobError> {
    let mut along = Vec::with_capacity(posted.enclosed.len());
    for one in &posted.enclosed {
        let mut parts = ctx.state.files.open(&one.key).await?;
        let mut bytes = Vec::new();
        while let Some(part) = parts.next().await {
            bytes.extend_from_slice(&part.map_err(anyhow::Error::from)?);
        }
        along.push(render::Along {
            name: one.name.clone(),
            media: one.media.clone(),
            shown: one.shown,
            bytes,
        });
    }
    Ok(along)
}

/// Decides whether to retry. The log contains neither links nor recipients.
async fn later(
    ctx: &JobCtx,
    error: &smtp::SmtpError,
    valid_until: Option<Timestamp>,
) -> Result<JobError, JobError> {
    let failed = ctx.last_checkpoint::<Tries>().unwrap_or_default().failed.saturating_add(1);
    let now = ctx.state.now();
    let wait = if error.is_final() { Err("") } else { pause(failed, ctx.queued_at(), now, valid_until) };
    match wait {
        Ok(after_ms) => {
            tracing::warn!(job = ctx.id(), failed, %error, after_ms, "could not send an email; it will be retried");
            let tries = json!(Tries { failed });
            if !ctx.state.db.write(&ctx.actor(), async |tx| ctx.checkpoint(tx, &tries).await).await? {
                return Err(JobError::Interrupted);
            }
            let times = if failed == 1 { "once".to_owned() } else { format!("{failed} times") };
            Ok(JobError::Later { after_ms, why: format!("Tried {times}: {error}.") })
        }
        Err(why) => {
            tracing::error!(job = ctx.id(), failed, %error, "gave up sending an email");
            Ok(JobError::Failed(format!("The email could not be sent: {error}.{why}")))
        }
    }
}

/// How long to wait after so many failed tries, in milliseconds, or why the email is given up.
fn pause(
    failed: u32,
    queued_at: Timestamp,
    now: Timestamp,
    valid_until: Option<Timestamp>,
) -> Result<i64, &'static str> {
    let left = valid_until.map(|until| until.0 - now.0);
    let longest = if left.is_some_and(|left| left <= HOUR_MS) { PAUSE_OF_URGENT_MS } else { PAUSE_MS };
    let doubled = 2_i64.saturating_pow(failed.saturating_sub(1)).saturating_mul(MINUTE_MS);
    let pause = doubled.min(longest);
    if left.is_some_and(|left| left <= pause) {
        return Err(" Its link expires before the next try.");
    }
    if now.0 - queued_at.0 >= GIVE_UP_AFTER_MS {
        return Err(" It was tried for 48 hours.");
    }
    Ok(pause)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The minutes after which an email is tried, and why it is given up.
    fn tries(valid_for: Option<i64>) -> (Vec<i64>, &'static str) {
        let (mut at, mut tried, mut minutes) = (Timestamp(0), 0, vec![0]);
        loop {
            tried += 1;
            let until = valid_for.map(|minutes| Timestamp(minutes * MINUTE_MS));
            match pause(tried, Timestamp(0), at, until) {
                Ok(pause) => at = at.plus_ms(pause),
                Err(why) => return (minutes, why),
            }
            minutes.push(at.0 / MINUTE_MS);
        }
    }

    #[test]
    fn pauses_grow_to_an_hour_for_two_days() {
        let (minutes, why) = tries(None);
        assert_eq!(minutes[..9], [0, 1, 3, 7, 15, 31, 63, 123, 183]);
        let last = minutes.last().copied().expect("tries");
        assert!((48 * 60..49 * 60).contains(&last), "{last}");
        assert_eq!(why, " It was tried for 48 hours.");
    }

    #[test]
    fn an_email_is_given_up_with_its_link() {
        let expires = " Its link expires before the next try.";
        assert_eq!(tries(Some(60)), (vec![0, 1, 3, 7, 15, 25, 35, 45, 55], expires));
        let (minutes, why) = tries(Some(10 * 60));
        assert!(minutes.last().is_some_and(|last| (9 * 60 + 45..10 * 60).contains(last)), "{minutes:?}");
        assert_eq!(why, expires);
    }
}
