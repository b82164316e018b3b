//! Reads pictures that came without a store, one by one; their machine numbers sort them. A picture already read is not
//! read again, so an interrupted job resumes.

use serde::Deserialize;
use serde_json::{Value, json};

use larder_engines::ocr::Till;
use larder_ledgers::readings::unsorted;
use larder_platform::jobs::{JobCtx, JobError, part};

use super::job::read_picture;

#[derive(Deserialize)]
struct Args {
    pictures: Vec<String>,
}

#[derive(Default, serde::Serialize, Deserialize)]
struct Done {
    read: usize,
}

pub(crate) async fn run(ctx: JobCtx) -> Result<Value, JobError> {
    let args: Args = ctx.args()?;
    let mut done: Done = ctx.last_checkpoint().unwrap_or_default();
    let total = args.pictures.len() as u64;
    while let Some(id) = args.pictures.get(done.read) {
        ctx.go_on()?;
        ctx.progress(done.read as u64, total, "Reading pictures");
        let picture = unsorted::find(&ctx.state.db, id).await?;
        done.read += 1;
        let Some(picture) = picture.filter(|picture| picture.state == "reading") else { continue };
        let known = Till {
            stores: picture.stores.map(|stores| stores.0),
            terminal_id: String::new(),
            date: picture.business_date,
        };
        let read = &read_picture(&ctx, &picture.picture, &known, id).await?;
        let reading_id = &ctx.state.new_id();
        part(&ctx, json!(done), async |tx| {
            unsorted::put_read(tx, id, read.clone(), reading_id).await.map_err(JobError::from)
        })
        .await?;
    }
    ctx.progress(total, total, "Read");
    Ok(json!(done))
}
