//! Planner runs and their results per store. The only writer of `plan_runs`, `plan_stores` and `plan_notes`.

use larder_db::{Db, DbError, Query, Tx, table_row};
use larder_domain::{BusinessDay, Money, Timestamp};

use super::Line;

/// Days every plan is kept; after that only those of Mondays and those with orders.
const KEPT_DAYS: i32 = 60;

table_row! {
    /// A planner run; its id is that of the service's run.
    #[derive(Debug, Clone, larder_db::FromRow)]
    Run in "plan_runs" {
        id: String,
        /// The day of planning: the first day of its forecast.
        plan_date: BusinessDay,
        made_at: Timestamp,
        /// The forecast used; `None` if it made its own.
        forecast_run_id: Option<String>,
    }
}

table_row! {
    /// A run's result for a store.
    #[derive(Debug, Clone, larder_db::FromRow)]
    StoreRun in "plan_stores" {
        run_id: String,
        store_id: String,
        plan_date: BusinessDay,
        made_at: Timestamp,
        /// Why there is no plan, or a remark on it.
        note: Option<String>,
        lines: i64,
        /// Lines with a suggestion.
        to_order: i64,
        /// Lines running out before an order placed now arrives.
        at_risk: i64,
        /// Lines limited by a cap: maximum, shelf life, storage.
        capped: i64,
        amount: Money,
        /// Number of times orders were created from it.
        revision: i64,
    }
}

table_row! {
    /// Something that could not be planned.
    #[derive(Debug, Clone, larder_db::FromRow)]
    Note in "plan_notes" {
        run_id: String,
        position: i64,
        store_id: Option<String>,
        product_id: Option<String>,
        root_item_id: Option<String>,
        why: String,
    }
}

/// Inserts a run unless it exists.
///
/// # Errors
/// If the statement fails.
pub async fn begin(tx: &mut Tx<'_>, run: Run) -> Result<(), DbError> {
    tx.insert_rows(Run::TABLE, Run::COLUMNS, vec![run], "on conflict do nothing").await?;
    Ok(())
}

/// Writes a run's result for a store, replacing a previous one.
///
/// # Errors
/// If the statement fails.
pub async fn put_store(tx: &mut Tx<'_>, store: StoreRun, lines: Vec<Line>) -> Result<(), DbError> {
    for text in [
        "delete from plan_lines where run_id = $1 and store_id = $2",
        "delete from plan_stores where run_id = $1 and store_id = $2",
    ] {
        tx.sql(text).bind(&store.run_id).bind(&store.store_id).execute().await?;
    }
    tx.insert_rows(StoreRun::TABLE, StoreRun::COLUMNS, vec![store], "").await?;
    tx.insert_rows(Line::TABLE, Line::COLUMNS, lines, "").await?;
    Ok(())
}

/// Writes what a run could not plan in a store, or in none of them, replacing previous notes.
///
/// # Errors
/// If the statement fails.
pub async fn put_notes(
    tx: &mut Tx<'_>,
    run_id: &str,
    store_id: Option<&str>,
    notes: Vec<Note>,
) -> Result<(), DbError> {
    tx.sql("delete from plan_notes where run_id = $1 and coalesce(store_id, '') = $2")
        .bind(run_id)
        .bind(store_id.unwrap_or_default())
        .execute()
        .await?;
    tx.insert_rows(Note::TABLE, Note::COLUMNS, notes, "").await?;
    Ok(())
}

/// A run by id.
///
/// # Errors
/// If the database fails.
pub async fn find(db: &Db, id: &str) -> Result<Option<Run>, DbError> {
    db.sql("select id, plan_date, made_at, forecast_run_id from plan_runs where id = $1")
        .bind(id)
        .optional()
        .await
}

const STORE: &str = "select s.run_id, s.store_id, s.plan_date, s.made_at, s.note, s.lines, s.to_order, s.at_risk, \
     s.capped, s.amount, s.revision from plan_stores s";

fn within<'q>(query: Query<'q>, column: &'static str, stores: Option<&[String]>) -> Query<'q> {
    match stores {
        Some(stores) => query.push(" and ").push(column).push(" in ").push_ids(stores),
        None => query,
    }
}

/// The last day with a plan, for some stores or any.
///
/// # Errors
/// If the database fails.
pub async fn last_date(db: &Db, stores: Option<&[String]>) -> Result<Option<BusinessDay>, DbError> {
    let query = db.sql("select max(plan_date) from plan_stores where 1 = 1");
    let found: (Option<BusinessDay>,) = within(query, "store_id", stores).one().await?;
    Ok(found.0)
}

/// The newest plan of each store on a day.
///
/// # Errors
/// If the database fails.
pub async fn newest_of_stores(
    db: &Db,
    day: BusinessDay,
    stores: Option<&[String]>,
) -> Result<Vec<StoreRun>, DbError> {
    let query = db
        .sql(STORE)
        .push(" join (select store_id, max(run_id) as run_id from plan_stores where plan_date = ")
        .push_bind(day);
    within(query, "store_id", stores)
        .push(" group by store_id) n on n.store_id = s.store_id and n.run_id = s.run_id order by s.store_id")
        .all()
        .await
}

/// Results of a run, for some stores or all.
///
/// # Errors
/// If the database fails.
pub async fn of_run(db: &Db, run_id: &str, stores: Option<&[String]>) -> Result<Vec<StoreRun>, DbError> {
    let query = db.sql(STORE).push(" where s.run_id = ").push_bind(run_id);
    within(query, "s.store_id", stores).push(" order by s.store_id").all().await
}

/// Notes of some runs, in their order.
///
/// # Errors
/// If the database fails.
pub async fn notes(db: &Db, run_ids: &[&str]) -> Result<Vec<Note>, DbError> {
    db.sql(
        "select run_id, position, store_id, product_id, root_item_id, why from plan_notes where run_id in ",
    )
    .push_ids(run_ids)
    .push(" order by run_id desc, position")
    .all()
    .await
}

/// Locks a store's plan until the transaction ends, so that orders are not created twice. Returns whether it
/// exists.
///
/// # Errors
/// If the statement fails.
pub async fn take_hold(tx: &mut Tx<'_>, run_id: &str, store_id: &str) -> Result<bool, DbError> {
    let held = tx
        .sql("update plan_stores set revision = revision + 1 where run_id = $1 and store_id = $2")
        .bind(run_id)
        .bind(store_id)
        .execute()
        .await?;
    Ok(held == 1)
}

/// Deletes plans older than sixty days, not of a Monday and without an order. Returns their number.
///
/// # Errors
/// If the statement fails.
pub async fn forget_old(tx: &mut Tx<'_>, today: BusinessDay) -> Result<u64, DbError> {
    let old: Vec<(String, BusinessDay)> = tx
        .sql(
            "select r.id, r.plan_date from plan_runs r where r.plan_date < $1 and not exists (select 1 from plan_lines l \
             where l.run_id = r.id and l.order_id is not null)",
        )
        .bind(today.plus(-KEPT_DAYS))
        .all()
        .await?;
    let old: Vec<String> = old.into_iter().filter(|(_, day)| !day.is_monday()).map(|(id, _)| id).collect();
    if old.is_empty() {
        return Ok(0);
    }
    for table in ["plan_lines", "plan_notes", "plan_stores"] {
        tx.sql("delete from ").push(table).push(" where run_id in ").push_ids(&old).execute().await?;
    }
    tx.sql("delete from plan_runs where id in ").push_ids(&old).execute().await
}
