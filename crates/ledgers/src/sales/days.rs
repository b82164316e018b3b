//! Reads store days as they were posted.

use std::collections::BTreeMap;
use std::sync::Arc;

use larder_db::{Db, DbError, Query, Tx};
use larder_domain::sales::StoreDay;
use larder_domain::sales::day::{Tender, Unpacked};
use larder_domain::{BusinessDay, Timestamp};

/// Key of a store day of a source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DayKey {
    pub store_id: Arc<str>,
    pub day: BusinessDay,
    pub source: Arc<str>,
}

impl DayKey {
    /// The key of a store day.
    #[must_use]
    pub fn of(day: &StoreDay) -> Self {
        Self { store_id: day.store_id.clone(), day: BusinessDay(day.day), source: day.source.clone() }
    }
}

/// A posted store day.
#[derive(Debug, Clone)]
pub struct Posted {
    pub day: StoreDay,
    /// The batch that posted it.
    pub batch_id: Option<String>,
    /// Number of changes.
    pub revision: i64,
    /// When it was last posted.
    pub posted_at: Timestamp,
    /// When it was last corrected.
    pub corrected_at: Option<Timestamp>,
}

#[derive(larder_db::FromRow)]
struct Head {
    batch_id: Option<String>,
    revision: i64,
    corrected_at: Option<Timestamp>,
    posted_at: Timestamp,
    packed: Vec<u8>,
}

#[derive(larder_db::FromRow)]
struct TenderRow {
    receipt_seq: i64,
    kind: String,
    amount: i64,
    reference: String,
}

const HEAD: &str = "select d.batch_id, d.revision, d.corrected_at, d.posted_at, l.packed from sales_days d
    join sales_lines l on l.store_id = d.store_id and l.business_date = d.business_date and l.source = d.source
    where d.store_id = $1 and d.business_date = $2 and d.source = $3";

const TENDERS: &str = "select receipt_seq, kind, amount, reference from sales_tenders
    where store_id = $1 and business_date = $2 and source = $3 order by tender_seq";

/// A store day, if it was posted.
///
/// # Errors
/// If the database fails, or holds invalid data.
pub async fn read(tx: &mut Tx<'_>, key: &DayKey) -> Result<Option<Posted>, DbError> {
    let head: Option<Head> = of_key(tx.sql(HEAD), key).optional().await?;
    let Some(head) = head else { return Ok(None) };
    let tenders: Vec<TenderRow> = of_key(tx.sql(TENDERS), key).all().await?;
    Ok(Some(posted(key, head, tenders)?))
}

/// As [`read`], outside a transaction.
///
/// # Errors
/// As [`read`].
pub(super) async fn look(db: &Db, key: &DayKey) -> Result<Option<Posted>, DbError> {
    let head: Option<Head> = of_key(db.sql(HEAD), key).optional().await?;
    let Some(head) = head else { return Ok(None) };
    let tenders: Vec<TenderRow> = of_key(db.sql(TENDERS), key).all().await?;
    Ok(Some(posted(key, head, tenders)?))
}

/// Binds a store day's key as the first three parameters.
pub(super) fn of_key<'q>(query: Query<'q>, key: &DayKey) -> Query<'q> {
    query.bind(&*key.store_id).bind(key.day).bind(&*key.source)
}

fn posted(key: &DayKey, head: Head, tenders: Vec<TenderRow>) -> Result<Posted, DbError> {
    let Unpacked { items, receipts, lines, facts } = unpack(&head.packed)?;
    let tender = |row: TenderRow| Tender {
        receipt: i32::try_from(row.receipt_seq).unwrap_or(-1),
        kind: row.kind,
        amount: row.amount,
        reference: row.reference,
    };
    let day = StoreDay {
        store_id: key.store_id.clone(),
        day: key.day.0,
        source: key.source.clone(),
        items,
        receipts,
        tenders: tenders.into_iter().map(tender).collect(),
        facts,
        lines,
    };
    let Head { batch_id, revision, posted_at, corrected_at, .. } = head;
    Ok(Posted { day, batch_id, revision, posted_at, corrected_at })
}

/// Decodes packed lines; invalid ones were not written by this ledger.
pub fn unpack(packed: &[u8]) -> Result<Unpacked, DbError> {
    StoreDay::unpack(packed).ok_or_else(|| DbError::Invalid("a store-day's lines cannot be read".to_owned()))
}

/// Stores grouped by the range of their days among some store days.
pub fn ranges<'a>(
    keys: impl Iterator<Item = (&'a str, BusinessDay)>,
) -> Vec<(Vec<&'a str>, BusinessDay, BusinessDay)> {
    let mut of_store: BTreeMap<&str, (BusinessDay, BusinessDay)> = BTreeMap::new();
    for (store, day) in keys {
        let range = of_store.entry(store).or_insert((day, day));
        *range = (range.0.min(day), range.1.max(day));
    }
    let mut stores_of: BTreeMap<(BusinessDay, BusinessDay), Vec<&str>> = BTreeMap::new();
    for (store, range) in of_store {
        stores_of.entry(range).or_default().push(store);
    }
    stores_of.into_iter().map(|((first, last), stores)| (stores, first, last)).collect()
}
