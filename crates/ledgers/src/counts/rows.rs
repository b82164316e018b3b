//! The rows of the count book.

use larder_db::Json;
use larder_domain::count::{HeldFor, Key, Outcome, Session, Standing};
use larder_domain::{BusinessDay, Qty, Timestamp};
use serde_json::json;

use larder_platform::audit::Editor;

/// What a save says of a count.
#[derive(Debug, Clone, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct Content {
    /// How many; nothing empties the count.
    pub qty: Option<Qty>,
    /// What was said about it.
    pub note: Option<String>,
    pub photo: Option<String>,
}

/// A value that stands. Without a quantity it was emptied.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Value {
    pub store_id: String,
    /// The day it belongs to.
    pub date: BusinessDay,
    /// `opening`, `closing` or empty.
    pub session: String,
    pub item_id: String,
    #[sqlx(flatten)]
    pub content: Content,
    /// How often it was set.
    pub revision: i64,
    /// The save that set it.
    pub op: String,
    /// When that was made.
    pub stands_at: Timestamp,
    /// On which device.
    pub device_id: String,
    /// Its number there.
    pub device_seq: i64,
    /// It came after its window.
    pub late: bool,
    pub counted_by: Json<Editor>,
    /// When it was set.
    pub updated_at: Timestamp,
    /// Who set it: whoever sent it, applied it or chose it.
    pub updated_by: Json<Editor>,
    /// Who sent the save that set it.
    pub sent_by: Option<Json<Editor>>,
}

/// The columns of [`Value`], of a table called `v`.
pub(super) const VALUE: &str = "v.store_id, v.date, v.session, v.item_id, v.qty, v.note, v.photo, v.revision, v.op, \
     v.stands_at, v.device_id, v.device_seq, v.late, v.counted_by, v.updated_at, v.updated_by, \
     (select s.sent_by from store_count_events s where s.op = v.op) as sent_by";

impl Value {
    /// What it is a count of.
    #[must_use]
    pub fn key(&self) -> Key {
        key(&self.store_id, self.date, &self.session, &self.item_id)
    }

    /// Who sent the save that set it.
    pub(super) fn sender(&self) -> &Editor {
        self.sent_by.as_ref().unwrap_or(&self.updated_by)
    }

    /// Who counted, and who said so where that was somebody else.
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

    /// As the history shows it.
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

/// A device together with whoever sends from it. Devices name themselves, and everybody who reads counts reads their
/// names; who sends is known from the session. So nobody's numbers supersede another person's saves.
pub(super) fn device_of_sender(device_id: &str, sender: &str) -> String {
    format!("{device_id}~{sender}")
}

/// Who counted and, where that was somebody else, who sent it and said so. What somebody chose was sent by nobody.
pub(super) fn told_by(op: &str, counted_by: &Editor, sent_by: &Editor) -> String {
    if counted_by.uid == sent_by.uid || op.starts_with(CHOSEN) {
        counted_by.name.clone()
    } else {
        format!("{}, sent by {}", counted_by.name, sent_by.name)
    }
}

/// How the saves begin that somebody made here, choosing among those of devices.
pub(super) const CHOSEN: &str = "server:";

/// A save that arrived.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Event {
    /// Its number here; later arrivals have larger ones.
    pub seq: i64,
    /// Its name.
    pub op: String,
    pub store_id: String,
    /// The day it belongs to.
    pub date: BusinessDay,
    /// `opening`, `closing` or empty.
    pub session: String,
    pub item_id: String,
    #[sqlx(flatten)]
    pub content: Content,
    /// What the device's clock said.
    pub at: Timestamp,
    /// When it came.
    pub received_at: Timestamp,
    /// What `at` comes to by our clock.
    pub stands_at: Timestamp,
    pub device_id: String,
    /// Its number there.
    pub device_seq: i64,
    /// The revision that its author saw.
    pub base: Option<i64>,
    /// It came after its window.
    pub late: bool,
    pub counted_by: Json<Editor>,
    pub sent_by: Json<Editor>,
    /// What became of it.
    pub outcome: String,
    /// Its author saw what stood until then.
    pub knowing: bool,
    /// Why it was held.
    pub held_for: Option<String>,
    /// The same in words.
    pub held_reason: Option<String>,
    /// When somebody decided.
    pub decided_at: Option<Timestamp>,
    pub decided_by: Option<Json<Editor>>,
    /// Why.
    pub decision_note: Option<String>,
}

/// The columns of [`Event`], of a table called `e`.
pub(super) const EVENT: &str = "e.seq, e.op, e.store_id, e.date, e.session, e.item_id, e.qty, e.note, e.photo, e.at, \
     e.received_at, e.stands_at, e.device_id, e.device_seq, e.base, e.late, e.counted_by, e.sent_by, e.outcome, \
     e.knowing, e.held_for, e.held_reason, e.decided_at, e.decided_by, e.decision_note";

impl Event {
    /// What it counts.
    #[must_use]
    pub fn key(&self) -> Key {
        key(&self.store_id, self.date, &self.session, &self.item_id)
    }

    /// What became of it.
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

/// Whoever writes, as they stand beside what they wrote.
pub(super) fn editor(actor: &larder_db::Actor) -> Json<Editor> {
    Json(Editor::from(actor))
}
