//! Recalling a lot everywhere at once.

use axum::extract::State;
use larder_db::{Change, ChangeAction, Tx};
use larder_domain::Action::{Approve, Edit, View};
use larder_domain::ledger::{Place, PlaceKind};
use larder_domain::{BusinessDay, Permission, StoreScope};
use serde_json::json;

use super::model::{Recall, RecallAnswer, RecallLot, RecalledLot, Recalls, RecallsQuery, ReleaseLot};
use larder_documents::{productions, receipts};
use larder_ledgers::place_stock::{self, LotPlace};
use larder_ledgers::stock::{self, lots, recall_answers};
use larder_platform::AppState;
use larder_platform::http::json::{Path, Query};
use larder_platform::http::text::{has_unseen_in_lines, said as typed};
use larder_platform::http::{ApiError, ApiResult, Json, Who, scope};

/// Recall a lot: it can no longer be sent, and every store that has it is notified.
#[utoipa::path(post, path = "/api/stock/lots/{lot}/recall", tag = "stock", params(("lot" = String, Path)),
    request_body = RecallLot, responses((status = 200, body = RecalledLot)))]
pub(crate) async fn recall_lot(
    State(state): State<AppState>,
    who: Who,
    Path(lot): Path<String>,
    Json(body): Json<RecallLot>,
) -> ApiResult<Json<RecalledLot>> {
    let to = &To { recalled: true, product_id: &body.product_id, lot: &lot, reason: said(&body.reason)? };
    Ok(Json(state.db.write(&who.actor(), async |tx| change(tx, to).await).await?))
}

/// Withdraw a recall: the lot can be sent again.
#[utoipa::path(post, path = "/api/stock/lots/{lot}/release", tag = "stock", params(("lot" = String, Path)),
    request_body = ReleaseLot, responses((status = 200, body = RecalledLot)))]
pub(crate) async fn release_lot(
    State(state): State<AppState>,
    who: Who,
    Path(lot): Path<String>,
    Json(body): Json<ReleaseLot>,
) -> ApiResult<Json<RecalledLot>> {
    let to = &To { recalled: false, product_id: &body.product_id, lot: &lot, reason: said(&body.reason)? };
    Ok(Json(state.db.write(&who.actor(), async |tx| change(tx, to).await).await?))
}

/// Validated reason.
fn said(reason: &str) -> ApiResult<&str> {
    let reason = reason.trim();
    if reason.is_empty() {
        return Err(ApiError::field("reason", "Say why."));
    }
    if reason.chars().count() > 2_000 || has_unseen_in_lines(reason) {
        return Err(ApiError::field("reason", "Use at most 2000 characters, all of them visible."));
    }
    Ok(reason)
}

/// New state of a lot.
struct To<'a> {
    recalled: bool,
    product_id: &'a str,
    lot: &'a str,
    reason: &'a str,
}

async fn change(tx: &mut Tx<'_>, to: &To<'_>) -> ApiResult<RecalledLot> {
    let To { recalled, product_id, lot, reason } = *to;
    if !lots::set_recalled(tx, product_id, lot, recalled.then_some(reason)).await? {
        return Err(match (lots::exists(tx, product_id, lot).await?, recalled) {
            (false, _) => ApiError::not_found("lot"),
            (true, true) => ApiError::conflict("recalled", format!("Lot {lot} is recalled already.")),
            (true, false) => ApiError::conflict("notRecalled", format!("Lot {lot} is not recalled.")),
        });
    }
    let store_ids = lots::stores_with(tx, product_id, lot).await?;
    let id = format!("{product_id}_{lot}");
    tx.record(Change {
        kind: "lot",
        id: id.clone(),
        store_id: None,
        action: ChangeAction::Updated,
        before: Some(json!({ "recalled": !recalled })),
        after: Some(json!({ "recalled": recalled, "reason": reason })),
    })
    .await?;
    for store in &store_ids {
        tx.announce("lot", &id, Some(store));
    }
    Ok(RecalledLot { product_id: product_id.to_owned(), lot: lot.to_owned(), store_ids })
}

/// Maximum page size.
const MOST: i64 = 500;

/// Recalled lots where more came than left, or in transit, to be removed and written off: until the place answers. Callers with access to all stores
/// also see those at commissaries and warehouses; those who may only answer for these see no others.
#[utoipa::path(get, path = "/api/stock/recalls", tag = "stock", params(RecallsQuery),
    responses((status = 200, body = Recalls)))]
pub(crate) async fn list_recalls(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<RecallsQuery>,
) -> ApiResult<Json<Recalls>> {
    let stores = lists_stores(&who)?;
    let number = |asked: Option<i64>, usual: i64, most: i64| {
        Some(asked.unwrap_or(usual)).filter(|it| (1..=most).contains(it))
    };
    let page = number(query.page, 1, 1_000_000)
        .ok_or_else(|| ApiError::field("page", "Pages are counted from 1."))?;
    let size = number(query.page_size, MOST, MOST)
        .ok_or_else(|| ApiError::field("pageSize", format!("Ask for 1 to {MOST} a page.")))?;
    let wished = query.store_id.filter(|id| !id.is_empty()).map(|id| vec![id]);
    let scope = match who.stores(wished.as_deref())? {
        Some(ids) => StoreScope::Only(ids.into_iter().collect()),
        None => StoreScope::All,
    };
    let asked = ((page - 1) * size, size);
    let found = place_stock::recalls(&state.db, (&scope, stores), asked, BusinessDay::of(who.at)).await?;
    let items = found.items.iter().map(|(lot, place)| recall_at(lot, place)).collect();
    Ok(Json(Recalls { items, total: usize::try_from(found.total).unwrap_or_default() }))
}

