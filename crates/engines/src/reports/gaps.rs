//! What a report cannot assign, so that it can say so.

use std::collections::HashMap;

use larder_domain::Qty;
use serde::Serialize;
use utoipa::ToSchema;

use super::figures::total;
use larder_platform::http::ApiResult;

/// Sales that a report cannot assign.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Gap {
    /// Number of items.
    pub items: usize,
    /// Quantity sold.
    pub qty: Qty,
}

impl Gap {
    /// From the quantities sold per item.
    ///
    /// # Errors
    /// 422 if the sum overflows.
    pub fn of(sold: &HashMap<String, Qty>) -> ApiResult<Self> {
        Ok(Self { items: sold.len(), qty: total(sold.values().copied())? })
    }
}
