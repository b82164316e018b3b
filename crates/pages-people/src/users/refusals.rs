//! Audits refused attempts to grant or revoke permissions, although nothing was changed.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde_json::{Value, json};

use super::queries;
use larder_platform::AppState;
use larder_platform::http::{ApiError, ApiResult, Origin, Who};
use larder_platform::people::security;

/// The authorized caller and their origin.
pub struct Caller {
    /// The caller.
    pub who: Who,
    /// Their origin.
    pub origin: Origin,
}

impl FromRequestParts<AppState> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ApiError> {
        let who = Who::from_request_parts(parts, state).await?;
        Ok(Self { who, origin: Origin::of(state, parts) })
    }
}

/// Error codes that are audited, and the event for each.
const NOTED: &[(&str, &str)] = &[
    ("grantRefused", "grantRefused"),
    ("protectedField", "grantRefused"),
    ("stale", "changeRefused"),
    ("lastSuperAdmin", "changeRefused"),
];

impl Caller {
    /// Passes a result on; a refusal to grant permissions is recorded first.
    pub async fn noted<T>(
        &self,
        state: &AppState,
        kind: &str,
        id: &str,
        outcome: ApiResult<T>,
    ) -> ApiResult<T> {
        let mut refusal = match outcome {
            Ok(value) => return Ok(value),
            Err(refusal) => refusal,
        };
        if let Some((_, event)) = NOTED.iter().find(|(code, _)| *code == refusal.code) {
            name_stores(state, &mut refusal).await;
            let detail = json!({
                "kind": kind, "id": id, "code": refusal.code, "detail": refusal.detail,
                "rights": refusal.extras.get("rights"), "stores": refusal.extras.get("stores"),
                "fields": refusal.fields.iter().map(|field| &field.field).collect::<Vec<_>>(),
            });
            if let Err(error) = self.note(state, event, detail).await {
                tracing::error!(%error, "a refused attempt could not be recorded");
            }
        }
        Err(refusal)
    }

    async fn note(
        &self,
        state: &AppState,
        event: &'static str,
        detail: Value,
    ) -> Result<(), larder_db::DbError> {
        let (who, detail) = (&self.who, &detail);
        state
            .db
            .write(&who.actor(), async |tx| {
                let event = security::Event {
                    event,
                    uid: Some(&who.uid),
                    email: &who.email,
                    name: &who.name,
                    detail: detail.clone(),
                };
                security::note(tx, &self.origin, event).await
            })
            .await
    }
}

/// Replaces store ids by names in the message.
async fn name_stores(state: &AppState, refusal: &mut ApiError) {
    let ids: Vec<String> = match refusal.extras.get("stores") {
        Some(Value::Array(ids)) => ids.iter().filter_map(|id| id.as_str().map(str::to_owned)).collect(),
        _ => return,
    };
    if let Ok(names) = queries::store_names(&state.db, &ids).await
        && !names.is_empty()
    {
        let more = names.len().saturating_sub(3);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let shown: Vec<String> = names.into_iter().take(3).map(|name| format!("«{name}»")).collect();
        refusal.detail = format!("You can't give stores you have no access to: {}{more}.", shown.join(", "));
    }
}
