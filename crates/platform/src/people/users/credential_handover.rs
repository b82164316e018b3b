//! Credentials handed to another person (a reset link or temporary password) are valid only while that
//! person's permissions cover the account.

use larder_db::{Db, DbError, Tx};
use larder_domain::access::{Giver, may_manage};

use super::{FROM, SELECT, UserRow};

const OF_ACCOUNTS: &str = "where u.uid = $1 or u.uid = $2";

/// Whether credentials that `maker` created for account `uid` are still valid.
///
/// # Errors
/// If the database fails.
pub async fn still_opens(db: &Db, maker: &str, uid: &str) -> Result<bool, DbError> {
    let both = db.sql(SELECT).push(FROM).push(OF_ACCOUNTS).bind(maker).bind(uid).all().await?;
    Ok(opens(&both, maker, uid))
}

/// As [`still_opens`], inside a transaction.
///
/// # Errors
/// If the statement fails.
pub async fn still_opens_in(tx: &mut Tx<'_>, maker: &str, uid: &str) -> Result<bool, DbError> {
    let both = tx.sql(SELECT).push(FROM).push(OF_ACCOUNTS).bind(maker).bind(uid).all().await?;
    Ok(opens(&both, maker, uid))
}

fn opens(both: &[UserRow], maker: &str, uid: &str) -> bool {
    let of = |uid: &str| both.iter().find(|row| row.uid.as_deref() == Some(uid));
    let (Some(maker), Some(person)) = (of(maker), of(uid)) else { return false };
    maker.is_active() && may_manage(&Giver::from(&maker.holder()), &person.holder()).is_ok()
}
