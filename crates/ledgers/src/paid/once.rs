//! Which receipts count, if several sources report the same sales.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::{Db, Reader};
use larder_domain::Span;
use larder_domain::sales::sources::{Sources, TillSales};
use larder_domain::tender::KINDS;

use super::{PosTender, StoreDay, Types, tills_of_several};
use crate::counted_sources;
use crate::verified_readings::{Verified, covered};
use larder_platform::http::ApiResult;

/// The sources that count, per store day with receipts from several ones.
///
/// # Errors
/// If the database fails.
pub async fn once(
    db: &Db,
    (stores, span): (&[String], Span),
    pos: &[PosTender],
    verified: &[Verified],
    types: &Types,
) -> ApiResult<HashMap<StoreDay, Sources>> {
    let mut paid: BTreeMap<StoreDay, BTreeMap<&str, Vec<i64>>> = BTreeMap::new();
    for one in pos {
        let of_day = paid.entry((one.store_id.clone(), one.business_date)).or_default();
        let sums = of_day.entry(&one.source).or_insert_with(|| vec![0; KINDS.len()]);
        let at = KINDS.iter().position(|kind| *kind == types.kind(&one.label)).unwrap_or(0);
        sums[at] = sums[at].saturating_add(one.amount.0);
    }
    paid.retain(|_, sources| sources.len() > 1);
    if paid.is_empty() {
        return Ok(HashMap::new());
    }
    let chosen = counted_sources::chosen(&mut Reader::Db(db), stores, span).await?;
    let read = covered::net_by_till(&mut Reader::Db(db), (stores, span), verified).await?;
    let left_out = counted_sources::left_out(&mut Reader::Db(db), stores, span).await?;
    let (unread, none) = (BTreeMap::new(), BTreeSet::new());
    let mut tills: HashMap<StoreDay, Vec<TillSales>> = HashMap::new();
    for (store, day, source, terminal, net) in tills_of_several(db, stores, span).await? {
        let key = (store, day);
        let Some(sums) = paid.get(&key).and_then(|sources| sources.get(source.as_str())) else { continue };
        let rows = tills.entry(key).or_default();
        // Payments are known per source, so they go to its first till.
        let first = !rows.iter().any(|row| row.source == source);
        let figures = if first { sums.clone() } else { Vec::new() };
        rows.push(TillSales { source, terminal, net, figures });
    }
    let settled = tills.into_iter().map(|(key, rows)| {
        let read = read.get(&key).unwrap_or(&unread);
        let chosen = chosen.get(&key).map(String::as_str);
        let sources = Sources::settled(&rows, read, chosen, left_out.get(&key).unwrap_or(&none));
        (key, sources)
    });
    Ok(settled.collect())
}
