//! Stock on its way to stores. It is kept at a place of its own for each delivery and transfer, named after the store and
//! the document.

use std::collections::HashMap;

use larder_db::{Db, DbError};
use larder_domain::Qty;

fn place_of(store_id: &str, document_id: &str) -> String {
    format!("{store_id}_{document_id}")
}

/// Products on their way with some deliveries and transfers, in base units: by store and document.
///
/// # Errors
/// If the database fails.
pub async fn on_the_way(
    db: &Db,
    documents: &[(&str, &str)],
) -> Result<HashMap<(String, String), Vec<(String, Qty)>>, DbError> {
    let mut found: HashMap<(String, String), Vec<(String, Qty)>> = HashMap::new();
    if documents.is_empty() {
        return Ok(found);
    }
    let places: HashMap<String, (&str, &str)> =
        documents.iter().map(|(store, id)| (place_of(store, id), (*store, *id))).collect();
    let ids: Vec<&str> = places.keys().map(String::as_str).collect();
    let rows: Vec<(String, String, Qty)> = db
        .sql(
            "select place_id, item_id, qty from stock_balances \
             where place_kind = 'inTransit' and item_kind = 'product' and qty <> 0 and place_id in ",
        )
        .push_ids(&ids)
        .push(" order by place_id, item_id")
        .all()
        .await?;
    for (place, product, qty) in rows {
        if let Some((store, id)) = places.get(&place) {
            found.entry(((*store).to_owned(), (*id).to_owned())).or_default().push((product, qty));
        }
    }
    Ok(found)
}

/// Everything on its way to a store, by item type and item.
///
/// # Errors
/// If the database fails.
pub async fn in_transit(db: &Db, store_id: &str) -> Result<Vec<(String, String, Qty)>, DbError> {
    // From `store_` up to the next character after the underscore: a range of the index.
    db.sql(
        "select item_kind, item_id, cast(sum(qty) as bigint) from stock_balances \
         where place_kind = 'inTransit' and qty <> 0 and place_id >= $1 and place_id < $2 group by item_kind, item_id",
    )
    .bind(place_of(store_id, ""))
    .bind(format!("{store_id}`"))
    .all()
    .await
}
