//! Puts further files into store days: each is a part of the day, which is composed from its parts.

use std::collections::BTreeMap;

use futures::future::BoxFuture;
use larder_db::{Reader, Tx};
use larder_domain::sales::StoreDay;
use larder_domain::sales::existing::{Decision, How, compose, decide, is_same, kept_as};
use larder_domain::{BusinessDay, Timestamp};

use super::days::DayKey;
use super::parts::{self, Grown, Part, views};
use super::prepared::Prepared;
use super::receipts::merged;
use super::replace::{self, Posted};
use super::store::{Known, known, known_key};
use super::{duplicates, rollups};
use larder_platform::http::ApiError;

/// What a user wants done with store days that another batch posted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wish {
    /// For days that have to be asked about.
    pub how: Option<How>,
    /// Whether this is also for days to which the file would be added unasked.
    pub all: bool,
}

/// Where a part goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The batch's own part is there and counts: its content is replaced.
    Instead(usize),
    /// Another batch's part has the same content and stays the one that counts: a copy goes before it.
    Same(usize),
    /// After the others, added.
    Add,
    /// After the others, as a user chooses.
    Ask,
}

/// Posts store days of a file. A day posted before gets the file as a further part; see [`decide`]. Posting the same
/// content again changes nothing.
///
/// # Errors
/// 409 if a day has to be asked about and `wish` does not answer, 422 if a sum overflows.
pub fn post_file<'a>(
    tx: &'a mut Tx<'_>,
    days: &'a [Prepared],
    batch_id: &'a str,
    wish: Wish,
) -> BoxFuture<'a, Result<Posted, ApiError>> {
    Box::pin(post_file_now(tx, days, batch_id, wish))
}

async fn post_file_now(
    tx: &mut Tx<'_>,
    days: &[Prepared],
    batch_id: &str,
    wish: Wish,
) -> Result<Posted, ApiError> {
    rollups::lock(tx, days.iter().map(|d| d.day.store_id.as_ref())).await?;
    let known = known(&mut Reader::Tx(tx), &replace::keys_of(days)).await?;
    let contested =
        |d: &&Prepared| known.get(&known_key(&d.day)).is_some_and(|known| is_other(known, batch_id));
    let (others, plain): (Vec<&Prepared>, Vec<&Prepared>) = days.iter().partition(contested);
    let mut posted = replace::replace_among(tx, &plain, Some(batch_id), &known).await?;
    replace::record(tx, &plain, Some(batch_id), posted).await?;
    // The same content as the day's one batch: a copy, of which nothing has to be read.
    let copy = |d: &&Prepared| {
        let there = known.get(&known_key(&d.day)).filter(|known| known.parts == 0)?;
        (there.digest == d.digest).then_some(there)
    };
    let (copies, others): (Vec<&Prepared>, Vec<&Prepared>) =
        others.into_iter().partition(|d| copy(d).is_some());
    let pairs: Vec<(&Prepared, &Known)> = copies.iter().filter_map(|d| Some((*d, copy(d)?))).collect();
    if !pairs.is_empty() {
        parts::write_copies(tx, &pairs, batch_id).await?;
        let unchanged = Posted { unchanged: pairs.len() as u64, ..Posted::default() };
        replace::record(tx, &copies, Some(batch_id), unchanged).await?;
        posted.add(unchanged);
    }
    let at = tx.actor().at;
    let keys: Vec<DayKey> = others.iter().map(|prepared| DayKey::of(&prepared.day)).collect();
    let mut standing = parts::standing(&mut Reader::Tx(tx), &keys).await?;
    let mut grown = Vec::with_capacity(others.len());
    for (prepared, key) in others.into_iter().zip(keys) {
        let mut parts = standing.remove(&key).unwrap_or_default();
        put(&mut parts, &prepared.day, batch_id, wish, at)?;
        grown.push(Grown { key, parts });
    }
    posted.add(settle_and_record(tx, &grown).await?);
    duplicates::settle(tx, replace::keys_of(days)).await?;
    Ok(posted)
}

/// Whether another batch posted the day, or several did.
fn is_other(known: &Known, batch_id: &str) -> bool {
    known.parts > 0 || known.batch_id.as_deref() != Some(batch_id)
}

/// Finds the place of a batch's part; a part of the batch that counts nothing is removed first.
pub(super) fn place(parts: &mut Vec<Part>, comes: &StoreDay, batch_id: &str) -> Place {
    let own = parts.iter().rposition(|part| part.batch_id.as_deref() == Some(batch_id));
    if let Some(own) = own {
        let counts = compose(&views(parts)).is_some_and(|day| day.kept[own] > 0);
        if counts || parts.len() == 1 {
            return Place::Instead(own);
        }
        parts.remove(own);
    }
    match decide(&views(parts), comes) {
        Decision::Same(at) => Place::Same(at),
        Decision::Add => Place::Add,
        Decision::Ask => Place::Ask,
    }
}

