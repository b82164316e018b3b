//! Stores' days as their verified Z-readings have them, with what receipts say of their discounts. Reads only.

use std::collections::{BTreeMap, HashMap};

use larder_db::{Db, DbError};
use larder_domain::tender::Kind;
use larder_domain::till_day::{Reading, Receipts, TillDay};
use larder_domain::{BusinessDay, Money, Span};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::readings::{self, Verified};

/// A reading as it was when something was made of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadingRef {
    pub id: String,
    pub revision: i64,
    pub terminal_id: String,
    pub date: BusinessDay,
}

/// A store's day.
#[derive(Debug, Clone)]
pub struct StoreDay {
    pub figures: TillDay,
    /// What it was made of, by till.
    pub readings: Vec<ReadingRef>,
    /// How it was paid.
    pub tenders: Vec<(Kind, Money)>,
}

/// The days of some stores that have a verified reading, all tills of a day added.
///
/// # Errors
/// When the database does not answer.
pub async fn read(
    db: &Db,
    stores: &[String],
    span: Span,
) -> Result<BTreeMap<(String, BusinessDay), StoreDay>, DbError> {
    let inside = vat_inside(db, stores).await?;
    let receipts = receipts(db, stores, span).await?;
    let mut by_day: BTreeMap<(String, BusinessDay), Vec<Verified>> = BTreeMap::new();
    for reading in readings::verified(db, stores, span).await? {
        by_day.entry((reading.store_id.clone(), reading.business_date)).or_default().push(reading);
    }
    let day = |(key, found): ((String, BusinessDay), Vec<Verified>)| {
        let readings: Vec<Reading> = found
            .iter()
            .map(|one| reading(one, inside.contains_key(&(one.store_id.clone(), one.terminal_id.clone()))))
            .collect();
        let told = receipts.get(&key).copied().unwrap_or_default();
        let refs = found.iter().map(|one| ReadingRef {
            id: one.id.clone(),
            revision: one.revision,
            terminal_id: one.terminal_id.clone(),
            date: one.business_date,
        });
        let tenders = found.iter().flat_map(|one| one.tenders.iter());
        let tenders = tenders.map(|one| {
            let kind = Kind::parse(&one.kind).unwrap_or_else(|| Kind::of_label(&one.label));
            (kind, one.amount)
        });
        let day = StoreDay {
            figures: TillDay::of(&readings, told),
            readings: refs.collect(),
            tenders: tenders.collect(),
        };
        (key, day)
    };
    Ok(by_day.into_iter().map(day).collect())
}

fn reading(one: &Verified, vat_inside: bool) -> Reading {
    Reading {
        gross: one.gross,
        net: one.net,
        vatable: one.vatable,
        vat_inside,
        vat: one.vat,
        exempt: one.exempt,
        zero_rated: one.zero_rated,
        senior: one.senior,
        pwd: one.pwd,
        naac: one.naac,
        solo_parent: one.solo_parent,
        valor: one.valor,
        other_discount: one.other_discount,
        voids: one.voids,
        returns: one.returns,
        vat_adjustment: one.vat_adjustment,
        service_charge: one.service_charge,
    }
}

/// The tills whose VATable figure has the tax in it.
async fn vat_inside(db: &Db, stores: &[String]) -> Result<HashMap<(String, String), ()>, DbError> {
    let tills: Vec<(String, String)> = db
        .sql("select store_id, terminal_id from z_terminals where vat = 'inclusive' and store_id in ")
        .push_ids(stores)
        .all()
        .await?;
    Ok(tills.into_iter().map(|till| (till, ())).collect())
}

#[derive(larder_db::FromRow)]
struct Facts {
    store_id: String,
    business_date: BusinessDay,
    employee: Money,
    vip: Money,
    promo: Money,
    local_tax: Money,
}

/// What the receipts of all sources say of each day.
async fn receipts(
    db: &Db,
    stores: &[String],
    span: Span,
) -> Result<HashMap<(String, BusinessDay), Receipts>, DbError> {
    let facts: Vec<Facts> = db
        .sql(
            "select store_id, business_date, cast(sum(employee) as bigint) as employee,
               cast(sum(vip) as bigint) as vip, cast(sum(promo) as bigint) as promo,
               cast(sum(local_tax) as bigint) as local_tax
             from sales_day_facts where business_date between $1 and $2 and store_id in ",
        )
        .bind(span.from)
        .bind(span.to)
        .push_ids(stores)
        .push(" group by store_id, business_date")
        .all()
        .await?;
    let one = |one: Facts| {
        let told =
            Receipts { employee: one.employee, vip: one.vip, promo: one.promo, local_tax: one.local_tax };
        ((one.store_id, one.business_date), told)
    };
    Ok(facts.into_iter().map(one).collect())
}
