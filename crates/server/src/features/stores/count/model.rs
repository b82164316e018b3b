//! Wire shapes of counts.

use larder_domain::count::{HeldFor, Hold, Outcome, Session};
use larder_domain::{BusinessDay, Factor, Qty, Timestamp};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::audit::Editor;
use crate::books::counts as book;
use crate::http::FieldError;

/// A moment as a device tells it: RFC 3339, or milliseconds.
pub fn moment(value: &Value) -> Option<Timestamp> {
    const FURTHEST: i64 = 8_640_000_000_000_000;
    let at = match value {
        Value::String(text) => Timestamp::parse(text)?,
        Value::Number(number) => {
            let ms = number.as_i64().or_else(|| number.as_f64().map(|ms| ms.round() as i64));
            Timestamp(ms?)
        }
        _ => return None,
    };
    (-FURTHEST..=FURTHEST).contains(&at.0).then_some(at)
}

/// Null that was sent, told apart from nothing at all.
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// What a device sends at once.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountBatch {
    /// What the device's clock says now: RFC 3339, or milliseconds.
    #[schema(value_type = String)]
    pub sent_at: Option<Value>,
    /// The device: up to 64 of letters, digits, `-` and `_`.
    #[schema(required)]
    pub device_id: Option<String>,
    /// Who counted, where that is somebody else than who sends.
    pub counted_by: Option<CountedBy>,
    /// The saves: 1 to 500.
    #[schema(value_type = Vec<CountSave>)]
    pub entries: Option<Vec<Value>>,
}

/// Who counted.
#[derive(Debug, Deserialize, ToSchema)]
pub struct CountedBy {
    /// Their account's id.
    pub uid: String,
}

/// A save, as its device made it.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CountSave {
    /// Its name: `deviceId:seq`. It is taken once, however often it is sent.
    #[schema(value_type = String, required)]
    pub op: Option<Value>,
    /// The store.
    #[schema(value_type = String, required)]
    pub store_id: Option<Value>,
    /// The day it belongs to.
    #[schema(value_type = BusinessDay, required)]
    pub date: Option<Value>,
    /// `opening` or `closing`; without it the store's settings say.
    #[schema(value_type = Option<String>)]
    pub session: Option<Value>,
    /// The item.
    #[schema(value_type = String, required)]
    pub item_id: Option<Value>,
    /// What older devices call the item.
    #[schema(value_type = Option<String>)]
    pub root_product_id: Option<Value>,
    /// How many. Null or an empty text empties the count; what is no number counts as zero.
    #[serde(deserialize_with = "given")]
    #[schema(value_type = Option<Qty>, required)]
    pub qty: Option<Value>,
    /// What the device's clock said when it was made: RFC 3339, or milliseconds.
    #[schema(value_type = String, required)]
    pub at: Option<Value>,
    /// Its number on the device, as in `op`.
    #[schema(value_type = i64)]
    pub seq: Option<Value>,
    /// The revision that its author saw.
    #[schema(value_type = Option<i64>)]
    pub base: Option<Value>,
    /// The device's save of this count before it.
    #[schema(value_type = Option<String>)]
    pub prev: Option<Value>,
    /// What to say about it, up to 500 characters.
    #[schema(value_type = Option<String>)]
    pub note: Option<Value>,
    /// Its photo, as the upload named it.
    #[schema(value_type = Option<String>)]
    pub photo: Option<Value>,
}

/// What became of a save that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SaveOutcome {
    /// It stands.
    Applied,
    /// Another one stands; it is in the history.
    Superseded,
    /// It came before.
    Duplicate,
    /// Somebody has to decide; the device need not keep it.
    Held,
    /// Something is wrong with it; it was not kept.
    Rejected,
}

