//! The small lists that describe products and stores, as list records.

use serde_json::Value;

use super::table::{records, text};

/// Units of measure: code and name.
pub fn uoms() -> Vec<Value> {
    records(text!("uoms"))
}

/// Product categories: name, and the parent's name. The fiesta ones are no longer used.
pub fn categories() -> Vec<Value> {
    records(text!("categories"))
}

/// Food types.
pub fn food_types() -> Vec<Value> {
    records(text!("food-types"))
}

/// Product types.
pub fn product_types() -> Vec<Value> {
    records(text!("product-types"))
}

/// Storage requirements.
pub fn storage_requirements() -> Vec<Value> {
    records(text!("storage-requirements"))
}

/// Price levels that stores buy at.
pub fn price_levels() -> Vec<Value> {
    records(text!("price-levels"))
}

/// Operational areas: code, name, code of the area above.
pub fn operational_areas() -> Vec<Value> {
    records(text!("operational-areas"))
}

/// Tender types: the fee of the bank or wallet, and the days until it pays.
pub fn tender_types() -> Vec<Value> {
    records(text!("tender-types"))
}
