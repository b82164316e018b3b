//! Prices of root items that receipts of supplier goods propose.

use std::collections::HashMap;

use larder_db::{Change, ChangeAction, Db, DbError, Json, Query, Reader, Tx};
use larder_domain::{BusinessDay, Money, StoreScope, Timestamp};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

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
#[derive(Debug, Clone, Serialize, ToSchema, larder_db::FromRow)]
#[serde(rename_all = "camelCase")]
#[schema(as = ProposedPrice)]
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
    /// The receipt's business date.
    pub on_date: BusinessDay,
    /// What the supplier charges for one of `uomCode`.
    pub unit_price: Option<Money>,
    pub uom_code: Option<String>,
    /// Of a unit of the root item.
    pub price: Money,
    /// The root item's price in force on the receipt's day.
    pub price_then: Option<Money>,
    /// `open`, `accepted`, `dismissed` or `withdrawn`.
    pub state: String,
    /// Number of changes.
    pub revision: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    #[schema(value_type = Editor)]
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
    let query = withdrawing(tx).push("receipt_id = ").push_bind(receipt_id.to_owned());
    let withdrawn = query.push(" returning id").all().await?;
    announce(tx, withdrawn);
    Ok(())
}

/// Withdraws the open proposals of root items that are in force on their day by now.
///
/// # Errors
/// If the statement fails.
pub async fn withdraw_settled(tx: &mut Tx<'_>, root_item_ids: &[&str]) -> Result<(), DbError> {
    let query = withdrawing(tx).push("root_item_id in ").push_ids(root_item_ids);
    let query = query.push(
        " and price = (select k.price from root_item_prices k where k.root_item_id = price_proposals.root_item_id \
           and k.from_date <= price_proposals.on_date order by k.from_date desc limit 1)",
    );
    let withdrawn = query.push(" returning id").all().await?;
    announce(tx, withdrawn);
    Ok(())
}

fn withdrawing<'q>(tx: &'q mut Tx<'_>) -> Query<'q> {
    let at = tx.actor().at;
    let by = Json(Editor::from(tx.actor()));
    tx.sql("update price_proposals set state = 'withdrawn', revision = revision + 1, updated_at = ")
        .push_bind(at)
        .push(", updated_by = ")
        .push_bind(by)
        .push(" where state = 'open' and ")
}

fn announce(tx: &mut Tx<'_>, proposals: Vec<(String,)>) {
    for (id,) in proposals {
        tx.announce(KIND, &id, None);
    }
}

/// What becomes of an open proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Its price is in force from this day.
    Accepted(BusinessDay),
    /// The price of a newer receipt counts instead.
    Superseded,
    Dismissed,
}

