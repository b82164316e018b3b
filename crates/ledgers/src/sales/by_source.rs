//! Root items used by the sales of one source. The kept sums have all sources together, so this reckons from the
//! store-days, each item with the bill of materials it was posted with.

use futures::TryStreamExt;
use larder_db::{Db, DbError};
use larder_domain::sales::BomBook;
use larder_domain::sales::day::unpack_items;
use larder_domain::{BusinessDay, Span};

use super::bom;

/// Every bill of materials there was, for one reading after the other.
pub(crate) struct BySource {
    boms: BomBook,
    source: String,
}

impl BySource {
    /// Of a source, such as `w3p`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn open(db: &Db, source: &str) -> Result<Self, DbError> {
        Ok(Self { boms: bom::load_all(db).await?, source: source.to_owned() })
    }

    /// Shows what each store used of each root item day by day, in millionths; one item may come several times a day.
    ///
    /// # Errors
    /// When the database cannot be read.
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
                // What overflows was refused when it was posted.
                for (root, qty) in bom.uses(item.figures[0]).unwrap_or_default() {
                    seen(&store, day, root, qty);
                }
            }
        }
        Ok(())
    }
}
