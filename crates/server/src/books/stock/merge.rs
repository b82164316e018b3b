//! Two items that are one: what lies anywhere of one becomes the other's, by movements like any other.

use larder_db::Tx;
use larder_domain::ledger::{DocumentType, Item, ItemKind, Leg, Movement, Place, PlaceKind};
use larder_domain::{BusinessDay, Qty};

use super::post::{Document, Posting, post};
use crate::http::ApiError;

/// Moves the stock of one item to another, place by place. Answers how many places there were; the movements of
/// the past stay with the item they were posted for.
///
/// # Errors
/// When the database cannot be used, or a balance grows past what can be kept.
pub async fn move_stock(tx: &mut Tx<'_>, kind: ItemKind, from: &str, into: &str) -> Result<i64, ApiError> {
    let balances: Vec<(String, String, Qty)> = tx
        .sql(
            "select place_kind, place_id, qty from stock_balances
             where item_kind = $1 and item_id = $2 and qty <> 0 order by place_kind, place_id",
        )
        .bind(kind.as_str())
        .bind(from)
        .all()
        .await?;
    let mut movements = Vec::new();
    for (line, (place_kind, place_id, qty)) in (1..).zip(&balances) {
        let Some(place_kind) = PlaceKind::parse(place_kind) else { continue };
        let place = Place { kind: place_kind, id: place_id.clone() };
        for (id, qty, leg) in [(from, Qty(-qty.0), Leg::From), (into, *qty, Leg::To)] {
            let item = Item { kind, id: id.to_owned() };
            movements.push(Movement { item, place: place.clone(), qty, unit_cost: None, line, leg });
        }
    }
    if movements.is_empty() {
        return Ok(0);
    }
    let at = tx.actor().at;
    let id = format!("{from}_{}", at.0);
    let posting = Posting {
        document: Document { kind: DocumentType::Merge, id: &id },
        business_date: BusinessDay::of(at),
        reason: Some("Merged into another record"),
        movements: &movements,
    };
    post(tx, &posting).await?;
    Ok(i64::try_from(balances.len()).unwrap_or(i64::MAX))
}
