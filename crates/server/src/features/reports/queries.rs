//! What reports read: sums by period, names, and the store-days behind a figure.

use std::collections::HashMap;

use larder_db::{Db, DbError, Query};
use larder_domain::sales::ALL_STORES;
use larder_domain::sales::rollup::Grain;
use larder_domain::span::Run;
use larder_domain::{BusinessDay, Factor, Money, Qty};

/// The stores of a question as they stand in the sums: some of them, or the row of all together.
fn of_stores<'q>(query: Query<'q>, stores: Option<&[String]>) -> Query<'q> {
    match stores {
        None => query.push(" store_id = ").push_bind(ALL_STORES),
        Some(ids) => query.push(" store_id in ").push_ids(ids),
    }
}

fn of_run<'q>(query: Query<'q>, run: Run) -> Query<'q> {
    query
        .push(" and grain = ")
        .push_bind(run.grain.code())
        .push(" and period between ")
        .push_bind(run.first)
        .push(" and ")
        .push_bind(run.last)
}

/// One item in one period.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct PeriodSum {
    /// First day of the period.
    pub period: BusinessDay,
    /// Root or POS item.
    pub item_id: String,
    /// How much.
    pub qty: Qty,
    /// For how much; nothing for root items.
    pub net: Money,
}

/// Root items by period.
pub async fn root_by_period(db: &Db, run: Run, stores: Option<&[String]>) -> Result<Vec<PeriodSum>, DbError> {
    let query = of_stores(
        db.sql(
            "select period, root_item_id as item_id, cast(sum(qty) as bigint) as qty, cast(0 as bigint) as net
             from sales_rollup_root where",
        ),
        stores,
    );
    of_run(query, run).push(" group by period, root_item_id").all().await
}

/// Root items by period, some of them only.
pub async fn some_root_by_period(
    db: &Db,
    run: Run,
    stores: Option<&[String]>,
    items: &[String],
) -> Result<Vec<PeriodSum>, DbError> {
    let query = of_stores(
        db.sql(
            "select period, root_item_id as item_id, cast(sum(qty) as bigint) as qty, cast(0 as bigint) as net
             from sales_rollup_root where",
        ),
        stores,
    );
    of_run(query, run)
        .push(" and root_item_id in ")
        .push_ids(items)
        .push(" group by period, root_item_id")
        .all()
        .await
}

/// POS items by week.
pub async fn pos_by_period(db: &Db, run: Run, stores: Option<&[String]>) -> Result<Vec<PeriodSum>, DbError> {
    let query = of_stores(
        db.sql(
            "select period, pos_item_id as item_id, cast(sum(qty) as bigint) as qty, cast(sum(net) as bigint) as net
             from sales_rollup_pos where",
        ),
        stores,
    );
    of_run(query, run).push(" group by period, pos_item_id").all().await
}

/// One item over a whole range.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ItemSum {
    /// Root or POS item.
    pub item_id: String,
    /// How much.
    pub qty: Qty,
}

/// Root items over one run of periods.
pub async fn root_totals(db: &Db, run: Run, stores: Option<&[String]>) -> Result<Vec<ItemSum>, DbError> {
    let query = of_stores(
        db.sql(
            "select root_item_id as item_id, cast(sum(qty) as bigint) as qty from sales_rollup_root where",
        ),
        stores,
    );
    of_run(query, run).push(" group by root_item_id").all().await
}

/// One POS item in one store over a run of periods.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct StoreItemSum {
    /// The store.
    pub store_id: String,
    /// The POS item.
    pub item_id: String,
    /// How much.
    pub qty: Qty,
    /// For how much.
    pub net: Money,
}

/// POS items by store over one run of periods. Days of single stores are the store-days themselves.
pub async fn pos_by_store(db: &Db, run: Run, stores: &[String]) -> Result<Vec<StoreItemSum>, DbError> {
    if run.grain == Grain::Day {
        return db
            .sql(
                "select store_id, pos_item_id as item_id, cast(sum(qty) as bigint) as qty, cast(sum(net) as bigint) as net
                 from sales_day_items where store_id in ",
            )
            .push_ids(stores)
            .push(" and business_date between ")
            .push_bind(run.first)
            .push(" and ")
            .push_bind(run.last)
            .push(" group by store_id, pos_item_id")
            .all()
            .await;
    }
    let query = db.sql(
        "select store_id, pos_item_id as item_id, cast(sum(qty) as bigint) as qty, cast(sum(net) as bigint) as net
         from sales_rollup_pos where",
    );
    of_run(of_stores(query, Some(stores)), run).push(" group by store_id, pos_item_id").all().await
}

/// What is sold but not mapped in a run of periods.
#[derive(Debug, Clone, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct UnmappedSum {
    /// The name's key.
    pub item_id: String,
    /// How much.
    pub qty: Qty,
}

/// Unmapped items of a run of weeks or months.
pub async fn unmapped(db: &Db, run: Run, stores: Option<&[String]>) -> Result<Vec<UnmappedSum>, DbError> {
    let query = of_stores(
        db.sql("select pos_item_id as item_id, cast(sum(qty) as bigint) as qty from sales_rollup_pos where"),
        stores,
    );
    of_run(query, run)
        .push(" and pos_item_id >= 'unmapped:' and pos_item_id < 'unmapped;' group by pos_item_id")
        .all()
        .await
}

/// Net sales by period.
pub async fn net_by_period(
    db: &Db,
    run: Run,
    stores: Option<&[String]>,
) -> Result<Vec<(BusinessDay, Money)>, DbError> {
    let query =
        of_stores(db.sql("select period, cast(sum(net) as bigint) from sales_rollup_pos where"), stores);
    of_run(query, run).push(" group by period").all().await
}

