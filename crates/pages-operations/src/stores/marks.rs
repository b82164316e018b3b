//! Items that have to be counted, since more was taken than expected.

use std::collections::BTreeMap;

use larder_db::{Db, DbError};
use larder_domain::{BusinessDay, Qty, Timestamp};
use larder_ledgers::place_stock::{self, Asked};
use larder_ledgers::store_items;
use serde::Serialize;
use utoipa::ToSchema;

/// Why an item has to be counted: a document took more than was expected.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MarkedItem {
    /// `transfer`, `delivery`, `waste` or `supplierReturn`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document_kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document_no: Option<String>,
    pub marked_at: Timestamp,
    /// What it took, one for each unit; unknown for old marks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<Vec<Asked>>,
    /// What was expected then, in units of the root item; omitted for blind counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Qty>,
    /// Code of that unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
}

/// The marks of a store by root item; without expected quantities where counts are `blind`.
///
/// # Errors
/// If the database fails.
pub(super) async fn of(
    db: &Db,
    store_id: &str,
    today: BusinessDay,
    blind: bool,
) -> Result<BTreeMap<String, MarkedItem>, DbError> {
    let marks = place_stock::marked(db, store_id, today).await?;
    if marks.is_empty() {
        return Ok(BTreeMap::new());
    }
    let units = store_items::root_units(db).await?;
    let why = |mark: place_stock::CountMark| {
        let item = MarkedItem {
            document_kind: mark.document_kind,
            document_no: mark.document_no,
            marked_at: mark.marked_at,
            asked: mark.asked.map(|asked| asked.0),
            expected: (!blind).then_some(mark.expected),
            unit: units.get(&mark.root_item_id).filter(|_| !blind).cloned(),
        };
        (mark.root_item_id, item)
    };
    Ok(marks.into_iter().map(why).collect())
}
