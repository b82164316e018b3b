//! Queries of sales reports: sums by period, and the store-days behind a figure. Sums are stored encoded and
//! added up by the sales ledger.

use std::collections::BTreeMap;

use larder_db::{Db, DbError};
use larder_domain::sales::ALL_STORES;
use larder_domain::sales::sums::{Adder, Figures};
use larder_domain::span::Run;
use larder_domain::{BusinessDay, Factor, Money, Qty};

use larder_engines::reports::Question;
use larder_engines::reports::queries::stores;
pub(crate) use larder_engines::reports::queries::without_sales;
use larder_ledgers::paired_days::LeftOutDays;
use larder_ledgers::sales::numbers;
use larder_ledgers::sales::numbers::Ids;
use larder_ledgers::sales::{bom, items, sums};

/// Indexes of quantity and net sales among a POS item's measures.
pub const QTY_AND_NET: [usize; 2] = [0, 2];

/// The given stores, or all combined.
fn within(stores: Option<&[String]>) -> Vec<String> {
    stores.map_or_else(|| vec![ALL_STORES.to_owned()], <[String]>::to_vec)
}

/// An item's sum in a period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeriodSum {
    /// First day of the period.
    pub period: BusinessDay,
    /// Root item or POS item.
    pub item_id: String,
    pub qty: Qty,
    /// Net sales; 0 for root items.
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
    /// Period and item index, by period.
    pub fn each(&self) -> impl Iterator<Item = (BusinessDay, u32, Figures<2>)> {
        self.sums.iter().flat_map(|(day, items)| items.items().map(|(item, sums)| (*day, item, sums)))
    }

    /// The item at an index; empty if there is none.
    pub fn id(&self, number: u32) -> &str {
        self.ids.get(&number).map_or("", |id| id)
    }
}

/// POS items by period, with their indexes.
pub(crate) async fn pos_sums(db: &Db, run: Run, stores: Option<&[String]>) -> Result<PosSums, DbError> {
    let stores = within(stores);
    let (sums, ids) =
        tokio::try_join!(sums::by_period(db, sums::POS, run, &stores, QTY_AND_NET), numbers::all(db))?;
    Ok(PosSums { sums, ids })
}

/// What a comparison of a range with the days `back` earlier leaves out.
pub(crate) async fn left_out(db: &Db, question: &Question, back: i32) -> Result<LeftOutDays, DbError> {
    let stores = stores(db, question.stores.as_deref()).await?;
    let ids: Vec<String> = stores.into_iter().map(|(id, _)| id).collect();
    LeftOutDays::read(db, &ids, question.span, back).await
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

/// An item's total over a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemSum {
    /// Root item or POS item.
    pub item_id: String,
    pub qty: Qty,
}

/// Root items over several runs of periods.
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

/// Mapped POS items without a bill of materials.
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

/// A part of a figure: one store and period, or one POS item on one day.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Part {
    pub store_id: String,
    /// First day.
    pub period: BusinessDay,
    /// The POS item; only for single days of a root item.
    pub pos_item_id: Option<String>,
    /// POS quantity, or root quantity if there is no POS item.
    pub qty: Qty,
    /// Root units per POS item.
    pub multiplier: Option<Factor>,
    /// Net sales, if the part is for a POS item.
    pub net: Option<Money>,
}

/// Subject of a figure.
#[derive(Debug, Clone, Copy)]
pub enum Subject<'a> {
    Root(&'a str),
    Pos(&'a str),
}

/// A root item's days in full: every POS item that used it.
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

/// Daily sales of the items selected by `wanted`, with the value it returns.
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

/// A figure by store and period, from stored sums.
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
