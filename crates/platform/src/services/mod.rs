//! The engine of services: long work that answers one question, run by hand or every night.
//!
//! A service is one declaration ([`Service`]): its name in addresses, what it answers, what it is asked beside stores,
//! items and days, and `run`. From here come its card on the hub, the schedule, runs with progress, stopping, going on
//! where a killed run stopped, the history and what changed against the run before.
//!
//! | file | what it does |
//! |---|---|
//! | `ask` | what a run is asked, and which asks are refused |
//! | `outcome` | what a run comes to, and what it could not do |
//! | `work` | a run at work: parts with their checkpoint, and how it ended |
//! | `runs` | starting, finding, listing and stopping runs, for those who may |
//! | `schedules` | when services run by themselves |
//! | `model` | runs and cards on the wire |

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
pub use model::{Cards, Person, Run, RunState, Runs, ScheduleDraft, ServiceCard, ServiceSchedule};
pub use outcome::{Failed, Failures, Figure, Outcome};
pub use runs::{cancel, cards, failing, find, list, start, start_by_itself};
pub use schedules::{follow_schedules, set as set_schedule};
pub use work::Work;

/// The page whose rights services ask for.
pub const PAGE: &str = "tools/services";
/// The kind of job that does the work of a run.
const JOB: &str = "services.run";

/// The declaration of a service.
pub trait Service: Send + Sync + 'static {
    /// Its name in addresses: `moving-average`.
    const NAME: &'static str;
    /// Its name on the screen.
    const TITLE: &'static str;
    /// The question it answers, in a sentence for people.
    const ANSWERS: &'static str;
    /// Its page in the console.
    const PAGE: &'static str;
    /// What it may be asked beside stores, items, days, horizon, method and level: names of fields.
    const ASKS: &'static [&'static str] = &[];
    /// When it runs by itself as long as nobody says otherwise; off when absent.
    const NIGHTLY: Option<Schedule> = None;
    /// A service whose run it waits for when both are due.
    const AFTER: Option<&'static str> = None;

    /// Refuses what cannot be asked, before anything is queued. Stores and days have been looked at already.
    ///
    /// # Errors
    /// 422 at the fields that are wrong.
    fn check(_state: &AppState, _ask: &Ask) -> impl Future<Output = ApiResult<()>> + Send {
        async { Ok(()) }
    }

    /// Does the work, from the checkpoint on when there is one.
    ///
    /// # Errors
    /// What it gave up for; a part that cannot be done goes into [`Failures`] and the rest goes on.
    fn run(work: Work) -> impl Future<Output = Result<Outcome, JobError>> + Send;
}

/// A declaration, kept.
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
pub struct Services(Vec<Declared>);

impl Services {
    /// One more.
    ///
    /// # Panics
    /// When two have one name.
    #[must_use]
    pub fn with<S: Service>(mut self) -> Self {
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

    /// The service of this name.
    pub fn get(&self, name: &str) -> Option<&Declared> {
        self.0.iter().find(|declared| declared.name == name)
    }

    /// All services, in the order of the hub.
    pub fn iter(&self) -> impl Iterator<Item = &Declared> {
        self.0.iter()
    }

    /// Starts what is due now, as the server does every half minute. Answers the ids of the new runs.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn start_due(&self, state: &AppState) -> ApiResult<Vec<String>> {
        schedules::start_due(state, state.started_at).await
    }

    /// Starts a run of a service without a person, as commands do. Answers its id.
    ///
    /// # Errors
    /// 404 for a service that does not exist, 409 while it runs already, 422 for what cannot be asked.
    pub async fn start(&self, state: &AppState, name: &str, ask: Ask) -> ApiResult<String> {
        start_by_itself(state, name, ask, state.now()).await
    }

    /// As [`Services::start`], as of an earlier moment: what the run takes for its day is the day of that moment.
    ///
    /// # Errors
    /// As [`Services::start`].
    pub async fn start_at(&self, state: &AppState, name: &str, ask: Ask, at: Timestamp) -> ApiResult<String> {
        start_by_itself(state, name, ask, at).await
    }

    /// The services that run at night as long as nobody says otherwise, in the order in which they do.
    pub fn nightly(&self) -> impl Iterator<Item = &'static str> {
        let mut nightly: Vec<_> =
            self.0.iter().filter_map(|it| Some((it.nightly?.minutes, it.name))).collect();
        nightly.sort_by_key(|(minutes, _)| *minutes);
        nightly.into_iter().map(|(_, name)| name)
    }

    /// When each service runs next; none where it is off.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn schedules(&self, state: &AppState) -> ApiResult<Vec<(&'static str, Option<Timestamp>)>> {
        schedules::next(state).await
    }

    /// A run, whoever started it.
    ///
    /// # Errors
    /// 404 when there is none.
    pub async fn run(&self, state: &AppState, id: &str) -> ApiResult<Run> {
        runs::of_id(state, id).await
    }

    /// Every service by its name and title, in the order of the hub.
    pub fn names(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.0.iter().map(|declared| (declared.name, declared.title))
    }

    /// The newest run of a service that is done and was for all stores: its id, and when it was started.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn latest_done(&self, state: &AppState, name: &str) -> ApiResult<Option<(String, Timestamp)>> {
        Ok(queries::latest_done(&state.db, name).await?)
    }

    /// The last runs of every service, as commands show them.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn last_runs(&self, state: &AppState, limit: i64) -> ApiResult<Vec<Run>> {
        runs::last(state, limit).await
    }
}

/// The background work of services.
#[must_use]
pub fn job_kinds(kinds: JobKinds) -> JobKinds {
    kinds.with_long(JOB, work::run)
}
