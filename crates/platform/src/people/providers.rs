//! Sign-in through the company's identity provider: pending sign-ins, and linking identities to accounts.

use larder_db::{Db, DbError, Tx};
use larder_domain::Timestamp;

use super::{sessions, users};
use crate::AppState;
use crate::openid::{Departure, Identity};

/// The provider's name in ID tokens and in the identity endpoints.
pub const GOOGLE: &str = "google.com";

/// A sign-in redirected to the provider.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct UnderWay {
    /// Hash of the token in the browser that started it.
    pub browser_hash: String,
    /// Must match the ID token.
    pub nonce: String,
    /// PKCE verifier, sent with the code exchange.
    pub verifier: String,
    /// `popup`, `redirect`, or `reauthenticate`.
    pub mode: String,
    /// The page to continue on; for `reauthenticate` the session to renew.
    pub return_to: String,
    pub expires_at: Timestamp,
}

/// A user has ten minutes to choose an account.
const AWAY_AT_MOST_MS: i64 = 600_000;

/// Stores a pending sign-in and deletes abandoned ones.
///
/// # Errors
/// If the database fails.
pub async fn leave(
    tx: &mut Tx<'_>,
    departure: &Departure,
    browser: &str,
    mode: &str,
    return_to: &str,
) -> Result<(), DbError> {
    let now = tx.actor().at;
    tx.sql("delete from provider_sign_ins where expires_at < $1").bind(now).execute().await?;
    tx.sql(
        "insert into provider_sign_ins
           (state_hash, browser_hash, nonce, verifier, mode, return_to, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(crate::http::session::token_hash(&departure.state))
    .bind(crate::http::session::token_hash(browser))
    .bind(&departure.nonce)
    .bind(&departure.verifier)
    .bind(mode)
    .bind(return_to)
    .bind(now)
    .bind(now.plus_ms(AWAY_AT_MOST_MS))
    .execute()
    .await?;
    Ok(())
}

/// Takes a pending sign-in; only the first call finds it.
///
/// # Errors
/// If the database fails.
pub async fn come_back(tx: &mut Tx<'_>, state: &str) -> Result<Option<UnderWay>, DbError> {
    let found: Option<UnderWay> = tx
        .sql(
            "delete from provider_sign_ins where state_hash = $1
             returning browser_hash, nonce, verifier, mode, return_to, expires_at",
        )
        .bind(crate::http::session::token_hash(state))
        .optional()
        .await?;
    let now = tx.actor().at;
    Ok(found.filter(|f| f.expires_at > now))
}

/// The result of a sign-in the provider vouches for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Admission {
    /// Their account; whether it was created just now.
    Account { uid: String, is_new: bool },
    /// Sign-in to this account is refused.
    Disabled,
    /// The address belongs to an account linked to another identity at the provider.
    TakenAddress,
    /// The identity is linked to another account.
    LinkedElsewhere,
}

#[derive(sqlx::FromRow)]
struct Known {
    uid: String,
    email_verified: bool,
    disabled: bool,
}

const KNOWN: &str = "select a.uid as uid, a.email_verified as email_verified,
    (a.disabled or coalesce(u.status, 'Active') <> 'Active') as disabled
    from accounts a left join app_users u on u.uid = a.uid ";

/// Finds, links or creates the account of an identity. The provider's subject id decides, then the address;
/// an account whose address was never verified loses its password and sessions to the person who verified it.
///
/// # Errors
/// If the database fails.
pub async fn admit(tx: &mut Tx<'_>, state: &AppState, identity: &Identity) -> Result<Admission, DbError> {
    if let Some(known) = linked(tx, &identity.subject).await? {
        if known.disabled {
            return Ok(Admission::Disabled);
        }
        users::first_sight(tx, state, &known.uid, &identity.email, &identity.name).await?;
        return Ok(Admission::Account { uid: known.uid, is_new: false });
    }
    let key = users::email_key(&identity.email);
    let known: Option<Known> = tx.sql(KNOWN).push("where a.email_key = $1").bind(&key).optional().await?;
    let (uid, is_new) = match known {
        Some(known) if known.disabled => return Ok(Admission::Disabled),
        Some(known) if has_provider(tx, &known.uid).await? => return Ok(Admission::TakenAddress),
        Some(known) => {
            if !known.email_verified {
                take_over(tx, &known.uid).await?;
            }
            (known.uid, false)
        }
        None if is_disabled(tx, &key).await? => return Ok(Admission::Disabled),
        None => (make(tx, state, identity, &key).await?, true),
    };
    link(tx, &uid, identity).await?;
    users::first_sight(tx, state, &uid, &identity.email, &identity.name).await?;
    Ok(Admission::Account { uid, is_new })
}

/// Links an identity to a signed-in account.
///
/// # Errors
/// If the database fails.
pub async fn link_with(tx: &mut Tx<'_>, uid: &str, identity: &Identity) -> Result<Admission, DbError> {
    match linked(tx, &identity.subject).await? {
        Some(known) if known.uid != uid => Ok(Admission::LinkedElsewhere),
        Some(_) => Ok(Admission::Account { uid: uid.to_owned(), is_new: false }),
        None if has_provider(tx, uid).await? => Ok(Admission::LinkedElsewhere),
        None => {
            link(tx, uid, identity).await?;
            Ok(Admission::Account { uid: uid.to_owned(), is_new: false })
        }
    }
}

/// The account an identity is linked to.
///
/// # Errors
/// If the database fails.
pub async fn uid_of(db: &Db, subject: &str) -> Result<Option<String>, DbError> {
    let found: Option<(String,)> = db
        .sql("select uid from account_providers where provider = 'google.com' and subject = $1")
        .bind(subject)
        .optional()
        .await?;
    Ok(found.map(|(uid,)| uid))
}

async fn linked(tx: &mut Tx<'_>, subject: &str) -> Result<Option<Known>, DbError> {
    tx.sql(KNOWN)
        .push("join account_providers p on p.uid = a.uid where p.provider = 'google.com' and p.subject = $1")
        .bind(subject)
        .optional()
        .await
}

/// Whether a user without an account yet is disabled.
async fn is_disabled(tx: &mut Tx<'_>, email_key: &str) -> Result<bool, DbError> {
    let found: Option<(String,)> =
        tx.sql("select status from app_users where email_key = $1").bind(email_key).optional().await?;
    Ok(found.is_some_and(|(status,)| status != "Active"))
}

async fn has_provider(tx: &mut Tx<'_>, uid: &str) -> Result<bool, DbError> {
    let found: Option<(String,)> = tx
        .sql("select subject from account_providers where uid = $1 and provider = 'google.com'")
        .bind(uid)
        .optional()
        .await?;
    Ok(found.is_some())
}

async fn link(tx: &mut Tx<'_>, uid: &str, identity: &Identity) -> Result<(), DbError> {
    let now = tx.actor().at;
    tx.sql(
        "insert into account_providers (provider, subject, uid, email, linked_at)
         values ('google.com', $1, $2, $3, $4)",
    )
    .bind(&identity.subject)
    .bind(uid)
    .bind(&identity.email)
    .bind(now)
    .execute()
    .await?;
    tx.sql("update accounts set email_verified = $1, photo_url = $2 where uid = $3")
        .bind(true)
        .bind(&identity.picture)
        .bind(uid)
        .execute()
        .await?;
    Ok(())
}

/// The creator of this account never verified the address: none of their credentials may remain valid.
async fn take_over(tx: &mut Tx<'_>, uid: &str) -> Result<(), DbError> {
    tx.sql("update accounts set password_hash = null, must_change_password = $1 where uid = $2")
        .bind(false)
        .bind(uid)
        .execute()
        .await?;
    for held in [
        "delete from totp_secrets where uid = $1",
        "delete from totp_recovery_codes where uid = $1",
        "delete from password_links where uid = $1",
        "delete from known_devices where uid = $1",
    ] {
        tx.sql(held).bind(uid).execute().await?;
    }
    sessions::end_all(tx, uid, None).await?;
    Ok(())
}

async fn make(tx: &mut Tx<'_>, state: &AppState, identity: &Identity, key: &str) -> Result<String, DbError> {
    let uid = state.new_id();
    let now = tx.actor().at;
    tx.sql(
        "insert into accounts (uid, email, email_key, email_verified, display_name, disabled, valid_since,
                               created_at, photo_url)
         values ($1, $2, $3, $4, $5, $6, $7, $7, $8)",
    )
    .bind(&uid)
    .bind(identity.email.trim())
    .bind(key)
    .bind(true)
    .bind(&identity.name)
    .bind(false)
    .bind(now)
    .bind(&identity.picture)
    .execute()
    .await?;
    Ok(uid)
}
