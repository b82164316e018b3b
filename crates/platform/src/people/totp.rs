//! The second factor: six-digit codes of an authenticator app (RFC 6238), single use, and ten recovery codes
//! in case the phone is lost.

use larder_db::{Db, DbError, Tx};
use larder_domain::Timestamp;
use totp_rs::{Builder, Secret, Totp};

use std::sync::Arc;

use super::lockout;
use crate::AppState;
use crate::encryption::{Cipher, place};
use crate::http::session::token_hash;

/// Lockout key of wrong codes.
fn counted_for(uid: &str) -> String {
    format!("totp:{uid}")
}

/// Result of checking a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Correct, and now used up.
    Right,
    /// Wrong, or used before.
    Wrong,
    /// Locked after too many wrong codes.
    Locked,
}

/// An entered code: six digits, or a recovery code.
pub struct Guess {
    digits: Option<String>,
    recovery_hash: String,
    cipher: Arc<Cipher>,
}

impl Guess {
    /// Parses an entered code; spaces and dashes are ignored.
    ///
    /// # Errors
    /// If the secret cannot be read.
    pub async fn read(state: &AppState, uid: &str, typed: &str) -> Result<Self, DbError> {
        let text: String = typed.chars().filter(|c| !c.is_whitespace() && *c != '-').take(40).collect();
        let digits = (text.len() == 6 && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.clone());
        let recovery_hash = recovery_hash(state, uid, &text).await?;
        Ok(Self { digits, recovery_hash, cipher: Arc::clone(&state.cipher) })
    }
}

async fn recovery_hash(state: &AppState, uid: &str, code: &str) -> Result<String, DbError> {
    let code = code.to_lowercase();
    let mac = state.secrets.mac(state, "recovery", &[uid.as_bytes(), code.as_bytes()]).await?;
    Ok(token_hash(&mac.iter().map(|b| format!("{b:02x}")).collect::<String>()))
}

fn generator(base32: &str) -> Option<Totp> {
    Builder::new().with_secret(Secret::try_from_base32(base32).ok()?).build().ok()
}

/// A new secret in the form for manual entry.
#[must_use]
pub fn new_secret(state: &AppState) -> String {
    Secret::from(state.random_bytes::<20>()).to_base32()
}

/// The `otpauth:` URI of the secret, for QR codes.
#[must_use]
pub fn uri(issuer: &str, email: &str, secret: &str) -> String {
    let (issuer, email) = (escape(issuer), escape(email));
    format!(
        "otpauth://totp/{issuer}:{email}?secret={secret}&issuer={issuer}&algorithm=SHA1&digits=6&period=30"
    )
}

fn escape(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, b| {
        match b {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'@' => {
                out.push(char::from(b))
            }
            _ => out.push_str(&format!("%{b:02X}")),
        }
        out
    })
}

/// Stores a secret, active only once confirmed. `false` if another one is active.
///
/// # Errors
/// If the statement fails.
pub async fn begin(tx: &mut Tx<'_>, cipher: &Cipher, uid: &str, secret: &str) -> Result<bool, DbError> {
    let at = tx.actor().at;
    let encrypted = cipher.encrypt(&place("totp_secrets", "secret", uid), secret);
    let begun = tx
        .sql(
            "insert into totp_secrets (uid, secret, created_at, last_step) values ($1, $2, $3, 0)
             on conflict (uid) do update set secret = excluded.secret, created_at = excluded.created_at, last_step = 0
             where totp_secrets.confirmed_at is null",
        )
        .bind(uid)
        .bind(encrypted)
        .bind(at)
        .execute()
        .await?;
    Ok(begun > 0)
}

/// Ten recovery codes and their hashes.
pub struct RecoveryCodes {
    /// For the user, shown once.
    pub codes: Vec<String>,
    hashes: Vec<String>,
}

impl RecoveryCodes {
    /// Generates the codes.
    ///
    /// # Errors
    /// If the secret cannot be read.
    pub async fn make(state: &AppState, uid: &str) -> Result<Self, DbError> {
        let (mut codes, mut hashes) = (Vec::new(), Vec::new());
        for _ in 0..10 {
            let text: String = Secret::from(state.random_bytes::<20>()).to_base32().to_lowercase();
            let code: String = text.chars().take(10).collect();
            hashes.push(recovery_hash(state, uid, &code).await?);
            codes.push(format!("{}-{}", &code[..5], &code[5..]));
        }
        Ok(Self { codes, hashes })
    }
}

