//! Sales that count nowhere, because another source of the store day reports the same ones.
//!
//! [`Sources`] decides which source of a store day counts. The answer is kept in `sales_left_out`, and the sums are
//! without the sales left out. Every transaction that may change the answer settles the days anew: one that posts,
//! corrects or reverts sales, verifies or reopens a reading, or stores a user's choice. Queries that add up sales of
//! several sources take those that [`sales_count`](crate::sales_count) selects.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use larder_db::{Actor, Change, ChangeAction, Db, DbError, Reader, Tx};
use larder_domain::sales::Deltas;
use larder_domain::sales::sources::Sources;
use larder_domain::zreading::MAX_COVERED;
use larder_domain::{BusinessDay, Money, Span};
use serde_json::json;

use super::days::{DayKey, Group, ranges};
use super::replace::numbers_of;
use super::store::items_of;
use super::{bom, rollups};
use crate::counted_sources;
use crate::imported_sales::{self, Imported};
use crate::verified_readings::{covered, verified_from};
use larder_platform::http::ApiError;

/// A store's day.
type StoreDay = (String, BusinessDay);

/// Every day of a store.
const ALWAYS: Span = Span { from: BusinessDay(-1_000_000), to: BusinessDay(1_000_000) };

/// A source of a store day whose answer is to change.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Changed {
    key: DayKey,
    /// The source that counts instead, as kept; `None` if this one counts.
    was: Option<String>,
    /// As `was`, from now on.
    now: Option<String>,
}

/// Settles which sources of some store days count, and of the days near them whose readings cover these. Moves what is
/// left out anew out of the sums, and what counts again into them.
///
/// # Errors
/// 422 if a sum overflows.
pub(crate) async fn settle(
    tx: &mut Tx<'_>,
    days: impl IntoIterator<Item = (&str, BusinessDay)>,
) -> Result<(), ApiError> {
    for (stores, from, to) in ranges(days.into_iter()) {
        settle_span(tx, &stores, Span { from, to }).await?;
    }
    Ok(())
}

/// As [`settle`], of a store's days after a reading or a user's choice changed.
///
/// # Errors
/// 422 if a sum overflows.
pub async fn settle_days(tx: &mut Tx<'_>, store: &str, span: Span) -> Result<(), ApiError> {
    settle_span(tx, &[store], span).await
}

async fn settle_span(tx: &mut Tx<'_>, stores: &[&str], span: Span) -> Result<(), ApiError> {
    let doubled = doubled(&mut Reader::Tx(tx), stores, near(span)).await?;
    if doubled.is_empty() {
        return Ok(());
    }
    let stores: BTreeSet<&str> = doubled.iter().map(|(store, _)| store.as_str()).collect();
    let stores: Vec<&str> = stores.into_iter().collect();
    rollups::lock(tx, stores.iter().copied()).await?;
    let changed = decide(&mut Reader::Tx(tx), &stores, span).await?;
    if changed.is_empty() {
        return Ok(());
    }
    keep(tx, &changed).await?;
    move_sums(tx, &changed).await?;
    record(tx, &changed).await?;
    Ok(())
}

/// The days that a reading may cover together with one of these.
fn near(span: Span) -> Span {
    Span { from: span.from.plus(-MAX_COVERED), to: span.to.plus(MAX_COVERED) }
}

/// The store days with several sources, or with one left out.
async fn doubled(
    on: &mut Reader<'_, '_>,
    stores: &[&str],
    span: Span,
) -> Result<BTreeSet<StoreDay>, DbError> {
    let rows: Vec<StoreDay> = on
        .sql("select store_id, business_date from sales_days where business_date between ")
        .push_bind(span.from)
        .push(" and ")
        .push_bind(span.to)
        .push(" and store_id in ")
        .push_ids(stores)
        .push(
            " group by store_id, business_date having count(*) > 1
            union select store_id, business_date from sales_left_out where business_date between ",
        )
        .push_bind(span.from)
        .push(" and ")
        .push_bind(span.to)
        .push(" and store_id in ")
        .push_ids(stores)
        .all()
        .await?;
    Ok(rows.into_iter().collect())
}

