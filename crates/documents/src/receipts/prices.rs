//! Prices of root items that a posted receipt of supplier goods proposes.

use std::collections::HashSet;

use larder_db::Reader;

use super::*;
use crate::products;
use larder_ledgers::prices;
use larder_ledgers::prices::proposals;
use larder_ledgers::prices::proposals::NewProposal;

/// Proposes a price for the root item of each accepted line with a price, unless it is in force on the receipt's day.
/// Products that stand for several root items propose none: a line does not say how its price is shared. Neither do free
/// goods. The same price of several lines is proposed once.
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
    let found = priced.into_iter().filter_map(|(line, unit_price)| {
        let [part] = known.get(&line.product_id)?.root_item_conversions.as_slice() else { return None };
        let price = receipt::root_price(unit_price, line.factor, part.factor)?;
        Some((line, part.root_item_id.as_str(), price))
    });
    let found: Vec<(&ReceiptLine, &str, Money)> = found.collect();
    let roots: Vec<&str> = found.iter().map(|(_, root, _)| *root).collect();
    let in_force = prices::of(&mut Reader::Tx(tx), &roots).await?;
    let mut proposed: HashSet<(&str, Money)> = HashSet::new();
    for (line, root_item_id, price) in found {
        if in_force.on(root_item_id, doc.head.on_date) == Some(price)
            || !proposed.insert((root_item_id, price))
        {
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
