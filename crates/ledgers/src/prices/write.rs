//! Writes the prices of a root item, and reads its history.

use larder_db::{Actor, Change, ChangeAction, Db, DbError, Json, Tx};
use larder_domain::{BusinessDay, Money, Timestamp};
use serde_json::{Value, json};

use larder_platform::audit::Editor;

/// Entity type of a price.
const KIND: &str = "rootItemPrice";

/// The day of a price that holds for all days before the next one.
pub const START: BusinessDay = BusinessDay(0);

/// Where a price comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Entered by a user.
    Set,
    /// Read from a file or another system.
    Import,
    /// Proposed by a receipt and accepted by a user.
    Receipt,
}

impl Source {
    /// Of a price in a record that is saved: jobs and commands write what they read elsewhere.
    pub(super) fn of(actor: &Actor) -> Self {
        if matches!(actor.from.as_str(), "job" | "cli") { Self::Import } else { Self::Set }
    }

    /// Its name in the database and the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Set => "set",
            Self::Import => "import",
            Self::Receipt => "receipt",
        }
    }
}

/// A price to write.
#[derive(Debug, Clone, Copy)]
pub struct NewPrice<'a> {
    pub root_item_id: &'a str,
    /// The first day it holds for.
    pub from: BusinessDay,
    /// Of a unit; `None`: the root item has no price from then on.
    pub price: Option<Money>,
    pub source: Source,
    /// The receipt that proposed it.
    pub receipt_id: Option<&'a str>,
    /// Why it was set for a day in the past.
    pub reason: Option<&'a str>,
}

/// A stored price.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct Kept {
    pub root_item_id: String,
    /// The first day it holds for; [`START`] for all days before the next one.
    pub from_date: BusinessDay,
    /// Of a unit; `None`: it has no price from then on.
    pub price: Option<Money>,
    /// `start` (before prices were kept), `set`, `import` or `receipt`.
    pub source: String,
    pub receipt_id: Option<String>,
    /// The number of that receipt.
    pub receipt_no: Option<String>,
    pub reason: Option<String>,
    /// Number of changes.
    pub revision: i64,
    pub updated_at: Timestamp,
    pub updated_by: Option<Json<Editor>>,
}

const SELECT: &str = "select p.root_item_id, p.from_date, p.price, p.source, p.receipt_id, d.number as receipt_no, p.reason, \
     p.revision, p.updated_at, p.updated_by from root_item_prices p left join documents d on d.id = p.receipt_id \
     where p.root_item_id = ";

/// The prices of a root item, newest first.
///
/// # Errors
/// If the database fails.
pub async fn of_item(db: &Db, root_item_id: &str) -> Result<Vec<Kept>, DbError> {
    db.sql(SELECT).push_bind(root_item_id).push(" order by p.from_date desc").all().await
}

/// The price of a root item that begins on this day.
///
/// # Errors
/// If the database fails.
pub async fn of_item_on(
    tx: &mut Tx<'_>,
    root_item_id: &str,
    from: BusinessDay,
) -> Result<Option<Kept>, DbError> {
    tx.sql(SELECT).push_bind(root_item_id).push(" and p.from_date = ").push_bind(from).optional().await
}

/// The price in force on a day.
///
/// # Errors
/// If the database fails.
pub async fn on(tx: &mut Tx<'_>, root_item_id: &str, day: BusinessDay) -> Result<Option<Kept>, DbError> {
    let query = tx.sql(SELECT).push_bind(root_item_id).push(" and p.from_date <= ").push_bind(day);
    query.push(" order by p.from_date desc limit 1").optional().await
}

/// The last day on which a price from this day holds: that before the next one; at most `today`.
///
/// # Errors
/// If the database fails.
pub async fn until(
    tx: &mut Tx<'_>,
    root_item_id: &str,
    from: BusinessDay,
    today: BusinessDay,
) -> Result<BusinessDay, DbError> {
    let next: (Option<BusinessDay>,) = tx
        .sql("select min(from_date) from root_item_prices where root_item_id = $1 and from_date > $2")
        .bind(root_item_id)
        .bind(from)
        .one()
        .await?;
    Ok(next.0.map_or(today, |next| next.plus(-1).min(today)))
}

/// Writes a price; `seen` is the revision being changed, `None` for a new one. Returns `false` if it has changed
/// meanwhile.
///
/// # Errors
/// If a statement fails.
pub async fn set(tx: &mut Tx<'_>, new: &NewPrice<'_>, seen: Option<i64>) -> Result<bool, DbError> {
    let before = of_item_on(tx, new.root_item_id, new.from).await?;
    if !write(tx, new, seen).await? {
        return Ok(false);
    }
    let after = of_item_on(tx, new.root_item_id, new.from).await?;
    record(tx, before.as_ref(), after.as_ref()).await?;
    Ok(true)
}

