//! Adds receipts to store days, as tills push them one by one. An existing receipt is replaced, so that
//! duplicates and order do not matter.

use futures::future::BoxFuture;
use larder_db::{Reader, Tx};
use larder_domain::BusinessDay;
use larder_domain::sales::StoreDay;
use larder_domain::sales::existing::How;

use super::days::{self, DayKey};
use super::duplicates;
use super::grow;
use super::post::replace_store_days;
use super::prepared::Prepared;
use super::receipts::{empty, merged};
use super::replace::Posted;
use super::rollups;
use super::store::{known, known_key};
use larder_platform::http::ApiError;

/// Adds the receipts of `days` to existing ones from the same source. Lines without a receipt replace those
/// without one. On a day of several parts they become a part.
///
/// # Errors
/// As [`replace_store_days`].
pub fn add_receipts<'a>(
    tx: &'a mut Tx<'_>,
    days: &'a [StoreDay],
    batch_id: Option<&'a str>,
) -> BoxFuture<'a, Result<Posted, ApiError>> {
    Box::pin(async move {
        rollups::lock(tx, days.iter().map(|day| day.store_id.as_ref())).await?;
        let keys: Vec<_> = days.iter().map(|day| (day.store_id.as_ref(), BusinessDay(day.day))).collect();
        let known = known(&mut Reader::Tx(tx), &keys).await?;
        let has_parts = |day: &&StoreDay| known.get(&known_key(day)).is_some_and(|known| known.parts > 0);
        let (grown, plain): (Vec<&StoreDay>, Vec<&StoreDay>) = days.iter().partition(has_parts);
        let mut whole = Vec::with_capacity(plain.len());
        let keys: Vec<DayKey> = plain.iter().map(|day| DayKey::of(day)).collect();
        let mut there = days::read_all(&mut Reader::Tx(tx), &keys).await?;
        for (day, key) in plain.into_iter().zip(keys) {
            let found = there.remove(&key);
            let found = found.map_or_else(|| empty(day), |found| found.day);
            whole.push(Prepared::new(merged(&found, day)));
        }
        let mut posted = replace_store_days(tx, &whole, batch_id).await?;
        if !grown.is_empty() {
            posted.add(grow::push(tx, &grown, How::ReplaceReceipts, batch_id).await?);
            let days = grown.iter().map(|day| (day.store_id.as_ref(), BusinessDay(day.day)));
            duplicates::settle(tx, days.collect::<Vec<_>>()).await?;
        }
        Ok(posted)
    })
}
