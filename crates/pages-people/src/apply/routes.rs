//! Handler for access requests.

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use larder_db::Actor;
use serde_json::json;

use super::model::{ApplyBody, Received};
use super::queries;
use larder_platform::AppState;
use larder_platform::http::{ApiResult, Json, Origin};
use larder_platform::people::{applications, security};

/// Requests accepted per origin …
const AT_MOST: i64 = 5;
/// … within this time.
const WITHIN_MS: i64 = 3_600_000;

/// Request access. The response is the same for known and unknown addresses, and when the rate limit is
/// exceeded.
#[utoipa::path(post, path = "/api/apply", tag = "apply", request_body = ApplyBody,
    responses((status = 202, body = Received)))]
pub(crate) async fn apply_for_access(
    State(state): State<AppState>,
    parts: Parts,
    Json(body): Json<ApplyBody>,
) -> ApiResult<(StatusCode, Json<Received>)> {
    let said = body.read()?;
    let origin = Origin::of(&state, &parts);
    let actor = Actor {
        uid: String::new(),
        name: said.name.clone(),
        email: said.email.clone(),
        from: origin.address.clone(),
        at: state.now(),
    };
    let (id, said, origin) = (&state.new_id(), &said, &origin);
    state
        .db
        .write(&actor, async |tx| {
            let network = origin.network();
            if queries::taken_since(tx, &network, actor.at.plus_ms(-WITHIN_MS)).await? >= AT_MOST {
                tracing::warn!(origin = origin.address, "access request refused: rate limit exceeded");
                return Ok(());
            }
            let event = security::Event {
                event: "applied",
                uid: None,
                email: &said.email,
                name: &said.name,
                detail: json!({ "network": network }),
            };
            security::note(tx, origin, event).await?;
            applications::receive(tx, id, said, &origin.address).await
        })
        .await?;
    Ok((StatusCode::ACCEPTED, Json(Received { message: "Your request was received." })))
}
