//! Further operations on the records of any list: uses, history, merging, moving, bulk changes and undo.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use larder_domain::access::meaningful;
use larder_domain::{Action, Permission, StoreScope};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::define::ListDef;
use super::merge;
use super::record::append_all;
use super::revisions::{self, Undone};
use super::routes::{parts, respond};
use super::used_by::{self, RecordUses, UsedBy};
use super::{authorize_store, openapi::Verb, position, queries, write};
use larder_platform::AppState;
use larder_platform::audit;
use larder_platform::audit::HistoryPage;
use larder_platform::http::boxed_handler::{get, post};
use larder_platform::http::error::{ApiError, ApiResult, FieldError};
use larder_platform::http::guard::Routes;
use larder_platform::http::json::{self, Json, Path, Query};
use larder_platform::http::question::known_id;
use larder_platform::http::session::Who;

/// The most records of one request.
pub const MANY: usize = 1_000;
/// The most entries of a page of history.
const MAX_HISTORY: i64 = 200;

/// The routes of a list's further operations.
pub fn routes(def: &'static ListDef, state: &AppState) -> Routes {
    let page = def.page;
    let uses_of_many = get(move |state, who, ids| uses_of_many(def, state, who, ids));
    let uses_of_one = get(move |state, who, id| uses_of_one(def, state, who, id));
    let history = get(move |state, who, id, query| history(def, state, who, id, query));
    let restore = post(move |state, who, id, body| restore(def, state, who, id, body));
    let undo = post(move |state, who, id, body| undo(def, state, who, id, body));
    let bulk = post(move |state, who, body| bulk(def, state, who, body));
    let mut routes = Routes::new(state)
        .can(page, Action::View, parts(def, Verb::UsesOfMany, uses_of_many))
        .can(page, Action::View, parts(def, Verb::Uses, uses_of_one))
        .can(page, Action::View, parts(def, Verb::History, history))
        .can(page, Action::Edit, parts(def, Verb::Restore, restore))
        .can(page, Action::Edit, parts(def, Verb::Undo, undo))
        .can(page, Action::Edit, parts(def, Verb::Bulk, bulk));
    if !def.stores {
        let merge = post(move |state, who, id, body| merge(def, state, who, id, body));
        routes = routes.can(page, Action::Delete, parts(def, Verb::Merge, merge));
    }
    if def.field(position::POSITION).is_some() {
        let place = post(move |state, who, id, body| move_record(def, state, who, id, body));
        routes = routes.can(page, Action::Edit, parts(def, Verb::Move, place));
    }
    routes
}

/// The ids of a request, as query parameter.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ids {
    ids: String,
}

async fn uses_of_many(
    def: &'static ListDef,
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<Ids>,
) -> ApiResult<Json<Vec<UsedBy>>> {
    let ids: Vec<String> = query.ids.split(',').filter(|id| !id.is_empty()).map(str::to_owned).collect();
    if ids.len() > MANY {
        return Err(ApiError::field("ids", format!("Ask for at most {MANY} records.")));
    }
    for id in &ids {
        known_id(id, def.one)?;
    }
    let ids = queries::within_scope(&state.db, def, &who.scope, ids).await?;
    Ok(Json(used_by::used_by(&state.db, def, &ids).await?))
}

async fn uses_of_one(
    def: &'static ListDef,
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<RecordUses>> {
    let record = authorize_store::read(&state.db, def, &who.scope, &id).await?;
    Ok(Json(used_by::uses_of_record(&state.db, def, record.key(), &who).await?))
}

/// Paging parameters of a history.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct HistoryQuery {
    page: Option<i64>,
    page_size: Option<i64>,
}

