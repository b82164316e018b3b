//! The order among siblings of a tree: as people put them, then by name.
//!
//! Where nobody ever moved anything every position is zero and the name decides. The first move numbers
//! the siblings; whoever joins them later comes last.

use larder_db::{DbError, Tx};

use super::define::ListDef;
use super::draft::{Cell, Draft};

/// The field that keeps the position, where a list has one.
const POSITION: &str = "position";

fn ordered(def: &'static ListDef) -> Option<&'static str> {
    def.field(POSITION).and(def.tree).and_then(|parent| def.field(parent)).map(|parent| parent.column)
}

/// Puts a new record behind its siblings.
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

/// The records below `above` in their order, with their positions.
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
