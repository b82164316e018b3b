//! Manual overrides: a daily quantity of an item in a store for some days, with a reason.

use larder_db::{Db, DbError, Json, Query, Tx};
use larder_domain::{BusinessDay, Qty, Span, Timestamp};

use larder_platform::audit::Editor;

/// A stored override.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct Override {
    pub id: String,
    pub store_id: String,
    pub root_item_id: String,
    pub from_day: BusinessDay,
    pub to_day: BusinessDay,
    /// Per day.
    pub qty: Qty,
    pub reason: String,
    pub revision: i64,
    pub updated_at: Timestamp,
    pub updated_by: Json<Editor>,
}

/// An override to save.
#[derive(Debug, Clone)]
pub struct Entered {
    pub store_id: String,
    pub root_item_id: String,
    pub span: Span,
    pub qty: Qty,
    pub reason: String,
}

const OVERRIDE: &str = "select id, store_id, root_item_id, from_day, to_day, qty, reason, revision, updated_at, \
     updated_by from forecast_overrides";

/// Filter of overrides.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// The stores to include; `None` is all.
    pub stores: Option<Vec<String>>,
    pub root_item_id: Option<String>,
    /// Overrides that touch it; `None` is all.
    pub span: Option<Span>,
}

fn narrowed<'q>(query: Query<'q>, wanted: &Wanted) -> Query<'q> {
    let mut query = query.push(" where removed = ").push_bind(false);
    if let Some(stores) = &wanted.stores {
        query = query.push(" and store_id in ").push_ids(stores);
    }
    if let Some(item) = &wanted.root_item_id {
        query = query.push(" and root_item_id = ").push_bind(item.clone());
    }
    if let Some(span) = wanted.span {
        query =
            query.push(" and from_day <= ").push_bind(span.to).push(" and to_day >= ").push_bind(span.from);
    }
    query
}

/// A page of overrides, newest days first.
pub async fn page(db: &Db, wanted: &Wanted, (limit, offset): (i64, i64)) -> Result<Vec<Override>, DbError> {
    narrowed(db.sql(OVERRIDE), wanted)
        .push(" order by from_day desc, id limit ")
        .push_bind(limit)
        .push(" offset ")
        .push_bind(offset)
        .all()
        .await
}

/// How many overrides match.
pub async fn count(db: &Db, wanted: &Wanted) -> Result<i64, DbError> {
    narrowed(db.sql("select count(*) from forecast_overrides"), wanted).scalar().await
}

/// Overrides of some stores that touch a span, in order of entry: the last one for a day wins.
///
/// # Errors
/// If the database fails.
pub async fn of_stores(db: &Db, stores: &[String], span: Span) -> Result<Vec<Override>, DbError> {
    let wanted = Wanted { stores: Some(stores.to_vec()), root_item_id: None, span: Some(span) };
    narrowed(db.sql(OVERRIDE), &wanted).push(" order by updated_at, id").all().await
}

/// An override that was not removed.
pub async fn find(tx: &mut Tx<'_>, id: &str) -> Result<Option<Override>, DbError> {
    tx.sql(OVERRIDE)
        .push(" where id = ")
        .push_bind(id)
        .push(" and removed = ")
        .push_bind(false)
        .optional()
        .await
}

/// Adds an override under a new id.
pub async fn insert(tx: &mut Tx<'_>, id: &str, entered: &Entered) -> Result<(), DbError> {
    let (at, by) = (tx.actor().at, Json(Editor::from(tx.actor())));
    tx.sql(
        "insert into forecast_overrides (id, store_id, root_item_id, from_day, to_day, qty, reason, removed, revision,
           created_at, updated_at, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, 1, $9, $9, $10)",
    )
    .bind(id)
    .bind(&entered.store_id)
    .bind(&entered.root_item_id)
    .bind(entered.span.from)
    .bind(entered.span.to)
    .bind(entered.qty)
    .bind(&entered.reason)
    .bind(false)
    .bind(at)
    .bind(by)
    .execute()
    .await?;
    Ok(())
}

/// Updates an override; `false` if its revision has changed. `removed` deletes it.
pub async fn update(
    tx: &mut Tx<'_>,
    id: &str,
    entered: &Entered,
    removed: bool,
    seen: i64,
) -> Result<bool, DbError> {
    let (at, by) = (tx.actor().at, Json(Editor::from(tx.actor())));
    let rows = tx
        .sql(
            "update forecast_overrides set from_day = $1, to_day = $2, qty = $3, reason = $4, removed = $5,
               revision = revision + 1, updated_at = $6, updated_by = $7
             where id = $8 and revision = $9",
        )
        .bind(entered.span.from)
        .bind(entered.span.to)
        .bind(entered.qty)
        .bind(&entered.reason)
        .bind(removed)
        .bind(at)
        .bind(by)
        .bind(id)
        .bind(seen)
        .execute()
        .await?;
    Ok(rows == 1)
}

/// Merges two items; stored forecasts of the removed one stay.
///
/// # Errors
/// If the statement fails.
pub async fn replace_root_item(tx: &mut Tx<'_>, id: &str, into: &str) -> Result<(), DbError> {
    tx.sql("update forecast_overrides set root_item_id = $1 where root_item_id = $2")
        .bind(into)
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

/// The override of each day from `first` on; `None` without one.
#[must_use]
pub fn replaced<'a>(
    overrides: impl Iterator<Item = &'a Override>,
    first: BusinessDay,
    horizon: usize,
) -> Option<Vec<Option<f64>>> {
    let mut days = vec![None; horizon];
    for it in overrides {
        for day in it.from_day.0..=it.to_day.0 {
            if let Some(figure) = usize::try_from(day - first.0).ok().and_then(|at| days.get_mut(at)) {
                *figure = Some(it.qty.0 as f64 / 1e6);
            }
        }
    }
    days.iter().any(Option::is_some).then_some(days)
}
