//! Many users at once, each on its own: what one may not is refused for that one.

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

/// The most users changed at once.
const MAX_USERS: usize = 500;
/// What can be changed of many at once.
const CHANGES: &[&str] = &["status", "roleId", "storeIds", "addStoreIds", "removeStoreIds", "billable"];

/// Which users change, and what.
#[derive(Debug, Deserialize, ToSchema)]
pub struct BulkChange {
    /// The users, each as it was seen.
    pub users: Vec<BulkUser>,
    /// Any of `status`, `roleId`, `storeIds`, `addStoreIds`, `removeStoreIds`, `billable`.
    #[schema(value_type = BulkFields)]
    pub change: Map<String, Value>,
}

/// One user of many.
#[derive(Debug, Deserialize, ToSchema)]
pub struct BulkUser {
    /// The user's id.
    pub id: String,
    /// The revision the change starts from.
    pub revision: i64,
}

/// What changes of each.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code, reason = "the body is read field by field; this is its shape in the contract")]
pub struct BulkFields {
    /// `Active` or `Disabled`.
    pub status: Option<String>,
    /// Role; null takes it away.
    pub role_id: Option<String>,
    /// The stores within reach; null is all of them.
    pub store_ids: Option<Vec<String>>,
    /// Stores to add.
    pub add_store_ids: Option<Vec<String>>,
    /// Stores to take away.
    pub remove_store_ids: Option<Vec<String>>,
    /// Whether their work is charged.
    pub billable: Option<bool>,
}

/// What became of each.
#[derive(Debug, Serialize, ToSchema)]
pub struct BulkOutcomes {
    /// In the order they were sent.
    pub items: Vec<BulkOutcome>,
}

/// What became of one.
#[derive(Debug, Serialize, ToSchema)]
pub struct BulkOutcome {
    /// The user's id.
    pub id: String,
    /// Whether the change was made.
    pub ok: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<larder_platform::http::error::Problem>)]
    pub problem: Option<Value>,
}

/// Change many users. Each one on its own: the answer says what became of each.
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

/// The fields after a change that may add to and take from the stores they have.
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
        // Whoever reaches every store reaches those that are added; none can be taken away one by one.
        None if !remove.is_empty() => {
            let words = format!("{} reaches every store; choose the stores they keep instead.", fields.name);
            return Err(ApiError::field("removeStoreIds", words));
        }
        None => {}
    }
    Ok(fields)
}
