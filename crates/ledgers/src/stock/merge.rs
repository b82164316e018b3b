//! Merges two items: stock of one moves to the other by ordinary movements.

use larder_db::Tx;
use larder_domain::ledger::{DocumentType, Item, ItemKind, Leg, Movement, Place, PlaceKind};
use larder_domain::{BusinessDay, Qty};

use super::post::{Document, Posting, post};
use larder_platform::http::ApiError;

/// Moves the stock of one item to another, place by place. Returns the number of places; past movements stay
/// with their item.
///
/// # Errors
/// If the database fails, or a balance overflows.
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
    let mut line = 0;
    for (place_kind, place_id, qty) in &balances {
        let Some(place_kind) = PlaceKind::parse(place_kind) else { continue };
        let place = Place { kind: place_kind, id: place_id.clone() };
        let mut parts = lots_at(tx, kind, from, &place).await?;
        let without = qty.0 - parts.iter().map(|(_, qty)| qty.0).sum::<i64>();
        if without != 0 {
            parts.push((None, Qty(without)));
        }
        for (lot, qty) in parts {
            line += 1;
            for (id, qty, leg) in [(from, Qty(-qty.0), Leg::From), (into, qty, Leg::To)] {
                let item = Item { kind, id: id.to_owned() };
                let (place, lot) = (place.clone(), lot.clone());
                movements.push(Movement { item, place, qty, unit_cost: None, line, leg, lot });
            }
        }
    }
    if movements.is_empty() {
        return Ok(0);
    }
    let at = tx.actor().at;
    let id = format!("{from}_{}", at.0);
    let posting = Posting {
        document: Document::first(DocumentType::Merge, &id),
        business_date: BusinessDay::of(at),
        happened_at: None,
        reason: Some("Merged into another record"),
        movements: &movements,
    };
    post(tx, &posting).await?;
    if kind == ItemKind::Product {
        // A lot that both have stays recalled if either was.
        tx.sql(
            "insert into lots (product_id, lot, expiry, first_seen, document_type, document_id, recalled_at, \
               recalled_by, recall_reason)
             select $2, lot, expiry, first_seen, document_type, document_id, recalled_at, recalled_by, recall_reason
             from lots where product_id = $1 on conflict (product_id, lot) do update set \
               expiry = coalesce(lots.expiry, excluded.expiry), \
               recalled_at = coalesce(lots.recalled_at, excluded.recalled_at), \
               recalled_by = case when lots.recalled_at is null then excluded.recalled_by else lots.recalled_by end, \
               recall_reason = case when lots.recalled_at is null then excluded.recall_reason else lots.recall_reason end",
        )
        .bind(from)
        .bind(into)
        .execute()
        .await?;
    }
    Ok(i64::try_from(balances.len()).unwrap_or(i64::MAX))
}

/// Stock of a product's lots at a place.
async fn lots_at(
    tx: &mut Tx<'_>,
    kind: ItemKind,
    id: &str,
    place: &Place,
) -> Result<Vec<(Option<String>, Qty)>, ApiError> {
    if kind != ItemKind::Product {
        return Ok(Vec::new());
    }
    let rows: Vec<(Option<String>, Qty)> = tx
        .sql(
            "select lot, qty from lot_balances
             where product_id = $1 and place_kind = $2 and place_id = $3 and qty <> 0 order by lot",
        )
        .bind(id)
        .bind(place.kind.as_str())
        .bind(&place.id)
        .all()
        .await?;
    Ok(rows)
}
