//! The append-only log of saves, whatever their outcome.

use larder_db::{DbError, Json, Tx};
use larder_domain::Timestamp;
use larder_domain::count::{HeldFor, Hold, Key, Outcome};

use super::rows::{Content, editor};
use larder_platform::audit::Editor;

/// A save to append. Arrival time and sender come from the transaction's actor.
pub(super) struct NewEvent<'a> {
    pub op: &'a str,
    pub key: &'a Key,
    pub content: &'a Content,
    /// Time on the device's clock.
    pub at: Timestamp,
    /// `at` corrected to server time.
    pub stands_at: Timestamp,
    /// When the number was counted.
    pub counted_at: Timestamp,
    /// Whether its author said that the item was counted again, or not.
    pub recounted: Option<bool>,
    pub device_id: &'a str,
    pub device_seq: i64,
    /// The revision its author saw.
    pub base: Option<i64>,
    /// The device's previous save.
    pub prev: Option<&'a str>,
    /// Made inside its window and arrived after it.
    pub late: bool,
    pub counted_by: &'a Editor,
    pub outcome: Outcome,
    /// Its author had seen the current value.
    pub knowing: bool,
    pub hold: Option<&'a Hold>,
}

/// Appends saves in order.
pub(super) async fn insert(
    tx: &mut Tx<'_>,
    new: impl IntoIterator<Item = NewEvent<'_>>,
) -> Result<(), DbError> {
    let rows: Vec<_> = new.into_iter().map(row).collect();
    if rows.is_empty() {
        return Ok(());
    }
    let (received_at, sent_by) = (tx.actor().at, editor(tx.actor()));
    tx.sql(
        "insert into store_count_events (op, store_id, date, session, item_id, qty, note, photo, at, stands_at, \
         counted_at, recounted, device_id, device_seq, base, prev, late, counted_by, outcome, knowing, held_for, \
         held_reason, received_at, sent_by) select r.*, ",
    )
    .push_bind(received_at)
    .push(", ")
    .push_bind(sent_by)
    .push(" from ")
    .push_rows(COLUMNS, rows)
    .push(" r")
    .execute()
    .await?;
    Ok(())
}

const COLUMNS: &[&str] = &[
    "op",
    "store_id",
    "date",
    "session",
    "item_id",
    "qty",
    "note",
    "photo",
    "at",
    "stands_at",
    "counted_at",
    "recounted",
    "device_id",
    "device_seq",
    "base",
    "prev",
    "late",
    "counted_by",
    "outcome",
    "knowing",
    "held_for",
    "held_reason",
];

fn row<'a>(new: NewEvent<'a>) -> impl larder_db::BulkRow + use<'a> {
    (
        new.op,
        new.key.store_id.as_str(),
        new.key.date,
        new.key.session.as_str(),
        new.key.item_id.as_str(),
        new.content.qty,
        new.content.note.as_deref(),
        new.content.photo.as_deref(),
        new.at,
        new.stands_at,
        new.counted_at,
        new.recounted,
        new.device_id,
        new.device_seq,
        new.base,
        new.prev,
        new.late,
        Json(new.counted_by),
        new.outcome.as_str(),
        new.knowing,
        new.hold.map(|hold| HeldFor::as_str(hold.reason)),
        new.hold.map(|hold| hold.words.as_str()),
    )
}
