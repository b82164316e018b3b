//! Order of siblings in a tree: by position, then by name.
//!
//! All positions are zero until the first move, so the name decides. The first move numbers the siblings;
//! later ones are appended.

use larder_db::{DbError, Tx};
use serde_json::json;

use super::actions::MoveBody;
use super::define::ListDef;
use super::draft::{Cell, Draft};
use super::record::AnyRecord;
use super::write;
use larder_platform::http::error::ApiError;

/// The position field, if a list has one.
pub const POSITION: &str = "position";

fn ordered(def: &'static ListDef) -> Option<&'static str> {
    def.field(POSITION).and(def.tree).and_then(|parent| def.field(parent)).map(|parent| parent.column)
}

/// Appends a new record to its siblings.
pub async fn append(tx: &mut Tx<'_>, draft: &mut Draft) -> Result<(), DbError> {
    let def = draft.def;
    let Some(parent) = ordered(def) else { return Ok(()) };
    let above = def.tree.and_then(|name| draft.text(name)).map(str::to_owned);
    let last = siblings(tx, def, parent, above.as_deref()).await?.iter().map(|(_, position)| *position).max();
    if let (Some(cell), Some(last @ 1..)) = (draft.cell_mut(POSITION), last) {
        *cell = Cell::Int(Some(last + 1));
    }
    Ok(())
}

/// The records below `above` in order, with their positions.
async fn siblings(
    tx: &mut Tx<'_>,
    def: &'static ListDef,
    parent: &'static str,
    above: Option<&str>,
) -> Result<Vec<(String, i64)>, DbError> {
    let query = tx.sql("select id, position from ").push(def.table).push(" where ").push(parent);
    let query = match above {
        Some(id) => query.push(" = ").push_bind(id),
        None => query.push(" is null"),
    };
    query.push(" order by position, name_key, id").all().await
}

/// Places a record below another, before a sibling or at the end, and numbers the siblings there.
///
/// # Errors
/// 404, 409 if it was changed since, 422 if it would be below itself or the sibling is missing.
pub async fn place(
    tx: &mut Tx<'_>,
    def: &'static ListDef,
    id: &str,
    to: &MoveBody,
) -> Result<AnyRecord, ApiError> {
    let (Some(parent), Some(field)) = (ordered(def), def.tree) else {
        return Err(ApiError::not_found(def.one));
    };
    let above = to.parent_id.as_deref();
    let patch = [(field.to_owned(), json!(above)), ("revision".to_owned(), json!(to.revision))];
    write::update(tx, def, id, patch.into_iter().collect()).await?;
    let mut order: Vec<(String, i64)> = siblings(tx, def, parent, above).await?;
    let own = order.iter().position(|(sibling, _)| sibling == id).map(|at| order.remove(at));
    let at = match &to.before {
        None => order.len(),
        Some(before) => order.iter().position(|(sibling, _)| sibling == before).ok_or_else(|| {
            ApiError::field("before", format!("The {} to place this before no longer exists.", def.one))
        })?,
    };
    order.insert(at, own.unwrap_or_else(|| (id.to_owned(), 0)));
    let old: Vec<(String, i64)> = order
        .iter()
        .zip(1..)
        .filter(|((sibling, position), new)| position != new && sibling != id)
        .map(|((sibling, _), new)| (sibling.clone(), new))
        .collect();
    // Reordering does not change the siblings themselves, so it is not in their history.
    for (sibling, position) in old {
        number(tx, def, &sibling, position).await?;
    }
    number(tx, def, id, i64::try_from(at).unwrap_or(i64::MAX - 1) + 1).await?;
    tx.announce(def.kind, id, None);
    write::existing(tx, def, id).await
}

async fn number(tx: &mut Tx<'_>, def: &'static ListDef, id: &str, position: i64) -> Result<(), DbError> {
    let query = tx.sql("update ").push(def.table).push(" set position = ").push_bind(position);
    query.push(" where id = ").push_bind(id).execute().await?;
    Ok(())
}
