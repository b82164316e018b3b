//! Sessions: where people are signed in.

use larder_db::{Actor, Db, DbError, Tx};
use larder_domain::Timestamp;

/// A session about to be kept.
pub struct NewSession<'a> {
    /// Hash of the token in the cookie.
    pub token_hash: &'a str,
    /// The session's own id, for lists of sessions and ID tokens.
    pub id: &'a str,
    /// Whose it is.
    pub uid: &'a str,
    /// When it ends at the latest.
    pub expires_at: Timestamp,
    /// The browser, as it names itself.
    pub user_agent: &'a str,
}

/// Keeps a session, notes the sign-in, forgets earlier failures.
pub async fn open_session(
    db: &Db,
    actor: &Actor,
    email_key: &str,
    new: NewSession<'_>,
) -> Result<(), DbError> {
    let new = &new;
    db.write(actor, async |tx| {
        tx.sql(
            "insert into sessions
               (token_hash, id, uid, created_at, authenticated_at, last_seen_at, expires_at, user_agent, origin)
             values ($1, $2, $3, $4, $4, $4, $5, $6, $7)",
        )
        .bind(new.token_hash)
        .bind(new.id)
        .bind(new.uid)
        .bind(actor.at)
        .bind(new.expires_at)
        .bind(new.user_agent)
        .bind(&actor.from)
        .execute()
        .await?;
        note_sign_in(tx, email_key, new.uid).await
    })
    .await
}

/// Notes a sign-in that keeps no session.
pub async fn note_token_sign_in(db: &Db, actor: &Actor, email_key: &str, uid: &str) -> Result<(), DbError> {
    db.write(actor, async |tx| note_sign_in(tx, email_key, uid).await).await
}

async fn note_sign_in(tx: &mut Tx<'_>, email_key: &str, uid: &str) -> Result<(), DbError> {
    let at = tx.actor().at;
    tx.sql("update accounts set last_login_at = $1 where uid = $2").bind(at).bind(uid).execute().await?;
    tx.sql("delete from sign_in_failures where counted_for = $1").bind(email_key).execute().await?;
    tx.sql("delete from sessions where uid = $1 and expires_at < $2").bind(uid).bind(at).execute().await?;
    Ok(())
}

/// Ends the session behind a token, if there is one.
pub async fn close_session(db: &Db, actor: &Actor, token_hash: &str) -> Result<(), DbError> {
    db.write(actor, async |tx| {
        tx.sql("delete from sessions where token_hash = $1").bind(token_hash).execute().await?;
        tx.announce("session", token_hash, None);
        Ok(())
    })
    .await
}
