//! Recounts everything from the store days, and repairs differences.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use futures::TryStreamExt;
use larder_db::{Actor, Db, DbError};
use larder_domain::BusinessDay;
use larder_domain::sales::day::{ItemSums, Tender, Till, TillFacts, Unpacked, pack_items};
use larder_domain::sales::existing::compose;
use larder_domain::sales::rollup::BlockDelta;
use larder_domain::sales::sums::Sum;
use larder_domain::sales::times::first_and_last;
use larder_domain::sales::{ALL_STORES, BomBook, DayItem, Deltas, Grain, StoreDay, UNMAPPED};

use super::numbers::Ids;
use super::parts::{Part, views};
use super::store::{NO_TIMES, write_tills};
use super::{bom, days, duplicates, facts, items, numbers, parts, rollups, sums};
use larder_platform::http::ApiError;

/// A sum that differs from the recount.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    pub table: &'static str,
    /// The row's key, readable.
    pub key: String,
    /// Stored values: qty, gross, net, lines.
    pub stands: [i64; 4],
    /// Recounted values.
    pub counted: [i64; 4],
}

/// By grain, first day of the period and item number.
type Sums = BTreeMap<(i64, BusinessDay, u32), [i64; 4]>;

/// Recounts the sums from the store days' lines and the bills of materials, store by store, and lists
/// differences; empty if all agree.
///
/// # Errors
/// If the database fails.
pub async fn verify(db: &Db) -> Result<Vec<Difference>, ApiError> {
    let boms = bom::load_all(db).await?;
    let ids = numbers::all(db).await?;
    let mut differences = Differences { ids: &ids, all: Vec::new() };
    let mut together = (Sums::new(), Sums::new());
    for store in stores(db).await? {
        let (pos, root) = count(db, &store, &boms, &mut differences).await?;
        for (all, own) in [(&mut together.0, &pos), (&mut together.1, &root)] {
            for (key, sums) in own {
                add(all.entry(*key).or_default(), *sums);
            }
        }
        differences.compare(sums::POS.name, &store, pos, stand(db, sums::POS, &store).await?);
        differences.compare(sums::ROOT.name, &store, root, stand(db, sums::ROOT, &store).await?);
    }
    let (pos, root) = together;
    let months = pos.iter().filter(|((grain, ..), _)| *grain == Grain::Month.code());
    let months = months.map(|(key, sums)| (*key, *sums)).collect();
    differences.compare("sales_rollup_pos", ALL_STORES, months, stand_months(db, &ids).await?);
    differences.compare(sums::POS.name, ALL_STORES, pos, stand(db, sums::POS, ALL_STORES).await?);
    differences.compare(sums::ROOT.name, ALL_STORES, root, stand(db, sums::ROOT, ALL_STORES).await?);
    Ok(differences.all)
}

fn add(sum: &mut [i64; 4], more: [i64; 4]) {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum = sum.saturating_add(more);
    }
}

/// Every store in any of the tables.
async fn stores(db: &Db) -> Result<BTreeSet<String>, DbError> {
    let rows: Vec<(String,)> = db
        .sql(
            "select store_id from sales_locks union select distinct store_id from sales_days
             union select distinct store_id from sales_sums_pos
             union select distinct store_id from sales_sums_root",
        )
        .all()
        .await?;
    Ok(rows.into_iter().map(|row| row.0).filter(|id| id != ALL_STORES).collect())
}

const PARTS: &str = "sales_day_parts";

struct Differences<'a> {
    ids: &'a Ids,
    all: Vec<Difference>,
}

