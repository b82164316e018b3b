//! Pictures sent without a store. Their machine number tells the till, else a user does; then they are readings.
//!
//! It is shown to its sender and to users of all stores, and names no tills of other stores.

use larder_db::{Change, ChangeAction, Db, DbError, Json, Query, Tx};
use larder_domain::{BusinessDay, StoreScope, Timestamp};
use larder_tillread::Votes;
use serde_json::{Value, json};

use super::judging::PictureRead;
use super::write::Origin;
use super::{Draft, Reading, Seen, filling, terminals, waiting, write};
use larder_platform::audit::Editor;
use larder_platform::http::{ApiError, ApiResult};

/// Entity type in events and history.
pub const KIND: &str = "zPicture";
/// Machine numbers that differ in at most this many digits may be the same one, misread.
const MISREAD: usize = 2;
/// Pictures shown at once.
const MOST: i64 = 200;

larder_db::table_row! {
    #[derive(Debug, Clone, larder_db::FromRow)]
    Unsorted in "z_pictures" {
        id: String,
        /// Its id in the files.
        picture: String,
        file_name: String,
        /// `reading`, `asks`, `placed` or `discarded`.
        state: String,
        /// The business day a user filed it for.
        business_date: Option<BusinessDay>,
        /// The machine number, as read.
        min: Option<String>,
        read: Option<Json<Seen>>,
        votes: Option<Json<Votes>>,
        /// The stores its sender had when sending it; none for all.
        stores: Option<Json<Vec<String>>>,
        /// The reading it became.
        reading_id: Option<String>,
        /// The sender's uid.
        sent_by: String,
        revision: i64,
        created_at: Timestamp,
        created_by: Json<Editor>,
    }
}

impl Unsorted {
    /// Whether a user sees it.
    #[must_use]
    pub fn is_seen_by(&self, uid: &str, scope: &StoreScope) -> bool {
        *scope == StoreScope::All || self.sent_by == uid
    }

    fn audit_snapshot(&self) -> Value {
        json!({ "fileName": self.file_name, "state": self.state, "readingId": self.reading_id })
    }
}

/// A new picture without a store.
#[derive(Debug, Clone)]
pub struct New<'a> {
    pub id: String,
    /// Its id in the files.
    pub picture: &'a str,
    pub file_name: &'a str,
    /// The business day it is filed for, if a user chose one.
    pub day: Option<BusinessDay>,
    /// The stores of the sender; none for all.
    pub stores: Option<Vec<String>>,
}

/// Where a picture belongs.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    pub store_id: &'a str,
    /// Empty: the till of the store with the machine number, if there is one.
    pub terminal_id: &'a str,
    /// The id of the reading to create.
    pub reading_id: &'a str,
}

