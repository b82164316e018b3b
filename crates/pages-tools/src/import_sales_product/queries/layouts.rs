//! How files were read that somebody confirmed.

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::sales::Mapping;

use larder_platform::audit::Editor;

/// How a file of some columns was read.
#[derive(sqlx::FromRow)]
pub struct Known {
    pub fingerprint: String,
    pub mapping: Json<Mapping>,
    pub file_name: String,
    pub updated_by: Json<Editor>,
    pub headers: Option<Json<Vec<String>>>,
}

/// The layouts confirmed last.
pub async fn known(db: &Db) -> Result<Vec<Known>, DbError> {
    db.sql(
        "select fingerprint, mapping, file_name, updated_by, headers from sales_layouts
         order by updated_at desc limit 500",
    )
    .all()
    .await
}

/// Keeps the names of the columns of a layout.
pub(crate) async fn set_titles(tx: &mut Tx<'_>, fingerprint: &str, titles: &[String]) -> Result<(), DbError> {
    tx.sql("update sales_layouts set headers = $1 where fingerprint = $2")
        .bind(Json(titles))
        .bind(fingerprint)
        .execute()
        .await?;
    Ok(())
}
