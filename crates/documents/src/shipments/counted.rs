//! A store's stock by its counts. Stores use stock without documents and had some before the first one, so
//! the ledger alone knows neither.

use super::*;
use crate::products;
use larder_ledgers::store_items::root_stock;

/// Raises a store's recorded stock of each product to its counted stock, if that is higher.
pub(super) async fn add(
    ctx: Ctx<'_>,
    store_id: &str,
    lines: &[ShipmentLine],
    there: &mut BTreeMap<String, Qty>,
) -> ApiResult<()> {
    let enough = lines
        .iter()
        .all(|line| there.get(&line.product_id).is_some_and(|there| line.dispatched_base <= *there));
    if enough {
        return Ok(());
    }
    let ids: BTreeSet<&str> = lines.iter().map(|line| line.product_id.as_str()).collect();
    let db = &ctx.state.db;
    let known = products::by_id_now(db, &ids.into_iter().collect::<Vec<_>>()).await?;
    let stock = root_stock(db, store_id, BusinessDay::of(ctx.who.at)).await?;
    for (id, product) in &known {
        let [part] = product.root_item_conversions.as_slice() else { continue };
        let counted = stock.get(&part.root_item_id).and_then(|stock| stock.on_hand);
        let (Some(counted), true) = (counted, part.factor.0 > 0) else { continue };
        let base = i128::from(counted.0) * 1_000_000_000 / i128::from(part.factor.0);
        let base = Qty(i64::try_from(base).unwrap_or_default());
        let known = there.entry(id.clone()).or_default();
        *known = (*known).max(base);
    }
    Ok(())
}
