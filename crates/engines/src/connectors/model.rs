//! Connectors in the API.

use std::collections::BTreeMap;

use larder_db::Json;
use larder_domain::sales::Field;
use larder_domain::{BusinessDay, Money, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::asked::Asked;
use super::settings::ConnectorSettings;
use larder_platform::audit::Editor;

/// A connector.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Connector {
    pub id: String,
    pub name: String,
    pub settings: ConnectorSettings,
    /// When each of its secrets was set; the values are never returned.
    pub secrets: BTreeMap<String, Timestamp>,
    /// While paused, nothing is read and pushes are refused.
    pub paused: bool,
    pub schedule: ConnectorSchedule,
    /// The next scheduled run.
    pub next_run_at: Option<Timestamp>,
    /// Everything up to this day was read.
    pub read_to: Option<BusinessDay>,
    pub last_run: Option<ConnectorRun>,
    /// Open dead letters.
    pub put_aside: i64,
    pub revision: i64,
    pub updated_at: Timestamp,
    pub updated_by: Editor,
}

/// When a connector runs on its own: a time in UTC+8 on weekdays, as bits from Monday on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorSchedule {
    pub enabled: bool,
    /// Minutes after midnight, 0 to 1439.
    pub minutes: i64,
    pub weekdays: i64,
}

/// The connectors of a page.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Connectors {
    pub items: Vec<Connector>,
    pub can_edit: bool,
    /// Why the list is empty: the user may see only some stores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out_of_reach: Option<&'static str>,
    /// The parent folder of watched folders on the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub incoming: Option<String>,
}

/// A connector to create or change.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConnectorDraft {
    pub name: String,
    pub settings: ConnectorSettings,
    /// New secrets by name. Omitted ones stay.
    #[serde(default)]
    pub secrets: BTreeMap<String, String>,
    pub schedule: ConnectorSchedule,
    #[serde(default)]
    pub paused: bool,
    /// The revision being changed; absent for a new one.
    #[serde(default)]
    pub revision: Option<i64>,
}

/// Pauses or resumes.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConnectorPause {
    pub paused: bool,
}

/// Parameters of a run.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConnectorRunDraft {
    /// First day; by default the one after the last that was read.
    #[serde(default)]
    pub from: Option<BusinessDay>,
    /// Last day; yesterday by default.
    #[serde(default)]
    pub to: Option<BusinessDay>,
}

/// State of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ConnectorRunState {
    Queued,
    Running,
    /// Waiting for a retry.
    Waiting,
    Done,
    /// Some units went to the dead letters.
    Partly,
    Failed,
    Cancelled,
}

/// A run of a connector.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorRun {
    pub id: String,
    pub connector_id: String,
    pub state: ConnectorRunState,
    /// `hand`, `schedule`, `retry`, `push`, `file`.
    pub cause: String,
    pub from: Option<BusinessDay>,
    pub to: Option<BusinessDay>,
    /// Lines taken.
    pub lines: i64,
    /// Duplicate records, counted once.
    pub repeated: i64,
    pub pages: i64,
    pub days_new: i64,
    pub days_replaced: i64,
    pub days_unchanged: i64,
    /// Days, deliveries or files that went to the dead letters.
    pub put_aside: i64,
    pub next_try_at: Option<Timestamp>,
    /// The result in one sentence.
    pub words: String,
    pub done: i64,
    pub total: i64,
    pub created_at: Timestamp,
    pub finished_at: Option<Timestamp>,
    /// The user who started it; absent if it ran on its own.
    pub started_by: Option<Editor>,
}

/// A page of runs.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConnectorRuns {
    pub items: Vec<ConnectorRun>,
    pub total: i64,
}

/// A run with its log.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConnectorRunLog {
    pub run: ConnectorRun,
    pub log: Vec<ConnectorLogLine>,
}

/// A line of a run's log.
#[derive(Debug, Clone, Serialize, ToSchema, larder_db::FromRow)]
pub struct ConnectorLogLine {
    pub seq: i64,
    pub at: Timestamp,
    /// `info`, `warning`, `error`.
    pub level: String,
    pub words: String,
}

