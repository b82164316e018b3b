//! The stored parts of store days that several batches make up. A day of one batch has none.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use larder_db::{Db, DbError, Json, Reader, Tx};
use larder_domain::sales::StoreDay;
use larder_domain::sales::day::{LineChange, Tender, Unpacked};
use larder_domain::sales::existing::{How, compose, is_same};
use larder_domain::{BusinessDay, Timestamp};

use super::days::{self, DayKey, Group, unpack};
use super::prepared::Prepared;
use super::store::Known;

/// What one batch brings to a store day.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub batch_id: Option<String>,
    /// How it joins the parts before it.
    pub how: How,
    pub day: StoreDay,
    pub posted_at: Timestamp,
    pub corrected_at: Option<Timestamp>,
}

/// A store day and its parts.
#[derive(Debug, Clone)]
pub(super) struct Grown {
    pub key: DayKey,
    pub parts: Vec<Part>,
}

/// A payment as stored: receipt, kind, centavos, reference.
type Paid = (i32, String, i64, String);

#[derive(larder_db::FromRow)]
struct Row {
    store_id: String,
    business_date: BusinessDay,
    source: String,
    batch_id: Option<String>,
    how: String,
    packed: Vec<u8>,
    tenders: Json<Vec<Paid>>,
    posted_at: Timestamp,
    corrected_at: Option<Timestamp>,
}

const PARTS: &str =
    "select store_id, business_date, source, batch_id, how, packed, tenders, posted_at, corrected_at
    from sales_day_parts where source = $1";

const OF_STORE: &str =
    "select store_id, business_date, source, batch_id, how, packed, tenders, posted_at, corrected_at
    from sales_day_parts where store_id = $1 order by business_date, source, seq";

impl Row {
    fn read(self, store_id: Arc<str>) -> Result<Part, DbError> {
        let how = How::parse(&self.how)
            .ok_or_else(|| DbError::Invalid(format!("a part of a store-day joins it by «{}»", self.how)))?;
        let Unpacked { items, receipts, lines, facts } = unpack(&self.packed)?;
        let tender = |(receipt, kind, amount, reference): Paid| Tender { receipt, kind, amount, reference };
        let day = StoreDay {
            store_id,
            day: self.business_date.0,
            source: self.source.into(),
            items,
            receipts,
            tenders: self.tenders.0.into_iter().map(tender).collect(),
            facts,
            lines,
        };
        let Self { batch_id, posted_at, corrected_at, .. } = self;
        Ok(Part { batch_id, how, day, posted_at, corrected_at })
    }
}

/// Parts by store day, those of each in order of posting.
pub(super) type PartsOfDays = HashMap<DayKey, Vec<Part>>;

/// The stored parts of store days; none for days of one batch.
pub(super) async fn of_days(on: &mut Reader<'_, '_>, keys: &[DayKey]) -> Result<PartsOfDays, DbError> {
    let mut parts = PartsOfDays::new();
    for group in Group::all(keys) {
        for row in group.narrow(on.sql(PARTS)).push(" order by seq").all::<Row>().await? {
            let key = group.key(&row.store_id, row.business_date);
            let part = row.read(key.store_id.clone())?;
            parts.entry(key).or_default().push(part);
        }
    }
    Ok(parts)
}

/// The batches of the stored parts of store days.
pub(super) async fn batches(tx: &mut Tx<'_>, keys: &[DayKey]) -> Result<HashSet<String>, DbError> {
    let mut batches = HashSet::new();
    for group in Group::all(keys) {
        let select =
            "select distinct batch_id from sales_day_parts where batch_id is not null and source = $1";
        let rows: Vec<(String,)> = group.narrow(tx.sql(select)).all().await?;
        batches.extend(rows.into_iter().map(|(id,)| id));
    }
    Ok(batches)
}

/// The stored parts of a store day, in order of posting; none for a day of one batch.
pub(super) async fn of_day(tx: &mut Tx<'_>, key: &DayKey) -> Result<Vec<Part>, DbError> {
    Ok(of_days(&mut Reader::Tx(tx), std::slice::from_ref(key)).await?.remove(key).unwrap_or_default())
}

