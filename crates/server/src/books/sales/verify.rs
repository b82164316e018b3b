//! Counts everything again from the store-days, and repairs what does not agree.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures::TryStreamExt;
use larder_db::{Actor, Db, DbError};
use larder_domain::BusinessDay;
use larder_domain::sales::day::DayItem;
use larder_domain::sales::rollup::PeriodDelta;
use larder_domain::sales::sums::Figures;
use larder_domain::sales::{ALL_STORES, BomBook, Deltas, StoreDay};

use super::{bom, days, rollups, sums};
use crate::http::ApiError;

/// A sum that is not what counting again gives.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// `sales_day_items`, `sales_rollup_pos`, `sales_rollup_root`, or those of single stores.
    pub table: &'static str,
    /// The row's key, readable.
    pub key: String,
    /// What stands there: qty, gross, net, lines.
    pub stands: [i64; 4],
    /// What counting gives.
    pub counted: [i64; 4],
}

type Sums = BTreeMap<(i64, BusinessDay, String), [i64; 4]>;

/// Counts the sums again from the store-days' lines and the bills of materials, store by store, and
/// lists what differs; nothing means that all agree.
///
/// # Errors
/// When the database cannot be read.
pub async fn verify(db: &Db) -> Result<Vec<Difference>, ApiError> {
    let boms = bom::load_all(db).await?;
    let mut differences = Vec::new();
    let mut together = (Sums::new(), Sums::new());
    for store in stores(db).await? {
        let (pos, root) = count(db, &store, &boms, &mut differences).await?;
        for (all, own) in [(&mut together.0, &pos), (&mut together.1, &root)] {
            for ((grain, period, item), sums) in own {
                add(all.entry((*grain, *period, item.clone())).or_default(), *sums);
            }
        }
        let stand = flat(sums::of_store(db, sums::POS, &store).await?);
        compare(sums::POS.name, &store, pos, stand, &mut differences);
        let stand = flat(sums::of_store(db, sums::ROOT, &store).await?);
        compare(sums::ROOT.name, &store, root, stand, &mut differences);
    }
    let (pos, root) = together;
    compare("sales_rollup_pos", ALL_STORES, pos, stand_pos(db).await?, &mut differences);
    compare("sales_rollup_root", ALL_STORES, root, stand_root(db).await?, &mut differences);
    Ok(differences)
}

fn add(sum: &mut [i64; 4], more: [i64; 4]) {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum = sum.saturating_add(more);
    }
}

