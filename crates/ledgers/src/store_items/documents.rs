//! Documents behind the flows of root items in a store.

use std::collections::{BTreeSet, HashMap};

use larder_db::{Db, DbError};
use larder_domain::ledger::DocumentType;
use larder_domain::on_hand::{EventTime, Versions};
use larder_domain::{BusinessDay, Qty, Span, Timestamp};

use super::versions::{self, Parts};

/// The effect of a document line on a root item.
#[derive(Debug, Clone)]
pub struct Moved {
    /// The movement's number; later ones are higher.
    pub seq: i64,
    /// Its business date.
    pub date: BusinessDay,
    /// When it was posted.
    pub at: Timestamp,
    /// When it happened, if known.
    pub happened_at: Option<Timestamp>,
    /// Type of the posting document.
    pub document_type: DocumentType,
    /// Id of that document.
    pub document_id: String,
    pub root_item_id: String,
    /// The product that moved, if the root item is part of one: id and name.
    pub product: Option<(String, String)>,
    /// Quantity of the root item received; negative if issued.
    pub qty: Qty,
    /// Reason, if given.
    pub reason: Option<String>,
    pub by: Option<String>,
    /// The number of the movement it reverses.
    pub reverses: Option<i64>,
}

#[derive(sqlx::FromRow)]
struct Row {
    seq: i64,
    business_date: BusinessDay,
    happened_at: Option<Timestamp>,
    posted_at: Timestamp,
    document_type: DocumentType,
    document_id: String,
    item_kind: String,
    item_id: String,
    qty: Qty,
    reason: Option<String>,
    by: Option<String>,
    reverses: Option<i64>,
}

/// Movements of some root items in a store, as themselves or in products, ordered by day and posting; and
/// whether there are more than `limit`, in which case the latest are returned. Merges are left out.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn documents(
    db: &Db,
    store_id: &str,
    span: Span,
    roots: &[&str],
    limit: usize,
) -> Result<(Vec<Moved>, bool), DbError> {
    let wanted: BTreeSet<&str> = roots.iter().copied().collect();
    let products = products(db, store_id, span, &wanted).await?;
    let ids: Vec<&str> = products.keys().map(String::as_str).collect();
    let mut rows: Vec<Row> = db
        .sql(
            "select seq, business_date, happened_at, posted_at, document_type, document_id, item_kind, item_id, qty, \
             reason, actor->>'name' as by, reverses from stock_movements where place_kind = 'store' and place_id = ",
        )
        .push_bind(store_id)
        .push(" and document_type <> 'merge' and business_date between ")
        .push_bind(span.from)
        .push(" and ")
        .push_bind(span.to)
        .push(" and (item_kind = 'rootItem' and item_id in ")
        .push_ids(roots)
        .push(" or item_kind = 'product' and item_id in ")
        .push_ids(&ids)
        .push(") order by business_date desc, seq desc limit ")
        .push_bind(i64::try_from(limit + 1).unwrap_or(i64::MAX))
        .all()
        .await?;
    let truncated = rows.len() > limit;
    rows.truncate(limit);
    let mut found = Vec::with_capacity(rows.len());
    for row in rows.into_iter().rev() {
        let of = |root: &str, product, qty| Moved {
            seq: row.seq,
            date: row.business_date,
            at: row.posted_at,
            happened_at: row.happened_at,
            document_type: row.document_type,
            document_id: row.document_id.clone(),
            root_item_id: root.to_owned(),
            product,
            qty,
            reason: row.reason.clone(),
            by: row.by.clone(),
            reverses: row.reverses,
        };
        if row.item_kind != "product" {
            found.push(of(&row.item_id, None, row.qty));
            continue;
        }
        let Some((name, made_of)) = products.get(&row.item_id) else { continue };
        let time = EventTime { date: row.business_date, at: row.happened_at };
        let parts = made_of.at(time.or_noon()).iter();
        for (root, factor) in parts.filter(|(root, _)| wanted.contains(root.as_str())) {
            let words = || DbError::Invalid("a movement comes to more than can be stored".to_owned());
            let qty = row.qty.scaled(*factor).ok_or_else(words)?;
            found.push(of(root, Some((row.item_id.clone(), name.clone())), qty));
        }
    }
    Ok((found, truncated))
}

/// Products with some root items in them, now or before, that moved in a store: their names and contents.
async fn products(
    db: &Db,
    store_id: &str,
    span: Span,
    roots: &BTreeSet<&str>,
) -> Result<HashMap<String, (String, Versions<Parts>)>, DbError> {
    let names: Vec<(String, String)> = db
        .sql(
            "select id, name from products where id in (select item_id from stock_movements \
             where place_kind = 'store' and place_id = $1 and item_kind = 'product' and business_date between $2 and $3)",
        )
        .bind(store_id)
        .bind(span.from)
        .bind(span.to)
        .all()
        .await?;
    let ids: Vec<&str> = names.iter().map(|(id, _)| id.as_str()).collect();
    let mut made_of = versions::of_products(db, &ids).await?;
    made_of.retain(|_, versions| versions.all().flatten().any(|(root, _)| roots.contains(root.as_str())));
    let of = |(id, name): (String, String)| made_of.remove(&id).map(|versions| (id, (name, versions)));
    Ok(names.into_iter().filter_map(of).collect())
}
