//! SQL queries.

use std::collections::BTreeSet;

use larder_db::{Db, DbError};
use larder_domain::{BusinessDay, Timestamp};

use super::model::InTransitLine;
use larder_ledgers::stock::trace::LotKey;

/// Validated filter of lots.
pub(super) struct Filter<'a> {
    pub product_id: Option<&'a str>,
    pub expires_by: Option<BusinessDay>,
    pub like: Option<String>,
}

#[derive(larder_db::FromRow)]
pub(super) struct LotRow {
    pub product_id: String,
    pub sku: Option<String>,
    pub name: String,
    pub lot: String,
    pub uom_code: Option<String>,
    pub expiry: Option<BusinessDay>,
    pub first_seen: Timestamp,
    pub recalled_at: Option<Timestamp>,
    pub recall_reason: Option<String>,
}

/// The lots of some keys that match a filter.
fn matching<'q>(
    db: &'q Db,
    columns: &'static str,
    keys: &BTreeSet<&LotKey>,
    filter: &Filter<'_>,
) -> larder_db::Query<'q> {
    let mut query = db.sql(columns).push_rows(&["product_id", "lot"], keys.iter().copied()).push(
        " wanted join lots l on l.product_id = wanted.product_id and l.lot = wanted.lot
         join products p on p.id = l.product_id where 1 = 1",
    );
    if let Some(id) = filter.product_id {
        query = query.push(" and l.product_id = ").push_bind(id.to_owned());
    }
    if let Some(day) = filter.expires_by {
        query = query.push(" and l.expiry <= ").push_bind(day);
    }
    if let Some(like) = &filter.like {
        query = query
            .push(" and (lower(l.lot) like ")
            .push_bind(like.clone())
            .push(" escape '\\' or p.name_key like ")
            .push_bind(like.clone())
            .push(" escape '\\')");
    }
    query
}

/// A page of the lots of some keys, earliest expiry first, and the number on all pages.
pub(super) async fn lots(
    db: &Db,
    keys: &BTreeSet<&LotKey>,
    filter: &Filter<'_>,
    (skipped, size): (i64, i64),
) -> Result<(Vec<LotRow>, i64), DbError> {
    if keys.is_empty() {
        return Ok((Vec::new(), 0));
    }
    let total = matching(db, "select cast(count(*) as bigint) from ", keys, filter).scalar().await?;
    let columns = "select l.product_id, p.sku, p.name, l.lot, (select coalesce(u.code, u.name) from uoms u
           where u.id = p.base_uom_id) as uom_code, l.expiry, l.first_seen, l.recalled_at, l.recall_reason
         from ";
    let rows = matching(db, columns, keys, filter)
        .push(" order by l.expiry nulls last, p.name_key, l.product_id, l.lot limit ")
        .push_bind(size)
        .push(" offset ")
        .push_bind(skipped)
        .all()
        .await?;
    Ok((rows, total))
}

/// How many of some lots expire on a day or before it.
pub(super) async fn expiring(db: &Db, keys: &BTreeSet<&LotKey>, day: BusinessDay) -> Result<i64, DbError> {
    let filter = Filter { product_id: None, expires_by: Some(day), like: None };
    if keys.is_empty() {
        return Ok(0);
    }
    matching(db, "select cast(count(*) as bigint) from ", keys, &filter).scalar().await
}

/// Lines in transit on the given deliveries and transfers.
pub(super) async fn lines(db: &Db, ids: &[&str]) -> Result<Vec<InTransitLine>, DbError> {
    db.sql(
        "select document_id, product_id, name, dispatched + overage - accepted - returned - written_off as qty,
           uom_code, lot, expiry
         from shipment_lines where dispatched + overage - accepted - returned - written_off <> 0 and document_id in ",
    )
    .push_ids(ids)
    .push(" order by document_id, position")
    .all()
    .await
}

/// When deliveries and transfers left: the last dispatch among their steps.
pub(super) async fn details(db: &Db, ids: &[&str]) -> Result<Vec<(String, larder_db::Json<Left>)>, DbError> {
    db.sql("select id, details from documents where id in ").push_ids(ids).all().await
}

/// The part of a shipment's details with its departure.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Left {
    #[serde(default)]
    pub dispatched_at: Option<Timestamp>,
}
