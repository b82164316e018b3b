//! Batches that are planned or in progress.

use larder_db::{Db, DbError};
use larder_domain::document::quantity;
use larder_domain::{BusinessDay, Factor, Qty};

/// A product of a batch that is planned or in progress.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BeingMade {
    pub product_id: String,
    pub day: BusinessDay,
    /// In base units.
    pub qty: Qty,
}

/// What is being made at a commissary.
///
/// # Errors
/// If the database fails.
pub async fn being_made(db: &Db, commissary_id: &str) -> Result<Vec<BeingMade>, DbError> {
    let rows: Vec<(String, BusinessDay, Qty, Factor)> = db
        .sql(
            "select l.product_id, d.on_date, coalesce(l.actual, l.planned), l.factor
             from documents d join production_lines l on l.document_id = d.id
             where d.kind = 'production' and d.state in ('draft', 'inProgress')
               and coalesce(d.source_id, '') = $1 and l.side = 'made'",
        )
        .bind(commissary_id)
        .all()
        .await?;
    let line = |(product_id, day, qty, factor)| {
        let qty = quantity::base(qty, factor).unwrap_or_default();
        BeingMade { product_id, day, qty }
    };
    Ok(rows.into_iter().map(line).collect())
}