async fn history(
    def: &'static ListDef,
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Query(query): Query<HistoryQuery>,
) -> ApiResult<Json<HistoryPage>> {
    let id = match authorize_store::read(&state.db, def, &who.scope, &id).await {
        // A deleted record keeps its history.
        Err(error) if error.status != StatusCode::NOT_FOUND => return Err(error),
        _ => known_id(&id, def.one)?,
    };
    let (page, size) = (query.page.unwrap_or(1), query.page_size.unwrap_or(50));
    if !(1..=1_000_000).contains(&page) || !(1..=MAX_HISTORY).contains(&size) {
        return Err(ApiError::field("page", format!("Ask for a page from 1 of 1 to {MAX_HISTORY} entries.")));
    }
    let (rows, total) = audit::of_record(&state.db, def.kind, id, size, (page - 1) * size).await?;
    // A deleted record is authorized by the store in its history; without one there, only for users of all
    // stores.
    let near = |row: &audit::Row| match &row.store_id {
        Some(store) => who.scope.contains(store),
        None => def.store.is_none() || who.scope == StoreScope::All,
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

async fn restore(
    def: &'static ListDef,
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(body): Json<RestoreBody>,
) -> ApiResult<Response> {
    if body.revision.is_none() {
        needs(&who, def.page, Action::Create)?;
    }
    let (actor, scope, id) = (who.actor(), &who.scope, id.as_str());
    let record = state.db.write(&actor, async |tx| {
        let id = authorize_store::check(tx, def, scope, id).await?;
        let record = revisions::restore(tx, def, id, body.seq, body.revision).await?;
        authorize_store::refuse_body(def, scope, &write::body_of(&*record))?;
        Ok::<_, ApiError>(record)
    });
    Ok(respond(&*record.await?))
}

/// The revision whose change is undone.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UndoBody {
    /// The record's revision; absent if it was deleted.
    #[serde(default)]
    pub revision: Option<i64>,
}

async fn undo(
    def: &'static ListDef,
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(body): Json<UndoBody>,
) -> ApiResult<Response> {
    if body.revision.is_none() {
        needs(&who, def.page, Action::Create)?;
    }
    let (actor, who, scope, id) = (who.actor(), &who, &who.scope, id.as_str());
    let undone = state.db.write(&actor, async |tx| {
        let id = authorize_store::check(tx, def, scope, id).await?;
        if revisions::last_action(tx, def, id).await?.as_deref() == Some("created") {
            needs(who, def.page, unmaking(def.page))?;
        }
        let undone = revisions::undo(tx, def, id, body.revision).await?;
        if let Undone::Record(record) = &undone {
            authorize_store::refuse_body(def, scope, &write::body_of(&**record))?;
        }
        Ok::<_, ApiError>(undone)
    });
    Ok(match undone.await? {
        Undone::Record(record) => respond(&*record),
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

async fn bulk(
    def: &'static ListDef,
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<BulkBody>,
) -> ApiResult<Response> {
    if body.records.len() > MANY {
        return Err(ApiError::field("records", format!("Change at most {MANY} records at once.")));
    }
    if body.change.is_empty() || body.change.contains_key("revision") {
        return Err(ApiError::field("change", "Say which fields to change."));
    }
    authorize_store::refuse_body(def, &who.scope, &body.change)?;
    let (actor, scope, body) = (who.actor(), &who.scope, &body);
    let written = state.db.write(&actor, async |tx| {
        for known in &body.records {
            authorize_store::check(tx, def, scope, &known.id).await?;
        }
        let (mut done, mut failed) = (Vec::new(), Vec::new());
        for known in &body.records {
            let mut patch = body.change.clone();
            patch.insert("revision".to_owned(), json!(known.revision));
            // A refusal of one record does not affect the others.
            let outcome =
                tx.savepoint(async |tx| write::update_given(tx, def, &known.id, patch.clone()).await).await;
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
        Ok((done, failed))
    });
    let (done, failed) = written.await?;
    let mut text = b"{\"done\":".to_vec();
    append_all(&done, &mut text);
    text.extend_from_slice(format!(",\"failed\":{}}}", json!(failed)).as_bytes());
    Ok(json::written(text))
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

async fn merge(
    def: &'static ListDef,
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(body): Json<MergeBody>,
) -> ApiResult<Response> {
    needs(&who, def.page, Action::Edit)?;
    let (actor, scope, id, body) = (who.actor(), &who.scope, id.as_str(), &body);
    let written = state.db.write(&actor, async |tx| {
        let id = authorize_store::check(tx, def, scope, id).await?;
        let into = authorize_store::check(tx, def, scope, &body.into).await?;
        merge::merge(tx, def, (id, body.revision), (into, body.into_revision)).await
    });
    let (record, moved) = written.await?;
    let mut text = b"{\"record\":".to_vec();
    record.append(&mut text);
    text.extend_from_slice(format!(",\"moved\":{}}}", json!(moved)).as_bytes());
    Ok(json::written(text))
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

async fn move_record(
    def: &'static ListDef,
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(body): Json<MoveBody>,
) -> ApiResult<Response> {
    let (actor, scope, id, body) = (who.actor(), &who.scope, id.as_str(), &body);
    let written = state.db.write(&actor, async |tx| {
        let id = authorize_store::check(tx, def, scope, id).await?;
        position::place(tx, def, id, body).await
    });
    Ok(respond(&*written.await?))
}

/// The permission to undo a creation: delete, or create where no role can grant delete, as for stores.
fn unmaking(page: &str) -> Action {
    if meaningful(page).contains(&Action::Delete) { Action::Delete } else { Action::Create }
}

fn needs(who: &Who, page: &'static str, action: Action) -> ApiResult<()> {
    if who.can(page, action) { Ok(()) } else { Err(ApiError::lacks(Permission { page, action })) }
}
