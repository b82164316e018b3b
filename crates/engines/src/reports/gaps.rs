//! What a report cannot place, so that it can say so.

use std::collections::HashMap;

use larder_domain::Qty;
use serde::Serialize;
use utoipa::ToSchema;

use super::figures::total;
use larder_platform::http::ApiResult;

/// Sales that a report cannot place.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Gap {
    /// How many items.
    pub items: usize,
    /// How much was sold of them.
    pub qty: Qty,
}

impl Gap {
    /// These items with what was sold of each.
    ///
    /// # Errors
    /// 422 where it adds up to more than can be shown.
    pub fn of(sold: &HashMap<String, Qty>) -> ApiResult<Self> {
        Ok(Self { items: sold.len(), qty: total(sold.values().copied())? })
    }
}
