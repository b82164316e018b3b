//! Stores, POS items and tills by name, and decisions about names.

use larder_db::{Change, ChangeAction, Db, DbError, Json, Tx};

use larder_platform::audit::Editor;
use serde_json::json;

/// A store with all its names.
#[derive(sqlx::FromRow)]
pub struct StoreRow {
    pub id: String,
    pub name: String,
    pub code: Option<String>,
    pub pos_code: Option<String>,
    pub pos_branch_name: Option<String>,
}

/// All stores, as sales files may name them.
pub async fn stores(db: &Db) -> Result<Vec<StoreRow>, DbError> {
    db.sql("select id, name, code, pos_code, pos_branch_name from locations order by id").all().await
}

/// A POS item with all its names.
#[derive(sqlx::FromRow)]
pub struct ItemRow {
    pub id: String,
    pub pos_item_id: Option<String>,
    pub description: String,
}

/// All items, as sales files may name them.
pub async fn items(db: &Db) -> Result<Vec<ItemRow>, DbError> {
    db.sql("select id, pos_item_id, description from pos_items order by id").all().await
}

/// The root items, as items a file may name.
pub async fn root_items(db: &Db) -> Result<Vec<ItemRow>, DbError> {
    db.sql("select id, cast(null as text) as pos_item_id, name as description from root_items order by id")
        .all()
        .await
}

/// Whether there is a root item with this id.
pub async fn root_item_exists(tx: &mut Tx<'_>, id: &str) -> Result<bool, DbError> {
    let row: Option<(String,)> =
        tx.sql("select id from root_items where id = $1").bind(id).optional().await?;
    Ok(row.is_some())
}

/// A decision about a name.
#[derive(sqlx::FromRow)]
pub struct AliasRow {
    pub kind: String,
    pub name_key: String,
    pub target_id: String,
}

pub(crate) async fn aliases(db: &Db) -> Result<Vec<AliasRow>, DbError> {
    db.sql("select kind, name_key, target_id from sales_aliases").all().await
}

/// A till by the two numbers it may go by.
#[derive(sqlx::FromRow)]
pub struct TerminalRow {
    pub pos_code: String,
    pub terminal_id: String,
}

/// All terminals, as sales files may name them.
pub async fn terminals(db: &Db) -> Result<Vec<TerminalRow>, DbError> {
    db.sql("select pos_code, terminal_id from location_terminals").all().await
}

/// Whether there is a store with this id.
pub async fn store_exists(tx: &mut Tx<'_>, id: &str) -> Result<bool, DbError> {
    let row: Option<(String,)> = tx.sql("select id from locations where id = $1").bind(id).optional().await?;
    Ok(row.is_some())
}

/// Whether a store has this POS code.
pub async fn is_pos_code(tx: &mut Tx<'_>, code: &str) -> Result<bool, DbError> {
    let row: Option<(String,)> = tx
        .sql("select location_id from location_terminals where pos_code = $1 and pos_code <> '' limit 1")
        .bind(code)
        .optional()
        .await?;
    Ok(row.is_some())
}

/// Whether there is an item with this id.
pub async fn item_exists(tx: &mut Tx<'_>, id: &str) -> Result<bool, DbError> {
    let row: Option<(String,)> = tx.sql("select id from pos_items where id = $1").bind(id).optional().await?;
    Ok(row.is_some())
}

/// The item that variants of this one belong to: itself, or the one it is a variant of; `None` if there is no such item.
pub async fn item_of_variants(tx: &mut Tx<'_>, id: &str) -> Result<Option<String>, DbError> {
    let row: Option<(String,)> =
        tx.sql("select coalesce(variant_of, id) from pos_items where id = $1").bind(id).optional().await?;
    Ok(row.map(|(id,)| id))
}

/// Stores a decision about a name.
pub async fn set_alias(
    tx: &mut Tx<'_>,
    kind: &'static str,
    key: &str,
    name: &str,
    target: &str,
) -> Result<(), DbError> {
    let actor = tx.actor().clone();
    tx.sql(
        "insert into sales_aliases (kind, name_key, name, target_id, created_at, created_by)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (kind, name_key) do update set name = excluded.name, target_id = excluded.target_id,
           created_at = excluded.created_at, created_by = excluded.created_by",
    )
    .bind(kind)
    .bind(key)
    .bind(name)
    .bind(target)
    .bind(actor.at)
    .bind(Json(Editor::from(&actor)))
    .execute()
    .await?;
    tx.record(Change {
        kind: "salesAlias",
        id: format!("{kind}:{key}"),
        store_id: None,
        action: ChangeAction::Updated,
        before: None,
        after: Some(json!({ "name": name, "target": target })),
    })
    .await
}
