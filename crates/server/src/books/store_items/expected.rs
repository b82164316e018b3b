//! What a count should find.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::{Db, DbError};
use larder_domain::count::Session;
use larder_domain::on_hand::{self, Counted, Moment};
use larder_domain::{BusinessDay, Qty, Span, Timestamp};

use super::{CountedItem, flows, last_two, stands_for};

/// What a count of a session should find of each item: the last count before it and what passed since. Items that were
/// never counted, and those of which nobody knows what they are made of, are left out; counts of the session itself
/// change nothing.
///
/// # Errors
/// When the database does not answer, or an amount is past what can be kept.
pub async fn expected(
    db: &Db,
    store_id: &str,
    items: &[CountedItem],
    (session, date, at): (Session, BusinessDay, Timestamp),
) -> Result<BTreeMap<String, Qty>, DbError> {
    let stores = &[store_id.to_owned()];
    let moment = Moment::of(session, date, at);
    let mut counts = last_two(db, store_id, date).await?;
    if moment == Moment::before(date) {
        counts = last_two(db, store_id, date.plus(-1)).await?;
    }
    let before = |item: &CountedItem| {
        let (last, earlier) = counts.get(&item.id)?;
        [Some(last), earlier.as_ref()]
            .into_iter()
            .flatten()
            .map(|count| count.anchor())
            .find(|it| it.moment < moment)
    };
    let mut made_of: HashMap<String, _> = stands_for(db, stores)
        .await?
        .remove(store_id)
        .unwrap_or_default()
        .into_iter()
        .map(|one| (one.item_id, one.roots))
        .collect();
    let roots: BTreeSet<String> = made_of.values().flatten().map(|(root, _)| root.clone()).collect();
    let places: HashMap<&str, usize> =
        roots.iter().enumerate().map(|(at, root)| (root.as_str(), at)).collect();
    let counted: Vec<Counted> = items
        .iter()
        .map(|item| {
            let of_item = made_of.remove(&item.id).unwrap_or_default();
            let place = |(root, factor): (String, _)| Some((*places.get(root.as_str())?, factor));
            Counted {
                roots: of_item.into_iter().filter_map(place).collect(),
                last: before(item),
                earlier: None,
            }
        })
        .collect();
    let Some(from) = counted.iter().filter_map(|one| one.last).map(|last| last.moment.day()).min() else {
        return Ok(BTreeMap::new());
    };
    let wanted: BTreeSet<&str> = roots.iter().map(String::as_str).collect();
    let mut passed =
        flows(db, stores, Span { from, to: date }, Some(&wanted)).await?.remove(store_id).unwrap_or_default();
    let passed: Vec<_> = roots.iter().map(|root| passed.remove(root).unwrap_or_default()).collect();
    let reckoned = on_hand::reckon(&counted, &passed, moment)
        .ok_or_else(|| DbError::Invalid("what is expected is more than can be kept".to_owned()))?;
    let known = items.iter().zip(&counted).zip(&reckoned.items);
    Ok(known
        .filter(|((_, counted), _)| !counted.roots.is_empty())
        .filter_map(|((item, _), figures)| Some((item.id.clone(), figures.on_hand?)))
        .collect())
}