/// Decides an open proposal. Returns `false` if another user decided meanwhile.
///
/// # Errors
/// If a statement fails.
pub async fn decide(tx: &mut Tx<'_>, proposal: &Proposal, decision: Decision) -> Result<bool, DbError> {
    let at = tx.actor().at;
    let by = Json(Editor::from(tx.actor()));
    let (state, from) = match decision {
        Decision::Accepted(from) => ("accepted", Some(from)),
        Decision::Superseded => ("withdrawn", None),
        Decision::Dismissed => ("dismissed", None),
    };
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
        "state": state, "from": from,
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

/// Why a proposed price does not count from its receipt's date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PriceSince)]
pub enum Since {
    /// It does.
    Receipt,
    /// That day's week is frozen: it counts from the day after the frozen weeks.
    Frozen,
    /// A user set a price for that day or a later one: it counts from today.
    SetLater,
    /// It could not count from its receipt's date, and the price of a newer receipt counts since: accepted, it changes
    /// nothing.
    Superseded,
}

/// Where a kept price comes from.
#[derive(Debug, Clone, PartialEq, Eq, larder_db::FromRow)]
pub struct Origin {
    pub root_item_id: String,
    /// Its first day.
    pub from_date: BusinessDay,
    /// `start`, `set`, `import` or `receipt`.
    pub source: String,
    /// The date of the receipt that proposed it.
    pub received_on: Option<BusinessDay>,
}

/// The day from which a proposed price counts: the receipt's date. If that is not after `frozen_until`, the day after; if
/// a user set or imported a price for that day or a later one, today. A price that is moved like this does not displace
/// that of a newer receipt. `kept` are the root item's prices.
#[must_use]
pub fn counts_from(
    (on_date, today): (BusinessDay, BusinessDay),
    frozen_until: Option<BusinessDay>,
    kept: &[Origin],
) -> (BusinessDay, Since) {
    let (from, since) = match frozen_until {
        Some(last) if last >= on_date => (last.plus(1), Since::Frozen),
        _ => (on_date, Since::Receipt),
    };
    let by_hand = |kept: &Origin| kept.from_date >= from && kept.source != "receipt";
    let (from, since) =
        if kept.iter().any(by_hand) { (today, Since::SetLater) } else { (from.min(today), since) };
    let is_newer = |kept: &Origin| kept.received_on.is_some_and(|on| on > on_date);
    let is_moved = since != Since::Receipt;
    (from, if is_moved && kept.iter().any(is_newer) { Since::Superseded } else { since })
}

/// Where the prices of root items come from, by root item.
///
/// # Errors
/// If the database fails.
pub async fn origins(
    on: &mut Reader<'_, '_>,
    root_item_ids: &[&str],
) -> Result<HashMap<String, Vec<Origin>>, DbError> {
    let query = on.sql(
        "select p.root_item_id, p.from_date, p.source, d.on_date as received_on from root_item_prices p \
         left join documents d on d.id = p.receipt_id where p.root_item_id in ",
    );
    let rows: Vec<Origin> = query.push_ids(root_item_ids).all().await?;
    let mut origins: HashMap<String, Vec<Origin>> = HashMap::new();
    for origin in rows {
        origins.entry(origin.root_item_id.clone()).or_default().push(origin);
    }
    Ok(origins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proposed_price_changes_no_frozen_day_and_none_set_by_a_user() {
        let day = BusinessDay;
        let kept = |rows: &[(i32, &str, i32)]| -> Vec<Origin> {
            let origin = |(from, source, received): &(i32, &str, i32)| Origin {
                root_item_id: "rice".to_owned(),
                from_date: day(*from),
                source: (*source).to_owned(),
                received_on: (*received > 0).then_some(day(*received)),
            };
            rows.iter().map(origin).collect()
        };
        let on = (day(100), day(110));
        let start = kept(&[(0, "start", 0)]);
        assert_eq!(counts_from(on, None, &start), (day(100), Since::Receipt));
        assert_eq!(counts_from(on, Some(day(99)), &start), (day(100), Since::Receipt));
        assert_eq!(counts_from(on, Some(day(100)), &start), (day(101), Since::Frozen));
        let set = kept(&[(0, "start", 0), (104, "set", 0)]);
        assert_eq!(counts_from(on, None, &set), (day(110), Since::SetLater));
        assert_eq!(counts_from(on, None, &kept(&[(100, "import", 0)])), (day(110), Since::SetLater));
        // A price of a newer receipt does not hinder that of an older one on the days before.
        let newer = kept(&[(0, "set", 0), (104, "receipt", 104)]);
        assert_eq!(counts_from(on, None, &newer), (day(100), Since::Receipt));
        // Nor does an older one displace it when it is moved behind it.
        assert_eq!(counts_from(on, Some(day(106)), &newer).1, Since::Superseded);
        let both = kept(&[(102, "set", 0), (106, "receipt", 106)]);
        assert_eq!(counts_from(on, None, &both).1, Since::Superseded);
        let older = kept(&[(102, "set", 0), (110, "receipt", 98)]);
        assert_eq!(counts_from(on, None, &older), (day(110), Since::SetLater));
    }
}
