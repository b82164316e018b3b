//! Which readings a day must have and which it has: the one answer for whatever asks whether a day is complete.
//!
//! | file | what it does |
//! |---|---|
//! | `day` | a store's day, its tills, and what it lacks |
//! | `read` | reads the days of some stores, with a number of statements that does not depend on stores or days |
//! | `counted` | which sources of a day count, if several report the same sales |
//! | `absences` | records that a till has no reading; the only writer of `z_absences` |

pub mod absences;
mod counted;
mod day;
mod read;

use std::collections::HashMap;

use larder_db::{Db, DbError, Reader, Tx};
use larder_domain::{BusinessDay, Span};

pub use absences::Absence;
pub use day::{Day, DayState, DayTills, Held, Till, TillOfDay, TillState};

/// Stores whose days are read with one set of statements.
pub const STORES_AT_ONCE: usize = 50;

/// The days of some stores within a span.
#[derive(Debug)]
pub struct Completeness {
    from: BusinessDay,
    stores: HashMap<String, Vec<Day>>,
    none: Day,
}

impl Completeness {
    /// Reads them.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn read(db: &Db, stores: &[String], span: Span, today: BusinessDay) -> Result<Self, DbError> {
        Self::read_from(&mut Reader::Db(db), stores, span, today).await
    }

    /// As [`read`](Self::read), inside a transaction.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn read_in(
        tx: &mut Tx<'_>,
        stores: &[String],
        span: Span,
        today: BusinessDay,
    ) -> Result<Self, DbError> {
        Self::read_from(&mut Reader::Tx(tx), stores, span, today).await
    }

    pub(crate) async fn read_from(
        on: &mut Reader<'_, '_>,
        stores: &[String],
        span: Span,
        today: BusinessDay,
    ) -> Result<Self, DbError> {
        let mut found = HashMap::with_capacity(stores.len());
        for some in stores.chunks(STORES_AT_ONCE) {
            found.extend(read::days(on, some, span, today).await?);
        }
        Ok(Self { from: span.from, stores: found, none: Day::default() })
    }

    /// A day of a store; one without tills if it was not asked for.
    #[must_use]
    pub fn day(&self, store: &str, day: BusinessDay) -> &Day {
        let at = usize::try_from(day.0 - self.from.0).ok();
        let days = self.stores.get(store);
        days.zip(at).and_then(|(days, at)| days.get(at)).unwrap_or(&self.none)
    }

    /// The days of a store, in order.
    pub fn days<'a>(&'a self, store: &str) -> impl Iterator<Item = (BusinessDay, &'a Day)> + use<'a> {
        let days = self.stores.get(store).map_or(&[][..], Vec::as_slice);
        (self.from.0..).map(BusinessDay).zip(days)
    }
}
