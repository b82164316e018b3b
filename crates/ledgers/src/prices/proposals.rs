//! Prices of root items that receipts of supplier goods propose.

use std::collections::HashMap;

use larder_db::{Change, ChangeAction, Db, DbError, Json, Query, Reader, Tx};
use larder_domain::{BusinessDay, Money, StoreScope, Timestamp};
use serde_json::json;

use larder_platform::audit::Editor;

/// Entity type of a proposal.
pub const KIND: &str = "priceProposal";

/// A price that a receipt's line proposes.
#[derive(Debug, Clone, Copy)]
pub struct NewProposal<'a> {
    pub id: &'a str,
    pub root_item_id: &'a str,
    pub product_id: &'a str,
    pub receipt_id: &'a str,
    pub line_id: &'a str,
    /// The receipt's business date.
    pub on_date: BusinessDay,
    /// Of a unit of the root item.
    pub price: Money,
}

/// A proposed price with what its receipt says.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct Proposal {
    pub id: String,
    pub root_item_id: String,
    pub root_item_name: Option<String>,
    pub product_id: String,
    /// The product's name on the receipt.
    pub product_name: Option<String>,
    pub receipt_id: String,
    pub receipt_no: Option<String>,
    pub store_id: Option<String>,
    /// The supplier.
    pub supplier_id: Option<String>,
    pub on_date: BusinessDay,
    /// What the supplier charges for one of `uom_code`.
    pub unit_price: Option<Money>,
    pub uom_code: Option<String>,
    /// Of a unit of the root item.
    pub price: Money,
    /// The root item's price in force on that day.
    pub price_then: Option<Money>,
    /// `open`, `accepted`, `dismissed` or `withdrawn`.
    pub state: String,
    /// Number of changes.
    pub revision: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub updated_by: Json<Editor>,
}

const SELECT: &str = "select p.id, p.root_item_id, r.name as root_item_name, p.product_id, l.name as product_name, \
     p.receipt_id, d.number as receipt_no, d.store_id, d.source_id as supplier_id, p.on_date, l.unit_price, l.uom_code, \
     p.price, (select k.price from root_item_prices k where k.root_item_id = p.root_item_id and k.from_date <= p.on_date \
       order by k.from_date desc limit 1) as price_then, \
     p.state, p.revision, p.created_at, p.updated_at, p.updated_by";
const FROM: &str = " from price_proposals p join documents d on d.id = p.receipt_id \
     left join receipt_lines l on l.id = p.line_id left join root_items r on r.id = p.root_item_id where p.state = ";

/// Proposals in a state whose receipts are of stores the user may see, newest first, and their total.
///
/// # Errors
/// If the database fails.
pub async fn in_state(
    db: &Db,
    state: &str,
    scope: &StoreScope,
    (limit, offset): (i64, i64),
) -> Result<(Vec<Proposal>, i64), DbError> {
    let query = db.sql("select cast(count(*) as bigint)").push(FROM).push_bind(state);
    let total: i64 = within(query, scope).scalar().await?;
    let query = within(db.sql(SELECT).push(FROM).push_bind(state), scope);
    let query = query.push(" order by p.on_date desc, p.created_at desc, p.id limit ").push_bind(limit);
    Ok((query.push(" offset ").push_bind(offset).all().await?, total))
}

/// The number of open ones among them that others made after a time.
///
/// # Errors
/// If the database fails.
pub async fn open_since(
    db: &Db,
    scope: &StoreScope,
    (since, uid): (Timestamp, &str),
) -> Result<i64, DbError> {
    let query = db.sql("select cast(count(*) as bigint)").push(FROM).push_bind("open");
    let query = query.push(" and p.created_at > ").push_bind(since);
    let query = query.push(" and p.updated_by->>'uid' <> ").push_bind(uid);
    within(query, scope).scalar().await
}

/// An open proposal.
///
/// # Errors
/// If the database fails.
pub async fn open(tx: &mut Tx<'_>, id: &str) -> Result<Option<Proposal>, DbError> {
    tx.sql(SELECT).push(FROM).push_bind("open").push(" and p.id = ").push_bind(id).optional().await
}

/// Limits to receipts of stores the user may see.
fn within<'a>(query: Query<'a>, scope: &StoreScope) -> Query<'a> {
    match scope {
        StoreScope::All => query,
        StoreScope::Only(ids) => query.push(" and d.store_id in ").push_ids(&ids.iter().collect::<Vec<_>>()),
    }
}

/// Proposes a price.
///
/// # Errors
/// If the statement fails.
pub async fn propose(tx: &mut Tx<'_>, new: &NewProposal<'_>) -> Result<(), DbError> {
    let at = tx.actor().at;
    let by = Json(Editor::from(tx.actor()));
    tx.sql(
        "insert into price_proposals \
           (id, root_item_id, product_id, receipt_id, line_id, on_date, price, state, revision, created_at, updated_at, updated_by) \
         values ($1, $2, $3, $4, $5, $6, $7, 'open', 1, $8, $8, $9)",
    )
    .bind(new.id)
    .bind(new.root_item_id)
    .bind(new.product_id)
    .bind(new.receipt_id)
    .bind(new.line_id)
    .bind(new.on_date)
    .bind(new.price)
    .bind(at)
    .bind(by)
    .execute()
    .await?;
    tx.announce(KIND, new.id, None);
    Ok(())
}