async fn write(tx: &mut Tx<'_>, new: &NewPrice<'_>, seen: Option<i64>) -> Result<bool, DbError> {
    let at = tx.actor().at;
    let by = Json(Editor::from(tx.actor()));
    let written = tx
        .sql(
            "insert into root_item_prices \
               (root_item_id, from_date, price, source, receipt_id, reason, revision, created_at, updated_at, updated_by) \
             values ($1, $2, $3, $4, $5, $6, 1, $7, $7, $8) \
             on conflict (root_item_id, from_date) do update set price = excluded.price, source = excluded.source, \
               receipt_id = excluded.receipt_id, reason = excluded.reason, revision = root_item_prices.revision + 1, \
               updated_at = excluded.updated_at, updated_by = excluded.updated_by \
             where root_item_prices.revision = $9",
        )
        .bind(new.root_item_id)
        .bind(new.from)
        .bind(new.price)
        .bind(new.source.as_str())
        .bind(new.receipt_id)
        .bind(new.reason)
        .bind(at)
        .bind(by)
        .bind(seen.unwrap_or(-1))
        .execute()
        .await?;
    Ok(written == 1)
}

/// Removes a price: the one before it holds on. Its history tells the reason.
///
/// # Errors
/// If a statement fails.
pub async fn remove(tx: &mut Tx<'_>, kept: &Kept, reason: Option<&str>) -> Result<(), DbError> {
    tx.sql("delete from root_item_prices where root_item_id = $1 and from_date = $2")
        .bind(&kept.root_item_id)
        .bind(kept.from_date)
        .execute()
        .await?;
    let mut gone = kept.clone();
    gone.reason = reason.map(str::to_owned).or(gone.reason);
    record(tx, Some(&gone), None).await
}

/// Removes the prices after a day that receipts dated before `received` proposed: a newer receipt's price replaces them.
///
/// # Errors
/// If a statement fails.
pub async fn remove_older(
    tx: &mut Tx<'_>,
    root_item_id: &str,
    after: BusinessDay,
    received: BusinessDay,
) -> Result<(), DbError> {
    let query = tx.sql(SELECT).push_bind(root_item_id).push(" and p.from_date > ").push_bind(after);
    let query = query.push(" and p.source = 'receipt' and d.on_date < ").push_bind(received);
    for kept in query.all::<Kept>().await? {
        remove(tx, &kept, None).await?;
    }
    Ok(())
}

/// Takes over the price of a saved record: from today on. The first price of a root item holds for all days before too,
/// but for those up to `frozen_until`, whose figures are final. The record's own history tells of it.
///
/// # Errors
/// If a statement fails.
pub async fn follow(
    tx: &mut Tx<'_>,
    root_item_id: &str,
    price: Option<Money>,
    frozen_until: Option<BusinessDay>,
) -> Result<(), DbError> {
    let today = BusinessDay::of(tx.actor().at);
    let now = on(tx, root_item_id, today).await?;
    if now.as_ref().and_then(|now| now.price) == price {
        return Ok(());
    }
    let source = Source::of(tx.actor());
    let first = || frozen_until.map_or(START, |last| last.plus(1));
    let from = if now.is_some() { today } else { first() };
    let seen = of_item_on(tx, root_item_id, from).await?.map(|kept| kept.revision);
    let new = NewPrice { root_item_id, from, price, source, receipt_id: None, reason: None };
    write(tx, &new, seen).await?;
    Ok(())
}

/// Removes the prices of a root item that is deleted, and those proposed for it; its own history tells of that.
///
/// # Errors
/// If the statement fails.
pub async fn forget(tx: &mut Tx<'_>, root_item_id: &str) -> Result<(), DbError> {
    tx.sql("delete from price_proposals where root_item_id = $1").bind(root_item_id).execute().await?;
    tx.sql("delete from root_item_prices where root_item_id = $1").bind(root_item_id).execute().await?;
    Ok(())
}

async fn record(tx: &mut Tx<'_>, before: Option<&Kept>, after: Option<&Kept>) -> Result<(), DbError> {
    let Some(kept) = after.or(before) else { return Ok(()) };
    let action = match (before, after) {
        (None, _) => ChangeAction::Created,
        (_, None) => ChangeAction::Deleted,
        _ => ChangeAction::Updated,
    };
    let id = format!("{}_{}", kept.root_item_id, kept.from_date);
    tx.record(Change {
        kind: KIND,
        id,
        store_id: None,
        action,
        before: before.map(recorded),
        after: after.map(recorded),
    })
    .await
}

/// A price in the change history.
fn recorded(kept: &Kept) -> Value {
    json!({
        "rootItemId": kept.root_item_id, "from": kept.from_date, "price": kept.price, "source": kept.source,
        "receiptNo": kept.receipt_no, "reason": kept.reason,
    })
}
