//! Users, searched, filtered, sorted and paged.

use larder_db::{Db, DbError, Query};

use super::{FROM, SELECT, UserRow};
use crate::people::visible_people::VisiblePeople;

/// Filter of users; absent fields do not filter.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// A `like` pattern over case-folded name and address.
    pub like: Option<String>,
    /// An address in comparison form.
    pub email: Option<String>,
    pub status: Option<String>,
    /// A role; `Some(None)`: without one.
    pub role_id: Option<Option<String>>,
    /// Users who may see this store.
    pub store_id: Option<String>,
    pub sort: Sort,
    pub descending: bool,
    pub limit: i64,
    pub offset: i64,
}

/// Sort column of users.
#[derive(Debug, Clone, Copy, Default)]
pub enum Sort {
    #[default]
    Name,
    Email,
    Role,
    Status,
    LastSignIn,
    Created,
    Updated,
}

impl Sort {
    fn sql(self) -> &'static str {
        match self {
            Self::Name => "u.name_key",
            Self::Email => "u.email_key",
            Self::Role => "lower(coalesce(r.name, ''))",
            Self::Status => "u.status",
            Self::LastSignIn => "coalesce(a.last_login_at, 0)",
            Self::Created => "u.created_at",
            Self::Updated => "u.updated_at",
        }
    }
}

/// Users the caller may see, and their total.
///
/// # Errors
/// If the database fails.
pub async fn list(db: &Db, visible: &VisiblePeople, filter: &Filter) -> Result<(Vec<UserRow>, i64), DbError> {
    let narrowed = |query| visible.narrow(conditions(query, filter), "u.id", false);
    let total = narrowed(db.sql("select cast(count(*) as bigint)").push(FROM)).scalar().await?;
    let rows = narrowed(db.sql(SELECT).push(FROM)).push(" order by ").push(filter.sort.sql());
    let rows = if filter.descending { rows.push(" desc, u.id desc") } else { rows.push(", u.id") };
    let rows = rows.push(" limit ").push_bind(filter.limit).push(" offset ").push_bind(filter.offset);
    Ok((rows.all().await?, total))
}

fn conditions<'q>(query: Query<'q>, filter: &Filter) -> Query<'q> {
    let mut query = query.push("where 1 = 1");
    if let Some(like) = &filter.like {
        query =
            query.push(" and (u.name_key like ").push_bind(like).push(" escape '\\' or u.email_key like ");
        query = query.push_bind(like).push(" escape '\\')");
    }
    if let Some(email) = &filter.email {
        query = query.push(" and u.email_key = ").push_bind(email);
    }
    if let Some(status) = &filter.status {
        query = query.push(" and u.status = ").push_bind(status);
    }
    query = match &filter.role_id {
        None => query,
        Some(None) => query.push(" and u.role_id is null"),
        Some(Some(id)) => query.push(" and u.role_id = ").push_bind(id),
    };
    if let Some(id) = &filter.store_id {
        // Ids contain no characters special to JSON or patterns.
        let plain: String = id.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
        query = query.push(" and (u.store_ids is null or u.super_admin or cast(u.store_ids as text) like ");
        query = query.push_bind(format!("%\"{plain}\"%")).push(")");
    }
    query
}