/// The notice of a recall at a place.
fn recall_at(lot: &lots::RecalledLot, place: &LotPlace) -> Recall {
    let store_id = match place.place_kind {
        PlaceKind::Store => Some(place.place_id.clone()),
        PlaceKind::InTransit => stock::going_to(&place.place_id).map(str::to_owned),
        PlaceKind::Commissary | PlaceKind::Warehouse | PlaceKind::ColdStorage => None,
    };
    Recall {
        store_id,
        place_kind: place.place_kind,
        place_id: place.place_id.clone(),
        place_name: place.place_name.clone(),
        product_id: lot.product_id.clone(),
        name: lot.name.clone(),
        lot: lot.lot.clone(),
        qty: place.qty,
        likely: place.qty,
        at_least: place.at_least,
        at_most: place.at_most,
        came: place.came,
        left: place.left,
        came_less_left: place.came_less_left,
        uom_id: lot.uom_id.clone(),
        uom_code: lot.uom_code.clone(),
        reason: lot.reason.clone(),
        recalled_at: lot.recalled_at,
        recalled_by: lot.recalled_by.clone(),
    }
}

/// Answer what a place found of a recalled lot; more than came there wants a note. It is then no longer listed there,
/// unless more of it comes or it is recalled again. A store also answers for what is on its way to it, and is asked again
/// when that comes.
#[utoipa::path(post, path = "/api/stock/recalls/answers", tag = "stock", request_body = RecallAnswer,
    responses((status = 200, body = RecallAnswer)))]
pub(crate) async fn answer_recall(
    State(state): State<AppState>,
    who: Who,
    Json(mut body): Json<RecallAnswer>,
) -> ApiResult<Json<RecallAnswer>> {
    may_answer(&who, body.place_kind)?;
    match body.place_kind {
        PlaceKind::Store => scope::check(Some(&body.place_id), &who.scope)?,
        PlaceKind::InTransit => scope::check(stock::going_to(&body.place_id), &who.scope)?,
        PlaceKind::Commissary | PlaceKind::Warehouse | PlaceKind::ColdStorage => {
            if who.scope != StoreScope::All {
                return Err(ApiError::out_of_scope());
            }
        }
    }
    if body.found.0 < 0 {
        return Err(ApiError::field("found", "Say how much was found, or 0."));
    }
    body.note = typed(body.note.as_deref()).map(str::to_owned);
    if let Some(note) = &body.note {
        noted(note)?;
    }
    let asked = &body;
    state.db.write(&who.actor(), async |tx| answer(tx, asked).await).await?;
    Ok(Json(body))
}

/// Whether a user sees the recalls of stores too, or only those that kitchens and warehouses answer.
fn lists_stores(who: &Who) -> ApiResult<bool> {
    let kitchen = productions::PAGE;
    if who.can(receipts::PAGE, View) || who.can(receipts::PAGE, Edit) {
        Ok(true)
    } else if who.can(kitchen, Edit) || who.can(kitchen, Approve) {
        Ok(false)
    } else {
        Err(ApiError::lacks(Permission { page: receipts::PAGE, action: View }))
    }
}

/// Refuses a user who may not answer for a place of this kind.
fn may_answer(who: &Who, kind: PlaceKind) -> ApiResult<()> {
    let (page, may) = match kind {
        PlaceKind::Store | PlaceKind::InTransit => (receipts::PAGE, who.can(receipts::PAGE, Edit)),
        PlaceKind::Commissary | PlaceKind::Warehouse | PlaceKind::ColdStorage => {
            let kitchen = productions::PAGE;
            (kitchen, who.can(kitchen, Edit) || who.can(kitchen, Approve))
        }
    };
    if may { Ok(()) } else { Err(ApiError::lacks(Permission { page, action: Edit })) }
}

fn noted(note: &str) -> ApiResult<()> {
    if note.chars().count() > 2_000 || has_unseen_in_lines(note) {
        return Err(ApiError::field("note", "Use at most 2000 characters, all of them visible."));
    }
    Ok(())
}

async fn answer(tx: &mut Tx<'_>, asked: &RecallAnswer) -> ApiResult<()> {
    let named = [(asked.product_id.clone(), asked.lot.clone())];
    if !lots::exists(tx, &asked.product_id, &asked.lot).await? {
        return Err(ApiError::not_found("lot"));
    }
    if lots::recalled(tx, &named).await?.is_empty() {
        return Err(ApiError::conflict("notRecalled", format!("Lot {} is not recalled.", asked.lot)));
    }
    let place = Place { kind: asked.place_kind, id: asked.place_id.clone() };
    let is_way = place.kind == PlaceKind::InTransit;
    if is_way && lots::at(tx, &place, &asked.product_id, &asked.lot).await?.0 <= 0 {
        return Err(ApiError::not_found("lot on its way"));
    }
    let came = recall_answers::came(tx, &asked.product_id, &asked.lot, &place).await?;
    let came = came.ok_or_else(|| ApiError::not_found("place with this lot"))?;
    if asked.found > came && asked.note.is_none() {
        let words =
            format!("Only {came} came here. Check the quantity, or say in the note why there is more.");
        return Err(ApiError::field("found", words));
    }
    let said = recall_answers::Answer {
        product_id: &asked.product_id,
        lot: &asked.lot,
        place: &place,
        found: asked.found,
        note: asked.note.as_deref(),
        document_id: None,
    };
    if !recall_answers::answer(tx, &said).await? {
        return Err(ApiError::not_found("place with this lot"));
    }
    Ok(())
}
