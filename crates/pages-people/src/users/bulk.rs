//! Bulk changes of users: each is applied or refused separately.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::refusals::Caller;
use super::{draft, write};
use larder_platform::AppState;
use larder_platform::http::question::known_id;
use larder_platform::http::{ApiError, ApiResult, FieldError, Json};
use larder_platform::people::users::Fields;

/// Maximum number of users changed at once.
const MAX_USERS: usize = 500;
/// Fields that can be changed in bulk.
const CHANGES: &[&str] = &["status", "roleId", "storeIds", "addStoreIds", "removeStoreIds", "billable"];

/// A bulk change.
#[derive(Debug, Deserialize, ToSchema)]
pub struct BulkChange {
    /// The users and the revisions the caller saw.
    pub users: Vec<BulkUser>,
    /// Any of `status`, `roleId`, `storeIds`, `addStoreIds`, `removeStoreIds`, `billable`.
    #[schema(value_type = BulkFields)]
    pub change: Map<String, Value>,
}

/// A user of a bulk change.
#[derive(Debug, Deserialize, ToSchema)]
pub struct BulkUser {
    /// User id.
    pub id: String,
    /// The revision it is based on.
    pub revision: i64,
}

/// Fields of a bulk change.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code, reason = "the body is read field by field; this is its shape in the contract")]
pub struct BulkFields {
    /// `Active` or `Disabled`.
    pub status: Option<String>,
    /// Role; null removes it.
    pub role_id: Option<String>,
    /// The accessible stores; null for all.
    pub store_ids: Option<Vec<String>>,
    /// Stores to add.
    pub add_store_ids: Option<Vec<String>>,
    /// Stores to remove.
    pub remove_store_ids: Option<Vec<String>>,
    /// Whether their work is billable.
    pub billable: Option<bool>,
}

/// The results.
#[derive(Debug, Serialize, ToSchema)]
pub struct BulkOutcomes {
    /// In the order of the request.
    pub items: Vec<BulkOutcome>,
}

/// The result for one user.
#[derive(Debug, Serialize, ToSchema)]
pub struct BulkOutcome {
    /// User id.
    pub id: String,
    /// Whether it was changed.
    pub ok: bool,
    /// The error if not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<larder_platform::http::error::Problem>)]
    pub problem: Option<Value>,
}

/// Change many users, each separately; the response has the result for each.
#[utoipa::path(post, path = "/api/users/bulk", tag = "users", request_body = BulkChange,
    responses((status = 200, body = BulkOutcomes)))]
pub(crate) async fn change_users(
    State(state): State<AppState>,
    caller: Caller,
    Json(body): Json<BulkChange>,
) -> ApiResult<Json<BulkOutcomes>> {
    check(&body)?;
    let mut items = Vec::with_capacity(body.users.len());
    for user in &body.users {
        let changed = change_one(&state, &caller, user, &body.change).await;
        let changed = caller.noted(&state, "user", &user.id, changed).await;
        let problem = changed.err().map(|refusal| refusal.body());
        items.push(BulkOutcome { id: user.id.clone(), ok: problem.is_none(), problem });
    }
    state.sessions.clear();
    Ok(Json(BulkOutcomes { items }))
}

fn check(body: &BulkChange) -> ApiResult<()> {
    let unknown = body.change.keys().filter(|name| !CHANGES.contains(&name.as_str()));
    let mut findings: Vec<FieldError> = unknown
        .map(|name| {
            FieldError::new(format!("change.{name}"), "This cannot be changed for many users at once.")
        })
        .collect();
    if body.users.is_empty() || body.users.len() > MAX_USERS {
        findings.push(FieldError::new("users", format!("Choose 1 to {MAX_USERS} users.")));
    }
    if body.change.is_empty() {
        findings.push(FieldError::new("change", "Choose what to change."));
    }
    if findings.is_empty() { Ok(()) } else { Err(ApiError::invalid(findings)) }
}

async fn change_one(
    state: &AppState,
    caller: &Caller,
    user: &BulkUser,
    change: &Map<String, Value>,
) -> ApiResult<()> {
    known_id(&user.id, "record")?;
    state
        .db
        .write(&caller.who.actor(), async |tx| {
            let apply = |fields| apply(fields, change.clone());
            write::update(tx, state, &caller.who, &user.id, user.revision, apply).await.map(drop)
        })
        .await
}

/// The fields after a change that may add stores to, or remove them from, the user's stores.
fn apply(before: Fields, mut change: Map<String, Value>) -> ApiResult<Fields> {
    let mut list = |name: &str| -> ApiResult<Vec<String>> {
        let value = change.remove(name).unwrap_or(Value::Null);
        let ids = draft::stores(&value).map_err(|message| ApiError::field(name, message))?;
        Ok(ids.unwrap_or_default())
    };
    let (add, remove) = (list("addStoreIds")?, list("removeStoreIds")?);
    let mut fields = draft::change(before, change)?;
    match &mut fields.store_ids {
        Some(ids) => {
            ids.extend(add);
            ids.retain(|id| !remove.contains(id));
            ids.sort();
            ids.dedup();
        }
        // A user with access to all stores already has the added ones; none can be removed singly.
        None if !remove.is_empty() => {
            let words = format!("{} reaches every store; choose the stores they keep instead.", fields.name);
            return Err(ApiError::field("removeStoreIds", words));
        }
        None => {}
    }
    Ok(fields)
}