/// All parts of store days: those stored, or their one batch; days without sales are missing.
pub(super) async fn standing(on: &mut Reader<'_, '_>, keys: &[DayKey]) -> Result<PartsOfDays, DbError> {
    let mut parts = of_days(on, keys).await?;
    let plain: Vec<DayKey> = keys.iter().filter(|key| !parts.contains_key(key)).cloned().collect();
    parts.extend(days::read_all(on, &plain).await?.into_iter().map(|(key, day)| (key, vec![whole(day)])));
    Ok(parts)
}

/// A day of one batch as a part.
fn whole(found: days::Posted) -> Part {
    let days::Posted { day, batch_id, posted_at, corrected_at, .. } = found;
    Part { batch_id, how: How::Add, day, posted_at, corrected_at }
}

/// The parts of a store's days, by day and source.
pub(super) async fn of_store(
    db: &Db,
    store: &str,
) -> Result<HashMap<(BusinessDay, String), Vec<Part>>, DbError> {
    let store_id: Arc<str> = store.into();
    let rows: Vec<Row> = db.sql(OF_STORE).bind(store).all().await?;
    let mut parts: HashMap<(BusinessDay, String), Vec<Part>> = HashMap::new();
    for row in rows {
        let key = (row.business_date, row.source.clone());
        parts.entry(key).or_default().push(row.read(store_id.clone())?);
    }
    Ok(parts)
}

/// Up to `at_most` store days with parts of a batch.
pub(super) async fn days_of(tx: &mut Tx<'_>, batch_id: &str, at_most: i64) -> Result<Vec<DayKey>, DbError> {
    let rows: Vec<(String, BusinessDay, String)> = tx
        .sql(
            "select distinct store_id, business_date, source from sales_day_parts where batch_id = $1
             order by store_id, business_date, source limit $2",
        )
        .bind(batch_id)
        .bind(at_most)
        .all()
        .await?;
    Ok(rows.into_iter().map(key).collect())
}

fn key((store_id, day, source): (String, BusinessDay, String)) -> DayKey {
    DayKey { store_id: store_id.into(), day, source: source.into() }
}

/// A store's days with parts that may name an item.
pub(super) async fn with_item(tx: &mut Tx<'_>, store: &str, item: &str) -> Result<Vec<DayKey>, DbError> {
    let rows: Vec<(BusinessDay, String, Vec<u8>)> = tx
        .sql("select business_date, source, packed from sales_day_parts where store_id = $1")
        .bind(store)
        .all()
        .await?;
    // Names are stored as they are.
    let names = |packed: &[u8]| packed.windows(item.len().max(1)).any(|bytes| bytes == item.as_bytes());
    let named = rows.into_iter().filter(|(.., packed)| names(packed));
    Ok(named.map(|(day, source, _)| key((store.to_owned(), day, source))).collect())
}

