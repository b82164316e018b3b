//! Root items used by the sales of one source. Stored sums combine all sources, so this computes from store
//! days, each item with the bill of materials it was posted with. Days whose sales another source reports too are
//! included: of one source nothing is counted twice.

use futures::TryStreamExt;
use larder_db::{Db, DbError};
use larder_domain::sales::BomBook;
use larder_domain::sales::day::unpack_items;
use larder_domain::{BusinessDay, Span};

use super::bom;

/// Every bill of materials, loaded once for several reads.
pub(crate) struct BySource {
    boms: BomBook,
    source: String,
}

impl BySource {
    /// For a source, such as `w3p`.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn open(db: &Db, source: &str) -> Result<Self, DbError> {
        Ok(Self { boms: bom::load_all(db).await?, source: source.to_owned() })
    }

    /// Passes the daily use of each root item per store, in millionths; an item may occur several times a
    /// day.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn each_day(
        &self,
        db: &Db,
        stores: &[String],
        span: Span,
        mut seen: impl FnMut(&str, BusinessDay, u32, i64),
    ) -> Result<(), DbError> {
        let query = db.sql(
            "select store_id, business_date, packed from sales_day_items
             where business_date between $1 and $2 and source = $3 and store_id in ",
        );
        let query = query.bind(span.from).bind(span.to).bind(&self.source).push_ids(stores);
        let mut rows = std::pin::pin!(query.stream::<(String, BusinessDay, Vec<u8>)>());
        while let Some((store, day, packed)) = rows.try_next().await? {
            let items = unpack_items(&packed)
                .ok_or_else(|| DbError::Invalid("the items of a store-day cannot be read".to_owned()))?;
            for item in items {
                let Some(bom) = item.bom.and_then(|seq| self.boms.version(item.item, seq)) else { continue };
                // Overflows were refused when posting.
                for (root, qty) in bom.uses(item.figures[0]).unwrap_or_default() {
                    seen(&store, day, root, qty);
                }
            }
        }
        Ok(())
    }
}
