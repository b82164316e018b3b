//! Expected result of a count.

use std::collections::BTreeMap;

use larder_db::{Db, DbError};
use larder_domain::count::Session;
use larder_domain::on_hand::{self, BaselineCount, Moment};
use larder_domain::{BusinessDay, Qty, Span, Timestamp};

use super::basis::{Basis, Extent, made_of};
use super::{CountedItem, last_two};

/// Expected quantity of each item in a count session: the last count before it and the flows since. Items
/// never counted and items without a root item mapping are left out; counts of the session itself are
/// ignored.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn expected(
    db: &Db,
    store_id: &str,
    items: &[CountedItem],
    (session, date, at): (Session, BusinessDay, Timestamp),
) -> Result<BTreeMap<String, Qty>, DbError> {
    let moment = Moment::of(session, date, at);
    let until = if moment.is_opening() { date.plus(-1) } else { date };
    let counts = last_two(db, store_id, until).await?;
    let before = |item: &CountedItem| {
        let (last, earlier) = counts.get(&item.id)?;
        [Some(last), earlier.as_ref()]
            .into_iter()
            .flatten()
            .map(|count| count.baseline())
            .find(|it| it.moment < moment && !it.moment.is_with(moment))
    };
    let last: Vec<Option<BaselineCount>> = items.iter().map(before).collect();
    let Some(from) = last.iter().flatten().map(|last| last.moment.day()).min() else {
        return Ok(BTreeMap::new());
    };
    let made_of = made_of(db, store_id, items).await?;
    let moments = last.iter().flatten().map(|last| last.moment).chain([moment]).collect();
    let span = (Span { from, to: date }, moments);
    let basis = Basis::read(db, store_id, made_of, span, (Extent::Items, &[])).await?;
    let counted = basis.counted(|at| (last[at], None));
    let computed = on_hand::compute(&counted, &basis.flows, moment)
        .ok_or_else(|| DbError::Invalid("what is expected is more than can be stored".to_owned()))?;
    let known = items.iter().zip(&counted).zip(&computed.items);
    Ok(known
        .filter(|((_, counted), _)| !counted.roots.is_empty())
        .filter_map(|((item, _), figures)| Some((item.id.clone(), figures.on_hand?)))
        .collect())
}
