//! Lots of kitchens and warehouses against their stock.

use std::collections::HashMap;

use larder_db::{DbError, Query};
use larder_domain::Qty;
use larder_domain::ledger::{Place, PlaceKind};

/// By product, place and lot.
pub(crate) type LeftOfLots = HashMap<(String, Place, String), Qty>;

pub(crate) const WITH_STOCK: &str = "select b.product_id, b.place_kind, b.place_id, b.lot, b.qty, \
     coalesce(s.qty, 0) from ";

/// What is left of the lots of some products at places that keep a balance, where the lots come to more than that: more of
/// one left with an override than came of it, so some of the others left under its name. The first to expire did.
/// `query` begins with [`WITH_STOCK`].
///
/// # Errors
/// If the database fails.
pub(crate) async fn left_of_lots<'p>(
    query: Query<'_>,
    products: impl IntoIterator<Item = (&'p str, &'p Place)>,
) -> Result<LeftOfLots, DbError> {
    let pairs = products.into_iter().map(|(id, place)| (id, place.kind.as_str(), place.id.as_str()));
    let pairs: Vec<_> = pairs.collect();
    if pairs.is_empty() {
        return Ok(LeftOfLots::new());
    }
    let rows: Vec<(String, PlaceKind, String, String, Qty, Qty)> = query
        .push_rows(&["product_id", "place_kind", "place_id"], pairs)
        .push(
            " w join lot_balances b on b.product_id = w.product_id and b.place_id = w.place_id
               and b.place_kind = w.place_kind and b.qty > 0
             left join lots l on l.product_id = b.product_id and l.lot = b.lot
             left join stock_balances s on s.item_kind = 'product' and s.item_id = b.product_id
               and s.place_kind = b.place_kind and s.place_id = b.place_id
             order by b.product_id, b.place_id, b.place_kind, l.expiry nulls last, l.first_seen, b.lot",
        )
        .all()
        .await?;
    // By product and place, as they are sorted.
    let mut left = LeftOfLots::new();
    for lots in rows.chunk_by(|one, next| (&one.0, &one.1, &one.2) == (&next.0, &next.1, &next.2)) {
        let all: i128 = lots.iter().map(|(.., qty, _)| i128::from(qty.0)).sum();
        let stock = lots.first().map_or(0, |(.., stock)| i128::from(stock.0.max(0)));
        let mut beyond = (all - stock).max(0);
        if beyond == 0 {
            continue;
        }
        for (product, kind, place, lot, qty, _) in lots {
            let less = beyond.min(i128::from(qty.0));
            beyond -= less;
            let rest = i64::try_from(i128::from(qty.0) - less).unwrap_or_default();
            left.insert((product.clone(), Place { kind: *kind, id: place.clone() }, lot.clone()), Qty(rest));
        }
    }
    Ok(left)
}
