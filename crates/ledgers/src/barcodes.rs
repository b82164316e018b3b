//! Barcodes: which product, and which unit of it, a code stands for. The only writer of `product_barcodes`.

use std::collections::HashMap;

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::barcode;
use serde::Deserialize;

/// A code and the id of the unit it is printed on.
#[derive(Debug, Clone, PartialEq, Eq, larder_db::FromRow)]
pub struct Coded {
    pub code: String,
    pub uom_id: String,
}

/// The barcode of a product.
#[derive(Debug, Clone, PartialEq, Eq, larder_db::FromRow)]
pub struct OfProduct {
    pub code: String,
    pub uom_id: String,
    pub product_id: String,
}

/// A code that another product has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// Index of the code among those given.
    pub at: usize,
    /// Name of the product that has it.
    pub product: String,
}

/// Replaces the barcodes of a product by these, unless another product has one of them.
///
/// # Errors
/// If a statement fails.
pub async fn replace(tx: &mut Tx<'_>, product_id: &str, codes: &[Coded]) -> Result<Option<Taken>, DbError> {
    forget(tx, product_id).await?;
    for (at, coded) in codes.iter().enumerate() {
        let key = barcode::key(&coded.code);
        let written = tx
            .sql(
                "insert into product_barcodes (code_key, code, product_id, uom_id) values ($1, $2, $3, $4) \
                 on conflict (code_key) do nothing",
            )
            .bind(&key)
            .bind(&coded.code)
            .bind(product_id)
            .bind(&coded.uom_id)
            .execute()
            .await?;
        if written == 0 {
            let product: Option<(String,)> = tx
                .sql("select p.name from product_barcodes b join products p on p.id = b.product_id where b.code_key = $1")
                .bind(&key)
                .optional()
                .await?;
            return Ok(Some(Taken { at, product: product.map_or_else(String::new, |(name,)| name) }));
        }
    }
    Ok(None)
}

/// Removes the barcodes of a product that is deleted.
///
/// # Errors
/// If the statement fails.
pub async fn forget(tx: &mut Tx<'_>, product_id: &str) -> Result<(), DbError> {
    tx.sql("delete from product_barcodes where product_id = $1").bind(product_id).execute().await?;
    Ok(())
}

/// The barcodes of active products, by code.
///
/// # Errors
/// If the database fails.
pub async fn all(db: &Db) -> Result<Vec<OfProduct>, DbError> {
    db.sql(
        "select b.code, b.uom_id, b.product_id from product_barcodes b join products p on p.id = b.product_id \
         where p.inactive = $1 order by b.code_key",
    )
    .bind(false)
    .all()
    .await
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct InRoot {
    root_item_id: String,
}

/// The barcodes of active products that consist of exactly one root item, by that root item.
///
/// # Errors
/// If the database fails.
pub async fn of_root_items(db: &Db) -> Result<HashMap<String, Vec<Coded>>, DbError> {
    let rows: Vec<(String, String, Json<Vec<InRoot>>)> = db
        .sql(
            "select b.code, b.uom_id, p.root_item_conversions from product_barcodes b \
             join products p on p.id = b.product_id where p.inactive = $1 order by b.code_key",
        )
        .bind(false)
        .all()
        .await?;
    let mut of: HashMap<String, Vec<Coded>> = HashMap::new();
    for (code, uom_id, roots) in rows {
        if let [InRoot { root_item_id }] = &roots.0[..] {
            of.entry(root_item_id.clone()).or_default().push(Coded { code, uom_id });
        }
    }
    Ok(of)
}
