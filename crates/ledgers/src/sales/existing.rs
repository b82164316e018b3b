//! What has to be asked before a file is posted: its store days that other batches posted with other content.

use std::collections::HashSet;

use larder_db::{Db, DbError, Reader};
use larder_domain::BusinessDay;
use larder_domain::sales::StoreDay;
use larder_domain::sales::day::Totals;
use larder_domain::sales::existing::{Outcomes, compose, overlap, till_and_number, tills};

use super::days::DayKey;
use super::grow::{Place, place};
use super::parts::{Part, standing, views};
use super::store::known;

/// Maximum number of store days read at once.
const AT_ONCE: usize = 200;

/// The sales of one side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    /// Their names, sorted.
    pub tills: Vec<String>,
    /// Number of receipts.
    pub receipts: usize,
    pub totals: Totals,
}

impl Side {
    fn of(day: &StoreDay) -> Self {
        Self { tills: tills(day), receipts: day.receipts.len(), totals: day.totals() }
    }
}

/// A store day that has to be asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The batches of what is there, in the order of posting.
    pub batches: Vec<String>,
    pub there: Side,
    pub comes: Side,
    /// Number and sums of the receipts there that come again.
    pub overlap: (usize, Totals),
    /// What each choice leads to.
    pub outcomes: Outcomes,
}

/// Which of some stores' days have sales of a source.
///
/// # Errors
/// If the database fails.
pub async fn known_days(
    db: &Db,
    days: &[(&str, BusinessDay)],
    source: &str,
) -> Result<HashSet<(String, BusinessDay)>, DbError> {
    let known = known(&mut Reader::Db(db), days).await?;
    Ok(known.into_keys().filter(|key| key.2 == source).map(|(store, day, _)| (store, day)).collect())
}

/// A receipt of a posted store day.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Standing {
    pub store_id: String,
    pub day: BusinessDay,
    /// As compared; see [`till_and_number`].
    pub till_and_number: (String, String),
    /// Seconds since midnight of the business date of its first line; -1 if unknown.
    pub seconds: i32,
    /// Centavos.
    pub net: i64,
}

/// The receipts of a source that stand on some stores' days.
///
/// # Errors
/// If the database fails, or holds invalid data.
pub async fn standing_receipts(
    db: &Db,
    days: &[(&str, BusinessDay)],
    source: &str,
) -> Result<HashSet<Standing>, DbError> {
    let known = known_days(db, days, source).await?;
    let wanted: HashSet<(String, BusinessDay)> =
        days.iter().map(|(store, day)| ((*store).to_owned(), *day)).collect();
    let mut found = HashSet::new();
    let key =
        |(store, day): (String, BusinessDay)| DayKey { store_id: store.into(), day, source: source.into() };
    let mut keys: Vec<DayKey> = wanted.into_iter().filter(|key| known.contains(key)).map(key).collect();
    keys.sort();
    for key in keys.chunks(AT_ONCE) {
        for (key, parts) in standing(&mut Reader::Db(db), key).await? {
            add_standing(&key, &parts, &mut found);
        }
    }
    Ok(found)
}

/// The receipts of a store day's parts.
fn add_standing(key: &DayKey, parts: &[Part], found: &mut HashSet<Standing>) {
    let Some(composed) = compose(&views(parts)) else { return };
    let there = composed.day;
    let mut nets = vec![0i64; there.receipts.len()];
    for line in there.lines.iter().filter(|line| line.counts()) {
        if let Some(net) = usize::try_from(line.receipt).ok().and_then(|at| nets.get_mut(at)) {
            *net = net.saturating_add(line.net);
        }
    }
    found.extend(there.receipts.iter().zip(nets).map(|(receipt, net)| Standing {
        store_id: key.store_id.to_string(),
        day: key.day,
        till_and_number: till_and_number(receipt),
        seconds: receipt.seconds,
        net,
    }));
}

/// What has to be asked before a batch posts store days, one answer for each; `None` where nothing has to.
///
/// # Errors
/// If the database fails, or holds invalid data.
pub async fn questions(
    db: &Db,
    comes: &[StoreDay],
    batch_id: &str,
) -> Result<Vec<Option<Question>>, DbError> {
    let mut questions = Vec::with_capacity(comes.len());
    for comes in comes.chunks(AT_ONCE) {
        let keys: Vec<DayKey> = comes.iter().map(DayKey::of).collect();
        let mut standing = standing(&mut Reader::Db(db), &keys).await?;
        for (key, comes) in keys.iter().zip(comes) {
            let parts = standing.remove(key).unwrap_or_default();
            questions.push(question(parts, comes, batch_id));
        }
    }
    Ok(questions)
}

fn question(mut parts: Vec<Part>, comes: &StoreDay, batch_id: &str) -> Option<Question> {
    if place(&mut parts, comes, batch_id) != Place::Ask {
        return None;
    }
    let all = views(&parts);
    let composed = compose(&all)?;
    let counting = parts.iter().zip(&composed.kept).filter(|(_, kept)| **kept > 0);
    let batches = counting.filter_map(|(part, _)| part.batch_id.clone()).collect();
    let there = &composed.day;
    Some(Question {
        batches,
        there: Side::of(there),
        comes: Side::of(comes),
        overlap: overlap(there, comes),
        outcomes: Outcomes::of(&all, comes),
    })
}
