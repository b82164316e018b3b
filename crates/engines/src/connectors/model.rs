//! Connectors on the wire.

use std::collections::BTreeMap;

use larder_db::Json;
use larder_domain::sales::Field;
use larder_domain::{BusinessDay, Money, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::settings::ConnectorSettings;
use larder_platform::audit::Editor;

/// A connector.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Connector {
    pub id: String,
    pub name: String,
    pub settings: ConnectorSettings,
    /// Its secrets by name: only that they are set, and since when.
    pub secrets: BTreeMap<String, Timestamp>,
    /// While it is paused, nothing is read and nothing pushed is taken.
    pub paused: bool,
    pub schedule: ConnectorSchedule,
    /// When it runs next by itself.
    pub next_run_at: Option<Timestamp>,
    /// The last day up to which everything was read.
    pub read_to: Option<BusinessDay>,
    pub last_run: Option<ConnectorRun>,
    /// What could not be taken and waits for somebody.
    pub put_aside: i64,
    pub revision: i64,
    pub updated_at: Timestamp,
    pub updated_by: Editor,
}

/// When a connector runs by itself: a time of the house's clock on weekdays, as bits from Monday on.
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
    /// Why the list is empty: the caller reaches only some stores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out_of_reach: Option<&'static str>,
    /// The folder below which watched folders lie, as whoever runs the server knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub incoming: Option<String>,
}

/// A connector as it is made or changed.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConnectorDraft {
    pub name: String,
    pub settings: ConnectorSettings,
    /// Secrets that are entered anew, by name. Those that are left out stay.
    #[serde(default)]
    pub secrets: BTreeMap<String, String>,
    pub schedule: ConnectorSchedule,
    #[serde(default)]
    pub paused: bool,
    /// The revision that was seen; none for a new one.
    #[serde(default)]
    pub revision: Option<i64>,
}

/// Pause or go on.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConnectorPause {
    pub paused: bool,
}

/// What a run is to read.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConnectorRunDraft {
    /// The first day; the one after the last that was read where nothing is said.
    #[serde(default)]
    pub from: Option<BusinessDay>,
    /// The last day; yesterday where nothing is said.
    #[serde(default)]
    pub to: Option<BusinessDay>,
}

/// How a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ConnectorRunState {
    Queued,
    Running,
    /// It tries again by itself.
    Waiting,
    Done,
    /// Something was put aside.
    Partly,
    Failed,
    Cancelled,
}

/// A run.
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
    /// Lines that were taken.
    pub lines: i64,
    /// Records that came more than once and count once.
    pub repeated: i64,
    pub pages: i64,
    pub days_new: i64,
    pub days_replaced: i64,
    pub days_unchanged: i64,
    /// Days, deliveries or files that could not be taken.
    pub put_aside: i64,
    pub next_try_at: Option<Timestamp>,
    /// How it ended, in a sentence.
    pub words: String,
    pub done: i64,
    pub total: i64,
    pub created_at: Timestamp,
    pub finished_at: Option<Timestamp>,
    /// Who started it; none where it ran by itself.
    pub started_by: Option<Editor>,
}

/// A page of runs.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConnectorRuns {
    pub items: Vec<ConnectorRun>,
    pub total: i64,
}

/// A run and what it did.
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

/// What could not be taken.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorLetter {
    pub id: String,
    pub run_id: String,
    /// The day or days, the delivery or the file.
    pub unit: String,
    /// `day`, `delivery`, `file`.
    pub what: String,
    pub reason: String,
    /// What came, cut to 64 KiB.
    pub raw: String,
    pub raw_cut: bool,
    /// Names that stand for no store.
    pub stores: Vec<String>,
    /// `open`, `taken`, `discarded`.
    pub state: String,
    pub created_at: Timestamp,
    pub settled_at: Option<Timestamp>,
    pub settled_by: Option<Editor>,
}

/// What could not be taken, the newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConnectorLetters {
    pub items: Vec<ConnectorLetter>,
    pub total: i64,
}

/// A page of a connector's runs or of what it put aside.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ConnectorPage {
    /// At most so many: 1 to 200, 50 where nothing is said.
    pub limit: Option<i64>,
    /// So many are left out first.
    pub offset: Option<i64>,
    /// Of what was put aside: also what is settled.
    pub all: Option<bool>,
}

/// Which stores names stand for, from now on and in every file.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConnectorNames {
    pub stores: Vec<ConnectorName>,
}

/// A store's name and the store it stands for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorName {
    pub name: String,
    pub store_id: String,
}

/// What is to be tried.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorTrial {
    /// The connector whose secrets are used where none are entered.
    #[serde(default)]
    pub id: Option<String>,
    pub settings: ConnectorSettings,
    #[serde(default)]
    pub secrets: BTreeMap<String, String>,
    /// The day that is asked for; yesterday where nothing is said.
    #[serde(default)]
    pub day: Option<BusinessDay>,
    /// What a delivery of a feed looks like.
    #[serde(default)]
    pub sample: Option<String>,
}

/// What a trial found. Nothing is posted.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorFound {
    /// What was asked and what came of it, step by step.
    pub log: Vec<String>,
    /// Why it did not work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The answer of an API; long lists and texts are cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub answer: Option<Value>,
    /// What there is to choose from.
    pub columns: Vec<ConnectorColumn>,
    /// The first twenty lines, as they would be read.
    pub lines: Vec<ConnectorLine>,
    /// How many lines there are in what was looked at.
    pub line_count: i64,
    /// What is wrong with lines, at most twenty.
    pub problems: Vec<String>,
}

/// A column or path.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConnectorColumn {
    pub column: String,
    pub samples: Vec<String>,
    /// What it likely holds.
    pub suggested: Option<Field>,
}

/// A line as it would be posted.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorLine {
    pub day: BusinessDay,
    pub store: String,
    /// The store it stands for; none is unknown.
    pub store_name: Option<String>,
    pub item: String,
    /// Whether a POS item stands behind it.
    pub item_known: bool,
    pub receipt: String,
    pub qty: Qty,
    pub net: Money,
}

/// A connector as it is kept.
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
    /// When it runs by itself.
    #[must_use]
    pub fn schedule(&self) -> ConnectorSchedule {
        ConnectorSchedule { enabled: self.scheduled, minutes: self.minutes, weekdays: self.weekdays }
    }
}

/// What a run was asked, as it is kept.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Asked {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<BusinessDay>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<BusinessDay>,
    /// What was put aside and is tried again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub letter: Option<String>,
    /// A delivery or file: where it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_key: Option<String>,
    /// The delivery's id or the file's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
}

/// A run as it is kept, with the progress of its job.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct KeptRun {
    pub id: String,
    pub connector_id: String,
    pub job_id: String,
    pub state: String,
    pub cause: String,
    pub asked: Json<Asked>,
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
    /// On the wire.
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
        let Json(asked) = self.asked;
        ConnectorRun {
            id: self.id,
            connector_id: self.connector_id,
            state,
            cause: self.cause,
            from: asked.from,
            to: asked.to,
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

/// What was put aside, as it is kept.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct KeptLetter {
    pub id: String,
    pub run_id: String,
    pub unit: String,
    pub what: String,
    pub reason: String,
    pub raw: String,
    pub raw_cut: bool,
    pub file_key: Option<String>,
    pub stores: Json<Vec<String>>,
    pub state: String,
    pub created_at: Timestamp,
    pub settled_at: Option<Timestamp>,
    pub settled_by: Option<Json<Editor>>,
}

impl KeptLetter {
    /// On the wire.
    #[must_use]
    pub fn shown(self) -> ConnectorLetter {
        ConnectorLetter {
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
