//! What devices send, and what they are answered.

use larder_domain::count::{HeldFor, Hold, Outcome};
use larder_domain::{BusinessDay, Qty, Timestamp};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use larder_ledgers::counts as book;
use larder_platform::http::FieldError;

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
    #[schema(value_type = String, required)]
    pub store_id: Option<Value>,
    /// The day it belongs to.
    #[schema(value_type = BusinessDay, required)]
    pub date: Option<Value>,
    /// `opening` or `closing`; without it the store's settings say.
    #[schema(value_type = Option<String>)]
    pub session: Option<Value>,
    #[schema(value_type = String, required)]
    pub item_id: Option<Value>,
    /// What older devices call the item.
    #[schema(value_type = Option<String>)]
    pub root_product_id: Option<Value>,
    /// How many: 0 where it is left out, and for what is no number. Null or an empty text empties the count.
    #[serde(deserialize_with = "given")]
    #[schema(value_type = Option<Qty>)]
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