/// Whether any part names an item.
pub(super) async fn mention(tx: &mut Tx<'_>, item: &str) -> Result<bool, DbError> {
    let stores: Vec<(String,)> =
        tx.sql("select distinct store_id from sales_day_parts order by store_id").all().await?;
    for (store,) in stores {
        if !with_item(tx, &store, item).await?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Deletes the stored parts of store days.
pub(super) async fn forget(tx: &mut Tx<'_>, keys: &[DayKey]) -> Result<(), DbError> {
    for group in Group::all(keys) {
        group.narrow(tx.sql("delete from sales_day_parts where source = $1")).execute().await?;
    }
    Ok(())
}

/// Replaces the stored parts of store days; `kept` is how much the days have of each. A day of one part needs none.
pub(super) async fn write(tx: &mut Tx<'_>, days: &[Grown], kept: &[Vec<usize>]) -> Result<(), DbError> {
    let keys: Vec<DayKey> = days.iter().map(|grown| grown.key.clone()).collect();
    forget(tx, &keys).await?;
    let mut rows = Vec::new();
    for (Grown { key, parts }, kept) in days.iter().zip(kept) {
        if parts.len() < 2 {
            continue;
        }
        for (seq, (part, kept)) in (1i64..).zip(parts.iter().zip(kept)) {
            rows.push((
                key.store_id.as_ref(),
                key.day,
                key.source.as_ref(),
                seq,
                part.batch_id.as_deref(),
                part.how.as_str(),
                part.day.pack(),
                paid(&part.day),
                i64::try_from(*kept).unwrap_or(i64::MAX),
                part.posted_at,
                part.corrected_at,
            ));
        }
    }
    tx.insert_rows("sales_day_parts", &COLUMNS, rows, "").await?;
    Ok(())
}

/// Writes days of one batch as two parts: a copy that another batch brings, and before it counts, the batch's own.
pub(super) async fn write_copies(
    tx: &mut Tx<'_>,
    days: &[(&Prepared, &Known)],
    batch_id: &str,
) -> Result<(), DbError> {
    let at = tx.actor().at;
    let mut rows = Vec::with_capacity(days.len() * 2);
    for (Prepared { day, packed, .. }, known) in days {
        let size = day.lines.len() + day.receipts.len() + day.tenders.len() + day.facts.len();
        let copy = (1i64, Some(batch_id), at, None);
        let own = (2i64, known.batch_id.as_deref(), known.posted_at, known.corrected_at);
        for (seq, batch_id, posted_at, corrected_at) in [copy, own] {
            rows.push((
                day.store_id.as_ref(),
                BusinessDay(day.day),
                day.source.as_ref(),
                seq,
                batch_id,
                How::Add.as_str(),
                packed.clone(),
                paid(day),
                i64::try_from(size).unwrap_or(i64::MAX),
                posted_at,
                corrected_at,
            ));
        }
    }
    tx.insert_rows("sales_day_parts", &COLUMNS, rows, "").await?;
    Ok(())
}

/// The payments of a day as stored.
fn paid(day: &StoreDay) -> Json<Vec<Paid>> {
    let tender = |paid: &Tender| (paid.receipt, paid.kind.clone(), paid.amount, paid.reference.clone());
    Json(day.tenders.iter().map(tender).collect())
}

/// The columns of `sales_day_parts`.
const COLUMNS: [&str; 11] = [
    "store_id",
    "business_date",
    "source",
    "seq",
    "batch_id",
    "how",
    "packed",
    "tenders",
    "kept",
    "posted_at",
    "corrected_at",
];

/// Whether the part at `at` is a copy of the next: both joined those before in the same way, so that the next counts
/// alone, and the copy in its place once that is taken back.
fn is_copy(parts: &[Part], at: usize) -> bool {
    let (part, next) = (parts.get(at), parts.get(at + 1));
    part.zip(next).is_some_and(|(part, next)| part.how == next.how && is_same(&part.day, &next.day))
}

/// How much the day has of each part, `kept` by [`compose`]; of a copy as much as of the part it is a copy of.
pub(super) fn with_copies(parts: &[Part], mut kept: Vec<usize>) -> Vec<usize> {
    for at in (1..kept.len()).rev() {
        if is_copy(parts, at - 1) {
            kept[at - 1] = kept[at];
        }
    }
    kept
}

/// Removes the copies, before a part changes and they would count beside it.
pub(super) fn drop_copies(parts: &mut Vec<Part>) {
    for at in (0..parts.len()).rev() {
        if is_copy(parts, at) {
            parts.remove(at);
        }
    }
}

/// Parts with how each joins those before it.
pub(super) fn views(parts: &[Part]) -> Vec<(How, &StoreDay)> {
    parts.iter().map(|part| (part.how, &part.day)).collect()
}

/// Gives items of a store day another POS item, where `target` names one for their current id.
pub(super) fn rename(day: &mut StoreDay, target: impl Fn(&str) -> Option<Arc<str>>) {
    for item in &mut day.items {
        if let Some(target) = target(&item.pos_item_id) {
            item.pos_item_id = target;
        }
    }
}

/// Corrects lines of the composed day in the parts they came from.
///
/// # Errors
/// The line and what is wrong with its change.
pub(super) fn correct(
    parts: &mut [Part],
    changes: &[LineChange],
    at: Timestamp,
) -> Result<(), (u32, &'static str)> {
    let Some(composed) = compose(&views(parts)) else { return Ok(()) };
    let mut of_part: HashMap<usize, Vec<LineChange>> = HashMap::new();
    for (place, change) in composed.day.places(changes)?.into_iter().zip(changes) {
        let (part, line) = composed.origins[place];
        of_part.entry(part).or_default().push(LineChange { place: Some(line), ..change.clone() });
    }
    for (part, changes) in of_part {
        let part = &mut parts[part];
        part.day.correct(&changes)?;
        part.corrected_at = Some(at);
    }
    Ok(())
}