/// What the answer depends on.
struct Known {
    imported: HashMap<StoreDay, Imported>,
    /// Net sales that verified readings say, by till.
    read: HashMap<StoreDay, BTreeMap<String, Money>>,
    chosen: HashMap<StoreDay, String>,
    /// The sources left out, each with the one that counts instead.
    was: HashMap<StoreDay, BTreeMap<String, String>>,
}

impl Known {
    async fn read(on: &mut Reader<'_, '_>, stores: &[&str], span: Span) -> Result<Self, DbError> {
        let verified = verified_from(on, stores, span).await?;
        let left_out: Vec<(String, BusinessDay, String, String)> = on
            .sql(
                "select store_id, business_date, source, counted from sales_left_out
                 where business_date between $1 and $2 and store_id in ",
            )
            .bind(span.from)
            .bind(span.to)
            .push_ids(stores)
            .all()
            .await?;
        let mut was: HashMap<StoreDay, BTreeMap<String, String>> = HashMap::new();
        for (store, day, source, counted) in left_out {
            was.entry((store, day)).or_default().insert(source, counted);
        }
        Ok(Self {
            imported: imported_sales::imported(on, stores, span).await?,
            read: covered::net_by_till(on, (stores, span), &verified).await?,
            chosen: counted_sources::chosen(on, stores, span).await?,
            was,
        })
    }

    /// The sources of a store day that do not count, each with the one that does instead.
    fn left_out(&self, of: &StoreDay) -> BTreeMap<String, String> {
        let none = BTreeMap::new();
        let rows = self.imported.get(of).map_or_else(Vec::new, Imported::rows);
        let chosen = self.chosen.get(of).map(String::as_str);
        let sources = Sources::of(&rows, self.read.get(of).unwrap_or(&none), chosen);
        let left = sources.doubled.into_iter().flat_map(|doubled| {
            let counted = doubled.counted;
            let others = doubled.sources.into_iter().filter(|source| *source != counted).collect::<Vec<_>>();
            others.into_iter().map(move |source| (source, counted.clone()))
        });
        left.collect()
    }
}

/// The sources whose answer is not as kept, among some days and those near them.
async fn decide(on: &mut Reader<'_, '_>, stores: &[&str], span: Span) -> Result<Vec<Changed>, DbError> {
    let span = near(span);
    let doubled = doubled(on, stores, span).await?;
    if doubled.is_empty() {
        return Ok(Vec::new());
    }
    let known = Known::read(on, stores, span).await?;
    let none = BTreeMap::new();
    let mut changed = Vec::new();
    for of in doubled {
        let (was, now) = (known.was.get(&of).unwrap_or(&none), known.left_out(&of));
        let sources: BTreeSet<&String> = was.keys().chain(now.keys()).collect();
        for source in sources.into_iter().filter(|source| was.get(*source) != now.get(*source)) {
            let key = DayKey { store_id: of.0.as_str().into(), day: of.1, source: source.as_str().into() };
            changed.push(Changed { key, was: was.get(source).cloned(), now: now.get(source).cloned() });
        }
    }
    Ok(changed)
}

/// Keeps the answers.
async fn keep(tx: &mut Tx<'_>, changed: &[Changed]) -> Result<(), DbError> {
    let counting: Vec<DayKey> =
        changed.iter().filter(|one| one.now.is_none()).map(|one| one.key.clone()).collect();
    forget(tx, &counting).await?;
    let at = tx.actor().at;
    let left = changed.iter().filter_map(|one| {
        let DayKey { store_id, day, source } = &one.key;
        Some((store_id.as_ref(), *day, source.as_ref(), one.now.as_deref()?, at))
    });
    let left: Vec<_> = left.collect();
    tx.insert_rows(
        "sales_left_out",
        &["store_id", "business_date", "source", "counted", "settled_at"],
        left,
        "on conflict (store_id, business_date, source) do update set counted = excluded.counted,
            settled_at = excluded.settled_at",
    )
    .await?;
    Ok(())
}

/// Forgets that sources of store days are left out.
pub(super) async fn forget(tx: &mut Tx<'_>, keys: &[DayKey]) -> Result<(), DbError> {
    for group in Group::all(keys) {
        group.narrow(tx.sql("delete from sales_left_out where source = $1")).execute().await?;
    }
    Ok(())
}

