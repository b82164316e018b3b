//! Batches sent by devices, and their results.

use larder_domain::count::{HeldFor, Hold, Outcome};
use larder_domain::{BusinessDay, Qty, Timestamp};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use larder_ledgers::counts as book;
use larder_platform::http::FieldError;

/// Parses a device's timestamp: RFC 3339, or milliseconds.
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

/// Distinguishes an explicit null from an omitted field.
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// A batch sent by a device.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountBatch {
    /// The device's current time: RFC 3339, or milliseconds.
    #[schema(value_type = String)]
    pub sent_at: Option<Value>,
    /// Device id: up to 64 letters, digits, `-` and `_`.
    #[schema(required)]
    pub device_id: Option<String>,
    /// The person who counted, if not the sender.
    pub counted_by: Option<CountedBy>,
    /// The saves: 1 to 500.
    #[schema(value_type = Vec<CountSave>)]
    pub entries: Option<Vec<Value>>,
}

/// The person who counted.
#[derive(Debug, Deserialize, ToSchema)]
pub struct CountedBy {
    /// Account id.
    pub uid: String,
}

/// A save as made on its device.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CountSave {
    /// Its id: `deviceId:seq`. Applied once, however often it is sent.
    #[schema(value_type = String, required)]
    pub op: Option<Value>,
    #[schema(value_type = String, required)]
    pub store_id: Option<Value>,
    /// Business day.
    #[schema(value_type = BusinessDay, required)]
    pub date: Option<Value>,
    /// `opening` or `closing`; set by the store's settings if omitted.
    #[schema(value_type = Option<String>)]
    pub session: Option<Value>,
    #[schema(value_type = String, required)]
    pub item_id: Option<Value>,
    /// The item id, as sent by older devices.
    #[schema(value_type = Option<String>)]
    pub root_product_id: Option<Value>,
    /// Quantity: 0 if omitted or not a number. Null or an empty string clears the count.
    #[serde(deserialize_with = "given")]
    #[schema(value_type = Option<Qty>)]
    pub qty: Option<Value>,
    /// The device's time when it was made: RFC 3339, or milliseconds.
    #[schema(value_type = String, required)]
    pub at: Option<Value>,
    /// Sequence number on the device, as in `op`.
    #[schema(value_type = i64)]
    pub seq: Option<Value>,
    /// The revision its author saw.
    #[schema(value_type = Option<i64>)]
    pub base: Option<Value>,
    /// The device's previous save of this count.
    #[schema(value_type = Option<String>)]
    pub prev: Option<Value>,
    /// Whether the item was counted again (true), or only the number was wrong (false). By default the same number
    /// confirms the one of `prev`, and another one corrects it for ten minutes.
    #[schema(value_type = Option<bool>)]
    pub recount: Option<Value>,
    /// Note, up to 500 characters.
    #[schema(value_type = Option<String>)]
    pub note: Option<Value>,
    /// Id of the uploaded photo.
    #[schema(value_type = Option<String>)]
    pub photo: Option<Value>,
}

/// Result of a save.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SaveOutcome {
    /// It is current.
    Applied,
    /// Another count is current; this one is in the history.
    Superseded,
    /// Received before.
    Duplicate,
    /// Held for a decision; the device need not keep it.
    Held,
    /// Invalid; not stored.
    Rejected,
}

/// The result of a save.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SaveAnswer {
    /// Its id, as sent.
    pub op: String,
    /// Result.
    pub outcome: SaveOutcome,
    /// The original result of a duplicate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<Outcome>,
    /// Why it is held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_for: Option<HeldFor>,
    /// Why it is held or rejected, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Field errors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldError>,
    /// What was sent as its quantity and counts as 0 without being a zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
    /// It was made within its window but received after it.
    pub late: bool,
    /// Revision of the current count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<i64>,
    /// Current count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<CurrentCount>,
}

impl SaveAnswer {
    /// The result of an invalid save.
    pub fn rejected(op: String, fields: Vec<FieldError>) -> Self {
        Self {
            op,
            outcome: SaveOutcome::Rejected,
            was: None,
            held_for: None,
            reason: fields.first().map(|field| field.message.clone()),
            fields,
            warning: None,
            late: false,
            revision: None,
            current: None,
        }
    }

    /// With a warning about its quantity, unless it is invalid.
    #[must_use]
    pub fn warned(self, warning: Option<&str>) -> Self {
        let warning = warning.filter(|_| self.outcome != SaveOutcome::Rejected).map(str::to_owned);
        Self { warning, ..self }
    }

    /// From the ledger's result.
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
            warning: None,
            late: answer.late,
            revision: answer.current.as_ref().map(|current| current.revision),
            current: answer.current.map(CurrentCount::from),
        }
    }
}

/// The current count.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CurrentCount {
    /// Quantity; null if cleared.
    pub qty: Option<Qty>,
    /// When it was counted.
    pub at: Timestamp,
    pub by: String,
    /// Device id.
    pub device_id: String,
    /// Number of changes.
    pub revision: i64,
}

impl From<book::Current> for CurrentCount {
    fn from(current: book::Current) -> Self {
        let book::Current { qty, at, by, device_id, revision } = current;
        Self { qty, at, by, device_id, revision }
    }
}

/// The results of a batch.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BatchAnswer {
    /// One per save, in order.
    pub results: Vec<SaveAnswer>,
    pub server_time: Timestamp,
}
