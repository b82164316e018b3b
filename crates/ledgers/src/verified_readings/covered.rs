//! The days that readings cover: most cover their own, some also days before it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::{DbError, Reader};
use larder_domain::till_day::net_by_day;
use larder_domain::zreading::MAX_COVERED;
use larder_domain::{BusinessDay, Money, Span};

use super::{Verified, verified_from};

/// A store and a day.
type StoreDay = (String, BusinessDay);
/// What sources report of a till: source, day, net sales.
type Sold = Vec<(String, BusinessDay, Money)>;

impl Verified {
    /// The days that it covers.
    #[must_use]
    pub fn covers(&self) -> Span {
        let from = self.covers_from.unwrap_or(self.business_date).min(self.business_date);
        Span { from, to: self.business_date }
    }
}

/// A span with the days before it that its readings cover, and those that readings of these days cover.
///
/// # Errors
/// If the database fails.
pub async fn reach(on: &mut Reader<'_, '_>, stores: &[String], span: Span) -> Result<Span, DbError> {
    let mut reach = span;
    loop {
        let found: Vec<(Option<BusinessDay>,)> = on
            .sql(
                "select min(covers_from) from z_readings where state <> 'discarded' and covers_from < $1
                   and business_date between $1 and $2 and store_id in ",
            )
            .bind(reach.from)
            .bind(reach.to)
            .push_ids(stores)
            .all()
            .await?;
        let Some(from) = found.into_iter().find_map(|(from,)| from) else { return Ok(reach) };
        reach.from = from;
    }
}

/// Net sales that readings say of the days of a span, by till. One that covers several days says of each what the source
/// reports whose sales of all of them add up to it, and nothing if none does. `verified` are the readings of the span;
/// later ones may cover its days, too.
///
/// # Errors
/// If the database fails.
pub async fn net_by_till<S: AsRef<str>>(
    on: &mut Reader<'_, '_>,
    (stores, span): (&[S], Span),
    verified: &[Verified],
) -> Result<HashMap<StoreDay, BTreeMap<String, Money>>, DbError> {
    let later = Span { from: span.to.plus(1), to: span.to.plus(MAX_COVERED) };
    let mut after = verified_from(on, stores, later).await?;
    after.retain(|one| one.covers().from <= span.to);
    let all = || verified.iter().chain(&after);
    let several: Vec<&Verified> = all().filter(|one| one.covers().days() > 1).collect();
    let sold = sold(on, &several).await?;
    let mut read: HashMap<StoreDay, BTreeMap<String, Money>> = HashMap::new();
    for one in all() {
        let of_till = sold.get(&(one.store_id.clone(), one.terminal_id.clone()));
        let of_till = of_till.into_iter().flatten().map(|(source, day, net)| (source.as_str(), *day, *net));
        for (day, net) in net_by_day(one.covers(), one.net, of_till) {
            let by_till = read.entry((one.store_id.clone(), day)).or_default();
            let sum = by_till.entry(one.terminal_id.clone()).or_default();
            *sum = Money(sum.0.saturating_add(net.0));
        }
    }
    Ok(read)
}

/// The imported sales of the days that some readings cover, by store and till.
async fn sold(
    on: &mut Reader<'_, '_>,
    readings: &[&Verified],
) -> Result<HashMap<(String, String), Sold>, DbError> {
    let mut sold: HashMap<(String, String), Sold> = HashMap::new();
    let covers = || readings.iter().map(|one| one.covers());
    let (Some(from), Some(to)) = (covers().map(|span| span.from).min(), covers().map(|span| span.to).max())
    else {
        return Ok(sold);
    };
    let stores: BTreeSet<&String> = readings.iter().map(|one| &one.store_id).collect();
    let stores: Vec<String> = stores.into_iter().cloned().collect();
    let rows: Vec<(String, String, String, BusinessDay, Money)> = on
        .sql(
            "select store_id, terminal_id, source, business_date, net from sales_tills
             where lines > 0 and business_date between $1 and $2 and store_id in ",
        )
        .bind(from)
        .bind(to)
        .push_ids(&stores)
        .push(" order by store_id, terminal_id, source, business_date")
        .all()
        .await?;
    for (store, till, source, day, net) in rows {
        sold.entry((store, till)).or_default().push((source, day, net));
    }
    Ok(sold)
}