/// A dead letter.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ConnectorLetter)]
pub struct DeadLetter {
    pub id: String,
    pub run_id: String,
    /// The day or days, the delivery or the file.
    pub unit: String,
    /// `day`, `delivery`, `file`.
    pub what: String,
    pub reason: String,
    /// The content received, cut to 64 KiB.
    pub raw: String,
    pub raw_cut: bool,
    /// Unknown store names.
    pub stores: Vec<String>,
    /// The possible answers to the question in `reason`; empty if it cannot be answered here.
    pub choices: Vec<ConnectorChoice>,
    /// `open`, `taken`, `discarded`.
    pub state: String,
    pub created_at: Timestamp,
    pub settled_at: Option<Timestamp>,
    pub settled_by: Option<Editor>,
}

/// An answer to the question about a dead letter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ConnectorChoice {
    pub id: String,
    pub label: String,
}

/// How a dead letter is retried.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConnectorRetry {
    /// The answer to its question: the id of one of its `choices`.
    #[serde(default)]
    pub answer: Option<String>,
}

/// Dead letters, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ConnectorLetters)]
pub struct DeadLetters {
    pub items: Vec<DeadLetter>,
    pub total: i64,
}

/// Paging parameters of runs and dead letters.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ConnectorPage {
    /// Page size: 1 to 200, 50 by default.
    pub limit: Option<i64>,
    /// Items to skip.
    pub offset: Option<i64>,
    /// For dead letters: include settled ones.
    pub all: Option<bool>,
}

/// Store names to map, for all later files and deliveries.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConnectorNames {
    pub stores: Vec<ConnectorName>,
}

/// A store name and the store it is mapped to.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorName {
    pub name: String,
    pub store_id: String,
}

/// Parameters of a preview.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorTrial {
    /// The connector whose stored secrets are used where none are entered.
    #[serde(default)]
    pub id: Option<String>,
    pub settings: ConnectorSettings,
    #[serde(default)]
    pub secrets: BTreeMap<String, String>,
    /// The day to read; yesterday by default.
    #[serde(default)]
    pub day: Option<BusinessDay>,
    /// A sample delivery of a feed.
    #[serde(default)]
    pub sample: Option<String>,
}

/// The result of a preview. Nothing is posted.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorFound {
    /// Requests and responses, step by step.
    pub log: Vec<String>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The response of an API; long lists and texts are cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub answer: Option<Value>,
    /// Columns or paths to choose from.
    pub columns: Vec<ConnectorColumn>,
    /// The first twenty lines as parsed.
    pub lines: Vec<ConnectorLine>,
    /// Number of lines in the sample.
    pub line_count: i64,
    /// Errors in lines, at most twenty.
    pub problems: Vec<String>,
}

/// A column or JSON path.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConnectorColumn {
    pub column: String,
    pub samples: Vec<String>,
    /// The field it probably holds.
    pub suggested: Option<Field>,
}

/// A line as it would be posted.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorLine {
    pub day: BusinessDay,
    pub store: String,
    /// The mapped store; absent if unknown.
    pub store_name: Option<String>,
    pub item: String,
    /// Whether the item is mapped to a POS item.
    pub item_known: bool,
    pub receipt: String,
    pub qty: Qty,
    pub net: Money,
}

/// A stored connector.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct Kept {
    pub id: String,
    pub kind: String,
    pub name: String,
    pub settings: Json<ConnectorSettings>,
    pub secrets: Option<String>,
    pub secrets_set: Json<BTreeMap<String, Timestamp>>,
    pub paused: bool,
    pub scheduled: bool,
    pub minutes: i64,
    pub weekdays: i64,
    pub cursor_day: Option<BusinessDay>,
    pub last_due: Option<Timestamp>,
    pub revision: i64,
    pub updated_at: Timestamp,
    pub updated_by: Json<Editor>,
}

