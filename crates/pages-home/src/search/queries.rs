//! Reads searchable records for the index.

use larder_db::{Db, DbError, FromRow};
use larder_domain::BusinessDay;
use larder_domain::document::DocumentKind;

use larder_lists::catalog;
use larder_platform::http::text::fold;
use larder_platform::search::{Entry, Words};

#[derive(FromRow)]
struct Row {
    id: String,
    title: String,
    code: Option<String>,
    search_key: String,
}

/// All records of a type, or those with the given ids.
pub async fn entries(db: &Db, kind: &'static str, ids: Option<&[String]>) -> Result<Vec<Entry>, DbError> {
    if let Some(kind) = DocumentKind::parse(kind) {
        return documents(db, kind, ids).await;
    }
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

/// Number of latest documents per type kept in the index.
const LATEST: i64 = 20_000;

/// Documents of a type, found by number.
async fn documents(db: &Db, kind: DocumentKind, ids: Option<&[String]>) -> Result<Vec<Entry>, DbError> {
    let mut query = db
        .sql(
            "select d.id, d.number, d.store_id, l.name, d.on_date from documents d
             left join locations l on l.id = d.store_id where d.kind = ",
        )
        .push_bind(kind);
    if let Some(ids) = ids {
        query = query.push(" and d.id in ").push_ids(ids);
    }
    type Row = (String, String, Option<String>, Option<String>, BusinessDay);
    let rows: Vec<Row> = query.push(" order by d.id desc limit ").push_bind(LATEST).all().await?;
    let entry = |(id, number, store, name, day): Row| {
        let words = Words::of(&number, None, &fold(name.as_deref().unwrap_or_default()));
        let subtitle = name.into_iter().chain([day.display()]).collect::<Vec<_>>().join(", ");
        Entry { words, id, title: number, code: None, subtitle: Some(subtitle), store }
    };
    Ok(rows.into_iter().map(entry).collect())
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
