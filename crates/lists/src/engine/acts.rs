//! Further operations on the records of any list: uses, history, merging, moving, bulk changes and undo.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use larder_domain::access::meaningful;
use larder_domain::{Action, StoreScope};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::define::List;
use super::merge::{self, MovedUses};
use super::past::{self, Undone};
use super::routes::parts;
use super::used_by::{self, RecordUses, UsedBy};
use super::{openapi::Verb, position, queries, reach, write};
use larder_platform::AppState;
use larder_platform::audit;
use larder_platform::audit::HistoryPage;
use larder_platform::http::erased::{get, post};
use larder_platform::http::error::{ApiError, ApiResult, FieldError};
use larder_platform::http::guard::Routes;
use larder_platform::http::json::{Json, Path, Query};
use larder_platform::http::question::known_id;
use larder_platform::http::session::Who;

/// The most records of one request.
pub const MANY: usize = 1_000;
/// The most entries of a page of history.
const MAX_HISTORY: i64 = 200;

/// The routes of a list's further operations.
pub fn routes<L: List>(state: &AppState) -> Routes {
    let def = L::def();
    let page = def.page;
    let mut routes = Routes::new(state)
        .can(page, Action::View, parts::<L>(Verb::UsesOfMany, get(uses_of_many::<L>)))
        .can(page, Action::View, parts::<L>(Verb::Uses, get(uses_of_one::<L>)))
        .can(page, Action::View, parts::<L>(Verb::History, get(history::<L>)))
        .can(page, Action::Edit, parts::<L>(Verb::Restore, post(restore::<L>)))
        .can(page, Action::Edit, parts::<L>(Verb::Undo, post(undo::<L>)))
        .can(page, Action::Edit, parts::<L>(Verb::Bulk, post(bulk::<L>)));
    if !def.stores {
        routes = routes.can(page, Action::Delete, parts::<L>(Verb::Merge, post(merge::<L>)));
    }
    if def.field(position::POSITION).is_some() {
        routes = routes.can(page, Action::Edit, parts::<L>(Verb::Move, post(move_record::<L>)));
    }
    routes
}

/// The ids of a request, as query parameter.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ids {
    ids: String,
}

async fn uses_of_many<L: List>(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<Ids>,
) -> ApiResult<Json<Vec<UsedBy>>> {
    let ids: Vec<String> = query.ids.split(',').filter(|id| !id.is_empty()).map(str::to_owned).collect();
    if ids.len() > MANY {
        return Err(ApiError::field("ids", format!("Ask for at most {MANY} records.")));
    }
    for id in &ids {
        known_id(id, L::def().one)?;
    }
    let ids = queries::within_scope(&state.db, L::def(), &who.scope, ids).await?;
    Ok(Json(used_by::used_by(&state.db, L::def(), &ids).await?))
}

async fn uses_of_one<L: List>(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<RecordUses>> {
    let record: L = reach::read(&state.db, &who.scope, &id).await?;
    Ok(Json(used_by::uses_of_record(&state.db, L::def(), record.id(), &who).await?))
}

/// Paging parameters of a history.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct HistoryQuery {
    page: Option<i64>,
    page_size: Option<i64>,
}

async fn history<L: List>(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Query(query): Query<HistoryQuery>,
) -> ApiResult<Json<HistoryPage>> {
    let id = match reach::read::<L>(&state.db, &who.scope, &id).await {
        // A deleted record keeps its history.
        Err(error) if error.status != StatusCode::NOT_FOUND => return Err(error),
        _ => known_id(&id, L::def().one)?,
    };
    let (page, size) = (query.page.unwrap_or(1), query.page_size.unwrap_or(50));
    if !(1..=1_000_000).contains(&page) || !(1..=MAX_HISTORY).contains(&size) {
        return Err(ApiError::field("page", format!("Ask for a page from 1 of 1 to {MAX_HISTORY} entries.")));
    }
    let (rows, total) = audit::of_record(&state.db, L::def().kind, id, size, (page - 1) * size).await?;
    // A deleted record is authorized by the store in its history; without one there, only for users of all
    // stores.
    let near = |row: &audit::Row| match &row.store_id {
        Some(store) => who.scope.contains(store),
        None => L::def().store.is_none() || who.scope == StoreScope::All,
    };
    if !rows.iter().all(near) {
        return Err(ApiError::out_of_scope());
    }
    Ok(Json(HistoryPage { items: rows.into_iter().map(Into::into).collect(), total }))
}

/// The version to restore, and the record's revision.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RestoreBody {
    /// The history entry to restore.
    pub seq: i64,
    /// The record's revision; absent if it was deleted.
    #[serde(default)]
    pub revision: Option<i64>,
}

async fn restore<L: List>(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(body): Json<RestoreBody>,
) -> ApiResult<Json<L>> {
    if body.revision.is_none() {
        needs(&who, L::def().page, Action::Create)?;
    }
    let (actor, scope, id) = (who.actor(), &who.scope, id.as_str());
    let record = state.db.write(&actor, async |tx| {
        let id = reach::check(tx, L::def(), scope, id).await?;
        let record: L = past::restore(tx, id, body.seq, body.revision).await?;
        reach::refuse_body(L::def(), scope, &write::body_of(&record))?;
        Ok::<_, ApiError>(record)
    });
    Ok(Json(record.await?))
}

/// The revision whose change is undone.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UndoBody {
    /// The record's revision; absent if it was deleted.
    #[serde(default)]
    pub revision: Option<i64>,
}