/// The answer to a save.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SaveAnswer {
    /// Its name, as it was sent.
    pub op: String,
    /// What became of it.
    pub outcome: SaveOutcome,
    /// What became of a duplicate when it came first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<Outcome>,
    /// Why it is held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_for: Option<HeldFor>,
    /// Why it is held or rejected, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What is wrong with it, field by field.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldError>,
    /// It was made inside its window and came after it.
    pub late: bool,
    /// The revision of what stands now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<i64>,
    /// What stands now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<CurrentCount>,
}

impl SaveAnswer {
    /// A save that cannot be read.
    pub fn rejected(op: String, fields: Vec<FieldError>) -> Self {
        Self {
            op,
            outcome: SaveOutcome::Rejected,
            was: None,
            held_for: None,
            reason: fields.first().map(|field| field.message.clone()),
            fields,
            late: false,
            revision: None,
            current: None,
        }
    }

    /// What the book said of a save.
    pub fn of(op: String, answer: book::Answer) -> Self {
        let (outcome, was, hold): (_, _, Option<Hold>) = match answer.verdict {
            book::Verdict::Applied => (SaveOutcome::Applied, None, None),
            book::Verdict::Superseded => (SaveOutcome::Superseded, None, None),
            book::Verdict::Held(hold) => (SaveOutcome::Held, None, Some(hold)),
            book::Verdict::Duplicate(was, hold) => (SaveOutcome::Duplicate, Some(was), hold),
            book::Verdict::Rejected(field, message) => {
                return Self::rejected(op, vec![FieldError::new(field, message)]);
            }
        };
        Self {
            op,
            outcome,
            was,
            held_for: hold.as_ref().map(|hold| hold.reason),
            reason: hold.map(|hold| hold.words),
            fields: Vec::new(),
            late: answer.late,
            revision: answer.current.as_ref().map(|current| current.revision),
            current: answer.current.map(CurrentCount::from),
        }
    }
}

/// What stands.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CurrentCount {
    /// How many; null where it was emptied.
    pub qty: Option<Qty>,
    /// When that was counted.
    pub at: Timestamp,
    /// By whom.
    pub by: String,
    /// On which device.
    pub device_id: String,
    /// How often it was set.
    pub revision: i64,
}

impl From<book::Current> for CurrentCount {
    fn from(current: book::Current) -> Self {
        let book::Current { qty, at, by, device_id, revision } = current;
        Self { qty, at, by, device_id, revision }
    }
}

/// The answers to a batch.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BatchAnswer {
    /// One for each save, in their order.
    pub results: Vec<SaveAnswer>,
    /// The server's time.
    pub server_time: Timestamp,
}

/// A count that stands.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountEntry {
    /// `storeId_date_itemId`, or `storeId_date_session_itemId`.
    pub id: String,
    /// The store.
    pub store_id: String,
    /// The day it belongs to.
    pub date: BusinessDay,
    /// The item.
    pub item_id: String,
    /// How many.
    pub qty: Option<Qty>,
    /// Which count of the day; absent for a day that is not parted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<Session>,
    /// What was said about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Its photo.
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
    /// Who counted.
    pub counted_by: Editor,
    /// When it was set.
    pub updated_at: Timestamp,
    /// Who sent it.
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
            qty: value.qty,
            note: value.note,
            photo: value.photo,
            late: value.late,
            revision: value.revision,
            op: value.op,
            device_id: value.device_id,
            at: value.stands_at,
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
    /// When.
    pub at: Timestamp,
    /// Who.
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
    /// The store.
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
    /// The store.
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
    /// The day.
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
    /// The store.
    #[param(required)]
    pub store_id: Option<String>,
    /// The day, `YYYY-MM-DD`.
    #[param(required, format = Date)]
    pub date: Option<String>,
    /// `opening` or `closing`; neither for a day that is not parted.
    pub session: Option<String>,
    /// The item.
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
    /// Its photo.
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
    /// Who counted.
    pub counted_by: Editor,
    /// Who sent it.
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
    /// Who.
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
            qty: event.qty,
            note: event.note,
            photo: event.photo,
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

