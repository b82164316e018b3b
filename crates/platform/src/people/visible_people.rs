//! The people a user may see: those of their stores, by [`sees_person`]. Lists, files, search and history use
//! it.

use std::collections::BTreeSet;

use larder_db::{Db, DbError, Json, Query};
use larder_domain::access::{Holder, sees_person};
use larder_domain::{Permissions, StoreScope};

use crate::http::Who;

/// The people a user may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VisiblePeople {
    Everybody,
    Only {
        users: BTreeSet<String>,
        /// Ids of their accounts.
        accounts: BTreeSet<String>,
    },
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    uid: Option<String>,
    role_id: Option<String>,
    super_admin: bool,
    store_ids: Option<Json<Vec<String>>>,
}

impl Row {
    fn holder(&self) -> Holder {
        Holder {
            super_admin: self.super_admin,
            // Only the presence of a role matters here.
            permissions: self.role_id.as_ref().map(|_| Permissions::default()),
            scope: StoreScope::of(self.super_admin, self.store_ids.as_ref().map(|ids| ids.0.as_slice())),
        }
    }
}

impl VisiblePeople {
    /// The people `who` may see. Users of all stores see everyone; for others all people are read, in one
    /// query.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn of(db: &Db, who: &Who) -> Result<Self, DbError> {
        if who.scope == StoreScope::All {
            return Ok(Self::Everybody);
        }
        let rows: Vec<Row> =
            db.sql("select id, uid, role_id, super_admin, store_ids from app_users").all().await?;
        let (mut users, mut accounts) = (BTreeSet::new(), BTreeSet::from([who.uid.clone()]));
        for row in
            rows.into_iter().filter(|row| row.id == who.user_id || sees_person(&who.scope, &row.holder()))
        {
            users.insert(row.id);
            accounts.extend(row.uid);
        }
        Ok(Self::Only { users, accounts })
    }

    /// Whether a user is among them.
    #[must_use]
    pub fn has(&self, user_id: &str) -> bool {
        match self {
            Self::Everybody => true,
            Self::Only { users, .. } => users.contains(user_id),
        }
    }

    /// Whether the owner of an account is among them.
    #[must_use]
    pub fn has_account(&self, uid: &str) -> bool {
        match self {
            Self::Everybody => true,
            Self::Only { accounts, .. } => accounts.contains(uid),
        }
    }

    /// `and (… in (their ids))` if the people are limited; `column` holds user ids, and with `or_none` rows
    /// without one remain.
    pub fn narrow<'q>(&self, query: Query<'q>, column: &'static str, or_none: bool) -> Query<'q> {
        let Self::Only { users, .. } = self else { return query };
        let query = query.push(" and (").push(column).push(" in ");
        let query = query.push_ids(&users.iter().collect::<Vec<_>>());
        let query = if or_none { query.push(" or ").push(column).push(" is null") } else { query };
        query.push(")")
    }

    /// As [`VisiblePeople::narrow`], for a column of account ids.
    pub fn narrow_accounts<'q>(&self, query: Query<'q>, column: &'static str) -> Query<'q> {
        let Self::Only { accounts, .. } = self else { return query };
        let query = query.push(" and ").push(column).push(" in ");
        query.push_ids(&accounts.iter().collect::<Vec<_>>())
    }
}
