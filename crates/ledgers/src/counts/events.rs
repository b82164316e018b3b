//! Saves as they are written down: once, for ever, whatever became of them.

use larder_db::{DbError, Json, Tx};
use larder_domain::Timestamp;
use larder_domain::count::{HeldFor, Hold, Key, Outcome};

use super::rows::{Content, editor};
use larder_platform::audit::Editor;

/// A save to be written down. When it came and who sent it is said by the transaction's actor.
pub(super) struct NewEvent<'a> {
    pub op: &'a str,
    pub key: &'a Key,
    pub content: &'a Content,
    /// What the device's clock said.
    pub at: Timestamp,
    /// What `at` comes to by our clock.
    pub stands_at: Timestamp,
    pub device_id: &'a str,
    pub device_seq: i64,
    /// The revision that its author saw.
    pub base: Option<i64>,
    /// The device's save before it.
    pub prev: Option<&'a str>,
    /// It came after its window.
    pub late: bool,
    pub counted_by: &'a Editor,
    pub outcome: Outcome,
    /// Its author saw what stood until then.
    pub knowing: bool,
    pub hold: Option<&'a Hold>,
}

/// Writes saves down, in their order.
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
         device_id, device_seq, base, prev, late, counted_by, outcome, knowing, held_for, held_reason, received_at, \
         sent_by) select r.*, ",
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
