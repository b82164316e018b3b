//! Posts what connectors and keys send by themselves. Each corrects what it sent before; sales that another sender may
//! have sent too are not posted, for a user to decide.

use std::collections::HashSet;

use futures::future::BoxFuture;
use larder_db::{DbError, Reader, Tx};
use larder_domain::sales::StoreDay;
use larder_domain::sales::existing::{
    Decision, How, decide, has_other_tills, has_receipts_of, is_same, kept_as, may_replace_receipts,
};
use larder_domain::{BusinessDay, Timestamp};

use super::add::add_receipts;
use super::days::DayKey;
use super::duplicates;
use super::grow;
use super::parts::{self, Grown, Part, views};
use super::post::replace_store_days;
use super::prepared::Prepared;
use super::receipts::{empty, merged};
use super::replace::Posted;
use super::rollups;
use super::store::{KnownDays, known, known_key};
use larder_platform::http::ApiError;

/// Store days as a sender sent them.
#[derive(Debug, Clone, Copy)]
pub struct Sent<'a> {
    pub days: &'a [StoreDay],
    /// Whether they are receipts to be added to their days; else whole days, which replace those sent before.
    pub receipts: bool,
    /// The batch they are posted as.
    pub batch_id: &'a str,
    /// Batches of other senders; see [`batches_of`].
    pub others: &'a HashSet<String>,
    /// Whether to add days that may be of another sender too: a user decided so.
    pub adds: bool,
}

/// What became of sent store days.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    pub posted: Posted,
    /// Those not posted, by their place: another sender's sales are there, and they may be the same.
    pub asked: Vec<usize>,
}

async fn known_of(tx: &mut Tx<'_>, days: &[StoreDay]) -> Result<KnownDays, DbError> {
    let keys: Vec<_> = days.iter().map(|day| (&*day.store_id, BusinessDay(day.day))).collect();
    known(&mut Reader::Tx(tx), &keys).await
}

/// The batches whose sales are there on some store days.
///
/// # Errors
/// If the database fails.
pub async fn batches_of(tx: &mut Tx<'_>, days: &[StoreDay]) -> Result<HashSet<String>, DbError> {
    let known = known_of(tx, days).await?;
    let there = |day: &StoreDay| Some((DayKey::of(day), known.get(&known_key(day))?));
    let there: Vec<_> = days.iter().filter_map(there).collect();
    let grown = there.iter().filter(|(_, known)| known.parts > 0).map(|(key, _)| key.clone());
    let mut batches = parts::batches(tx, &grown.collect::<Vec<_>>()).await?;
    batches.extend(there.into_iter().filter_map(|(_, known)| known.batch_id.clone()));
    Ok(batches)
}

/// Posts what a sender sent. Sending it again changes nothing.
///
/// # Errors
/// 422 if a sum overflows.
pub fn post_sent<'a>(tx: &'a mut Tx<'_>, sent: Sent<'a>) -> BoxFuture<'a, Result<Outcome, ApiError>> {
    Box::pin(post_sent_now(tx, sent))
}

async fn post_sent_now(tx: &mut Tx<'_>, sent: Sent<'_>) -> Result<Outcome, ApiError> {
    let Sent { days, receipts, batch_id, others, .. } = sent;
    rollups::lock(tx, days.iter().map(|day| &*day.store_id)).await?;
    let known = known_of(tx, days).await?;
    let is_other = |batch: Option<&String>| batch.is_some_and(|batch| others.contains(batch));
    let shared = |day: &StoreDay| {
        known.get(&known_key(day)).is_some_and(|known| known.parts > 0 || is_other(known.batch_id.as_ref()))
    };
    let shared: Vec<usize> = (0..days.len()).filter(|at| shared(&days[*at])).collect();
    let keys: Vec<DayKey> = shared.iter().map(|at| DayKey::of(&days[*at])).collect();
    let mut standing = parts::standing(&mut Reader::Tx(tx), &keys).await?;
    let mut outcome = Outcome::default();
    let mut grown = Vec::new();
    let mut joined: HashSet<usize> = HashSet::new();
    for (at, key) in shared.into_iter().zip(keys) {
        let there = standing.remove(&key).unwrap_or_default();
        if !there.iter().any(|part| is_other(part.batch_id.as_ref())) {
            continue;
        }
        joined.insert(at);
        match join(there, &days[at], &sent, tx.actor().at) {
            Some(parts) => grown.push(Grown { key, parts }),
            None => outcome.asked.push(at),
        }
    }
    let own: Vec<StoreDay> =
        days.iter().enumerate().filter(|(at, _)| !joined.contains(at)).map(|(_, day)| day.clone()).collect();
    outcome.posted = if receipts {
        add_receipts(tx, &own, Some(batch_id)).await?
    } else {
        let prepared: Vec<Prepared> = own.into_iter().map(Prepared::new).collect();
        replace_store_days(tx, &prepared, Some(batch_id)).await?
    };
    outcome.posted.add(grow::settle_and_record(tx, &grown).await?);
    duplicates::settle(tx, grown.iter().map(|one| (one.key.store_id.as_ref(), one.key.day))).await?;
    Ok(outcome)
}

/// The parts of a store day with what the sender sent, beside those of other senders; `None` if a user has to decide.
fn join(mut parts: Vec<Part>, day: &StoreDay, sent: &Sent<'_>, at: Timestamp) -> Option<Vec<Part>> {
    let batch_id = Some(sent.batch_id.to_owned());
    let new = |how, day| Part { batch_id: batch_id.clone(), how, day, posted_at: at, corrected_at: None };
    let own =
        parts.iter().rposition(|part| part.batch_id.as_ref().is_none_or(|id| !sent.others.contains(id)));
    if let Some(own) = own {
        // It was told apart from the others before.
        let comes = if sent.receipts { merged(&parts[own].day, day) } else { day.clone() };
        if is_same(&parts[own].day, &comes) {
            return Some(parts);
        }
        let later = parts[own + 1..].iter().any(|part| has_receipts_of(&part.day, day));
        if sent.receipts && later {
            // Another sender corrected these receipts; now this one does.
            parts.push(new(How::ReplaceReceipts, merged(&empty(day), day)));
        } else {
            parts[own] = new(parts[own].how, comes);
        }
        return Some(parts);
    }
    let comes = if sent.receipts { merged(&empty(day), day) } else { day.clone() };
    let there = views(&parts);
    let how = match decide(&there, &comes) {
        Decision::Same(_) => return Some(parts),
        Decision::Add => How::UNASKED,
        // Receipts of another till need no such care as a file of totals.
        Decision::Ask if sent.receipts && has_other_tills(&there, &comes) => How::UNASKED,
        Decision::Ask if sent.receipts && may_replace_receipts(&there, &comes) => How::ReplaceReceipts,
        Decision::Ask if sent.adds => kept_as(&there, How::Add, &comes),
        Decision::Ask => return None,
    };
    parts.push(new(how, comes));
    Some(parts)
}