/// Activates the secret if the code shows that the app holds it.
///
/// # Errors
/// If the statement fails.
pub async fn confirm(
    tx: &mut Tx<'_>,
    uid: &str,
    guess: &Guess,
    recovery: &RecoveryCodes,
) -> Result<Verdict, DbError> {
    let verdict = check(tx, uid, guess, false).await?;
    if verdict != Verdict::Right {
        return Ok(verdict);
    }
    let at = tx.actor().at;
    tx.sql("update totp_secrets set confirmed_at = $1 where uid = $2").bind(at).bind(uid).execute().await?;
    tx.sql("delete from totp_recovery_codes where uid = $1").bind(uid).execute().await?;
    let rows: Vec<_> = recovery.hashes.iter().map(|hash| (uid, hash.as_str())).collect();
    tx.insert_rows("totp_recovery_codes", &["uid", "code_hash"], rows, "").await?;
    tx.announce("session", uid, None);
    Ok(verdict)
}

/// Checks a code against the active secret, or consumes a recovery code.
///
/// # Errors
/// If the statement fails.
pub async fn verify(tx: &mut Tx<'_>, uid: &str, guess: &Guess) -> Result<Verdict, DbError> {
    check(tx, uid, guess, true).await
}

async fn check(tx: &mut Tx<'_>, uid: &str, guess: &Guess, in_force: bool) -> Result<Verdict, DbError> {
    let (now, key) = (tx.actor().at, counted_for(uid));
    let locked: Option<(i64,)> = tx
        .sql("select failures from sign_in_failures where counted_for = $1 and locked_until > $2")
        .bind(&key)
        .bind(now)
        .optional()
        .await?;
    if locked.is_some() {
        return Ok(Verdict::Locked);
    }
    if step(tx, uid, guess, in_force).await? || (in_force && recover(tx, uid, guess).await?) {
        lockout::forgive(tx, &key).await?;
        return Ok(Verdict::Right);
    }
    lockout::fail(tx, &key).await?;
    Ok(Verdict::Wrong)
}

/// Whether the digits match the current, previous or next time step and were not used yet.
async fn step(tx: &mut Tx<'_>, uid: &str, guess: &Guess, in_force: bool) -> Result<bool, DbError> {
    let Some(digits) = &guess.digits else { return Ok(false) };
    let kept: Option<(String,)> = tx
        .sql("select secret from totp_secrets where uid = $1 and (confirmed_at is not null) = $2")
        .bind(uid)
        .bind(in_force)
        .optional()
        .await?;
    let seconds = u64::try_from(tx.actor().at.seconds()).unwrap_or(0);
    let Some((encrypted,)) = kept else { return Ok(false) };
    let secret = guess.cipher.decrypt(&place("totp_secrets", "secret", uid), &encrypted)?;
    let matched = generator(&secret).and_then(|totp| totp.check(digits, seconds));
    let Some(matched) = matched else { return Ok(false) };
    let used = tx
        .sql("update totp_secrets set last_step = $1 where uid = $2 and last_step < $1")
        .bind(i64::try_from(matched).unwrap_or(i64::MAX))
        .bind(uid)
        .execute()
        .await?;
    Ok(used == 1)
}

async fn recover(tx: &mut Tx<'_>, uid: &str, guess: &Guess) -> Result<bool, DbError> {
    let at = tx.actor().at;
    let used = tx
        .sql("update totp_recovery_codes set used_at = $1 where uid = $2 and code_hash = $3 and used_at is null")
        .bind(at)
        .bind(uid)
        .bind(&guess.recovery_hash)
        .execute()
        .await?;
    Ok(used == 1)
}

/// When the second factor was activated, if there is one.
///
/// # Errors
/// If the database fails.
pub async fn confirmed_at(db: &Db, uid: &str) -> Result<Option<Timestamp>, DbError> {
    let on: Option<(Timestamp,)> = db
        .sql("select confirmed_at from totp_secrets where uid = $1 and confirmed_at is not null")
        .bind(uid)
        .optional()
        .await?;
    Ok(on.map(|(at,)| at))
}

/// Removes the second factor; `false` if there was none. Call `state.sessions.clear()` after the commit.
///
/// # Errors
/// If the statement fails.
pub async fn remove(tx: &mut Tx<'_>, uid: &str) -> Result<bool, DbError> {
    tx.sql("delete from totp_recovery_codes where uid = $1").bind(uid).execute().await?;
    lockout::forgive(tx, &counted_for(uid)).await?;
    let removed = tx.sql("delete from totp_secrets where uid = $1").bind(uid).execute().await?;
    tx.announce("session", uid, None);
    Ok(removed > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_are_those_of_rfc_6238() {
        let totp = generator("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ").expect("a secret of 20 bytes");
        for (at, code) in [(59, "287082"), (1_111_111_109, "081804"), (1_234_567_890, "005924")] {
            assert_eq!(totp.check(code, at), Some(at / 30));
            assert!(totp.check(code, at + 30).is_some() && totp.check(code, at + 90).is_none());
        }
    }

    #[test]
    fn the_uri_survives_any_name() {
        let uri = uri("Café & Co", "ana+x@example.com", "ABC");
        assert!(
            uri.starts_with("otpauth://totp/Caf%C3%A9%20%26%20Co:ana%2Bx@example.com?secret=ABC&"),
            "{uri}"
        );
    }
}
