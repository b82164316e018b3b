//! Applications for access, and decisions on them.

use larder_db::Json;
use larder_db::{ChangeAction, Db, DbError, Query, Tx};
use larder_domain::Timestamp;
use serde_json::{Value, json};

use super::recorded::{Recorded, record};
use super::users::email_key;
use super::visible_people::VisiblePeople;
use crate::audit::Editor;

/// A stored application.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct ApplicationRow {
    pub id: String,
    pub name: String,
    pub email: String,
    pub mobile: String,
    /// Their job.
    pub position: String,
    /// Their store, in their own words.
    pub store: String,
    /// Reason given.
    pub reason: String,
    /// `pending`, `approved`, `rejected`.
    pub state: String,
    /// Reason for the rejection.
    pub note: String,
    /// The user created on approval.
    pub user_id: Option<String>,
    pub decided_at: Option<Timestamp>,
    pub decided_by: Option<Json<Value>>,
    pub origin: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub updated_by: Json<Value>,
    pub revision: i64,
}

impl Recorded for ApplicationRow {
    const KIND: &'static str = "application";

    fn id(&self) -> &str {
        &self.id
    }

    fn recorded(&self) -> Value {
        json!({
            "name": self.name, "email": self.email, "mobile": self.mobile, "position": self.position,
            "store": self.store, "reason": self.reason, "state": self.state, "note": self.note,
            "userId": self.user_id,
        })
    }
}

const SELECT: &str = "
    select id, name, email, mobile, position, store, reason, state, note, user_id, decided_at, decided_by, origin,
           created_at, updated_at, updated_by, revision
    from applications ";

/// Filter of applications.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub state: Option<String>,
    /// A `like` pattern over name, address, position and store.
    pub like: Option<String>,
    pub oldest_first: bool,
    pub limit: i64,
    pub offset: i64,
}

/// A page of applications and their total; approved ones only if the caller may see the user.
///
/// # Errors
/// If the database fails.
pub async fn list(
    db: &Db,
    visible: &VisiblePeople,
    filter: &Filter,
) -> Result<(Vec<ApplicationRow>, i64), DbError> {
    let seen = |query| visible.narrow(conditions(query, filter), "user_id", true);
    let total = seen(db.sql("select cast(count(*) as bigint) from applications ")).scalar().await?;
    let order =
        if filter.oldest_first { " order by created_at, id" } else { " order by created_at desc, id desc" };
    let rows = seen(db.sql(SELECT)).push(order);
    let rows = rows.push(" limit ").push_bind(filter.limit).push(" offset ").push_bind(filter.offset);
    Ok((rows.all().await?, total))
}

/// Ids of all applications that [`list`] shows for this reach.
///
/// # Errors
/// If the database fails.
pub async fn seen(db: &Db, visible: &VisiblePeople) -> Result<Vec<String>, DbError> {
    let query = visible.narrow(db.sql("select id from applications where 1 = 1"), "user_id", true);
    let ids: Vec<(String,)> = query.all().await?;
    Ok(ids.into_iter().map(|(id,)| id).collect())
}

/// Number of pending applications sent before a time.
///
/// # Errors
/// If the database fails.
pub async fn waiting_from_before(db: &Db, before: Timestamp) -> Result<i64, DbError> {
    db.sql("select cast(count(*) as bigint) from applications where state = 'pending' and created_at < $1")
        .bind(before)
        .scalar()
        .await
}

fn conditions<'q>(query: Query<'q>, filter: &Filter) -> Query<'q> {
    let mut query = query.push("where 1 = 1");
    if let Some(state) = &filter.state {
        query = query.push(" and state = ").push_bind(state);
    }
    if let Some(like) = &filter.like {
        query = query.push(" and (lower(name) like ").push_bind(like).push(" escape '\\' or email_key like ");
        query = query.push_bind(like).push(" escape '\\' or lower(position) like ").push_bind(like);
        query = query.push(" escape '\\' or lower(store) like ").push_bind(like).push(" escape '\\')");
    }
    query
}

/// An application, read in the transaction.
///
/// # Errors
/// If the statement fails.
pub async fn get_in(tx: &mut Tx<'_>, id: &str) -> Result<Option<ApplicationRow>, DbError> {
    tx.sql(SELECT).push("where id = $1").bind(id).optional().await
}