impl Differences<'_> {
    fn name(&self, item: u32) -> String {
        self.ids.get(&item).map_or_else(|| format!("number {item}"), |id| id.to_string())
    }

    fn tell(&mut self, table: &'static str, key: String, stands: [i64; 4], counted: [i64; 4]) {
        self.all.push(Difference { table, key, stands, counted });
    }

    /// Compares a store day with what its parts make up.
    fn compare_parts(&mut self, at: &str, day: &StoreDay, parts: &[Part]) {
        let composed = compose(&views(parts)).map(|composed| composed.day);
        if composed.as_ref() == Some(day) {
            return;
        }
        let sums = |day: &StoreDay| {
            let totals = day.totals();
            [totals.qty, totals.gross, totals.net, totals.lines]
        };
        self.tell(PARTS, at.to_owned(), sums(day), composed.as_ref().map(sums).unwrap_or_default());
    }

    /// Compares the receipt facts of a day, figure by figure.
    fn compare_facts(&mut self, at: &str, counted: FactsOfDay, mut stands: FactsOfDay) {
        let none = [0; facts::FIGURES];
        let mut both: Vec<_> = counted
            .into_iter()
            .map(|(till, counted)| {
                let there = stands.remove(&till);
                (till, there, Some(counted))
            })
            .collect();
        both.extend(stands.into_iter().map(|(till, there)| (till, Some(there), None)));
        for (till, there, counted) in both {
            if there.is_some() != counted.is_some() {
                let rows = |row: bool| [0, 0, 0, i64::from(row)];
                self.tell(
                    "sales_day_facts",
                    format!("{at} {till}"),
                    rows(there.is_some()),
                    rows(counted.is_some()),
                );
                continue;
            }
            let figures = there.unwrap_or(none).into_iter().zip(counted.unwrap_or(none));
            for (name, (there, counted)) in facts::names().iter().zip(figures).filter(|(_, (a, b))| a != b) {
                self.tell(
                    "sales_day_facts",
                    format!("{at} {till} {name}"),
                    [0, 0, there, 0],
                    [0, 0, counted, 0],
                );
            }
        }
    }

    fn compare(&mut self, table: &'static str, store: &str, counted: Sums, mut stands: Sums) {
        for ((grain, period, item), counted) in counted {
            let there = stands.remove(&(grain, period, item)).unwrap_or_default();
            if there != counted {
                let key = format!("{store} {grain} {period} {}", self.name(item));
                self.tell(table, key, there, counted);
            }
        }
        for ((grain, period, item), there) in stands {
            if there != [0; 4] {
                let key = format!("{store} {grain} {period} {}", self.name(item));
                self.tell(table, key, there, [0; 4]);
            }
        }
    }
}

#[derive(larder_db::FromRow)]
struct DayRow {
    business_date: BusinessDay,
    source: String,
    packed: Vec<u8>,
}

/// The stored items of a store day.
struct Stands {
    unmapped: i64,
    items: BTreeMap<String, [i64; 4]>,
}

/// One store's sums by recount, and differences between its store days and their lines.
async fn count(
    db: &Db,
    store: &str,
    boms: &BomBook,
    differences: &mut Differences<'_>,
) -> Result<(Sums, Sums), ApiError> {
    let mut deltas = Deltas::default();
    let name: Arc<str> = Arc::from(store);
    let mut stand: BTreeMap<(BusinessDay, String), Stands> = BTreeMap::new();
    for day in items::of_store(db, store).await? {
        if day.counts {
            deltas.add_day(&name, day.date.0, &day.items, boms, 1).map_err(rollups::unfit)?;
        }
        let items = day.items.iter().map(|item| (differences.name(item.item), item.figures)).collect();
        stand.insert((day.date, day.source), Stands { unmapped: day.unmapped, items });
    }
    compare_lines(db, store, stand, differences).await?;
    for (key, is_left_out) in duplicates::unlike(db, store).await? {
        let rows = |row: bool| [0, 0, 0, i64::from(row)];
        let at = format!("{store} {} {}", key.day, key.source);
        differences.tell("sales_left_out", at, rows(is_left_out), rows(!is_left_out));
    }
    // Summed for the store and for all; only the store's are used here.
    let (pos, root) = (deltas.pos().map_err(rollups::unfit)?, deltas.root().map_err(rollups::unfit)?);
    Ok((of(pos, store), of(root, store)))
}

/// Recounted sums of a store, by item.
fn of<const N: usize>(deltas: Vec<BlockDelta<N>>, store: &str) -> Sums {
    let own = deltas.into_iter().filter(|delta| delta.store.as_ref() == store);
    flat(own.map(|delta| (delta.grain.code(), BusinessDay(delta.block), delta.sums)))
}

/// Sums of blocks as rows of items and periods, padded with zeros to four figures.
fn flat<const N: usize>(blocks: impl IntoIterator<Item = (i64, BusinessDay, Vec<Sum<N>>)>) -> Sums {
    let mut all = Sums::new();
    for (grain, block, sums) in blocks {
        for sum in sums {
            let mut four = [0; 4];
            four[..N].copy_from_slice(&sum.figures);
            add(all.entry((grain, block.plus(sum.slot.into()), sum.item)).or_default(), four);
        }
    }
    all
}

async fn stand<const N: usize>(db: &Db, table: sums::Table<N>, store: &str) -> Result<Sums, DbError> {
    Ok(flat(sums::of_store(db, table, store).await?))
}