fn put(
    parts: &mut Vec<Part>,
    comes: &StoreDay,
    batch_id: &str,
    wish: Wish,
    at: Timestamp,
) -> Result<(), ApiError> {
    let new = |how| Part {
        batch_id: Some(batch_id.to_owned()),
        how,
        day: comes.clone(),
        posted_at: at,
        corrected_at: None,
    };
    match place(parts, comes, batch_id) {
        Place::Instead(own) => {
            let how = parts[own].how;
            if !is_same(&parts[own].day, comes) {
                parts::drop_copies(parts);
            }
            let own = parts.iter().rposition(|part| part.batch_id.as_deref() == Some(batch_id));
            match own {
                Some(own) => parts[own] = new(how),
                None => parts.push(new(how)),
            }
        }
        Place::Same(same) => parts.insert(same, new(parts[same].how)),
        Place::Add => parts.push(new(wish.how.filter(|_| wish.all).unwrap_or(How::UNASKED))),
        Place::Ask => {
            let how = wish.how.ok_or_else(|| {
                let day = BusinessDay(comes.day).display();
                let words = format!("Sales of {day} came from another file meanwhile. Post this one again.");
                ApiError::conflict("alreadyImported", words)
            })?;
            let how = kept_as(&views(parts), how, comes);
            parts.push(new(how));
        }
    }
    Ok(())
}

/// Puts pushed sales into days of several parts. A push with the same key after its last one joins that part.
///
/// # Errors
/// 422 if a sum overflows.
pub(super) async fn push(
    tx: &mut Tx<'_>,
    days: &[&StoreDay],
    how: How,
    batch_id: Option<&str>,
) -> Result<Posted, ApiError> {
    let at = tx.actor().at;
    let keys: Vec<DayKey> = days.iter().map(|day| DayKey::of(day)).collect();
    let mut standing = parts::standing(&mut Reader::Tx(tx), &keys).await?;
    let mut grown = Vec::with_capacity(days.len());
    for (&day, key) in days.iter().zip(keys) {
        let mut parts = standing.remove(&key).unwrap_or_default();
        let own = parts.last().filter(|part| part.batch_id.as_deref() == batch_id && part.how == how);
        let comes = match own {
            Some(own) if how == How::ReplaceReceipts => merged(&own.day, day),
            _ => day.clone(),
        };
        if own.is_some() {
            parts.pop();
        }
        let batch_id = batch_id.map(str::to_owned);
        parts.push(Part { batch_id, how, day: comes, posted_at: at, corrected_at: None });
        grown.push(Grown { key, parts });
    }
    settle_and_record(tx, &grown).await
}

/// Store days written for a batch.
pub(super) struct Settled {
    batch_id: Option<String>,
    days: Vec<Prepared>,
    posted: Posted,
}

/// Composes store days from their parts and writes both. A day belongs to the batch of its last part that counts.
///
/// # Errors
/// 422 if a sum overflows.
pub(super) async fn settle(tx: &mut Tx<'_>, grown: &[Grown]) -> Result<Vec<Settled>, ApiError> {
    let mut of_batch: BTreeMap<Option<String>, Vec<Prepared>> = BTreeMap::new();
    let mut kept: Vec<Vec<usize>> = Vec::with_capacity(grown.len());
    for Grown { parts, .. } in grown {
        let Some(composed) = compose(&views(parts)) else {
            kept.push(Vec::new());
            continue;
        };
        let counts = |at: &usize| composed.kept[*at] > 0;
        let last = (0..parts.len()).rev().find(counts).unwrap_or(parts.len() - 1);
        let corrected_at = (0..parts.len()).filter(counts).filter_map(|at| parts[at].corrected_at).max();
        let batch_id = parts[last].batch_id.clone();
        let day = Prepared { corrected_at, ..Prepared::new(composed.day) };
        of_batch.entry(batch_id).or_default().push(day);
        kept.push(parts::with_copies(parts, composed.kept));
    }
    let mut settled = Vec::with_capacity(of_batch.len());
    for (batch_id, days) in of_batch {
        let posted = replace::replace(tx, &days, batch_id.as_deref()).await?;
        settled.push(Settled { batch_id, days, posted });
    }
    parts::write(tx, grown, &kept).await?;
    Ok(settled)
}

/// As [`settle`], with an audit row for each store.
///
/// # Errors
/// As [`settle`].
pub(super) async fn settle_and_record(tx: &mut Tx<'_>, grown: &[Grown]) -> Result<Posted, ApiError> {
    let mut posted = Posted::default();
    for done in settle(tx, grown).await? {
        let days: Vec<&Prepared> = done.days.iter().collect();
        replace::record(tx, &days, done.batch_id.as_deref(), done.posted).await?;
        posted.add(done.posted);
    }
    Ok(posted)
}
