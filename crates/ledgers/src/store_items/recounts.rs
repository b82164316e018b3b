//! Items that were counted anew within one count. What people answered about goods close to a count is about the number
//! before; the new one may include other goods.

use std::collections::HashMap;

use larder_db::{Db, DbError};
use larder_domain::count::Session;
use larder_domain::{BusinessDay, Span, Timestamp};

/// When the first number of an item came in, and when the last that counted it anew did.
struct Recounted {
    first: Timestamp,
    last: Timestamp,
}

/// By store, date, session and counted item.
#[derive(Default)]
pub struct Recounts(HashMap<(String, BusinessDay, String, String), Recounted>);

impl Recounts {
    /// Those of some stores in a range.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn read(db: &Db, stores: &[String], span: Span) -> Result<Self, DbError> {
        // A number that keeps the time of the one before corrects it.
        let rows: Vec<(String, BusinessDay, String, String, Timestamp, Timestamp)> = db
            .sql(
                "select * from (select store_id, date, session, item_id, min(received_at) as first, \
                   max(case when outcome = 'applied' and counted_at = stands_at then received_at end) as last \
                 from store_count_events where outcome in ('applied', 'superseded') and date between ",
            )
            .push_bind(span.from)
            .push(" and ")
            .push_bind(span.to)
            .push(" and store_id in ")
            .push_ids(stores)
            .push(" group by store_id, date, session, item_id) e where e.last > e.first")
            .all()
            .await?;
        let recounts = rows.into_iter().map(|(store, date, session, item, first, last)| {
            ((store, date, session, item), Recounted { first, last })
        });
        Ok(Self(recounts.collect()))
    }

    /// Whether an item was counted anew after an answer about its count.
    #[must_use]
    pub fn since(
        &self,
        store: &str,
        (date, session): (BusinessDay, Session),
        item: &str,
        answered_at: Timestamp,
    ) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let key = (store.to_owned(), date, session.as_str().to_owned(), item.to_owned());
        self.0.get(&key).is_some_and(|one| one.first <= answered_at && one.last > answered_at)
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
