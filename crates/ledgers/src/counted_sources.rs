//! Which sources of store days count, where several report the same sales: as kept, and as users chose. Read-only; see
//! [`duplicates`](crate::sales::duplicates), which settles it.

use std::collections::{BTreeSet, HashMap};

use larder_db::{DbError, Reader};
use larder_domain::{BusinessDay, Span};

/// A condition that selects the rows of sources that count: « and not exists (…)». Takes the table's name or alias; the
/// table has the columns `store_id`, `business_date` and `source`.
#[macro_export]
macro_rules! sales_count {
    ($row:literal) => {
        concat!(
            " and not exists (select 1 from sales_left_out left_out where left_out.store_id = ",
            $row,
            ".store_id and left_out.business_date = ",
            $row,
            ".business_date and left_out.source = ",
            $row,
            ".source)"
        )
    };
}

/// A store's day.
type StoreDay = (String, BusinessDay);

/// The sources left out, per store day that has any.
///
/// # Errors
/// If the database fails.
pub async fn left_out<S: AsRef<str>>(
    on: &mut Reader<'_, '_>,
    stores: &[S],
    span: Span,
) -> Result<HashMap<StoreDay, BTreeSet<String>>, DbError> {
    let rows: Vec<(String, BusinessDay, String)> = on
        .sql("select store_id, business_date, source from sales_left_out where business_date between $1 and $2 and store_id in ")
        .bind(span.from)
        .bind(span.to)
        .push_ids(stores)
        .all()
        .await?;
    let mut found: HashMap<StoreDay, BTreeSet<String>> = HashMap::new();
    for (store, day, source) in rows {
        found.entry((store, day)).or_default().insert(source);
    }
    Ok(found)
}

/// The source chosen by a user, for days with several sources.
///
/// # Errors
/// If the database fails.
pub async fn chosen<S: AsRef<str>>(
    on: &mut Reader<'_, '_>,
    stores: &[S],
    span: Span,
) -> Result<HashMap<StoreDay, String>, DbError> {
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
