//! Sales of the POS items that use a root item.

use std::collections::{BTreeSet, HashMap};

use larder_db::{Db, DbError};
use larder_domain::sales::DayItem;
use larder_domain::{BusinessDay, Qty, Span};

use crate::sales::{bom, items};

/// Sales on a day of the POS items that use a root item.
#[derive(Debug, Clone, Default)]
pub struct Sold {
    pub qty: Qty,
    /// Number of POS items.
    pub pos_items: usize,
}

/// Sales in a store, by day and root item.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn sold(
    db: &Db,
    store_id: &str,
    span: Span,
    roots: &[&str],
) -> Result<HashMap<(BusinessDay, String), Sold>, DbError> {
    let users = bom::users(db, roots).await?;
    let uses_some = |item: &DayItem| users.contains_key(&(item.item, item.bom));
    let days = items::sold(db, &[store_id.to_owned()], span.from, span.to, uses_some).await?;
    let mut sold: HashMap<(BusinessDay, String), (Sold, BTreeSet<u32>)> = HashMap::new();
    for day in days {
        for item in day.items {
            for (root, _) in users.get(&(item.item, item.bom)).into_iter().flatten() {
                let (sum, known) = sold.entry((day.date, root.clone())).or_default();
                let qty = sum.qty.checked_add(Qty(item.figures[0]));
                sum.qty =
                    qty.ok_or_else(|| DbError::Invalid("more was sold than can be stored".to_owned()))?;
                known.insert(item.item);
                sum.pos_items = known.len();
            }
        }
    }
    Ok(sold.into_iter().map(|(key, (sold, _))| (key, sold)).collect())
}
