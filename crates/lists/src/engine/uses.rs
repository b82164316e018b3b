//! References between records: why a record cannot be deleted.

use larder_db::{DbError, Tx, ViolationKind};
use serde::Serialize;
use serde_json::json;

use super::define::{Field, Kind, ListDef};
use larder_platform::http::error::ApiError;

/// A column that holds ids of a table.
#[derive(Debug, Clone, Copy)]
pub struct Use {
    pub of: &'static str,
    /// The referring entity type, in events and links.
    pub kind: &'static str,
    /// Noun for the referring records.
    pub label: &'static str,
    pub table: &'static str,
    pub column: &'static str,
    /// Condition on the rows that count, if not all do.
    pub only: Option<&'static str>,
    /// What is counted; rows by default, but a bill of materials counts once.
    pub counted: &'static str,
}

/// Fields of lists whose items refer to records of another: (list, field, member of an item).
pub fn items_of(def: &ListDef) -> Vec<(&'static ListDef, &'static Field, &'static str)> {
    let mut found = Vec::new();
    for other in def.catalogue().lists.iter().copied() {
        for field in other.fields {
            let Kind::Items(items) = field.kind else { continue };
            let members = items.refs.iter().filter(|(_, table)| *table == def.table);
            found.extend(members.map(|(member, _)| (other, field, *member)));
        }
    }
    found
}

/// The form of an id inside a JSON column.
pub fn quoted(id: &str) -> String {
    format!("%\"{id}\"%")
}

/// All possible references to records of a list.
pub fn of(def: &ListDef) -> Vec<Use> {
    let mut uses = Vec::new();
    for other in def.catalogue().lists.iter().copied() {
        let refs =
            other.fields.iter().filter(|field| matches!(field.kind, Kind::Ref) && field.to == def.table);
        uses.extend(refs.map(|field| Use {
            of: def.table,
            kind: other.kind,
            label: other.many,
            table: other.table,
            column: field.column,
            only: None,
            counted: "*",
        }));
    }
    uses.extend((def.catalogue().uses)().iter().copied().filter(|other| other.of == def.table));
    uses
}

#[derive(Serialize)]
struct Count {
    kind: &'static str,
    label: &'static str,
    count: i64,
}

/// Refuses to delete a record that something refers to.
pub(crate) async fn refuse_used(tx: &mut Tx<'_>, def: &ListDef, id: &str) -> Result<(), ApiError> {
    let found = count_uses(tx, def, id).await?;
    if found.is_empty() {
        return Ok(());
    }
    let counts: Vec<(&'static str, i64)> = found.iter().map(|one| (one.kind, one.count)).collect();
    Err(in_use(def, &found, (def.hooks().in_use)(&counts)))
}

pub(crate) async fn is_used(tx: &mut Tx<'_>, def: &ListDef, id: &str) -> Result<bool, ApiError> {
    Ok(!count_uses(tx, def, id).await?.is_empty())
}

/// Number of references to a record, by kind.
async fn count_uses(tx: &mut Tx<'_>, def: &ListDef, id: &str) -> Result<Vec<Count>, ApiError> {
    let mut found: Vec<Count> = Vec::new();
    for one in of(def) {
        let query = tx.sql("select cast(count(").push(one.counted).push(") as bigint) from ").push(one.table);
        let query = query.push(" where ").push(one.only.unwrap_or("true")).push(" and ").push(one.column);
        let count: i64 = query.push(" = ").push_bind(id).scalar().await?;
        if count > 0 {
            found.push(Count { kind: one.kind, label: one.label, count });
        }
    }
    for (other, field, _) in items_of(def) {
        // Bills of materials are counted by their versions already.
        if other.table == "pos_items" {
            continue;
        }
        let query = tx.sql("select cast(count(*) as bigint) from ").push(other.table).push(" where cast(");
        let query = query.push(field.column).push(" as text) like ").push_bind(quoted(id));
        let count: i64 = query.scalar().await?;
        match found.iter_mut().find(|known| known.kind == other.kind) {
            Some(known) => known.count = known.count.max(count),
            None if count > 0 => found.push(Count { kind: other.kind, label: other.many, count }),
            None => {}
        }
    }
    Ok(found)
}

fn in_use(def: &ListDef, found: &[Count], own: Option<String>) -> ApiError {
    let parts: Vec<String> =
        found.iter().map(|one| format!("{} {}", one.count, one.label.to_lowercase())).collect();
    let detail = own
        .unwrap_or_else(|| format!("This {} is used by {}; change those first.", def.one, parts.join(", ")));
    ApiError::in_use(detail, json!(found))
}

/// A reference that is undeclared, or was added between the count and the delete.
pub fn explain(def: &ListDef, error: DbError) -> ApiError {
    match &error {
        DbError::Violation(violation) if violation.kind == ViolationKind::InUse => {
            let kind = violation.table.clone().unwrap_or_else(|| "record".to_owned());
            let detail =
                format!("This {} is in use ({}); change that first.", def.one, kind.replace('_', " "));
            ApiError::in_use(detail, json!([{ "kind": kind, "label": kind.replace('_', " "), "count": 1 }]))
        }
        _ => error.into(),
    }
}
