//! Sets how much there is of a product: posts the difference and records it as a change of the product's stock.

use larder_db::{Change, ChangeAction, Tx};
use larder_domain::ledger::{Leg, Movement, Place};
use larder_domain::{BusinessDay, Qty};
use serde_json::json;

use super::post::{Document, Posting, post};
use super::read::product;
use larder_platform::http::ApiError;

/// A difference in a product's stock.
#[derive(Debug, Clone)]
pub struct Adjustment<'a> {
    pub product_id: &'a str,
    /// What posts it.
    pub document: Document<'a>,
    pub place: Place,
    /// How much there was in all.
    pub before: Qty,
    /// How much more there is, or less.
    pub difference: Qty,
    pub reason: Option<&'a str>,
}

/// Posts a difference today and records it. Returns the number of its movement. The caller holds the balance from which
/// it computed the difference.
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
