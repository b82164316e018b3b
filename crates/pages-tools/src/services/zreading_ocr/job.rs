//! Reads the pictures of readings one by one. A reading already read, or edited meanwhile, is not read again,
//! so an interrupted job resumes.

use larder_domain::BusinessDay;
use serde::Deserialize;
use serde_json::{Value, json};

use larder_engines::ocr::{Till, read_till};
use larder_ledgers::readings::judging::PictureRead;
use larder_ledgers::readings::{Reading, Seen, Verdict, filling, pictures, waiting};
use larder_ledgers::{day_starts, readings};
use larder_platform::http::ApiError;
use larder_platform::jobs::{JobCtx, JobError, part};

#[derive(Deserialize)]
struct Args {
    readings: Vec<String>,
}

#[derive(Default, serde::Serialize, Deserialize)]
struct Done {
    read: usize,
    holds: usize,
    review: usize,
    unreadable: usize,
}

pub(crate) async fn run(ctx: JobCtx) -> Result<Value, JobError> {
    let args: Args = ctx.args()?;
    let mut done: Done = ctx.last_checkpoint().unwrap_or_default();
    let total = args.readings.len() as u64;
    while let Some(id) = args.readings.get(done.read) {
        ctx.go_on()?;
        ctx.progress(done.read as u64, total, "Reading pictures");
        let reading = readings::find(&ctx.state.db, id).await?;
        done.read += 1;
        let Some(reading) = reading.filter(|reading| reading.state == "captured") else { continue };
        let read = &look(&ctx, &reading).await?;
        match read.seen.verdict {
            Verdict::Holds => done.holds += 1,
            Verdict::Review => done.review += 1,
            Verdict::Unreadable => done.unreadable += 1,
        }
        let filled = part(&ctx, json!(done), async |tx| Ok(filling::put_seen(tx, id, read).await?)).await?;
        // The reading before it may have been verified while it was read.
        if let Some(Reading { store_id, terminal_id, business_date, .. }) = filled {
            part(&ctx, json!(done), async |tx| {
                Ok(waiting::judge_again(tx, &store_id, &terminal_id, business_date).await?)
            })
            .await?;
        }
    }
    ctx.progress(total, total, "Read");
    Ok(json!(done))
}

async fn look(ctx: &JobCtx, reading: &Reading) -> Result<PictureRead, JobError> {
    let Some(picture) = &reading.picture else { return Ok(Seen::unreadable("There is no picture.").into()) };
    // The upload date means nothing, and a date read earlier proves nothing; another date was chosen by the user.
    let starts = day_starts::of_stores(&ctx.state.db, Some(std::slice::from_ref(&reading.store_id))).await?;
    let uploaded = match starts.get(reading.store_id.as_str()) {
        Some(starts) => starts.day_at(reading.created_at),
        None => BusinessDay::of(reading.created_at),
    };
    let chosen = reading.business_date != uploaded && reading.read.is_none();
    let known = Till {
        stores: Some(vec![reading.store_id.clone()]),
        terminal_id: reading.terminal_id.clone(),
        date: chosen.then_some(reading.business_date),
    };
    read_picture(ctx, picture, &known, &reading.id).await
}

/// Reads a stored picture. One that cannot be read has to be entered manually, with the reason as advice: none stays
/// pending forever. `id` is that of its record, for the log.
pub(super) async fn read_picture(
    ctx: &JobCtx,
    picture: &str,
    known: &Till,
    id: &str,
) -> Result<PictureRead, JobError> {
    let bytes = pictures::source(&ctx.state.files, picture).await?;
    match read_till(&ctx.state.db, bytes.into(), known).await {
        Ok(read) => Ok(read),
        // A busy machine retries later.
        Err(refusal) if refusal.code == "tooSlow" && ctx.attempt() < 3 => {
            Err(JobError::Again { after_ms: 30_000, why: refusal.detail })
        }
        Err(ApiError { status, code, detail, .. }) if !status.is_server_error() || code == "notInstalled" => {
            Ok(Seen::unreadable(detail).into())
        }
        Err(refusal) if ctx.is_last_attempt() => {
            tracing::warn!(%refusal, id, "a picture could not be read");
            Ok(Seen::unreadable("This picture could not be read. Type the figures in.").into())
        }
        Err(refusal) => Err(refusal.into()),
    }
}
