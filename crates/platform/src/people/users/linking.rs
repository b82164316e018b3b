//! Links users to accounts.

use larder_db::{DbError, Tx};

use super::write::{NewAccount, insert_account};
use super::{Fields, UserRow, email_key, insert, of_address};
use crate::AppState;

/// Links a user to the account of their address, created without a password if there is none.
///
/// # Errors
/// If the statement fails.
pub async fn ensure_account(tx: &mut Tx<'_>, state: &AppState, user: &UserRow) -> Result<String, DbError> {
    if let Some(uid) = &user.uid {
        return Ok(uid.clone());
    }
    let uid = account_for(tx, state, &user.email, &user.name).await?;
    tx.sql("update app_users set uid = $1 where id = $2").bind(&uid).bind(&user.id).execute().await?;
    Ok(uid)
}

/// Id of an address's account, created without a password if there is none.
///
/// # Errors
/// If the statement fails.
pub async fn account_for(
    tx: &mut Tx<'_>,
    state: &AppState,
    email: &str,
    name: &str,
) -> Result<String, DbError> {
    let key = email_key(email);
    let known: Option<(String,)> =
        tx.sql("select uid from accounts where email_key = $1").bind(&key).optional().await?;
    if let Some((uid,)) = known {
        return Ok(uid);
    }
    let uid = state.new_id();
    let new = NewAccount { uid: &uid, email, name, password_hash: None, verified: false };
    insert_account(tx, &new).await?;
    Ok(uid)
}

/// On the first sign-in: links the app user by address, or creates one without a role.
///
/// # Errors
/// If the statement fails.
pub async fn first_sight(
    tx: &mut Tx<'_>,
    state: &AppState,
    uid: &str,
    email: &str,
    name: &str,
) -> Result<(), DbError> {
    let linked: Option<(String,)> =
        tx.sql("select id from app_users where uid = $1").bind(uid).optional().await?;
    if linked.is_some() {
        return Ok(());
    }
    let Some(known) = of_address(tx, email).await? else {
        let fields = Fields::new(email, &name_or_prefix(name, email));
        return insert(tx, &state.new_id(), Some(uid), &fields).await.map(drop);
    };
    tx.sql("update app_users set uid = $1 where id = $2 and uid is null")
        .bind(uid)
        .bind(&known.id)
        .execute()
        .await?;
    tx.announce("user", &known.id, None);
    Ok(())
}

/// The name, or the part before the @, or «User».
#[must_use]
pub fn name_or_prefix(name: &str, email: &str) -> String {
    let prefix = email.trim().split('@').next().unwrap_or_default();
    let found = [name.trim(), prefix].into_iter().find(|name| !name.is_empty()).unwrap_or("User");
    found.chars().filter(|c| !c.is_control()).take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_users_have_a_name_whatever_google_says() {
        assert_eq!(name_or_prefix(" Ana Cruz ", "ana@example.com"), "Ana Cruz");
        assert_eq!(name_or_prefix("", "ana.cruz@example.com"), "ana.cruz");
        assert_eq!(name_or_prefix(" ", "@example.com"), "User");
    }
}