impl Kept {
    /// The schedule of the connector.
    #[must_use]
    pub fn schedule(&self) -> ConnectorSchedule {
        ConnectorSchedule { enabled: self.scheduled, minutes: self.minutes, weekdays: self.weekdays }
    }
}

/// Stored parameters of a run.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct RunParams {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<BusinessDay>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<BusinessDay>,
    /// The dead letter being retried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub letter: Option<String>,
    /// The answer to its question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Stored content of a delivery or file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_key: Option<String>,
    /// The delivery's id or the file's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
}

/// A stored run with its job's progress.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct KeptRun {
    pub id: String,
    pub connector_id: String,
    pub job_id: String,
    pub state: String,
    pub cause: String,
    pub asked: Json<RunParams>,
    pub lines: i64,
    pub repeated: i64,
    pub pages: i64,
    pub days_new: i64,
    pub days_replaced: i64,
    pub days_unchanged: i64,
    pub put_aside: i64,
    pub next_try_at: Option<Timestamp>,
    pub words: String,
    pub done: i64,
    pub total: i64,
    pub created_at: Timestamp,
    pub finished_at: Option<Timestamp>,
    pub created_by: Json<Editor>,
}

impl KeptRun {
    /// As the API shows it.
    #[must_use]
    pub fn shown(self) -> ConnectorRun {
        let state = match (self.state.as_str(), self.next_try_at) {
            ("queued", Some(_)) => ConnectorRunState::Waiting,
            ("queued", None) => ConnectorRunState::Queued,
            ("running", _) => ConnectorRunState::Running,
            ("done", _) => ConnectorRunState::Done,
            ("partly", _) => ConnectorRunState::Partly,
            ("cancelled", _) => ConnectorRunState::Cancelled,
            _ => ConnectorRunState::Failed,
        };
        let over = matches!(state, ConnectorRunState::Waiting);
        let Json(params) = self.asked;
        ConnectorRun {
            id: self.id,
            connector_id: self.connector_id,
            state,
            cause: self.cause,
            from: params.from,
            to: params.to,
            lines: self.lines,
            repeated: self.repeated,
            pages: self.pages,
            days_new: self.days_new,
            days_replaced: self.days_replaced,
            days_unchanged: self.days_unchanged,
            put_aside: self.put_aside,
            next_try_at: self.next_try_at.filter(|_| over),
            words: self.words,
            done: self.done,
            total: self.total,
            created_at: self.created_at,
            finished_at: self.finished_at,
            started_by: Some(self.created_by.0).filter(|by| by.uid != "system"),
        }
    }
}

/// A stored dead letter.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct KeptDeadLetter {
    pub id: String,
    pub run_id: String,
    pub unit: String,
    pub what: String,
    pub reason: String,
    pub raw: String,
    pub raw_cut: bool,
    pub file_key: Option<String>,
    pub stores: Json<Vec<String>>,
    pub question: Option<String>,
    pub answer: Option<String>,
    pub state: String,
    pub created_at: Timestamp,
    pub settled_at: Option<Timestamp>,
    pub settled_by: Option<Json<Editor>>,
}

impl KeptDeadLetter {
    /// What is asked about it, where a user can decide.
    #[must_use]
    pub fn asked(&self) -> Option<Asked> {
        self.question.as_deref().and_then(Asked::parse)
    }

    /// As the API shows it.
    #[must_use]
    pub fn shown(self) -> DeadLetter {
        let choices = self.asked().map(Asked::choices).unwrap_or_default();
        let choice =
            |(id, label): &(&str, &str)| ConnectorChoice { id: (*id).to_owned(), label: (*label).to_owned() };
        DeadLetter {
            choices: choices.iter().map(choice).collect(),
            id: self.id,
            run_id: self.run_id,
            unit: self.unit,
            what: self.what,
            reason: self.reason,
            raw: self.raw,
            raw_cut: self.raw_cut,
            stores: self.stores.0,
            state: self.state,
            created_at: self.created_at,
            settled_at: self.settled_at,
            settled_by: self.settled_by.map(|by| by.0),
        }
    }
}
