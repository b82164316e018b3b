//! What reports read: sums by period, names, and the store-days behind a figure. Sums of all stores
//! together are rows; those of chosen stores are packed and added up by the sales book.

use std::collections::HashMap;

use larder_db::{Db, DbError, Query};
use larder_domain::span::Run;
use larder_domain::{BusinessDay, Factor, Money, Qty};

use crate::books::sales::sums;

fn of_run<'q>(query: Query<'q>, run: Run) -> Query<'q> {
    query
        .push(" where grain = ")
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
    let Some(stores) = stores else {
        let query = db.sql(
            "select period, root_item_id as item_id, qty, cast(0 as bigint) as net from sales_rollup_root",
        );
        return of_run(query, run).all().await;
    };
    let sums = sums::by_period(db, sums::ROOT, run, stores).await?;
    Ok(period_sums(sums, |[qty]| (qty, 0)))
}

/// POS items by period.
pub async fn pos_by_period(db: &Db, run: Run, stores: Option<&[String]>) -> Result<Vec<PeriodSum>, DbError> {
    let Some(stores) = stores else {
        let query = db.sql("select period, pos_item_id as item_id, qty, net from sales_rollup_pos");
        return of_run(query, run).all().await;
    };
    let sums = sums::by_period(db, sums::POS, run, stores).await?;
    Ok(period_sums(sums, |[qty, _, net, _]| (qty, net)))
}

fn period_sums<const N: usize>(
    sums: Vec<(BusinessDay, sums::Items<N>)>,
    figures: impl Fn([i64; N]) -> (i64, i64) + Copy,
) -> Vec<PeriodSum> {
    let of_period = |(period, items): (BusinessDay, sums::Items<N>)| {
        items.into_iter().map(move |(item_id, all)| {
            let (qty, net) = figures(all);
            PeriodSum { period, item_id, qty: Qty(qty), net: Money(net) }
        })
    };
    sums.into_iter().flat_map(of_period).collect()
}

/// One item over a whole range.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ItemSum {
    /// Root or POS item.
    pub item_id: String,
    /// How much.
    pub qty: Qty,
}

/// Root items over some runs of periods.
pub async fn root_totals(db: &Db, runs: &[Run], stores: Option<&[String]>) -> Result<Vec<ItemSum>, DbError> {
    let Some(stores) = stores else {
        let parts = runs.iter().map(|run| {
            let query = db.sql(
                "select root_item_id as item_id, cast(sum(qty) as bigint) as qty from sales_rollup_root",
            );
            of_run(query, *run).push(" group by root_item_id").all()
        });
        return Ok(futures::future::try_join_all(parts).await?.into_iter().flatten().collect());
    };
    let items = sums::together(db, sums::ROOT, runs, stores).await?;
    Ok(items.into_iter().map(|(item_id, [qty])| ItemSum { item_id, qty: Qty(qty) }).collect())
}

/// POS items of all stores together that no POS item stands for.
pub async fn unmapped(db: &Db, run: Run) -> Result<Vec<ItemSum>, DbError> {
    let query =
        db.sql("select pos_item_id as item_id, cast(sum(qty) as bigint) as qty from sales_rollup_pos");
    of_run(query, run)
        .push(" and pos_item_id >= 'unmapped:' and pos_item_id < 'unmapped;' group by pos_item_id")
        .all()
        .await
}

/// Net sales of all stores together by period.
pub async fn net_by_period(db: &Db, run: Run) -> Result<Vec<(BusinessDay, Money)>, DbError> {
    let query = db.sql("select period, cast(sum(net) as bigint) from sales_rollup_pos");
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
    let part = |store_id, period, pos_item_id, qty, net| Part {
        store_id,
        period,
        pos_item_id,
        qty: Qty(qty),
        multiplier: None,
        net,
    };
    match subject {
        Subject::Root(id) => {
            let found = sums::of_item(db, sums::ROOT, run, stores, id).await?;
            Ok(found.into_iter().map(|(store, period, [qty])| part(store, period, None, qty, None)).collect())
        }
        Subject::Pos(id) => {
            let found = sums::of_item(db, sums::POS, run, stores, id).await?;
            let parts = found.into_iter().map(|(store, period, [qty, _, net, _])| {
                part(store, period, Some(id.to_owned()), qty, Some(Money(net)))
            });
            Ok(parts.collect())
        }
    }
}