async fn move_sums(tx: &mut Tx<'_>, changed: &[Changed]) -> Result<(), ApiError> {
    let moved: HashMap<&DayKey, i64> = changed
        .iter()
        .filter(|one| one.was.is_some() != one.now.is_some())
        .map(|one| (&one.key, if one.now.is_some() { -1 } else { 1 }))
        .collect();
    let keys: Vec<DayKey> = moved.keys().map(|key| (*key).clone()).collect();
    let days = items_of(tx, &keys).await?;
    let boms = bom::load(tx, &numbers_of(&days).collect()).await?;
    let mut deltas = Deltas::default();
    for day in &days {
        let store: Arc<str> = day.store_id.as_str().into();
        let key = DayKey { store_id: store.clone(), day: day.date, source: day.source.as_str().into() };
        let Some(sign) = moved.get(&key) else { continue };
        deltas.add_day(&store, day.date.0, &day.items, &boms, *sign).map_err(rollups::unfit)?;
    }
    rollups::apply(tx, &mut deltas).await
}

/// One audit row and live event per store, source and answer: a file of a year would have hundreds.
async fn record(tx: &mut Tx<'_>, changed: &[Changed]) -> Result<(), DbError> {
    type Answer<'a> = (&'a str, &'a str, Option<&'a str>);
    let mut answers: BTreeMap<Answer<'_>, (BusinessDay, BusinessDay, u64)> = BTreeMap::new();
    for Changed { key, now, .. } in changed {
        let of = (key.store_id.as_ref(), key.source.as_ref(), now.as_deref());
        let days = answers.entry(of).or_insert((key.day, key.day, 0));
        *days = (days.0.min(key.day), days.1.max(key.day), days.2 + 1);
    }
    for ((store, source, instead), (from, to, days)) in answers {
        tx.record(Change {
            kind: "salesDay",
            id: format!("{store}_{from}_{source}"),
            store_id: Some(store.to_owned()),
            action: ChangeAction::Updated,
            before: None,
            after: Some(json!({
                "from": from, "to": to, "days": days, "counts": instead.is_none(), "countedSource": instead,
            })),
        })
        .await?;
    }
    Ok(())
}

/// The sources of a store's days that are left out and should not be, and the other way round, each with whether it is;
/// none of days that are not settled yet.
pub(super) async fn unlike(db: &Db, store: &str) -> Result<Vec<(DayKey, bool)>, DbError> {
    let mut changed = decide(&mut Reader::Db(db), &[store], ALWAYS).await?;
    if !changed.is_empty() {
        let unsettled: Vec<(BusinessDay,)> =
            db.sql("select business_date from sales_unsettled where store_id = $1").bind(store).all().await?;
        changed.retain(|one| !unsettled.contains(&(one.key.day,)));
    }
    Ok(changed.into_iter().map(|one| (one.key, one.was.is_some())).collect())
}

/// Settles all days of a store, for a caller that makes up its sums anew. Returns what is left out.
pub(super) async fn settle_without_sums(
    tx: &mut Tx<'_>,
    store: &str,
) -> Result<HashMap<StoreDay, BTreeSet<String>>, DbError> {
    let changed = decide(&mut Reader::Tx(tx), &[store], ALWAYS).await?;
    keep(tx, &changed).await?;
    tx.sql("delete from sales_unsettled where store_id = $1").bind(store).execute().await?;
    counted_sources::left_out(&mut Reader::Tx(tx), &[store], ALWAYS).await
}

/// Settles up to `most` store days of several sources that were posted before the answers were kept. Returns their number:
/// 0 if all are settled.
///
/// # Errors
/// If the database fails, or a sum overflows.
pub async fn settle_earlier(db: &Db, actor: &Actor, most: i64) -> Result<usize, ApiError> {
    db.write(actor, async |tx| -> Result<usize, ApiError> {
        let days: Vec<StoreDay> = tx
            .sql("select store_id, business_date from sales_unsettled order by store_id, business_date limit $1")
            .bind(most)
            .all()
            .await?;
        settle(tx, days.iter().map(|(store, day)| (store.as_str(), *day))).await?;
        for (store, day) in &days {
            tx.sql("delete from sales_unsettled where store_id = $1 and business_date = $2")
                .bind(store)
                .bind(*day)
                .execute()
                .await?;
        }
        Ok(days.len())
    })
    .await
}