fn select(mut query: Query<'_>) -> Query<'_> {
    for (at, column) in Unsorted::COLUMNS.iter().enumerate() {
        query = query.push(if at == 0 { "select " } else { ", " }).push(column);
    }
    query.push(" from z_pictures")
}

/// A picture by id.
///
/// # Errors
/// If the database fails.
pub async fn find(db: &Db, id: &str) -> Result<Option<Unsorted>, DbError> {
    select(db.sql("")).push(" where id = ").push_bind(id).optional().await
}

/// The pictures that are being read or wait for a store, the oldest first: of one sender, or all.
///
/// # Errors
/// If the database fails.
pub async fn open(db: &Db, sent_by: Option<&str>) -> Result<Vec<Unsorted>, DbError> {
    let mut query = select(db.sql("")).push(" where state in ('reading', 'asks')");
    if let Some(uid) = sent_by {
        query = query.push(" and sent_by = ").push_bind(uid.to_owned());
    }
    query.push(" order by created_at, id limit ").push_bind(MOST).all().await
}

/// Locks a picture until the transaction ends.
async fn hold(tx: &mut Tx<'_>, id: &str) -> Result<Option<Unsorted>, DbError> {
    tx.sql("update z_pictures set revision = revision where id = ").push_bind(id).execute().await?;
    select(tx.sql("")).push(" where id = ").push_bind(id).optional().await
}

/// Locks a picture that a user changes.
async fn load(tx: &mut Tx<'_>, scope: &StoreScope, id: &str, revision: Option<i64>) -> ApiResult<Unsorted> {
    let picture = hold(tx, id).await?.filter(|it| it.is_seen_by(&tx.actor().uid, scope));
    let picture = picture.ok_or_else(|| ApiError::not_found("picture"))?;
    if revision.is_some_and(|revision| revision != picture.revision) || picture.state != "asks" {
        let words = match picture.state.as_str() {
            "reading" => "This picture is being read. Wait a moment.",
            "placed" => "This picture has its store already.",
            "discarded" => "This picture was discarded.",
            _ => "This picture was read again meanwhile. Look at it once more.",
        };
        return Err(ApiError::conflict("wrongStep", words).with("state", picture.state.into()));
    }
    Ok(picture)
}

/// Keeps a picture to be read. One of the same sender that still waits is returned instead: its id differs.
///
/// # Errors
/// If the database fails.
pub async fn keep(tx: &mut Tx<'_>, new: New<'_>) -> ApiResult<Unsorted> {
    let (at, by) = (tx.actor().at, Editor::from(tx.actor()));
    let known: Option<Unsorted> = select(tx.sql(""))
        .push(" where state in ('reading', 'asks') and sent_by = ")
        .push_bind(by.uid.clone())
        .push(" and picture = ")
        .push_bind(new.picture)
        .optional()
        .await?;
    if let Some(known) = known {
        return Ok(known);
    }
    let picture = Unsorted {
        id: new.id,
        picture: new.picture.to_owned(),
        file_name: new.file_name.to_owned(),
        state: "reading".to_owned(),
        business_date: new.day,
        min: None,
        read: None,
        votes: None,
        stores: new.stores.map(Json),
        reading_id: None,
        sent_by: by.uid.clone(),
        revision: 1,
        created_at: at,
        created_by: Json(by),
    };
    save(tx, &picture).await?;
    record(tx, None, &picture).await?;
    Ok(picture)
}

async fn save(tx: &mut Tx<'_>, picture: &Unsorted) -> Result<(), DbError> {
    let mut query = tx.sql("insert into z_pictures (");
    for (at, column) in Unsorted::COLUMNS.iter().enumerate() {
        query = query.push(if at == 0 { "" } else { ", " }).push(column);
    }
    query = query.push(") select * from ").push_rows(Unsorted::COLUMNS, [picture]);
    query = query.push(" loaded where true on conflict (id) do update set ");
    for (at, column) in Unsorted::COLUMNS.iter().filter(|column| **column != "id").enumerate() {
        query = query.push(if at == 0 { "" } else { ", " }).push(column).push(" = excluded.").push(column);
    }
    query.execute().await.map(drop)
}

async fn record(tx: &mut Tx<'_>, before: Option<Value>, picture: &Unsorted) -> ApiResult<()> {
    let action = if before.is_none() { ChangeAction::Created } else { ChangeAction::Updated };
    let after = Some(picture.audit_snapshot());
    let change = Change { kind: KIND, id: picture.id.clone(), store_id: None, action, before, after };
    Ok(tx.record(change).await?)
}

/// Keeps what was read from a picture. If its machine number told the till, it becomes a reading of the till (with the id
/// `reading_id`), else it asks for its store.
///
/// # Errors
/// If a statement fails.
pub async fn put_read(tx: &mut Tx<'_>, id: &str, read: PictureRead, reading_id: &str) -> ApiResult<()> {
    let Some(mut picture) = hold(tx, id).await?.filter(|picture| picture.state == "reading") else {
        return Ok(());
    };
    let before = picture.audit_snapshot();
    picture.min = read.seen.value("min").map(str::to_owned);
    picture.revision += 1;
    if let Some(till) = &read.till {
        // The till was found among the sender's; that the sender may see its store was checked with it.
        match become_reading(tx, &StoreScope::All, &picture, &till.store_id, "", &read, reading_id).await {
            Ok(reading) => {
                "placed".clone_into(&mut picture.state);
                picture.reading_id = Some(reading.id);
                save(tx, &picture).await?;
                return record(tx, Some(before), &picture).await;
            }
            Err(refusal) if refusal.status.is_server_error() => return Err(refusal),
            Err(_) => {}
        }
    }
    "asks".clone_into(&mut picture.state);
    picture.read = Some(Json(read.seen));
    picture.votes = read.votes.map(Json);
    save(tx, &picture).await?;
    record(tx, Some(before), &picture).await
}

/// Makes a picture a reading of a store.
///
/// # Errors
/// 404, 409 if it has a store already or another revision, 403 for a store the user may not see, 422 for a till's name.
pub async fn place(
    tx: &mut Tx<'_>,
    scope: &StoreScope,
    id: &str,
    revision: Option<i64>,
    at: Place<'_>,
) -> ApiResult<Reading> {
    larder_platform::http::scope::check(Some(at.store_id), scope)?;
    let mut picture = load(tx, scope, id, revision).await?;
    let before = picture.audit_snapshot();
    let till = match (at.terminal_id, &picture.min) {
        ("", Some(min)) => terminals::of_min_in(tx, min, at.store_id).await?,
        ("", None) => None,
        (terminal_id, _) => terminals::find_in(tx, at.store_id, terminal_id).await?,
    };
    let seen = picture.read.take().map_or_else(|| Seen::unreadable("Type the figures in."), |read| read.0);
    let votes = picture.votes.take().map(|votes| votes.0);
    let read = PictureRead { seen, till, day: picture.business_date, votes };
    let reading =
        become_reading(tx, scope, &picture, at.store_id, at.terminal_id, &read, at.reading_id).await?;
    "placed".clone_into(&mut picture.state);
    picture.reading_id = Some(reading.id.clone());
    picture.revision += 1;
    save(tx, &picture).await?;
    record(tx, Some(before), &picture).await?;
    Ok(reading)
}

/// Creates the reading, or finds the one that the store has of this picture, and fills it.
async fn become_reading(
    tx: &mut Tx<'_>,
    scope: &StoreScope,
    picture: &Unsorted,
    store_id: &str,
    terminal_id: &str,
    read: &PictureRead,
    reading_id: &str,
) -> ApiResult<Reading> {
    let draft = Draft {
        store_id: store_id.to_owned(),
        terminal_id: terminal_id.to_owned(),
        business_date: picture.business_date,
        ..Draft::default()
    };
    let origin = Origin::Picture(&picture.picture);
    let made = write::create(tx, scope, reading_id.to_owned(), &draft, origin).await?;
    if made.id != reading_id {
        return Ok(made);
    }
    let filled = filling::put_seen(tx, reading_id, read).await?.unwrap_or(made);
    if !filled.terminal_id.is_empty() {
        waiting::judge_again(tx, store_id, &filled.terminal_id, filled.business_date).await?;
    }
    Ok(filled)
}

/// Discards a picture that is no reading.
///
/// # Errors
/// As [`place`].
pub async fn discard(
    tx: &mut Tx<'_>,
    scope: &StoreScope,
    id: &str,
    revision: Option<i64>,
) -> ApiResult<Unsorted> {
    let mut picture = load(tx, scope, id, revision).await?;
    let before = picture.audit_snapshot();
    "discarded".clone_into(&mut picture.state);
    (picture.read, picture.votes) = (None, None);
    picture.revision += 1;
    save(tx, &picture).await?;
    record(tx, Some(before), &picture).await?;
    Ok(picture)
}

/// Whether two machine numbers may be the same, misread.
#[must_use]
pub fn is_near(one: &str, other: &str) -> bool {
    one.chars().count() == other.chars().count()
        && one.chars().zip(other.chars()).filter(|(a, b)| a != b).count() <= MISREAD
}

#[cfg(test)]
mod tests {
    use super::is_near;

    #[test]
    fn a_machine_number_is_near_with_two_digits_misread() {
        assert!(is_near("24110712345678901", "24110712345678901"));
        assert!(is_near("24110712345678901", "24110712345678987"));
        assert!(!is_near("24110712345678901", "24110712345678210"));
        assert!(!is_near("24110712345678901", "2411071234567890"));
    }
}