async fn undo<L: List>(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(body): Json<UndoBody>,
) -> ApiResult<Response> {
    if body.revision.is_none() {
        needs(&who, L::def().page, Action::Create)?;
    }
    let (actor, who, scope, id) = (who.actor(), &who, &who.scope, id.as_str());
    let undone = state.db.write(&actor, async |tx| {
        let id = reach::check(tx, L::def(), scope, id).await?;
        if past::last_action(tx, L::def(), id).await?.as_deref() == Some("created") {
            needs(who, L::def().page, unmaking(L::def().page))?;
        }
        let undone = past::undo::<L>(tx, id, body.revision).await?;
        if let Undone::Record(record) = &undone {
            reach::refuse_body(L::def(), scope, &write::body_of(record.as_ref()))?;
        }
        Ok::<_, ApiError>(undone)
    });
    Ok(match undone.await? {
        Undone::Record(record) => Json(*record).into_response(),
        Undone::Gone => StatusCode::NO_CONTENT.into_response(),
    })
}

/// A record id with the revision the client knows.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Known {
    pub id: String,
    pub revision: i64,
}

/// The same change to many records.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BulkBody {
    /// Records to change, at most a thousand.
    pub records: Vec<Known>,
    /// Fields to change; null clears one.
    #[schema(value_type = Object)]
    pub change: Map<String, Value>,
}

/// A record that was not changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct BulkFailure {
    pub id: String,
    pub code: String,
    pub detail: String,
    pub fields: Vec<FieldError>,
}

/// The result of a bulk change.
#[derive(Debug, Serialize)]
struct BulkOutcome<L> {
    done: Vec<L>,
    failed: Vec<BulkFailure>,
}

async fn bulk<L: List>(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<BulkBody>,
) -> ApiResult<Json<BulkOutcome<L>>> {
    let def = L::def();
    if body.records.len() > MANY {
        return Err(ApiError::field("records", format!("Change at most {MANY} records at once.")));
    }
    if body.change.is_empty() || body.change.contains_key("revision") {
        return Err(ApiError::field("change", "Say which fields to change."));
    }
    reach::refuse_body(def, &who.scope, &body.change)?;
    let (actor, scope, body) = (who.actor(), &who.scope, &body);
    let written = state.db.write(&actor, async |tx| {
        for known in &body.records {
            reach::check(tx, def, scope, &known.id).await?;
        }
        let (mut done, mut failed) = (Vec::new(), Vec::new());
        for known in &body.records {
            let mut patch = body.change.clone();
            patch.insert("revision".to_owned(), json!(known.revision));
            // A refusal of one record does not affect the others.
            let outcome =
                tx.part(async |tx| write::update_given::<L>(tx, &known.id, patch.clone()).await).await;
            match outcome {
                Ok(record) => done.push(record),
                Err(error) if error.status.is_server_error() => return Err(error),
                Err(error) => failed.push(BulkFailure {
                    id: known.id.clone(),
                    code: error.code.to_string(),
                    detail: error.detail,
                    fields: error.fields,
                }),
            }
        }
        Ok(BulkOutcome { done, failed })
    });
    Ok(Json(written.await?))
}

/// The record to merge into, and both revisions.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MergeBody {
    /// The record that stays.
    pub into: String,
    /// Revision of the record that is removed.
    pub revision: i64,
    /// Revision of the record that stays.
    pub into_revision: i64,
}

/// The record that stayed, and what moved to it.
#[derive(Debug, Serialize)]
struct Merged<L> {
    record: L,
    moved: Vec<MovedUses>,
}

async fn merge<L: List>(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(body): Json<MergeBody>,
) -> ApiResult<Json<Merged<L>>> {
    let def = L::def();
    needs(&who, def.page, Action::Edit)?;
    let (actor, scope, id, body) = (who.actor(), &who.scope, id.as_str(), &body);
    let written = state.db.write(&actor, async |tx| {
        let id = reach::check(tx, def, scope, id).await?;
        let into = reach::check(tx, def, scope, &body.into).await?;
        merge::merge::<L>(tx, (id, body.revision), (into, body.into_revision)).await
    });
    let (record, moved) = written.await?;
    Ok(Json(Merged { record, moved }))
}

/// A new place in a tree.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MoveBody {
    /// The new parent; absent for the top level.
    #[serde(default)]
    pub parent_id: Option<String>,
    /// The sibling to place it before; absent for the end.
    #[serde(default)]
    pub before: Option<String>,
    /// Revision of the moved record.
    pub revision: i64,
}

async fn move_record<L: List>(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(body): Json<MoveBody>,
) -> ApiResult<Json<L>> {
    let (actor, scope, id, body) = (who.actor(), &who.scope, id.as_str(), &body);
    let written = state.db.write(&actor, async |tx| {
        let id = reach::check(tx, L::def(), scope, id).await?;
        position::place::<L>(tx, id, body).await
    });
    Ok(Json(written.await?))
}

/// The permission to undo a creation: delete, or create where no role can grant delete, as for stores.
fn unmaking(page: &str) -> Action {
    if meaningful(page).contains(&Action::Delete) { Action::Delete } else { Action::Create }
}

fn needs(who: &Who, page: &'static str, action: Action) -> ApiResult<()> {
    if who.can(page, action) { Ok(()) } else { Err(ApiError::forbidden()) }
}