/// How a store counts.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountSettings {
    /// The store.
    pub store_id: String,
    /// Only today and yesterday.
    pub restrict_date: bool,
    /// A session is locked when its window is over.
    pub time_lock_enabled: bool,
    /// Counts are taken inside the windows only.
    pub enforce_time_window: bool,
    /// The session comes from the time: opening before 14:00, else closing.
    pub auto_session_by_time: bool,
    /// One person counts a session at a time.
    pub user_lock_enabled: bool,
    /// Who counts does not see what is expected.
    pub blind: bool,
    /// When the opening count begins, in minutes from midnight.
    pub opening_from: i64,
    /// When it ends.
    pub opening_to: i64,
    /// When the closing count begins.
    pub closing_from: i64,
    /// When it ends; past 1,440 on the next day.
    pub closing_to: i64,
    /// How many times more or less than before makes the screen ask.
    pub outlier_factor: Factor,
    /// How often they were changed; 0 while they are the house's.
    pub revision: i64,
    /// When they were changed last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<Timestamp>,
    /// By whom.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_by: Option<Editor>,
}

impl CountSettings {
    /// Of a store.
    pub fn of(store_id: &str, stored: book::Stored) -> Self {
        let book::Stored { settings, revision, updated } = stored;
        let (updated_at, updated_by) = updated.unzip();
        Self {
            store_id: store_id.to_owned(),
            restrict_date: settings.restrict_date,
            time_lock_enabled: settings.time_lock_enabled,
            enforce_time_window: settings.enforce_time_window,
            auto_session_by_time: settings.auto_session_by_time,
            user_lock_enabled: settings.user_lock_enabled,
            blind: settings.blind,
            opening_from: settings.opening.from,
            opening_to: settings.opening.to,
            closing_from: settings.closing.from,
            closing_to: settings.closing.to,
            outlier_factor: settings.outlier_factor,
            revision,
            updated_at,
            updated_by,
        }
    }
}

/// What to change; what is left out stays.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CountSettingsChange {
    /// Only today and yesterday.
    pub restrict_date: Option<bool>,
    /// A session is locked when its window is over.
    pub time_lock_enabled: Option<bool>,
    /// Counts are taken inside the windows only.
    pub enforce_time_window: Option<bool>,
    /// The session comes from the time.
    pub auto_session_by_time: Option<bool>,
    /// One person counts a session at a time.
    pub user_lock_enabled: Option<bool>,
    /// Who counts does not see what is expected.
    pub blind: Option<bool>,
    /// When the opening count begins, in minutes from midnight.
    pub opening_from: Option<i64>,
    /// When it ends.
    pub opening_to: Option<i64>,
    /// When the closing count begins.
    pub closing_from: Option<i64>,
    /// When it ends; past 1,440 on the next day.
    pub closing_to: Option<i64>,
    /// How many times more or less than before makes the screen ask.
    pub outlier_factor: Option<Factor>,
    /// The revision the change starts from; without it the latest is meant.
    pub revision: Option<i64>,
}

/// The same change for several stores.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkCountSettings {
    /// The stores: 1 to 1,000.
    #[serde(default)]
    pub store_ids: Vec<String>,
    /// What to change; a revision in it is left out of account.
    #[serde(default)]
    pub change: CountSettingsChange,
}

/// How many stores were changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChangedStores {
    /// As many.
    pub stores: usize,
}

/// When a count is taken.
#[derive(Debug, Serialize, ToSchema)]
pub struct CountWindow {
    /// The first moment.
    pub from: Timestamp,
    /// The moment after the last.
    pub to: Timestamp,
}

/// Somebody is counting.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountLease {
    /// Who.
    pub uid: String,
    /// Their name.
    pub name: String,
    /// On which device.
    pub device_id: String,
    /// Until when they need not be asked.
    pub until: Timestamp,
}

