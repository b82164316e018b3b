//! Reading counts: days, ranges, summaries, histories.

use larder_domain::count::{HeldFor, Outcome, Session};
use larder_domain::{BusinessDay, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::batch::CurrentCount;
use larder_ledgers::counts as book;
use larder_platform::audit::Editor;

/// A current count.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountEntry {
    /// `storeId_date_itemId`, or `storeId_date_session_itemId`.
    pub id: String,
    pub store_id: String,
    /// Business day.
    pub date: BusinessDay,
    pub item_id: String,
    pub qty: Option<Qty>,
    /// Session; omitted for a whole-day count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<Session>,
    /// Note.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub photo: Option<String>,
    /// It was made within its window but received after it.
    pub late: bool,
    /// Number of changes.
    pub revision: i64,
    /// Id of the save that set it.
    pub op: String,
    /// Device id.
    pub device_id: String,
    /// When it was saved.
    pub at: Timestamp,
    /// When it was counted: choosing, confirming and correcting a count keep that time.
    pub counted_at: Timestamp,
    /// Whether that time is assumed, since the device's could not be right.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub counted_assumed: bool,
    pub counted_by: Editor,
    /// The verified sender; the counter is as stated by them.
    pub sent_by: Editor,
    pub updated_at: Timestamp,
    /// Who set it by sending, applying or choosing it.
    pub updated_by: Editor,
    /// Concurrent counts by others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherCount>,
}

/// The session in responses: `None` for the whole day.
pub fn named(session: Session) -> Option<Session> {
    (session != Session::Whole).then_some(session)
}

impl CountEntry {
    /// From a value and its concurrent counts.
    pub fn of(value: book::Value, others: Vec<book::Other>) -> Self {
        let key = value.key();
        Self {
            id: key.id(),
            session: named(key.session),
            store_id: value.store_id,
            date: value.date,
            item_id: value.item_id,
            qty: value.content.qty,
            note: value.content.note,
            photo: value.content.photo,
            late: value.late,
            revision: value.revision,
            op: value.op,
            device_id: value.device_id,
            at: value.stands_at,
            counted_at: value.counted_at,
            counted_assumed: value.counted_assumed,
            sent_by: value.sent_by.unwrap_or_else(|| value.updated_by.clone()).0,
            counted_by: value.counted_by.0,
            updated_at: value.updated_at,
            updated_by: value.updated_by.0,
            others: others.into_iter().map(OtherCount::from).collect(),
        }
    }
}

/// A concurrent count by another user that is not current.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OtherCount {
    /// Quantity; null if cleared.
    pub qty: Option<Qty>,
    pub at: Timestamp,
    pub by: String,
    /// Device id.
    pub device_id: String,
    /// Id of the save, for choosing it as current.
    pub op: String,
}

impl From<book::Other> for OtherCount {
    fn from(other: book::Other) -> Self {
        let book::Other { qty, at, by, device_id, op } = other;
        Self { qty, at, by, device_id, op }
    }
}

/// Query parameters: store and day.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct DayQuery {
    #[param(required)]
    pub store_id: Option<String>,
    /// Day, `YYYY-MM-DD`.
    #[param(required, format = Date)]
    pub date: Option<String>,
}

/// The counts of a day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountEntries {
    /// Current counts.
    pub entries: Vec<CountEntry>,
    /// Increases with every change to the day.
    pub revision_of_day: i64,
}

/// The count to choose as current.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ChooseCount {
    /// Id of the save.
    pub op: String,
    /// The revision of the current count the caller saw.
    pub revision: i64,
}

/// The current count.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChosenCount {
    /// Id of the count.
    pub id: String,
    /// Current count.
    pub current: Option<CurrentCount>,
}

/// Query parameters: store and range.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct RangeQuery {
    pub store_id: Option<String>,
    /// First day, `YYYY-MM-DD`.
    #[param(format = Date)]
    pub start: Option<String>,
    /// Last day.
    #[param(format = Date)]
    pub end: Option<String>,
    /// A single day, instead of both.
    #[param(format = Date)]
    pub date: Option<String>,
}

/// The counts of a range.
#[derive(Debug, Serialize, ToSchema)]
pub struct CountRange {
    /// Current counts, by day.
    pub entries: Vec<CountEntry>,
}

/// Summaries of a range.
#[derive(Debug, Serialize, ToSchema)]
pub struct CountSummaries {
    /// The requested days.
    pub days: Vec<CountDay>,
}

/// Summary of a day's counts.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountDay {
    pub date: BusinessDay,
    /// Whether there is an opening count, meaning entries that are not closing ones.
    pub opening: bool,
    /// Whether there is a closing count.
    pub closing: bool,
    /// Number of items counted in either.
    pub counted: i64,
    /// Number of items in the opening count.
    pub opening_counted: i64,
    /// Number of items in the closing count.
    pub closing_counted: i64,
    /// Number of items to count now.
    pub of: i64,
    /// First count.
    pub first_at: Option<Timestamp>,
    /// Last count.
    pub last_at: Option<Timestamp>,
    /// Names of those who counted.
    pub by: Vec<String>,
    /// Number of counts received after their window.
    pub late: i64,
}

/// Query parameters: the count.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct CountQuery {
    #[param(required)]
    pub store_id: Option<String>,
    /// Day, `YYYY-MM-DD`.
    #[param(required, format = Date)]
    pub date: Option<String>,
    /// `opening` or `closing`; omitted for a whole-day count.
    pub session: Option<String>,
    pub item_id: Option<String>,
}

/// The history of a count.
#[derive(Debug, Serialize, ToSchema)]
pub struct CountHistory {
    /// In order of receipt.
    pub events: Vec<CountEvent>,
}

/// A received save.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountEvent {
    /// Id of the save.
    pub op: String,
    /// Quantity; null if cleared.
    pub qty: Option<Qty>,
    /// Note.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub photo: Option<String>,
    /// When it was made.
    pub at: Timestamp,
    /// When its number was counted.
    pub counted_at: Timestamp,
    /// The device's time when it was made.
    pub device_at: Timestamp,
    /// When it was received.
    pub received_at: Timestamp,
    /// Device id.
    pub device_id: String,
    /// It was made within its window but received after it.
    pub late: bool,
    pub counted_by: Editor,
    pub sent_by: Editor,
    /// Result.
    pub outcome: Outcome,
    /// Whether it is current.
    pub stands: bool,
    /// Why it was held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_for: Option<HeldFor>,
    /// The reason as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When it was applied or declined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<Editor>,
    /// Reason for the decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision_note: Option<String>,
}

impl CountEvent {
    /// From the ledger's event.
    pub fn of(event: book::Event, stands: bool) -> Self {
        Self {
            outcome: event.outcome(),
            held_for: event.held_for(),
            op: event.op,
            qty: event.content.qty,
            note: event.content.note,
            photo: event.content.photo,
            at: event.stands_at,
            counted_at: event.counted_at,
            device_at: event.at,
            received_at: event.received_at,
            device_id: event.device_id,
            late: event.late,
            counted_by: event.counted_by.0,
            sent_by: event.sent_by.0,
            stands,
            reason: event.held_reason,
            decided_at: event.decided_at,
            decided_by: event.decided_by.map(|by| by.0),
            decision_note: event.decision_note,
        }
    }
}
