//! Adjusts a product's quantity: posts the difference and records it as a change of stock.

use larder_db::{Change, ChangeAction, Tx};
use larder_domain::ledger::{Leg, Movement, Place};
use larder_domain::{BusinessDay, Qty};
use serde_json::json;

use super::lots;
use super::post::{Document, Posting, post};
use super::read::{hold_balance, product};
use larder_platform::http::ApiError;

/// An adjustment of a product's stock.
#[derive(Debug, Clone)]
pub struct Adjustment<'a> {
    pub product_id: &'a str,
    /// The posting document.
    pub document: Document<'a>,
    pub place: Place,
    /// Total quantity before.
    pub before: Qty,
    /// The difference, positive or negative.
    pub difference: Qty,
    pub reason: Option<&'a str>,
}

/// Posts a difference today and records it. Returns the number of its last movement. The caller has locked the
/// balance the difference was computed from.
///
/// # Errors
/// As [`post`].
pub async fn adjust(tx: &mut Tx<'_>, adjustment: Adjustment<'_>) -> Result<Option<i64>, ApiError> {
    let Adjustment { product_id, document, place, before, difference, reason } = adjustment;
    let parts = by_lot(tx, product_id, &place, difference).await?;
    let movements: Vec<Movement> = (1..)
        .zip(parts)
        .map(|(line, (qty, lot))| Movement {
            item: product(product_id),
            place: place.clone(),
            qty,
            unit_cost: None,
            line,
            leg: Leg::Only,
            lot,
        })
        .collect();
    let posting = Posting {
        document,
        business_date: BusinessDay::of(tx.actor().at),
        happened_at: None,
        reason,
        movements: &movements,
    };
    let seqs = post(tx, &posting).await?;
    tx.record(Change {
        kind: "stock",
        id: product_id.to_owned(),
        store_id: None,
        action: ChangeAction::Updated,
        before: Some(json!({ "quantity": before })),
        after: Some(json!({
            "quantity": Qty(before.0 + difference.0),
            "placeKind": place.kind,
            "placeId": place.id,
            "reason": reason,
        })),
    })
    .await?;
    Ok(seqs.last().copied())
}

/// What a difference takes: stock without a lot first, then lots, the one that expires first before the others, so that
/// lots never come to more than the stock. What is added has no lot.
async fn by_lot(
    tx: &mut Tx<'_>,
    product_id: &str,
    place: &Place,
    difference: Qty,
) -> Result<Vec<(Qty, Option<String>)>, ApiError> {
    if difference.0 >= 0 {
        return Ok(vec![(difference, None)]);
    }
    let lots = lots::all_at(tx, place, &[product_id]).await?;
    let of_lots: i64 = lots.iter().map(|(_, _, qty)| qty.0).sum();
    let balance = hold_balance(tx, &product(product_id), place).await?;
    let mut rest = -difference.0;
    let mut parts = Vec::new();
    let free = rest.min((balance.0 - of_lots).max(0));
    if free > 0 {
        parts.push((Qty(-free), None));
        rest -= free;
    }
    for (_, lot, qty) in lots {
        let taken = rest.min(qty.0);
        if taken > 0 {
            parts.push((Qty(-taken), Some(lot)));
            rest -= taken;
        }
    }
    if rest > 0 {
        parts.push((Qty(-rest), None));
    }
    Ok(parts)
}
