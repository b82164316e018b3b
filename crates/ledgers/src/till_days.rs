//! Store days from verified Z-readings, with discounts from receipts. Read-only.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::{Db, DbError, Reader};
use larder_domain::sales::sources::{Sources, TillSales};
use larder_domain::tender::Kind;
use larder_domain::till_day::{Reading, Receipts, TillDay};
use larder_domain::{BusinessDay, Money, Span};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::counted_sources;
use super::verified_readings::{Verified, covered, verified_from};

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

/// Days of some stores with a verified reading, summed over tills. Where a reading covers several days, receipts of its
/// till on all of them count on the last.
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
    let reach = covered::reach(on, stores, span).await?;
    let verified = verified_from(on, stores, reach).await?;
    let read = covered::net_by_till(on, (stores, reach), &verified).await?;
    let receipts = receipts(on, stores, reach).await?;
    let chosen = counted_sources::chosen(on, stores, reach).await?;
    let (left_out, none) = (counted_sources::left_out(on, stores, reach).await?, BTreeSet::new());
    let later = read_later(&verified);
    let mut totals: HashMap<(String, BusinessDay), Receipts> = HashMap::new();
    let mut sources = HashMap::new();
    for (key, of_day) in &receipts {
        let settled = (chosen.get(key), left_out.get(key).unwrap_or(&none));
        let of_sources = sources_of(of_day, read.get(key), settled);
        for one in of_day.iter().filter(|one| of_sources.counts(&one.source)) {
            let on = later.day(key, &one.terminal_id);
            add(totals.entry((key.0.clone(), on)).or_default(), one);
        }
        sources.insert(key.clone(), of_sources);
    }
    let mut by_day: BTreeMap<(String, BusinessDay), Vec<Verified>> = BTreeMap::new();
    for reading in verified.into_iter().filter(|one| one.business_date >= span.from) {
        by_day.entry((reading.store_id.clone(), reading.business_date)).or_default().push(reading);
    }
    let mut day = |(key, found): ((String, BusinessDay), Vec<Verified>)| {
        let readings: Vec<Reading> = found
            .iter()
            .map(|one| reading(one, inside.contains_key(&(one.store_id.clone(), one.terminal_id.clone()))))
            .collect();
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
            figures: TillDay::of(&readings, totals.remove(&key).unwrap_or_default()),
            readings: refs.collect(),
            tenders: tenders.collect(),
            sources: sources.remove(&key).unwrap_or_default(),
        };
        (key, day)
    };
    Ok(by_day.into_iter().map(&mut day).collect())
}

/// Which later day's reading the receipts of a day count on.
#[derive(Default)]
struct Later {
    /// By store, day and till.
    tills: HashMap<(String, BusinessDay, String), BusinessDay>,
    /// By store and day, of days without a reading of their own.
    days: HashMap<(String, BusinessDay), BusinessDay>,
}

impl Later {
    /// The day on which the receipts of a till on a store's day count.
    fn day(&self, (store, day): &(String, BusinessDay), till: &str) -> BusinessDay {
        let of_till = self.tills.get(&(store.clone(), *day, till.to_owned()));
        let of_day = || self.days.get(&(store.clone(), *day));
        of_till.or_else(of_day).copied().unwrap_or(*day)
    }
}

fn read_later(verified: &[Verified]) -> Later {
    let mut later = Later::default();
    for one in verified {
        for day in one.covers().each().filter(|day| *day < one.business_date) {
            later.tills.insert((one.store_id.clone(), day, one.terminal_id.clone()), one.business_date);
            let last = later.days.entry((one.store_id.clone(), day)).or_insert(one.business_date);
            *last = one.business_date.max(*last);
        }
    }
    for one in verified {
        later.days.remove(&(one.store_id.clone(), one.business_date));
    }
    later
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

/// The sources of a day's receipts, with what verified readings say of it by till.
fn sources_of(
    facts: &[Facts],
    read: Option<&BTreeMap<String, Money>>,
    (chosen, left_out): (Option<&String>, &BTreeSet<String>),
) -> Sources {
    let unread = BTreeMap::new();
    Sources::settled(&rows(facts), read.unwrap_or(&unread), chosen.map(String::as_str), left_out)
}

/// Adds receipts that count.
fn add(totals: &mut Receipts, one: &Facts) {
    let more = |sum: &mut Money, amount: Money| *sum = Money(sum.0.saturating_add(amount.0));
    more(&mut totals.employee, one.employee);
    more(&mut totals.vip, one.vip);
    more(&mut totals.promo, one.promo);
    more(&mut totals.local_tax, one.local_tax);
}
