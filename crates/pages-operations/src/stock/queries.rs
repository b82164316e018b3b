//! SQL queries.

use larder_db::{Db, DbError, Query};
use larder_domain::{BusinessDay, StoreScope, Timestamp};

use super::model::InTransitLine;
use larder_ledgers::stock::lots::push_booked;

/// Validated filter of lots.
pub(super) struct Filter<'a> {
    pub product_id: Option<&'a str>,
    pub place_kind: Option<&'static str>,
    pub place_id: Option<&'a str>,
    pub expires_by: Option<BusinessDay>,
    pub recalled: bool,
    pub like: Option<String>,
    pub scope: &'a StoreScope,
}

impl Filter<'_> {
    /// Conditions for lots in stock at accessible places.
    fn push<'q>(&self, query: Query<'q>) -> Query<'q> {
        let query = query.push(" from lots l join products p on p.id = l.product_id where ");
        let mut query = push_booked(query, (self.place_kind, self.place_id), self.scope);
        if let Some(id) = self.product_id {
            query = query.push(" and l.product_id = ").push_bind(id.to_owned());
        }
        if let Some(day) = self.expires_by {
            query = query.push(" and l.expiry <= ").push_bind(day);
        }
        if self.recalled {
            query = query.push(" and l.recalled_at is not null");
        }
        if let Some(like) = &self.like {
            query = query
                .push(" and (lower(l.lot) like ")
                .push_bind(like.clone())
                .push(" escape '\\' or p.name_key like ")
                .push_bind(like.clone())
                .push(" escape '\\')");
        }
        query
    }
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

/// Number of lots.
pub(super) async fn count(db: &Db, filter: &Filter<'_>) -> Result<i64, DbError> {
    filter.push(db.sql("select cast(count(*) as bigint)")).scalar().await
}

/// A page of lots, earliest expiry first.
pub(super) async fn lots(
    db: &Db,
    filter: &Filter<'_>,
    limit: i64,
    offset: i64,
) -> Result<Vec<LotRow>, DbError> {
    let query = db.sql(
        "select l.product_id, p.sku, p.name, l.lot, (select coalesce(u.code, u.name) from uoms u
           where u.id = p.base_uom_id) as uom_code, l.expiry, l.first_seen, l.recalled_at, l.recall_reason",
    );
    filter
        .push(query)
        .push(" order by l.expiry nulls last, p.name_key, l.product_id, l.lot limit ")
        .push_bind(limit)
        .push(" offset ")
        .push_bind(offset)
        .all()
        .await
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
