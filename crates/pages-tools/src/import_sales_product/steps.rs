//! The steps of a batch: mapping, posting, reverting.

use axum::extract::State;
use larder_db::{ChangeAction, Tx};
use larder_domain::sales::Mapping;
use larder_domain::sales::existing::How;
use larder_domain::{StoreScope, plural};
use serde_json::{Map, json};

use super::answers::answered;
use super::batches::fresh;
use super::existing::{Asked, asked};
use super::import::{POST, REVERT, SalesImport, VALIDATE};
use super::midnight::DAY_START;
use super::model::{Batch, PostRequest, Subject};
use super::questions::Ask;
use super::summary::placed_again;
use super::{queries, uploads};
use larder_lists::imports;
use larder_lists::imports::batches::find;
use larder_lists::imports::{refuse_state, steps};
use larder_platform::AppState;
use larder_platform::http::json::Path;
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};

/// Set the mapping of a file, and answer questions about it. A job then checks its rows; nothing is posted yet.
#[utoipa::path(put, path = "/api/tools/import-sales-product/batches/{id}/mapping", tag = "import sales",
    params(("id" = String, Path)), request_body = Mapping, responses((status = 200, body = Batch)))]
pub(crate) async fn map_sales_batch(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(mapping): Json<Mapping>,
) -> ApiResult<Json<Batch>> {
    let batch = find::<SalesImport>(&state, &who, &id).await?;
    VALIDATE.check(&batch)?;
    if batch.posted_at.is_some() {
        return Err(refuse_state(batch.state));
    }
    let mut layout = batch.layout.clone().map(|l| l.0).ok_or_else(|| refuse_state(batch.state))?;
    if mapping.sheet.is_some() && mapping.sheet != layout.sheet {
        let sheet = mapping.sheet.clone();
        layout = uploads::look(&state, &who.scope, &batch.file_key, &batch.file_name, sheet).await?;
    }
    let known = batch.summary.as_ref().map(|summary| summary.asks.as_slice()).unwrap_or_default();
    let further = known.iter().filter(|ask| layout.asks.iter().all(|of_layout| of_layout.id != ask.id));
    let asks: Vec<Ask> = layout.asks.iter().chain(further).cloned().collect();
    let before = batch.mapping.as_ref().map(|mapping| &mapping.0);
    let sent = keeping_day_starts(mapping, before);
    let mapping = answered(&sent, before, layout.suggestion.as_ref(), &asks);
    let mut faults = mapping.faults(layout.columns.len());
    faults.extend(layout.faults(&mapping));
    if !faults.is_empty() {
        let fields = faults.into_iter().map(|(field, message)| FieldError::new(field, message));
        return Err(ApiError::invalid(fields.collect()));
    }
    if let Some(store) = &mapping.store {
        who.check_store(&store.fixed)?;
    }
    let (batch, mapping, layout) = (&batch, &mapping, &layout);
    state
        .db
        .write(&who.actor(), async |tx| {
            if let Some(store) = &mapping.store
                && !queries::directory::store_exists(tx, &store.fixed).await?
            {
                return Err(ApiError::field("store", "This store does not exist; choose one from the list."));
            }
            steps::take::<SalesImport>(tx, &state, &who, batch, &VALIDATE, Map::new()).await?;
            imports::set_mapping::<SalesImport>(tx, &batch.id, layout, mapping).await?;
            let confirmed = Some(json!({ "mapping": mapping }));
            imports::record::<SalesImport>(tx, &batch.id, ChangeAction::Updated, None, confirmed).await?;
            queries::findings::clear(tx, &batch.id).await?;
            Ok(())
        })
        .await?;
    steps::under_way::<SalesImport>(&state, &who, &id).await
}

/// A mapping as sent, with what was answered before about the days of stores: the question comes again for other stores,
/// and its answer does not tell for which ones it was given.
fn keeping_day_starts(mut sent: Mapping, before: Option<&Mapping>) -> Mapping {
    let Some(before) = before else { return sent };
    let said = before.answers.get(DAY_START);
    if said.is_none() || said == sent.answers.get(DAY_START) {
        for (store, minutes) in &before.day_starts {
            sent.day_starts.entry(store.clone()).or_insert(*minutes);
        }
    }
    sent
}

