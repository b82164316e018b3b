//! Scheduled calculations: long work that answers one question, run by hand or every night.
//!
//! A service is one declaration ([`Calculation`]): its name in addresses, the question it answers, its parameters
//! beside stores, items and days, and `run`. The engine provides its card on the hub, the schedule, runs with
//! progress, cancelling, resuming after a crash, the history and the comparison with the previous run.
//!
//! | file | what it does |
//! |---|---|
//! | `ask` | parameters of a run and their validation |
//! | `outcome` | the result of a run, and what failed |
//! | `work` | executing a run: parts with checkpoints, and how it ended |
//! | `runs` | starting, finding, listing and cancelling runs, with permission checks |
//! | `schedules` | when services run on their own |
//! | `model` | runs and cards in the API |

mod ask;
mod model;
mod outcome;
mod queries;
mod runs;
mod schedules;
mod work;

use std::future::Future;

use futures::future::BoxFuture;
use larder_domain::Timestamp;
use larder_domain::schedule::Schedule;

use crate::AppState;
use crate::http::ApiResult;
use crate::jobs::{JobError, JobKinds};

pub use ask::Ask;
pub use model::{CalculationCard, CalculationSchedule, Cards, Person, Run, RunState, Runs, ScheduleDraft};
pub use outcome::{Failed, Failures, Figure, Outcome};
pub use runs::{cancel, cards, failing, find, is_running, list, start, start_by_itself, start_in};
pub use schedules::{follow_schedules, set as set_schedule};
pub use work::Work;

/// The page whose permissions services require.
pub const PAGE: &str = "tools/services";
/// The job kind that executes a run.
const JOB: &str = "services.run";

/// The declaration of a service.
pub trait Calculation: Send + Sync + 'static {
    /// Name in addresses: `moving-average`.
    const NAME: &'static str;
    /// Label on screen.
    const TITLE: &'static str;
    /// The question it answers, in one sentence.
    const ANSWERS: &'static str;
    const PAGE: &'static str;
    /// Names of the parameters it accepts beside stores, items, days, horizon, method and level.
    const ASKS: &'static [&'static str] = &[];
    /// The default schedule; off when absent.
    const NIGHTLY: Option<Schedule> = None;
    /// A service whose run it waits for when both are due.
    const AFTER: Option<&'static str> = None;

    /// Validates parameters before anything is queued. Stores and days have been checked already.
    ///
    /// # Errors
    /// 422 at the invalid fields.
    fn check(_state: &AppState, _ask: &Ask) -> impl Future<Output = ApiResult<()>> + Send {
        async { Ok(()) }
    }

    /// Does the work, resuming from the checkpoint if there is one.
    ///
    /// # Errors
    /// Why the whole run failed; a part that fails is added to [`Failures`] and the run continues.
    fn run(work: Work) -> impl Future<Output = Result<Outcome, JobError>> + Send;
}

/// A type-erased declaration.
#[derive(Clone, Copy)]
pub struct Declared {
    pub name: &'static str,
    pub title: &'static str,
    pub answers: &'static str,
    pub page: &'static str,
    pub asks: &'static [&'static str],
    pub nightly: Option<Schedule>,
    pub after: Option<&'static str>,
    check: for<'a> fn(&'a AppState, &'a Ask) -> BoxFuture<'a, ApiResult<()>>,
    run: fn(Work) -> BoxFuture<'static, Result<Outcome, JobError>>,
}

/// The services of this server, in the order of the hub.
#[derive(Default)]
pub struct Calculations(Vec<Declared>);

impl Calculations {
    /// Registers a service.
    ///
    /// # Panics
    /// If the name is taken.
    #[must_use]
    pub fn with<S: Calculation>(mut self) -> Self {
        assert!(self.get(S::NAME).is_none(), "two services are called {}", S::NAME);
        self.0.push(Declared {
            name: S::NAME,
            title: S::TITLE,
            answers: S::ANSWERS,
            page: S::PAGE,
            asks: S::ASKS,
            nightly: S::NIGHTLY,
            after: S::AFTER,
            check: |state, ask| Box::pin(S::check(state, ask)),
            run: |work| Box::pin(S::run(work)),
        });
        self
    }

    /// The one with this name in addresses.
    pub fn get(&self, name: &str) -> Option<&Declared> {
        self.0.iter().find(|declared| declared.name == name)
    }

    /// All services, in the order of the hub.
    pub fn iter(&self) -> impl Iterator<Item = &Declared> {
        self.0.iter()
    }

    /// Starts what is due now, as the server does every half minute. Returns the ids of the new runs.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn start_due(&self, state: &AppState) -> ApiResult<Vec<String>> {
        schedules::start_due(state, state.started_at).await
    }

    /// Starts a run on behalf of the server, as commands do. Returns its id.
    ///
    /// # Errors
    /// 404 for an unknown service, 409 while it is running, 422 for invalid parameters.
    pub async fn start(&self, state: &AppState, name: &str, ask: Ask) -> ApiResult<String> {
        start_by_itself(state, name, ask, state.now()).await
    }

    /// As [`Calculations::start`], with an earlier moment as «now»: its day becomes the day of the run.
    ///
    /// # Errors
    /// As [`Calculations::start`].
    pub async fn start_at(&self, state: &AppState, name: &str, ask: Ask, at: Timestamp) -> ApiResult<String> {
        start_by_itself(state, name, ask, at).await
    }

    /// The services that run nightly by default, in their order of execution.
    pub fn nightly(&self) -> impl Iterator<Item = &'static str> {
        let mut nightly: Vec<_> =
            self.0.iter().filter_map(|it| Some((it.nightly?.minutes, it.name))).collect();
        nightly.sort_by_key(|(minutes, _)| *minutes);
        nightly.into_iter().map(|(_, name)| name)
    }

    /// When each service runs next; `None` where it is off.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn schedules(&self, state: &AppState) -> ApiResult<Vec<(&'static str, Option<Timestamp>)>> {
        schedules::next(state).await
    }

    /// A run, regardless of who started it.
    ///
    /// # Errors
    /// 404 if there is none.
    pub async fn run(&self, state: &AppState, id: &str) -> ApiResult<Run> {
        runs::of_id(state, id).await
    }

    /// Name and title of every service, in the order of the hub.
    pub fn names(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.0.iter().map(|declared| (declared.name, declared.title))
    }

    /// The newest completed run of a service over all stores: its id and when it was started.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn latest_done(&self, state: &AppState, name: &str) -> ApiResult<Option<(String, Timestamp)>> {
        Ok(queries::latest_done(&state.db, name).await?)
    }

    /// The last runs of every service, for the command line.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn last_runs(&self, state: &AppState, limit: i64) -> ApiResult<Vec<Run>> {
        runs::last(state, limit).await
    }
}

/// The job kinds of services.
#[must_use]
pub fn job_kinds(kinds: JobKinds) -> JobKinds {
    kinds.with_long(JOB, work::run)
}
