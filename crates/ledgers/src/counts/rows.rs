//! The rows of the count ledger.

use larder_db::Json;
use larder_domain::count::{HeldFor, Key, Outcome, Session, Standing};
use larder_domain::{BusinessDay, Qty, Timestamp};
use serde_json::json;

use larder_platform::audit::Editor;

/// Content of a save.
#[derive(Debug, Clone, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct Content {
    /// Quantity; `None` clears the count.
    pub qty: Option<Qty>,
    pub note: Option<String>,
    pub photo: Option<String>,
}

/// A current value. Without a quantity it was cleared.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Value {
    pub store_id: String,
    pub date: BusinessDay,
    pub session: String,
    pub item_id: String,
    #[sqlx(flatten)]
    pub content: Content,
    /// Number of changes.
    pub revision: i64,
    /// The save that set it.
    pub op: String,
    /// When that was made.
    pub stands_at: Timestamp,
    /// When the number was counted, whatever was saved since.
    pub counted_at: Timestamp,
    /// Whether that time was assumed.
    pub counted_assumed: bool,
    /// When it was last counted anew, by the server's clock.
    pub recounted_at: Option<Timestamp>,
    /// Device it was counted on.
    pub device_id: String,
    /// Number of that save on its device.
    pub device_seq: i64,
    /// Made inside its window and arrived after it.
    pub late: bool,
    pub counted_by: Json<Editor>,
    /// When it was set.
    pub updated_at: Timestamp,
    /// Who set it: sender, applier or chooser.
    pub updated_by: Json<Editor>,
    /// Sender of the save that set it.
    pub sent_by: Option<Json<Editor>>,
}

/// The columns of [`Value`] from a table `v`.
pub(super) const VALUE: &str = "v.store_id, v.date, v.session, v.item_id, v.qty, v.note, v.photo, v.revision, v.op, \
     v.stands_at, v.counted_at, v.counted_assumed, v.recounted_at, v.device_id, v.device_seq, v.late, v.counted_by, v.updated_at, v.updated_by, \
     (select s.sent_by from store_count_events s where s.op = v.op) as sent_by";

impl Value {
    /// The key of the count.
    #[must_use]
    pub fn key(&self) -> Key {
        key(&self.store_id, self.date, &self.session, &self.item_id)
    }

    /// Sender of the save that set it.
    pub(super) fn sender(&self) -> &Editor {
        self.sent_by.as_ref().unwrap_or(&self.updated_by)
    }

    /// Author, and the sender if different.
    pub(super) fn told_by(&self) -> String {
        told_by(&self.op, &self.counted_by, self.sender())
    }

    pub(super) fn standing(&self) -> Standing {
        Standing {
            revision: self.revision,
            stands_at: self.stands_at,
            device_id: device_of_sender(&self.device_id, &self.sender().uid),
            device_seq: self.device_seq,
        }
    }

    /// Its fields in the history.
    pub(super) fn audited(&self) -> serde_json::Value {
        json!({
            "date": self.date,
            "session": self.session,
            "itemId": self.item_id,
            "qty": self.content.qty,
            "note": self.content.note,
            "photo": self.content.photo,
            "late": self.late,
            "countedBy": self.counted_by.name,
        })
    }
}

/// A device together with its sender. Devices name themselves and their names are visible to every reader,
/// while the sender is known from the session; so no one can supersede another's saves.
pub(super) fn device_of_sender(device_id: &str, sender: &str) -> String {
    format!("{device_id}~{sender}")
}

/// Author, and the sender if different. Values chosen in a review have no sender.
pub(super) fn told_by(op: &str, counted_by: &Editor, sent_by: &Editor) -> String {
    if counted_by.uid == sent_by.uid || op.starts_with(CHOSEN) {
        counted_by.name.clone()
    } else {
        format!("{}, sent by {}", counted_by.name, sent_by.name)
    }
}

/// Id prefix of saves made by the server when a value is chosen.
pub(super) const CHOSEN: &str = "server:";

/// A save in the log.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Event {
    /// Server-side number, increasing with arrival.
    pub seq: i64,
    /// Its id.
    pub op: String,
    pub store_id: String,
    pub date: BusinessDay,
    pub session: String,
    pub item_id: String,
    #[sqlx(flatten)]
    pub content: Content,
    /// Time on the device's clock.
    pub at: Timestamp,
    /// Arrival time.
    pub received_at: Timestamp,
    /// `at` corrected to server time.
    pub stands_at: Timestamp,
    /// When the number was counted: earlier if this save confirms or corrects another one.
    pub counted_at: Timestamp,
    pub device_id: String,
    /// Its number on the device.
    pub device_seq: i64,
    /// The revision its author saw.
    pub base: Option<i64>,
    /// Made inside its window and arrived after it.
    pub late: bool,
    pub counted_by: Json<Editor>,
    pub sent_by: Json<Editor>,
    pub outcome: String,
    /// Its author had seen the current value.
    pub knowing: bool,
    /// Why it was held.
    pub held_for: Option<String>,
    /// The same as a message.
    pub held_reason: Option<String>,
    /// When it was decided.
    pub decided_at: Option<Timestamp>,
    pub decided_by: Option<Json<Editor>>,
    /// Note of the decision.
    pub decision_note: Option<String>,
}

/// The columns of [`Event`] from a table `e`.
pub(super) const EVENT: &str = "e.seq, e.op, e.store_id, e.date, e.session, e.item_id, e.qty, e.note, e.photo, e.at, \
     e.received_at, e.stands_at, e.counted_at, e.device_id, e.device_seq, e.base, e.late, e.counted_by, e.sent_by, e.outcome, \
     e.knowing, e.held_for, e.held_reason, e.decided_at, e.decided_by, e.decision_note";

impl Event {
    /// The key of the count.
    #[must_use]
    pub fn key(&self) -> Key {
        key(&self.store_id, self.date, &self.session, &self.item_id)
    }

    /// The outcome of the save.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        Outcome::parse(&self.outcome).unwrap_or(Outcome::Superseded)
    }

    /// Why it was held.
    #[must_use]
    pub fn held_for(&self) -> Option<HeldFor> {
        self.held_for.as_deref().and_then(HeldFor::parse)
    }
}

fn key(store_id: &str, date: BusinessDay, session: &str, item_id: &str) -> Key {
    let session = Session::parse(session).unwrap_or_default();
    Key { store_id: store_id.to_owned(), date, session, item_id: item_id.to_owned() }
}

/// The columns of a [`Key`] in a bound table of rows.
pub(super) const KEY: &[&str] = &["store_id", "date", "session", "item_id"];

/// A [`Key`] as a row of such a table.
pub(super) fn key_row(key: &Key) -> (&str, BusinessDay, &'static str, &str) {
    (&key.store_id, key.date, key.session.as_str(), &key.item_id)
}

/// The current user, as stored with a change.
pub(super) fn editor(actor: &larder_db::Actor) -> Json<Editor> {
    Json(Editor::from(actor))
}
