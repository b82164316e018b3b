//! Counts as they are read: days, ranges, summaries, histories.

use larder_domain::count::{HeldFor, Outcome, Session};
use larder_domain::{BusinessDay, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::batch::CurrentCount;
use larder_ledgers::counts as book;
use larder_platform::audit::Editor;

/// A count that stands.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountEntry {
    /// `storeId_date_itemId`, or `storeId_date_session_itemId`.
    pub id: String,
    pub store_id: String,
    /// The day it belongs to.
    pub date: BusinessDay,
    pub item_id: String,
    pub qty: Option<Qty>,
    /// Which count of the day; absent for a day that is not parted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<Session>,
    /// What was said about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub photo: Option<String>,
    /// It was made inside its window and came after it.
    pub late: bool,
    /// How often it was set.
    pub revision: i64,
    /// The save that set it.
    pub op: String,
    /// On which device.
    pub device_id: String,
    /// When it was counted.
    pub at: Timestamp,
    pub counted_by: Editor,
    /// Who sent it: this is known, who counted is what they said.
    pub sent_by: Editor,
    /// When it was set.
    pub updated_at: Timestamp,
    /// Who set it: whoever sent it, applied it or chose it.
    pub updated_by: Editor,
    /// What others counted too, not knowing of this one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherCount>,
}

/// A session on the wire: the whole day is none.
pub fn named(session: Session) -> Option<Session> {
    (session != Session::Whole).then_some(session)
}

impl CountEntry {
    /// A value, and what others counted too.
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
            sent_by: value.sent_by.unwrap_or_else(|| value.updated_by.clone()).0,
            counted_by: value.counted_by.0,
            updated_at: value.updated_at,
            updated_by: value.updated_by.0,
            others: others.into_iter().map(OtherCount::from).collect(),
        }
    }
}

/// What somebody else counted and what does not stand.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OtherCount {
    /// How many; null where they emptied it.
    pub qty: Option<Qty>,
    pub at: Timestamp,
    pub by: String,
    /// On which device.
    pub device_id: String,
    /// The save; to let it stand, choose it.
    pub op: String,
}

impl From<book::Other> for OtherCount {
    fn from(other: book::Other) -> Self {
        let book::Other { qty, at, by, device_id, op } = other;
        Self { qty, at, by, device_id, op }
    }
}

/// Which day.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct DayQuery {
    #[param(required)]
    pub store_id: Option<String>,
    /// The day, `YYYY-MM-DD`.
    #[param(required, format = Date)]
    pub date: Option<String>,
}

/// The counts of a day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountEntries {
    /// What stands.
    pub entries: Vec<CountEntry>,
    /// Grows with whatever happens to the day.
    pub revision_of_day: i64,
}

/// Which of several counts shall stand.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ChooseCount {
    /// The save.
    pub op: String,
    /// The revision of what stands and was seen.
    pub revision: i64,
}

/// What stands now.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChosenCount {
    /// The count's id.
    pub id: String,
    /// What stands.
    pub current: Option<CurrentCount>,
}

/// Which days.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct RangeQuery {
    pub store_id: Option<String>,
    /// The first day, `YYYY-MM-DD`.
    #[param(format = Date)]
    pub start: Option<String>,
    /// The last day.
    #[param(format = Date)]
    pub end: Option<String>,
    /// Instead of both, one day.
    #[param(format = Date)]
    pub date: Option<String>,
}

/// The counts of some days.
#[derive(Debug, Serialize, ToSchema)]
pub struct CountRange {
    /// What stands, by day.
    pub entries: Vec<CountEntry>,
}

/// What the days come to.
#[derive(Debug, Serialize, ToSchema)]
pub struct CountSummaries {
    /// Every day that was asked for.
    pub days: Vec<CountDay>,
}

/// What a day's count comes to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountDay {
    pub date: BusinessDay,
    /// There is an opening count: entries that are not of the closing one.
    pub opening: bool,
    /// There is a closing count.
    pub closing: bool,
    /// How many items were counted in either.
    pub counted: i64,
    /// How many in the opening count.
    pub opening_counted: i64,
    /// How many in the closing count.
    pub closing_counted: i64,
    /// How many items there are to count now.
    pub of: i64,
    /// When the first was counted.
    pub first_at: Option<Timestamp>,
    /// When the last was.
    pub last_at: Option<Timestamp>,
    /// Who counted.
    pub by: Vec<String>,
    /// How many came after the window.
    pub late: i64,
}

/// Which count.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct CountQuery {
    #[param(required)]
    pub store_id: Option<String>,
    /// The day, `YYYY-MM-DD`.
    #[param(required, format = Date)]
    pub date: Option<String>,
    /// `opening` or `closing`; neither for a day that is not parted.
    pub session: Option<String>,
    pub item_id: Option<String>,
}

/// Everything that happened to a count.
#[derive(Debug, Serialize, ToSchema)]
pub struct CountHistory {
    /// In the order in which it came.
    pub events: Vec<CountEvent>,
}

/// A save that came.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountEvent {
    /// Its name.
    pub op: String,
    /// How many; null where the count was emptied.
    pub qty: Option<Qty>,
    /// What was said about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub photo: Option<String>,
    /// When it was made.
    pub at: Timestamp,
    /// What its device's clock said then.
    pub device_at: Timestamp,
    /// When it came.
    pub received_at: Timestamp,
    /// On which device it was made.
    pub device_id: String,
    /// It was made inside its window and came after it.
    pub late: bool,
    pub counted_by: Editor,
    pub sent_by: Editor,
    /// What became of it.
    pub outcome: Outcome,
    /// It is what stands.
    pub stands: bool,
    /// Why it was held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_for: Option<HeldFor>,
    /// The same in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When somebody decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<Editor>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision_note: Option<String>,
}

impl CountEvent {
    /// Of the book's.
    pub fn of(event: book::Event, stands: bool) -> Self {
        Self {
            outcome: event.outcome(),
            held_for: event.held_for(),
            op: event.op,
            qty: event.content.qty,
            note: event.content.note,
            photo: event.content.photo,
            at: event.stands_at,
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
