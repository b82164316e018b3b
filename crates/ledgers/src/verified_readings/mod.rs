//! Verified readings as the input of the tender report, the monthly statement and the accounting export; [`covered`]: the
//! days that they cover, and what they say of each.

pub mod covered;

use larder_db::{Db, DbError, Json, Reader};
use larder_domain::{BusinessDay, Money, Span};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A payment line of a reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tender {
    /// `cash`, `card`, `eWallet`, `voucher` or `onAccount`, as in tender types.
    pub kind: String,
    /// The till's label, such as «GCASH».
    pub label: String,
    pub amount: Money,
}

/// A verified or reconciled reading. Amounts its till does not print are zero; discounts, voids and returns
/// are positive.
#[derive(Debug, Clone, PartialEq, Eq, larder_db::FromRow)]
pub struct Verified {
    pub id: String,
    pub store_id: String,
    pub terminal_id: String,
    pub business_date: BusinessDay,
    /// The first day that it covers, if it covers days before its own.
    pub covers_from: Option<BusinessDay>,
    pub revision: i64,
    pub z_counter: i64,
    pub transactions: i64,
    pub gross: Money,
    pub net: Money,
    pub vatable: Money,
    pub vat: Money,
    pub exempt: Money,
    pub zero_rated: Money,
    pub senior: Money,
    pub pwd: Money,
    pub naac: Money,
    pub solo_parent: Money,
    pub valor: Money,
    pub other_discount: Money,
    pub voids: Money,
    pub returns: Money,
    pub vat_adjustment: Money,
    pub service_charge: Money,
    pub tenders: Json<Vec<Tender>>,
}

/// Verified and reconciled readings of some stores in a range, by store, day and till.
///
/// # Errors
/// If the database fails.
pub async fn verified(db: &Db, stores: &[String], span: Span) -> Result<Vec<Verified>, DbError> {
    verified_from(&mut Reader::Db(db), stores, span).await
}

/// As [`verified`], there.
///
/// # Errors
/// If the database fails.
pub async fn verified_from<S: AsRef<str>>(
    on: &mut Reader<'_, '_>,
    stores: &[S],
    span: Span,
) -> Result<Vec<Verified>, DbError> {
    on.sql(
        "select id, store_id, terminal_id, business_date, covers_from, revision,
           coalesce(z_counter, 0) as z_counter,
           coalesce(transactions, 0) as transactions, coalesce(gross, 0) as gross, coalesce(net, 0) as net,
           coalesce(vatable, 0) as vatable, coalesce(vat, 0) as vat, coalesce(exempt, 0) as exempt,
           coalesce(zero_rated, 0) as zero_rated, coalesce(senior, 0) as senior, coalesce(pwd, 0) as pwd,
           coalesce(naac, 0) as naac, coalesce(solo_parent, 0) as solo_parent, coalesce(valor, 0) as valor,
           coalesce(other_discount, 0) as other_discount, coalesce(voids, 0) as voids,
           coalesce(returns, 0) as returns, coalesce(vat_adjustment, 0) as vat_adjustment,
           coalesce(service_charge, 0) as service_charge, tenders
         from z_readings where state in ('verified', 'reconciled') and business_date between $1 and $2
           and store_id in ",
    )
    .bind(span.from)
    .bind(span.to)
    .push_ids(stores)
    .push(" order by store_id, business_date, terminal_id, z_counter")
    .all()
    .await
}
