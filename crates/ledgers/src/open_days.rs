//! Which days stores are open: the one answer for whatever counts missing or due store-days. Read-only.
//!
//! A day with sales is open whatever any setting says. Other days are closed before the store starts, where the
//! monthly report marks them as closed, on weekdays that the store does not open, and during closures.

use std::collections::{HashMap, HashSet};

use larder_db::{Db, DbError, Reader};
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
        Self::read_from(&mut Reader::Db(db), stores, span).await
    }

    /// As [`read`](Self::read), outside or inside a transaction.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn read_from(on: &mut Reader<'_, '_>, stores: &[String], span: Span) -> Result<Self, DbError> {
        let starts: Vec<(String, BusinessDay)> = on
            .sql(
                "select id, case when first_sale < opening_date then first_sale else opening_date end from (
                   select l.id, l.opening_date, (select min(d.business_date) from sales_days d
                     where d.store_id = l.id and d.lines > 0) as first_sale from locations l) s
                 where opening_date is not null and id in ",
            )
            .push_ids(stores)
            .all()
            .await?;
        let sold = "select distinct store_id, business_date from sales_days \
             where lines > 0 and business_date between $1 and $2";
        let marked =
            "select store_id, business_date from cmsr_days where closed and business_date between $1 and $2";
        let mut days = Vec::new();
        for text in [sold, marked] {
            let query = on.sql(text).bind(span.from).bind(span.to).push(" and store_id in ").push_ids(stores);
            let found: Vec<(String, BusinessDay)> = query.all().await?;
            days.push(found.into_iter().collect());
        }
        let marked = days.pop().unwrap_or_default();
        let sold = days.pop().unwrap_or_default();
        Ok(Self {
            starts: starts.into_iter().collect(),
            sold,
            marked,
            calendar: Calendar::read_from(on, span).await?,
        })
    }

    /// Whether a store sold something on a day.
    #[must_use]
    pub fn has_sales(&self, store: &str, day: BusinessDay) -> bool {
        self.sold.contains(&(store.to_owned(), day))
    }

    /// Whether the monthly report marks a store as closed on a day.
    #[must_use]
    pub fn is_marked(&self, store: &str, day: BusinessDay) -> bool {
        self.marked.contains(&(store.to_owned(), day))
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
                && !self.is_marked(store, day)
                && !self.calendar.is_closed(store, day))
    }
}
