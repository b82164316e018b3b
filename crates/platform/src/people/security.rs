//! What happened around signing in, and every attempt to grant or take what one may not.

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::Timestamp;
use serde_json::Value;

use super::reach::Reach;
use crate::http::{Origin, Who};

/// Something that happened, about to be noted: `signedIn signInFailed lockedOut signedOut resetAsked passwordSet
/// googleRefused tokenReused totpOn totpOff reauthenticated deviceNew sessionEnded grantRefused`.
#[derive(Debug, Clone)]
pub struct Event<'a> {
    /// Its name.
    pub event: &'a str,
    /// The account it is about, if there is one.
    pub uid: Option<&'a str>,
    /// The address it is about, as given.
    pub email: &'a str,
    /// The name it is about.
    pub name: &'a str,
    /// What else is worth knowing; never a secret.
    pub detail: Value,
}

impl Who {
    /// Something that happened around them.
    #[must_use]
    pub fn event<'a>(&'a self, event: &'a str, detail: Value) -> Event<'a> {
        Event { event, uid: Some(&self.uid), email: &self.email, name: &self.name, detail }
    }
}

/// Notes an event, inside the transaction that makes it happen.
///
/// # Errors
/// As any statement.
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

/// A noted event.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct SecurityRow {
    pub seq: i64,
    /// When it happened.
    pub at: Timestamp,
    /// Its name.
    pub event: String,
    /// The account it is about.
    pub uid: Option<String>,
    /// The address it is about.
    pub email: String,
    /// The name it is about.
    pub name: String,
    /// Where the request came from.
    pub origin: String,
    /// The browser, as it names itself.
    pub user_agent: String,
    /// What else was noted.
    pub detail: Json<Value>,
}

/// Which events are asked for; what is absent does not narrow.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// About this account.
    pub uid: Option<String>,
    /// With this in the address, the name, the event's name or the origin.
    pub q: Option<String>,
    /// Not before.
    pub from: Option<Timestamp>,
    /// Before.
    pub to: Option<Timestamp>,
}

const WHERE: &str = "
    from security_events
    where (cast($1 as text) is null or uid = $1)
      and (cast($2 as text) is null or lower(email) like $2 or lower(name) like $2 or lower(event) like $2 or origin like $2)
      and (cast($3 as bigint) is null or at >= $3)
      and (cast($4 as bigint) is null or at < $4)";

/// Events of people within reach, newest first, and how many there are in all.
///
/// # Errors
/// When the database cannot be read.
pub async fn list(
    db: &Db,
    reach: &Reach,
    filter: &Filter,
    (limit, offset): (i64, i64),
) -> Result<(Vec<SecurityRow>, i64), DbError> {
    let q = filter.q.as_deref().map(str::trim).filter(|q| !q.is_empty());
    let q = q.map(|q| format!("%{}%", q.to_lowercase().replace(['%', '_'], " ")));
    let events = |columns| {
        let query = db.sql(columns).push(WHERE).bind(filter.uid.as_deref()).bind(q.as_deref());
        reach.narrow_accounts(query.bind(filter.from).bind(filter.to), "uid")
    };
    let total = events("select cast(count(*) as bigint)").scalar().await?;
    let rows = events("select seq, at, event, uid, email, name, origin, user_agent, detail");
    let rows = rows.push(" order by seq desc limit ").push_bind(limit).push(" offset ").push_bind(offset);
    Ok((rows.all().await?, total))
}
