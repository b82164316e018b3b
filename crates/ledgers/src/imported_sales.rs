//! Net sales of store days by source, and by source and till, as imported: also of sources that do not count.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::{DbError, Reader};
use larder_domain::sales::sources::TillSales;
use larder_domain::{BusinessDay, Money, Span};

/// A store's day.
type StoreDay = (String, BusinessDay);

/// The imported sales of a store's day.
#[derive(Debug, Default)]
pub(crate) struct Imported {
    /// Net sales by source.
    pub by_source: BTreeMap<String, Money>,
    /// Net sales by source and till, in their order.
    pub by_till: Vec<(String, String, Money)>,
}

impl Imported {
    /// The sales by source and till; a source without tills is of all of them.
    pub fn rows(&self) -> Vec<TillSales> {
        let row = |source: &str, terminal: &str, net| TillSales {
            source: source.to_owned(),
            terminal: terminal.to_owned(),
            net,
            figures: Vec::new(),
        };
        let with_tills: BTreeSet<&str> = self.by_till.iter().map(|(source, ..)| source.as_str()).collect();
        let whole = self.by_source.iter().filter(|(source, _)| !with_tills.contains(source.as_str()));
        let of_tills = self.by_till.iter().map(|(source, till, net)| row(source, till, *net));
        of_tills.chain(whole.map(|(source, net)| row(source, "", *net))).collect()
    }
}

/// The imported sales of some stores' days.
///
/// # Errors
/// If the database fails.
pub(crate) async fn imported<S: AsRef<str>>(
    on: &mut Reader<'_, '_>,
    stores: &[S],
    span: Span,
) -> Result<HashMap<StoreDay, Imported>, DbError> {
    let mut found: HashMap<StoreDay, Imported> = HashMap::new();
    let days: Vec<(String, BusinessDay, String, Money)> = on
        .sql(
            "select store_id, business_date, source, net from sales_days
             where lines > 0 and business_date between $1 and $2 and store_id in ",
        )
        .bind(span.from)
        .bind(span.to)
        .push_ids(stores)
        .all()
        .await?;
    for (store, day, source, net) in days {
        found.entry((store, day)).or_default().by_source.insert(source, net);
    }
    let tills: Vec<(String, BusinessDay, String, String, Money)> = on
        .sql(
            "select store_id, business_date, source, terminal_id, net from sales_tills
             where lines > 0 and business_date between $1 and $2 and store_id in ",
        )
        .bind(span.from)
        .bind(span.to)
        .push_ids(stores)
        .push(" order by store_id, business_date, source, terminal_id")
        .all()
        .await?;
    for (store, day, source, till, net) in tills {
        found.entry((store, day)).or_default().by_till.push((source, till, net));
    }
    Ok(found)
}
