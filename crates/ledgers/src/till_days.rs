//! Store days from verified Z-readings, with discounts from receipts. Read-only.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::{Db, DbError, Reader};
use larder_domain::sales::sources::{Sources, TillSales};
use larder_domain::tender::Kind;
use larder_domain::till_day::{Reading, Receipts, TillDay};
use larder_domain::{BusinessDay, Money, Span};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::readings::{self, Verified};
use super::sales::duplicates;

/// A reading at the time it was used.
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
    /// The readings it was computed from, by till.
    pub readings: Vec<ReadingRef>,
    /// Payments by kind.
    pub tenders: Vec<(Kind, Money)>,
    /// The sources of its discounts.
    pub sources: Sources,
}

/// Days of some stores with a verified reading, summed over tills.
///
/// # Errors
/// If the database fails.
pub async fn read(
    db: &Db,
    stores: &[String],
    span: Span,
) -> Result<BTreeMap<(String, BusinessDay), StoreDay>, DbError> {
    read_from(&mut Reader::Db(db), stores, span).await
}

/// As [`read`], there.
///
/// # Errors
/// If the database fails.
pub async fn read_from(
    on: &mut Reader<'_, '_>,
    stores: &[String],
    span: Span,
) -> Result<BTreeMap<(String, BusinessDay), StoreDay>, DbError> {
    let inside = vat_inside(on, stores).await?;
    let mut receipts = receipts(on, stores, span).await?;
    let chosen = chosen_from(on, stores, span).await?;
    let (left_out, none) = (duplicates::left_out(on, stores, span).await?, BTreeSet::new());
    let mut by_day: BTreeMap<(String, BusinessDay), Vec<Verified>> = BTreeMap::new();
    for reading in readings::verified_from(on, stores, span).await? {
        by_day.entry((reading.store_id.clone(), reading.business_date)).or_default().push(reading);
    }
    let mut day = |(key, found): ((String, BusinessDay), Vec<Verified>)| {
        let readings: Vec<Reading> = found
            .iter()
            .map(|one| reading(one, inside.contains_key(&(one.store_id.clone(), one.terminal_id.clone()))))
            .collect();
        let of_day = receipts.remove(&key).unwrap_or_default();
        let chosen = chosen.get(&key).map(String::as_str);
        let left_out = left_out.get(&key).unwrap_or(&none);
        let sources = Sources::settled(&rows(&of_day), &net_by_till(&found), chosen, left_out);
        let totals = counted(&of_day, &sources);
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
            figures: TillDay::of(&readings, totals),
            readings: refs.collect(),
            tenders: tenders.collect(),
            sources,
        };
        (key, day)
    };
    Ok(by_day.into_iter().map(&mut day).collect())
}

/// Net sales by till, from the readings of a store day.
#[must_use]
pub fn net_by_till(readings: &[Verified]) -> BTreeMap<String, Money> {
    let mut read: BTreeMap<String, Money> = BTreeMap::new();
    for one in readings {
        let sum = read.entry(one.terminal_id.clone()).or_default();
        *sum = Money(sum.0.saturating_add(one.net.0));
    }
    read
}

/// The source chosen by a user, for days with several sources.
///
/// # Errors
/// If the database fails.
pub async fn chosen(
    db: &Db,
    stores: &[String],
    span: Span,
) -> Result<HashMap<(String, BusinessDay), String>, DbError> {
    chosen_from(&mut Reader::Db(db), stores, span).await
}

pub(crate) async fn chosen_from(
    on: &mut Reader<'_, '_>,
    stores: &[String],
    span: Span,
) -> Result<HashMap<(String, BusinessDay), String>, DbError> {
    let rows: Vec<(String, BusinessDay, String)> = on
        .sql(
            "select store_id, business_date, counted_source from cmsr_days
             where counted_source is not null and business_date between $1 and $2 and store_id in ",
        )
        .bind(span.from)
        .bind(span.to)
        .push_ids(stores)
        .all()
        .await?;
    Ok(rows.into_iter().map(|(store, day, source)| ((store, day), source)).collect())
}

/// Stores with receipts from several sources on the same day in a range.
///
/// # Errors
/// If the database fails.
pub async fn stores_of_several(db: &Db, stores: &[String], span: Span) -> Result<Vec<String>, DbError> {
    let rows: Vec<(String,)> = db
        .sql("select distinct store_id from (select store_id from sales_day_facts where business_date between $1 and $2 and store_id in ")
        .bind(span.from)
        .bind(span.to)
        .push_ids(stores)
        .push(" group by store_id, business_date having min(source) <> max(source)) several order by store_id")
        .all()
        .await?;
    Ok(rows.into_iter().map(|(store,)| store).collect())
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

/// The tills whose VATable amount includes the tax.
async fn vat_inside(
    on: &mut Reader<'_, '_>,
    stores: &[String],
) -> Result<HashMap<(String, String), ()>, DbError> {
    let tills: Vec<(String, String)> = on
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
    source: String,
    terminal_id: String,
    net: Money,
    employee: Money,
    vip: Money,
    promo: Money,
    local_tax: Money,
}

/// Totals of receipts per source, till and day.
async fn receipts(
    on: &mut Reader<'_, '_>,
    stores: &[String],
    span: Span,
) -> Result<HashMap<(String, BusinessDay), Vec<Facts>>, DbError> {
    let facts: Vec<Facts> = on
        .sql(
            "select store_id, business_date, source, terminal_id, net, employee, vip, promo, local_tax
             from sales_day_facts where business_date between $1 and $2 and store_id in ",
        )
        .bind(span.from)
        .bind(span.to)
        .push_ids(stores)
        .all()
        .await?;
    let mut by_day: HashMap<(String, BusinessDay), Vec<Facts>> = HashMap::new();
    for one in facts {
        by_day.entry((one.store_id.clone(), one.business_date)).or_default().push(one);
    }
    Ok(by_day)
}

fn rows(facts: &[Facts]) -> Vec<TillSales> {
    let row = |one: &Facts| TillSales {
        source: one.source.clone(),
        terminal: one.terminal_id.clone(),
        net: one.net,
        figures: vec![one.employee.0, one.vip.0, one.promo.0, one.local_tax.0],
    };
    facts.iter().map(row).collect()
}

/// Totals of the receipts that count.
fn counted(facts: &[Facts], sources: &Sources) -> Receipts {
    let mut totals = Receipts::default();
    for one in facts.iter().filter(|one| sources.counts(&one.source)) {
        let more = |sum: &mut Money, amount: Money| *sum = Money(sum.0.saturating_add(amount.0));
        more(&mut totals.employee, one.employee);
        more(&mut totals.vip, one.vip);
        more(&mut totals.promo, one.promo);
        more(&mut totals.local_tax, one.local_tax);
    }
    totals
}
