//! The engine of connectors: sales read from where they lie (any JSON API, BigQuery) or taken as they come (a POS feed).
//!
//! A unit (a day, some days, a delivery, a file) is posted only when it was read completely, whole, through the sales book:
//! reading it again changes nothing. What may go better later is asked again, with back-off, and then left for later; what
//! cannot be taken is put aside with its reason and tried again or discarded by somebody. Names resolve as in files.
//!
//! | file | what it does |
//! |---|---|
//! | `settings` | what a connector is told, and which settings are refused |
//! | `store` | connectors as they are kept; secrets go in sealed and never come out |
//! | `fetch` | asking with patience; the journal that strikes out secrets |
//! | `api`, `path` | any JSON API: pages, records, paths |
//! | `bigquery` | BigQuery through its REST API |
//! | `feed`, `folder`, `push` | what a feed sends, by a folder or by HTTPS |
//! | `lines` | rows of cells → store-days |
//! | `work` | a run at work |
//! | `runs` | starting, listing and stopping runs, the schedule, what was put aside |
//! | `trial` | what would be read, without posting it |
//! | `routes`, `contract` | the same routes for each kind |

mod allowance;
mod api;
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
pub use queries::{Failing, failing};
pub use routes::routes;
pub use runs::follow;
pub use runs::start_due;
pub use settings::{Kind, Reading};
pub use trial::suggested;

/// The kind of job that reads days: it waits for other servers.
const READ: &str = "connectors.read";
/// The kind of job that takes a delivery.
const TAKE: &str = "connectors.take";

/// A kind of connector and its page.
pub trait Family: Send + Sync + 'static {
    const KIND: Kind;
    /// Its name in the contract: `api_connector`.
    const NAME: &'static str;
    /// How people call one: `API connector`.
    const TITLE: &'static str;
    /// Where its routes are.
    const BASE: &'static str;
    /// The page whose rights are asked for.
    const PAGE: &'static str;
    /// What changing, running and settling takes.
    const EDIT: Action;
    /// Why everyone signed in may read what the page shows, where its page has no guard. People of some stores see none
    /// of it.
    const OPEN: Option<&'static str> = None;
}

/// The background work of connectors.
#[must_use]
pub fn job_kinds(kinds: JobKinds) -> JobKinds {
    kinds.with_long(READ, work::run).with(TAKE, work::run)
}