/// Every store that any of the tables knows.
async fn stores(db: &Db) -> Result<BTreeSet<String>, DbError> {
    let rows: Vec<(String,)> = db
        .sql(
            "select store_id from sales_locks union select distinct store_id from sales_days
             union select distinct store_id from sales_store_pos
             union select distinct store_id from sales_store_root",
        )
        .all()
        .await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

#[derive(larder_db::FromRow)]
struct DayRow {
    business_date: BusinessDay,
    source: String,
    packed: String,
}

#[derive(larder_db::FromRow)]
struct ItemRow {
    business_date: BusinessDay,
    source: String,
    pos_item_id: String,
    bom_id: Option<String>,
    qty: i64,
    gross: i64,
    net: i64,
    lines: i64,
}

/// One store's sums by counting, and what of its store-days does not agree with their lines.
async fn count(
    db: &Db,
    store: &str,
    boms: &BomBook,
    differences: &mut Vec<Difference>,
) -> Result<(Sums, Sums), ApiError> {
    let rows: Vec<ItemRow> = db
        .sql(
            "select business_date, source, pos_item_id, bom_id, qty, gross, net, lines from sales_day_items
             where store_id = $1 order by business_date, source, pos_item_id",
        )
        .bind(store)
        .all()
        .await?;
    let mut deltas = Deltas::default();
    let name: Arc<str> = Arc::from(store);
    let mut stand: BTreeMap<(BusinessDay, String), BTreeMap<String, [i64; 4]>> = BTreeMap::new();
    for day in rows.chunk_by(|a, b| a.business_date == b.business_date && a.source == b.source) {
        let items: Vec<DayItem> = day
            .iter()
            .map(|row| DayItem {
                pos_item_id: row.pos_item_id.as_str().into(),
                bom_id: row.bom_id.as_deref().map(Into::into),
                qty: row.qty,
                gross: row.gross,
                net: row.net,
                lines: row.lines,
            })
            .collect();
        let date = day[0].business_date;
        deltas.add_day(&name, date.0, &items, boms, 1).map_err(|_| rollups::too_large())?;
        let sums = day.iter().map(|row| (row.pos_item_id.clone(), [row.qty, row.gross, row.net, row.lines]));
        stand.insert((date, day[0].source.clone()), sums.collect());
    }
    compare_lines(db, store, stand, differences).await?;
    // Added under the store and under all; the store's half is asked for here.
    Ok((of(deltas.pos(), store), of(deltas.root(), store)))
}

/// What was counted for a store, item by item.
fn of<const N: usize>(deltas: Vec<PeriodDelta<N>>, store: &str) -> Sums {
    let own = deltas.into_iter().filter(|delta| delta.store.as_ref() == store);
    flat(own.map(|delta| (delta.grain.code(), BusinessDay(delta.period), delta.items)))
}

/// Sums of periods as rows of items; what has fewer figures has zeros for the rest.
fn flat<const N: usize, S: AsRef<str>>(
    periods: impl IntoIterator<Item = (i64, BusinessDay, Vec<(S, Figures<N>)>)>,
) -> Sums {
    let mut sums = Sums::new();
    for (grain, period, items) in periods {
        for (item, figures) in items {
            let mut four = [0; 4];
            four[..N].copy_from_slice(&figures);
            add(sums.entry((grain, period, item.as_ref().to_owned())).or_default(), four);
        }
    }
    sums
}

/// Compares a store's sums per item and day with the lines they came from.
async fn compare_lines(
    db: &Db,
    store: &str,
    mut stand: BTreeMap<(BusinessDay, String), BTreeMap<String, [i64; 4]>>,
    differences: &mut Vec<Difference>,
) -> Result<(), ApiError> {
    let mut rows = std::pin::pin!(
        db.sql("select business_date, source, packed from sales_lines where store_id = $1 order by business_date, source")
            .bind(store)
            .stream::<DayRow>()
    );
    let mut tell = |day: BusinessDay, source: &str, item: &str, stands: [i64; 4], counted: [i64; 4]| {
        differences.push(Difference {
            table: "sales_day_items",
            key: format!("{store} {day} {source} {item}"),
            stands,
            counted,
        });
    };
    while let Some(row) = rows.try_next().await? {
        let (items, lines) = days::unpack(&row.packed)?;
        let day = StoreDay {
            store_id: Arc::from(store),
            day: row.business_date.0,
            source: row.source.as_str().into(),
            items,
            receipts: Vec::new(),
            tenders: Vec::new(),
            lines,
        };
        let mut stands = stand.remove(&(row.business_date, row.source.clone())).unwrap_or_default();
        for item in day.day_items(&BomBook::default()) {
            let counted = [item.qty, item.gross, item.net, item.lines];
            let there = stands.remove(item.pos_item_id.as_ref()).unwrap_or_default();
            if there != counted {
                tell(row.business_date, &row.source, &item.pos_item_id, there, counted);
            }
        }
        for (item, there) in stands {
            tell(row.business_date, &row.source, &item, there, [0; 4]);
        }
    }
    for ((day, source), items) in stand {
        for (item, there) in items {
            tell(day, &source, &item, there, [0; 4]);
        }
    }
    Ok(())
}

async fn stand_pos(db: &Db) -> Result<Sums, DbError> {
    let rows: Vec<(i64, BusinessDay, String, i64, i64, i64, i64)> = db
        .sql("select grain, period, pos_item_id, qty, gross, net, lines from sales_rollup_pos")
        .all()
        .await?;
    Ok(rows.into_iter().map(|(g, p, item, q, gross, n, l)| ((g, p, item), [q, gross, n, l])).collect())
}

async fn stand_root(db: &Db) -> Result<Sums, DbError> {
    let rows: Vec<(i64, BusinessDay, String, i64)> =
        db.sql("select grain, period, root_item_id, qty from sales_rollup_root").all().await?;
    Ok(rows.into_iter().map(|(g, p, item, q)| ((g, p, item), [q, 0, 0, 0])).collect())
}

fn compare(
    table: &'static str,
    store: &str,
    counted: Sums,
    mut stands: Sums,
    differences: &mut Vec<Difference>,
) {
    let key = |(grain, period, item): &(i64, BusinessDay, String)| format!("{store} {grain} {period} {item}");
    for (at, counted) in counted {
        let there = stands.remove(&at).unwrap_or_default();
        if there != counted {
            differences.push(Difference { table, key: key(&at), stands: there, counted });
        }
    }
    for (at, there) in stands {
        if there != [0; 4] {
            differences.push(Difference { table, key: key(&at), stands: there, counted: [0; 4] });
        }
    }
}

/// Builds all sums anew from the store-days, one store a transaction. Answers how many store-days
/// were counted. Meant for a server that is not importing meanwhile.
///
/// # Errors
/// When the database cannot be used.
pub async fn rebuild(db: &Db, actor: &Actor) -> Result<u64, ApiError> {
    let boms = &bom::load_all(db).await?;
    let mut counted = 0;
    db.write(actor, async |tx| -> Result<(), DbError> {
        tx.sql("delete from sales_rollup_pos").execute().await?;
        tx.sql("delete from sales_rollup_root").execute().await?;
        tx.sql("delete from sales_store_pos").execute().await?;
        tx.sql("delete from sales_store_root").execute().await?;
        Ok(())
    })
    .await?;
    for store in &stores(db).await? {
        counted += db
            .write(actor, async |tx| -> Result<u64, ApiError> {
                rollups::lock(tx, std::iter::once(store.as_str())).await?;
                let days: Vec<(BusinessDay, String, String)> = tx
                    .sql("select business_date, source, packed from sales_lines where store_id = $1")
                    .bind(store)
                    .all()
                    .await?;
                let boms_of: Vec<(BusinessDay, String, String, Option<String>)> = tx
                    .sql("select business_date, source, pos_item_id, bom_id from sales_day_items where store_id = $1")
                    .bind(store)
                    .all()
                    .await?;
                // The versions already used stay: rebuilding must not rewrite the past.
                let boms_of: BTreeMap<(BusinessDay, String, String), Option<String>> =
                    boms_of.into_iter().map(|(day, source, item, bom)| ((day, source, item), bom)).collect();
                let name: Arc<str> = store.as_str().into();
                let mut deltas = Deltas::default();
                let mut rows = Vec::new();
                for (date, source, packed) in &days {
                    let (items, lines) = days::unpack(packed)?;
                    let day = StoreDay {
                        store_id: name.clone(),
                        day: date.0,
                        source: source.as_str().into(),
                        items,
                        receipts: Vec::new(),
                        tenders: Vec::new(),
                        lines,
                    };
                    let mut items = day.day_items(boms);
                    for item in &mut items {
                        let key = (*date, source.clone(), item.pos_item_id.to_string());
                        if let Some(bom) = boms_of.get(&key) {
                            item.bom_id = bom.as_deref().map(Into::into);
                        }
                    }
                    deltas.add_day(&name, date.0, &items, boms, 1).map_err(|_| rollups::too_large())?;
                    rows.extend(items.into_iter().map(|item| (*date, source.as_str(), item)));
                }
                tx.sql("delete from sales_day_items where store_id = $1").bind(store).execute().await?;
                let rows: Vec<_> = rows.iter().map(|(date, source, item)| {
                    (
                        store.as_str(),
                        *date,
                        *source,
                        item.pos_item_id.as_ref(),
                        item.bom_id.as_deref(),
                        item.qty,
                        item.gross,
                        item.net,
                        item.lines,
                    )
                }).collect();
                tx.insert_rows("sales_day_items", &super::store::DAY_ITEM_COLUMNS, rows, "").await?;
                rollups::apply(tx, &deltas).await?;
                Ok(days.len() as u64)
            })
            .await?;
    }
    Ok(counted)
}
