//! Inbox tasks. Each type is declared once with its permission, its page and its query. Home shows them as
//! tiles; the bell and the daily digest as notifications.
//!
//! | file | what it has |
//! |---|---|
//! | `model` | a task type, its query result, the query's context |
//! | `documents` | orders, waste, deliveries, receipts, stock-takes, batches |
//! | `stores` | counts, Z-readings to verify and disputed, till pictures without a store, cash |
//! | `tills` | tills whose Z-reading of a day is missing |
//! | `stock` | recalled lots, stock about to run out, what kitchens leave short and have to share out |
//! | `forecasts` | sales far from the forecast |
//! | `prices` | prices that receipts propose for root items |
//! | `work` | failed services, connectors and jobs |
//! | `office` | applications for access, expiring company documents |
//!
//! Tasks are computed on read and never stored, so they cannot go stale.

mod documents;
mod forecasts;
mod model;
mod office;
mod prices;
mod stock;
mod stores;
mod tills;
mod work;

use futures::future::BoxFuture;
use futures::{FutureExt as _, StreamExt as _, stream};

pub use model::{Arisen, DayCount, Rings, Task, TaskContext, TaskSummary, TaskType};

pub(crate) use model::day_end;

use larder_platform::AppState;
use larder_platform::http::{ApiResult, Who};

/// Concurrent reads per person; leaves one of the database's four readers to others.
const AT_ONCE: usize = 3;

/// The most items of a type in its list.
const LISTED: usize = 10_000;

/// Every task type, the most pressing first.
pub static ALL: &[&TaskType] = &[
    &stock::RECALLS,
    &documents::ORDERS,
    &documents::WASTE,
    &documents::DELIVERIES,
    &documents::DIFFERENCES,
    &stores::COUNTS,
    &stores::HELD,
    &documents::STOCK_TAKES,
    &documents::BATCHES,
    &stock::AT_RISK,
    &stock::SHARE,
    &stock::SHORT,
    &work::FAILED,
    &stores::DISPUTED,
    &stores::READINGS,
    &stores::PICTURES,
    &tills::MISSING,
    &stores::CASH,
    &forecasts::MISSES,
    &prices::PROPOSED,
    &office::APPLICATIONS,
    &office::PAPERS,
];

/// The task type with this name.
#[must_use]
pub fn kind(name: &str) -> Option<&'static TaskType> {
    ALL.iter().copied().find(|kind| kind.name == name)
}

/// Whether a change to a record of this type may change the inbox.
#[must_use]
pub fn changes_with(record_kind: &str) -> bool {
    ALL.iter().any(|kind| kind.changes.contains(&record_kind))
}

type Read = (&'static TaskType, ApiResult<TaskSummary>);

/// The open tasks of some types that a user may see. A type that cannot be read does not block the others.
pub async fn read(context: &TaskContext<'_>, types: Vec<&'static TaskType>) -> Vec<Read> {
    let types: Vec<&'static TaskType> = types.into_iter().filter(|kind| kind.open_to(context.who)).collect();
    let stores = match types.iter().any(|kind| kind.of_stores) {
        true => context.has_stores().await.inspect_err(|error| tracing::warn!(%error, "no stores read")),
        false => Ok(true),
    };
    // A type that cannot be read says so itself.
    let stores = stores.unwrap_or(true);
    let reads: Vec<BoxFuture<'_, Read>> = types
        .into_iter()
        .map(|kind| {
            (kind.read)(context).map(move |found| (kind, found.map(|it| noted(kind, it, stores)))).boxed()
        })
        .collect();
    stream::iter(reads).buffered(AT_ONCE).collect().await
}

/// All items of a type, by the query of its tile.
///
/// # Errors
/// As the query.
pub(crate) async fn list(state: &AppState, who: &Who, kind: &TaskType) -> ApiResult<TaskSummary> {
    let context = &TaskContext { each: true, ..TaskContext::of(state, who, LISTED) };
    (kind.read)(context).await
}

/// Without a store nothing of stores is done, and nothing is missing.
fn noted(kind: &TaskType, mut found: TaskSummary, stores: bool) -> TaskSummary {
    if kind.of_stores && !stores && found.count == 0 {
        found.empty = true;
        found.words = "No stores yet".to_owned();
    }
    found
}
