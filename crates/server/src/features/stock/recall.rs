//! Taking a lot out of use, everywhere at once.

use axum::extract::State;
use larder_db::{Change, ChangeAction, Tx};
use serde_json::json;

use super::model::{OfStore, RecallLot, RecalledLot, Recalls, ReleaseLot};
use super::queries;
use crate::AppState;
use crate::books::stock::lots;
use crate::http::json::{Path, Query};
use crate::http::text::has_unseen_in_lines;
use crate::http::{ApiError, ApiResult, Json, Who};

/// Recall a lot: it can no longer be sent, and every store that has it is told.
#[utoipa::path(post, path = "/api/stock/lots/{lot}/recall", tag = "stock", params(("lot" = String, Path)),
    request_body = RecallLot, responses((status = 200, body = RecalledLot)))]
pub(crate) async fn recall_lot(
    State(state): State<AppState>,
    who: Who,
    Path(lot): Path<String>,
    Json(body): Json<RecallLot>,
) -> ApiResult<Json<RecalledLot>> {
    let reason = body.reason.trim();
    if reason.is_empty() {
        return Err(ApiError::field("reason", "Say why."));
    }
    if reason.chars().count() > 2_000 || has_unseen_in_lines(reason) {
        return Err(ApiError::field("reason", "Use at most 2000 characters, all of them visible."));
    }
    let (actor, product) = (who.actor(), body.product_id.as_str());
    let changed = state.db.write(&actor, async |tx| change(tx, product, &lot, Some(reason)).await).await?;
    Ok(Json(changed))
}

/// Take a recall back: the lot can be sent again.
#[utoipa::path(post, path = "/api/stock/lots/{lot}/release", tag = "stock", params(("lot" = String, Path)),
    request_body = ReleaseLot, responses((status = 200, body = RecalledLot)))]
pub(crate) async fn release_lot(
    State(state): State<AppState>,
    who: Who,
    Path(lot): Path<String>,
    Json(body): Json<ReleaseLot>,
) -> ApiResult<Json<RecalledLot>> {
    let (actor, product) = (who.actor(), body.product_id.as_str());
    let changed = state.db.write(&actor, async |tx| change(tx, product, &lot, None).await).await?;
    Ok(Json(changed))
}

async fn change(
    tx: &mut Tx<'_>,
    product_id: &str,
    lot: &str,
    reason: Option<&str>,
) -> ApiResult<RecalledLot> {
    if !lots::set_recalled(tx, product_id, lot, reason).await? {
        return Err(match (lots::exists(tx, product_id, lot).await?, reason) {
            (false, _) => ApiError::not_found("lot"),
            (true, Some(_)) => ApiError::conflict("recalled", format!("Lot {lot} is recalled already.")),
            (true, None) => ApiError::conflict("notRecalled", format!("Lot {lot} is not recalled.")),
        });
    }
    let store_ids = lots::stores_with(tx, product_id, lot).await?;
    let id = format!("{product_id}_{lot}");
    tx.record(Change {
        kind: "lot",
        id: id.clone(),
        store_id: None,
        action: ChangeAction::Updated,
        before: Some(json!({ "recalled": reason.is_none() })),
        after: Some(json!({ "recalled": reason.is_some(), "reason": reason })),
    })
    .await?;
    for store in &store_ids {
        tx.announce("lot", &id, Some(store));
    }
    Ok(RecalledLot { product_id: product_id.to_owned(), lot: lot.to_owned(), store_ids })
}

/// Recalled lots that lie in stores: they are to be taken off the shelf and written off.
#[utoipa::path(get, path = "/api/stock/recalls", tag = "stock", params(OfStore),
    responses((status = 200, body = Recalls)))]
pub(crate) async fn list_recalls(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<OfStore>,
) -> ApiResult<Json<Recalls>> {
    let wished = query.store_id.filter(|id| !id.is_empty()).map(|id| vec![id]);
    let stores = who.stores(wished.as_deref())?;
    Ok(Json(Recalls { items: queries::recalls(&state.db, stores.as_deref()).await? }))
}
