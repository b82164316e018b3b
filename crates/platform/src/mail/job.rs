//! Sends one email, with retries over an hour.

use futures::StreamExt as _;
use serde_json::{Value, json};

use super::{Posted, outbox, render, smtp};
use crate::jobs::{JobCtx, JobError};

/// Minutes to wait after each attempt.
const WAITS: [i64; 4] = [1, 4, 15, 40];

pub(crate) async fn run(ctx: JobCtx) -> Result<Value, JobError> {
    let posted: Posted = ctx.args()?;
    let config = &ctx.state.config;
    let at = ctx.state.now();
    let rendered = render::render(config, &posted.email(&ctx.state.cipher)?);
    let along = along(&ctx, &posted).await?;
    let message = render::message(config, &posted.to, &rendered, along, ctx.id(), at)
        .map_err(|error| JobError::Failed(format!("The email cannot be written: {error}.")))?;
    let sent = match &config.smtp_url {
        None => {
            outbox::keep(config, &posted.to, &rendered, &message.formatted(), ctx.id(), at).await?;
            Ok(json!({ "sent": "outbox" }))
        }
        Some(url) => match smtp::send(&url.0, message).await {
            Ok(()) => Ok(json!({ "sent": "smtp" })),
            Err(error) => Err(later(&ctx, &error)),
        },
    };
    if !matches!(sent, Err(JobError::Again { .. })) {
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
fn later(ctx: &JobCtx, error: &smtp::SmtpError) -> JobError {
    let wait = usize::try_from(ctx.attempt() - 1).ok().and_then(|nth| WAITS.get(nth));
    match wait {
        Some(minutes) if !error.is_final() && !ctx.is_last_attempt() => {
            tracing::warn!(job = ctx.id(), attempt = ctx.attempt(), %error, "could not send an email; it will be retried");
            JobError::Again { after_ms: minutes * 60_000, why: error.to_string() }
        }
        _ => {
            tracing::error!(job = ctx.id(), attempt = ctx.attempt(), %error, "gave up sending an email");
            JobError::Failed(format!("The email could not be sent: {error}."))
        }
    }
}
