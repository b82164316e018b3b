//! What reports of sales read: sums by period, and the store-days behind a figure. The sums are packed, and
//! added up by the sales book.

use std::collections::BTreeMap;

use larder_db::{Db, DbError};
use larder_domain::sales::ALL_STORES;
use larder_domain::sales::sums::{Adder, Figures};
use larder_domain::span::Run;
use larder_domain::{BusinessDay, Factor, Money, Qty};

use larder_ledgers::sales::numbers;
use larder_ledgers::sales::numbers::Ids;
use larder_ledgers::sales::{bom, items, sums};

/// The places of quantity and net among the figures of a POS item.
pub const QTY_AND_NET: [usize; 2] = [0, 2];

/// Chosen stores, or all together.
fn within(stores: Option<&[String]>) -> Vec<String> {
    stores.map_or_else(|| vec![ALL_STORES.to_owned()], <[String]>::to_vec)
}

/// One item in one period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeriodSum {
    /// First day of the period.
    pub period: BusinessDay,
    /// Root or POS item.
    pub item_id: String,
    pub qty: Qty,
    /// For how much; nothing for root items.
    pub net: Money,
}

/// Root items by period.
pub(crate) async fn root_by_period(
    db: &Db,
    run: Run,
    stores: Option<&[String]>,
) -> Result<Vec<PeriodSum>, DbError> {
    let stores = within(stores);
    let (sums, ids) = tokio::try_join!(sums::by_period(db, sums::ROOT, run, &stores, [0]), numbers::all(db))?;
    Ok(period_sums(&sums, &ids, |[qty]| (qty, 0)))
}

/// POS items by period.
pub(crate) async fn pos_by_period(
    db: &Db,
    run: Run,
    stores: Option<&[String]>,
) -> Result<Vec<PeriodSum>, DbError> {
    let stores = within(stores);
    let (sums, ids) =
        tokio::try_join!(sums::by_period(db, sums::POS, run, &stores, QTY_AND_NET), numbers::all(db))?;
    Ok(period_sums(&sums, &ids, |[qty, net]| (qty, net)))
}

/// Quantity and net sales of POS items by period, in millionths and centavos.
#[derive(Debug)]
pub struct PosSums {
    sums: BTreeMap<BusinessDay, Adder<2>>,
    ids: Ids,
}

impl PosSums {
    /// Each period and item's number, by period.
    pub fn each(&self) -> impl Iterator<Item = (BusinessDay, u32, Figures<2>)> {
        self.sums.iter().flat_map(|(day, items)| items.items().map(|(item, sums)| (*day, item, sums)))
    }

    /// The item behind a number; empty where there is none.
    pub fn id(&self, number: u32) -> &str {
        self.ids.get(&number).map_or("", |id| id)
    }
}

/// POS items by period, by their numbers.
pub(crate) async fn pos_sums(db: &Db, run: Run, stores: Option<&[String]>) -> Result<PosSums, DbError> {
    let stores = within(stores);
    let (sums, ids) =
        tokio::try_join!(sums::by_period(db, sums::POS, run, &stores, QTY_AND_NET), numbers::all(db))?;
    Ok(PosSums { sums, ids })
}

fn period_sums<const M: usize>(
    sums: &BTreeMap<BusinessDay, Adder<M>>,
    ids: &Ids,
    figures: impl Fn(Figures<M>) -> (i64, i64) + Copy,
) -> Vec<PeriodSum> {
    let of_period = |(period, items): (&BusinessDay, &Adder<M>)| {
        let period = *period;
        let sums = items.items().filter_map(move |(item, all)| {
            let (qty, net) = figures(all);
            let item_id = ids.get(&item)?.to_string();
            Some(PeriodSum { period, item_id, qty: Qty(qty), net: Money(net) })
        });
        sums.collect::<Vec<_>>()
    };
    sums.iter().flat_map(of_period).collect()
}

/// One item over a whole range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemSum {
    /// Root or POS item.
    pub item_id: String,
    pub qty: Qty,
}

/// Root items over some runs of periods.
pub(crate) async fn root_totals(
    db: &Db,
    runs: &[Run],
    stores: Option<&[String]>,
) -> Result<Vec<ItemSum>, DbError> {
    let stores = within(stores);
    let (items, ids) =
        tokio::try_join!(sums::together(db, sums::ROOT, runs, &stores, [0]), numbers::all(db))?;
    let sum = |(item, [qty]): (u32, [i64; 1])| {
        Some(ItemSum { item_id: ids.get(&item)?.to_string(), qty: Qty(qty) })
    };
    Ok(items.items().filter_map(sum).collect())
}

/// POS items that are mapped but say nothing of what they are made of.
pub(crate) async fn pos_items_without_bom(db: &Db) -> Result<Vec<String>, DbError> {
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
pub(crate) async fn root_days(
    db: &Db,
    run: Run,
    stores: &[String],
    root: &str,
) -> Result<Vec<Part>, DbError> {
    let users = bom::users(db, &[root]).await?;
    days(db, run, stores, |item, bom| {
        let (_, multiplier) = users.get(&(item, bom))?.first()?;
        Some(Some(*multiplier))
    })
    .await
}

/// A POS item's days.
pub(crate) async fn pos_days(db: &Db, run: Run, stores: &[String], pos: &str) -> Result<Vec<Part>, DbError> {
    let Some(number) = numbers::of(db, pos).await? else { return Ok(Vec::new()) };
    days(db, run, stores, |item, _| (item == number).then_some(None)).await
}

/// What stores sold day by day of items that `wanted` answers for, with what it answers.
async fn days(
    db: &Db,
    run: Run,
    stores: &[String],
    wanted: impl Fn(u32, Option<i64>) -> Option<Option<Factor>>,
) -> Result<Vec<Part>, DbError> {
    let ids = numbers::all(db).await?;
    let days =
        items::sold(db, stores, run.first, run.last, |item| wanted(item.item, item.bom).is_some()).await?;
    // Several sources may have sold the same item on a day.
    type Key = (String, BusinessDay, u32, Option<Factor>);
    let mut parts: BTreeMap<Key, (i64, i64)> = BTreeMap::new();
    for day in days {
        for item in day.items {
            let Some(multiplier) = wanted(item.item, item.bom) else { continue };
            let key = (day.store_id.clone(), day.date, item.item, multiplier);
            let sum = parts.entry(key).or_default();
            *sum = (sum.0.saturating_add(item.figures[0]), sum.1.saturating_add(item.figures[2]));
        }
    }
    let part = |((store_id, period, item, multiplier), (qty, net))| {
        let pos_item_id = Some(ids.get(&item)?.to_string());
        Some(Part { store_id, period, pos_item_id, qty: Qty(qty), multiplier, net: Some(Money(net)) })
    };
    Ok(parts.into_iter().filter_map(part).collect())
}

/// A figure by store and period, from the kept sums.
pub(crate) async fn periods(
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