/// Compares a store's sums per item and day, and its tills, with their lines.
async fn compare_lines(
    db: &Db,
    store: &str,
    mut stand: BTreeMap<(BusinessDay, String), Stands>,
    differences: &mut Differences<'_>,
) -> Result<(), ApiError> {
    const ITEMS: &str = "sales_day_items";
    let mut tills = tills(db, store).await?;
    let mut tenders = paid(db.sql(PAID).bind(store)).await?;
    let mut facts = Facts::new();
    for row in facts::of_store(db, store).await? {
        let figures = facts::figures(&row.till);
        facts.entry((row.date, row.source)).or_default().insert(row.till.terminal, figures);
    }
    let mut rows = std::pin::pin!(
        db.sql("select business_date, source, packed from sales_lines where store_id = $1 order by business_date, source")
            .bind(store)
            .stream::<DayRow>()
    );
    let mut parts = parts::of_store(db, store).await?;
    while let Some(row) = rows.try_next().await? {
        let day = unpacked(Arc::from(store), row.business_date, &row.source, &row.packed, &tenders)?;
        let at = format!("{store} {} {}", row.business_date, row.source);
        let key = (row.business_date, row.source);
        if let Some(parts) = parts.remove(&key) {
            differences.compare_parts(&at, &day, &parts);
        }
        let mut stands = stand.remove(&key).unwrap_or_else(|| Stands { unmapped: 0, items: BTreeMap::new() });
        let mut unmapped = 0;
        for (id, counted) in day.item_sums() {
            unmapped += i64::from(id.starts_with(UNMAPPED));
            let there = stands.items.remove(id.as_ref()).unwrap_or_default();
            if there != counted {
                differences.tell(ITEMS, format!("{at} {id}"), there, counted);
            }
        }
        if unmapped != stands.unmapped {
            let counts = |n| [n, 0, 0, 0];
            differences.tell(ITEMS, format!("{at} unmapped"), counts(stands.unmapped), counts(unmapped));
        }
        for (item, there) in stands.items {
            differences.tell(ITEMS, format!("{at} {item}"), there, [0; 4]);
        }
        let mut there = tills.remove(&key).unwrap_or_default();
        for till in day.tills() {
            let counted = [till.totals.qty, till.totals.gross, till.totals.net, till.totals.lines];
            let (stands, tickets) = there.remove(&till.terminal).unwrap_or_default();
            if stands != counted {
                differences.tell("sales_tills", format!("{at} {}", till.terminal), stands, counted);
            }
            // Tickets not counted yet are no difference.
            let counted = (till.tickets, till.ticket_net);
            if let Some(stands) = tickets.filter(|stands| *stands != counted) {
                let figures = |(tickets, net)| [0, 0, net, tickets];
                let key = format!("{at} {} tickets", till.terminal);
                differences.tell("sales_tills", key, figures(stands), figures(counted));
            }
        }
        for (terminal, (stands, _)) in there {
            differences.tell("sales_tills", format!("{at} {terminal}"), stands, [0; 4]);
        }
        let counted = day.till_facts();
        let counted =
            counted.into_iter().map(|till| (till.terminal.clone(), facts::figures(&till))).collect();
        differences.compare_facts(&at, counted, facts.remove(&key).unwrap_or_default());
        let known = i32::try_from(day.receipts.len()).unwrap_or(i32::MAX);
        for tender in tenders.remove(&key).unwrap_or_default() {
            if !(-1..known).contains(&tender.receipt) {
                let of = format!("{at} receipt {} {}", tender.receipt, tender.kind);
                differences.tell("sales_tenders", of, [0, 0, tender.amount, 1], [0; 4]);
            }
        }
    }
    for ((day, source), parts) in parts {
        let rows = i64::try_from(parts.len()).unwrap_or(i64::MAX);
        differences.tell(PARTS, format!("{store} {day} {source}"), [0, 0, 0, rows], [0; 4]);
    }
    for ((day, source), stands) in facts {
        differences.compare_facts(&format!("{store} {day} {source}"), BTreeMap::new(), stands);
    }
    for ((day, source), tenders) in tenders {
        for tender in tenders {
            let of = format!("{store} {day} {source} {}", tender.kind);
            differences.tell("sales_tenders", of, [0, 0, tender.amount, 1], [0; 4]);
        }
    }
    for ((day, source), stands) in stand {
        for (item, there) in stands.items {
            differences.tell(ITEMS, format!("{store} {day} {source} {item}"), there, [0; 4]);
        }
    }
    for ((day, source), terminals) in tills {
        for (terminal, (there, _)) in terminals {
            differences.tell("sales_tills", format!("{store} {day} {source} {terminal}"), there, [0; 4]);
        }
    }
    Ok(())
}

