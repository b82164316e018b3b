//! Which days stores are open: the one answer for whatever counts missing or due store-days. Read-only.
//!
//! A day with sales is open whatever any setting says. Other days are closed before the store starts, where the
//! monthly report marks them as closed, on weekdays that the store does not open, and during closures.

use std::collections::{HashMap, HashSet};

use larder_db::{Db, DbError};
use larder_domain::{BusinessDay, Span};

use super::forecasts::events::Calendar;

/// The open days of some stores within a span.
#[derive(Debug, Default)]
pub struct OpenDays {
    /// A store without an opening date may be missing: its first imported sale says nothing about when it opened.
    starts: HashMap<String, BusinessDay>,
    sold: HashSet<(String, BusinessDay)>,
    /// Marked as closed in the monthly report.
    marked: HashSet<(String, BusinessDay)>,
    calendar: Calendar,
}

impl OpenDays {
    /// Reads them.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn read(db: &Db, stores: &[String], span: Span) -> Result<Self, DbError> {
        let starts: Vec<(String, BusinessDay)> = db
            .sql(
                "select id, case when first_sale < opening_date then first_sale else opening_date end from (
                   select l.id, l.opening_date, (select min(d.business_date) from sales_days d
                     where d.store_id = l.id and d.lines > 0) as first_sale from locations l) s
                 where opening_date is not null and id in ",
            )
            .push_ids(stores)
            .all()
            .await?;
        let of_days = |text: &'static str| {
            db.sql(text).bind(span.from).bind(span.to).push(" and store_id in ").push_ids(stores)
        };
        let sold = "select distinct store_id, business_date from sales_days \
             where lines > 0 and business_date between $1 and $2";
        let marked =
            "select store_id, business_date from cmsr_days where closed and business_date between $1 and $2";
        let sold: Vec<(String, BusinessDay)> = of_days(sold).all().await?;
        let marked: Vec<(String, BusinessDay)> = of_days(marked).all().await?;
        Ok(Self {
            starts: starts.into_iter().collect(),
            sold: sold.into_iter().collect(),
            marked: marked.into_iter().collect(),
            calendar: Calendar::read(db, span).await?,
        })
    }

    /// Whether a store sold something on a day.
    #[must_use]
    pub fn has_sales(&self, store: &str, day: BusinessDay) -> bool {
        self.sold.contains(&(store.to_owned(), day))
    }

    /// Whether a store has started by a day: its opening date, or its first sale if that was earlier.
    #[must_use]
    pub fn has_started(&self, store: &str, day: BusinessDay) -> bool {
        self.starts.get(store).is_none_or(|starts| day >= *starts)
    }

    /// Whether a store is open on a day, so that sales, counts and readings of it can be missing.
    #[must_use]
    pub fn is_open(&self, store: &str, day: BusinessDay) -> bool {
        self.has_sales(store, day)
            || (self.has_started(store, day)
                && !self.marked.contains(&(store.to_owned(), day))
                && !self.calendar.is_closed(store, day))
    }
}
