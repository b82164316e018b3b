//! The records that can be found, read for the index.

use larder_db::{Db, DbError, FromRow};

use crate::lists::catalog;
use crate::search::{Entry, Words};

#[derive(FromRow)]
struct Row {
    id: String,
    title: String,
    code: Option<String>,
    search_key: String,
}

/// All records of a kind, or some by their ids.
pub(crate) async fn entries(
    db: &Db,
    kind: &'static str,
    ids: Option<&[String]>,
) -> Result<Vec<Entry>, DbError> {
    let def = catalog::ALL.iter().copied().find(|def| def.kind == kind);
    let mut query = match def {
        None => db.sql(
            "select id, name as title, cast(null as text) as code, email as search_key from app_users t",
        ),
        Some(def) => {
            let column = |name: &str| def.field(name).map_or("id", |field| field.column);
            let query = db.sql("select id, ").push(column(def.name)).push(" as title, ");
            let query = match def.code {
                Some(code) => query.push(column(code)),
                None => query.push("cast(null as text)"),
            };
            query.push(" as code, search_key from ").push(def.table).push(" t")
        }
    };
    if let Some(ids) = ids {
        query = query.push(" where id in ").push_ids(ids);
    }
    let rows: Vec<Row> = query.all().await?;
    let stores = def.is_some_and(|def| def.stores);
    Ok(rows.into_iter().map(|row| entry(row, stores, def.is_none())).collect())
}

fn entry(row: Row, stores: bool, people: bool) -> Entry {
    let subtitle = if people { Some(row.search_key.clone()) } else { row.code.clone() };
    Entry {
        words: Words::of(&row.title, row.code.as_deref(), &row.search_key),
        store: stores.then(|| row.id.clone()),
        id: row.id,
        title: row.title,
        code: row.code,
        subtitle,
    }
}