/// Post a checked file: a job writes its store-days. One that another file posted is a day of both: the file is added
/// where its tills, or within one numbering its receipts, are others; the same content changes nothing. Where they may be
/// the same sales, 409 `alreadyImported` names the first 50 in `days`, each with the sums of each choice, until
/// `onExisting` says what happens. Of choices that come to the same on all days the plainest is offered; each is taken.
#[utoipa::path(post, path = "/api/tools/import-sales-product/batches/{id}/post", tag = "import sales",
    params(("id" = String, Path)), request_body = PostRequest, responses((status = 200, body = Batch)))]
pub(crate) async fn post_sales_batch(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(request): Json<PostRequest>,
) -> ApiResult<Json<Batch>> {
    let batch = fresh(&state, &who, &id).await?;
    POST.check(&batch)?;
    if request.revision.is_some_and(|seen| seen != batch.revision) {
        return Err(ApiError::stale("someone else", json!({ "revision": batch.revision })));
    }
    let batch = placed_again(&state, &who, batch, false).await?;
    let summary = batch.summary.as_ref().ok_or_else(|| refuse_state(batch.state))?;
    if summary.good_lines == 0 {
        return Err(ApiError::unprocessable(
            "noLines",
            "No row of this file is a sales line. Correct the mapping.",
        ));
    }
    if summary.unmapped_stores > 0 {
        let words = format!(
            "{} not known. Choose a store for each first.",
            plural(summary.unmapped_stores, "store name is", "store names are")
        );
        return Err(ApiError::conflict("unknownStores", words));
    }
    if batch.subject == Subject::RootItems && summary.unmapped_items > 0 {
        let words = format!(
            "{} not known. Choose a root item for each first.",
            plural(summary.unmapped_items, "root item is", "root items are")
        );
        return Err(ApiError::conflict("unknownItems", words));
    }
    let mapping = batch.mapping.as_ref().map(|mapping| &mapping.0);
    let open: Vec<&Ask> =
        summary.asks.iter().filter(|ask| mapping.is_none_or(|mapping| ask.is_open(mapping))).collect();
    if !open.is_empty() {
        return Err(ApiError::conflict("asks", "Answer the questions about this file first.")
            .with("asks", json!(open)));
    }
    authorize_stores(&state, &who, &batch).await?;
    let mut on_existing = request.on_existing;
    let mut all = false;
    if on_existing.is_none() && request.replace {
        (on_existing, all) = (Some(How::ReplaceDays), true);
    } else if summary.replaces > 0 {
        let Asked { count, days } = asked(&state, &who, &batch).await?;
        if count > 0 && on_existing.is_none() {
            let words = format!(
                "{} sales from another file that may be the same. Choose what happens to them.",
                plural(i64::try_from(count).unwrap_or(i64::MAX), "store-day has", "store-days have")
            );
            return Err(ApiError::conflict("alreadyImported", words)
                .with("storeDays", json!(count))
                .with("days", json!(days)));
        }
        all = count == 0;
    }
    let more =
        Map::from_iter([("onExisting".to_owned(), json!(on_existing)), ("all".to_owned(), json!(all))]);
    let (batch, more) = (&batch, &more);
    let taken = async |tx: &mut Tx<'_>| {
        steps::take::<SalesImport>(tx, &state, &who, batch, &POST, more.clone()).await
    };
    state.db.write(&who.actor(), taken).await?;
    steps::under_way::<SalesImport>(&state, &who, &id).await
}

/// Revert a posted file: its store-days are as if it had never been posted; what it replaced comes back.
#[utoipa::path(post, path = "/api/tools/import-sales-product/batches/{id}/revert", tag = "import sales",
    params(("id" = String, Path)), responses((status = 200, body = Batch)))]
pub(crate) async fn revert_sales_batch(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<Batch>> {
    let batch = find::<SalesImport>(&state, &who, &id).await?;
    REVERT.check(&batch)?;
    authorize_stores(&state, &who, &batch).await?;
    steps::go::<SalesImport>(&state, &who, &batch, &REVERT).await
}

/// Refuses a batch with stores the caller may not access.
async fn authorize_stores(state: &AppState, who: &Who, batch: &Batch) -> ApiResult<()> {
    let StoreScope::Only(within) = &who.scope else { return Ok(()) };
    let names = queries::findings::names(&state.db, &batch.id).await?;
    let mut stores = names.iter().filter(|name| name.kind == "store");
    let allowed = stores.all(|name| name.store_id.as_ref().is_some_and(|id| within.contains(id)));
    if allowed { Ok(()) } else { Err(ApiError::out_of_scope()) }
}
