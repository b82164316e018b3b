//! Runs and cards in the API.

use larder_db::Json;
use larder_domain::{StoreScope, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Ask, Outcome};
use crate::audit::Editor;

/// State of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, sqlx::Type, ToSchema)]
#[serde(rename_all = "camelCase")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
#[schema(as = ServiceRunState)]
pub enum RunState {
    /// Waiting for a worker.
    Queued,
    Running,
    Done,
    /// Ended with an error.
    Failed,
    /// Cancelled by a user.
    Cancelled,
}

/// The user who started a run.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = ServicePerson)]
pub struct Person {
    pub uid: String,
    pub name: String,
    pub email: String,
}

impl From<Editor> for Person {
    fn from(by: Editor) -> Self {
        Self { uid: by.uid, name: by.name, email: by.email }
    }
}

/// A run of a service.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ServiceRun)]
pub struct Run {
    pub id: String,
    pub service: String,
    pub state: RunState,
    /// Whether the schedule started it.
    pub scheduled: bool,
    pub created_at: Timestamp,
    pub started_at: Option<Timestamp>,
    pub finished_at: Option<Timestamp>,
    /// From start to end; absent until it has started.
    pub duration_ms: Option<i64>,
    /// Absent if the schedule or a command started it.
    pub started_by: Option<Person>,
    pub asked: Ask,
    /// Units of work done.
    pub done: i64,
    /// Units of work in total; 0 while unknown.
    pub total: i64,
    /// What it is doing.
    pub message: String,
    pub outcome: Option<Outcome>,
    /// Why it failed.
    pub error: Option<String>,
}

/// A page of a service's runs, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ServiceRuns)]
pub struct Runs {
    pub items: Vec<Run>,
    pub total: i64,
}

/// When a service runs on its own.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ServiceSchedule)]
pub struct CalculationSchedule {
    pub enabled: bool,
    /// Minutes after midnight, UTC+8.
    pub minutes: i64,
    /// Bits from Monday on: 127 is every day.
    pub weekdays: i64,
    /// Counted from 1; 0 for the default.
    pub revision: i64,
}

/// A schedule to save.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = ServiceScheduleDraft)]
pub struct ScheduleDraft {
    pub enabled: bool,
    /// Minutes after midnight, UTC+8: 0 to 1439.
    pub minutes: i64,
    /// Bits from Monday on: 127 is every day.
    pub weekdays: i64,
    /// The revision being changed.
    #[serde(default)]
    pub revision: i64,
}

/// A service on the hub.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ServiceCard)]
pub struct CalculationCard {
    /// Its name in addresses.
    pub service: &'static str,
    pub title: &'static str,
    /// The question it answers.
    pub answers: &'static str,
    /// Its page in the console.
    pub page: &'static str,
    pub last_run: Option<Run>,
    /// Absent if it has no schedule.
    pub schedule: Option<CalculationSchedule>,
    pub next_run_at: Option<Timestamp>,
    pub can_run: bool,
    pub can_schedule: bool,
}

/// The services of this server.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ServiceCards)]
pub struct Cards {
    pub items: Vec<CalculationCard>,
}

/// A stored run with its job's progress.
#[derive(Debug, Clone, larder_db::FromRow)]
pub(super) struct Kept {
    pub id: String,
    pub service: String,
    pub job_id: String,
    pub state: RunState,
    pub due_at: Option<Timestamp>,
    pub asked: Json<Ask>,
    pub outcome: Option<Json<Outcome>>,
    pub error: Option<String>,
    pub created_at: Timestamp,
    pub created_by: Json<Editor>,
    pub started_at: Option<Timestamp>,
    pub finished_at: Option<Timestamp>,
    pub done: i64,
    pub total: i64,
    pub message: String,
}

impl Kept {
    /// Without what is outside a user's stores.
    pub fn shown(self, scope: &StoreScope) -> Run {
        let person = Person::from(self.created_by.0);
        let mut asked = self.asked.0;
        let all = match (scope, &asked.store_ids) {
            (StoreScope::All, _) => true,
            (StoreScope::Only(_), None) => false,
            (StoreScope::Only(_), Some(stores)) => stores.iter().all(|store| scope.contains(store)),
        };
        if let Some(stores) = &mut asked.store_ids {
            stores.retain(|store| scope.contains(store));
        }
        Run {
            id: self.id,
            service: self.service,
            state: self.state,
            scheduled: self.due_at.is_some(),
            created_at: self.created_at,
            started_at: self.started_at,
            finished_at: self.finished_at,
            duration_ms: self.started_at.zip(self.finished_at).map(|(from, to)| to.0 - from.0),
            started_by: (person.uid != "system").then_some(person),
            asked,
            done: self.done,
            total: self.total,
            message: if all || self.message.is_empty() { self.message } else { "Working".to_owned() },
            outcome: self.outcome.map(|outcome| outcome.0.within(scope, all)),
            error: self.error,
        }
    }
}
