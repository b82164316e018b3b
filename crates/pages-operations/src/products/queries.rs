//! SQL queries.

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::{Qty, Timestamp};
use larder_lists::catalog::PriceLevelPrice;

/// Product fields needed for an adjustment.
#[derive(Debug, sqlx::FromRow)]
pub struct Head {
    pub revision: i64,
    /// Its type in the ledgers.
    pub product_kind: String,
    /// Total quantity.
    pub quantity: Qty,
    /// URL of its picture.
    pub image_url: Option<String>,
}

/// Reads it.
///
/// # Errors
/// When the database does not answer.
pub async fn head(db: &Db, id: &str) -> Result<Option<Head>, DbError> {
    let query = db.sql("select revision, product_kind, quantity, image_url from products where id = $1");
    query.bind(id).optional().await
}

/// The prices in a product's record, and when it was created.
///
/// # Errors
/// When the database does not answer.
pub(super) async fn prices(
    db: &Db,
    id: &str,
) -> Result<Option<(Json<Vec<PriceLevelPrice>>, Timestamp)>, DbError> {
    db.sql("select price_level_prices, created_at from products where id = $1").bind(id).optional().await
}

/// As [`head`], inside a transaction.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn head_in(tx: &mut Tx<'_>, id: &str) -> Result<Option<Head>, DbError> {
    let query = tx.sql("select revision, product_kind, quantity, image_url from products where id = $1");
    query.bind(id).optional().await
}