/// Withdraws the open proposals of a receipt.
///
/// # Errors
/// If the statement fails.
pub async fn withdraw(tx: &mut Tx<'_>, receipt_id: &str) -> Result<(), DbError> {
    let at = tx.actor().at;
    let by = Json(Editor::from(tx.actor()));
    let withdrawn: Vec<(String,)> = tx
        .sql(
            "update price_proposals set state = 'withdrawn', revision = revision + 1, updated_at = $2, updated_by = $3 \
             where receipt_id = $1 and state = 'open' returning id",
        )
        .bind(receipt_id)
        .bind(at)
        .bind(by)
        .all()
        .await?;
    for (id,) in withdrawn {
        tx.announce(KIND, &id, None);
    }
    Ok(())
}

/// Accepts an open proposal, at `taken`, or dismisses it. Returns `false` if another user decided meanwhile.
///
/// # Errors
/// If a statement fails.
pub async fn decide(
    tx: &mut Tx<'_>,
    proposal: &Proposal,
    taken: Option<(BusinessDay, Money)>,
) -> Result<bool, DbError> {
    let at = tx.actor().at;
    let by = Json(Editor::from(tx.actor()));
    let state = if taken.is_some() { "accepted" } else { "dismissed" };
    let decided = tx
        .sql(
            "update price_proposals set state = $2, revision = revision + 1, updated_at = $3, updated_by = $4 \
             where id = $1 and state = 'open' and revision = $5",
        )
        .bind(&proposal.id)
        .bind(state)
        .bind(at)
        .bind(by)
        .bind(proposal.revision)
        .execute()
        .await?;
    if decided != 1 {
        return Ok(false);
    }
    let after = json!({
        "rootItemId": proposal.root_item_id, "receiptNo": proposal.receipt_no, "proposed": proposal.price,
        "state": state, "from": taken.map(|(from, _)| from), "price": taken.map(|(_, price)| price),
    });
    tx.record(Change {
        kind: KIND,
        id: proposal.id.clone(),
        store_id: None,
        action: ChangeAction::Updated,
        before: Some(json!({ "state": proposal.state })),
        after: Some(after),
    })
    .await?;
    Ok(true)
}

/// Moves the proposals of a merged root item to the one that stays, but for lines that proposed for both.
///
/// # Errors
/// If a statement fails.
pub async fn replace_root(tx: &mut Tx<'_>, id: &str, into: &str) -> Result<(), DbError> {
    tx.sql(
        "update price_proposals set root_item_id = $2 where root_item_id = $1 and line_id not in \
         (select p.line_id from price_proposals p where p.root_item_id = $2)",
    )
    .bind(id)
    .bind(into)
    .execute()
    .await?;
    Ok(())
}

/// The reason why a proposed price does not count from its receipt's date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Since {
    /// It does.
    Receipt,
    /// That day's week is frozen.
    Frozen,
    /// A user set a price for that day or a later one.
    SetLater,
}

/// The day from which a proposed price counts: the receipt's date. If that is not after `frozen_until`, the day after; if
/// a user set or imported a price for that day or a later one, today. `kept` are the root item's prices.
#[must_use]
pub fn counts_from(
    (on_date, today): (BusinessDay, BusinessDay),
    frozen_until: Option<BusinessDay>,
    kept: &[(BusinessDay, String)],
) -> (BusinessDay, Since) {
    let (from, since) = match frozen_until {
        Some(last) if last >= on_date => (last.plus(1), Since::Frozen),
        _ => (on_date, Since::Receipt),
    };
    let by_hand = |(day, source): &(BusinessDay, String)| *day >= from && source != "receipt";
    if kept.iter().any(by_hand) { (today, Since::SetLater) } else { (from.min(today), since) }
}

/// The first days and sources of the prices of root items, by root item.
///
/// # Errors
/// If the database fails.
pub async fn kept_of(
    on: &mut Reader<'_, '_>,
    root_item_ids: &[&str],
) -> Result<HashMap<String, Vec<(BusinessDay, String)>>, DbError> {
    let query = on.sql("select root_item_id, from_date, source from root_item_prices where root_item_id in ");
    let rows: Vec<(String, BusinessDay, String)> = query.push_ids(root_item_ids).all().await?;
    let mut kept: HashMap<String, Vec<(BusinessDay, String)>> = HashMap::new();
    for (root, from, source) in rows {
        kept.entry(root).or_default().push((from, source));
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proposed_price_changes_no_frozen_day_and_none_set_by_a_user() {
        let day = BusinessDay;
        let kept = |rows: &[(i32, &str)]| -> Vec<(BusinessDay, String)> {
            rows.iter().map(|(from, source)| (day(*from), (*source).to_owned())).collect()
        };
        let on = (day(100), day(110));
        let start = kept(&[(0, "start")]);
        assert_eq!(counts_from(on, None, &start), (day(100), Since::Receipt));
        assert_eq!(counts_from(on, Some(day(99)), &start), (day(100), Since::Receipt));
        assert_eq!(counts_from(on, Some(day(100)), &start), (day(101), Since::Frozen));
        assert_eq!(counts_from(on, None, &kept(&[(0, "start"), (104, "set")])), (day(110), Since::SetLater));
        assert_eq!(counts_from(on, None, &kept(&[(100, "import")])), (day(110), Since::SetLater));
        // A price of a newer receipt does not hinder that of an older one.
        assert_eq!(counts_from(on, None, &kept(&[(0, "set"), (104, "receipt")])), (day(100), Since::Receipt));
    }
}
