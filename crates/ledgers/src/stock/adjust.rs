//! Adjusts a product's quantity: posts the difference and records it as a change of stock.

use larder_db::{Change, ChangeAction, Tx};
use larder_domain::ledger::{Leg, Movement, Place};
use larder_domain::{BusinessDay, Qty};
use serde_json::json;

use super::post::{Document, Posting, post};
use super::read::product;
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

/// Posts a difference today and records it. Returns the number of its movement. The caller has locked the
/// balance the difference was computed from.
///
/// # Errors
/// As [`post`].
pub async fn adjust(tx: &mut Tx<'_>, adjustment: Adjustment<'_>) -> Result<Option<i64>, ApiError> {
    let Adjustment { product_id, document, place, before, difference, reason } = adjustment;
    let item = product(product_id);
    let movement =
        Movement { item, place, qty: difference, unit_cost: None, line: 1, leg: Leg::Only, lot: None };
    let posting = Posting {
        document,
        business_date: BusinessDay::of(tx.actor().at),
        happened_at: None,
        reason,
        movements: std::slice::from_ref(&movement),
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
            "placeKind": movement.place.kind,
            "placeId": movement.place.id,
            "reason": reason,
        })),
    })
    .await?;
    Ok(seqs.first().copied())
}
