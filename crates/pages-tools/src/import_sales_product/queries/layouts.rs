//! Confirmed mappings.

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::sales::Mapping;

use larder_platform::audit::Editor;

/// The mapping of a set of columns.
#[derive(sqlx::FromRow)]
pub struct Known {
    pub fingerprint: String,
    pub mapping: Json<Mapping>,
    pub file_name: String,
    pub updated_by: Json<Editor>,
    pub headers: Option<Json<Vec<String>>>,
}

/// The latest confirmed layouts.
pub async fn known(db: &Db) -> Result<Vec<Known>, DbError> {
    db.sql(
        "select fingerprint, mapping, file_name, updated_by, headers from sales_layouts
         order by updated_at desc limit 500",
    )
    .all()
    .await
}

/// Saves the column titles of a layout.
pub(crate) async fn set_titles(tx: &mut Tx<'_>, fingerprint: &str, titles: &[String]) -> Result<(), DbError> {
    tx.sql("update sales_layouts set headers = $1 where fingerprint = $2")
        .bind(Json(titles))
        .bind(fingerprint)
        .execute()
        .await?;
    Ok(())
}
