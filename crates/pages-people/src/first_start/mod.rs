//! `/first-start`: creates the first super admin of an empty installation, through a link only the person who
//! started the server has seen.

mod queries;
mod routes;

use larder_db::DbError;

use larder_platform::AppState;
use larder_platform::http::session::{system_actor, token_hash};
use larder_platform::http::{Routes, routes};
use larder_platform::people::accounts;

/// The link is valid for a day.
const LIFE_MS: i64 = 24 * 3_600_000;

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .public("no account exists yet; authenticated by the link's token", routes!(routes::make_first_admin))
}

/// Creates a new link while no account exists; older links expire. Only its hash is stored.
///
/// # Errors
/// When the database does not answer.
pub async fn make_link(state: &AppState, base: &str) -> Result<Option<String>, DbError> {
    use base64::Engine as _;
    if !accounts::none_yet(&state.db).await? {
        return Ok(None);
    }
    let token = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(state.random_bytes::<32>());
    let hash = token_hash(&token);
    let actor = system_actor("first-start", state.now());
    let ends = actor.at.plus_ms(LIFE_MS);
    let hash = &hash;
    state.db.write(&actor, async |tx| queries::keep(tx, hash, ends).await).await?;
    Ok(Some(format!("{}/first-start#{token}", base.trim_end_matches('/'))))
}
