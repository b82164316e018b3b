//! What waits for people: each kind of it declared once, with its right, its page and how it is read. Home shows it as
//! tiles, the bell of the top bar and the daily digest as notifications.
//!
//! | file | what it has |
//! |---|---|
//! | `model` | a kind, what is found of it, who asks |
//! | `documents` | orders, waste, deliveries, receipts |
//! | `stores` | counts, Z-readings, cash |
//! | `stock` | recalled lots, what will run out |
//! | `forecasts` | where yesterday was far from what was forecast |
//! | `work` | services, connectors and jobs that failed |
//! | `office` | people who ask for access, papers that run out |
//!
//! Everything is worked out from what is there: nothing is kept of what waits, so nothing has to be kept in step.

mod documents;
mod forecasts;
mod model;
mod office;
mod stock;
mod stores;
mod work;

use futures::future::BoxFuture;
use futures::{FutureExt as _, StreamExt as _, stream};

pub use model::{Asked, DayCount, Kind, Rings, Waiting, WaitingItem};

use larder_platform::AppState;
use larder_platform::http::{ApiResult, Who};

/// Reads that go on at once for one person: of the four readers of a database one stays free for others.
const AT_ONCE: usize = 3;

/// Every kind there is, the most pressing first.
pub static ALL: &[&Kind] = &[
    &stock::RECALLS,
    &documents::ORDERS,
    &documents::WASTE,
    &documents::DELIVERIES,
    &documents::DIFFERENCES,
    &stores::COUNTS,
    &stores::HELD,
    &stock::AT_RISK,
    &work::FAILED,
    &stores::DISPUTED,
    &stores::READINGS,
    &stores::CASH,
    &forecasts::MISSES,
    &office::APPLICATIONS,
    &office::PAPERS,
];

/// The kind of this name.
#[must_use]
pub fn kind(name: &str) -> Option<&'static Kind> {
    ALL.iter().copied().find(|kind| kind.name == name)
}

/// Whether a change of such a record may change what waits.
#[must_use]
pub fn changes_with(record_kind: &str) -> bool {
    ALL.iter().any(|kind| kind.changes.contains(&record_kind))
}

/// What was read of a kind.
type Read = (&'static Kind, ApiResult<Waiting>);

/// What waits for somebody, of those of some kinds that they may see; each with at most `most` of its things. One that
/// cannot be read does not keep the others.
pub async fn read(state: &AppState, who: &Who, kinds: Vec<&'static Kind>, most: usize) -> Vec<Read> {
    let asked = &Asked::of(state, who, most);
    let reads: Vec<BoxFuture<'_, Read>> = kinds
        .into_iter()
        .filter(|kind| kind.open_to(who))
        .map(|kind| (kind.read)(asked).map(move |found| (kind, found)).boxed())
        .collect();
    stream::iter(reads).buffered(AT_ONCE).collect().await
}