/// The figures of a day's receipts, by till.
type FactsOfDay = BTreeMap<String, [i64; facts::FIGURES]>;
type Facts = BTreeMap<(BusinessDay, String), FactsOfDay>;
/// Payments per store day of a store, from receipts.
type Tenders = HashMap<(BusinessDay, String), Vec<Tender>>;

const PAID: &str = "select business_date, source, receipt_seq, kind, amount, reference from sales_tenders
    where store_id = $1 order by business_date, source, tender_seq";

async fn paid(query: larder_db::Query<'_>) -> Result<Tenders, DbError> {
    let rows: Vec<(BusinessDay, String, i64, String, i64, String)> = query.all().await?;
    let mut tenders = Tenders::new();
    for (day, source, receipt, kind, amount, reference) in rows {
        let receipt = i32::try_from(receipt).unwrap_or(i32::MAX);
        tenders.entry((day, source)).or_default().push(Tender { receipt, kind, amount, reference });
    }
    Ok(tenders)
}

/// The sums of each till of a store day, and the number of its tickets with their net sales, if counted.
type Tills = BTreeMap<(BusinessDay, String), BTreeMap<String, ([i64; 4], Option<(i64, i64)>)>>;

#[derive(larder_db::FromRow)]
struct TillRow {
    business_date: BusinessDay,
    source: String,
    terminal_id: String,
    qty: i64,
    gross: i64,
    net: i64,
    lines: i64,
    tickets: Option<i64>,
    ticket_net: Option<i64>,
}

async fn tills(db: &Db, store: &str) -> Result<Tills, DbError> {
    let rows: Vec<TillRow> = db
        .sql(
            "select business_date, source, terminal_id, qty, gross, net, lines, tickets, ticket_net from sales_tills
             where store_id = $1",
        )
        .bind(store)
        .all()
        .await?;
    let mut tills = Tills::new();
    for row in rows {
        let day = tills.entry((row.business_date, row.source)).or_default();
        let sums = [row.qty, row.gross, row.net, row.lines];
        day.insert(row.terminal_id, (sums, row.tickets.zip(row.ticket_net)));
    }
    Ok(tills)
}

fn unpacked(
    store_id: Arc<str>,
    day: BusinessDay,
    source: &str,
    packed: &[u8],
    tenders: &Tenders,
) -> Result<StoreDay, DbError> {
    let Unpacked { items, receipts, lines, facts } = days::unpack(packed)?;
    let tenders = tenders.get(&(day, source.to_owned())).cloned().unwrap_or_default();
    let (day, source) = (day.0, Arc::from(source));
    Ok(StoreDay { store_id, day, source, items, receipts, tenders, facts, lines })
}

async fn stand_months(db: &Db, ids: &Ids) -> Result<Sums, DbError> {
    let numbers: BTreeMap<&str, u32> = ids.iter().map(|(number, id)| (id.as_ref(), *number)).collect();
    let rows: Vec<(i64, BusinessDay, String, i64, i64, i64, i64)> = db
        .sql("select grain, period, pos_item_id, qty, gross, net, lines from sales_rollup_pos")
        .all()
        .await?;
    let number = |id: &str| numbers.get(id).copied().unwrap_or(u32::MAX);
    Ok(rows.into_iter().map(|(g, p, id, q, gross, n, l)| ((g, p, number(&id)), [q, gross, n, l])).collect())
}

/// Rebuilds all sums from the store days, one store per transaction. Returns the number of store days. Run it
/// while nothing is being imported.
///
/// # Errors
/// If the database fails.
pub async fn rebuild(db: &Db, actor: &Actor) -> Result<u64, ApiError> {
    let boms = &bom::load_all(db).await?;
    let mut counted = 0;
    db.write(actor, async |tx| -> Result<(), DbError> {
        tx.sql("delete from sales_rollup_pos").execute().await?;
        tx.sql("delete from sales_sums_pos").execute().await?;
        tx.sql("delete from sales_sums_root").execute().await?;
        Ok(())
    })
    .await?;
    for store in &stores(db).await? {
        counted += db.write(actor, async |tx| rebuild_store(tx, store, boms).await).await?;
    }
    Ok(counted)
}

