//! Handler for access requests.

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use larder_db::Actor;
use serde_json::json;

use super::model::{ApplyBody, Received};
use larder_platform::AppState;
use larder_platform::http::{ApiResult, Json, Origin};
use larder_platform::people::limits::APPLICATIONS;
use larder_platform::people::{applications, security};

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
    let network = origin.network();
    let received = Received { message: "Your request was received." };
    if !state.limits.take(&format!("apply {network}"), APPLICATIONS, actor.at) {
        tracing::warn!(origin = origin.address, "access request refused: rate limit exceeded");
        return Ok((StatusCode::ACCEPTED, Json(received)));
    }
    let (id, said, origin, network) = (&state.new_id(), &said, &origin, &network);
    state
        .db
        .write(&actor, async |tx| {
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
    Ok((StatusCode::ACCEPTED, Json(received)))
}
