//! Prices of root items that a posted receipt of supplier goods proposes.

use super::*;
use crate::products;
use larder_ledgers::prices;
use larder_ledgers::prices::proposals;
use larder_ledgers::prices::proposals::NewProposal;

/// Proposes a price for the root item of each accepted line with a price, unless it is in force on the receipt's day.
/// Products that stand for several root items propose none: a line does not say how its price is shared. Neither do free
/// goods.
///
/// # Errors
/// If the database fails.
pub(super) async fn propose(tx: &mut Tx<'_>, ctx: Ctx<'_>, doc: &Doc<Receipt>) -> ApiResult<()> {
    let priced: Vec<(&ReceiptLine, Money)> = doc
        .lines
        .iter()
        .filter(|line| line.accepted.0 > 0)
        .filter_map(|line| Some((line, line.unit_price.filter(|price| price.0 > 0)?)))
        .collect();
    if priced.is_empty() {
        return Ok(());
    }
    let ids: Vec<&str> = priced.iter().map(|(line, _)| line.product_id.as_str()).collect();
    let known = products::by_id(tx, &ids).await?;
    for (line, unit_price) in priced {
        let Some(product) = known.get(&line.product_id) else { continue };
        let [part] = product.root_item_conversions.as_slice() else { continue };
        let Some(price) = receipt::root_price(unit_price, line.factor, part.factor) else { continue };
        let root_item_id = part.root_item_id.as_str();
        let in_force = prices::on(tx, root_item_id, doc.head.on_date).await?;
        if in_force.and_then(|kept| kept.price) == Some(price) {
            continue;
        }
        let new = NewProposal {
            id: &ctx.new_id(),
            root_item_id,
            product_id: &line.product_id,
            receipt_id: &doc.head.id,
            line_id: &line.id,
            on_date: doc.head.on_date,
            price,
        };
        proposals::propose(tx, &new).await?;
    }
    Ok(())
}