/// Name and kind of an item.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ItemName {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Root item's type, POS item's category.
    pub kind: Option<String>,
}

/// Root items by id.
pub async fn root_names(db: &Db) -> Result<HashMap<String, ItemName>, DbError> {
    by_id(db.sql("select id, name, item_type as kind from root_items").all().await?)
}

/// POS items by id.
pub async fn pos_names(db: &Db) -> Result<HashMap<String, ItemName>, DbError> {
    by_id(db.sql("select id, description as name, category as kind from pos_items").all().await?)
}

fn by_id(items: Vec<ItemName>) -> Result<HashMap<String, ItemName>, DbError> {
    Ok(items.into_iter().map(|item| (item.id.clone(), item)).collect())
}

/// Stores that have sales, by name.
pub async fn stores(db: &Db, wished: Option<&[String]>) -> Result<Vec<(String, String)>, DbError> {
    let query = db.sql(
        "select id, name from locations l
         where exists (select 1 from sales_days d where d.store_id = l.id)",
    );
    let query = match wished {
        Some(ids) => query.push(" and id in ").push_ids(ids),
        None => query,
    };
    query.push(" order by name_key, id").all().await
}

/// Stores in regional areas, or in operational areas and those below them.
pub async fn stores_in_areas(db: &Db, areas: &[String]) -> Result<Vec<String>, DbError> {
    let found: Vec<(String,)> = db
        .sql(
            "with recursive area (id) as (
               select id from operational_areas where id in ",
        )
        .push_ids(areas)
        .push(
            " union select o.id from operational_areas o join area on o.parent_id = area.id
             )
             select id from locations
             where operational_area_id in (select id from area) or regional_area_id in ",
        )
        .push_ids(areas)
        .push(" order by id")
        .all()
        .await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// POS items that are mapped but say nothing of what they are made of.
pub async fn pos_items_without_bom(db: &Db) -> Result<Vec<String>, DbError> {
    let found: Vec<(String,)> = db
        .sql(
            "select id from pos_items p
             where not exists (select 1 from bom_versions v where v.pos_item_id = p.id)",
        )
        .all()
        .await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// A part of a figure: one store, one period or one POS item on one day.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Part {
    /// The store.
    pub store_id: String,
    /// First day.
    pub period: BusinessDay,
    /// The POS item, on single days of a root item.
    pub pos_item_id: Option<String>,
    /// POS quantity, or root quantity where there is no POS item.
    pub qty: Qty,
    /// Root units in one POS item.
    pub multiplier: Option<Factor>,
    /// Net sales, where the part is of a POS item.
    pub net: Option<Money>,
}

/// What a figure is about.
#[derive(Debug, Clone, Copy)]
pub enum Subject<'a> {
    /// A root item.
    Root(&'a str),
    /// A POS item.
    Pos(&'a str),
}

/// A root item's days in full: each POS item that used it.
pub async fn root_days(db: &Db, run: Run, stores: &[String], root: &str) -> Result<Vec<Part>, DbError> {
    db.sql(
        "select d.store_id, d.business_date as period, d.pos_item_id, cast(sum(d.qty) as bigint) as qty,
                b.multiplier as multiplier, cast(sum(d.net) as bigint) as net
         from bom_lines b
         join bom_versions v on v.id = b.bom_id
         join sales_day_items d on d.bom_id = b.bom_id and d.pos_item_id = v.pos_item_id
         where b.root_item_id = ",
    )
    .push_bind(root)
    .push(" and d.store_id in ")
    .push_ids(stores)
    .push(" and d.business_date between ")
    .push_bind(run.first)
    .push(" and ")
    .push_bind(run.last)
    .push(" group by d.store_id, d.business_date, d.pos_item_id, b.multiplier")
    .all()
    .await
}

/// A POS item's days.
pub async fn pos_days(db: &Db, run: Run, stores: &[String], pos: &str) -> Result<Vec<Part>, DbError> {
    db.sql(
        "select store_id, business_date as period, pos_item_id, cast(sum(qty) as bigint) as qty,
                cast(null as bigint) as multiplier, cast(sum(net) as bigint) as net
         from sales_day_items where store_id in ",
    )
    .push_ids(stores)
    .push(" and business_date between ")
    .push_bind(run.first)
    .push(" and ")
    .push_bind(run.last)
    .push(" and pos_item_id = ")
    .push_bind(pos)
    .push(" group by store_id, business_date, pos_item_id")
    .all()
    .await
}

/// A figure by store and period, from the kept sums.
pub async fn periods(
    db: &Db,
    run: Run,
    stores: &[String],
    subject: Subject<'_>,
) -> Result<Vec<Part>, DbError> {
    let (query, item) = match subject {
        Subject::Root(id) => (
            db.sql(
                "select store_id, period, cast(null as text) as pos_item_id, qty, cast(null as bigint) as multiplier,
                        cast(null as bigint) as net
                 from sales_rollup_root where",
            ),
            id,
        ),
        Subject::Pos(id) => (
            db.sql(
                "select store_id, period, pos_item_id, qty, cast(null as bigint) as multiplier, net
                 from sales_rollup_pos where",
            ),
            id,
        ),
    };
    let query = of_run(of_stores(query, Some(stores)), run);
    match subject {
        Subject::Root(_) => query.push(" and root_item_id = ").push_bind(item),
        Subject::Pos(_) => query.push(" and pos_item_id = ").push_bind(item),
    }
    .all()
    .await
}
