//! The plan behind a store's suggested orders.

use std::collections::HashMap;

use larder_db::{Db, DbError};
use larder_domain::BusinessDay;

use super::lines::{Line, Wanted, read};
use super::runs::StoreRun;

/// The newest plan of a store.
#[derive(Debug, Clone)]
pub struct StorePlan {
    pub run: StoreRun,
    /// By product.
    pub lines: HashMap<String, Line>,
}

/// The newest plan of a store made on `from` or later; `None` if there is none, or nothing could be planned.
///
/// # Errors
/// If the database fails.
pub async fn newest(db: &Db, store_id: &str, from: BusinessDay) -> Result<Option<StorePlan>, DbError> {
    let run: Option<StoreRun> = db
        .sql(
            "select run_id, store_id, plan_date, made_at, note, lines, to_order, at_risk, capped, amount, revision \
             from plan_stores where store_id = $1 and plan_date >= $2 order by plan_date desc, run_id desc limit 1",
        )
        .bind(store_id)
        .bind(from)
        .optional()
        .await?;
    let Some(run) = run.filter(|run| run.lines > 0) else { return Ok(None) };
    let of = [(run.run_id.clone(), run.store_id.clone())];
    let lines = read(db, &Wanted { of: &of, ..Wanted::default() }).await?;
    let lines = lines.into_iter().map(|line| (line.product_id.clone(), line)).collect();
    Ok(Some(StorePlan { run, lines }))
}
