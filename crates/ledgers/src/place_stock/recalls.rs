//! Where recalled lots may still be.

use std::collections::{BTreeSet, HashMap};

use larder_db::{Db, DbError};
use larder_domain::ledger::PlaceKind;
use larder_domain::{BusinessDay, Qty, StoreScope};

use super::lots::{LotPlace, lot_places};
use crate::stock::lots::{RecalledLot, recalled_lots};
use crate::stock::recall_answers::answered;
use crate::stock::trace::LotKey;

/// Recalled lots at the places where more came than left: all that may still have some, even where that is unlikely, until
/// they answer what they found. Goods that come later ask again. Users limited to stores do not see kitchens and
/// warehouses. Latest recall first.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn recalls(
    db: &Db,
    scope: &StoreScope,
    day: BusinessDay,
) -> Result<Vec<(RecalledLot, Vec<LotPlace>)>, DbError> {
    let recalled = recalled_lots(db).await?;
    let keys: BTreeSet<LotKey> =
        recalled.iter().map(|lot| (lot.product_id.clone(), lot.lot.clone())).collect();
    let answers: HashMap<(String, String, PlaceKind, String), Qty> = answered(db)
        .await?
        .into_iter()
        .map(|(product, lot, kind, place, came)| ((product, lot, kind, place), came))
        .collect();
    let mut places: HashMap<LotKey, Vec<LotPlace>> = HashMap::new();
    for place in lot_places(db, &keys, scope, day).await? {
        let of_stores = matches!(place.place_kind, PlaceKind::Store | PlaceKind::InTransit);
        let at = (place.product_id.clone(), place.lot.clone(), place.place_kind, place.place_id.clone());
        let is_open = answers.get(&at).is_none_or(|came| place.came > *came);
        if place.came_less_left.0 > 0 && is_open && (of_stores || *scope == StoreScope::All) {
            places.entry((place.product_id.clone(), place.lot.clone())).or_default().push(place);
        }
    }
    let with_places = |lot: RecalledLot| {
        let places = places.remove(&(lot.product_id.clone(), lot.lot.clone()))?;
        Some((lot, places))
    };
    Ok(recalled.into_iter().filter_map(with_places).collect())
}