impl From<book::Lease> for CountLease {
    fn from(lease: book::Lease) -> Self {
        let book::Lease { uid, name, device_id, until } = lease;
        Self { uid, name, device_id, until }
    }
}

/// A session that is done.
#[derive(Debug, Serialize, ToSchema)]
pub struct FinishedCount {
    /// When somebody said so.
    pub at: Timestamp,
    /// Who.
    pub by: Editor,
}

/// How a session stands.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountSessionState {
    /// Its window is over and nobody opened it again.
    pub locked: bool,
    /// Since when.
    pub locked_since: Option<Timestamp>,
    /// Who opened it again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlocked_by: Option<Editor>,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlocked_at: Option<Timestamp>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlock_reason: Option<String>,
    /// When it is counted.
    pub window: CountWindow,
    /// What is counted now would be taken.
    pub open: bool,
    /// Why it would not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed_because: Option<String>,
    /// Who is counting.
    pub lease: Option<CountLease>,
    /// It is done.
    pub finished: Option<FinishedCount>,
    /// The server's time.
    pub server_time: Timestamp,
}

/// A session.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SessionOfDay {
    /// The store.
    #[schema(required)]
    pub store_id: Option<String>,
    /// The day.
    #[schema(required, format = Date)]
    pub date: Option<String>,
    /// `opening` or `closing`; neither for a day that is not parted.
    pub session: Option<String>,
}

/// Somebody begins to count a session, or goes on.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct LeaseCount {
    /// Which session.
    #[serde(flatten)]
    pub place: SessionOfDay,
    /// On which device.
    #[schema(required)]
    pub device_id: Option<String>,
    /// Instead of whoever does now.
    pub take_over: bool,
}

/// A session that is over shall be opened again.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct UnlockCount {
    /// Which session.
    #[serde(flatten)]
    pub place: SessionOfDay,
    /// Why, up to 500 characters.
    #[schema(required)]
    pub reason: Option<String>,
}

/// Which held counts.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct HeldQuery {
    /// Only of this store.
    pub store_id: Option<String>,
    /// The page, from one.
    pub page: Option<i64>,
    /// Rows a page, up to 500.
    pub page_size: Option<i64>,
}

/// A page of held counts, the oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct HeldCounts {
    /// The counts.
    pub items: Vec<HeldCount>,
    /// How many there are without paging.
    pub total: i64,
}

/// A count that somebody has to decide about.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HeldCount {
    /// The store.
    pub store_id: String,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store_name: Option<String>,
    /// The day it belongs to.
    pub date: BusinessDay,
    /// Which count of the day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<Session>,
    /// The item.
    pub item_id: String,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_name: Option<String>,
    /// The unit it is counted in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uom_code: Option<String>,
    /// What is held.
    #[serde(flatten)]
    pub event: CountEvent,
    /// What stands.
    pub current: Option<CurrentCount>,
}

/// What shall be decided.
#[derive(Debug, Deserialize, ToSchema)]
pub struct DecideCounts {
    /// The saves: 1 to 500.
    #[serde(default)]
    pub ops: Vec<String>,
    /// Why, up to 500 characters.
    pub reason: Option<String>,
}

/// What was decided.
#[derive(Debug, Serialize, ToSchema)]
pub struct DecidedCounts {
    /// One for each save, in their order.
    pub results: Vec<DecidedCount>,
}

/// What became of a save.
#[derive(Debug, Serialize, ToSchema)]
pub struct DecidedCount {
    /// The save.
    pub op: String,
    /// What became of it; null where there is no such save.
    pub outcome: Option<Outcome>,
    /// What stands now.
    pub current: Option<CurrentCount>,
}

/// Which store.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct StoreQuery {
    /// The store.
    #[param(required)]
    pub store_id: Option<String>,
}

/// A photo that was taken in.
#[derive(Debug, Serialize, ToSchema)]
pub struct CountPhoto {
    /// What it is called in a save.
    pub photo: String,
}
