//! The engine of connectors: sales pulled from a source (any JSON API, BigQuery) or received from a POS feed.
//!
//! A unit (a day, some days, a delivery, a file) is posted as a whole through the sales ledger, and only if
//! it was read completely: reading it again changes nothing. Transient failures are retried with back-off,
//! then later; rejected units go to the dead letters with a reason, to be retried or discarded. Names are
//! mapped as in files.
//!
//! | file | what it does |
//! |---|---|
//! | `settings` | a connector's settings and their validation |
//! | `store` | stored connectors; secrets are encrypted and never returned |
//! | `fetch` | requests with retries; the log that masks secrets |
//! | `api`, `path` | any JSON API: pages, records, paths |
//! | `bigquery` | BigQuery through its REST API |
//! | `feed`, `folder`, `push` | deliveries of a feed, by folder or HTTPS |
//! | `lines` | rows of cells → store days |
//! | `work` | executing a run |
//! | `asked` | the questions about put-aside units that a user can answer |
//! | `runs` | starting, listing and cancelling runs, the schedule, dead letters |
//! | `trial` | previews without posting |
//! | `routes`, `contract` | the same routes for each kind |

mod allowance;
mod api;
mod asked;
mod bigquery;
mod contract;
mod feed;
mod fetch;
mod folder;
mod lines;
mod model;
mod path;
mod push;
mod queries;
mod routes;
mod runs;
mod settings;
mod store;
mod trial;
mod work;

use larder_domain::Action;

use larder_platform::jobs::JobKinds;

pub use allowance::{is_open, left_out, open_days, spend};
pub use feed::table;
pub use fetch::Journal;
pub use lines::{How, Table, Taken, take};
pub use push::{push_route, received};
pub use queries::{Failing, failing, other_senders};
pub use routes::routes;
pub use runs::follow;
pub use runs::start_due;
pub use settings::{Kind, Reading};
pub use trial::suggested;

/// The job kind that reads days: it waits for other servers.
const READ: &str = "connectors.read";
/// The job kind that takes a delivery.
const TAKE: &str = "connectors.take";

/// A kind of connector and its page.
pub trait Family: Send + Sync + 'static {
    const KIND: Kind;
    /// Name in the contract: `api_connector`.
    const NAME: &'static str;
    /// Noun on screen: `API connector`.
    const TITLE: &'static str;
    const BASE: &'static str;
    /// The page whose permissions are required.
    const PAGE: &'static str;
    /// The action required for changing, running and settling.
    const EDIT: Action;
    /// Why every signed-in user may read the page, if it has no guard. Users of some stores see none of it.
    const OPEN: Option<&'static str> = None;
}

/// Registers the jobs of connectors.
#[must_use]
pub fn job_kinds(kinds: JobKinds) -> JobKinds {
    kinds.with_long(READ, work::run).with(TAKE, work::run)
}