async fn rebuild_store(tx: &mut larder_db::Tx<'_>, store: &str, boms: &BomBook) -> Result<u64, ApiError> {
    rollups::lock(tx, std::iter::once(store)).await?;
    let left_out = duplicates::settle_without_sums(tx, store).await?;
    let counts = |row: &DayRow| {
        let of_day = left_out.get(&(store.to_owned(), row.business_date));
        !of_day.is_some_and(|sources| sources.contains(&row.source))
    };
    let days: Vec<DayRow> = tx
        .sql("select business_date, source, packed from sales_lines where store_id = $1")
        .bind(store)
        .all()
        .await?;
    // Versions in use stay: a rebuild must not rewrite the past.
    let mut boms_of: BTreeMap<(BusinessDay, String), BTreeMap<u32, Option<i64>>> = BTreeMap::new();
    for day in items::since(tx, store, BusinessDay(i32::MIN)).await? {
        let boms = day.items.iter().map(|item| (item.item, item.bom)).collect();
        boms_of.insert((day.date, day.source), boms);
    }
    let name: Arc<str> = store.into();
    let mut counted: Vec<(&DayRow, i64, Vec<DayItem>)> = Vec::with_capacity(days.len());
    let mut deltas = Deltas::default();
    let mut all: Vec<(&DayRow, ItemSums)> = Vec::with_capacity(days.len());
    let mut tills: Vec<(StoreDay, Vec<Till>, Vec<TillFacts>)> = Vec::with_capacity(days.len());
    let mut hours: Vec<(BusinessDay, &str, i64, i64)> = Vec::with_capacity(days.len());
    let tenders = paid(tx.sql(PAID).bind(store)).await?;
    for row in &days {
        let day = unpacked(name.clone(), row.business_date, &row.source, &row.packed, &tenders)?;
        all.push((row, day.item_sums()));
        let (sums, facts) = (day.tills(), day.till_facts());
        let (first, last) = first_and_last(&day.lines, &day.receipts).unwrap_or((NO_TIMES, NO_TIMES));
        hours.push((row.business_date, row.source.as_str(), first.into(), last.into()));
        let bare = StoreDay { items: Vec::new(), receipts: Vec::new(), lines: Vec::new(), ..day };
        tills.push((bare, sums, facts));
    }
    write_hours(tx, store, hours).await?;
    tx.sql("delete from sales_tills where store_id = $1").bind(store).execute().await?;
    write_tills(tx, tills.iter().map(|(day, tills, _)| (day, tills.as_slice()))).await?;
    tx.sql("delete from sales_day_facts where store_id = $1").bind(store).execute().await?;
    facts::write(tx, tills.iter().map(|(day, _, facts)| (day, facts.as_slice()))).await?;
    let ids = all.iter().flat_map(|(_, sums)| sums).map(|(id, _)| id.as_ref());
    let numbers = numbers::assign(tx, ids).await?;
    for (row, sums) in all {
        let used = boms_of.remove(&(row.business_date, row.source.clone())).unwrap_or_default();
        let unmapped = sums.iter().filter(|(id, _)| id.starts_with(UNMAPPED)).count();
        let mut items: Vec<DayItem> = Vec::with_capacity(sums.len());
        for (id, figures) in sums {
            let Some(&item) = numbers.get(id.as_ref()) else { continue };
            let now = boms.at(item, row.business_date.0).map(|bom| bom.seq);
            items.push(DayItem { item, bom: used.get(&item).copied().unwrap_or(now), figures });
        }
        items.sort_unstable_by_key(|item| item.item);
        if counts(row) {
            deltas.add_day(&name, row.business_date.0, &items, boms, 1).map_err(rollups::unfit)?;
        }
        counted.push((row, i64::try_from(unmapped).unwrap_or(i64::MAX), items));
    }
    tx.sql("delete from sales_day_items where store_id = $1").bind(store).execute().await?;
    let rows = counted.iter().map(|(row, unmapped, items)| {
        (store, row.business_date, row.source.as_str(), *unmapped, pack_items(items))
    });
    let rows: Vec<_> = rows.collect();
    tx.insert_rows("sales_day_items", &super::store::DAY_ITEM_COLUMNS, rows, "").await?;
    rollups::apply(tx, &mut deltas).await?;
    Ok(days.len() as u64)
}

/// Days imported before their hours of sale were kept have none.
async fn write_hours(
    tx: &mut larder_db::Tx<'_>,
    store: &str,
    hours: Vec<(BusinessDay, &str, i64, i64)>,
) -> Result<(), DbError> {
    if hours.is_empty() {
        return Ok(());
    }
    tx.sql("update sales_days set first_sold = k.first_sold, last_sold = k.last_sold from ")
        .push_rows(&["business_date", "source", "first_sold", "last_sold"], hours)
        .push(" k where sales_days.business_date = k.business_date and sales_days.source = k.source and sales_days.store_id = ")
        .push_bind(store)
        .execute()
        .await?;
    Ok(())
}
