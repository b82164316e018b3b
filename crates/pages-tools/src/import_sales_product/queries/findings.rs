//! Results of a check: row errors and names.

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::BusinessDay;
use larder_domain::sales::control::LeftRow;

use super::super::model::{LeftOutRow, RowProblem};

/// Deletes errors, names and rows left out of a file before it is checked again.
pub async fn clear(tx: &mut Tx<'_>, id: &str) -> Result<(), DbError> {
    tx.sql("delete from sales_batch_problems where batch_id = $1").bind(id).execute().await?;
    tx.sql("delete from sales_batch_names where batch_id = $1").bind(id).execute().await?;
    tx.sql("delete from sales_batch_left_out where batch_id = $1").bind(id).execute().await?;
    set_problem_count(tx, id, 0).await
}

/// Saves the number of errors of a file.
pub(crate) async fn set_problem_count(tx: &mut Tx<'_>, id: &str, count: i64) -> Result<(), DbError> {
    tx.sql("update sales_batches set problem_count = $1 where id = $2")
        .bind(count)
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

/// An error in a row.
pub struct NewProblem<'a> {
    pub row: i64,
    pub field: Option<String>,
    pub value: &'a str,
    pub code: &'a str,
    pub message: &'a str,
}

/// Saves the errors of a file, in order.
pub(crate) async fn insert_problems(
    tx: &mut Tx<'_>,
    id: &str,
    problems: &[NewProblem<'_>],
) -> Result<(), DbError> {
    let columns = ["batch_id", "seq", "row_no", "field", "value", "code", "message"];
    let rows: Vec<_> = (0i64..)
        .zip(problems)
        .map(|(at, p)| (id, at, p.row, p.field.as_deref(), p.value, p.code, p.message))
        .collect();
    tx.insert_rows("sales_batch_problems", &columns, &rows, "").await?;
    Ok(())
}

/// A page of a file's errors.
pub async fn problems(db: &Db, id: &str, limit: i64, offset: i64) -> Result<(Vec<RowProblem>, i64), DbError> {
    let total = db.sql("select problem_count from sales_batches where id = $1").bind(id).scalar().await?;
    let items = db
        .sql(
            "select row_no as \"row\", field as \"column\", value, code, message from sales_batch_problems
             where batch_id = $1 order by seq limit $2 offset $3",
        )
        .bind(id)
        .bind(limit)
        .bind(offset)
        .all()
        .await?;
    Ok((items, total))
}

/// Saves the rows left out of a file, in file order.
pub(crate) async fn insert_left_out(tx: &mut Tx<'_>, id: &str, rows: &[LeftRow]) -> Result<(), DbError> {
    let columns = ["batch_id", "seq", "row_no", "reason", "text", "qty", "net"];
    let rows: Vec<_> = (0i64..)
        .zip(rows)
        .map(|(at, row)| {
            (id, at, i64::from(row.row), row.reason.key(), row.text.as_str(), row.left.qty, row.left.net)
        })
        .collect();
    tx.insert_rows("sales_batch_left_out", &columns, &rows, "").await?;
    Ok(())
}

/// A page of the rows left out of a file, of one reason or all, and their number.
pub async fn left_out(
    db: &Db,
    id: &str,
    reason: Option<&str>,
    limit: i64,
    offset: i64,
) -> Result<(Vec<LeftOutRow>, i64), DbError> {
    let total = db
        .sql("select cast(count(*) as bigint) from sales_batch_left_out where batch_id = $1 and ($2 = '' or reason = $2)")
        .bind(id)
        .bind(reason.unwrap_or_default())
        .scalar()
        .await?;
    let items = db
        .sql(
            "select row_no as \"row\", reason, text, qty, net from sales_batch_left_out
             where batch_id = $1 and ($2 = '' or reason = $2) order by seq limit $3 offset $4",
        )
        .bind(id)
        .bind(reason.unwrap_or_default())
        .bind(limit)
        .bind(offset)
        .all()
        .await?;
    Ok((items, total))
}

/// A name in a file.
#[derive(Debug, sqlx::FromRow)]
pub struct NameRow {
    pub kind: String,
    pub name_key: String,
    pub name: String,
    pub code: Option<String>,
    pub category: Option<String>,
    pub price: Option<i64>,
    pub store_id: Option<String>,
    pub lines: i64,
    pub qty: i64,
    pub net: i64,
    pub first_day: BusinessDay,
    pub last_day: BusinessDay,
    pub days: Option<Json<Vec<i32>>>,
    /// Of a variant, the key of its item.
    pub parent: Option<String>,
}

/// Saves the names in a file.
pub(crate) async fn insert_names(tx: &mut Tx<'_>, id: &str, names: &[NameRow]) -> Result<(), DbError> {
    let columns = [
        "batch_id",
        "kind",
        "name_key",
        "name",
        "code",
        "category",
        "price",
        "store_id",
        "lines",
        "qty",
        "net",
        "first_day",
        "last_day",
        "days",
        "parent",
    ];
    let rows: Vec<_> = names
        .iter()
        .map(|n| {
            (
                id,
                &n.kind,
                &n.name_key,
                &n.name,
                n.code.as_deref(),
                n.category.as_deref(),
                n.price,
                n.store_id.as_deref(),
                n.lines,
                n.qty,
                n.net,
                n.first_day,
                n.last_day,
                n.days.as_ref(),
                n.parent.as_deref(),
            )
        })
        .collect();
    tx.insert_rows("sales_batch_names", &columns, &rows, "").await?;
    Ok(())
}

/// The names in a file.
pub async fn names(db: &Db, id: &str) -> Result<Vec<NameRow>, DbError> {
    db.sql(
        "select kind, name_key, name, code, category, price, store_id, lines, qty, net, first_day, last_day, days,
                parent
         from sales_batch_names where batch_id = $1 order by net desc, lines desc, name_key",
    )
    .bind(id)
    .all()
    .await
}

/// Sets the store of a name in a file, which decides who may see the batch.
pub(crate) async fn set_name_store(
    tx: &mut Tx<'_>,
    id: &str,
    key: &str,
    store_id: Option<&str>,
) -> Result<(), DbError> {
    tx.sql(
        "update sales_batch_names set store_id = $1 where batch_id = $2 and kind = 'store' and name_key = $3",
    )
    .bind(store_id)
    .bind(id)
    .bind(key)
    .execute()
    .await?;
    Ok(())
}

/// Sets the business days of a store's name in a file, in order; not empty.
pub(crate) async fn set_name_days(tx: &mut Tx<'_>, id: &str, key: &str, days: &[i32]) -> Result<(), DbError> {
    let (Some(first), Some(last)) = (days.first(), days.last()) else { return Ok(()) };
    tx.sql(
        "update sales_batch_names set days = $1, first_day = $2, last_day = $3
         where batch_id = $4 and kind = 'store' and name_key = $5",
    )
    .bind(Json(days))
    .bind(BusinessDay(*first))
    .bind(BusinessDay(*last))
    .bind(id)
    .bind(key)
    .execute()
    .await?;
    Ok(())
}
