//! Push keys of tills: shown once, stored as a hash, revocable.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::StatusCode;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use larder_db::{Change, ChangeAction};
use larder_domain::{StoreScope, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::queries;
use larder_ledgers::sales_names;
use larder_platform::AppState;
use larder_platform::audit::Editor;
use larder_platform::http::json::Path;
use larder_platform::http::question::known_id;
use larder_platform::http::session::token_hash;
use larder_platform::http::text::{fold, has_unseen};
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Prefix of keys, so that leaked ones can be recognized.
const BEGINS: &str = "lkp_";
/// Number of characters shown to identify a key.
const SHOWN: usize = 10;

/// A till's push key, without the secret.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PushKey {
    pub id: String,
    pub name: String,
    /// Its first characters.
    pub begins: String,
    /// The stores it may send for; null for all.
    pub store_ids: Option<Vec<String>>,
    pub created_at: Timestamp,
    pub created_by: Editor,
    pub last_used_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}

/// The push keys.
#[derive(Debug, Serialize, ToSchema)]
pub struct PushKeys {
    pub items: Vec<PushKey>,
}

/// A key to create.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PushKeyDraft {
    pub name: String,
    /// The stores it may send for; all if omitted.
    #[serde(default)]
    pub store_ids: Option<Vec<String>>,
}

/// A new key, shown only once.
#[derive(Debug, Serialize, ToSchema)]
pub struct PushKeyMade {
    pub id: String,
    pub key: String,
}

fn whole_house(who: &Who) -> ApiResult<()> {
    if who.scope == StoreScope::All {
        return Ok(());
    }
    let words =
        "A key lets a till write the sales of stores, so only people of all stores can work with keys.";
    Err(ApiError::new(StatusCode::FORBIDDEN, "allStores", words))
}

/// The push keys, newest first.
#[utoipa::path(get, path = "/api/tools/import-sales-product/ingest/keys", tag = "import sales",
    responses((status = 200, body = PushKeys)))]
pub(crate) async fn list_push_keys(State(state): State<AppState>, who: Who) -> ApiResult<Json<PushKeys>> {
    whole_house(&who)?;
    let mut stores: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (key, store) in queries::stores(&state.db).await? {
        stores.entry(key).or_default().push(store);
    }
    let items = queries::all(&state.db).await?.into_iter().map(|kept| PushKey {
        store_ids: (!kept.all_stores).then(|| stores.remove(&kept.id).unwrap_or_default()),
        id: kept.id,
        name: kept.name,
        begins: kept.begins,
        created_at: kept.created_at,
        created_by: kept.created_by.0,
        last_used_at: kept.last_used_at,
        revoked_at: kept.revoked_at,
    });
    Ok(Json(PushKeys { items: items.collect() }))
}

/// Create a push key for a till. It is shown only once.
#[utoipa::path(post, path = "/api/tools/import-sales-product/ingest/keys", tag = "import sales", request_body = PushKeyDraft,
    responses((status = 201, body = PushKeyMade)))]
pub(crate) async fn create_push_key(
    State(state): State<AppState>,
    who: Who,
    Json(draft): Json<PushKeyDraft>,
) -> ApiResult<(StatusCode, Json<PushKeyMade>)> {
    whole_house(&who)?;
    let name = draft.name.trim();
    if name.is_empty() || name.chars().count() > 80 || has_unseen(name) {
        return Err(ApiError::field("name", "Enter a name of at most 80 characters, such as the till's."));
    }
    let stores = draft.store_ids.as_deref();
    if stores.is_some_and(|stores| stores.is_empty() || stores.len() > 500) {
        return Err(ApiError::field("storeIds", "Choose 1 to 500 stores, or all."));
    }
    let key = format!("{BEGINS}{}", URL_SAFE_NO_PAD.encode(state.random_bytes::<32>()));
    let (id, hash) = (state.new_id(), token_hash(&key));
    let new =
        &queries::New { id: &id, name, name_key: fold(name), begins: &key[..SHOWN], hash: &hash, stores };
    state
        .db
        .write(&who.actor(), async |tx| -> ApiResult<()> {
            for (at, store) in stores.into_iter().flatten().enumerate() {
                if !sales_names::queries::store_exists(tx, store).await? {
                    return Err(ApiError::field(format!("storeIds.{at}"), "Choose a store that exists."));
                }
            }
            queries::insert(tx, new).await?;
            let after = json!({ "name": new.name, "begins": new.begins, "storeIds": stores });
            Ok(tx.record(change(new.id, ChangeAction::Created, after)).await?)
        })
        .await?;
    Ok((StatusCode::CREATED, Json(PushKeyMade { id, key })))
}

/// Revoke a push key, effective immediately.
#[utoipa::path(post, path = "/api/tools/import-sales-product/ingest/keys/{id}/revoke", tag = "import sales",
    params(("id" = String, Path)), responses((status = 200, body = PushKeys)))]
pub(crate) async fn revoke_push_key(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<PushKeys>> {
    whole_house(&who)?;
    let id = known_id(&id, "key")?;
    state
        .db
        .write(&who.actor(), async |tx| -> ApiResult<()> {
            if !queries::revoke(tx, id).await? {
                return Err(ApiError::not_found("key"));
            }
            Ok(tx.record(change(id, ChangeAction::Updated, json!({ "revoked": true }))).await?)
        })
        .await?;
    list_push_keys(State(state), who).await
}

fn change(id: &str, action: ChangeAction, after: serde_json::Value) -> Change {
    Change { kind: "pushKey", id: id.to_owned(), store_id: None, action, before: None, after: Some(after) }
}
