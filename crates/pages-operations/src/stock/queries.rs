//! SQL queries.

use larder_db::{Db, DbError};
use larder_domain::{BusinessDay, Timestamp};

use super::model::InTransitLine;
use larder_ledgers::stock::lots::BOOKED;
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

/// Lots that are in the ledger of any place, earliest expiry first.
pub(super) async fn lots(db: &Db, filter: &Filter<'_>) -> Result<Vec<LotRow>, DbError> {
    let mut query = db.sql(
        "select l.product_id, p.sku, p.name, l.lot, (select coalesce(u.code, u.name) from uoms u
           where u.id = p.base_uom_id) as uom_code, l.expiry, l.first_seen, l.recalled_at, l.recall_reason
         from lots l join products p on p.id = l.product_id where ",
    );
    query = query.push(BOOKED);
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
    query.push(" order by l.expiry nulls last, p.name_key, l.product_id, l.lot").all().await
}

/// The lots that expire on a day or before it.
pub(super) async fn expiring(db: &Db, day: BusinessDay) -> Result<Vec<LotKey>, DbError> {
    db.sql("select product_id, lot from lots where expiry <= ").push_bind(day).all().await
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
