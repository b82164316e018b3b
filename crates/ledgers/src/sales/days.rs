//! Reads store days as they were posted.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use larder_db::{DbError, Query, Reader, Tx};
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
    store_id: String,
    business_date: BusinessDay,
    batch_id: Option<String>,
    revision: i64,
    corrected_at: Option<Timestamp>,
    posted_at: Timestamp,
    packed: Vec<u8>,
}

#[derive(larder_db::FromRow)]
struct TenderRow {
    store_id: String,
    business_date: BusinessDay,
    receipt_seq: i64,
    kind: String,
    amount: i64,
    reference: String,
}

const HEADS: &str = "select store_id, business_date, batch_id, revision, corrected_at, posted_at, packed
    from sales_days join sales_lines using (store_id, business_date, source) where source = $1";

const TENDERS: &str =
    "select store_id, business_date, receipt_seq, kind, amount, reference from sales_tenders
    where source = $1";

/// A store day, if it was posted.
///
/// # Errors
/// If the database fails, or holds invalid data.
pub async fn read(tx: &mut Tx<'_>, key: &DayKey) -> Result<Option<Posted>, DbError> {
    Ok(read_all(&mut Reader::Tx(tx), std::slice::from_ref(key)).await?.remove(key))
}

/// Those of some store days that were posted.
///
/// # Errors
/// If the database fails, or holds invalid data.
pub(super) async fn read_all(
    on: &mut Reader<'_, '_>,
    keys: &[DayKey],
) -> Result<HashMap<DayKey, Posted>, DbError> {
    let mut found = HashMap::new();
    for group in Group::all(keys) {
        let heads = group.narrow(on.sql(HEADS)).all().await?;
        let tenders = group.narrow(on.sql(TENDERS)).push(" order by tender_seq").all().await?;
        group.posted(heads, tenders, &mut found)?;
    }
    Ok(found)
}

/// Stores of which the same days are wanted: one query serves them all.
pub(super) struct Group {
    pub source: Arc<str>,
    pub stores: Vec<Arc<str>>,
    pub days: Vec<BusinessDay>,
}

impl Group {
    /// Groups that together are exactly some store days.
    pub fn all(keys: &[DayKey]) -> Vec<Self> {
        let mut of_store: BTreeMap<(&str, &str), BTreeSet<BusinessDay>> = BTreeMap::new();
        for key in keys {
            of_store.entry((&*key.source, &*key.store_id)).or_default().insert(key.day);
        }
        let mut stores: BTreeMap<(&str, BTreeSet<BusinessDay>), Vec<Arc<str>>> = BTreeMap::new();
        for ((source, store), days) in of_store {
            stores.entry((source, days)).or_default().push(store.into());
        }
        let groups = stores.into_iter().map(|((source, days), stores)| Self {
            source: source.into(),
            stores,
            days: days.into_iter().collect(),
        });
        groups.collect()
    }

    /// Completes a statement of which the only condition is `source = $1`.
    pub fn narrow<'q>(&self, query: Query<'q>) -> Query<'q> {
        query
            .bind(&*self.source)
            .push(" and business_date in ")
            .push_in(self.days.iter().copied())
            .push(" and store_id in ")
            .push_ids(&self.stores)
    }

    /// The key of a row.
    pub fn key(&self, store_id: &str, day: BusinessDay) -> DayKey {
        let known = self.stores.iter().find(|store| &***store == store_id).cloned();
        DayKey { store_id: known.unwrap_or_else(|| store_id.into()), day, source: self.source.clone() }
    }

    fn posted(
        &self,
        heads: Vec<Head>,
        tenders: Vec<TenderRow>,
        found: &mut HashMap<DayKey, Posted>,
    ) -> Result<(), DbError> {
        let mut paid: HashMap<(String, BusinessDay), Vec<Tender>> = HashMap::new();
        for TenderRow { store_id, business_date, receipt_seq, kind, amount, reference } in tenders {
            let receipt = i32::try_from(receipt_seq).unwrap_or(-1);
            let tender = Tender { receipt, kind, amount, reference };
            paid.entry((store_id, business_date)).or_default().push(tender);
        }
        for head in heads {
            let Head { store_id, business_date, batch_id, revision, corrected_at, posted_at, packed } = head;
            let key = self.key(&store_id, business_date);
            let Unpacked { items, receipts, lines, facts } = unpack(&packed)?;
            let day = StoreDay {
                store_id: key.store_id.clone(),
                day: key.day.0,
                source: key.source.clone(),
                items,
                receipts,
                tenders: paid.remove(&(store_id, business_date)).unwrap_or_default(),
                facts,
                lines,
            };
            found.insert(key, Posted { day, batch_id, revision, posted_at, corrected_at });
        }
        Ok(())
    }
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
