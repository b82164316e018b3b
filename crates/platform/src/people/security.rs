//! Security log: sign-in events, and attempts to exceed granting rules.

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::Timestamp;
use serde_json::Value;

use super::visible_people::VisiblePeople;
use crate::http::{Origin, Who};

/// A security event to record: `signedIn signInFailed lockedOut signedOut resetAsked passwordSet
/// googleRefused tokenReused totpOn totpOff reauthenticated deviceNew sessionEnded grantRefused`.
#[derive(Debug, Clone)]
pub struct Event<'a> {
    pub event: &'a str,
    /// The account concerned, if there is one.
    pub uid: Option<&'a str>,
    /// The address concerned, as given.
    pub email: &'a str,
    pub name: &'a str,
    /// Further details; never a secret.
    pub detail: Value,
}

impl Who {
    /// An event about this account.
    #[must_use]
    pub fn event<'a>(&'a self, event: &'a str, detail: Value) -> Event<'a> {
        Event { event, uid: Some(&self.uid), email: &self.email, name: &self.name, detail }
    }
}

/// Records an event in the transaction that causes it.
///
/// # Errors
/// If the statement fails.
pub async fn note(tx: &mut Tx<'_>, origin: &Origin, event: Event<'_>) -> Result<(), DbError> {
    let at = tx.actor().at;
    tx.sql(
        "insert into security_events (at, event, uid, email, name, origin, user_agent, detail)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(at)
    .bind(event.event)
    .bind(event.uid)
    .bind(event.email)
    .bind(event.name)
    .bind(&origin.address)
    .bind(&origin.user_agent)
    .bind(Json(event.detail))
    .execute()
    .await
    .map(drop)
}

/// A recorded event.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct SecurityRow {
    pub seq: i64,
    pub at: Timestamp,
    pub event: String,
    pub uid: Option<String>,
    pub email: String,
    pub name: String,
    pub origin: String,
    pub user_agent: String,
    pub detail: Json<Value>,
}

/// Filter of events.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// About this account.
    pub uid: Option<String>,
    /// Text in the address, the name, the event's name or the origin.
    pub q: Option<String>,
    /// Inclusive.
    pub from: Option<Timestamp>,
    /// Exclusive.
    pub to: Option<Timestamp>,
}

const WHERE: &str = "
    from security_events
    where (cast($1 as text) is null or uid = $1)
      and (cast($2 as text) is null or lower(email) like $2 or lower(name) like $2 or lower(event) like $2 or origin like $2)
      and (cast($3 as bigint) is null or at >= $3)
      and (cast($4 as bigint) is null or at < $4)";

/// Events of people the caller may see, newest first, and their total.
///
/// # Errors
/// If the database fails.
pub async fn list(
    db: &Db,
    visible: &VisiblePeople,
    filter: &Filter,
    (limit, offset): (i64, i64),
) -> Result<(Vec<SecurityRow>, i64), DbError> {
    let q = filter.q.as_deref().map(str::trim).filter(|q| !q.is_empty());
    let q = q.map(|q| format!("%{}%", q.to_lowercase().replace(['%', '_'], " ")));
    let events = |columns| {
        let query = db.sql(columns).push(WHERE).bind(filter.uid.as_deref()).bind(q.as_deref());
        visible.narrow_accounts(query.bind(filter.from).bind(filter.to), "uid")
    };
    let total = events("select cast(count(*) as bigint)").scalar().await?;
    let rows = events("select seq, at, event, uid, email, name, origin, user_agent, detail");
    let rows = rows.push(" order by seq desc limit ").push_bind(limit).push(" offset ").push_bind(offset);
    Ok((rows.all().await?, total))
}
