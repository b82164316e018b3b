//! Reading the audit trail: who changed what and when, field by field. Only the database layer writes it,
//! with every change ([`larder_db::Tx::record`]).

mod queries;

use larder_db::Actor;
use larder_domain::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

pub use queries::{Filter, Row, Within, count_of, everything, latest, newest, of_record, since};

/// The author of a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Editor {
    pub uid: String,
    pub name: String,
    pub email: String,
}

impl From<&Actor> for Editor {
    fn from(actor: &Actor) -> Self {
        Self { uid: actor.uid.clone(), name: actor.name.clone(), email: actor.email.clone() }
    }
}

/// The old and new value of a field.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct FieldChange {
    pub field: String,
    #[schema(value_type = Value)]
    pub before: Value,
    #[schema(value_type = Value)]
    pub after: Value,
}

/// One change of a record.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct HistoryEntry {
    pub seq: i64,
    pub at: Timestamp,
    /// The author.
    pub by: Editor,
    /// Its origin: an IP address, `job` or `cli`.
    pub origin: String,
    /// `created`, `updated` or `deleted`.
    pub action: String,
    pub changes: Vec<FieldChange>,
}

/// A page of a record's history.
#[derive(Debug, Serialize, ToSchema)]
pub struct HistoryPage {
    /// Newest first.
    pub items: Vec<HistoryEntry>,
    /// Number of changes in all.
    pub total: i64,
}

/// Field changes of an audit row.
#[must_use]
pub fn field_changes(changes: &Value) -> Vec<FieldChange> {
    let change = |(field, pair): (&String, &Value)| FieldChange {
        field: field.clone(),
        before: pair.get(0).cloned().unwrap_or_default(),
        after: pair.get(1).cloned().unwrap_or_default(),
    };
    changes.as_object().into_iter().flatten().map(change).collect()
}

impl From<Row> for HistoryEntry {
    fn from(row: Row) -> Self {
        Self {
            seq: row.seq,
            at: row.at,
            by: Editor { uid: row.uid, name: row.name, email: row.email },
            origin: row.origin,
            action: row.action,
            changes: field_changes(&row.changes.0),
        }
    }
}

/// A record as it was before these changes, given newest first.
#[must_use]
pub fn rewound(mut record: Map<String, Value>, undone: &[Row]) -> Map<String, Value> {
    for row in undone {
        for change in field_changes(&row.changes.0) {
            if change.before.is_null() {
                record.remove(&change.field);
            } else {
                record.insert(change.field, change.before);
            }
        }
    }
    record
}

#[cfg(test)]
mod tests {
    use larder_db::Json;
    use serde_json::json;

    use super::*;

    fn row(seq: i64, changes: Value) -> Row {
        Row {
            seq,
            at: Timestamp(0),
            uid: String::new(),
            name: String::new(),
            email: String::new(),
            origin: String::new(),
            kind: "uom".to_owned(),
            record_id: "a".to_owned(),
            store_id: None,
            action: "updated".to_owned(),
            changes: Json(changes),
        }
    }

    #[test]
    fn changes_are_undone_newest_first() {
        let now = json!({ "name": "Three", "code": "C" });
        let undone = [
            row(3, json!({ "name": ["Two", "Three"] })),
            row(2, json!({ "name": ["One", "Two"], "code": [null, "C"], "note": ["x", null] })),
        ];
        let then = rewound(now.as_object().expect("a record").clone(), &undone);
        assert_eq!(Value::Object(then), json!({ "name": "One", "note": "x" }));
    }
}
