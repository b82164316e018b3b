//! Stock of a store with its daily use and the figures that hang on an open question: what orders and plans start from.

use std::collections::HashMap;

use larder_db::{Db, DbError};
use larder_domain::{BusinessDay, Span};

use super::close::{CLOSE_DAYS, CloseLine, close_in};
use super::stores::{self, RootStock};

/// Stock and daily use of all root items that a store counts, at the end of a day, and how many lines close to their last
/// counts nobody answered about.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn with_use(
    db: &Db,
    store_id: &str,
    day: BusinessDay,
) -> Result<HashMap<String, RootStock>, DbError> {
    let mut found = stores::used(db, store_id, day).await?;
    let oldest = day.plus(-CLOSE_DAYS);
    let days = || found.values().filter_map(RootStock::counted_on).filter(|date| *date >= oldest);
    let Some((from, to)) = days().min().zip(days().max()) else { return Ok(found) };
    let mut close = close_in(db, store_id, Span { from, to }).await?;
    close.retain(|line| line.included.is_none());
    for (root, stock) in &mut found {
        let Some(last) = &stock.last else { continue };
        let of_count = |line: &&CloseLine| {
            (line.date, line.session) == (last.date, last.session) && line.roots.contains(root)
        };
        stock.close = close.iter().filter(of_count).count();
    }
    Ok(found)
}