/// The pending application of an address.
///
/// # Errors
/// If the statement fails.
pub async fn open_of(tx: &mut Tx<'_>, email: &str) -> Result<Option<ApplicationRow>, DbError> {
    tx.sql(SELECT).push("where email_key = $1 and state = 'pending'").bind(email_key(email)).optional().await
}

/// What an applicant enters.
#[derive(Debug, Clone)]
pub struct ApplicationForm {
    pub name: String,
    pub email: String,
    pub mobile: String,
    pub position: String,
    pub store: String,
    pub reason: String,
}

/// Stores an application. A pending one of the same address is updated instead.
///
/// # Errors
/// If the statement fails.
pub async fn receive(tx: &mut Tx<'_>, id: &str, said: &ApplicationForm, origin: &str) -> Result<(), DbError> {
    let known = open_of(tx, &said.email).await?;
    if let Some(known) = &known
        && write(tx, UPDATE, &known.id, said, origin).await?
    {
        let after = get_in(tx, &known.id).await?.ok_or(DbError::NotFound)?;
        return record(tx, ChangeAction::Updated, Some(known), &after).await;
    }
    // There is none, or it was decided just now.
    write(tx, INSERT, id, said, origin).await?;
    let after = get_in(tx, id).await?.ok_or(DbError::NotFound)?;
    record(tx, ChangeAction::Created, None, &after).await
}

const UPDATE: &str = "
    update applications
    set name = $2, email = $3, email_key = $4, mobile = $5, position = $6, store = $7, reason = $8, origin = $9,
        revision = revision + 1, updated_at = $10, updated_by = $11
    where id = $1 and state = 'pending'";
const INSERT: &str = "
    insert into applications (id, name, email, email_key, mobile, position, store, reason, state, note, origin,
                              revision, created_at, updated_at, updated_by)
    values ($1, $2, $3, $4, $5, $6, $7, $8, 'pending', '', $9, 1, $10, $10, $11)";

/// Whether the statement wrote the application.
async fn write(
    tx: &mut Tx<'_>,
    statement: &'static str,
    id: &str,
    said: &ApplicationForm,
    origin: &str,
) -> Result<bool, DbError> {
    let (at, by) = (tx.actor().at, Editor::from(tx.actor()));
    let written = tx
        .sql(statement)
        .bind(id)
        .bind(&said.name)
        .bind(&said.email)
        .bind(email_key(&said.email))
        .bind(&said.mobile)
        .bind(&said.position)
        .bind(&said.store)
        .bind(&said.reason)
        .bind(origin)
        .bind(at)
        .bind(Json(by))
        .execute()
        .await?;
    Ok(written == 1)
}

/// A decision on an application.
#[derive(Debug, Clone, Copy)]
pub enum Decision<'a> {
    /// Approved as this user.
    Approved { user_id: &'a str },
    /// Rejected.
    Rejected {
        /// The administrator's reason.
        note: &'a str,
    },
}

/// Decides a pending application; `None` if it was changed or decided meanwhile.
///
/// # Errors
/// If the statement fails.
pub async fn decide(
    tx: &mut Tx<'_>,
    before: &ApplicationRow,
    decision: Decision<'_>,
    revision: i64,
) -> Result<Option<ApplicationRow>, DbError> {
    let (at, by) = (tx.actor().at, Editor::from(tx.actor()));
    let (state, user_id, note) = match decision {
        Decision::Approved { user_id } => ("approved", Some(user_id), ""),
        Decision::Rejected { note } => ("rejected", None, note),
    };
    let written = tx
        .sql(
            "update applications
             set state = $1, user_id = $2, note = $3, decided_at = $4, decided_by = $5, updated_at = $4,
                 updated_by = $5, revision = revision + 1
             where id = $6 and revision = $7 and state = 'pending'",
        )
        .bind(state)
        .bind(user_id)
        .bind(note)
        .bind(at)
        .bind(Json(by))
        .bind(&before.id)
        .bind(revision)
        .execute()
        .await?;
    if written == 0 {
        return Ok(None);
    }
    let after = get_in(tx, &before.id).await?.ok_or(DbError::NotFound)?;
    record(tx, ChangeAction::Updated, Some(before), &after).await?;
    Ok(Some(after))
}
