//! Creates temporary passwords, and deletes them after their display period.

use std::time::Duration;

use larder_db::{DbError, Tx};
use larder_domain::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use larder_platform::AppState;
use larder_platform::http::session::system_actor;
use larder_platform::http::{ApiError, Origin};
use larder_platform::jobs::{JobCtx, JobError, NewJob};
use larder_platform::people::users::UserRow;
use larder_platform::people::{accounts, password, security, sessions, users};

/// Type of this job.
pub const KIND: &str = "users.temporaryPassword";

/// One at a time per user.
#[must_use]
pub fn key(user_id: &str) -> String {
    format!("{KIND}:{user_id}")
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Args {
    user_id: String,
    /// Missing in jobs queued by an earlier version.
    asked_at: Option<Timestamp>,
}

/// Queues the creation of a temporary password.
///
/// # Errors
/// A violation if one is already being created.
pub async fn enqueue(tx: &mut Tx<'_>, state: &AppState, user: &UserRow) -> Result<(), DbError> {
    let args = json!(Args { user_id: user.id.clone(), asked_at: Some(tx.actor().at) });
    let new = NewJob { kind: KIND, unique_key: Some(key(&user.id)), args };
    state.jobs.enqueue(tx, state.new_id(), new).await.map(drop)
}

pub(crate) async fn run(ctx: JobCtx) -> Result<Value, JobError> {
    let args: Args = ctx.args()?;
    let state = &ctx.state;
    let password = new_password(state);
    let hash = password::hash(password.clone(), state.random_bytes()).await?;
    let (id, password, hash) = (&args.user_id, &password, &hash);
    let actor = ctx.actor();
    state
        .db
        .write(&actor, async |tx| {
            let user = users::get_in(tx, id).await?.ok_or_else(|| ApiError::not_found("user"))?;
            if !user.is_active() {
                return Err(ApiError::conflict("disabled", "This user is disabled; enable them first."));
            }
            let uid = users::ensure_account(tx, state, &user).await?;
            if !users::still_opens_in(tx, &actor.uid, &uid).await? {
                return Err(ApiError::conflict(
                    "grantRefused",
                    "This user has more permissions than the user who asked.",
                ));
            }
            let account = accounts::account_in(tx, &uid).await?.ok_or(DbError::NotFound)?;
            if account.password_changed_at.zip(args.asked_at).is_some_and(|(changed, asked)| changed > asked)
            {
                // The user was faster and set a password with a link.
                return Ok(());
            }
            accounts::set_password(tx, &uid, hash, true).await?;
            sessions::end_all(tx, &uid, None).await?;
            users::show_temp_password(tx, &state.cipher, id, password).await?;
            let detail = json!({ "temporary": true, "by": actor.email });
            let event = security::Event {
                event: "passwordSet",
                uid: Some(&uid),
                email: &user.email,
                name: &user.name,
                detail,
            };
            Ok::<_, ApiError>(security::note(tx, &Origin::of_work("job"), event).await?)
        })
        .await?;
    state.sessions.clear();
    Ok(json!({}))
}

/// Unambiguous letters and digits in groups of four: 69 bits.
fn new_password(state: &AppState) -> String {
    const SIGNS: &[u8] = b"abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    let mut password = String::new();
    let mut drawn = 0;
    while drawn < 12 {
        let byte = usize::from(state.random_bytes::<1>()[0]);
        // Bytes beyond the last full round would favour the first characters.
        if byte >= SIGNS.len() * (256 / SIGNS.len()) {
            continue;
        }
        if drawn > 0 && drawn % 4 == 0 {
            password.push('-');
        }
        password.push(char::from(SIGNS[byte % SIGNS.len()]));
        drawn += 1;
    }
    password
}

/// Interval between checks for temporary passwords whose display period is over.
const LOOK_EVERY: Duration = Duration::from_secs(600);

/// Deletes temporary passwords that were shown long enough, until told to stop.
pub async fn tidy(state: AppState, stop: CancellationToken) {
    loop {
        if let Err(error) = forget(&state, state.now()).await {
            tracing::warn!(%error, "old temporary passwords could not be deleted");
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
    }
}

async fn forget(state: &AppState, now: Timestamp) -> Result<u64, DbError> {
    let actor = system_actor("users", now);
    state.db.write(&actor, async |tx| users::forget_temp_passwords(tx).await).await
}
