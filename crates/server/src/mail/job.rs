//! Sends one letter, again and again over an hour when the mail server does not take it.

use serde_json::{Value, json};

use super::{Posted, outbox, render, smtp};
use crate::jobs::{JobCtx, JobError};

/// Minutes to wait after each try.
const WAITS: [i64; 4] = [1, 4, 15, 40];

pub(crate) async fn run(ctx: JobCtx) -> Result<Value, JobError> {
    let posted: Posted = ctx.args()?;
    let config = &ctx.state.config;
    let at = ctx.state.now();
    let rendered = render::render(config, &posted.letter(&ctx.state.seal)?);
    let message = render::message(config, &posted.to, &rendered, ctx.id(), at)
        .map_err(|error| JobError::Failed(format!("The letter cannot be written: {error}.")))?;
    let Some(url) = &config.smtp_url else {
        outbox::keep(config, &posted.to, &rendered, &message.formatted(), ctx.id(), at).await?;
        return Ok(json!({ "sent": "outbox" }));
    };
    match smtp::send(&url.0, message).await {
        Ok(()) => Ok(json!({ "sent": "smtp" })),
        Err(error) => Err(later(&ctx, &error)),
    }
}

/// What to do about a letter that was not taken. The log names no link and no recipient.
fn later(ctx: &JobCtx, error: &smtp::SmtpError) -> JobError {
    let wait = usize::try_from(ctx.attempt() - 1).ok().and_then(|nth| WAITS.get(nth));
    match wait {
        Some(minutes) if !error.is_final() && !ctx.is_last_attempt() => {
            tracing::warn!(job = ctx.id(), attempt = ctx.attempt(), %error, "a letter was not taken; it is tried again");
            JobError::Again { after_ms: minutes * 60_000, why: error.to_string() }
        }
        _ => {
            tracing::error!(job = ctx.id(), attempt = ctx.attempt(), %error, "a letter was given up");
            JobError::Failed(format!("The letter could not be sent: {error}."))
        }
    }
}
