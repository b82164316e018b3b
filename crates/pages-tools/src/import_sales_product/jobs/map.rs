//! `sales.map`: maps posted names to their POS items.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use larder_ledgers::sales::{map_items, unmapped_days};
use larder_lists::imports::jobs::part;
use larder_platform::jobs::{JobCtx, JobError};

/// Store-days per transaction.
const AT_ONCE: usize = 100;

#[derive(Deserialize)]
struct Args {
    targets: HashMap<String, String>,
}

/// Runs the job.
pub async fn run(ctx: JobCtx) -> Result<Value, JobError> {
    let args: Args = ctx.args()?;
    let db = &ctx.state.db;
    let names: Vec<String> = args.targets.keys().cloned().collect();
    let targets: HashMap<String, Arc<str>> =
        args.targets.into_iter().map(|(name, target)| (name, target.into())).collect();
    let targets = &targets;
    let days = unmapped_days(db, &names).await?;
    let mut done = 0;
    for some in days.chunks(AT_ONCE) {
        part(&ctx, json!({ "storeDays": done }), async |tx| Ok(map_items(tx, targets, some).await?)).await?;
        done += some.len() as u64;
        ctx.progress(done, days.len() as u64, "Mapping store-days");
    }
    Ok(json!({ "storeDays": done }))
}
